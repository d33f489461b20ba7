// What needs an arbiter now: calls first, then proposals with their evidence, then the rest.

import { post } from "./api.js";
import { Diagram, squares } from "./board.js";
import { askText, run, say } from "./dialogs.js";
import { h, icon, keyed, setAttr, setText } from "./dom.js";
import { Reading, questionOf } from "./reading.js";
import { RESULTS, endText, resultText } from "./results.js";
import { ago, gameClock, instant } from "./time.js";

/** A list that has just moved under the finger takes no taps for this long. */
const SETTLE_MS = 400;
const SEVERITY = {
  call: { order: 0, word: "Call", icon: "call" },
  warning: { order: 2, word: "Warning", icon: "warning" },
  notice: { order: 3, word: "Notice", icon: "notice" },
};
const KINDS = {
  flag: "Flag fallen", "illegal-move": "Illegal move", "clock-stopped": "Clock stopped", "device-lost": "Board is silent",
  "device-unassigned": "Board without a table",
  forfeit: "Player absent", result: "Result", call: "Arbiter called", "no-screen": "No countdown screen",
};

/** Alerts about what is on the game's page. */
const RECORDED = new Set(["flag", "illegal-move", "clock-stopped", "call", "result-conflict", "result-missing", "disturbed", "moves-missing", "correction"]);

function kindText(kind) {
  return KINDS[kind] ?? (kind.charAt(0).toUpperCase() + kind.slice(1)).replaceAll("-", " ");
}

/** Alerts and proposals as one list; an alert that a proposal settles stands in the proposal's card. */
export function needsOf(hall) {
  const proposals = new Map(hall.proposals.map((proposal) => [proposal.id, proposal]));
  const linked = new Map();
  const items = [];
  for (const alert of hall.alerts) {
    if (alert.proposal !== null && proposals.has(alert.proposal)) {
      linked.set(alert.proposal, [...(linked.get(alert.proposal) ?? []), alert]);
    } else {
      const taken = alert.acknowledged_by !== null;
      const order = SEVERITY[alert.severity].order + (taken && alert.severity === "call" ? 1.5 : 0);
      const question = alert.kind === "which-move" ? questionOf(hall, alert.table) : null;
      items.push({ id: `a${alert.id}`, alert, order, at: alert.raised_at, question });
    }
  }
  for (const proposal of hall.proposals) {
    const alerts = linked.get(proposal.id) ?? [];
    const urgent = alerts.some((alert) => alert.severity === "call" && alert.acknowledged_by === null);
    items.push({ id: `p${proposal.id}`, proposal, alerts, order: urgent ? 0 : 1, at: proposal.raised_at });
  }
  return items.sort((a, b) => a.order - b.order || (a.at < b.at ? -1 : 1));
}

export class Needs {
  #parts = new Map();
  #movedAt = 0;

  constructor(root, time, openTable) {
    this.time = time;
    this.openTable = openTable;
    this.list = root.querySelector("#needs-list");
    this.none = root.querySelector("#needs-none");
    this.count = root.querySelector("#needs-count");
    // Nothing must be decided because a new card pushed another button under the finger.
    this.list.addEventListener("click", (event) => {
      if (performance.now() - this.#movedAt < SETTLE_MS && event.target.closest("button") && event.detail > 0) {
        event.stopPropagation();
        event.preventDefault();
        say("The list has just moved: look and tap again");
      }
    }, { capture: true });
  }

