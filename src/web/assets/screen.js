// A screen of the hall. It counts by the hub's time to the target instant, whether the link is up or not,
// and is never ahead; beside that it shows what the arbiters have given it.

import { Digits } from "./digits.js";
import { h, setAttr, setText } from "./dom.js";
import { LOST_MS, picture, strip, target } from "./screen/countdown.js";
import { asked, live, standIn } from "./screen/identity.js";
import { Data, PAGE_MS, Pages, isList } from "./screen/lists.js";
import { Plain, isPlain, textOf } from "./screen/pages.js";
import { Program } from "./screen/program.js";
import { Sound, passed } from "./screen/sound.js";
import { Wall } from "./screen/wall.js";
import { WORDS } from "./screen/words.js";
import { Live } from "./stream.js";
import { HubTime, instant } from "./time.js";

const MOVED_MS = 10_000;
const SHIFT_MS = 150_000;
const TURN_MS = 10_000;
/** From here on nothing stands beside the countdown. */
const FULL_MS = 120_000;
/** A blackout does not hide the last minutes. */
const DARK_MS = 300_000;
/** Longer messages are set smaller, in characters. */
const LONG = 110;
/** So many characters stand on one line beneath the digits. */
const WIDE = 46;

const params = new URLSearchParams(location.search);
const at = (id) => document.getElementById(id);
const main = at("screen");
const digits = new Digits(at("digits"));
const stripDigits = new Digits(at("strip-digits"));
const time = new HubTime();
const sound = new Sound();
const data = new Data(() => pages.forget());
const pages = new Pages(document);
const plain = new Plain(document);
const wall = new Wall(document);
const program = new Program();
const state = { event: null, round: null, show: null };
let you = null;
let heard = false;
let lostAt = performance.now();
let announcedTarget = null;
let movedUntil = 0;
let leftBefore = null;
let nowBefore = null;
let timer = 0;

function languages() {
  const wanted = params.get("lang")?.split(",").filter((lang) => lang in WORDS);
  if (wanted?.length) return wanted;
  if (you?.assigned && you.languages.length) return you.languages;
  const own = ["uk", "ru"].find((lang) => navigator.language.startsWith(lang));
  return [own ?? "en"];
}

/** The languages that stand on the screen now: the first is the one of the digits' label. */
function shown(now) {
  const all = languages();
  if (all.length < 2) return all;
  if (you?.stacked || params.has("stacked")) return all.slice(0, 2);
  return [all[Math.floor(now / TURN_MS) % all.length]];
}

/** A text in one or two languages under each other. */
function lines(element, texts) {
  const wanted = [...new Set(texts.filter(Boolean))];
  if (wanted.length < 2) {
    setText(element, wanted[0] ?? "");
    return;
  }
  if (element.dataset.lines === wanted.join("\n") && element.childElementCount === wanted.length) return;
  element.dataset.lines = wanted.join("\n");
  element.replaceChildren(...wanted.map((text) => h("span", {}, text)));
}

/** Whether the countdown fills the screen now. */
function isFull(content, left, phase) {
  if (left !== null && left <= FULL_MS) return true;
  return content === "countdown" || (content === "rotation" && phase === "held");
}

