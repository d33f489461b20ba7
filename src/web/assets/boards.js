// All tables: who plays, how the clocks run, which table has a problem, and the result.

import { post } from "./api.js";
import { Diagram } from "./board.js";
import { askClaim, askProtest, conductWords } from "./claims.js";
import { Correction } from "./correction.js";
import { askText, confirm, run } from "./dialogs.js";
import { h, icon, keyed, setAttr, setText } from "./dom.js";
import { RESULTS, resultText } from "./results.js";
import { mayStart, openStartPosition } from "./start_position.js";
import { ago, gameClock, instant } from "./time.js";
import { words } from "./words/desk.js";
import { endWord } from "./words/ends.js";
import { words as forms } from "./words/forms.js";
import { onLanguage } from "./words/language.js";

/** A table an arbiter should look at. */
export function hasProblem(table) {
  if (table.phase === "unused") return false;
  return table.alerts.length > 0 || (table.phase !== "finished" && (table.disturbed || table.flags.length > 0 || (table.device !== null && !table.online)));
}

export function isOpen(table) {
  return table.phase !== "unused" && table.result === null;
}

/** The clock of a side now: it runs between readings, but not on a table that is silent. */
export function timeLeft(table, color, now) {
  const { clock } = table;
  if (!clock) return null;
  const ms = color === "white" ? clock.white_ms : clock.black_ms;
  if (clock.running !== color || !table.online || now === null || table.result !== null) return ms;
  return Math.max(0, ms - Math.max(0, now - instant(clock.at)));
}

/** What is wrong at a table, in words. */
export function troubles(table, now) {
  const list = [];
  if (table.phase === "unused") return list;
  for (const side of table.flags) list.push(["flag", words.flagOf[side]]);
  if (table.flags_unordered) list.push(["flag", words.orderUnknown]);
  if (table.device === null) list.push(["off", words.noBoard]);
  else if (!table.online) {
    const heard = instant(table.heard_at);
    list.push(["off", words.silent(heard === null || now === null ? "" : ago(now - heard))]);
  }
  // Once the game is over the pieces may be set up anew.
  if (table.result !== null) return list;
  if (table.disturbed) list.push(["board", words.unclear]);
  if (table.gaps > 0) list.push(["board", words.missing]);
  return list;
}

/** What stands on the board where it differs from the game; after the game it means nothing. */
export function seenNow(table) {
  return table.result === null ? table.seen : null;
}

const numberOf = (ply) => (ply === 0 ? "" : `${Math.ceil(ply / 2)}${ply % 2 ? "." : "…"}`);

class Card {
  #troubles = "";

  constructor(open) {
    const side = (color) => {
      const name = h("span", { class: "name" });
      const time = h("b", { class: "time" });
      const row = h("span", { class: "side" }, h("i", { class: `man ${color}`, "aria-label": color }), name, time);
      return { row, name, time };
    };
    this.number = h("span", { class: "number" });
    this.phase = h("span", { class: "phase" });
    this.white = side("white");
    this.black = side("black");
    this.move = h("span", { class: "move" });
    this.trouble = h("span", { class: "troubles" });
    const button = h("button", { type: "button", class: "card", on: { click: () => open(this.table.table) } },
      h("span", { class: "card-head" }, this.number, this.phase), this.white.row, this.black.row,
      h("span", { class: "card-foot" }, this.move, this.trouble));
    this.element = h("li", {}, button);
    this.button = button;
  }

  update(table) {
    this.table = table;
    setText(this.number, String(table.table));
    setText(this.white.name, table.white?.name ?? "—");
    setText(this.black.name, table.black?.name ?? "—");
    setText(this.phase, table.result ? resultText(table.result) : words.phases[table.phase]);
    setAttr(this.button, "data-phase", table.phase);
    setText(this.move, table.last_san ? `${numberOf(table.ply)} ${table.last_san}` : "");
    setAttr(this.button, "data-problem", hasProblem(table) ? "yes" : null);
  }

