// What a screen with the rotation shows when, and which page of it.

/** How long a page without lists stands. */
const STAND_MS = 15_000;

/** What is shown in turn, by where the round stands. */
function sequence({ round, show, phase, left }) {
  const notice = show?.notice ? ["notice"] : [];
  switch (phase) {
    case "scheduled":
    case "seats":
    case "last5":
      // Close to the start the countdown stands half of the time.
      if (!round.published) return ["countdown", ...notice];
      return left < 900_000 ? ["countdown", "pairings-by-name"] : ["pairings-by-name", "countdown", "pairings-by-board", ...notice];
    case "last1":
    case "zero":
    case "held":
    case "started":
      return ["countdown"];
    case "playing":
      if (round.play_off && !round.play_off.over) return ["play-off"];
      return [...(round.open < round.games ? ["results"] : []), "standings", "countdown", ...notice];
    case "closed":
      return ["results", "standings", "next-round", ...notice];
    default:
      return [...notice, "countdown", ...(round && round.number > 1 ? ["standings"] : [])];
  }
}

export class Program {
  #index = 0;
  #content = null;
  #page = 0;
  #since = 0;
  #done = false;

  /** What stands now; the next thing once all pages of it have stood. */
  now(facts) {
    const order = sequence(facts);
    const known = order.indexOf(this.#content);
    if (this.#done || known < 0) {
      this.#index = known < 0 ? Math.min(this.#index, order.length - 1) : (known + 1) % order.length;
      this.#done = false;
      if (known < 0 && !order[this.#index]) this.#index = 0;
      return order[this.#index] ?? "countdown";
    }
    return this.#content;
  }

  /** Which page of it. */
  page(content) {
    return content === this.#content ? this.#page : 0;
  }

  /** It has been drawn with so many pages: turns when its time is over. */
  turn(content, pages, pageMs) {
    const now = performance.now();
    if (content !== this.#content) {
      this.#content = content;
      this.#page = 0;
      this.#since = now;
      return;
    }
    const stands = pages > 1 ? pageMs : STAND_MS;
    if (now - this.#since < stands) return;
    this.#since = now;
    this.#page += 1;
    if (this.#page >= pages) {
      this.#page = 0;
      this.#done = true;
    }
  }

  /** Turns now; for those who test. */
  skip() {
    this.#since = -Infinity;
  }
}
