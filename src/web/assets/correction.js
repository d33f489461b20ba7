// Corrections of a table's clock: figures from the running reading, a card with the clock's keys, and a
// stopwatch. Done is what the clock shows, not what somebody tapped.

import { post } from "./api.js";
import { timeLeft } from "./boards.js";
import { run, say } from "./dialogs.js";
import { h, setAttr, setText } from "./dom.js";
import { instant } from "./time.js";
import { MODELS, steps, words } from "./words/correction.js";
import { onLanguage } from "./words/language.js";

const two = (n) => String(n).padStart(2, "0");

/** `h:mm:ss`, rounded up as a clock shows it. */
function figure(ms) {
  const left = Math.ceil(Math.max(0, ms) / 1000);
  return `${Math.floor(left / 3600)}:${two(Math.floor(left / 60) % 60)}:${two(left % 60)}`;
}

function signed(ms) {
  if (ms === 0) return "";
  return `${ms < 0 ? "−" : "+"}${figure(Math.abs(ms))}`;
}

/** Milliseconds of `h:mm:ss`, `m:ss` or seconds, with a sign; null when it is none of these. */
export function parseTime(text) {
  const match = /^([+−-]?)(?:(\d{1,2}):)?(?:(\d{1,3}):)?(\d{1,5})$/.exec(text.trim());
  if (!match) return null;
  const [, sign, first, second, last] = match;
  const [hours, minutes] = second === undefined ? [0, Number(first ?? 0)] : [Number(first), Number(second)];
  const ms = ((hours * 60 + minutes) * 60 + Number(last)) * 1000;
  return sign === "-" || sign === "−" ? -ms : ms;
}

function model() {
  try {
    return MODELS.find((each) => each === localStorage.getItem("flagfall-clock")) ?? MODELS[0];
  } catch {
    return MODELS[0];
  }
}

export class Correction {
  #table = null;
  #penalty = 0;
  #mode = "add";
  #model = model();
  #shown = "";
  #order = null;

