// A board that knows occupied squares only asks which move was made: its readings as buttons, and a line
// for what is on the score sheet when it was none of them.

import { post } from "./api.js";
import { run, say } from "./dialogs.js";
import { h } from "./dom.js";
import { words } from "./words/forms.js";
import { languageNow } from "./words/language.js";

const UCI = /^[a-h][1-8][a-h][1-8][nbrq]?$/;

/** The open question at a table of the hall, if there is one. */
export function questionOf(hall, table) {
  return hall.tables.find((each) => each.table === table)?.question ?? null;
}

/** The form for one table; `update(question)` shows the readings, or nothing when there is no question. */
export class Reading {
  #shown = "";

  constructor(table) {
    this.table = table;
    this.buttons = h("div", { class: "actions" });
    const input = h("input", { type: "text", required: true, autocomplete: "off", spellcheck: false, autocapitalize: "none", maxLength: 4000 });
    const form = h("form", {}, h("label", { class: "field" }, h("span", {}, words.played), input),
      h("p", { class: "small" }, words.notation), h("button", { type: "submit" }, words.tell));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const moves = input.value.trim().toLowerCase().split(/\s+/u);
      if (moves.every((move) => UCI.test(move))) this.#tell(event.submitter, moves, words.told(this.table));
      else say(words.unreadable, { bad: true });
    });
    this.element = h("div", { class: "reading", lang: languageNow(), hidden: true }, h("p", { class: "which" }, words.which), this.buttons,
      h("details", {}, h("summary", {}, words.none), form));
  }

  update(question) {
    this.element.hidden = question === null;
    const text = JSON.stringify(question);
    // A button that is drawn anew loses the finger that is on it.
    if (text === this.#shown) return;
    this.#shown = text;
    this.buttons.replaceChildren(...(question?.moves ?? []).map(({ uci, san }) => {
      const button = h("button", { type: "button", class: "primary", "data-uci": uci, "aria-label": words.record(san) }, san);
      button.addEventListener("click", () => this.#tell(button, [uci], words.recorded(this.table, san)));
      return button;
    }));
  }

  #tell(button, moves, done) {
    return run(button, () => post(`/tables/${this.table}/moves`, { moves }), done);
  }
}