  tick(now) {
    for (const color of ["white", "black"]) {
      const ms = timeLeft(this.table, color, now);
      const { row, time } = this[color];
      setText(time, ms === null ? "" : gameClock(ms));
      const runs = this.table.clock?.running === color && this.table.result === null;
      setAttr(row, "data-running", runs ? (this.table.online ? "yes" : "unknown") : null);
      setAttr(row, "data-turn", this.table.turn === color && this.table.phase === "playing" ? "yes" : null);
      setAttr(row, "data-low", ms !== null && ms < 60_000 && this.table.result === null ? "yes" : null);
    }
    const list = troubles(this.table, now);
    const text = list.map(([, word]) => word).join(", ");
    if (text !== this.#troubles) {
      this.#troubles = text;
      this.trouble.replaceChildren(...list.map(([name, word]) => h("span", {}, icon(name), word)));
    }
  }
}

export class Boards {
  #parts = new Map();
  #hall = null;
  #filter = "all";
  #find = "";

  constructor(root, time, outbox) {
    this.time = time;
    this.list = root.querySelector("#boards-list");
    this.none = root.querySelector("#boards-none");
    this.dialog = new TableDialog(time, outbox);
    this.filters = [...root.querySelectorAll("[data-filter]")];
    for (const button of this.filters) {
      button.addEventListener("click", () => {
        this.#filter = button.dataset.filter;
        for (const each of this.filters) setAttr(each, "aria-pressed", String(each === button));
        this.update(this.#hall);
      });
    }
    root.querySelector("#find").addEventListener("input", (event) => {
      this.#find = event.target.value.trim().toLowerCase();
      this.update(this.#hall);
    });
    onLanguage(() => this.update(this.#hall));
  }

  open(number) {
    const table = this.#hall?.tables.find((each) => each.table === number);
    if (table) this.dialog.open(table, this.#hall.event);
  }

  update(hall) {
    if (!hall) return;
    this.#hall = hall;
    const used = hall.tables.filter((table) => table.phase !== "unused" || table.device !== null);
    const kinds = { all: used, open: used.filter(isOpen), problem: used.filter(hasProblem) };
    for (const button of this.filters) setText(button.querySelector("b"), String(kinds[button.dataset.filter].length));
    const shown = kinds[this.#filter].filter((table) => this.#matches(table));
    keyed(this.list, this.#parts, shown, (table) => table.table, () => new Card((number) => this.open(number)));
    this.none.hidden = shown.length > 0;
    setText(this.none, this.#find ? words.nothingFits : { all: words.noTables, open: words.allIn, problem: words.noProblems }[this.#filter]);
    const table = used.find((each) => each.table === this.dialog.number);
    if (table) this.dialog.update(table, hall.event);
    this.dialog.correction.update(used);
    this.dialog.penalty = hall.event?.penalty_ms ?? 0;
    this.tick();
  }

  tick() {
    const now = this.time.now();
    for (const card of this.#parts.values()) card.tick(now);
    this.dialog.tick(now);
    this.dialog.correction.tick(now);
  }

  #matches(table) {
    if (!this.#find) return true;
    if (/^\d+$/.test(this.#find)) return String(table.table).startsWith(this.#find);
    return [table.white, table.black].some((player) => player?.name.toLowerCase().includes(this.#find));
  }
}

/** One table, large: its position and everything an arbiter does there. */
class TableDialog {
  number = null;
  penalty = 0;

  constructor(time, outbox) {
    this.time = time;
    this.outbox = outbox;
    this.correction = new Correction(time);
    this.diagram = new Diagram(words.position);
    this.dialog = document.getElementById("table-dialog");
    this.at = (name) => this.dialog.querySelector(`[data-${name}]`);
    this.at("diagram").append(this.diagram.element);
    this.dialog.addEventListener("close", () => { this.number = null; });
    this.dialog.addEventListener("click", (event) => { if (event.target === this.dialog) this.dialog.close(); });
    this.at("dismiss").addEventListener("click", () => this.dialog.close());
    this.at("results").append(...RESULTS.map(([value, text]) =>
      h("button", { type: "button", "data-result": value, on: { click: () => this.#result(value, text) } }, text)));
    this.at("call").addEventListener("click", () => this.#call());
    this.at("incident").addEventListener("click", () => this.#incident());
    this.at("claim").addEventListener("click", () => askClaim(this.table, this.outbox));
    this.at("protest").addEventListener("click", () => askProtest(this.table, this.outbox));
    this.at("clock").addEventListener("click", () => this.correction.open(this.table, this.penalty));
    this.at("turn").addEventListener("click", (event) => this.#turn(event.currentTarget));
    this.at("start-position").addEventListener("click", () => openStartPosition({ table: this.table, event: this.event }));
  }

  open(table, event) {
    this.number = table.table;
    this.update(table, event);
    this.tick(this.time.now());
    if (!this.dialog.open) this.dialog.showModal();
  }

  update(table, event) {
    this.table = table;
    this.event = event;
    setText(this.at("start-position"), forms.open);
    this.at("start-position").hidden = !mayStart(table);
    setText(this.at("title"), words.table(table.table));
    setText(this.at("state"), table.result ? [resultText(table.result), endWord(table.termination)].filter(Boolean).join(" · ") : words.phases[table.phase]);
    for (const color of ["white", "black"]) {
      const player = table[color];
      setText(this.at(`${color}-name`), player ? `${player.name}${player.rating ? ` (${player.rating})` : ""}` : "—");
    }
    const seen = seenNow(table);
    this.diagram.show(seen ?? table.position, { last: table.last_uci, differs: seen ? table.position : null });
    const facts = [];
    if (table.last_san) facts.push(words.lastMove(`${numberOf(table.ply)} ${table.last_san}`));
    if (seen) facts.push(words.rings);
    if (table.correction) facts.push(words.toCorrect(table.correction.why));
    facts.push(...conductWords(table));
    facts.push(table.device ? words.board(table.device) : words.boardNone);
    setText(this.at("facts"), facts.join(" · "));
    setAttr(this.at("page"), "href", `/table/${table.table}`);
    setAttr(this.at("sheet"), "href", `/table/${table.table}/game`);
    setAttr(this.at("pgn"), "href", `/api/v1/tables/${table.table}/game.pgn`);
    for (const button of this.at("results").children) setAttr(button, "aria-pressed", String(button.dataset.result === table.result));
  }

  tick(now) {
    if (this.number === null) return;
    for (const color of ["white", "black"]) {
      const ms = timeLeft(this.table, color, now);
      setText(this.at(`${color}-time`), ms === null ? "–:––" : gameClock(ms));
      const runs = this.table.clock?.running === color && this.table.result === null;
      setAttr(this.at(`${color}-time`).parentElement, "data-running", runs ? (this.table.online ? "yes" : "unknown") : null);
    }
    setText(this.at("troubles"), troubles(this.table, now).map(([, word]) => word).join(", "));
  }

  async #result(result, text) {
    const { table, white, black, result: old } = this.table;
    const lines = [`${words.white}: ${white?.name ?? "—"}`, `${words.black}: ${black?.name ?? "—"}`];
    if (old) lines.unshift(words.stands(resultText(old), text));
    const sure = await confirm({ title: words.sure(table, text), text: lines, yes: words.put(text), danger: old !== null });
    if (!sure) return;
    this.outbox.add(`/tables/${table}/result`, { result }, { subject: `t${table}`, label: words.recorded(table, text) });
    this.dialog.close();
  }

  async #call() {
    const { table } = this.table;
    const note = await askText({ title: words.callTo(table), label: words.why, ready: words.calls, yes: words.call });
    if (note !== null) this.outbox.add(`/tables/${table}/call`, { note: note || null }, { label: words.called(table) });
  }

  async #incident() {
    const { table } = this.table;
    const text = await askText({ title: words.forRecord(table), label: words.happened, yes: words.write });
    if (text) this.outbox.add("/incidents", { table, text }, { label: words.noted(table) });
  }

  async #turn(button) {
    const { table } = this.table;
    const how = await confirm({ title: words.howStands(table), text: words.upsideDown, yes: words.isTurned });
    if (how) await run(button, () => post(`/tables/${table}/orientation`, { turned: true }), words.turnSet);
  }
}
