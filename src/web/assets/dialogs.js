// Questions before what matters, and short answers after it.

import { h } from "./dom.js";
import { words } from "./words/desk.js";

/** A modal dialog with a heading, content and buttons; resolves with the value of the button, or null. */
function modal(title, content, buttons) {
  return new Promise((resolve) => {
    const dialog = h("dialog", { class: "ask", "aria-labelledby": "ask-title" },
      h("form", { method: "dialog" },
        h("h2", { id: "ask-title" }, title),
        ...content,
        h("div", { class: "actions" }, buttons.map(([value, text, kind]) =>
          h("button", { value, class: kind, formNoValidate: value === "no" }, text))),
      ),
    );
    dialog.addEventListener("close", () => {
      const { returnValue } = dialog;
      dialog.remove();
      resolve(returnValue === "" || returnValue === "no" ? null : returnValue);
    });
    document.body.append(dialog);
    dialog.showModal();
  });
}

/** Asks whether to do it. */
export async function confirm({ title, text, yes, danger = false }) {
  const answer = await modal(title, [].concat(text).map((line) => h("p", {}, line)), [
    ["no", words.cancel, "quiet"],
    ["yes", yes, danger ? "danger" : "primary"],
  ]);
  return answer === "yes";
}

/** Shows pairs of a heading and a sentence. */
export function showList({ title, lines }) {
  const list = h("dl", { class: "reasons", tabindex: "0" }, lines.flatMap(([head, text]) => [h("dt", {}, head), h("dd", {}, text)]));
  void modal(title, [list], [["no", words.close, "primary"]]);
}

/** Asks for a line of text, with some ready ones; null when cancelled. */
export async function askText({ title, label, ready = [], yes }) {
  const input = h("input", { type: "text", maxLength: 200, autocomplete: "off" });
  const choices = h("div", { class: "chips" }, ready.map((text) =>
    h("button", { type: "button", class: "quiet", on: { click: () => { input.value = text; input.focus(); } } }, text)));
  const answer = await modal(title, [h("label", { class: "field" }, h("span", {}, label), input), choices], [
    ["no", words.cancel, "quiet"],
    ["yes", yes, "primary"],
  ]);
  return answer === "yes" ? input.value.trim() : null;
}

/** Asks for a time of day, `hh:mm`; null when cancelled. */
export async function askTime({ title, text, label, value, yes }) {
  const input = h("input", { type: "time", required: true, value });
  const lines = [].concat(text).map((line) => h("p", {}, line));
  const answer = await modal(title, [...lines, h("label", { class: "field" }, h("span", {}, label), input)], [
    ["no", words.cancel, "quiet"],
    ["yes", yes, "primary"],
  ]);
  return answer === "yes" ? input.value : null;
}

/** A short word at the foot of the page, read aloud as well. */
export function say(text, { bad = false, help = "" } = {}) {
  const place = document.getElementById("answers");
  const toast = h("div", { class: bad ? "toast bad" : "toast" }, h("strong", {}, text), help && h("span", {}, help));
  if (bad) toast.append(h("button", { type: "button", class: "quiet", on: { click: () => toast.remove() } }, words.close));
  place.append(toast);
  while (place.childElementCount > 3) place.firstElementChild.remove();
  if (!bad) setTimeout(() => toast.remove(), 4000);
}

/** Runs a command; shows its error in words. Returns whether it was done. */
export async function run(button, work, done) {
  if (button) {
    if (button.getAttribute("aria-busy") === "true") return false;
    button.setAttribute("aria-busy", "true");
  }
  try {
    await work();
    if (done) say(done);
    return true;
  } catch (error) {
    say(error.message, { bad: true, help: error.help });
    return false;
  } finally {
    button?.removeAttribute("aria-busy");
  }
}
