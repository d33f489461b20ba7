// The hub's time in a browser whose own clock may be wrong by hours.
//
// Each sample says: when the answer was written the hub's time was `now`. Counting starts when the
// answer arrived, so the page can be late by the way of the answer but is never ahead of the hub.
// The sample with the shortest round trip is late by the least.

const SAMPLES = 6;
const AGAIN_MS = 60_000;
const DAY_MS = 86_400_000;

/** Milliseconds of an RFC 3339 instant; finer digits round up, so that zero is never early. */
export function instant(text) {
  if (!text) return null;
  const ms = Date.parse(text);
  const fraction = /\.(\d+)/.exec(text);
  const finer = fraction && fraction[1].length > 3 && /[1-9]/.test(fraction[1].slice(3));
  return finer ? ms + 1 : ms;
}

export class HubTime {
  #hub = null;
  #local = 0;
  #correction = 0;
  #corrected = 0;
  #busy = false;
  #event = null;
  #own = null;
  rate = 1;
  synced = null;
  offset = 0;
  roundTrip = Infinity;

  constructor() {
    document.addEventListener("visibilitychange", () => {
      if (!document.hidden) this.sync();
    });
    setInterval(() => this.sync(), AGAIN_MS);
  }

  /** Hub time now in milliseconds since 1970; null before the first answer. */
  now() {
    if (this.#hub === null) return null;
    const local = performance.now();
    // Small corrections are spread out: a second is shown neither twice nor not at all.
    const step = (local - this.#corrected) * 0.02;
    this.#corrected = local;
    if (this.#correction !== 0) {
      const part = Math.max(-step, Math.min(step, this.#correction));
      this.#hub += part * this.rate;
      this.#correction -= part;
    }
    return this.#hub + (local - this.#local) * this.rate;
  }

  /** Measures several times and takes the sample with the shortest round trip. */
  async sync() {
    if (this.#busy) return;
    this.#busy = true;
    let best = null;
    try {
      for (let i = 0; i < SAMPLES; i += 1) {
        const sample = await this.#sample();
        if (sample && (!best || sample.trip < best.trip)) best = sample;
        if (this.#hub === null && best) this.#take(best);
        await new Promise((done) => setTimeout(done, 60));
      }
    } finally {
      this.#busy = false;
    }
    if (best) this.#take(best);
    else if (this.#hub === null) setTimeout(() => this.sync(), 2000);
  }

  async #sample() {
    try {
      const sent = performance.now();
      const answer = await fetch("/api/v1/time", { cache: "no-store", signal: AbortSignal.timeout(3000) });
      const arrived = performance.now();
      const body = await answer.json();
      if (!answer.ok) return null;
      return { trip: arrived - sent, arrived, hub: instant(body.now), ...body };
    } catch {
      return null;
    }
  }

  #take(sample) {
    this.synced = sample.synced;
    this.#own = formatOf(sample.zone);
    this.offset = sample.utc_offset;
    this.roundTrip = sample.trip;
    const known = this.#hub !== null && sample.rate === this.rate;
    const ahead = known
      ? (sample.hub - (this.#hub + (sample.arrived - this.#local) * this.rate)) / this.rate
      : Infinity;
    if (Math.abs(ahead) < 250) {
      this.#correction = ahead;
      this.#corrected = performance.now();
      return;
    }
    this.rate = sample.rate;
    this.#hub = sample.hub;
    this.#local = sample.arrived;
    this.#correction = 0;
    this.#corrected = performance.now();
  }

  /** The hall's zone as the event names it; null: the hub's own. */
  useZone(zone) {
    this.#event = formatOf(zone);
  }

  /** Hours and minutes (and seconds) by the wall clock of the hall. */
  wall(ms, { seconds = false } = {}) {
    const local = new Date(ms + this.#offset(ms));
    const text = `${two(local.getUTCHours())}:${two(local.getUTCMinutes())}`;
    return seconds ? `${text}:${two(local.getUTCSeconds())}` : text;
  }

  /** The weekday and date by the wall clock of the hall. */
  day(ms, { year = false, lang = "en-GB" } = {}) {
    const options = { weekday: "short", day: "numeric", month: "short", year: year ? "numeric" : undefined, timeZone: "UTC" };
    return new Intl.DateTimeFormat(lang === "en" ? "en-GB" : lang, options).format(new Date(ms + this.#offset(ms)));
  }

  /** The instant when the hall's wall clock shows `hh:mm` on the day of `ms`. */
  atWall(ms, text) {
    const [hours, minutes] = text.split(":").map(Number);
    const local = Math.floor((ms + this.#offset(ms)) / DAY_MS) * DAY_MS + (hours * 60 + minutes) * 60_000;
    // The clocks may change between the two: the second look is by the offset that holds then.
    return local - this.#offset(local - this.#offset(ms));
  }

  /** An instant as a field for date and time has it, by the wall clock of the hall: `2026-12-05T09:30`. */
  local(ms) {
    return new Date(ms + this.#offset(ms)).toISOString().slice(0, 16);
  }

  /** The instant of such a field. */
  ofLocal(text) {
    const local = Date.parse(`${text}Z`);
    // As in `atWall`.
    return local - this.#offset(local - this.#offset(local));
  }

  /** What the hall's wall clock is ahead of UTC at an instant, in milliseconds. */
  #offset(ms) {
    const format = this.#event ?? this.#own;
    // Without a named zone the hub's offset counts, not the browser's.
    if (format === null) return this.offset * 1000;
    const parts = format.formatToParts(new Date(ms));
    const { year, month, day, hour, minute, second } = Object.fromEntries(parts.map(({ type, value }) => [type, Number(value)]));
    return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(ms / 1000) * 1000;
  }
}

const formats = new Map();

/** Takes an instant apart by the wall clock of a zone; null when the browser has no such zone. */
function formatOf(zone) {
  if (!zone) return null;
  if (!formats.has(zone)) {
    const options = {
      timeZone: zone, hourCycle: "h23", year: "numeric", month: "numeric", day: "numeric",
      hour: "numeric", minute: "numeric", second: "numeric",
    };
    let format = null;
    try {
      format = new Intl.DateTimeFormat("en-GB", options);
    } catch {
      // An old browser may not know a new zone.
    }
    formats.set(zone, format);
  }
  return formats.get(zone);
}

const two = (n) => String(n).padStart(2, "0");

/** Whole seconds as `m:ss` or `h:mm:ss`. */
export function clockText(seconds) {
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor((seconds % 3600) / 60);
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}

/** A game clock: `h:mm:ss`, `m:ss`, and `m:ss.d` under 20 s. */
export function gameClock(ms) {
  const left = Math.max(0, ms);
  if (left < 20_000 && left > 0) {
    const tenths = Math.ceil(left / 100);
    return `0:${two(Math.floor(tenths / 10))}.${tenths % 10}`;
  }
  return clockText(Math.ceil(left / 1000));
}

/** How long ago, for people: `45 s`, `12 min`, `1 h 05 min`. */
export function ago(ms) {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${two(minutes % 60)} min`;
}
