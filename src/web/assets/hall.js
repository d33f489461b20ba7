// The hall as the browser keeps it: the whole once, then what changed. A lost link is shown at once.

import { get } from "./api.js";
import { setText } from "./dom.js";
import { Live } from "./stream.js";
import { words } from "./words/desk.js";

/** Follows the hall; `onHall(hall)` at most once a frame, `onHealth(health)`. */
export function follow(time, { onHall, onHealth = () => {} }) {
  let hall = null;
  let asked = false;
  const draw = () => {
    if (asked || !hall) return;
    asked = true;
    // A hidden page draws no frames, but its title and its state must be true.
    const soon = document.hidden ? (work) => setTimeout(work, 250) : requestAnimationFrame;
    soon(() => {
      asked = false;
      time.useZone(hall.event?.zone);
      onHall(hall);
    });
  };
  const link = new LinkState(time);
  new Live("/api/v1/hall/stream", {
    hall: (whole) => {
      hall = whole;
      link.whole();
      draw();
    },
    update: (change) => {
      if (!hall) return;
      hall = merge(hall, change);
      draw();
    },
    health: onHealth,
  }, (up) => link.set(up));
}

/** The hall with a change; tables are sent whole. */
export function merge(hall, change) {
  const { tables = [], ...rest } = change;
  const merged = { ...hall, ...rest };
  if (tables.length) {
    const byNumber = new Map(hall.tables.map((table) => [table.table, table]));
    for (const table of tables) byNumber.set(table.table, table);
    merged.tables = [...byNumber.values()].sort((a, b) => a.table - b.table);
  }
  return merged;
}

/** Says plainly that what is shown is old. */
class LinkState {
  #lost = null;
  #fresh = false;

  constructor(time) {
    this.time = time;
    this.banner = document.getElementById("offline");
  }

  whole() {
    this.#fresh = true;
    this.set(true);
  }

  set(up) {
    if (up && !this.#fresh) return;
    if (!up) {
      this.#fresh = false;
      if (this.#lost === null) {
        this.#lost = this.time.now();
        setText(this.banner, words.lost(this.#lost === null ? "" : this.time.wall(this.#lost, { seconds: true })));
        document.documentElement.dataset.link = "lost";
      }
      // A login that has ended looks like a lost link.
      get("/session").then((info) => { if (!info.by) location.reload(); }).catch(() => {});
    } else if (this.#lost !== null || document.documentElement.dataset.link !== "up") {
      this.#lost = null;
      document.documentElement.dataset.link = "up";
      this.time.sync();
    }
    this.banner.hidden = up;
  }
}
