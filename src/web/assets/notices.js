// Notices of calls while the console is in the background or closed. In the background they come from the
// live stream and need no Internet; a closed page is called through the browser's push service.

import { get, post } from "./api.js";
import { h } from "./dom.js";
import { words } from "./words/desk.js";
import { languageNow, onLanguage } from "./words/language.js";
import { KINDS } from "./words/queue.js";

const SHELL = "flagfall-shell";
const WORDS_AT = "/words.json";

/** Whether the browser shows notices at all: only over HTTPS, and on the hub's own machine. */
const able = () => "Notification" in window && Boolean(navigator.serviceWorker);

function bytes(text) {
  const base64 = text.replaceAll("-", "+").replaceAll("_", "/");
  return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
}

export class Notices {
  #registration = null;
  #shown = new Set();
  #first = true;

  constructor() {
    onLanguage(() => this.#keepWords());
  }

  /** Installs the service worker; over plain HTTP there is none. */
  async open() {
    if (!navigator.serviceWorker) return;
    const script = "/sw.js";
    const policy = window.trustedTypes?.createPolicy("flagfall", { createScriptURL: (url) => (url === script ? url : "") });
    try {
      await navigator.serviceWorker.register(policy ? policy.createScriptURL(script) : script);
      this.#registration = await navigator.serviceWorker.ready;
      await this.#keepWords();
      await this.#renew();
    } catch {
      // The console works without it.
    }
  }

  /** The worker has no page to ask for words. */
  async #keepWords() {
    if (!this.#registration) return;
    const lang = languageNow();
    const kept = await caches.open(SHELL);
    await kept.put(WORDS_AT, new Response(JSON.stringify({ lang, kinds: KINDS[lang], table: words.table(""), hall: words.console })));
  }

  /** Calls that wait for this arbiter: `{ tag, title, body }`. What is new is shown while nobody looks. */
  update(waiting) {
    const tags = new Set(waiting.map(({ tag }) => tag));
    const fresh = this.#first ? [] : waiting.filter(({ tag }) => !this.#shown.has(tag));
    this.#first = false;
    this.#shown = tags;
    if (!this.#registration || Notification.permission !== "granted") return;
    if (document.hidden) for (const notice of fresh) void this.#show(notice);
    void this.#clear(tags);
  }

  #show({ tag, title, body }) {
    const options = { body, tag, lang: languageNow(), icon: "/assets/icon.svg", vibrate: [220, 90, 220], requireInteraction: true, renotify: true };
    return this.#registration.showNotification(title, options).catch(() => {});
  }

  /** What somebody has taken, or is over, is not shown any longer. */
  async #clear(tags) {
    const shown = await this.#registration.getNotifications().catch(() => []);
    for (const notice of shown) if (!tags.has(notice.tag)) notice.close();
  }

  /** A subscription that the browser still has goes to whoever is logged in now. */
  async #renew() {
    const subscription = await this.#registration.pushManager?.getSubscription();
    if (subscription) await this.#tell(subscription);
  }

  #tell(subscription) {
    const { endpoint, keys } = subscription.toJSON();
    return post("/push", { endpoint, p256dh: keys.p256dh, auth: keys.auth });
  }

  /** Nobody is called here after he has logged out. */
  async close() {
    const subscription = await this.#registration?.pushManager?.getSubscription().catch(() => null);
    if (!subscription) return;
    await post("/push/forget", { endpoint: subscription.endpoint }).catch(() => {});
    await subscription.unsubscribe().catch(() => {});
  }

  /** The part of the settings about notices. */
  settings() {
    const state = h("p", { class: "small", role: "status", "data-push-state": "" });
    const on = h("button", { type: "button", "data-push-on": "", on: { click: () => this.#on().then(draw) } }, words.pushOn);
    const off = h("button", { type: "button", class: "quiet", hidden: true, on: { click: () => this.close().then(draw) } }, words.pushOff);
    const way = h("a", { hidden: true });
    const draw = async () => {
      const view = await get("/push").catch(() => ({ key: null, stuck: false, https: null }));
      const subscription = await this.#registration?.pushManager?.getSubscription().catch(() => null);
      const permission = able() ? Notification.permission : "none";
      on.hidden = permission === "none" || permission === "denied" || (permission === "granted" && (Boolean(subscription) || view.key === null));
      off.hidden = !subscription;
      way.hidden = permission !== "none" || view.https === null;
      if (!way.hidden) {
        way.href = `https://${location.hostname}:${view.https}/console`;
        way.textContent = way.href;
      }
      const word = permission === "none" ? "pushNone" : permission === "denied" ? "pushDenied" : subscription ? (view.stuck ? "pushStuck" : "pushReady") : "pushLocal";
      state.textContent = words[word];
    };
    void draw();
    return h("fieldset", { class: "alarm" }, h("legend", {}, words.push), state, way, on, off);
  }

  async #on() {
    if ((await Notification.requestPermission()) !== "granted") return;
    const { key } = await get("/push").catch(() => ({ key: null }));
    if (!key || !this.#registration?.pushManager) return;
    try {
      // Without the Internet the browser cannot subscribe: notices in the background come all the same.
      await this.#tell(await this.#registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: bytes(key) }));
    } catch {
      // The settings say what works.
    }
  }
}
