// The arbiters: who is there, who has which tables, and whether there are enough of them (R-AR-1).

import { get, post } from "./api.js";
import { run, say } from "./dialogs.js";
import { h, keyed, setText } from "./dom.js";

const DUTIES = [["chief", "Chief arbiter"], ["deputy", "Deputy"], ["senior", "Senior arbiter"], ["arbiter", "Arbiter"]];
const LEVELS = [["international", "International: 2 games an arbiter"], ["national", "National: 3"], ["regional", "Region or city: 4"], ["other", "Other: 5"]];
const ROLES = [["arbiter", "Arbiter"], ["chief", "Chief arbiter"], ["operator", "Operator"], ["screen", "Screen"], ["administrator", "Administrator"]];

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
  }

  open({ role }) {
    this.#admin = role === "administrator";
  }

  update({ staff }) {
    if (!staff) return;
    this.#view = staff;
    const { members, staffing } = staff;
    const there = members.filter((member) => member.on_duty).length;
    setText(this.at("count"), members.length ? `${there} of ${members.length} on duty` : "");
    this.at("none").hidden = members.length > 0;
    keyed(this.at("list"), this.#parts, members, (member) => member.name, () => {
      const name = h("b", {});
      const text = h("span", { class: "small" });
      return {
        element: h("li", {}, name, text),
        update: (member) => {
          setText(name, member.name);
          const duty = DUTIES.find(([value]) => value === member.duty)[1];
          const shifts = (member.shifts ?? []).map(({ from, until }) => `${this.time.wall(Date.parse(from))}–${this.time.wall(Date.parse(until))}`).join(", ");
          setText(text, [duty, zonesText(member.tables) && `tables ${zonesText(member.tables)}`, shifts, !member.on_duty && "not on duty"].filter(Boolean).join(" · "));
        },
      };
    });
    const missing = [];
    if (members.length) {
      if (!staffing.chief) missing.push("No chief arbiter is on duty.");
      if (staffing.arbiters < staffing.arbiters_needed) missing.push(`Arbiters on duty: ${staffing.arbiters}; the rule book asks for ${staffing.arbiters_needed}.`);
      if (staffing.seniors < staffing.seniors_needed) missing.push(`Senior arbiters on duty: ${staffing.seniors}; needed: ${staffing.seniors_needed}.`);
      if (staffing.uncovered.length) missing.push(`In nobody’s zone: tables ${zonesText(staffing.uncovered)}.`);
    }
    const line = this.at("missing");
    line.hidden = missing.length === 0;
    setText(line, missing.join(" "));
  }

  #edit() {
    const { level, members } = this.#view;
    const list = h("ul", { class: "staff-edit" });
    const row = (member = { name: "", duty: "arbiter", tables: [], shifts: [] }) => {
      const shifts = member.shifts ?? [];
      const element = h("li", {},
        h("input", { name: "name", "aria-label": "Name", placeholder: "Name", required: true, maxLength: 60, autocomplete: "off", value: member.name }),
        h("select", { name: "duty", "aria-label": "Duty" }, DUTIES.map(([value, text]) => h("option", { value, selected: value === member.duty }, text))),
        h("input", { name: "tables", "aria-label": "Tables", placeholder: "Tables, e.g. 1-10, 14", autocomplete: "off", value: zonesText(member.tables) }),
        h("button", { type: "button", class: "quiet square", "aria-label": `Remove ${member.name}`, on: { click: () => element.remove() } }, "✕"));
      // Shifts are set over the API; what stands there is kept.
      element.shifts = shifts;
      return element;
    };
    list.append(...members.map(row), row());
    const kind = h("select", { name: "level" }, LEVELS.map(([value, text]) => h("option", { value, selected: value === level }, text)));
    const form = h("form", { method: "dialog", noValidate: true }, h("h2", {}, "Arbiters, zones and shifts"), h("label", { class: "field" }, h("span", {}, "Kind of event"), kind), list,
      h("button", { type: "button", class: "quiet", on: { click: () => list.append(row()) } }, "One more"),
      this.#admin && h("button", { type: "button", class: "quiet", on: { click: () => this.#pin() } }, "PINs of their own"),
      h("div", { class: "actions" }, h("button", { value: "no", class: "quiet" }, "Cancel"), h("button", { value: "yes", class: "primary" }, "Save")));
    const dialog = h("dialog", { class: "ask wide-ask", "aria-label": "Arbiters" }, form);
    form.addEventListener("submit", (event) => {
      if (event.submitter?.value !== "yes") return;
      event.preventDefault();
      const wanted = [];
      for (const element of list.children) {
        const value = (name) => element.querySelector(`[name=${name}]`).value.trim();
        if (!value("name")) continue;
        const tables = readZones(value("tables"));
        if (tables === null) {
          say(`Tables of ${value("name")}: write them as 1-10, 14`, { bad: true });
          return;
        }
        wanted.push({ name: value("name"), duty: value("duty"), tables, shifts: element.shifts });
      }
      run(event.submitter, () => post("/staff", { level: kind.value, members: wanted }), "Saved").then((done) => { if (done) dialog.close(); });
    });
    dialog.addEventListener("close", () => dialog.remove());
    document.body.append(dialog);
    dialog.showModal();
  }

  /** Who has a PIN of his own, and giving one. */
  async #pin() {
    const { accounts } = await get("/accounts").catch(() => ({ accounts: [] }));
    const known = h("p", { class: "small" }, accounts.map(({ name, role }) => `${name} (${role})`).join(", ") || "Nobody yet: everybody uses the house PIN and may do everything.");
    const input = (label, props) => h("label", { class: "field" }, h("span", {}, label), h("input", props));
    const form = h("form", { method: "dialog" }, h("h2", {}, "A PIN of one’s own"), known,
      input("Name", { name: "name", required: true, maxLength: 60, autocomplete: "off" }),
      h("label", { class: "field" }, h("span", {}, "May do what is for"), h("select", { name: "role" }, ROLES.map(([value, text]) => h("option", { value }, text)))),
      input("PIN, 6 characters or more", { name: "pin", type: "password", required: true, minLength: 6, maxLength: 64, autocomplete: "new-password" }),
      h("div", { class: "actions" }, h("button", { value: "no", class: "quiet", formNoValidate: true }, "Cancel"), h("button", { value: "yes", class: "primary" }, "Set")));
    const dialog = h("dialog", { class: "ask", "aria-label": "PIN" }, form);
    form.addEventListener("submit", (event) => {
      if (event.submitter?.value !== "yes") return;
      event.preventDefault();
      const body = Object.fromEntries(new FormData(form));
      run(event.submitter, () => post("/accounts", body), "Set").then((done) => { if (done) dialog.close(); });
    });
    dialog.addEventListener("close", () => dialog.remove());
    document.body.append(dialog);
    dialog.showModal();
  }
}
