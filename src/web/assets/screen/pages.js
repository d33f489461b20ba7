// The pages with few words: the next round, the notice, the last games.

import { Digits } from "../digits.js";
import { h, setText } from "../dom.js";
import { clockText, instant } from "../time.js";
import { face } from "./countdown.js";

/** A text in the language of the screen, else in one that somebody wrote it in. */
export const textOf = (text, lang) => (text ? text[lang] || text.en || text.uk || text.ru || "" : "");

/** When the next round begins, and how sure that is. */
function next({ round, event, words, time }) {
  if (!round) return { title: words.next, big: words.later, line: "" };
  const waits = !["started", "playing", "closed"].includes(round.phase);
  const number = waits ? round.number : round.number + 1;
  if (event && number > event.rounds) return { title: words.lastRound, big: "", line: "" };
  const after = instant(round.next_at);
  const sure = waits ? instant(round.starts_at) : round.next_about ? null : after;
  const maybe = waits ? instant(round.planned_at) : after;
  const big = sure !== null ? time.wall(sure) : maybe !== null ? words.about(time.wall(maybe)) : words.later;
  return { title: words.next, big, line: words.round(number, event?.rounds) };
}

function notice({ show, words, lang }) {
  const [title, ...lines] = textOf(show?.notice, lang).split("\n");
  return title ? { title, big: "", line: lines.join("\n") } : { title: words.notice, big: "", line: words.noNotice };
}

const PAGES = { "next-round": next, notice };

export const isPlain = (content) => content in PAGES || content === "play-off";

/** Shows them. */
export class Plain {
  #parts = {
    big: h("p", { class: "plain-big" }),
    line: h("p", { class: "plain-line" }),
    digits: h("div", { class: "plain-digits" }),
    tables: h("p", { class: "plain-tables" }),
  };
  #root = h("div", { class: "plain" }, this.#parts.digits, this.#parts.big, this.#parts.line, this.#parts.tables);
  #digits = new Digits(this.#parts.digits);

  constructor(root) {
    this.body = root.querySelector("#page-body");
    this.title = root.querySelector("#page-title");
    this.note = root.querySelector("#page-note");
    this.count = root.querySelector("#page-count");
  }

  /** Draws a page; gives when it changes, in milliseconds, or null. */
  show(content, facts) {
    if (this.body.firstElementChild !== this.#root) this.body.replaceChildren(this.#root);
    const { title, big, line, digits = null, tables = "", next: change = null } = content === "play-off" ? playOff(facts) : PAGES[content](facts);
    this.#root.className = `plain ${content}`;
    setText(this.title, title);
    setText(this.note, "");
    setText(this.count, "");
    setText(this.#parts.big, big);
    setText(this.#parts.line, line);
    setText(this.#parts.tables, tables);
    this.#parts.digits.hidden = digits === null;
    if (digits !== null) this.#digits.show(digits);
    return change;
  }
}

/** The tables that are played to the end in a fixed time (R-CD-6). */
function playOff({ round, now, words, time }) {
  const given = round?.play_off;
  if (!given) return { title: words.playOff, big: "", line: words.noPlayOff };
  const until = instant(given.until);
  const left = Math.max(0, until - now);
  const over = given.over || left === 0;
  const tables = given.tables.length ? `${words.table} ${given.tables.join(", ")}` : "";
  return {
    title: words.playOff, big: over ? words.playOffOver : "", line: over ? "" : words.playOffEnd(time.wall(until)), tables,
    digits: over ? null : face(Math.ceil(left / 1000)), label: clockText(Math.ceil(left / 1000)), next: over ? null : left % 1000,
  };
}
