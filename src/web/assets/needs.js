// The list of what needs an arbiter: calls first, then proposals with their evidence, then the rest.

import { post } from "./api.js";
import { Diagram, squares } from "./board.js";
import { askText, run, say } from "./dialogs.js";
import { h, icon, keyed, setAttr, setText } from "./dom.js";
import { HOLD_MS } from "./outbox.js";
import { grouped, isFor, needsOf } from "./queue.js";
import { Reading } from "./reading.js";
import { RESULTS, resultText } from "./results.js";
import { inLanguage } from "./said/phrases.js";
import { ago, gameClock, instant } from "./time.js";
import { words } from "./words/desk.js";
import { endWord } from "./words/ends.js";
import { languageNow } from "./words/language.js";
import { kindText, many, t } from "./words/queue.js";

/** A list that has just moved under the finger takes no taps for this long. */
const SETTLE_MS = 400;
const ICONS = { call: "call", warning: "warning", notice: "notice" };
/** Alerts about what is on the game's page. */
const RECORDED = new Set(["flag", "illegal-move", "clock-stopped", "call", "result-conflict", "result-missing", "disturbed", "moves-missing", "correction", "claim", "draw-claim", "early-draw", "protest"]);
/** What accepting and rejecting is called where it is not about a result. */
const YES_NO = { "illegal-move": ["illegal", "legal"], "hand-violation": ["count", "countNot"], penalty: ["give", "giveNot"], disqualify: ["out", "stays"] };

export class Needs {
  #parts = new Map();
  #movedAt = 0;
  #hall = null;
  #by = null;
  #whose = "all";
  #open = new Set();

