// The round: countdown, late starts by large keys, pairing, publishing, closing.

import { get, post } from "./api.js";
import { isOpen } from "./boards.js";
import { askText, askTime, confirm, run, say, showList } from "./dialogs.js";
import { setAttr, setText } from "./dom.js";
import { REASONS } from "./screen/words.js";
import { mayStart, openStartPosition } from "./start_position.js";
import { clockText, instant } from "./time.js";
import { words as forms } from "./words/forms.js";
import { languageNow, onLanguage } from "./words/language.js";
import { many, words, worth } from "./words/round.js";

const COUNTING = ["scheduled", "seats", "last5", "last1", "zero"];
const MINUTE = 60_000;
const BEFORE = [...COUNTING, "idle", "held"];
const IDLE = ["waiting", "ready"];
/** What stands on the keys and beside the fields whatever happens, by their ids. */
const FIXED = { draft: "draft", start: "start", hold: "hold", publish: "publish", why: "why", close: "close", "start-at": "startAt", "set-start": "set" };

/** Which tables are open, while they can be counted on the fingers. */
function openTables(hall) {
  const open = hall.tables.filter(isOpen).map(({ table }) => table);
  return open.length > 0 && open.length <= 10 ? `: ${open.join(", ")}` : "";
}

/** How many boards have not begun: for the arbiters, not for the hall. */
function notStarted(hall) {
  const idle = hall.tables.filter(({ phase }) => IDLE.includes(phase)).length;
  return idle > 0 ? ` · ${many("idleBoards", idle)}` : "";
}

export class Round {
  #round = null;
  #event = null;
  #hall = null;
  #filled = null;

