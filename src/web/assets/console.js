// The arbiters' console.

import { Boards } from "./boards.js";
import { setText } from "./dom.js";
import { follow } from "./hall.js";
import { HealthLine } from "./health.js";
import { Needs, needsOf } from "./needs.js";
import { Players } from "./players.js";
import { Round } from "./round.js";
import { Screens } from "./screens.js";
import { logout, session } from "./session.js";
import { HubTime } from "./time.js";

const TICK_MS = 100;

const time = new HubTime();
const root = document.getElementById("console");
const boards = new Boards(root, time);
const needs = new Needs(root, time, (table) => boards.open(table));
const players = new Players(root);
const round = new Round(root, time, () => players.outdated());
const health = new HealthLine(root, time);
const screens = new Screens(root, time);

document.getElementById("theme").addEventListener("click", () => {
  const html = document.documentElement;
  html.dataset.theme = html.dataset.theme === "light" ? "dark" : "light";
  try {
    localStorage.setItem("flagfall-theme", html.dataset.theme);
  } catch {
    // Lasts as long as the page then.
  }
});
document.getElementById("logout").addEventListener("click", logout);

const jump = document.querySelector("[data-jump]");

/** The figure on the bar at the foot of a phone. */
function counts(hall) {
  const { length } = needsOf(hall);
  setText(jump, length ? String(length) : "");
}

session(async (info) => {
  setText(document.getElementById("who"), info.by);
  root.hidden = false;
  await time.sync();
  follow(time, {
    onHall: (hall) => {
      needs.update(hall);
      round.update(hall);
      players.update(hall);
      boards.update(hall);
      health.update(hall);
      screens.update(hall);
      counts(hall);
    },
    onHealth: (report) => health.health(report),
  });
  setInterval(() => {
    // Without a link nothing is counted on: a clock that runs would look live.
    if (document.documentElement.dataset.link !== "up") return;
    needs.tick();
    round.tick();
    boards.tick();
    screens.tick();
  }, TICK_MS);
});
