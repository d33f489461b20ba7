// A live stream that comes back by itself for ever and says plainly when it is lost.

const SILENCE_MS = 13_000;

export class Live {
  #source = null;
  #wait = 500;
  #timer = 0;
  #watch = 0;
  #lostAt = null;

  /** `handlers`: event name -> function(data); `onLink(up, lostAt)` with performance.now() of the loss. */
  constructor(url, handlers, onLink) {
    this.url = url;
    this.handlers = handlers;
    this.onLink = onLink;
    this.#open();
    addEventListener("online", () => this.#again(0));
    document.addEventListener("visibilitychange", () => {
      if (!document.hidden && this.#lostAt !== null) this.#again(0);
    });
  }

  close() {
    clearTimeout(this.#timer);
    clearTimeout(this.#watch);
    this.#source?.close();
    this.#source = null;
    this.onLink = () => {};
    this.handlers = {};
  }

  #open() {
    this.#source?.close();
    const source = new EventSource(this.url);
    this.#source = source;
    for (const name of ["hall", "update", "health", "screen", "you", "pairings", "tick"]) {
      source.addEventListener(name, (event) => {
        if (source !== this.#source) return;
        this.#alive();
        this.handlers[name]?.(JSON.parse(event.data));
      });
    }
    source.addEventListener("error", () => {
      if (source !== this.#source) return;
      this.#lost();
      this.#again(this.#wait);
      this.#wait = Math.min(this.#wait * 1.7, 8000) * (0.8 + Math.random() * 0.4);
    });
    this.#silence();
  }

  #silence() {
    clearTimeout(this.#watch);
    this.#watch = setTimeout(() => {
      this.#lost();
      this.#again(0);
    }, SILENCE_MS);
  }

  #again(wait) {
    if (!this.#source) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#open(), wait);
  }

  #alive() {
    this.#silence();
    if (this.#lostAt === null && this.#wait === 500) {
      this.onLink(true, null);
      return;
    }
    this.#lostAt = null;
    this.#wait = 500;
    this.onLink(true, null);
  }

  #lost() {
    this.#lostAt ??= performance.now();
    this.onLink(false, this.#lostAt);
  }
}
