// Logging in, for every page that needs it.

import { get, post } from "./api.js";
import { setText } from "./dom.js";
import { words } from "./words/desk.js";
import { onLanguage, write } from "./words/language.js";

/** Shows the login until somebody is logged in; then calls `enter(session)`. */
export async function session(enter) {
  const gate = document.getElementById("gate");
  const draw = () => write(gate, words);
  draw();
  onLanguage(draw);
  const form = gate.querySelector("form");
  const problem = gate.querySelector("[data-problem]");
  const name = form.elements.namedItem("name");
  const code = gate.querySelector("[data-code]");
  let info = null;
  while (info === null) {
    try {
      info = await get("/session");
    } catch {
      setText(problem, words.noAnswer);
      gate.hidden = false;
      await new Promise((done) => setTimeout(done, 2000));
    }
  }
  setText(problem, "");
  if (info.by) {
    gate.hidden = true;
    enter(info);
    return;
  }
  try {
    name.value = localStorage.getItem("flagfall-name") ?? "";
  } catch {
    // He types it again then.
  }
  code.hidden = !info.setup_needed;
  code.querySelector("input").required = info.setup_needed;
  setText(gate.querySelector("h1"), info.setup_needed ? words.setPin : words.console);
  setText(gate.querySelector("button"), info.setup_needed ? words.enterPin : words.logIn);
  setText(gate.querySelector("[data-pin-hint]"), pinHint(info));
  form.elements.namedItem("pin").autocomplete = info.setup_needed ? "new-password" : "current-password";
  gate.hidden = false;
  form.onsubmit = async (event) => {
    event.preventDefault();
    const fields = Object.fromEntries(new FormData(form));
    const button = form.querySelector("button");
    button.disabled = true;
    setText(problem, "");
    try {
      const body = { pin: fields.pin, name: fields.name };
      const answer = info.setup_needed ? await post("/setup", { ...body, code: fields.code }) : await post("/login", body);
      try {
        localStorage.setItem("flagfall-name", fields.name.trim());
      } catch {
        // Only a convenience.
      }
      form.reset();
      gate.hidden = true;
      enter(answer);
    } catch (error) {
      setText(problem, [error.message, error.help].filter(Boolean).join(" "));
      form.elements.namedItem("pin").select();
    } finally {
      button.disabled = false;
    }
  };
}

function pinHint(info) {
  if (info.setup_needed) return words.newPin;
  return info.demo_pin ? words.demoPin(info.demo_pin) : words.pinHint;
}

export async function logout() {
  await post("/logout").catch(() => {});
  location.reload();
}
