// The arbiters: who is there, who has which tables, and whether there are enough of them (R-AR-1).

import { get, post } from "./api.js";
import { run, say } from "./dialogs.js";
import { h, keyed, setText } from "./dom.js";
import { Shifts } from "./staff/shifts.js";
import { words } from "./words/desk.js";
import { languageNow, onLanguage } from "./words/language.js";

const DUTIES = ["chief", "deputy", "senior", "arbiter"];
const LEVELS = ["international", "national", "regional", "other"];
const ROLES = ["arbiter", "chief", "operator", "screen", "administrator"];

const zonesText = (tables = []) => tables.map(({ from, to }) => (from === to ? String(from) : `${from}–${to}`)).join(", ");

/** Zones as people write them, `1-10, 14`; null when they cannot be read. */
export function readZones(text) {
  const zones = [];
  for (const part of text.split(/[,;]/).map((each) => each.trim()).filter(Boolean)) {
    const found = /^(\d{1,5})(?:\s*[-–—]\s*(\d{1,5}))?$/.exec(part);
    if (!found) return null;
    zones.push({ from: Number(found[1]), to: Number(found[2] ?? found[1]) });
  }
  return zones;
}

export class Staff {
  #parts = new Map();
  #view = null;
  #admin = false;

  constructor(root, time) {
    this.time = time;
    this.at = (id) => root.querySelector(`#staff-${id}`);
    this.at("edit").addEventListener("click", () => this.#edit());
    onLanguage(() => this.update({ staff: this.#view }));
  }

  open({ role }) {
    this.#admin = role === "administrator";
  }

  update({ staff }) {
    if (!staff) return;
    this.#view = staff;
    const { members, staffing } = staff;
    const there = members.filter((member) => member.on_duty).length;
    setText(this.at("count"), members.length ? words.onDuty(there, members.length) : "");
    this.at("none").hidden = members.length > 0;
    keyed(this.at("list"), this.#parts, members, (member) => member.name, () => {
      const name = h("b", {});
      const text = h("span", { class: "small" });
      return {
        element: h("li", {}, name, text),
        update: (member) => {
          setText(name, member.name);
          const shifts = (member.shifts ?? []).map((shift) => this.#shiftText(shift)).join(", ");
          const zones = zonesText(member.tables);
          setText(text, [words.duties[member.duty], zones && words.zone(zones), shifts, !member.on_duty && words.notOnDuty].filter(Boolean).join(" · "));
        },
      };
    });
    const missing = [];
    if (members.length) {
      if (!staffing.chief) missing.push(words.noChief);
      if (staffing.arbiters < staffing.arbiters_needed) missing.push(words.fewArbiters(staffing.arbiters, staffing.arbiters_needed));
      if (staffing.seniors < staffing.seniors_needed) missing.push(words.fewSeniors(staffing.seniors, staffing.seniors_needed));
      if (staffing.uncovered.length) missing.push(words.uncovered(zonesText(staffing.uncovered)));
    }
    const line = this.at("missing");
    line.hidden = missing.length === 0;
    setText(line, missing.join(" "));
  }

  /** A shift by the hall's clock, with the day when it is another one. */
  #shiftText({ from, until }) {
    const [begin, end] = [Date.parse(from), Date.parse(until)];
    const now = this.time.now();
    const day = (ms) => this.time.day(ms, { lang: languageNow() });
    const today = now !== null && day(begin) === day(now);
    const last = day(end) === day(begin) ? "" : `${day(end)} `;
    return `${today ? "" : `${day(begin)} `}${this.time.wall(begin)}–${last}${this.time.wall(end)}`;
  }

  #edit() {
    const { level, members } = this.#view;
    const list = h("ul", { class: "staff-edit" });
    const row = (member = { name: "", duty: "arbiter", tables: [], shifts: [] }) => {
      const element = h("li", {},
        h("input", { name: "name", "aria-label": words.name, placeholder: words.name, required: true, maxLength: 60, autocomplete: "off", value: member.name }),
        h("select", { name: "duty", "aria-label": words.duty }, DUTIES.map((value) => h("option", { value, selected: value === member.duty }, words.duties[value]))),
        h("input", { name: "tables", "aria-label": words.zones, placeholder: words.zones, autocomplete: "off", value: zonesText(member.tables) }),
        h("button", { type: "button", class: "quiet square", "aria-label": words.remove(member.name), on: { click: () => element.remove() } }, "✕"));
      element.shifts = new Shifts(this.time, member.shifts);
      element.append(element.shifts.element);
      return element;
    };
    list.append(...members.map(row), row());
    const kind = h("select", { name: "level" }, LEVELS.map((value) => h("option", { value, selected: value === level }, words.levels[value])));
    const form = h("form", { method: "dialog", noValidate: true }, h("h2", {}, words.staffTitle), h("label", { class: "field" }, h("span", {}, words.level), kind), list,
      h("button", { type: "button", class: "quiet", on: { click: () => list.append(row()) } }, words.one),
      this.#admin && h("button", { type: "button", class: "quiet", on: { click: () => this.#pin() } }, words.pins),
      h("div", { class: "actions" }, h("button", { value: "no", class: "quiet" }, words.cancel), h("button", { value: "yes", class: "primary" }, words.save)));
    const dialog = h("dialog", { class: "ask wide-ask", "aria-label": words.arbiters }, form);
    form.addEventListener("submit", (event) => {
      if (event.submitter?.value !== "yes") return;
      event.preventDefault();
      const wanted = [];
      for (const element of list.children) {
        const value = (name) => element.querySelector(`[name=${name}]`).value.trim();
        if (!value("name")) continue;
        const tables = readZones(value("tables"));
        const shifts = element.shifts.read();
        if (tables === null || shifts === null) {
          say(tables === null ? words.badZones(value("name")) : words.badShift(value("name")), { bad: true });
          return;
        }
        wanted.push({ name: value("name"), duty: value("duty"), tables, shifts });
      }
      run(event.submitter, () => post("/staff", { level: kind.value, members: wanted }), words.saved).then((done) => { if (done) dialog.close(); });
    });
    dialog.addEventListener("close", () => dialog.remove());
    document.body.append(dialog);
    dialog.showModal();
  }

  /** Who has a PIN of his own, and giving one. */
  async #pin() {
    const { accounts } = await get("/accounts").catch(() => ({ accounts: [] }));
    const known = h("p", { class: "small" }, accounts.map(({ name, role }) => `${name} (${words.roles[role] ?? role})`).join(", ") || words.nobodyYet);
    const input = (label, props) => h("label", { class: "field" }, h("span", {}, label), h("input", props));
    const form = h("form", { method: "dialog" }, h("h2", {}, words.ownPin), known,
      input(words.name, { name: "name", required: true, maxLength: 60, autocomplete: "off" }),
      h("label", { class: "field" }, h("span", {}, words.mayDo), h("select", { name: "role" }, ROLES.map((value) => h("option", { value }, words.roles[value])))),
      input(words.pin, { name: "pin", type: "password", required: true, minLength: 6, maxLength: 64, autocomplete: "new-password" }),
      h("div", { class: "actions" }, h("button", { value: "no", class: "quiet", formNoValidate: true }, words.cancel), h("button", { value: "yes", class: "primary" }, words.set)));
    const dialog = h("dialog", { class: "ask", "aria-label": words.ownPin }, form);
    form.addEventListener("submit", (event) => {
      if (event.submitter?.value !== "yes") return;
      event.preventDefault();
      const body = Object.fromEntries(new FormData(form));
      run(event.submitter, () => post("/accounts", body), words.saved).then((done) => { if (done) dialog.close(); });
    });
    dialog.addEventListener("close", () => dialog.remove());
    document.body.append(dialog);
    dialog.showModal();
  }
}
