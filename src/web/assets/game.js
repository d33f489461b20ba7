// The page of one game as evidence: every half-move with both clocks and the time of day, and what
// happened between them. Made for a dispute an hour or a day later, and for paper.

import { get } from "./api.js";
import { Diagram, squares } from "./board.js";
import { h, setAttr, setText } from "./dom.js";
import { endText, resultText } from "./results.js";
import { session } from "./session.js";
import { HubTime, clockText, instant } from "./time.js";

/** A game that goes on is read again this often. */
const AGAIN_MS = 15_000;
const KINDS = {
  board: "Board", touch: "Touched piece", clock: "Clock", flag: "Flag", correction: "Correction", illegal: "Illegal move", gap: "Gap", withdrawn: "Withdrawn",
  call: "Call", alert: "Alert", proposal: "Proposal", result: "Result", incident: "Incident", device: "Board",
};
const at = (id) => document.getElementById(id);
const table = Number(document.body.dataset.table);
const round = new URLSearchParams(location.search).get("round");
const query = round ? `?round=${encodeURIComponent(round)}` : "";
const time = new HubTime();
const last = new Diagram("Last position");
at("diagram").append(last.element);
let shown = "";

const wall = (text) => time.wall(instant(text), { seconds: true });
/** What a clock showed: whole seconds, as they were read. */
const reading = (ms) => (ms === null ? "–" : clockText(Math.floor(ms / 1000)));

function line(move) {
  const name = `${move.number}${move.side === "white" ? "." : "…"} ${move.san}`;
  const gone = move.withdrawn_at !== null;
  const spent = move.spent_ms === null ? "" : clockText(Math.round(move.spent_ms / 1000));
  const title = [move.inferred && "the board did not show every step", gone && `withdrawn at ${wall(move.withdrawn_at)}`].filter(Boolean).join("; ");
  return h("li", { class: "half", "data-side": move.side, "data-withdrawn": gone ? "yes" : null, title: title || null },
    h("b", {}, gone ? h("del", {}, name) : name, move.inferred ? "*" : null),
    h("time", { dateTime: move.pressed_at ?? move.at }, wall(move.pressed_at ?? move.at)),
    h("span", {}, reading(move.white_ms)), h("span", {}, reading(move.black_ms)), h("span", { class: "spent" }, spent));
}

function boards(note) {
  if (!note.position || !["illegal", "board", "proposal", "gap"].includes(note.kind)) return null;
  const differs = note.seen && squares(note.seen).join() !== squares(note.position).join();
  // A result without kings or a gap that nobody saw over: the position stands above already.
  if (!differs && note.kind === "proposal") return null;
  const figure = (label, fen, options) => {
    const diagram = new Diagram(label);
    diagram.show(fen, options);
    return h("figure", {}, diagram.element, h("figcaption", {}, label));
  };
  const before = note.kind === "gap" ? "The game goes on from" : differs ? "Last legal position" : "On the board";
  return h("div", { class: "boards" }, figure(before, note.position, {}),
    differs && figure("On the board", note.seen, { differs: note.position }));
}

function noteLine(note) {
  const times = note.white_ms === null ? null : h("span", { class: "times" }, `White ${reading(note.white_ms)}, Black ${reading(note.black_ms)}`);
  const by = note.by ? ` — ${note.by}` : "";
  const steps = note.steps.map((step) => h("li", {}, h("time", { dateTime: step.at }, wall(step.at)), " ", step.text, step.by ? ` — ${step.by}` : ""));
  return h("li", { class: "note", "data-kind": note.kind },
    h("p", {}, h("time", { dateTime: note.at }, wall(note.at)), " ", h("strong", {}, KINDS[note.kind] ?? note.kind), " ", note.text, by, " ", times),
    steps.length > 0 && h("ul", {}, steps), boards(note));
}

function fact(term, text) {
  return text ? h("div", {}, h("dt", {}, term), h("dd", {}, text)) : null;
}