  update(hall) {
    const items = needsOf(hall);
    const before = this.list.childElementCount;
    const moved = keyed(this.list, this.#parts, items, (item) => item.id, (item) =>
      (item.proposal ? this.#proposal(item) : this.#alert(item)));
    if (moved && before > 0) this.#movedAt = performance.now();
    setText(this.count, items.length ? String(items.length) : "");
    this.none.hidden = items.length > 0;
    document.title = `${items.length ? `(${items.length}) ` : ""}Console · ${document.documentElement.dataset.hub}`;
  }

  /** Ages are counted here, not sent. */
  tick() {
    const now = this.time.now();
    if (now === null) return;
    for (const age of this.list.querySelectorAll("[data-since]")) {
      setText(age, ago(now - Number(age.dataset.since)));
    }
  }

  #head(kind, table, raised) {
    const mark = h("span", { class: "mark" });
    const title = h("h3", {}, table === null ? "Hall" : h("button", { type: "button", class: "table-link", on: { click: () => this.openTable(table) } }, `Table ${table}`), h("span", {}, kind));
    const age = h("span", { class: "age", title: "time since it was raised" });
    age.dataset.since = instant(raised);
    return { mark, age, element: h("header", {}, mark, title, age) };
  }

  #alert({ alert }) {
    const head = this.#head(kindText(alert.kind), alert.table, alert.raised_at);
    const text = h("p", {});
    const taken = h("p", { class: "taken" });
    const take = h("button", { type: "button", class: "primary" }, "I’m going");
    const close = h("button", { type: "button" }, "Done");
    take.addEventListener("click", () => run(take, () => post(`/alerts/${alert.id}/acknowledge`)));
    close.addEventListener("click", () => run(close, () => post(`/alerts/${alert.id}/close`), "Closed"));
    const record = alert.table !== null && RECORDED.has(alert.kind) && h("a", { class: "record-link", href: `/table/${alert.table}/game` }, "Game record");
    const reading = new Reading(alert.table);
    const element = h("li", { class: "need" }, head.element, text, taken, record, this.#assign(alert), reading.element, h("div", { class: "actions" }, take, close));
    return {
      element,
      update: ({ alert: now, question }) => {
        reading.update(question);
        const severity = SEVERITY[now.severity];
        element.dataset.severity = now.severity;
        if (head.mark.dataset.word !== severity.word) {
          head.mark.dataset.word = severity.word;
          head.mark.replaceChildren(icon(severity.icon), severity.word);
        }
        setText(text, now.text);
        const by = now.acknowledged_by;
        setText(taken, by ? `${by} is on it` : now.escalated ? "Nobody has taken this yet" : "");
        setAttr(taken, "data-escalated", !by && now.escalated ? "yes" : null);
        // What is put right on the card itself needs nobody on his way.
        const here = now.kind === "device-unassigned";
        take.hidden = by !== null || now.severity === "notice" || here;
        close.className = (by !== null || now.severity === "notice") && !here ? "primary" : "";
      },
    };
  }

  /** A board without a table is put at one right here. */
  #assign({ kind, device }) {
    if (kind !== "device-unassigned" || !device) return null;
    const input = h("input", { type: "number", min: 1, max: 65535, required: true, inputMode: "numeric", "aria-label": `Table of ${device}` });
    const form = h("form", { class: "assign" }, h("label", {}, "Table ", input), h("button", { type: "submit", class: "primary" }, "Assign"));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const table = Number(input.value);
      run(event.submitter, () => post(`/devices/${encodeURIComponent(device)}/assign`, { table }), `Put at table ${table}`);
    });
    return form;
  }

  #proposal({ proposal }) {
    const { id, kind, table } = proposal;
    const head = this.#head(kindText(kind), table, proposal.raised_at);
    head.mark.append(icon("decide"), "Decide");
    const element = h("li", { class: "need", "data-severity": "decide" }, head.element);
    const alerts = h("div", { class: "linked" });
    const player = (color, view, ms) => h("p", { class: "player" }, h("i", { class: `man ${color}`, "aria-label": color }),
      h("span", {}, view?.name ?? "—"), h("b", {}, ms === null ? "–:––" : gameClock(ms)));
    const differs = proposal.seen && squares(proposal.seen).join() !== squares(proposal.position).join();
    const last = new Diagram("Last legal position");
    last.show(proposal.position, { differs: differs ? proposal.seen : null });
    const boards = h("div", { class: "boards" }, h("figure", {}, last.element, h("figcaption", {}, differs ? "Last legal position" : "Position")));
    if (differs) {
      const seen = new Diagram("On the board now");
      seen.show(proposal.seen, { differs: proposal.position });
      boards.append(h("figure", {}, seen.element, h("figcaption", {}, "On the board; differences ringed")));
    }
    const ended = endText(proposal.termination);
    const evidence = h("div", { class: "evidence" }, boards, h("div", { class: "facts" },
      player("white", proposal.white, proposal.white_ms), player("black", proposal.black, proposal.black_ms),
      h("p", { class: "seen" }, proposal.text),
      h("p", {}, h("a", { class: "record-link", href: `/table/${table}/game` }, "Game record")),
      ended && h("p", { class: "why" }, `Ended by: ${ended}`)));

    const decide = (button, accept, result, word) => run(button,
      () => post(`/proposals/${id}/decision`, { accept, result }), `Table ${table}: ${word}`);
    const shown = resultText(proposal.result);
    const yes = { result: `Accept ${shown}`, forfeit: `Confirm ${shown}`, "illegal-move": "It is illegal" }[kind] ?? `Accept ${shown}`;
    const no = kind === "illegal-move" ? "It is not" : "Reject";
    const accept = h("button", { type: "button", class: "primary accept" }, yes.trim());
    const reject = h("button", { type: "button", class: "reject" }, no);
    const other = h("button", { type: "button", class: "quiet other", "aria-expanded": "false" }, "Other result");
    const note = h("button", { type: "button", class: "quiet" }, "Reject with a note");
    const others = h("div", { class: "actions results", hidden: true }, RESULTS.filter(([value]) => value !== proposal.result)
      .map(([value, text]) => {
        const button = h("button", { type: "button" }, text);
        button.addEventListener("click", () => decide(button, true, value, `${text} recorded`));
        return button;
      }), note);
    accept.addEventListener("click", () => decide(accept, true, null, `${shown || "decision"} recorded`));
    reject.addEventListener("click", () => decide(reject, false, null, "rejected"));
    note.addEventListener("click", async () => {
      const text = await askText({ title: `Table ${table}: reject`, label: "Your reason, for the record", yes: "Reject" });
      if (text !== null) run(note, () => post(`/proposals/${id}/decision`, { accept: false, note: text }), `Table ${table}: rejected`);
    });
    other.addEventListener("click", () => {
      others.hidden = !others.hidden;
      setAttr(other, "aria-expanded", String(!others.hidden));
    });
    element.append(alerts, evidence, h("div", { class: "actions" }, accept, reject, other), others);
    return {
      element,
      update: (item) => {
        // The card says already what an alert says that only repeats the proposal.
        const known = (alert) => alert.kind === kind || alert.text.endsWith(proposal.text);
        const text = item.alerts.map((alert) => [known(alert) ? "" : alert.text, alert.acknowledged_by ? `${alert.acknowledged_by} is on it.` : ""])
          .flat().filter(Boolean).join(" ");
        setText(alerts, text);
        alerts.hidden = text === "";
        setAttr(element, "data-urgent", item.order === 0 ? "yes" : null);
      },
    };
  }
}