  constructor(time) {
    this.time = time;
    this.dialog = document.getElementById("correction-dialog");
    this.at = (name) => this.dialog.querySelector(`[data-${name}]`);
    this.form = this.at("ask");
    this.card = this.at("card");
    this.at("dismiss").addEventListener("click", () => this.dialog.close());
    this.dialog.addEventListener("click", (event) => { if (event.target === this.dialog) this.dialog.close(); });
    this.dialog.addEventListener("close", () => { this.#table = null; });
    this.form.addEventListener("input", () => this.#preview());
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#send(this.dialog.querySelector("[type=submit]"));
    });
    this.at("cancel").addEventListener("click", (event) => run(event.currentTarget, () => post(`/tables/${this.#table.table}/correction/withdraw`)));
    this.#write();
    onLanguage(() => this.#write());
  }

  /** The words that do not change with the table. */
  #write() {
    for (const element of this.dialog.querySelectorAll("[data-own-word]")) setText(element, words[element.dataset.ownWord]);
    setAttr(this.at("dismiss"), "aria-label", words.close);
    const button = (text, act, data) => h("button", { type: "button", on: { click: act }, ...data }, text);
    this.at("modes").replaceChildren(...["add", "set"].map((mode) => button(words[mode], () => this.#setMode(mode), { "data-mode": mode })));
    this.at("models").replaceChildren(...MODELS.map((each) => button(each, () => this.#setModel(each), { "data-model": each })));
    this.at("reasons").replaceChildren(...words.reasons.map((text) => button(text, () => { this.form.why.value = text; }, { class: "quiet" })));
    this.#shown = "";
  }

  open(table, penalty) {
    this.#table = table;
    this.#penalty = penalty;
    this.#order = table.correction?.id ?? null;
    this.form.reset();
    setText(this.at("title"), words.title(table.table));
    const give = (color) => h("button", { type: "button", on: { click: () => this.#preset(color) } }, `${words[color]} ${signed(penalty)}`);
    this.at("presets").replaceChildren(...(penalty > 0 ? [give("white"), give("black")] : []));
    this.#setMode("add");
    setText(this.at("problem"), "");
    this.#draw();
    if (!this.dialog.open) this.dialog.showModal();
  }

  /** News of the hall. */
  update(tables) {
    if (!this.#table) return;
    const table = tables.find((each) => each.table === this.#table.table);
    if (!table) return;
    const before = this.#table.correction;
    this.#table = table;
    if (table.correction) this.#order = table.correction.id;
    if (before && !table.correction) this.#over(before);
    else this.#draw();
  }

  tick(now) {
    if (!this.#table) return;
    this.#preview();
    const order = this.#table.correction;
    if (!order || now === null) return;
    const passed = Math.max(0, Math.floor((now - instant(order.ordered_at)) / 1000));
    setText(this.at("watch"), words.passed(passed));
    setAttr(this.at("watch"), "data-late", now > instant(order.due_at) ? "yes" : null);
    this.#target(order, now);
  }

  #over(order) {
    const { clock } = this.#table;
    const shows = order.white_ms === null || (clock && Math.abs(clock.white_ms - order.white_ms) < 4000 && Math.abs(clock.black_ms - order.black_ms) < 4000);
    this.form.hidden = true;
    this.card.hidden = true;
    this.at("over").hidden = !shows;
    setText(this.at("over"), words.done);
    if (!shows) this.dialog.close();
  }

  #draw() {
    const order = this.#table.correction;
    this.at("over").hidden = true;
    this.form.hidden = order !== null;
    this.card.hidden = order === null;
    if (!order) return;
    const by = order.way === "sent" && order.answer !== "refused" && order.answer !== "unanswered";
    const runs = Boolean(this.#table.clock?.running);
    setText(this.at("state"), by ? words.sent : words[order.answer] ?? (runs ? words.runs : words.stands));
    const known = order.white_moves !== null && order.black_moves !== null;
    setText(this.at("moves"), known ? words.moves(order.white_moves, order.black_moves) : "");
    setText(this.at("reason"), words.reason(order.why, order.by));
    setText(this.at("white-add"), signed(order.add_white_ms));
    setText(this.at("black-add"), signed(order.add_black_ms));
    for (const button of this.at("models").children) setAttr(button, "aria-pressed", String(button.dataset.model === this.#model));
    this.tick(this.time.now());
  }

  #target(order, now) {
    const figures = ["white", "black"].map((color) => {
      const exact = order[`${color}_ms`];
      const left = timeLeft(this.#table, color, now);
      const ms = exact ?? (left === null ? null : left + order[`add_${color}_ms`]);
      const text = ms === null ? "–:––" : figure(ms);
      setText(this.at(color), text);
      return `${words[color]} ${text}`;
    });
    const known = order.white_moves !== null && order.black_moves !== null;
    const moves = known ? `${words.white} ${order.white_moves}, ${words.black} ${order.black_moves}` : null;
    const runs = Boolean(this.#table.clock?.running);
    const list = steps(this.#model, runs, order.white_left ? figures : figures.reverse(), moves);
    const shown = list.join();
    if (shown === this.#shown) return;
    this.#shown = shown;
    this.at("steps").replaceChildren(...list.map((step) => h("li", {}, step)));
  }

  #setMode(mode) {
    this.#mode = mode;
    for (const button of this.at("modes").children) setAttr(button, "aria-pressed", String(button.dataset.mode === mode));
    const now = this.time.now();
    for (const color of ["white", "black"]) {
      const left = timeLeft(this.#table, color, now);
      this.form[color].value = mode === "set" && left !== null ? figure(left) : "";
      this.form[color].placeholder = mode === "set" ? "h:mm:ss" : "+0:00";
    }
    this.#preview();
  }

  #setModel(each) {
    this.#model = each;
    try {
      localStorage.setItem("flagfall-clock", each);
    } catch {
      // Lasts as long as the page then.
    }
    this.#shown = "";
    this.#draw();
  }

  #preset(color) {
    this.#setMode("add");
    this.form[color].value = signed(this.#penalty);
    if (!this.form.why.value) this.form.why.value = words.reasons[color === "white" ? 1 : 0];
    this.#preview();
  }

  /** What is asked for, or null when a figure cannot be read. */
  #asked() {
    const times = ["white", "black"].map((color) => {
      const text = this.form[color].value;
      return text.trim() === "" && this.#mode === "add" ? 0 : parseTime(text);
    });
    if (times.includes(null) || (this.#mode === "set" && times.some((ms) => ms < 0))) return null;
    const [white, black] = times;
    const body = this.#mode === "add" ? { add_white_ms: white, add_black_ms: black } : { white_ms: white, black_ms: black };
    for (const color of ["white", "black"]) {
      const moves = this.form[`${color}_moves`].value;
      if (moves !== "") body[`${color}_moves`] = Number(moves);
    }
    return body;
  }

  #preview() {
    if (!this.#table || this.form.hidden) return;
    const body = this.#asked();
    const now = this.time.now();
    const shown = (color) => {
      const left = timeLeft(this.#table, color, now);
      if (left === null) return "–:––";
      const then = this.#mode === "add" ? left + body[`add_${color}_ms`] : body[`${color}_ms`];
      return figure(left) === figure(then) ? figure(left) : `${figure(left)} → ${figure(then)}`;
    };
    setText(this.at("preview"), body === null ? "" : words.preview(shown("white"), shown("black")));
  }

  async #send(button) {
    const body = this.#asked();
    const why = this.form.why.value.trim();
    setText(this.at("problem"), body === null ? words.bad : why === "" ? words.needWhy : "");
    if (body === null || why === "") return;
    const { table } = this.#table;
    if (await run(button, () => post(`/tables/${table}/correction`, { ...body, why }))) say(words.ordered);
  }
}
