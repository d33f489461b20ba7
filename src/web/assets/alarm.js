// Sound and vibration for what has just come, chosen per severity; the screen stays on where the browser
// lets it.

import { h } from "./dom.js";
import { LANGUAGES, languageNow, setLanguage } from "./words/language.js";
import { t } from "./words/queue.js";

const STORE = "flagfall-alarm";
/** A call that nobody takes is heard again so often. */
const AGAIN_MS = 20_000;
const PATTERNS = { call: [220, 90, 220, 90, 220], warning: [160, 120, 160], notice: [90] };
const NOTES = { call: [880, 1175, 880, 1175], warning: [660, 660], notice: [520] };
const USUAL = { call: { sound: true, shake: true }, warning: { sound: false, shake: true }, notice: { sound: false, shake: false }, awake: true };

export class Alarm {
  #known = null;
  #rang = 0;
  #audio = null;
  #lock = null;

  constructor(notices) {
    this.notices = notices;
    this.settings = structuredClone(USUAL);
    try {
      Object.assign(this.settings, JSON.parse(localStorage.getItem(STORE) ?? "{}"));
    } catch {
      // As usual then.
    }
    // A page may make a sound only once it has been touched.
    addEventListener("pointerdown", () => this.#wake(), { once: true });
    document.addEventListener("visibilitychange", () => this.#keepAwake());
    void this.#keepAwake();
  }

  /** What waits for this arbiter and nobody has taken: `[id, severity]`. */
  update(waiting) {
    const fresh = this.#known === null ? [] : waiting.filter(([id]) => !this.#known.has(id));
    this.#known = new Map(waiting);
    const order = ["call", "warning", "notice"];
    const loudest = order.find((severity) => fresh.some(([, each]) => each === severity));
    if (loudest) this.ring(loudest);
  }

  /** Calls are heard again until somebody takes them. */
  tick() {
    if (this.#known === null || performance.now() - this.#rang < AGAIN_MS) return;
    if ([...this.#known.values()].includes("call")) this.ring("call");
  }

  ring(severity) {
    this.#rang = performance.now();
    const { sound, shake } = this.settings[severity];
    if (shake) navigator.vibrate?.(PATTERNS[severity]);
    if (sound) this.#play(NOTES[severity]);
    document.documentElement.dataset.rang = severity;
  }

  #wake() {
    this.#audio ??= window.AudioContext ? new AudioContext() : null;
    void this.#audio?.resume();
  }

  #play(notes) {
    if (this.#audio?.state !== "running") return;
    notes.forEach((pitch, at) => {
      const start = this.#audio.currentTime + at * 0.16;
      const tone = new OscillatorNode(this.#audio, { frequency: pitch, type: "triangle" });
      const volume = new GainNode(this.#audio, { gain: 0 });
      volume.gain.setValueAtTime(0.5, start);
      volume.gain.exponentialRampToValueAtTime(0.001, start + 0.15);
      tone.connect(volume).connect(this.#audio.destination);
      tone.start(start);
      tone.stop(start + 0.15);
    });
  }

  async #keepAwake() {
    if (!this.settings.awake || document.hidden || !navigator.wakeLock) {
      await this.#lock?.release().catch(() => {});
      this.#lock = null;
      return;
    }
    this.#lock = await navigator.wakeLock.request("screen").catch(() => null);
  }

  #save() {
    try {
      localStorage.setItem(STORE, JSON.stringify(this.settings));
    } catch {
      // Lasts as long as the page then.
    }
  }

  /** Lets the arbiter choose. */
  ask() {
    const box = (label, on, change) => h("label", { class: "choice" }, h("input", { type: "checkbox", checked: on, on: { change: (event) => { change(event.target.checked); this.#save(); } } }), label);
    const rows = ["call", "warning", "notice"].map((severity) => h("fieldset", { class: "alarm" }, h("legend", {}, t(severity)),
      box(t("sound"), this.settings[severity].sound, (on) => { this.settings[severity].sound = on; }),
      box(t("shake"), this.settings[severity].shake, (on) => { this.settings[severity].shake = on; }),
      h("button", { type: "button", class: "quiet", on: { click: () => { this.#wake(); this.ring(severity); } } }, t("try"))));
    const awake = box(t("awake"), this.settings.awake, (on) => { this.settings.awake = on; void this.#keepAwake(); });
    const languages = h("fieldset", { class: "alarm" }, h("legend", {}, t("language")), LANGUAGES.map(([tag, name]) =>
      h("button", { type: "button", lang: tag, "data-language": tag, "aria-pressed": String(tag === languageNow()), on: { click: () => {
        setLanguage(tag);
        dialog.close();
        this.ask();
      } } }, name)));
    const dialog = h("dialog", { class: "ask", "aria-label": t("alarms") }, h("form", { method: "dialog" }, h("h2", {}, t("alarms")), ...rows, awake, this.notices.settings(), languages,
      !navigator.wakeLock && h("p", { class: "small" }, t("noAwake")), h("div", { class: "actions" }, h("button", { class: "primary" }, t("close")))));
    dialog.addEventListener("close", () => dialog.remove());
    document.body.append(dialog);
    dialog.showModal();
  }
}
