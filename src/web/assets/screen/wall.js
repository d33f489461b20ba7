// The wall of boards for a foyer: small diagrams and clocks, a page at a time.

import { get } from "../api.js";
import { Diagram } from "../board.js";
import { h, keyed, setAttr, setText } from "../dom.js";
import { resultText } from "../results.js";
import { clockText, gameClock } from "../time.js";
import { asked } from "./identity.js";

const ASK_MS = 1500;

function card() {
  const table = h("b", { class: "no" });
  const diagram = new Diagram("");
  const line = () => ({ who: h("span", { class: "who" }), time: h("span", { class: "time" }) });
  const [black, white] = [line(), line()];
  const result = h("b", { class: "result" });
  const fill = ({ who, time }, player, ms, runs) => {
    // Room for the surname; lists give it first.
    setText(who, player.name.split(",")[0]);
    setText(time, ms === null ? "" : gameClock(ms));
    setAttr(time, "data-runs", runs ? "yes" : null);
  };
  return {
    element: h("li", { class: "card" },
      h("p", {}, table, black.who, black.time),
      h("div", { class: "square" }, diagram.element, result),
      h("p", {}, h("b", { class: "no" }), white.who, white.time)),
    update: (game) => {
      setText(table, String(game.table));
      fill(black, game.black, game.black_ms, game.running === "black");
      fill(white, game.white, game.white_ms, game.running === "white");
      diagram.show(game.position, { last: game.last_uci });
      setText(result, game.result ? resultText(game.result) : "");
    },
  };
}

export class Wall {
  #parts = new Map();
  #list = h("ol", { class: "wall" });
  #games = [];
  #at = 0;
  #busy = false;

  constructor(root) {
    this.body = root.querySelector("#page-body");
    this.title = root.querySelector("#page-title");
    this.note = root.querySelector("#page-note");
    this.count = root.querySelector("#page-count");
  }

  async #ask() {
    const now = performance.now();
    if (this.#busy || now - this.#at < ASK_MS) return;
    this.#at = now;
    this.#busy = true;
    try {
      this.#games = await get(`/screen/boards?${asked}`);
    } catch {
      // Taken away from this screen, or the hub is gone: the stream tells.
    }
    this.#busy = false;
  }

  /** As many boards as fit with diagrams that are still large. */
  #fit() {
    const { clientWidth: width, clientHeight: height } = this.body;
    const least = Math.max(150, Math.min(width, height) / 3.3);
    const columns = Math.max(1, Math.floor(width / least));
    const rows = Math.max(1, Math.floor(height / (least * 1.32)));
    return { columns, rows };
  }

  show(words, delay, page) {
    this.#ask();
    const { columns, rows } = this.#fit();
    const each = columns * rows;
    const pages = Math.max(1, Math.ceil(this.#games.length / each));
    const at = page % pages;
    const shown = this.#games.slice(at * each, (at + 1) * each);
    setText(this.title, words.boards);
    setText(this.note, delay > 0 ? words.delayed(clockText(delay)) : "");
    setText(this.count, pages > 1 ? `${at + 1} / ${pages}` : "");
    if (shown.length === 0) {
      if (this.body.firstElementChild?.className !== "empty") this.body.replaceChildren(h("p", { class: "empty" }));
      setText(this.body.firstElementChild, words.noGames);
      return 1;
    }
    if (this.body.firstElementChild !== this.#list) this.body.replaceChildren(this.#list);
    const across = Math.min(columns, Math.ceil(shown.length / Math.ceil(shown.length / columns)));
    const down = Math.ceil(shown.length / across);
    this.#list.style.gridTemplateColumns = `repeat(${across}, minmax(0, 1fr))`;
    this.#list.style.gridTemplateRows = `repeat(${down}, minmax(0, 1fr))`;
    keyed(this.#list, this.#parts, shown, ({ table }) => table, card);
    return pages;
  }
}
