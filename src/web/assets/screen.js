// The countdown in the hall (R-CD-1). It counts by the hub's time to the target instant, whether
// the link is up or not, and is never ahead.

import { setText } from "./dom.js";
import { Digits } from "./digits.js";
import { Live } from "./stream.js";
import { HubTime, clockText, instant } from "./time.js";
import { WORDS } from "./words.js";

const params = new URLSearchParams(location.search);
const lang = params.get("lang") in WORDS ? params.get("lang") : "en";
const words = WORDS[lang];
document.documentElement.lang = lang;

const MINUTE = 60_000;
/** The bar is full at T-15:00, when players are called to their seats. */
const BAR_MS = 15 * MINUTE;
const MOVED_MS = 10_000;
const LOST_MS = 30_000;
const SHIFT_MS = 150_000;

const page = document.getElementById("screen");
const at = (id) => document.getElementById(id);
const digits = new Digits(at("digits"));
const time = new HubTime();
const state = { event: null, round: null };
let heard = false;
let lostAt = performance.now();
let target = null;
let movedUntil = 0;

/** The phase by the hub's word, carried on by the time alone: the link may be lost at zero. */
function phaseNow(round, now) {
  if (!round) return "idle";
  const counting = ["scheduled", "seats", "last5", "last1", "zero"].includes(round.phase);
  if (!counting) {
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
function face(seconds) {
  if (seconds < 6000) return `${String(Math.floor(seconds / 60)).padStart(2, "0")}:${String(seconds % 60).padStart(2, "0")}`;
  return clockText(seconds);
}

/** What stands on the screen now. */
function picture(now) {
  const { round } = state;
  const phase = phaseNow(round, now);
  const [big, hint] = words[phase];
  const start = round && instant(round.starts_at);
  const begun = round && instant(round.started_at);
  const defaultAt = round && instant(round.default_at);
  const lost = lostAt !== null && performance.now() - lostAt > LOST_MS;
  const view = { phase, digits: null, big: "", first: "", second: hint, bar: null, next: null };
  switch (phase) {
    case "scheduled":
    case "seats":
    case "last5":
    case "last1":
    case "zero": {
      const left = Math.max(0, start - now);
      const seconds = Math.ceil(left / 1000);
      view.digits = face(seconds);
      view.label = clockText(seconds);
      view.first = words.startAt(time.wall(start));
      if (!round.published) view.second = words.draft;
      view.bar = Math.min(1, left / BAR_MS);
      view.next = left % 1000;
      if (phase === "zero" && lost) view.second = words.ask;
      if (performance.now() < movedUntil && phase !== "zero") {
        view.digits = time.wall(start);
        view.label = view.digits;
        view.moved = true;
        view.first = words.newStart;
        view.second = "";
      }
      break;
    }
    case "started": {
      const gone = Math.max(0, Math.floor((now - begun) / 1000));
      // The sign tells a count up from a countdown.
      view.digits = `+${face(gone)}`;
      view.label = `+${clockText(gone)}`;
      view.first = big;
      if (defaultAt) {
        const left = Math.max(0, defaultAt - now);
        view.second = words.defaultIn(clockText(Math.ceil(left / 1000)));
        view.bar = Math.min(1, left / Math.max(1, defaultAt - begun));
      }
      view.next = 1000 - (((now - begun) % 1000) + 1000) % 1000;
      break;
    }
    case "held":
      view.big = big;
      view.first = round.held_reason ?? "";
      break;
    default:
      view.big = phase === "idle" && state.event ? state.event.name : big;
      view.first = phase === "playing" && lost ? words.ask : "";
      view.digits = time.wall(now);
      view.label = view.digits;
      view.small = true;
      view.next = MINUTE - (now % MINUTE);
  }
  return view;
}

function draw() {
  const now = time.now();
  let wait = 100;
  if (now !== null && heard) {
    const view = picture(now);
    const { event, round } = state;
    const title = [event && !(view.phase === "idle" && view.big === event.name) && event.name, round && words.round(round.number, event?.rounds)].filter(Boolean).join(" · ");
    if (page.dataset.phase !== view.phase) page.dataset.phase = view.phase;
    page.dataset.mode = view.digits === null ? "words" : view.small ? "small" : "digits";
    page.dataset.moved = view.moved ? "yes" : "no";
    setText(at("title"), title);
    setText(at("big"), view.big);
    setText(at("first"), view.first);
    setText(at("second"), view.second);
    at("digits").hidden = view.digits === null;
    if (view.digits !== null) {
      digits.show(view.digits);
      setText(at("label"), view.label);
    } else {
      setText(at("label"), "");
    }
    at("bar").toggleAttribute("hidden", view.bar === null);
    if (view.bar !== null) at("fill").setAttribute("width", (view.bar * 1000).toFixed(1));
    // Wake just after the next change, to show it at once.
    if (view.next !== null) wait = Math.min(wait, view.next / time.rate + 1);
  }
  at("lost").hidden = lostAt === null || performance.now() - lostAt < LOST_MS;
  setTimeout(draw, Math.max(4, wait));
}

function take(change) {
  if ("event" in change) {
    state.event = change.event;
    time.useZone(state.event?.zone);
  }
  if ("round" in change) state.round = change.round;
  heard = true;
  const start = state.round && ["scheduled", "seats", "last5", "last1", "zero"].includes(state.round.phase)
    ? `${state.round.number} ${state.round.starts_at}` : null;
  const same = start && target && start.split(" ")[0] === target.split(" ")[0];
  if (same && start !== target) movedUntil = performance.now() + MOVED_MS / time.rate;
  target = start;
}

setText(at("lost"), words.lost);
time.sync();
draw();
new Live("/api/v1/screen/stream", { screen: take }, (up, since) => {
  if (up && lostAt !== null) time.sync();
  lostAt = up ? null : since;
});

addEventListener("keydown", (event) => {
  if (event.key.toLowerCase() === "t" && !event.ctrlKey && !event.metaKey && !event.altKey) {
    const root = document.documentElement;
    root.dataset.theme = root.dataset.theme === "light" ? "dark" : "light";
  }
  if (event.key.toLowerCase() === "f") document.documentElement.requestFullscreen?.().catch(() => {});
});

// A screen that goes to sleep is no countdown.
async function stayAwake() {
  try {
    await navigator.wakeLock?.request("screen");
  } catch {
    // Not allowed here; the kiosk keeps the screen on.
  }
}
stayAwake();
document.addEventListener("visibilitychange", () => {
  if (!document.hidden) stayAwake();
});

// Against burn-in: some pixels every few minutes, too little to be seen.
let shift = 0;
setInterval(() => {
  shift = (shift + 1) % 8;
  page.style.translate = `${Math.round(6 * Math.cos((shift * Math.PI) / 4))}px ${Math.round(6 * Math.sin((shift * Math.PI) / 4))}px`;
}, SHIFT_MS);
