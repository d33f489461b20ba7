// The hall's screens on the console: what each shows, messages, blackout, the notice and the emergency page.

import { post } from "./api.js";
import { run, say } from "./dialogs.js";
import { h, icon, keyed, setAttr, setText } from "./dom.js";
import { Keypad } from "./keypad.js";
import { enough } from "./screen/size.js";
import { instant } from "./time.js";
import { languageNow, onLanguage } from "./words/language.js";
import { counted, words } from "./words/screens.js";

const CONTENTS = ["rotation", "countdown", "pairings-by-name", "pairings-by-board", "standings", "results", "boards", "notice", "play-off", "next-round"];
const LANGUAGES = [["uk", "Українська"], ["ru", "Русский"], ["en", "English"]];
const EMERGENCIES = ["leave", "stop-clocks", "drill-over", "other"];
const PAPERS = ["table-cards", "result-slips", "setting-sheet"];
const HOLD_MS = 2000;
const DARK_S = 3600;
const contentText = (content) => words.contents[content] ?? content;

/** How large the screen is for the farthest seat, in a sentence. */
function judged(found) {
  if (found === null) return "";
  const { verdict, digits, good, least, needed } = found;
  const inches = counted("inches", needed);
  const more = { good: "", just: words.better(good, inches), small: words.second(good, inches) }[verdict];
  return [words.verdicts[verdict], words.digits(digits, good, least), more].filter(Boolean).join(" ");
}

