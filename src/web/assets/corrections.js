// Corrections of what is public: first what comes of it, then the word that does it.
import { get, post } from "./api.js";

const form = document.getElementById("correction");
const confirmation = document.getElementById("confirm");
const foreseen = document.getElementById("foreseen");
const problem = document.getElementById("problem");
const { lang, nobody, place, points } = form.dataset;
const NUMBERS = ["round", "table", "first", "second", "player", "rating"];
let wanted = null;

function fit() {
  for (const label of form.querySelectorAll("[data-for]")) {
    const shown = label.dataset.for.split(" ").includes(form.what.value);
    label.hidden = !shown;
    label.querySelector("input, select").disabled = !shown;
  }
  leave();
}

function leave() {
  wanted = null;
  foreseen.hidden = true;
  problem.hidden = true;
}

function say(error) {
  foreseen.hidden = true;
  problem.textContent = [error.message, error.help].filter(Boolean).join(" ");
  problem.hidden = false;
}

function list(id, texts) {
  document.getElementById(id).replaceChildren(...texts.map((text) => {
    const item = document.createElement("li");
    item.textContent = text;
    return item;
  }));
}

function show(view) {
  problem.hidden = true;
  document.getElementById("change").textContent = view.text;
  list("consequences", view.consequences);
  const moves = view.places.map((it) =>
    `${it.player.no} ${it.player.name}: ${points} ${it.points_before} → ${it.points_after}, ${place} ${it.place_before} → ${it.place_after}`);
  list("places", moves.length > 0 ? moves : [nobody]);
  foreseen.hidden = false;
  foreseen.scrollIntoView({ block: "nearest" });
  confirmation.note.focus();
}

function change() {
  const change = { what: form.what.value };
  for (const field of form.querySelectorAll("[name]:enabled")) {
    const value = field.value.trim();
    if (field.name !== "what" && value !== "") {
      change[field.name] = NUMBERS.includes(field.name) ? Number(value) : value;
    }
  }
  return change;
}

form.addEventListener("change", (event) => {
  if (event.target === form.what) fit();
  else leave();
});
form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const asked = change();
  try {
    const view = await post(`/amendments/preview?lang=${lang}`, asked);
    wanted = (note) => post("/amendments", { change: asked, note });
    show(view);
  } catch (error) {
    say(error);
  }
});
for (const button of document.querySelectorAll("[data-revert]")) {
  button.addEventListener("click", async () => {
    const path = `/amendments/${button.dataset.revert}/revert`;
    try {
      const view = await get(`${path}?lang=${lang}`);
      wanted = (note) => post(path, { note });
      show(view);
    } catch (error) {
      say(error);
    }
  });
}
confirmation.addEventListener("submit", async (event) => {
  event.preventDefault();
  if (!wanted) return;
  const send = wanted;
  wanted = null;
  try {
    await send(confirmation.note.value);
    location.reload();
  } catch (error) {
    say(error);
  }
});
document.getElementById("leave").addEventListener("click", leave);
fit();