  /** `outdated()` says why a draft should not be published as it is; empty when it may. */
  constructor(root, time, outdated) {
    this.time = time;
    this.outdated = outdated;
    this.at = (id) => root.querySelector(`#${id}`);
    this.heads = [...document.querySelectorAll("[data-round]")];
    for (const button of root.querySelectorAll("[data-shift]")) {
      const seconds = Number(button.dataset.shift);
      button.addEventListener("click", () => this.#earlier(button, "/round/shift", { seconds }, () => words.moved));
    }
    this.at("start").addEventListener("click", (event) => this.#start(event.currentTarget));
    this.at("hold").addEventListener("click", (event) => this.#hold(event.currentTarget));
    this.at("publish").addEventListener("click", (event) => this.#publish(event.currentTarget));
    this.at("pair").addEventListener("click", (event) => this.#pair(event.currentTarget));
    this.at("why").addEventListener("click", (event) => this.#why(event.currentTarget));
    this.at("close").addEventListener("click", (event) => this.#close(event.currentTarget));
    this.at("start-position").addEventListener("click", () => openStartPosition({ table: null, event: this.#event }));
    this.at("schedule").addEventListener("submit", (event) => {
      event.preventDefault();
      this.#schedule(event.submitter);
    });
    this.#speak();
    onLanguage(() => this.#speak());
  }

  /** Writes what stands there for good. */
  #speak() {
    this.at("round").lang = languageNow();
    for (const [id, word] of Object.entries(FIXED)) setText(this.at(id), words[word]);
    setText(this.at("start-position"), forms.open);
    for (const [seconds, word] of [[-60, "less1"], [60, "more1"], [300, "more5"]]) setText(this.at("moves").querySelector(`[data-shift="${seconds}"]`), words[word]);
    setAttr(this.at("moves"), "aria-label", words.move);
    setAttr(this.at("bar"), "aria-label", words.resultsIn);
    if (this.#hall) this.update(this.#hall);
  }

  update(hall) {
    const { round, event } = hall;
    this.#hall = hall;
    this.#round = round;
    this.#event = event;
    const before = round !== null && BEFORE.includes(round.phase);
    const draft = round !== null && !round.published;
    const running = round !== null && ["started", "playing"].includes(round.phase);
    setText(this.at("round-title"), round ? words.round(round.number, event?.rounds) : words.noRound);
    setText(this.at("event-name"), event ? [event.name, event.time_control, event.system.replaceAll("-", " ")].filter(Boolean).join(" · ") : words.noEvent);
    const started = round?.phase === "started" && !round.default_at ? words.started : words.phases[round?.phase];
    setText(this.at("phase"), round ? started : words.pairFirst);
    this.at("draft").hidden = !draft;
    // A held start goes on by being moved.
    this.at("moves").hidden = !COUNTING.includes(round?.phase) && !(round?.phase === "held" && round.starts_at);
    this.at("schedule").hidden = !before;
    // A draft cannot be started: it is published first.
    this.at("start").hidden = !before || draft;
    this.at("hold").hidden = !before || round.phase === "held";
    this.at("publish").hidden = !draft;
    this.at("pair").hidden = !(round === null || draft || (round.phase === "closed" && round.number < (event?.rounds ?? 0)));
    setText(this.at("pair"), round === null ? words.pair(1) : draft ? words.again : words.pair(round.number + 1));
    this.at("why").hidden = round === null;
    this.at("start-position").hidden = round === null || draft || !hall.tables.filter(isOpen).every(mayStart);
    this.at("close").hidden = !running;
    this.at("close").disabled = running && round.open > 0;
    this.at("progress").hidden = !running && round?.phase !== "closed";
    if (round) {
      const done = round.tables - round.open;
      this.at("bar").max = Math.max(1, round.tables);
      this.at("bar").value = done;
      setText(this.at("open"), round.open === 0 ? words.allIn(round.tables) : `${many("open", round.open, { of: round.tables })}${openTables(hall)}${running ? notStarted(hall) : ""}`);
    }
    this.#fill();
    setText(this.at("bye"), round?.bye ? words.free(round.bye.name) : "");
    this.tick();
  }

  /** The announced start, else the planned one, into the field, unless somebody types there. */
  #fill() {
    const input = this.at("start-time");
    const start = this.#round?.starts_at ?? this.#round?.planned_at ?? null;
    if (start === this.#filled || document.activeElement === input) return;
    this.#filled = start;
    input.value = start === null ? "" : this.time.wall(instant(start));
  }

  /** A start in words; with the day when it is another one. */
  #when(start, now) {
    const day = this.time.day(start);
    return day === this.time.day(now) ? this.time.wall(start) : `${day}, ${this.time.wall(start)}`;
  }

  tick() {
    const round = this.#round;
    const now = this.time.now();
    let count = "";
    let line = "";
    if (round && now !== null) {
      const start = instant(round.starts_at);
      const begun = instant(round.started_at);
      const end = instant(round.default_at);
      if (COUNTING.includes(round.phase) && start !== null) {
        count = clockText(Math.ceil(Math.max(0, start - now) / 1000));
        line = words.starts(this.#when(start, now));
      } else if (round.phase === "held") {
        count = words.held;
        line = round.held_reason ?? "";
      } else if (round.phase === "idle" && round.planned_at) {
        const planned = instant(round.planned_at);
        line = planned > now ? words.planned(this.#when(planned, now)) : words.passed(this.#when(planned, now));
      } else if (begun !== null && round.phase !== "closed") {
        count = `+${clockText(Math.max(0, Math.floor((now - begun) / 1000)))}`;
        const left = end === null ? 0 : end - now;
        line = left > 0 ? words.defaultIn(clockText(Math.ceil(left / 1000))) : [words.startedAt(this.time.wall(begun)), this.#next(now)].filter(Boolean).join(" · ");
      }
    }
    if (round?.phase === "closed" && now !== null) line = this.#next(now);
    setText(this.at("countdown"), count);
    setText(this.at("start-line"), line);
    this.at("count").hidden = count === "" && line === "";
    const short = round ? `${words.short(round.number)} ${count}` : "";
    for (const head of this.heads) setText(head, short.trim());
  }

  /** When the round after this one begins, and how sure that is. */
  #next(now) {
    const next = instant(this.#round.next_at);
    if (next === null) return "";
    return this.#round.next_about ? words.nextAbout(this.time.wall(next)) : words.next(this.#when(next, now));
  }

  /** The hub asks for a second word before a start earlier than announced. */
  async #earlier(button, path, body, done) {
    try {
      await post(path, body);
      say(done());
    } catch (error) {
      if (error.status !== 409 || !error.message.includes("earlier_confirmed")) {
        say(error.message, { bad: true, help: error.help });
        return;
      }
      const announced = words.announced(this.time.wall(instant(this.#round.starts_at)));
      const sure = await confirm({ title: words.earlier, text: [announced, words.tooLate], yes: words.startEarlier, danger: true });
      if (sure) await run(button, () => post(path, { ...body, earlier_confirmed: true }), done());
    }
  }

  async #schedule(button) {
    const input = this.at("start-time");
    const now = this.time.now();
    if (!input.value || now === null) return;
    const starts_at = this.#startAt(input.value, now);
    if (instant(starts_at) <= now) {
      say(words.hasPassed(input.value), { bad: true, help: words.later });
      return;
    }
    await this.#earlier(button, "/round/schedule", { starts_at }, () => words.isSet(input.value));
  }

  /** The pairing with its reasons. */
  async #why(button) {
    const { number } = this.#round;
    await run(button, async () => {
      const pairing = await get(`/rounds/${number}/pairing?lang=${languageNow()}`);
      const who = ({ no, name }) => `${no} ${name}`;
      // Who is left out stands first: nobody looks for him below 200 pairs.
      const lines = [];
      if (pairing.bye) lines.push([words.bye(worth(pairing.bye.points), who(pairing.bye.player)), pairing.bye.why]);
      for (const out of pairing.unpaired) lines.push([words.unpaired(worth(out.points), who(out.player)), out.why]);
      for (const pair of pairing.pairs) lines.push([`${pair.board}: ${who(pair.white)} – ${who(pair.black)}`, pair.why]);
      showList({ title: words.reasons(number), lines });
    });
  }

  /** The instant that a typed time of day means. */
  #startAt(text, now) {
    // The planned time is meant on the planned day.
    const planned = instant(this.#round.planned_at);
    if (planned !== null && planned > now && this.time.wall(planned) === text) return this.#round.planned_at;
    let start = this.time.atWall(now, text);
    // A time that has passed long ago means tomorrow.
    if (start < now - 6 * 3_600_000) start = this.time.atWall(now + 86_400_000, text);
    return new Date(start).toISOString();
  }

  async #start(button) {
    const now = this.time.now();
    const start = instant(this.#round.starts_at);
    const early = start !== null && now !== null && start - now > 1000;
    const draft = !this.#round.published;
    if (early || draft) {
      const text = [];
      if (early) text.push(words.inTime(this.time.wall(start), clockText(Math.ceil((start - now) / 1000))));
      if (draft) text.push(words.isDraft);
      const sure = await confirm({ title: words.sureStart(this.#round.number), text: [...text, words.fromNow], yes: words.start, danger: true });
      if (!sure) return;
    }
    await run(button, () => post("/round/start"), words.hasStarted);
  }

  async #hold(button) {
    const reason = await askText({ title: words.holdTitle, label: words.holdWhy, ready: REASONS[languageNow()], yes: words.hold });
    if (reason !== null) await run(button, () => post("/round/hold", { reason: reason || null }), words.isHeld);
  }

  async #publish(button) {
    const { number, phase } = this.#round;
    const now = this.time.now();
    const start = instant(this.#round.starts_at ?? this.#round.planned_at);
    const title = words.publishTitle(number);
    const seen = [this.outdated(), words.appears].filter(Boolean);
    if (start !== null && now !== null && start <= now && phase !== "held") {
      const soon = Math.ceil((now + 15 * MINUTE) / (5 * MINUTE)) * 5 * MINUTE;
      const text = [words.whenStarts(this.#when(start, now)), ...seen];
      const time = await askTime({ title, text, label: words.newStart, value: this.time.wall(soon), yes: words.publish });
      if (!time) return;
      const starts_at = this.#startAt(time, now);
      await run(button, async () => {
        await post("/round/schedule", { starts_at });
        await post("/round/publish");
      }, words.isPublicAt(time));
      return;
    }
    const begin = start === null ? words.noStart : words.countTo(this.#when(start, now ?? start));
    const sure = await confirm({ title, text: [...seen, begin], yes: words.publish });
    if (sure) await run(button, () => post("/round/publish"), words.isPublic);
  }

  async #pair(button) {
    const again = this.#round !== null && !this.#round.published;
    if (again) {
      const sure = await confirm({ title: words.sureAgain, text: words.thrownAway, yes: words.again });
      if (!sure) return;
    }
    await run(button, () => post("/round/pair"), words.isPaired);
  }

  async #close(button) {
    const { number, tables } = this.#round;
    const waiting = this.#hall.proposals.length;
    const text = [`${words.allIn(tables)}. ${words.thenPaired}`];
    if (waiting) text.push(many("undecided", waiting));
    const last = number === this.#event?.rounds;
    const sure = await confirm({ title: last ? words.sureLast : words.sureClose(number), text, yes: words.closeNo(number) });
    if (sure) await run(button, () => post("/round/close", { round: number }), words.isClosed(number));
  }
}
