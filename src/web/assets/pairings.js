// The pairings for everybody: who plays where, and the results as they come.

import { h, keyed, setAttr, setText } from "./dom.js";
import { resultText } from "./results.js";
import { Live } from "./stream.js";
import { HubTime, instant } from "./time.js";

const at = (id) => document.getElementById(id);
const time = new HubTime();
const parts = new Map();
let view = null;

const nameOf = (player) => player.name ?? `No. ${player.no}`;

function line() {
  const number = h("span", { class: "number" });
  const white = h("span", { class: "player white" });
  const result = h("span", { class: "result" });
  const black = h("span", { class: "player black" });
  return {
    element: h("li", {}, number, white, result, black),
    update: (table) => {
      setText(number, String(table.table));
      setText(white, nameOf(table.white));
      setText(black, nameOf(table.black));
      setText(result, table.result ? resultText(table.result) : "–");
      setAttr(result, "data-open", table.result ? null : "yes");
    },
  };
}

function startText() {
  if (!view.published) return "";
  if (view.started_at) return `Started at ${time.wall(instant(view.started_at))}`;
  return view.starts_at ? `Start at ${time.wall(instant(view.starts_at))}` : "";
}

function draw() {
  if (view === null) return;
  setText(at("event"), view.event ?? "");
  setText(at("title"), view.round === null ? "Pairings" : `Round ${view.round}${view.rounds ? ` of ${view.rounds}` : ""}`);
  setText(at("start"), startText());
  keyed(at("tables"), parts, view.tables, (table) => table.table, line);
  at("none").hidden = view.published;
  setText(at("none"), view.round === null ? "No round is paired yet." : "The pairings will be posted soon.");
  setText(at("bye"), view.bye ? `Free this round: ${nameOf(view.bye)}` : "");
}

// Until then the offset of a zone without a name is not known.
time.sync().then(draw);
new Live("/api/v1/pairings/stream", {
  pairings: (now) => {
    view = now;
    time.useZone(view.zone);
    draw();
  },
}, (up) => {
  at("lost").hidden = up;
  document.documentElement.dataset.link = up ? "up" : "lost";
});
