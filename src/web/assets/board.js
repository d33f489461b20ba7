// Diagrams: our own pieces as simple shapes, drawn once and used everywhere.

import { s } from "./dom.js";

const BASE = "M10.5 38.5h24v-3a2 2 0 0 0-2-2h-20a2 2 0 0 0-2 2z";
const PIECES = {
  p: ["M22.5 18.5c-4.6 2.6-5.6 8-8 14h16c-2.4-6-3.4-11.4-8-14z", "M22.5 8.5a5.7 5.7 0 1 0 .01 0z"],
  r: ["M12 8.5h5v3.4h3V8.5h5v3.4h3V8.5h5v8l-3.2 3v9.2l2.7 3.8h-20l2.7-3.8v-9.2l-3.2-3z"],
  n: ["M13.5 32.5c.4-6.5 5.6-8.4 6.6-12.6-2.2.4-4 1.3-5.6 2.9-1.6 1.6-3.9 1.3-5-.7-.7-1.3-.4-2.6.7-3.8 2.8-3.1 3.2-6.2 6.2-8.8l.3-4 4 2.6c7.7.5 12.3 6.8 12.3 15.6 0 3-.4 6-1 8.8z"],
  b: ["M22.5 9c5.2 4 8.3 8.3 8.3 13 0 3.6-1.6 6-3.8 8l1.6 2.5H16.4l1.6-2.5c-2.2-2-3.8-4.4-3.8-8 0-4.7 3.1-9 8.3-13z", "M22.5 4.4a2.6 2.6 0 1 0 .01 0z"],
  q: ["M8.5 14l4.6 18.5h18.8L36.5 14l-6.7 9.5-1.6-13-5.7 12-5.7-12-1.6 13z", "M8.5 9.8a2.3 2.3 0 1 0 .01 0zM16.8 6.3a2.3 2.3 0 1 0 .01 0zM28.2 6.3a2.3 2.3 0 1 0 .01 0zM36.5 9.8a2.3 2.3 0 1 0 .01 0z"],
  k: ["M22.5 17c-2.6-4.8-12.6-4.3-13.6 2.4-.6 4.6 3 7.6 4.6 13.1h18c1.6-5.5 5.2-8.5 4.6-13.1-1-6.7-11-7.2-13.6-2.4z", "M21.2 13.5V10h-3V7.4h3v-3h2.6v3h3V10h-3v3.5z"],
};
const DETAILS = {
  b: "M22.5 15.5v8M18.7 19.3h7.6",
  n: "M17.9 14.3v.01",
  k: "M22.5 20v9.5",
  q: "M15.5 29h14",
  r: "M16.5 20h12M16.5 28h12",
};

function defs() {
  const holder = s("svg", { width: 0, height: 0, "aria-hidden": "true", class: "defs" });
  for (const [name, shapes] of Object.entries(PIECES)) {
    const symbol = s("symbol", { id: `piece-${name}`, viewBox: "0 0 45 45" });
    for (const d of [...shapes, BASE]) symbol.append(s("path", { d, class: "body" }));
    if (DETAILS[name]) symbol.append(s("path", { d: DETAILS[name], class: "detail" }));
    holder.append(symbol);
  }
  document.body.prepend(holder);
}
if (document.body) defs();
else addEventListener("DOMContentLoaded", defs);

/** The first field of a FEN as 64 letters from a8 to h1; a space is an empty square. */
export function squares(fen) {
  const field = (fen ?? "").split(" ")[0];
  const all = field.replaceAll("/", "").replace(/\d/g, (n) => " ".repeat(Number(n)));
  return all.length === 64 ? [...all] : Array(64).fill(" ");
}

const NAMES = { p: "pawn", n: "knight", b: "bishop", r: "rook", q: "queen", k: "king" };

/** For those who cannot see the diagram: all pieces by square. */
function describe(cells) {
  const parts = [];
  cells.forEach((char, i) => {
    if (char === " ") return;
    const color = char === char.toUpperCase() ? "white" : "black";
    parts.push(`${color} ${NAMES[char.toLowerCase()]} ${"abcdefgh"[i % 8]}${8 - Math.floor(i / 8)}`);
  });
  return parts.join(", ");
}

const index = (square) => (8 - Number(square[1])) * 8 + square.charCodeAt(0) - 97;

export class Diagram {
  #shown = null;

  constructor(label) {
    this.label = label;
    this.cells = s("g");
    this.marks = s("g");
    this.pieces = s("g");
    const light = s("rect", { width: 8, height: 8, class: "light" });
    const dark = s("path", {
      class: "dark",
      d: Array.from({ length: 64 }, (_, i) => i).filter((i) => (i % 8 + Math.floor(i / 8)) % 2)
        .map((i) => `M${i % 8} ${Math.floor(i / 8)}h1v1h-1z`).join(""),
    });
    this.element = s("svg", { viewBox: "0 0 8 8", class: "diagram", role: "img" }, light, dark, this.marks, this.pieces);
  }

  /** Shows a placement; `last` (UCI) marks a move, `differs` another placement whose differences are ringed. */
  show(fen, { last = null, differs = null } = {}) {
    const key = `${fen}|${last}|${differs}`;
    if (key === this.#shown) return;
    this.#shown = key;
    const cells = squares(fen);
    this.marks.replaceChildren();
    this.pieces.replaceChildren();
    for (const square of last ? [last.slice(0, 2), last.slice(2, 4)] : []) {
      const i = index(square);
      this.marks.append(s("rect", { x: i % 8, y: Math.floor(i / 8), width: 1, height: 1, class: "last" }));
    }
    cells.forEach((char, i) => {
      if (char === " ") return;
      const name = char.toLowerCase();
      this.pieces.append(s("use", {
        href: `#piece-${name}`, x: i % 8, y: Math.floor(i / 8), width: 1, height: 1, class: char === name ? "black" : "white",
      }));
    });
    if (differs) {
      squares(differs).forEach((char, i) => {
        if (char !== cells[i]) {
          this.pieces.append(s("rect", { x: i % 8 + 0.06, y: Math.floor(i / 8) + 0.06, width: 0.88, height: 0.88, rx: 0.16, class: "differs" }));
        }
      });
    }
    this.element.setAttribute("aria-label", `${this.label}: ${describe(cells)}`);
  }
}
