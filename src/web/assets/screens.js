// The hall's screens on the console: what each shows, messages, blackout, the notice and the emergency page.

import { post } from "./api.js";
import { run, say } from "./dialogs.js";
import { h, icon, keyed, setAttr, setText } from "./dom.js";
import { Keypad } from "./keypad.js";
import { enough } from "./screen/size.js";
import { instant } from "./time.js";

const CONTENTS = [
  ["rotation", "What fits the phase, in turn"], ["countdown", "Countdown"], ["pairings-by-name", "Pairings by name"], ["pairings-by-board", "Pairings by table"],
  ["standings", "Standings"], ["results", "Results as they come"], ["boards", "Boards and clocks (foyer)"], ["notice", "Notice"],
  ["play-off", "Last games"], ["next-round", "Next round"],
];
const LANGUAGES = [["uk", "Українська"], ["ru", "Русский"], ["en", "English"]];
const EMERGENCIES = [["leave", "Leave the hall"], ["stop-clocks", "Stop the clocks"], ["drill-over", "The drill is over"], ["other", "My own words"]];
const PAPERS = [["table-cards", "Table cards"], ["result-slips", "Result slips"], ["setting-sheet", "Clock settings"]];
const HOLD_MS = 2000;
const DARK_S = 3600;
const contentText = (content) => CONTENTS.find(([value]) => value === content)?.[1] ?? content;

/** The language of the browser where the hub prints in it. */
const spoken = () => ["uk", "ru"].find((code) => navigator.language.startsWith(code)) ?? "en";

/** A dialog that is built, shown and thrown away. */
function dialog(title, ...content) {
  const close = h("button", { type: "button", class: "quiet", on: { click: () => box.close() } }, "Close");
  const box = h("dialog", { class: "ask screens-dialog", "aria-label": title }, h("h2", {}, title), ...content, h("div", { class: "actions" }, close));
  box.addEventListener("close", () => box.remove());
  document.body.append(box);
  box.showModal();
  return box;
}

/** A text in up to three languages. */
function texts(rows, known = null) {
  const fields = LANGUAGES.map(([lang, name]) => [lang, h("textarea", { rows, maxLength: 600, value: known?.[lang] ?? "", "aria-label": name })]);
  return {
    element: h("div", { class: "texts" }, fields.map(([lang, field]) => h("label", { class: "field" }, h("span", {}, LANGUAGES.find(([code]) => code === lang)[1]), field))),
    value: () => Object.fromEntries(fields.map(([lang, field]) => [lang, field.value.trim()]).filter(([, text]) => text)),
  };
}

/** A key that must be held for two seconds, by finger or by the space bar. */
function holdKey(text, work) {
  const button = h("button", { type: "button", class: "danger hold" }, h("span", {}, text), h("small", {}, "hold two seconds"));
  let timer = 0;
  const start = (event) => {
    if (event.type === "keydown" && (event.repeat || ![" ", "Enter"].includes(event.key))) return;
    if (event.type === "keydown") event.preventDefault();
    clearTimeout(timer);
    setAttr(button, "data-held", "yes");
    timer = setTimeout(() => {
      stop();
      work(button);
    }, HOLD_MS);
  };
  const stop = () => {
    clearTimeout(timer);
    setAttr(button, "data-held", null);
  };
  for (const name of ["pointerdown", "keydown"]) button.addEventListener(name, start);
  for (const name of ["pointerup", "pointerleave", "pointercancel", "keyup", "blur"]) button.addEventListener(name, stop);
  return button;
}

export class Screens {
  #parts = new Map();
  #hall = null;

