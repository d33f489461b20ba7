// The round: countdown, late starts by large keys, pairing, publishing, closing.

import { get, post } from "./api.js";
import { isOpen } from "./boards.js";
import { askText, askTime, confirm, run, say, showList } from "./dialogs.js";
import { setText } from "./dom.js";
import { words } from "./words/forms.js";
import { mayStart, openStartPosition } from "./start_position.js";
import { clockText, instant } from "./time.js";

const PHASES = {
  idle: "Paired, no start set", scheduled: "Counting down", seats: "Players take their seats", last5: "Last five minutes",
  last1: "Last minute", zero: "Zero: say “start”", held: "Start delayed", started: "Started, default time runs",
  playing: "Games in progress", closed: "Closed",
};
const COUNTING = ["scheduled", "seats", "last5", "last1", "zero"];
const MINUTE = 60_000;
const BEFORE = [...COUNTING, "idle", "held"];

/** Which tables are open, while they can be counted on the fingers. */
function openTables(hall) {
  const open = hall.tables.filter(isOpen).map(({ table }) => table);
  return open.length > 0 && open.length <= 10 ? `: ${open.join(", ")}` : "";
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
      button.addEventListener("click", () => this.#earlier(button, "/round/shift", { seconds }, "Start moved"));
    }
    this.at("start").addEventListener("click", (event) => this.#start(event.currentTarget));
    this.at("hold").addEventListener("click", (event) => this.#hold(event.currentTarget));
    this.at("publish").addEventListener("click", (event) => this.#publish(event.currentTarget));
    this.at("pair").addEventListener("click", (event) => this.#pair(event.currentTarget));
    this.at("why").addEventListener("click", (event) => this.#why(event.currentTarget));
    this.at("close").addEventListener("click", (event) => this.#close(event.currentTarget));
    setText(this.at("start-position"), words.open);
    this.at("start-position").addEventListener("click", () => openStartPosition({ table: null, event: this.#event }));
    this.at("schedule").addEventListener("submit", (event) => {
      event.preventDefault();
      this.#schedule(event.submitter);
    });
  }

  update(hall) {
    const { round, event } = hall;
    this.#hall = hall;
    this.#round = round;
    this.#event = event;
    const before = round !== null && BEFORE.includes(round.phase);
    const draft = round !== null && !round.published;
    const running = round !== null && ["started", "playing"].includes(round.phase);
    setText(this.at("round-title"), round ? `Round ${round.number}${event ? ` of ${event.rounds}` : ""}` : "No round yet");
    setText(this.at("event-name"), event ? [event.name, event.time_control, event.system.replaceAll("-", " ")].filter(Boolean).join(" · ") : "No event is set up");
    const started = round?.phase === "started" && !round.default_at ? "Started" : PHASES[round?.phase];
    setText(this.at("phase"), round ? started : "Pair the first round");
    this.at("draft").hidden = !draft;
    // A held start goes on by being moved.
    this.at("moves").hidden = !COUNTING.includes(round?.phase) && !(round?.phase === "held" && round.starts_at);
    this.at("schedule").hidden = !before;
    // A draft cannot be started: it is published first.
    this.at("start").hidden = !before || draft;
    this.at("hold").hidden = !before || round.phase === "held";
    this.at("publish").hidden = !draft;
    this.at("pair").hidden = !(round === null || draft || (round.phase === "closed" && round.number < (event?.rounds ?? 0)));
    setText(this.at("pair"), round === null ? "Pair round 1" : draft ? "Pair again" : `Pair round ${round.number + 1}`);
    this.at("why").hidden = round === null;
    this.at("start-position").hidden = round === null || draft || !hall.tables.filter(isOpen).every(mayStart);
    this.at("close").hidden = !running;
    this.at("close").disabled = running && round.open > 0;
    this.at("progress").hidden = !running && round?.phase !== "closed";
    if (round) {
      const done = round.tables - round.open;
      this.at("bar").max = Math.max(1, round.tables);
      this.at("bar").value = done;
      setText(this.at("open"), round.open === 0 ? `All ${round.tables} results are in` : `${round.open} of ${round.tables} boards open${openTables(hall)}`);
    }
    this.#fill();
    setText(this.at("bye"), round?.bye ? `Free this round: ${round.bye.name}` : "");
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
        line = `Start at ${this.#when(start, now)}`;
      } else if (round.phase === "held") {
        count = "Held";
        line = round.held_reason ?? "";
      } else if (round.phase === "idle" && round.planned_at) {
        const planned = instant(round.planned_at);
        line = planned > now ? `Planned start: ${this.#when(planned, now)}` : `The planned start, ${this.#when(planned, now)}, has passed: set a new one`;
      } else if (begun !== null && round.phase !== "closed") {
        count = `+${clockText(Math.max(0, Math.floor((now - begun) / 1000)))}`;
        const left = end === null ? 0 : end - now;
        line = left > 0 ? `Default time in ${clockText(Math.ceil(left / 1000))}` : `Started at ${this.time.wall(begun)}`;
      }
    }
    setText(this.at("countdown"), count);
    setText(this.at("start-line"), line);
    this.at("count").hidden = count === "" && line === "";
    const short = round ? `R${round.number} ${count}` : "";
    for (const head of this.heads) setText(head, short.trim());
  }

  /** The hub asks for a second word before a start earlier than announced. */
  async #earlier(button, path, body, done) {
    try {
      await post(path, body);
      say(done);
    } catch (error) {
      if (error.status !== 409 || !error.message.includes("earlier_confirmed")) {
        say(error.message, { bad: true, help: error.help });
        return;
      }
      const announced = `The start is announced for ${this.time.wall(instant(this.#round.starts_at))}.`;
      const sure = await confirm({ title: "Earlier than announced?", text: [announced, "Players may come too late because of it."], yes: "Start earlier", danger: true });
      if (sure) await run(button, () => post(path, { ...body, earlier_confirmed: true }), done);
    }
  }

  async #schedule(button) {
    const input = this.at("start-time");
    const now = this.time.now();
    if (!input.value || now === null) return;
    const starts_at = this.#startAt(input.value, now);
    if (instant(starts_at) <= now) {
      say(`${input.value} has passed`, { bad: true, help: "Choose a later time." });
      return;
    }
    await this.#earlier(button, "/round/schedule", { starts_at }, `Start set to ${input.value}`);
  }

  /** The pairing with its reasons, in the language of the browser where the hub speaks it. */
  async #why(button) {
    const { number } = this.#round;
    const lang = ["uk", "ru"].find((code) => navigator.language.startsWith(code)) ?? "en";
    await run(button, async () => {
      const pairing = await get(`/rounds/${number}/pairing?lang=${lang}`);
      const who = ({ no, name }) => `${no} ${name}`;
      const worth = ({ points }) => `${points.replace(/^0\.5$/, "½").replace(/\.0$/, "")} ${["1", "1.0", "0.5"].includes(points) ? "point" : "points"}`;
      // Who is left out stands first: nobody looks for him below 200 pairs.
      const lines = [];
      if (pairing.bye) lines.push([`Free, ${worth(pairing.bye)}: ${who(pairing.bye.player)}`, pairing.bye.why]);
      for (const out of pairing.unpaired) lines.push([`Not paired, ${worth(out)}: ${who(out.player)}`, out.why]);
      for (const pair of pairing.pairs) lines.push([`${pair.board}: ${who(pair.white)} – ${who(pair.black)}`, pair.why]);
      showList({ title: `Round ${number}: who and why`, lines });
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
      if (early) text.push(`The start is announced for ${this.time.wall(start)}, in ${clockText(Math.ceil((start - now) / 1000))}.`);
      if (draft) text.push("The pairing is still a draft.");
      const sure = await confirm({ title: `Start round ${this.#round.number} now?`, text: [...text, "Default time counts from this moment."], yes: "Start now", danger: true });
      if (!sure) return;
    }
    await run(button, () => post("/round/start"), "The round has started");
  }

  async #hold(button) {
    const reason = await askText({ title: "Hold the start", label: "What the hall reads (may be empty)", ready: ["Registration is still open", "Technical check of the boards", "Opening ceremony"], yes: "Hold" });
    if (reason !== null) await run(button, () => post("/round/hold", { reason: reason || null }), "The start is held");
  }

  async #publish(button) {
    const { number, phase } = this.#round;
    const now = this.time.now();
    const start = instant(this.#round.starts_at ?? this.#round.planned_at);
    const title = `Publish the pairing of round ${number}?`;
    const seen = [this.outdated(), "It appears at once on the public page /pairings. Later changes are recorded."].filter(Boolean);
    if (start !== null && now !== null && start <= now && phase !== "held") {
      const soon = Math.ceil((now + 15 * MINUTE) / (5 * MINUTE)) * 5 * MINUTE;
      const text = [`The start, ${this.#when(start, now)}, has passed: say when the round starts.`, ...seen];
      const time = await askTime({ title, text, label: "New start", value: this.time.wall(soon), yes: "Publish" });
      if (!time) return;
      const starts_at = this.#startAt(time, now);
      await run(button, async () => {
        await post("/round/schedule", { starts_at });
        await post("/round/publish");
      }, `The pairing is public; start at ${time}`);
      return;
    }
    const begin = start === null ? "No start is set yet: the screens count down once you set one." : `The screens count down to ${this.#when(start, now ?? start)}.`;
    const sure = await confirm({ title, text: [...seen, begin], yes: "Publish" });
    if (sure) await run(button, () => post("/round/publish"), "The pairing is public");
  }

  async #pair(button) {
    const again = this.#round !== null && !this.#round.published;
    if (again) {
      const sure = await confirm({ title: "Pair again?", text: "The present draft is thrown away.", yes: "Pair again" });
      if (!sure) return;
    }
    await run(button, () => post("/round/pair"), "Paired; look at the draft, then publish it");
  }

  async #close(button) {
    const { number, tables } = this.#round;
    const waiting = this.#hall.proposals.length;
    const text = [`All ${tables} results are in. After closing, the next round is paired from them.`];
    if (waiting) text.push(`${waiting === 1 ? "One proposal is" : `${waiting} proposals are`} still undecided.`);
    const last = number === this.#event?.rounds;
    const sure = await confirm({ title: `Close ${last ? "the last round" : `round ${number}`}?`, text, yes: `Close round ${number}` });
    if (sure) await run(button, () => post("/round/close", { round: number }), `Round ${number} is closed`);
  }
}
