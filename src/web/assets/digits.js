// The digits of the countdown, drawn by ourselves: the same on every machine, whatever fonts it has.
// Each is a stroke on a field of 100 x 200.

import { s } from "./dom.js";

const SHAPES = {
  0: "M17 50a33 33 0 0 1 66 0v100a33 33 0 0 1-66 0z",
  1: "M21 54 57 24V200",
  2: "M17 64V50a33 33 0 0 1 66 0v10c0 17-5 27-14 41L20 183H95",
  3: "M17 60V50a33 33 0 0 1 66 0v14a31 31 0 0 1-31 31H38h14a31 31 0 0 1 31 31v24a33 33 0 0 1-66 0v-10",
  4: "M62-12 24 139H100M73 88V200",
  5: "M88 17H24v83c6-10 16-15 27-15a32 32 0 0 1 32 32v33a33 33 0 0 1-66 0v-10",
  6: "M83 60V50a33 33 0 0 0-66 0v100a33 33 0 0 0 66 0v-32a33 33 0 0 0-66 0",
  7: "M6 17H79L35 220",
  8: "M50 17a30 30 0 0 1 30 30v18a30 30 0 0 1-60 0V47a30 30 0 0 1 30-30zM50 95a33 33 0 0 1 33 33v22a33 33 0 0 1-66 0v-22a33 33 0 0 1 33-33z",
  9: "M17 140v10a33 33 0 0 0 66 0V50a33 33 0 0 0-66 0v32a33 33 0 0 0 66 0",
  ":": "M20 48v36M20 116v36",
  "+": "M50 60v80M10 100h80",
};

/** Shows a text of digits and colons in `parent`; only what changed is drawn. */
export class Digits {
  #cells = [];

  constructor(parent) {
    this.parent = parent;
  }

  show(text) {
    if (this.#cells.length !== text.length) {
      this.#cells = [...text].map((char) => this.#cell(char));
      this.parent.replaceChildren(...this.#cells.map((cell) => cell.svg));
      this.parent.dataset.length = text.length;
    }
    [...text].forEach((char, i) => {
      const cell = this.#cells[i];
      if (cell.char === char) return;
      cell.char = char;
      cell.path.setAttribute("d", SHAPES[char] ?? "");
      cell.svg.setAttribute("class", char === ":" ? "colon" : "digit");
      cell.svg.setAttribute("viewBox", char === ":" ? "0 0 40 200" : "0 0 100 200");
    });
  }

  #cell() {
    const path = s("path", { d: "", fill: "none", stroke: "currentColor", "stroke-width": 33, "stroke-linejoin": "miter", "stroke-miterlimit": 2 });
    return { char: null, path, svg: s("svg", { "aria-hidden": "true" }, path) };
  }
}