/** A dialog that is built, shown and thrown away. */
function dialog(title, ...content) {
  const close = h("button", { type: "button", class: "quiet", on: { click: () => box.close() } }, words.close);
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
  const button = h("button", { type: "button", class: "danger hold" }, h("span", {}, text), h("small", {}, words.hold));
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
    this.head = h("span", {});
    this.count = h("span", { class: "small" });
    this.list = h("ul", { class: "screens-list" });
    this.none = h("p", { class: "small" });
    this.dark = h("button", { type: "button", on: { click: (event) => this.#blackout(event.currentTarget) } });
    this.offer = h("button", { type: "button", hidden: true, on: { click: (event) => this.#playOff(event.currentTarget) } });
    this.keypad = new Keypad(root);
    this.banner = h("p", { class: "emergency-banner", role: "alert", hidden: true }, icon("call"), h("b", {}), h("button", { type: "button", on: { click: (event) => this.#calm(event.currentTarget) } }));
    this.section = section;
    this.message = h("button", { type: "button", on: { click: () => this.#message() } });
    this.notice = h("button", { type: "button", on: { click: () => this.#notice() } });
    this.emergency = h("button", { type: "button", class: "danger", "data-emergency": true, on: { click: () => this.#emergency() } });
    this.print = h("summary", {});
    this.papers = PAPERS.map((name) => [name, h("a", { class: "button", target: "_blank", rel: "noopener" })]);
    section.append(
      h("h2", {}, this.head, " ", this.count), this.list, this.none,
      h("div", { class: "keys" }, this.message, this.notice, this.dark, this.offer, this.emergency),
      this.keypad.element,
      h("details", { class: "print" }, this.print, h("div", { class: "keys" }, this.papers.map(([, link]) => link))),
    );
    root.querySelector("main").before(this.banner);
    this.#speak();
    onLanguage(() => this.#speak());
  }

  /** Writes what stands on the page for good. */
  #speak() {
    this.section.lang = languageNow();
    setAttr(this.section, "aria-label", words.screens);
    const texts = [[this.head, words.screens], [this.none, words.none], [this.message, words.message], [this.notice, words.noticePage], [this.emergency, words.emergency], [this.print, words.print], [this.banner.querySelector("button"), words.takeDown]];
    for (const [element, text] of texts) setText(element, text);
    for (const [name, link] of this.papers) {
      setText(link, words.papers[name]);
      link.href = `/api/v1/paper/${name}.pdf?lang=${languageNow()}`;
    }
    this.keypad.speak();
    if (this.#hall) this.update(this.#hall);
    else this.#drawDark();
  }

  update(hall) {
    this.#hall = hall;
    const screens = hall.screens ?? [];
    const live = screens.filter(({ online }) => online).length;
    setText(this.count, screens.length ? counted("live", live, { of: screens.length }) : "");
    this.none.hidden = screens.length > 0;
    keyed(this.list, this.#parts, screens, ({ number }) => number, (view) => this.#row(view));
    const emergency = hall.show?.emergency ?? null;
    this.banner.hidden = emergency === null;
    if (emergency !== null) {
      const own = hall.show.emergency_text;
      setText(this.banner.querySelector("b"), words.onAll([emergency === "other" ? "" : words.emergencies[emergency], own && (own[languageNow()] || own.en || own.uk || own.ru)].filter(Boolean).join(" – ")));
    }
    const { round } = hall;
    const playing = round !== null && ["started", "playing"].includes(round.phase) && round.open > 0;
    this.offer.hidden = !playing || round.open * 2 > round.tables || (round.play_off !== null && !round.play_off.over);
    if (playing) setText(this.offer, counted("fixedEnd", round.open));
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
    setText(this.dark, dark ? words.endBlackout : words.blackout);
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
        setText(name, [settings.name, view.assigned ? contentText(settings.content) : words.unassigned].filter(Boolean).join(" · "));
        // A screen that should sound and cannot is as bad as one that is silent.
        const quiet = view.online && settings.sound ? words.sound[view.sound] : undefined;
        const sign = view.online && !quiet ? "ok" : "off";
        const text = !view.online ? words.isSilent : quiet ?? words.isLive;
        if (state.dataset.sign !== sign || state.dataset.text !== text) {
          Object.assign(state.dataset, { sign, text });
          state.replaceChildren(icon(sign), text);
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
    const name = h("input", { type: "text", name: "name", maxLength: 60, value: settings.name, placeholder: words.whereHint });
    const content = h("select", { name: "content" }, CONTENTS.map((value) => h("option", { value, selected: value === settings.content }, contentText(value))));
    const theme = h("select", { name: "theme" }, Object.entries(words.themes).map(([value, text]) => h("option", { value, selected: value === settings.theme }, text)));
    const langs = LANGUAGES.map(([lang, text]) => [lang, h("input", { type: "checkbox", name: `lang-${lang}`, checked: settings.languages.includes(lang) }), text]);
    const stacked = h("input", { type: "checkbox", name: "stacked", checked: settings.stacked });
    const sound = h("input", { type: "checkbox", name: "sound", checked: settings.sound });
    const waiting = h("input", { type: "checkbox", name: "waiting", checked: settings.waiting === true });
    const delay = h("input", { type: "number", name: "delay", min: 0, max: 180, value: Math.round(settings.delay_s / 60), inputMode: "numeric" });
    const delayField = h("label", { class: "field" }, h("span", {}, words.delay), delay);
    const showDelay = () => { delayField.hidden = content.value !== "boards"; };
    content.addEventListener("change", showDelay);
    showDelay();
    const tick = (input, text) => h("label", { class: "tick" }, input, h("span", {}, text));
    const distance = h("input", { type: "number", name: "distance", min: 1, max: 200, step: "any", placeholder: "30" });
    const diagonal = h("input", { type: "number", name: "diagonal", min: 5, max: 400, step: "any", placeholder: "55" });
    const verdict = h("p", { class: "verdict", role: "status" });
    const judge = () => setText(verdict, judged(enough(Number(distance.value), Number(diagonal.value), view.width, view.height)));
    for (const input of [distance, diagonal]) input.addEventListener("input", judge);
    const value = () => ({
      name: name.value, content: content.value, theme: theme.value, stacked: stacked.checked, sound: sound.checked, waiting: waiting.checked,
      languages: langs.filter(([, input]) => input.checked).map(([lang]) => lang), delay_s: content.value === "boards" ? Number(delay.value) * 60 : 0,
    });
    const save = h("button", { type: "submit", class: "primary" }, words.show);
    const check = h("button", { type: "button", on: { click: (event) => run(event.currentTarget, () => post(`/screens/${number}/sound-check`), words.checks) } }, words.check);
    const form = h("form", { class: "screen-form" },
      h("label", { class: "field" }, h("span", {}, words.where), name),
      h("label", { class: "field" }, h("span", {}, words.shows), content), delayField,
      h("label", { class: "field" }, h("span", {}, words.look), theme),
      h("fieldset", {}, h("legend", {}, words.languages), langs.map(([, input, text]) => tick(input, text)), tick(stacked, words.stacked)),
      tick(sound, words.gong), view.online && settings.sound && words.soundWhy[view.sound] && h("p", { class: "small", "data-quiet": view.sound }, words.soundWhy[view.sound]),
      tick(waiting, words.waiting),
      h("details", {}, h("summary", {}, words.large),
        h("div", { class: "two" }, h("label", { class: "field" }, h("span", {}, words.farthest), distance), h("label", { class: "field" }, h("span", {}, words.diagonal), diagonal)), verdict),
      h("p", { class: "small" }, [view.online ? words.isLive : words.isSilent, view.width ? `${view.width} × ${view.height}` : "", view.address].filter(Boolean).join(" · ")),
      h("div", { class: "actions" }, save, check, view.assigned && h("button", { type: "button", class: "quiet", "data-forget": true }, words.forget)));
    const box = dialog(words.screen(number), form);
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      if (await run(save, () => post(`/screens/${number}/assign`, value()), words.given(number, contentText(content.value)))) box.close();
    });
    form.querySelector("[data-forget]")?.addEventListener("click", async (event) => {
      if (await run(event.currentTarget, () => post(`/screens/${number}/forget`), words.forgotten(number))) box.close();
    });
  }

  #message() {
    const text = texts(2);
    const seconds = h("select", { name: "seconds" }, [[30, counted("seconds", 30)], [60, counted("minutes", 1)], [300, counted("minutes", 5)], [900, counted("minutes", 15)]].map(([value, lasts]) => h("option", { value, selected: value === 60 }, lasts)));
    const show = h("button", { type: "button", class: "primary" }, words.show);
    const down = h("button", { type: "button" }, words.takeDown);
    const box = dialog(words.messageTitle, text.element, h("label", { class: "field" }, h("span", {}, words.stands), seconds), h("div", { class: "actions" }, show, down));
    show.addEventListener("click", async () => {
      const value = text.value();
      if (Object.keys(value).length === 0) {
        say(words.writeIt, { bad: true });
        return;
      }
      if (await run(show, () => post("/screens/message", { text: value, seconds: Number(seconds.value) }), words.messageUp)) box.close();
    });
    down.addEventListener("click", async () => {
      if (await run(down, () => post("/screens/message", { text: null }), words.messageDown)) box.close();
    });
  }

  #notice() {
    const text = texts(4, this.#hall.show?.notice);
    const save = h("button", { type: "button", class: "primary" }, words.save);
    const box = dialog(words.noticeTitle, h("p", { class: "small" }, words.noticeHelp), text.element, h("div", { class: "actions" }, save));
    save.addEventListener("click", async () => {
      const value = text.value();
      const body = { text: Object.keys(value).length ? value : null };
      if (await run(save, () => post("/screens/notice", body), words.noticeSaved)) box.close();
    });
  }

  async #blackout(button) {
    const dark = this.#isDark();
    await run(button, () => post("/screens/blackout", { seconds: dark ? 0 : DARK_S }), dark ? words.bright : words.dark);
  }

  async #playOff(button) {
    await run(button, () => post("/round/play-off"), words.playOff);
  }

  #emergency() {
    const text = texts(2);
    const keys = EMERGENCIES.map((about) => holdKey(words.emergencies[about], async (button) => {
      const value = text.value();
      const body = { about, text: Object.keys(value).length ? value : null };
      if (await run(button, () => post("/screens/emergency", body), words.emergencyUp)) box.close();
    }));
    const box = dialog(words.emergencyTitle, h("p", {}, words.emergencyHelp), h("div", { class: "emergency-keys" }, keys), h("details", {}, h("summary", {}, words.ownWords), text.element));
  }

  async #calm(button) {
    await run(button, () => post("/screens/emergency/end"), words.emergencyDown);
  }
}
