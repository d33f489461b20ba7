// When an arbiter is there: rows of a beginning and an end by the hall's clock.

import { h } from "../dom.js";
import { words } from "../words/desk.js";

const HOUR = 3_600_000;
const MINUTE = 60_000;

/** The rows of one arbiter; `read()` gives the shifts, or null when a row has no end or ends before it begins. */
export class Shifts {
  constructor(time, shifts = []) {
    this.time = time;
    this.rows = h("ul", {});
    this.rows.append(...shifts.map(({ from, until }) => this.#row(Date.parse(from), Date.parse(until))));
    const more = h("button", { type: "button", class: "quiet", "data-add-shift": "", on: { click: () => this.#add() } }, `+ ${words.addShift}`);
    this.element = h("div", { class: "shifts" }, this.rows, more);
  }

  /** The next one begins where the last one ends. */
  #add() {
    const last = this.rows.lastElementChild?.querySelector("[name=until]").value;
    const now = Math.floor((this.time.now() ?? Date.now()) / HOUR) * HOUR;
    const from = last ? this.time.ofLocal(last) : now;
    const row = this.#row(from, from + 4 * HOUR);
    this.rows.append(row);
    row.querySelector("input").focus();
  }

  #row(from, until) {
    const field = (name, ms) => h("label", {}, h("span", {}, words[name]), h("input", { type: "datetime-local", name, required: true, value: this.time.local(ms) }));
    const row = h("li", {}, field("from", from), field("until", until),
      h("button", { type: "button", class: "quiet square", "aria-label": words.removeShift, on: { click: () => row.remove() } }, "✕"));
    // A shift that nobody touches keeps its seconds.
    row.kept = { from, until };
    return row;
  }

  read() {
    const shifts = [];
    for (const row of this.rows.children) {
      const at = (name) => {
        const { value } = row.querySelector(`[name=${name}]`);
        const was = row.kept[name];
        if (value === "") return null;
        return value === this.time.local(was) ? was : Math.floor(this.time.ofLocal(value) / MINUTE) * MINUTE;
      };
      const [from, until] = [at("from"), at("until")];
      if (from === null || until === null || until <= from) return null;
      shifts.push({ from: new Date(from).toISOString(), until: new Date(until).toISOString() });
    }
    return shifts;
  }
}
