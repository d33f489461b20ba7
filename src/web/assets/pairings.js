// The pairings for everybody: who plays where, and the results as they come; earlier rounds by a link.

import { get } from "./api.js";
import { h, keyed, setAttr, setText } from "./dom.js";
import { resultText } from "./results.js";
import { Live } from "./stream.js";
import { HubTime, instant } from "./time.js";

const at = (id) => document.getElementById(id);
const time = new HubTime();
const parts = new Map();
const links = new Map();
/** The round that the address asks for; without one the newest. */
const asked = Number(new URLSearchParams(location.search).get("round")) || null;
/** The newest public round, as the hub tells it. */
let newest = null;
/** The round that was asked for, when it is an earlier one. */
let earlier = null;
let problem = "";
let asking = false;

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

/** A link to a round; the newest one has the plain address, so that it goes on with the event. */
function link(round) {
  const element = h("a", {}, String(round));
  return {
    element: h("li", {}, element),
    update: (number) => {
      setAttr(element, "href", number === newest.latest ? "/pairings" : `/pairings?round=${number}`);
      setAttr(element, "aria-current", number === (asked ?? newest.latest) ? "page" : null);
    },
  };
}

function startText(view) {
  if (view.round === null) return "";
  if (view.closed) return "All results are in";
  if (view.started_at) return `Started at ${time.wall(instant(view.started_at))}`;
  return view.starts_at ? `Start at ${time.wall(instant(view.starts_at))}` : "";
}

function comingText() {
  if (newest.coming !== null) return `The pairings of round ${newest.coming} will be posted soon.`;
  return newest.latest === null ? "No round is paired yet." : "";
}

function draw() {
  if (newest === null) return;
  const isNewest = asked === null || asked === newest.latest;
  const view = isNewest ? newest : earlier;
  setText(at("event"), newest.event ?? "");
  const round = asked ?? newest.latest;
  setText(at("title"), round === null ? "Pairings" : `Round ${round}${newest.rounds ? ` of ${newest.rounds}` : ""}`);
  document.title = `${at("title").textContent} · ${newest.event ?? "Pairings"}`;
  setText(at("start"), view ? startText(view) : "");
  const count = newest.latest ?? 0;
  at("rounds").hidden = count < 2;
  keyed(at("rounds").querySelector("ol"), links, Array.from({ length: count }, (_, index) => index + 1), (number) => number, link);
  setText(at("coming"), isNewest ? comingText() : "");
  keyed(at("tables"), parts, view?.tables ?? [], (table) => table.table, line);
  setText(at("none"), isNewest ? "" : problem);
  setText(at("bye"), view?.bye ? `Free this round: ${nameOf(view.bye)}` : "");
}

/** An earlier round does not change any more: it is asked for once. */
async function ask() {
  if (asked === null || asked === newest.latest || earlier !== null || asking) return;
  asking = true;
  try {
    earlier = await get(`/pairings?round=${asked}`);
    problem = "";
  } catch (error) {
    problem = error.status === 404 ? `Round ${asked} is not public.` : error.message;
  }
  asking = false;
  draw();
}

// Until then the offset of a zone without a name is not known.
time.sync().then(draw);
new Live("/api/v1/pairings/stream", {
  pairings: (now) => {
    newest = now;
    time.useZone(now.zone);
    draw();
    ask();
  },
}, (up) => {
  at("lost").hidden = up;
  document.documentElement.dataset.link = up ? "up" : "lost";
});
