// Claims and protests that an arbiter enters at a table, and what was counted there.

import { h } from "./dom.js";
import { counted, words } from "./words/desk.js";

/** What can be claimed; whether the claim must say who did it, who makes it (`false`), or neither (`null`). */
const CLAIMS = [
  ["illegal-move", true], ["wrong-hand", true], ["threefold", false], ["fifty-moves", false], ["flag", false],
  ["wrong-colours", null], ["electronic-device", true], ["unfair-play", true], ["other", false],
];
const SIDES = ["white", "black"];
const clock = (ms) => `${Math.floor(ms / 60_000)}:${String(Math.floor(ms / 1000) % 60).padStart(2, "0")}`;
const NEXT = { warning: () => words.nextWarning, time: (ms) => words.nextTime(clock(ms)), loss: () => words.nextLoss };

/** What was counted against each side, with what comes next. */
export function conductWords({ conduct }) {
  if (!conduct) return [];
  return SIDES.filter((side) => conduct[side].illegal || conduct[side].hands).map((side) => {
    const { illegal, hands, next, bonus_ms } = conduct[side];
    return words.counted(words[side], illegal && counted("illegal", illegal), hands && counted("hands", hands), NEXT[next](bonus_ms));
  });
}

/** A dialog with a form; resolves with its fields, or null. */
function ask(title, fields, yes) {
  return new Promise((resolve) => {
    const form = h("form", { method: "dialog" }, h("h2", {}, title), ...fields, h("div", { class: "actions" },
      h("button", { value: "no", class: "quiet", formNoValidate: true }, words.cancel), h("button", { value: "yes", class: "primary" }, yes)));
    const dialog = h("dialog", { class: "ask", "aria-label": title }, form);
    dialog.addEventListener("close", () => {
      resolve(dialog.returnValue === "yes" ? Object.fromEntries(new FormData(form)) : null);
      dialog.remove();
    });
    document.body.append(dialog);
    dialog.showModal();
  });
}

const field = (label, input) => h("label", { class: "field" }, h("span", {}, label), input);

/** Asks what is claimed and enters it. */
export async function askClaim({ table, white, black }, outbox) {
  const names = { white: white?.name ?? words.white, black: black?.name ?? words.black };
  const what = h("select", { name: "what" }, CLAIMS.map(([value]) => h("option", { value }, words.claims[value])));
  const label = h("legend", {});
  const side = h("fieldset", { class: "sides" }, label, SIDES.map((value, at) =>
    h("label", { class: "choice" }, h("input", { type: "radio", name: "side", value, checked: at === 0 }), names[value])));
  const note = h("input", { name: "note", type: "text", maxLength: 200, autocomplete: "off" });
  const show = () => {
    const [value, accused] = CLAIMS.find(([each]) => each === what.value);
    side.hidden = accused === null;
    label.textContent = accused ? words.whoDid : words.whoClaims;
    note.required = value === "other";
  };
  what.addEventListener("change", show);
  show();
  const asked = await ask(words.claimAt(table), [field(words.what, what), side, field(words.inWords, note)], words.enterClaim);
  if (!asked) return;
  const [, accused] = CLAIMS.find(([value]) => value === asked.what);
  const opponent = { white: "black", black: "white" }[asked.side];
  const against = accused === null ? null : accused ? asked.side : opponent;
  outbox.add(`/tables/${table}/claim`, { what: asked.what, against, note: asked.note.trim() || null }, { label: words.claimed(table, words.claims[asked.what]) });
}

/** Asks what a protest is about and records it. */
export async function askProtest({ table, white, black }, outbox) {
  const whose = h("select", { name: "player" }, h("option", { value: "" }, words.team), [white, black].filter(Boolean).map(({ no, name }) => h("option", { value: String(no) }, name)));
  const text = h("input", { name: "text", type: "text", required: true, maxLength: 200, autocomplete: "off" });
  const minutes = h("input", { name: "minutes", type: "number", min: 1, max: 20160, inputMode: "numeric", value: "60" });
  const asked = await ask(words.protestAt(table), [field(words.protestWhose, whose), field(words.against, text), field(words.within, minutes)], words.recordProtest);
  if (!asked) return;
  const body = { table, player: asked.player ? Number(asked.player) : null, text: asked.text.trim(), minutes: asked.minutes ? Number(asked.minutes) : null };
  outbox.add("/protests", body, { label: words.protested(table) });
}
