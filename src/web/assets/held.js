// What was tapped and is not with the hub yet: a line for each decision that can still be taken back, and
// how many taps wait for the network.

import { h, keyed, setText } from "./dom.js";
import { many, t } from "./words/queue.js";

export class Held {
  #parts = new Map();

  constructor(outbox) {
    this.outbox = outbox;
    this.list = h("ul", { id: "held" });
    document.getElementById("answers").before(this.list);
    this.line = document.getElementById("outbox");
  }

  update() {
    const now = Date.now();
    const held = this.outbox.entries.filter((entry) => entry.tries === 0 && entry.due > now);
    keyed(this.list, this.#parts, held, (entry) => entry.key, (entry) => this.#row(entry));
    const stuck = this.outbox.entries.filter((entry) => entry.tries > 1 || (entry.tries === 1 && document.documentElement.dataset.link === "lost")).length;
    this.line.hidden = stuck === 0;
    setText(this.line, stuck ? many("waiting", stuck) : "");
  }

  /** Written anew, in another language. */
  redraw() {
    for (const part of this.#parts.values()) part.element.remove();
    this.#parts.clear();
    this.update();
  }

  tick() {
    this.update();
  }

  #row(entry) {
    const undo = h("button", { type: "button", class: "undo", on: { click: () => this.outbox.undo(entry.key) } });
    const send = h("button", { type: "button", class: "quiet now", on: { click: () => this.outbox.now(entry.key) } }, t("send"));
    return {
      element: h("li", { role: "status" }, h("span", {}, entry.label), undo, send),
      update: (now) => setText(undo, `${t("undo")} ${Math.max(1, Math.ceil((now.due - Date.now()) / 1000))}`),
    };
  }
}
