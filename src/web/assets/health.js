// Whether the hub, its journal, the broker, the boards and the time are well.

import { post } from "./api.js";
import { t } from "./words/queue.js";
import { run } from "./dialogs.js";
import { h, icon, keyed, setAttr, setText } from "./dom.js";

export class HealthLine {
  #parts = new Map();
  #rows = new Map();
  #health = null;
  #hall = null;

  constructor(root, time) {
    this.time = time;
    this.list = root.querySelector("#health-list");
    this.devices = root.querySelector("#devices-list");
    this.more = root.querySelector("#devices");
    this.more.append(this.#findBoard());
  }

  health(health) {
    this.#health = health;
    this.#draw();
  }

  update(hall) {
    this.#hall = hall;
    this.more.hidden = hall.devices.length === 0;
    // Who is silent comes first.
    const devices = [...hall.devices].sort((a, b) => Number(a.online) - Number(b.online));
    keyed(this.devices, this.#rows, devices, (device) => device.device, (device) => this.#row(device));
    this.#draw();
  }

  #draw() {
    const health = this.#health;
    const items = [];
    if (health) {
      const { journal, mqtt, time, speed } = health;
      items.push(journal.error
        ? ["journal", "bad", "call", "Journal", `cannot be written: ${journal.error}`]
        : ["journal", "good", "ok", "Journal", `safe, ${journal.seq} events`]);
      if (mqtt === null) items.push(["mqtt", "off", "notice", "MQTT", "not set up"]);
      else if (mqtt.connected) items.push(["mqtt", "good", "ok", "MQTT", mqtt.outbox ? `connected, ${mqtt.outbox} to send` : "connected"]);
      else items.push(["mqtt", "bad", "warning", "MQTT", `no broker, ${mqtt.outbox} wait`]);
      if (time.synchronised === null) items.push(["time", "off", "notice", "Time", "source unknown"]);
      else if (time.synchronised) items.push(["time", "good", "ok", "Time", `synchronised${time.source ? ` (${time.source})` : ""}`]);
      else items.push(["time", "bad", "warning", "Time", "not synchronised"]);
      if (speed !== 1) items.push(["speed", "off", "notice", "Demo", `time runs ${speed}×`]);
    }
    if (this.#hall) {
      const { devices } = this.#hall;
      const online = devices.filter((device) => device.online).length;
      const low = devices.filter((device) => device.battery !== null && device.battery < 20).length;
      const good = online === devices.length && low === 0;
      items.push(["devices", good ? "good" : "bad", good ? "ok" : "warning", "Boards", `${online} of ${devices.length} talk${low ? `, ${low} low battery` : ""}`]);
    }
    keyed(this.list, this.#parts, items, ([id]) => id, () => {
      const mark = h("span", { class: "mark" });
      const name = h("b", {});
      const text = h("span", {});
      const element = h("li", {}, mark, name, text);
      return {
        element,
        update: ([, state, sign, title, words]) => {
          if (mark.dataset.sign !== sign) {
            mark.dataset.sign = sign;
            mark.replaceChildren(icon(sign));
          }
          element.dataset.state = state;
          setText(name, title);
          setText(text, words);
        },
      };
    });
  }

  /** The board of a table is the one whose white king is lifted there. */
  #findBoard() {
    const input = h("input", { type: "number", min: 1, max: 65535, required: true, inputMode: "numeric" });
    const form = h("form", { class: "assign" }, h("label", {}, `${t("findBoard")} `, input), h("button", { type: "submit" }, t("findBoardGo")));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      run(event.submitter, () => post(`/tables/${Number(input.value)}/find-board`, {}), t("findBoardNow", Number(input.value)));
    });
    return form;
  }

  #row({ device }) {
    const state = h("span", { class: "device-state" });
    const text = h("span", { class: "device-text" });
    const input = h("input", { type: "number", min: 1, max: 65535, inputMode: "numeric", "aria-label": `Table of ${device}` });
    const form = h("form", { class: "assign" }, h("label", {}, "Table ", input), h("button", { type: "submit" }, "Assign"));
    let shown = null;
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const table = input.value === "" ? null : Number(input.value);
      input.blur();
      run(event.submitter, () => post(`/devices/${encodeURIComponent(device)}/assign`, { table }), table === null ? "Taken away" : `Put at table ${table}`);
    });
    const element = h("li", {}, state, h("b", {}, device), text, form);
    return {
      element,
      update: (view) => {
        const sign = view.online ? "ok" : "off";
        if (state.dataset.sign !== sign) {
          state.dataset.sign = sign;
          state.replaceChildren(icon(sign), view.online ? "talks" : "silent");
        }
        setAttr(element, "data-online", view.online ? "yes" : "no");
        setText(text, [view.family, view.version && `v${view.version}`, view.port, view.battery !== null && `battery ${view.battery} %`].filter(Boolean).join(" · "));
        if (view.table !== shown && document.activeElement !== input) {
          shown = view.table;
          input.value = view.table ?? "";
        }
      },
    };
  }
}