function drawCountdown(now, langs, lost) {
  const { event, round } = state;
  const moved = performance.now() < movedUntil;
  const views = langs.map((lang) => picture({ round, event, now, words: WORDS[lang], time, lost, moved, waiting: you?.assigned && you.waiting }));
  const [view] = views;
  const nameless = you !== null && !you.assigned;
  // Until it is told what to show, a screen with nothing to count says who it is.
  const asks = nameless && ["idle", "closed"].includes(view.phase);
  if (asks) {
    for (const [i, lang] of langs.entries()) {
      Object.assign(views[i], { big: String(you.number), first: WORDS[lang].screen, second: WORDS[lang].assign, digits: null, label: `${WORDS[lang].screen} ${you.number}` });
    }
  }
  const titles = langs.map((lang) => [event && !(view.phase === "idle" && view.big === event.name) && event.name, round && WORDS[lang].round(round.number, event?.rounds)].filter(Boolean).join(" · "));
  if (main.dataset.phase !== view.phase) main.dataset.phase = view.phase;
  main.dataset.mode = asks ? "number" : view.digits === null ? "words" : view.small ? "small" : "digits";
  main.dataset.moved = view.moved ? "yes" : "no";
  main.dataset.langs = langs.length;
  lines(at("title"), titles);
  lines(at("big"), views.map(({ big }) => big));
  lines(at("first"), views.map(({ first }) => first));
  const seconds = views.map(({ second }) => second);
  lines(at("second"), seconds);
  setAttr(at("second"), "data-long", Math.max(...seconds.map((text) => text.length)) > WIDE ? "yes" : null);
  at("digits").hidden = view.digits === null;
  if (view.digits !== null) digits.show(view.digits);
  setText(at("label"), view.digits !== null || asks ? view.label : "");
  at("bar").toggleAttribute("hidden", view.bar === null);
  if (view.bar !== null) at("fill").setAttribute("width", (view.bar * 1000).toFixed(1));
  at("badge").hidden = !nameless || asks;
  setText(at("badge"), nameless ? String(you.number) : "");
  return view;
}

function drawPage(content, now, lang, page) {
  const facts = { ...state, now, lang, words: WORDS[lang], time };
  document.documentElement.dataset.content = content;
  if (isList(content)) {
    data.want(content === "standings" ? "standings" : "pairings");
    return { pages: pages.show(content, data, WORDS[lang], lang, page), next: null };
  }
  if (isPlain(content)) return { pages: 1, next: plain.show(content, facts) };
  return { pages: wall.show(WORDS[lang], you?.delay_s ?? 0, page), next: null };
}

function drawStrip(now, lang) {
  const { event, round } = state;
  const line = strip({ round, now, words: WORDS[lang], time });
  setText(at("strip-title"), [event?.name, round && WORDS[lang].round(round.number, event?.rounds)].filter(Boolean).join(" · "));
  setText(at("strip-text"), line.text);
  stripDigits.show(line.digits);
  setText(at("strip-label"), line.digits);
  at("strip-bar").toggleAttribute("hidden", line.bar === null);
  if (line.bar !== null) at("strip-fill").setAttribute("width", (line.bar * 1000).toFixed(1));
  return line.next;
}

/** Message, blackout and emergency, over everything. */
function drawOver(now, left) {
  const { show } = state;
  const langs = languages();
  const emergency = show?.emergency ?? null;
  at("emergency").hidden = emergency === null;
  if (emergency !== null) {
    const heads = langs.map((lang) => WORDS[lang].emergency[emergency][0]);
    const texts = langs.map((lang) => textOf(show.emergency_text, lang) || WORDS[lang].emergency[emergency][1]);
    setAttr(at("emergency"), "data-many", langs.length > 1 ? "yes" : null);
    lines(at("emergency-head"), heads);
    lines(at("emergency-text"), texts);
  }
  const until = instant(show?.message_until);
  const stands = show?.message && until !== null && until > now && emergency === null;
  at("message").hidden = !stands;
  setAttr(document.documentElement, "data-message", stands ? "yes" : null);
  if (stands) {
    const texts = langs.map((lang) => textOf(show.message, lang));
    lines(at("message-text"), texts);
    setAttr(at("message-text"), "data-long", texts.join("").length > LONG ? "yes" : null);
  }
  const dark = instant(show?.blackout_until);
  const blackout = dark !== null && dark > now && emergency === null && !(left !== null && left <= DARK_MS);
  at("black").hidden = !blackout;
}

/** The gong and the voice, at the marks that have just been passed. */
function hear(now, left) {
  const langs = languages();
  for (const mark of passed(leftBefore, left, time.rate)) sound.announce(mark, langs);
  leftBefore = left;
  const { round } = state;
  const reached = (end, mark) => {
    if (end === null || nowBefore === null) return;
    if (passed(end - nowBefore, end - now, time.rate).includes("zero")) sound.announce(mark, langs);
  };
  if (round?.phase !== "closed") reached(instant(round?.photo_until), "photo-over");
  if (round?.play_off?.tables.length) reached(instant(round.play_off.until), "play-off-over");
  nowBefore = now;
}

