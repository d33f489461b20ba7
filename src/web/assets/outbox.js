// What was tapped is kept until the hub has it: ten seconds to think again, and through a gap of the
// network or a reload. Each entry has a key of its own, so that the hub carries it out once however often
// it is sent.

import { post } from "./api.js";

const STORE = "flagfall-outbox";
/** How long a decision can be taken back before it is sent. */
export const HOLD_MS = 10_000;
/** What nobody could send for so long is no longer what anybody wants. */
const STALE_MS = 6 * 3600_000;
const RETRY_MS = [1000, 2000, 4000, 8000];

/** A random name; `crypto.randomUUID` exists only over HTTPS. */
function name() {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

export class Outbox {
  #entries = [];
  #by = null;
  #timer = 0;
  #sending = null;
  #failures = 0;

  /** `onChange()` when entries came or went; `onDone(entry)`; `onRefused(entry, error)`. */
  constructor({ onChange, onDone, onRefused }) {
    Object.assign(this, { onChange, onDone, onRefused });
    addEventListener("online", () => this.#again());
    // A phone that is put away may not wake again for a while: what is held goes now.
    document.addEventListener("visibilitychange", () => { if (document.hidden) this.sendAll(); });
    addEventListener("pagehide", () => this.sendAll());
    addEventListener("storage", (event) => { if (event.key === STORE && !this.#sending) this.#load(); });
  }

  /** Goes on with what this arbiter had tapped before; another's taps wait for him. */
  open(by) {
    this.#by = by;
    this.#load();
    this.#again();
  }

  /** Entries of this arbiter, oldest first. */
  get entries() {
    return this.#entries.filter((entry) => entry.by === this.#by);
  }

  /** Whether something of this subject, e.g. `p12`, waits. */
  waits(subject) {
    return this.entries.find((entry) => entry.subject === subject) ?? null;
  }

  /** Keeps a command and sends it, after `hold` milliseconds. */
  add(path, body, { subject = null, label = "", hold = 0 } = {}) {
    const entry = { key: name(), by: this.#by, path, body, subject, label, held: hold > 0, tapped: Date.now(), due: Date.now() + hold, tries: 0 };
    this.#entries.push(entry);
    this.#save();
    this.#again();
    return entry;
  }

  /** Takes an entry back; false when it is on its way already. */
  undo(key) {
    if (this.#sending === key) return false;
    const before = this.#entries.length;
    this.#entries = this.#entries.filter((entry) => entry.key !== key || entry.tries > 0);
    if (this.#entries.length === before) return false;
    this.#save();
    return true;
  }

  /** Sends an entry without waiting any longer. */
  now(key) {
    const entry = this.#entries.find((each) => each.key === key);
    if (entry) entry.due = 0;
    this.#save();
    this.#again();
  }

  sendAll() {
    for (const entry of this.#entries) entry.due = 0;
    this.#save();
    this.#again();
  }

  #again() {
    clearTimeout(this.#timer);
    if (this.#sending || this.#by === null) return;
    const next = this.entries.toSorted((a, b) => a.due - b.due)[0];
    if (!next) return;
    const pause = this.#failures ? RETRY_MS[Math.min(this.#failures, RETRY_MS.length) - 1] : 0;
    const wait = Math.max(next.due - Date.now(), pause, 0);
    // A page that is being left has no time for timers.
    if (wait === 0) void this.#send(next);
    else this.#timer = setTimeout(() => this.#send(next), wait);
  }

  async #send(entry) {
    if (this.#sending || !this.#entries.includes(entry)) return this.#again();
    this.#sending = entry.key;
    entry.tries += 1;
    this.#save();
    try {
      await post(entry.path, entry.body, { key: entry.key, keepalive: true });
      this.#failures = 0;
      this.#drop(entry);
      this.onDone(entry);
    } catch (error) {
      // No answer, or a hub that cannot write: later. A login that ended: after the next one.
      const later = error.status === 0 || error.status === 503 || error.status === 401 || error.status === 429;
      if (later && Date.now() - entry.tapped < STALE_MS) {
        this.#failures += 1;
      } else {
        this.#failures = 0;
        this.#drop(entry);
        this.onRefused(entry, error);
      }
    } finally {
      this.#sending = null;
      this.onChange();
      this.#again();
    }
  }

  #drop(entry) {
    this.#entries = this.#entries.filter((each) => each !== entry);
    this.#save();
  }

  #load() {
    try {
      const kept = JSON.parse(localStorage.getItem(STORE) ?? "[]");
      const known = new Map(this.#entries.map((entry) => [entry.key, entry]));
      this.#entries = kept.map((entry) => known.get(entry.key) ?? entry);
    } catch {
      // What is kept in this page goes on.
    }
    this.onChange();
  }

  #save() {
    try {
      localStorage.setItem(STORE, JSON.stringify(this.#entries));
    } catch {
      // Lasts as long as the page then.
    }
    this.onChange();
  }
}