function player(view) {
  return [view.title, view.name, view.rating ? `(${view.rating})` : ""].filter(Boolean).join(" ");
}

function show(sheet) {
  time.useZone(sheet.zone);
  const result = sheet.result === null ? "" : resultText(sheet.result);
  setText(at("event"), sheet.event);
  setText(at("title"), `Round ${sheet.round}, table ${sheet.table}${result ? `: ${result}` : ""}`);
  document.title = `Round ${sheet.round}, table ${sheet.table} · ${document.documentElement.dataset.hub}`;
  at("rounds").hidden = sheet.rounds.length < 2;
  at("rounds").replaceChildren(...sheet.rounds.map((number) =>
    h("a", { href: `/table/${table}/game?round=${number}`, "aria-current": number === sheet.round ? "page" : null }, `Round ${number}`)));
  setText(at("white"), player(sheet.white));
  setText(at("black"), player(sheet.black));
  const [white, black] = sheet.illegal;
  const started = sheet.clock_started_at ?? sheet.round_started_at;
  at("facts").replaceChildren(...[
    fact("Result", result ? [result, endText(sheet.termination)].filter(Boolean).join(", ") : "open"),
    fact("Recorded", sheet.result_at && wall(sheet.result_at)),
    fact("Date", started && time.day(instant(started), { year: true })),
    fact("Round started", sheet.round_started_at && wall(sheet.round_started_at)),
    fact("Clock started", sheet.clock_started_at && wall(sheet.clock_started_at)),
    fact("Time control", sheet.time_control),
    fact("Illegal moves", white || black ? `White ${white}, Black ${black}` : ""),
  ].filter(Boolean));
  const frozen = sheet.end.frozen_at !== null;
  setText(at("end-title"), frozen ? "Final position" : sheet.result === null ? "Position now" : "Last position");
  last.show(sheet.end.position, { last: sheet.end.last_uci });
  setText(at("end-white"), reading(sheet.end.white_ms));
  setText(at("end-black"), reading(sheet.end.black_ms));
  setText(at("end-note"), frozen ? `As it stood before the kings were moved or the pieces put back; kept at ${wall(sheet.end.frozen_at)}.` : "");
  setText(at("fen"), sheet.end.position);
  const lines = [
    // What corrects a move stands before the move that takes its place.
    ...sheet.notes.map((note) => [note.seq, noteLine(note)]),
    ...sheet.moves.map((move) => [move.seq, line(move)]),
  ].sort(([a], [b]) => a - b).map(([, element]) => element);
  const head = h("li", { class: "half head" }, h("b", {}, "Move"), h("span", {}, "Time"), h("span", {}, "White"), h("span", {}, "Black"), h("span", { class: "spent" }, "Spent"));
  at("lines").replaceChildren(...(lines.length ? [head, ...lines] : []));
  at("no-lines").hidden = lines.length > 0;
  const inferred = sheet.moves.some((move) => move.inferred) ? " * The board did not show every step of this move." : "";
  setText(at("zone"), `Times of day are those of ${sheet.zone ?? "the hub"}: of the press of the clock, else of the move. Clock times are as read after the press; “spent” only where they prove it.${inferred}`);
  setAttr(at("pgn"), "href", `/api/v1/tables/${table}/game.pgn?round=${sheet.round}`);
}

async function load() {
  let sheet;
  try {
    sheet = await get(`/tables/${table}/sheet${query}`);
  } catch (error) {
    setText(at("problem"), [error.message, error.help].filter(Boolean).join(" "));
    at("problem").hidden = false;
    return true;
  }
  at("problem").hidden = true;
  at("sheet").hidden = false;
  const text = JSON.stringify(sheet);
  // Whoever reads or prints is not disturbed for nothing.
  if (text !== shown) show(sheet);
  shown = text;
  return sheet.result === null;
}

async function follow() {
  const open = await load();
  if (open) setTimeout(follow, AGAIN_MS);
}

at("print").addEventListener("click", () => print());

session(async () => {
  at("page").hidden = false;
  await time.sync();
  follow();
});
