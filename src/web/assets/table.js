// The page of one table: the game move by move with its clocks.

import { get } from "./api.js";
import { Diagram, squares } from "./board.js";
import { seenNow, timeLeft, troubles } from "./boards.js";
import { h, setAttr, setText } from "./dom.js";
import { follow } from "./hall.js";
import { Reading } from "./reading.js";
import { outcomeText } from "./results.js";
import { session } from "./session.js";
import { HubTime, gameClock } from "./time.js";

const START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
const at = (id) => document.getElementById(id);
const number = Number(document.body.dataset.table);
const time = new HubTime();
const diagram = new Diagram("Position");
at("diagram").append(diagram.element);
const reading = new Reading(number);
at("reading").append(reading.element);
let table = null;
let game = null;
let positions = [START];
let shown = null; // null: follow the game
let loaded = "";

const index = (square) => (8 - Number(square[1])) * 8 + square.charCodeAt(0) - 97;

/** Moves the pieces of a move that the hub has found legal. */
function play(cells, uci) {
  const next = [...cells];
  const [from, to] = [index(uci.slice(0, 2)), index(uci.slice(2, 4))];
  const piece = next[from];
  const name = piece.toLowerCase();
  if (name === "k" && (Math.abs(from - to) === 2 || (next[to].toLowerCase() === "r" && (next[to] === "R") === (piece === "K")))) {
    const short = to > from;
    const row = from - (from % 8);
    const rook = next[to].toLowerCase() === "r" ? to : row + (short ? 7 : 0);
    const man = next[rook];
    next[from] = " ";
    next[rook] = " ";
    next[row + (short ? 6 : 2)] = piece;
    next[row + (short ? 5 : 3)] = man;
    return next;
  }
  if (name === "p" && from % 8 !== to % 8 && next[to] === " ") next[from - (from % 8) + (to % 8)] = " ";
  next[from] = " ";
  next[to] = uci[4] ? (piece === "P" ? uci[4].toUpperCase() : uci[4]) : piece;
  return next;
}

function fen(cells) {
  return Array.from({ length: 8 }, (_, row) => cells.slice(row * 8, row * 8 + 8).join("").replace(/ +/g, (gap) => gap.length)).join("/");
}

async function load() {
  const key = `${table.ply} ${table.last_uci} ${table.result} ${table.gaps}`;
  if (key === loaded) return;
  loaded = key;
  try {
    game = await get(`/tables/${number}/game`);
  } catch (error) {
    game = null;
    if (error.status !== 404) loaded = "";
  }
  const start = game?.start?.split(" ")[0] ?? START;
  positions = [start];
  let cells = squares(start);
  (game?.moves ?? []).forEach((move, ply) => {
    const gap = gapAfter(ply);
    if (gap?.fen) cells = squares(gap.fen.split(" ")[0]);
    cells = play(cells, move.uci);
    positions.push(fen(cells));
  });
  list();
  draw();
}

/** The place where moves are missing after so many recorded half moves. */
const gapAfter = (ply) => game?.gaps.find((gap) => gap.after === ply);

function list() {
  const moves = game?.moves ?? [];
  const rows = [];
  const missing = (ply) => {
    if (gapAfter(ply)) rows.push(h("li", { class: "gap" }, "moves are missing here"));
  };
  let row = null;
  let [number, black] = [1, false];
  const button = (move, ply) => h("button", { type: "button", "data-ply": ply + 1, on: { click: () => go(ply + 1) } },
    h("span", {}, move.san), h("small", {}, move.clock_ms === null ? "" : gameClock(move.clock_ms)));
  moves.forEach((move, ply) => {
    missing(ply);
    const fields = (gapAfter(ply)?.fen ?? (ply === 0 ? game.start : null))?.split(" ");
    if (fields) [row, number, black] = [null, Number(fields[5]), fields[1] === "b"];
    if (row === null) {
      row = h("li", {}, h("i", {}, `${number}.`));
      if (black) row.append(h("span", {}, "…"));
      rows.push(row);
    }
    row.append(button(move, ply));
    if (black) [row, number] = [null, number + 1];
    black = !black;
  });
  missing(moves.length);
  at("moves").replaceChildren(...rows);
  at("no-moves").hidden = rows.length > 0;
}

function go(ply) {
  const last = positions.length - 1;
  shown = ply >= last ? null : Math.max(0, ply);
  draw();
}

function draw() {
  const last = positions.length - 1;
  const ply = shown ?? last;
  const seen = table && seenNow(table);
  if (shown === null && table) diagram.show(seen ?? table.position, { last: table.last_uci, differs: seen ? table.position : null });
  else diagram.show(positions[ply], { last: game?.moves[ply - 1]?.uci });
  at("rings").hidden = shown !== null || !seen || squares(seen).join() === squares(table.position).join();
  let current = null;
  for (const button of at("moves").querySelectorAll("button")) {
    const here = Number(button.dataset.ply) === ply;
    setAttr(button, "aria-current", here ? "step" : null);
    if (here) current = button;
  }
  if (shown === null) at("moves").scrollTop = at("moves").scrollHeight;
  else current?.scrollIntoView({ block: "nearest" });
  const over = Boolean(table?.result);
  setText(at("live"), over ? "End" : "Live");
  setText(at("where"), shown === null ? (over ? "Final position" : "The game as it runs") : ply === 0 ? "Start" : `After ${Math.ceil(ply / 2)}${ply % 2 ? "." : "…"} ${game.moves[ply - 1].san}`);
}

function tick() {
  if (!table || document.documentElement.dataset.link !== "up") return;
  const now = time.now();
  for (const color of ["white", "black"]) {
    const ms = timeLeft(table, color, now);
    setText(at(`${color}-time`), ms === null ? "–:––" : gameClock(ms));
    const runs = table.clock?.running === color && table.result === null;
    setAttr(at(`${color}-side`), "data-running", runs ? (table.online ? "yes" : "unknown") : null);
  }
  setText(at("troubles"), troubles(table, now).map(([, word]) => word).join(", "));
}

at("first").addEventListener("click", () => go(0));
at("back").addEventListener("click", () => go((shown ?? positions.length - 1) - 1));
at("next").addEventListener("click", () => go((shown ?? positions.length - 1) + 1));
at("live").addEventListener("click", () => go(Infinity));
addEventListener("keydown", (event) => {
  const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (step) go((shown ?? positions.length - 1) + step);
  if (event.key === "Home") go(0);
  if (event.key === "End") go(Infinity);
});

session(async () => {
  at("page").hidden = false;
  await time.sync();
  follow(time, {
    onHall: (hall) => {
      table = hall.tables.find((each) => each.table === number) ?? null;
      at("missing").hidden = table !== null;
      at("game").hidden = table === null;
      if (!table) return;
      reading.update(table.question);
      for (const color of ["white", "black"]) {
        const player = table[color];
        setText(at(`${color}-name`), player ? `${player.name}${player.rating ? ` (${player.rating})` : ""}` : "—");
      }
      setText(at("round"), hall.round ? `Round ${hall.round.number}` : "");
      setText(at("result"), table.result ? outcomeText(table) : "");
      if (hall.round) setAttr(at("round-pgn"), "href", `/api/v1/rounds/${hall.round.number}/games.pgn`);
      load();
      draw();
      tick();
    },
  });
  setInterval(tick, 100);
});