function draw() {
  const now = time.now();
  let wait = 100;
  if (now !== null && heard) {
    const langs = shown(now);
    const lost = lostAt !== null && performance.now() - lostAt > LOST_MS;
    document.documentElement.lang = langs[0];
    const view = drawCountdown(now, langs, lost);
    const start = target(state.round);
    const left = start === null ? null : Math.max(0, start - now);
    const wanted = you?.assigned ? you.content : "countdown";
    const content = wanted === "rotation" ? program.now({ ...state, phase: view.phase, left }) : wanted;
    const full = isFull(content, left, view.phase);
    main.hidden = !full;
    at("page").hidden = full;
    let next = view.next;
    if (!full) {
      const drawn = drawPage(content, now, langs[0], program.page(content));
      program.turn(content, drawn.pages, PAGE_MS);
      const changes = [drawStrip(now, langs[0]), drawn.next].filter((change) => change !== null);
      next = changes.length ? Math.min(...changes) : null;
    } else {
      document.documentElement.dataset.content = "countdown";
      program.turn(content, 1, PAGE_MS);
    }
    drawOver(now, left);
    hear(now, left);
    // Wake just after the next change, to show it at once.
    if (next !== null) wait = Math.min(wait, next / time.rate + 1);
  }
  at("lost").hidden = lostAt === null || performance.now() - lostAt < LOST_MS;
  clearTimeout(timer);
  timer = setTimeout(draw, Math.max(4, wait));
}

function take(change) {
  if ("event" in change) {
    state.event = change.event;
    time.useZone(state.event?.zone);
  }
  if ("round" in change) state.round = change.round;
  if ("show" in change) state.show = change.show;
  heard = true;
  const start = target(state.round) === null ? null : `${state.round.number} ${state.round.starts_at}`;
  const same = start && announcedTarget && start.split(" ")[0] === announcedTarget.split(" ")[0];
  if (same && start !== announcedTarget) movedUntil = performance.now() + MOVED_MS / time.rate;
  announcedTarget = start;
}

function takeYou(mine) {
  const check = you !== null && mine.sound_check !== you.sound_check;
  you = mine;
  const wanted = mine.assigned && !params.has("theme") ? mine.theme : null;
  if (wanted) document.documentElement.dataset.theme = wanted;
  sound.on = mine.assigned && mine.sound && standIn === null;
  setAttr(document.documentElement, "data-sound", sound.on ? "on" : null);
  sound.touch();
  document.title = mine.assigned && mine.name ? `${mine.name} · ${mine.number}` : `${mine.number}`;
  if (check) sound.announce("check", languages());
}

setText(at("lost"), WORDS[languages()[0]].lost);
time.sync();
draw();
live(() => sound.state);
new Live(`/api/v1/screen/stream?${asked}`, { screen: take, you: takeYou }, (up, since) => {
  if (up && lostAt !== null) time.sync();
  lostAt = up ? null : since;
});

addEventListener("pointerdown", () => sound.touch());
addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  sound.touch();
  const key = event.key.toLowerCase();
  if (key === "t") {
    const root = document.documentElement;
    root.dataset.theme = root.dataset.theme === "light" ? "dark" : "light";
  }
  if (key === "m") sound.mute();
  if (key === "f") document.documentElement.requestFullscreen?.().catch(() => {});
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
  if (document.hidden) return;
  stayAwake();
  // A page in the background draws once a second at most.
  draw();
});

// Against burn-in: some pixels every few minutes, too little to be seen.
let shift = 0;
setInterval(() => {
  shift = (shift + 1) % 8;
  const moved = `${Math.round(6 * Math.cos((shift * Math.PI) / 4))}px ${Math.round(6 * Math.sin((shift * Math.PI) / 4))}px`;
  for (const part of [main, at("page")]) part.style.translate = moved;
}, SHIFT_MS);

// What the browser tests look at.
window.flagfall = { sound, time, program, draw };