  constructor(root, time, openTable, outbox, { alarm, notices }) {
    Object.assign(this, { time, openTable, outbox, alarm, notices });
    this.list = root.querySelector("#needs-list");
    this.none = root.querySelector("#needs-none");
    this.count = root.querySelector("#needs-count");
    this.whose = root.querySelector("#whose");
    for (const button of this.whose.children) {
      button.addEventListener("click", () => { this.#whose = button.dataset.whose; this.update(this.#hall); });
    }
    // Nothing must be decided because a new card pushed another button under the finger.
    this.list.addEventListener("click", (event) => {
      if (performance.now() - this.#movedAt < SETTLE_MS && event.target.closest("button") && event.detail > 0) {
        event.stopPropagation();
        event.preventDefault();
        say(t("moved"));
      }
    }, { capture: true });
  }

  /** Who sits here, and whether he has tables of his own. */
  open(by) {
    this.#by = by;
  }

  /** Everything is written anew, in another language. */
  redraw() {
    for (const part of this.#parts.values()) part.element.remove();
    this.#parts.clear();
    this.update(this.#hall);
  }

  update(hall) {
    if (!hall) return;
    const first = this.#hall === null;
    this.#hall = hall;
    const listed = hall.staff?.members.some((member) => member.name === this.#by) ?? false;
    if (first && listed) this.#whose = "mine";
    if (!listed) this.#whose = "all";
    this.whose.hidden = !listed;
    // What was decided here is on its way.
    const all = needsOf(hall).filter((item) => !this.#isHeld(item));
    const own = all.filter((item) => isFor(item, this.#by, hall));
    for (const button of this.whose.children) {
      const mine = button.dataset.whose === "mine";
      setText(button.querySelector("b"), String(mine ? own.length : all.length));
      setAttr(button, "aria-pressed", String(button.dataset.whose === this.#whose));
    }
    const items = this.#whose === "mine" ? own : all;
    const before = this.list.childElementCount;
    const moved = keyed(this.list, this.#parts, grouped(items), (item) => item.id, (item) =>
      (item.members ? this.#group(item) : item.proposal ? this.#proposal(item) : this.#alert(item)));
    if (moved && before > 0) this.#movedAt = performance.now();
    setText(this.count, items.length ? String(items.length) : "");
    this.none.hidden = items.length > 0;
    document.title = `${items.length ? `(${items.length}) ` : ""}${words.console} · ${document.documentElement.dataset.hub}`;
    this.alarm.update(own.filter((item) => item.owner === null && item.severity !== null).map((item) => [item.id, item.severity]));
    this.notices.update(own.filter((item) => item.owner === null && item.severity === "call").map((item) => this.#notice(item)));
  }

  /** A call as a notice says it. */
  #notice({ kind, table, alert, call }) {
    const { id, text } = alert ?? call;
    const title = `${table === null ? t("hall") : t("table", table)}: ${kindText(kind)}`;
    return { tag: `alert-${id}`, title, body: inLanguage(text, languageNow()).text };
  }

  /** Ages are counted here, not sent. */
  tick() {
    const now = this.time.now();
    if (now === null) return;
    for (const age of this.list.querySelectorAll("[data-since]")) {
      setText(age, ago(now - Number(age.dataset.since)));
    }
  }

  #isHeld(item) {
    return this.outbox.waits(item.id)?.path.endsWith("acknowledge") === false;
  }

  /** Takes an alert at once; the tap is kept where the network is not there. */
  #take({ id, table }) {
    const label = `${table === null ? t("hall") : t("table", table)}: ${t("going")}`;
    this.outbox.add(`/alerts/${id}/acknowledge`, {}, { subject: `a${id}`, label });
  }

  /** A decision: it can be taken back for a while. */
  #decide(subject, path, body, label) {
    this.outbox.add(path, body, { subject, label, hold: HOLD_MS });
  }

  #head(kind, table, raised) {
    const mark = h("span", { class: "mark" });
    const title = h("h3", {}, table === null ? t("hall") : h("button", { type: "button", class: "table-link", on: { click: () => this.openTable(table) } }, t("table", table)), h("span", {}, kind));
    const age = h("span", { class: "age", title: t("since") });
    age.dataset.since = instant(raised);
    return { mark, age, element: h("header", {}, mark, title, age) };
  }

  /** One line for many of a kind. */
  #group({ kind }) {
    const count = h("span", {});
    const toggle = h("button", { type: "button", class: "quiet", on: { click: () => {
      if (!this.#open.delete(kind)) this.#open.add(kind);
      this.update(this.#hall);
    } } });
    const element = h("li", { class: "group" }, h("h3", {}, kindText(kind)), count, toggle);
    return {
      element,
      update: ({ members }) => {
        setText(count, many("group", members.length));
        setText(toggle, t(this.#open.has(kind) ? "hide" : "show"));
        setAttr(toggle, "aria-expanded", String(this.#open.has(kind)));
        setAttr(element, "data-urgent", members.some((member) => member.order === 0) ? "yes" : null);
      },
    };
  }

  /** In a group a card is one line until it is opened. */
  #fold(element, item) {
    setAttr(element, "data-line", item.group && !this.#open.has(item.group) ? "yes" : null);
  }

  /** Take it, give it back, or take it from another. */
  #owner(element) {
    const state = h("p", { class: "taken" });
    const take = h("button", { type: "button", class: "primary take" }, t("going"));
    const back = h("button", { type: "button", class: "quiet" }, t("giveBack"));
    const over = h("button", { type: "button", class: "quiet" }, t("takeOver"));
    let alert = null;
    take.addEventListener("click", () => this.#take(alert));
    back.addEventListener("click", () => run(back, () => post(`/alerts/${alert.id}/release`)));
    over.addEventListener("click", () => run(over, () => post(`/alerts/${alert.id}/take-over`)));
    return {
      state,
      buttons: [take, back, over],
      update: (now, wanted) => {
        alert = now;
        const by = now?.acknowledged_by ?? null;
        const waits = now !== null && this.outbox.waits(`a${now.id}`) !== null;
        const reach = { neighbour: "neighbour", chief: "chief" }[now?.reach];
        setText(state, waits ? t("wait") : by ? t("on", by) : now?.escalated ? t(reach ?? "nobody") : "");
        setAttr(state, "data-escalated", !by && now?.escalated ? "yes" : null);
        setAttr(element, "data-taken", by ? (by === this.#by ? "own" : "other") : null);
        take.hidden = now === null || by !== null || waits || !wanted;
        back.hidden = by !== this.#by || by === null;
        over.hidden = by === null || by === this.#by;
      },
    };
  }

  #alert(item) {
    const { alert } = item;
    const head = this.#head(kindText(alert.kind), alert.table, alert.raised_at);
    const text = h("p", { class: "text" });
    const element = h("li", { class: "need" });
    const owner = this.#owner(element);
    const close = h("button", { type: "button" }, t("done"));
    const label = `${alert.table === null ? t("hall") : t("table", alert.table)}: ${kindText(alert.kind)}`;
    close.addEventListener("click", () => this.#decide(item.id, `/alerts/${alert.id}/close`, {}, label));
    const record = alert.table !== null && RECORDED.has(alert.kind) && h("a", { class: "record-link", href: `/table/${alert.table}/game` }, t("record"));
    const own = this.#absent(item) ?? this.#protest(item);
    const reading = new Reading(alert.table);
    element.append(head.element, text, owner.state, ...[this.#evidence(alert.evidence), record, this.#assign(alert), own, reading.element].filter(Boolean),
      h("div", { class: "actions" }, ...owner.buttons, close));
    return {
      element,
      update: (item) => {
        const now = item.alert;
        reading.update(item.question);
        element.dataset.severity = now.severity;
        if (head.mark.dataset.word !== now.severity) {
          head.mark.dataset.word = now.severity;
          head.mark.replaceChildren(icon(ICONS[now.severity]), t(now.severity));
        }
        setText(text, inLanguage(now.text, languageNow()).text);
        // What is put right on the card itself needs nobody on his way.
        const here = now.kind === "device-unassigned" || now.kind === "device-moved";
        owner.update(now, now.severity !== "notice" && !here);
        const theirs = now.acknowledged_by !== null && now.acknowledged_by !== this.#by;
        close.hidden = theirs || now.kind === "protest";
        close.className = (now.acknowledged_by !== null || now.severity === "notice") && !here ? "primary" : "";
        this.#fold(element, item);
      },
    };
  }

  /** What stood at the table when the alert was raised. */
  #evidence(evidence) {
    if (!evidence || evidence.white_ms === null) return null;
    return h("p", { class: "small" }, `${gameClock(evidence.white_ms)} – ${gameClock(evidence.black_ms)}`);
  }

  /** Nobody has started: who is missing is for the arbiter to say. */
  #absent({ id, alert }) {
    if (alert.kind !== "not-started" || alert.table === null) return null;
    const keys = [["-/+", "whiteAway"], ["+/-", "blackAway"], ["-/-", "bothAway"]].map(([result, word]) =>
      h("button", { type: "button", on: { click: () => this.#decide(id, `/tables/${alert.table}/result`, { result, termination: "no-show" }, `${t("table", alert.table)}: ${resultText(result)}`) } }, `${t(word)} ${resultText(result)}`));
    return h("div", { class: "actions results" }, keys);
  }

  /** How a protest ended. */
  #protest({ id, alert }) {
    const number = alert.kind === "protest" && /^Protest (\d+)/.exec(alert.text)?.[1];
    if (!number) return null;
    const keys = [["upheld", "upheld", true], ["rejected", "reject", false], ["withdrawn", "withdrawn", false]].map(([outcome, word, deposit_returned]) =>
      h("button", { type: "button", on: { click: async () => {
        const note = await askText({ title: t(word), label: t("reason"), yes: t(word) });
        if (note !== null) this.#decide(id, `/protests/${number}/outcome`, { outcome, deposit_returned, note: note || null }, t(word));
      } } }, t(word)));
    return h("div", { class: "actions results" }, keys);
  }

  /** A board without a table is put at one right here. */
  #assign({ kind, device }) {
    if ((kind !== "device-unassigned" && kind !== "device-moved") || !device) return null;
    const input = h("input", { type: "number", min: 1, max: 65535, required: true, inputMode: "numeric", "aria-label": words.assignLabel(device) });
    const form = h("form", { class: "assign" }, h("label", {}, `${words.assignTable} `, input), h("button", { type: "submit", class: "primary" }, words.assign));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const table = Number(input.value);
      run(event.submitter, () => post(`/devices/${encodeURIComponent(device)}/assign`, { table }), words.assigned(table));
    });
    return form;
  }

  #proposal(item) {
    const { proposal } = item;
    const { id, kind, table } = proposal;
    const head = this.#head(kindText(item.kind), table, proposal.raised_at);
    head.mark.append(icon("decide"), t("decide"));
    const element = h("li", { class: "need", "data-severity": "decide" }, head.element);
    const owner = this.#owner(element);
    const alerts = h("div", { class: "linked" });
    const player = (color, view, ms) => h("p", { class: "player" }, h("i", { class: `man ${color}`, "aria-label": color }),
      h("span", {}, view?.name ?? "—"), h("b", {}, ms === null ? "–:––" : gameClock(ms)));
    const differs = proposal.seen && squares(proposal.seen).join() !== squares(proposal.position).join();
    const last = new Diagram(words.lastLegal);
    last.show(proposal.position, { differs: differs ? proposal.seen : null });
    const boards = h("div", { class: "boards" }, h("figure", {}, last.element, h("figcaption", {}, differs ? words.lastLegal : words.position)));
    if (differs) {
      const seen = new Diagram(words.onBoard);
      seen.show(proposal.seen, { differs: proposal.position });
      boards.append(h("figure", {}, seen.element, h("figcaption", {}, words.ringed)));
    }
    const ended = endWord(proposal.termination);
    const evidence = h("div", { class: "evidence" }, boards, h("div", { class: "facts" },
      player("white", proposal.white, proposal.white_ms), player("black", proposal.black, proposal.black_ms),
      h("p", { class: "seen" }, inLanguage(proposal.text, languageNow()).text),
      h("p", {}, h("a", { class: "record-link", href: `/table/${table}/game` }, t("record"))),
      ended && h("p", { class: "why" }, words.endedBy(ended))));

    const decide = (accept, extra, word) => this.#decide(item.id, `/proposals/${id}/decision`, { accept, ...extra }, `${t("table", table)}: ${word}`);
    const shown = resultText(proposal.result);
    const [yesWord, noWord] = YES_NO[kind] ?? [kind === "forfeit" ? "confirm" : "accept", "reject"];
    const yes = [t(yesWord), shown].filter(Boolean).join(" ");
    const accept = h("button", { type: "button", class: "primary accept" }, yes);
    const reject = h("button", { type: "button", class: "reject" }, t(noWord));
    const other = h("button", { type: "button", class: "quiet other", "aria-expanded": "false" }, t("other"));
    const note = h("button", { type: "button", class: "quiet" }, t("rejectNote"));
    const others = h("div", { class: "actions results", hidden: true }, RESULTS.filter(([value]) => value !== proposal.result)
      .map(([value, text]) => h("button", { type: "button", on: { click: () => decide(true, { result: value }, text) } }, text)), note);
    accept.addEventListener("click", () => decide(true, {}, shown || t(yesWord)));
    reject.addEventListener("click", () => decide(false, {}, t(noWord)));
    note.addEventListener("click", async () => {
      const text = await askText({ title: `${t("table", table)}: ${t("reject")}`, label: t("reason"), yes: t("reject") });
      if (text !== null) decide(false, { note: text }, t(noWord));
    });
    other.addEventListener("click", () => {
      others.hidden = !others.hidden;
      setAttr(other, "aria-expanded", String(!others.hidden));
    });
    other.hidden = !proposal.result;
    // Who goes is settled first, and with one thumb.
    element.append(alerts, owner.state, h("div", { class: "actions" }, owner.buttons), evidence, h("div", { class: "actions" }, accept, reject, other), others);
    return {
      element,
      update: (item) => {
        // The card says already what an alert says that only repeats the proposal.
        const known = (alert) => alert.kind === kind || alert.text.endsWith(proposal.text);
        const text = item.alerts.map((alert) => (known(alert) ? "" : alert.text)).filter(Boolean).join(" ");
        setText(alerts, inLanguage(text, languageNow()).text);
        alerts.hidden = text === "";
        owner.update(item.call, item.call?.severity === "call");
        setAttr(element, "data-urgent", item.order === 0 ? "yes" : null);
        this.#fold(element, item);
      },
    };
  }
}
