// From which position games start: a form for one table, and for all games of a round before they begin.

import { post } from "./api.js";
import { run, say } from "./dialogs.js";
import { h, setText } from "./dom.js";
import { words } from "./words/forms.js";
import { languageNow } from "./words/language.js";

const USUAL = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
/** The usual position among the 960. */
const USUAL_NUMBER = 518;

/** Whether the game at a table may still be started from elsewhere. */
export function mayStart(table) {
  return !table.draft && table.white !== null && table.result === null && table.ply === 0 && table.gaps === 0;
}

/** The men of a rank as a string of eight, `.` for empty. */
function rank(placement, number) {
  return placement.split("/")[8 - number].replace(/\d/g, (digits) => ".".repeat(Number(digits)));
}

/** The castling that the men allow: kings and rooks at home; in Chess960 a king between two rooks. */
function castling(placement, chess960) {
  const side = (men, king, rook) => {
    const at = men.indexOf(king);
    if (at < 0 || (!chess960 && at !== 4)) return "";
    const right = chess960 ? men.lastIndexOf(rook) > at : men[7] === rook;
    const left = chess960 ? men.indexOf(rook) >= 0 && men.indexOf(rook) < at : men[0] === rook;
    return (right ? king : "") + (left ? (king === "K" ? "Q" : "q") : "");
  };
  return side(rank(placement, 1), "K", "R") + side(rank(placement, 8), "k", "r") || "-";
}

/** What stands on a board as FEN; null without both kings. */
export function fenOf(placement, turn, chess960) {
  if (!placement.includes("K") || !placement.includes("k")) return null;
  return `${placement} ${turn} ${castling(placement, chess960)} - 0 1`;
}

/** Opens the form. `table` is null for all games of the round. */
export function openStartPosition({ table, event }) {
  const chess960 = event?.variant === "chess960";
  const place = table?.table ?? null;
  const kinds = ["usual", chess960 && "number", table !== null && "board", "fen"].filter(Boolean);
  const number = h("input", { type: "number", min: 0, max: 959, step: 1, inputMode: "numeric", name: "number" });
  const fen = h("input", { type: "text", name: "fen", autocomplete: "off", spellcheck: false, maxLength: 120, placeholder: USUAL });
  const turn = h("select", { name: "turn" }, h("option", { value: "w" }, words.white), h("option", { value: "b" }, words.black));
  const shown = h("code", {});
  const parts = {
    number: h("label", { class: "field" }, h("span", {}, words.numberLabel), number),
    fen: h("label", { class: "field" }, h("span", {}, words.fenLabel), fen),
    board: h("div", {}, h("label", { class: "field" }, h("span", {}, words.turn), turn), shown),
  };
  const choice = h("select", { name: "kind", "aria-label": words.open }, kinds.map((kind) => h("option", { value: kind }, words[kind])));
  const seen = () => fenOf(table.seen ?? table.position, turn.value, chess960);
  const follow = () => {
    for (const [kind, part] of Object.entries(parts)) part.hidden = kind !== choice.value;
    number.required = choice.value === "number";
    fen.required = choice.value === "fen";
    if (table !== null) setText(shown, seen() ?? words.lacking);
  };
  const body = () => ({
    usual: () => (chess960 ? { number: USUAL_NUMBER } : { fen: USUAL }),
    number: () => ({ number: Number(number.value) }),
    fen: () => ({ fen: fen.value.trim() }),
    board: () => ({ fen: seen() }),
  })[choice.value]();
  const now = table?.start ? h("p", { class: "small" }, words.now, " ", h("code", {}, table.start)) : null;
  const set = h("button", { type: "submit", class: "primary" }, words.set);
  const form = h("form", {}, h("h2", { id: "start-position-title" }, place === null ? words.titleRound : words.titleTable(place)), now, choice,
    ...Object.values(parts), h("div", { class: "actions" }, h("button", { type: "button", class: "quiet", "data-cancel": "" }, words.cancel), set));
  const dialog = h("dialog", { class: "ask start-position", lang: languageNow(), "aria-labelledby": "start-position-title" }, form);
  form.querySelector("[data-cancel]").addEventListener("click", () => dialog.close());
  choice.addEventListener("change", follow);
  turn.addEventListener("change", follow);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const asked = body();
    if (asked.fen === null) {
      say(words.lacking, { bad: true });
      return;
    }
    const path = place === null ? "/round/start-position" : `/tables/${place}/start-position`;
    if (await run(set, () => post(path, asked), words.done(place))) dialog.close();
  });
  dialog.addEventListener("close", () => dialog.remove());
  follow();
  document.body.append(dialog);
  dialog.showModal();
}
