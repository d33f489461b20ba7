// The full page of the countdown: what stands on it at an instant, by language.

import { clockText, instant } from "../time.js";

export const MINUTE = 60_000;
/** The bar is full at T-15:00, when players are called to their seats. */
const BAR_MS = 15 * MINUTE;
/** An announcement stands for so long in the place of what else is said. */
const SAID_MS = 20_000;
/** More numbers of boards than this are not read at a glance. */
const SHOWN = 12;
export const LOST_MS = 30_000;
const COUNTING = ["scheduled", "seats", "last5", "last1", "zero"];

/** The start to which a round counts down; null when it does not. */
export const target = (round) => (round && COUNTING.includes(round.phase) ? instant(round.starts_at) : null);

/** The phase by the hub's word, carried on by the time alone: the link may be lost at zero. */
export function phaseNow(round, now) {
  if (!round) return "idle";
  if (!COUNTING.includes(round.phase)) {
    const over = round.phase === "started" && round.default_at && now >= instant(round.default_at);
    return over ? "playing" : round.phase;
  }
  const start = instant(round.starts_at);
  if (start === null) return round.phase;
  const left = start - now;
  if (left <= 0) return "zero";
  if (left <= MINUTE) return "last1";
  if (left <= 5 * MINUTE) return "last5";
  return left <= 15 * MINUTE ? "seats" : "scheduled";
}

/** Digits for a number of seconds: `mm:ss` below 100 minutes, else `h:mm:ss`. */
export function face(seconds) {
  if (seconds < 6000) return `${String(Math.floor(seconds / 60)).padStart(2, "0")}:${String(seconds % 60).padStart(2, "0")}`;
  return clockText(seconds);
}

/** In the first seconds after a mark the announcement itself is read (R-CD-2). */
function announced(left, words) {
  for (const n of [5, 1]) {
    if (left <= n * MINUTE && left > n * MINUTE - SAID_MS) return words.startsIn(n);
  }
  return null;
}

/** The numbers of the boards that are not ready; more than can be read at a glance are counted. */
function notReady(round, wanted, words) {
  const tables = wanted ? round.waiting ?? [] : [];
  if (tables.length === 0) return null;
  const shown = tables.slice(0, SHOWN);
  return words.waiting(shown.join(", ") + (tables.length > SHOWN ? ", …" : ""));
}

/** What is read after the start beside the time: default time, and until when photographs are taken. */
function afterStart(round, now, words, time) {
  const photo = instant(round.photo_until);
  const defaultAt = instant(round.default_at);
  const lines = [];
  if (round.until_half) lines.push(words.untilHalf(round.games - round.open, round.games));
  else if (defaultAt !== null && defaultAt > now) lines.push(words.defaultIn(clockText(Math.ceil((defaultAt - now) / 1000))));
  if (photo !== null && photo > now) lines.push(words.photo(time.wall(photo)));
  return lines.join(" · ");
}

/**
 * What stands on the page now. `lost`: the link has been gone for a while; `moved`: the start has just been
 * moved; `waiting`: this screen tells which boards are not ready. `next` is when, in milliseconds, something changes.
 */
export function picture({ round, event, now, words, time, lost, moved, waiting = false }) {
  const phase = phaseNow(round, now);
  const [big, hint] = words[phase];
  const view = { phase, digits: null, big: "", first: "", second: hint, bar: null, next: null };
  switch (phase) {
    case "scheduled":
    case "seats":
    case "last5":
    case "last1":
    case "zero": {
      const start = instant(round.starts_at);
      const left = Math.max(0, start - now);
      const seconds = Math.ceil(left / 1000);
      view.digits = face(seconds);
      view.label = clockText(seconds);
      view.first = words.startAt(time.wall(start));
      view.second = round.published ? announced(left, words) ?? notReady(round, waiting, words) ?? hint : words.draft;
      view.bar = Math.min(1, left / BAR_MS);
      view.next = left % 1000;
      if (phase === "zero" && lost) view.second = words.ask;
      if (moved && phase !== "zero") {
        view.digits = time.wall(start);
        view.label = view.digits;
        view.moved = true;
        view.first = words.newStart;
        view.second = "";
      }
      break;
    }
    case "started": {
      const begun = instant(round.started_at);
      const defaultAt = instant(round.default_at);
      const gone = Math.max(0, Math.floor((now - begun) / 1000));
      // The sign tells a count up from a countdown.
      view.digits = `+${face(gone)}`;
      view.label = `+${clockText(gone)}`;
      view.first = big;
      view.second = afterStart(round, now, words, time) || hint;
      if (defaultAt !== null) view.bar = Math.min(1, Math.max(0, defaultAt - now) / Math.max(1, defaultAt - begun));
      view.next = 1000 - (((now - begun) % 1000) + 1000) % 1000;
      break;
    }
    case "held":
      view.big = big;
      view.first = words.reason(round.held_reason);
      break;
    default: {
      view.big = phase === "idle" && event ? event.name : big;
      view.first = phase === "playing" && lost ? words.ask : "";
      if (phase === "playing") view.second = afterStart(round, now, words, time) || hint;
      view.digits = time.wall(now);
      view.label = view.digits;
      view.small = true;
      view.next = MINUTE - (now % MINUTE);
    }
  }
  return view;
}

/** The countdown as a line on the other pages: words and digits. */
export function strip({ round, now, words, time }) {
  const phase = phaseNow(round, now);
  const [big] = words[phase];
  if (target(round) !== null) {
    const start = instant(round.starts_at);
    const left = Math.max(0, start - now);
    return { text: words.startAt(time.wall(start)), digits: clockText(Math.ceil(left / 1000)), bar: Math.min(1, left / BAR_MS), next: left % 1000 };
  }
  if (phase === "started") {
    const begun = instant(round.started_at);
    const gone = Math.max(0, Math.floor((now - begun) / 1000));
    return { text: big, digits: `+${clockText(gone)}`, bar: null, next: 1000 - (((now - begun) % 1000) + 1000) % 1000 };
  }
  const text = phase === "held" ? [big, words.reason(round.held_reason)].filter(Boolean).join(" · ") : phase === "idle" ? "" : big;
  return { text, digits: time.wall(now), bar: null, next: MINUTE - (now % MINUTE) };
}
