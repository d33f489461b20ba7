// The arbiters' console.

import { Alarm } from "./alarm.js";
import { Boards } from "./boards.js";
import { say } from "./dialogs.js";
import { setText } from "./dom.js";
import { follow } from "./hall.js";
import { HealthLine } from "./health.js";
import { Held } from "./held.js";
import { Needs } from "./needs.js";
import { Notices } from "./notices.js";
import { Outbox } from "./outbox.js";
import { Players } from "./players.js";
import { Round } from "./round.js";
import { Screens } from "./screens.js";
import { logout, session } from "./session.js";
import { Staff } from "./staff.js";
import { HubTime } from "./time.js";
import { words } from "./words/desk.js";
import { languageNow, onLanguage, write } from "./words/language.js";
import { t } from "./words/queue.js";

const TICK_MS = 100;
const PARTS = ["console", "jump", "table-dialog"];

const time = new HubTime();
const root = document.getElementById("console");
const outbox = new Outbox({
  onChange: () => changed(),
  onDone: (entry) => { if (entry.held) say(t("recorded", entry.label)); },
  onRefused: (entry, error) => say(`${entry.label}: ${t("refused")}. ${error.message}`, { bad: true, help: error.help }),
});
const notices = new Notices();
const alarm = new Alarm(notices);
const boards = new Boards(root, time, outbox);
const needs = new Needs(root, time, (table) => boards.open(table), outbox, { alarm, notices });
const held = new Held(outbox);
const staff = new Staff(root, time);
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
document.getElementById("logout").addEventListener("click", () => notices.close().then(logout));
document.getElementById("alarm").addEventListener("click", () => alarm.ask());

/** The words of the page itself; each part writes its own. */
function speak() {
  document.documentElement.lang = languageNow();
  for (const part of PARTS) write(document.getElementById(part), words);
}
speak();
onLanguage(() => {
  speak();
  needs.redraw();
  held.redraw();
});

// For a keyboard: n goes to the first thing that needs somebody.
addEventListener("keydown", (event) => {
  if (event.key !== "n" || event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, select, textarea, dialog")) return;
  document.querySelector("#needs-list .need:not([data-line]) .actions button:not([hidden]), #needs-list button")?.focus();
});

/** A tap came or went: the list shows it. */
function changed() {
  held.update();
  needs.update(now);
}

let now = null;

const jump = document.querySelector("[data-jump]");

session(async (info) => {
  setText(document.getElementById("who"), info.by);
  document.documentElement.dataset.role = info.role;
  needs.open(info.by);
  staff.open(info);
  outbox.open(info.by);
  needs.redraw();
  root.hidden = false;
  void notices.open();
  await time.sync();
  follow(time, {
    onHall: (hall) => {
      now = hall;
      needs.update(hall);
      staff.update(hall);
      round.update(hall);
      players.update(hall);
      boards.update(hall);
      health.update(hall);
      screens.update(hall);
      // The figure on the bar at the foot of a phone.
      setText(jump, needs.count.textContent);
    },
    onHealth: (report) => health.health(report),
  });
  setInterval(() => {
    held.tick();
    // Without a link nothing is counted on: a clock that runs would look live.
    if (document.documentElement.dataset.link !== "up") return;
    needs.tick();
    alarm.tick();
    round.tick();
    boards.tick();
    screens.tick();
  }, TICK_MS);
});
