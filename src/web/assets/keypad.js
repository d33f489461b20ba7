// A plain USB keypad for the start of the round: what its keys do is what the keys on the page do.

import { h, setText } from "./dom.js";
import { words } from "./words/screens.js";

const STORE = "flagfall-keypad";
const KEYS = {
  NumpadSubtract: "[data-shift='-60']", NumpadAdd: "[data-shift='60']", NumpadMultiply: "[data-shift='300']", Numpad5: "[data-shift='300']",
  NumpadEnter: "#start", Numpad0: "#hold",
};

export class Keypad {
  constructor(root) {
    this.root = root;
    this.box = h("input", { type: "checkbox", checked: this.#remembered(), on: { change: () => this.#remember() } });
    this.text = h("span", {});
    this.element = h("label", { class: "tick keypad" }, this.box, this.text);
    addEventListener("keydown", (event) => this.#press(event));
  }

  /** Writes it in the language that holds now. */
  speak() {
    setText(this.text, words.keypad);
  }

  #press(event) {
    const wanted = KEYS[event.code];
    const { target } = event;
    const typing = target instanceof HTMLElement && target.closest("input:not([type=checkbox]), textarea, select, dialog");
    if (!wanted || !this.box.checked || event.repeat || typing || document.querySelector("dialog[open]")) return;
    const button = this.root.querySelector(wanted);
    if (!button?.checkVisibility()) return;
    event.preventDefault();
    button.click();
  }

  #remembered() {
    try {
      return localStorage.getItem(STORE) === "on";
    } catch {
      return false;
    }
  }

  #remember() {
    try {
      localStorage.setItem(STORE, this.box.checked ? "on" : "off");
    } catch {
      // It holds as long as the page then.
    }
  }
}
