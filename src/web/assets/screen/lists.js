// The pages with lists: turned page by page for people who stand far away, never scrolled under their eyes.

import { get } from "../api.js";
import { h, setText } from "../dom.js";
import { resultText } from "../results.js";
import { Live } from "../stream.js";

/** How long one page stands, and how long a new result is marked. */
export const PAGE_MS = 12_000;
const NEW_MS = 45_000;
const STANDINGS_MS = 10_000;
const UKRAINIAN = "uk";
/** The least height of a line in pixels, and how many times its height a line must be wide. */
const LEAST_PX = 34;
const SMALLEST_PX = 13;
const LEAST_SHARE = 0.7;
const WIDTHS = { names: 8.6, pairs: 12.4, standings: 9.6 };

/** The public pairings and the standings, asked for only once a page shows them. */
export class Data {
  #live = null;
  #asked = 0;
  pairings = null;
  standings = null;
  /** When each result was first seen, by table; those that were there at once are old. */
  arrived = new Map();

  constructor(changed) {
    this.changed = changed;
  }

  want(kind) {
    if (kind === "standings") this.#standings();
    else if (this.#live === null) {
      this.#live = new Live("/api/v1/pairings/stream", {
        pairings: (view) => {
          this.#mark(view);
          this.pairings = view;
          this.changed();
        },
      }, () => {});
    }
  }

  #mark(view) {
    const other = this.pairings === null || this.pairings.round !== view.round;
    if (other) this.arrived.clear();
    for (const { table, result } of view.tables) {
      if (result && !this.arrived.has(table)) this.arrived.set(table, other ? -Infinity : performance.now());
      if (!result) this.arrived.delete(table);
    }
  }

  async #standings() {
    const now = performance.now();
    if (now - this.#asked < STANDINGS_MS && this.#asked !== 0) return;
    this.#asked = now;
    try {
      this.standings = await get("/screen/standings");
      this.changed();
    } catch {
      // What is shown stays; it is asked for again.
    }
  }
}

const points = (text) => text.replace(/\.0$/, "").replace(/^0\.5$/, "½").replace(/\.5$/, "½");

/** One line: cells by class. */
function row(cells, extra = "") {
  return h("li", { class: extra }, ...cells.map(([name, text]) => h("span", { class: name }, text)));
}

/** Every list: its title, its note, and its lines as functions that make them. */
const LISTS = {
  "pairings-by-name": ({ pairings }, words, name, lang) => {
    const seats = (pairings?.tables ?? []).flatMap(({ table, white, black }) => [
      { player: white, table, colour: words.white, side: "white" },
      { player: black, table, colour: words.black, side: "black" },
    ]);
    const order = new Intl.Collator([lang, UKRAINIAN], { numeric: true });
    seats.sort((a, b) => order.compare(name(a.player), name(b.player)) || a.player.no - b.player.no);
    const lines = seats.map((seat) => ({
      first: name(seat.player).charAt(0),
      make: () => row([["who", name(seat.player)], ["table", String(seat.table)], [`colour ${seat.side}`, seat.colour]]),
    }));
    return { title: words.pairings, note: words.byName, lines: [...lines, ...bye(pairings, words, name)], empty: words.noList, kind: "names" };
  },
  "pairings-by-board": ({ pairings }, words, name) => ({
    title: words.pairings, note: words.byTable, empty: words.noList, kind: "pairs",
    lines: [...(pairings?.tables ?? []).map((table) => ({ make: () => pair(table, name) })), ...bye(pairings, words, name)],
  }),
  results: ({ pairings, arrived }, words, name) => {
    const tables = pairings?.tables ?? [];
    const now = performance.now();
    const over = tables.filter(({ result }) => result);
    over.sort((a, b) => (arrived.get(b.table) ?? 0) - (arrived.get(a.table) ?? 0) || a.table - b.table);
    const fresh = (table) => (now - (arrived.get(table) ?? -Infinity) < NEW_MS ? "new" : "");
    return {
      title: words.results, note: tables.length ? words.over(over.length, tables.length) : "", empty: words.noResults, kind: "pairs",
      lines: over.map((table) => ({ make: () => pair(table, name, fresh(table.table)) })),
    };
  },
  standings: ({ standings }, words, name) => ({
    title: words.standings, note: "", empty: words.noList, kind: "standings",
    lines: (standings ?? []).map((line) => ({
      make: () => row([["place", String(line.place)], ["who", name(line)], ["points", points(line.points)],
        ...line.tie_breaks.slice(0, 2).map(([, value]) => ["break", points(value)])]),
    })),
  }),
};