  constructor(root, time) {
    this.time = time;
    const section = root.querySelector("#screens");
    this.count = h("span", { class: "small" });
    this.list = h("ul", { class: "screens-list" });
    this.none = h("p", { class: "small" }, "Open /screen in a browser on each screen of the hall: it shows a large number, and appears here.");
    this.dark = h("button", { type: "button", on: { click: (event) => this.#blackout(event.currentTarget) } });
    this.offer = h("button", { type: "button", hidden: true, on: { click: (event) => this.#playOff(event.currentTarget) } });
    this.keypad = new Keypad(root);
    this.banner = h("p", { class: "emergency-banner", role: "alert", hidden: true }, icon("call"), h("b", {}), h("button", { type: "button", on: { click: (event) => this.#calm(event.currentTarget) } }, "Take it down"));
    section.append(
      h("h2", {}, "Screens ", this.count), this.list, this.none,
      h("div", { class: "keys" },
        h("button", { type: "button", on: { click: () => this.#message() } }, "Message"),
        h("button", { type: "button", on: { click: () => this.#notice() } }, "Notice page"),
        this.dark, this.offer,
        h("button", { type: "button", class: "danger", "data-emergency": true, on: { click: () => this.#emergency() } }, "Emergency")),
      this.keypad.element,
      h("details", { class: "print" }, h("summary", {}, "Print"), h("div", { class: "keys" }, PAPERS.map(([name, text]) =>
        h("a", { class: "button", href: `/api/v1/paper/${name}.pdf?lang=${spoken()}`, target: "_blank", rel: "noopener" }, text)))),
    );
    root.querySelector("main").before(this.banner);
  }

  update(hall) {
    this.#hall = hall;
    const screens = hall.screens ?? [];
    const live = screens.filter(({ online }) => online).length;
    setText(this.count, screens.length ? `${live} of ${screens.length} live` : "");
    this.none.hidden = screens.length > 0;
    keyed(this.list, this.#parts, screens, ({ number }) => number, (view) => this.#row(view));
    const emergency = hall.show?.emergency ?? null;
    this.banner.hidden = emergency === null;
    if (emergency !== null) {
      const own = hall.show.emergency_text;
      setText(this.banner.querySelector("b"), `On all screens: ${EMERGENCIES.find(([value]) => value === emergency)?.[1]}${own ? ` – ${own.en || own.uk || own.ru}` : ""}`);
    }
    const { round } = hall;
    const playing = round !== null && ["started", "playing"].includes(round.phase) && round.open > 0;
    this.offer.hidden = !playing || round.open * 2 > round.tables || (round.play_off !== null && !round.play_off.over);
    if (playing) setText(this.offer, round.open === 1 ? "Fixed end for the last board" : `Fixed end for the last ${round.open} boards`);
    this.#drawDark();
  }

  tick() {
    this.#drawDark();
  }

  #isDark() {
    const until = instant(this.#hall?.show?.blackout_until);
    const now = this.time.now();
    return until !== null && now !== null && until > now;
  }

  #drawDark() {
    const dark = this.#isDark();
    setText(this.dark, dark ? "End blackout" : "Blackout");
    this.dark.className = dark ? "primary" : "";
  }

  #row({ number }) {
    const no = h("b", { class: "screen-no" }, String(number));
    const name = h("span", { class: "screen-name" });
    const state = h("span", { class: "screen-state" });
    const button = h("button", { type: "button", class: "screen-row", on: { click: () => this.#open(number) } }, no, name, state);
    return {
      element: h("li", {}, button),
      update: (view) => {
        const { settings } = view;
        setText(name, [settings.name, view.assigned ? contentText(settings.content) : "Give it something to show"].filter(Boolean).join(" · "));
        const sign = view.online ? "ok" : "off";
        if (state.dataset.sign !== sign) {
          state.dataset.sign = sign;
          state.replaceChildren(icon(sign), view.online ? "live" : "silent");
        }
        setAttr(button, "data-new", view.assigned ? null : "yes");
      },
    };
  }

  #view(number) {
    return this.#hall.screens.find((view) => view.number === number);
  }

  #open(number) {
    const view = this.#view(number);
    if (!view) return;
    const { settings } = view;
    const name = h("input", { type: "text", name: "name", maxLength: 60, value: settings.name, placeholder: "Hall, north wall" });
    const content = h("select", { name: "content" }, CONTENTS.map(([value, text]) => h("option", { value, selected: value === settings.content }, text)));
    const theme = h("select", { name: "theme" }, [["dark", "Light on black (panel)"], ["light", "Black on white (projector)"]].map(([value, text]) => h("option", { value, selected: value === settings.theme }, text)));
    const langs = LANGUAGES.map(([lang, text]) => [lang, h("input", { type: "checkbox", name: `lang-${lang}`, checked: settings.languages.includes(lang) }), text]);
    const stacked = h("input", { type: "checkbox", name: "stacked", checked: settings.stacked });
    const sound = h("input", { type: "checkbox", name: "sound", checked: settings.sound });
    const delay = h("input", { type: "number", name: "delay", min: 0, max: 180, value: Math.round(settings.delay_s / 60), inputMode: "numeric" });
    const delayField = h("label", { class: "field" }, h("span", {}, "Boards shown later, minutes"), delay);
    const showDelay = () => { delayField.hidden = content.value !== "boards"; };
    content.addEventListener("change", showDelay);
    showDelay();
    const tick = (input, text) => h("label", { class: "tick" }, input, h("span", {}, text));
    const distance = h("input", { type: "number", name: "distance", min: 1, max: 200, step: "any", placeholder: "30" });
    const diagonal = h("input", { type: "number", name: "diagonal", min: 5, max: 400, step: "any", placeholder: "55" });
    const verdict = h("p", { class: "verdict", role: "status" });
    const judge = () => setText(verdict, enough(Number(distance.value), Number(diagonal.value), view.width, view.height));
    for (const input of [distance, diagonal]) input.addEventListener("input", judge);
    const value = () => ({
      name: name.value, content: content.value, theme: theme.value, stacked: stacked.checked, sound: sound.checked,
      languages: langs.filter(([, input]) => input.checked).map(([lang]) => lang), delay_s: content.value === "boards" ? Number(delay.value) * 60 : 0,
    });
    const save = h("button", { type: "submit", class: "primary" }, "Show it");
    const check = h("button", { type: "button", on: { click: (event) => run(event.currentTarget, () => post(`/screens/${number}/sound-check`), "The gong sounds within five seconds") } }, "Sound check");
    const form = h("form", { class: "screen-form" },
      h("label", { class: "field" }, h("span", {}, "Where it hangs"), name),
      h("label", { class: "field" }, h("span", {}, "What it shows"), content), delayField,
      h("label", { class: "field" }, h("span", {}, "Look"), theme),
      h("fieldset", {}, h("legend", {}, "Languages"), langs.map(([, input, text]) => tick(input, text)), tick(stacked, "Two under each other")),
      tick(sound, "Gong and voice at five minutes, one minute and the start"),
      h("details", {}, h("summary", {}, "Is it large enough?"),
        h("div", { class: "two" }, h("label", { class: "field" }, h("span", {}, "Farthest seat, m"), distance), h("label", { class: "field" }, h("span", {}, "Diagonal, inches"), diagonal)), verdict),
      h("p", { class: "small" }, [view.online ? "live" : "silent", view.width ? `${view.width} × ${view.height}` : "", view.address].filter(Boolean).join(" · ")),
      h("div", { class: "actions" }, save, check, view.assigned && h("button", { type: "button", class: "quiet", "data-forget": true }, "Forget this screen")));
    const box = dialog(`Screen ${number}`, form);
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      if (await run(save, () => post(`/screens/${number}/assign`, value()), `Screen ${number}: ${contentText(content.value)}`)) box.close();
    });
    form.querySelector("[data-forget]")?.addEventListener("click", async (event) => {
      if (await run(event.currentTarget, () => post(`/screens/${number}/forget`), `Screen ${number} is forgotten`)) box.close();
    });
  }

  #message() {
    const text = texts(2);
    const seconds = h("select", { name: "seconds" }, [[30, "30 seconds"], [60, "1 minute"], [300, "5 minutes"], [900, "15 minutes"]].map(([value, words]) => h("option", { value, selected: value === 60 }, words)));
    const show = h("button", { type: "button", class: "primary" }, "Show it");
    const down = h("button", { type: "button" }, "Take it down");
    const box = dialog("A message on all screens", text.element, h("label", { class: "field" }, h("span", {}, "It stands for"), seconds), h("div", { class: "actions" }, show, down));
    show.addEventListener("click", async () => {
      const value = text.value();
      if (Object.keys(value).length === 0) {
        say("Write what the hall is to read", { bad: true });
        return;
      }
      if (await run(show, () => post("/screens/message", { text: value, seconds: Number(seconds.value) }), "The message is on all screens")) box.close();
    });
    down.addEventListener("click", async () => {
      if (await run(down, () => post("/screens/message", { text: null }), "The message is down")) box.close();
    });
  }

  #notice() {
    const text = texts(4, this.#hall.show?.notice);
    const save = h("button", { type: "button", class: "primary" }, "Save");
    const box = dialog("The notice page", h("p", { class: "small" }, "The first line is its title. Screens with the rotation show it in turn; empty, it is not shown."), text.element, h("div", { class: "actions" }, save));
    save.addEventListener("click", async () => {
      const value = text.value();
      const body = { text: Object.keys(value).length ? value : null };
      if (await run(save, () => post("/screens/notice", body), "The notice page is saved")) box.close();
    });
  }

  async #blackout(button) {
    const dark = this.#isDark();
    await run(button, () => post("/screens/blackout", { seconds: dark ? 0 : DARK_S }), dark ? "The screens are back" : "The screens are black, at most until five minutes before the start");
  }

  async #playOff(button) {
    await run(button, () => post("/round/play-off"), "The last boards have a fixed end");
  }

  #emergency() {
    const text = texts(2);
    const keys = EMERGENCIES.map(([about, words]) => holdKey(words, async (button) => {
      const value = text.value();
      const body = { about, text: Object.keys(value).length ? value : null };
      if (await run(button, () => post("/screens/emergency", body), "The emergency page is on all screens")) box.close();
    }));
    const box = dialog("Emergency on all screens", h("p", {}, "The countdown is held, and the times of all clocks are written down."), h("div", { class: "emergency-keys" }, keys), h("details", {}, h("summary", {}, "In my own words"), text.element));
  }

  async #calm(button) {
    await run(button, () => post("/screens/emergency/end"), "The emergency page is down");
  }
}