function pair(table, name, extra = "") {
  return row([["table", String(table.table)], ["who right", name(table.white)], ["result", table.result ? resultText(table.result) : "–"], ["who", name(table.black)]], extra);
}

function bye(pairings, words, name) {
  return pairings?.bye ? [{ make: () => row([["free", `${words.free}: ${name(pairings.bye)}`]], "wide") }] : [];
}

/** A long name is written smaller, down to a share of the others; then it is cut. */
function shrink(item, row) {
  for (const name of item.querySelectorAll(".who, .free")) {
    const share = name.clientWidth / Math.max(1, name.scrollWidth);
    if (share < 1) name.style.fontSize = `${Math.max(SMALLEST_PX, row * 0.5 * Math.max(LEAST_SHARE, share * 0.96))}px`;
  }
}

export const isList = (content) => content in LISTS;

/** Shows lists in pages. */
export class Pages {
  #key = "";

  constructor(root) {
    this.body = root.querySelector("#page-body");
    this.title = root.querySelector("#page-title");
    this.note = root.querySelector("#page-note");
    this.count = root.querySelector("#page-count");
  }

  /**
   * Pages of equal length, with lines as high as the screen allows: a thirteenth of its height, but never so
   * high that a name does not fit into its column.
   */
  #fit(kind, lines) {
    const { clientWidth: width, clientHeight: height } = this.body;
    const wide = WIDTHS[kind];
    const row = Math.max(LEAST_PX, Math.min(height / 13, width / wide));
    const most = Math.max(1, Math.min(4, Math.floor(width / (row * wide))));
    const rows = Math.max(1, Math.floor(height / row));
    const pages = Math.max(1, Math.ceil(lines / (rows * most)));
    const even = Math.ceil(lines / pages);
    const columns = Math.max(1, Math.ceil(even / rows));
    const down = Math.max(1, Math.ceil(even / columns));
    // What is left over makes the lines higher, a little.
    return { pages, even, columns, down, row: Math.max(LEAST_PX, Math.min(height / down, row * 1.25, width / columns / wide)) };
  }

  /** Draws one page of a list; gives how many there are. */
  show(content, data, words, lang, page) {
    const name = (player) => player.name ?? words.number(player.no);
    const list = LISTS[content](data, words, name, lang);
    const { pages, even, columns, down, row } = this.#fit(list.kind, list.lines.length);
    const at = page % pages;
    const shown = list.lines.slice(at * even, (at + 1) * even);
    const [from, to] = [shown[0]?.first, shown.at(-1)?.first];
    setText(this.title, list.title);
    setText(this.note, from && pages > 1 ? `${from} – ${to}` : list.note);
    setText(this.count, pages > 1 ? `${at + 1} / ${pages}` : "");
    const items = shown.map(({ make }) => make());
    const key = `${content} ${columns} ${row} ${items.map((item) => item.className + item.textContent).join("|")}`;
    if (key !== this.#key) {
      this.#key = key;
      const ol = h("ol", { class: `list ${list.kind}` }, ...items);
      ol.style.setProperty("--row", `${row}px`);
      ol.style.gridTemplateRows = `repeat(${down}, ${row}px)`;
      ol.style.gridTemplateColumns = `repeat(${columns}, minmax(0, 1fr))`;
      this.body.replaceChildren(shown.length ? ol : h("p", { class: "empty" }, list.empty));
      for (const item of items) shrink(item, row);
    }
    return pages;
  }

  forget() {
    this.#key = "";
  }
}
