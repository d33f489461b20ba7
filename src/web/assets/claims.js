// Claims and protests that an arbiter enters at a table, and what was counted there.

import { h } from "./dom.js";

const CLAIMS = [
  ["illegal-move", "Illegal move", true], ["wrong-hand", "Wrong hand, or both", true], ["threefold", "Third time the position", false],
  ["fifty-moves", "Fifty moves", false], ["flag", "Flag", false], ["wrong-colours", "Wrong colours, or pieces reversed", null],
  ["electronic-device", "Electronic device", true], ["unfair-play", "Unfair play", true], ["other", "Something else", false],
];
const SIDES = [["white", "White"], ["black", "Black"]];
const NEXT = { warning: () => "the next one is recorded", time: (ms) => `the next one gives the opponent ${Math.floor(ms / 60_000)}:${String(Math.floor(ms / 1000) % 60).padStart(2, "0")}`, loss: () => "the next one loses the game" };

/** What was counted against each side, with what comes next. */
export function conductWords({ conduct }) {
  if (!conduct) return [];
  return SIDES.filter(([side]) => conduct[side].illegal || conduct[side].hands).map(([side, name]) => {
    const { illegal, hands, next, bonus_ms } = conduct[side];
    const wrong = hands ? `, wrong hand ${hands}` : "";
    return `${name}: illegal moves ${illegal}${wrong}; ${NEXT[next](bonus_ms)}`;
  });
}

/** A dialog with a form; resolves with its fields, or null. */
function ask(title, fields, yes) {
  return new Promise((resolve) => {
    const form = h("form", { method: "dialog" }, h("h2", {}, title), ...fields, h("div", { class: "actions" },
      h("button", { value: "no", class: "quiet", formNoValidate: true }, "Cancel"), h("button", { value: "yes", class: "primary" }, yes)));
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
  const names = { white: white?.name ?? "White", black: black?.name ?? "Black" };
  const what = h("select", { name: "what" }, CLAIMS.map(([value, text]) => h("option", { value }, text)));
  const label = h("legend", {});
  const side = h("fieldset", { class: "sides" }, label, SIDES.map(([value], at) =>
    h("label", { class: "choice" }, h("input", { type: "radio", name: "side", value, checked: at === 0 }), names[value])));
  const note = h("input", { name: "note", type: "text", maxLength: 200, autocomplete: "off" });
  const show = () => {
    const [value, , accused] = CLAIMS.find(([each]) => each === what.value);
    side.hidden = accused === null;
    label.textContent = accused ? "Who did it" : "Who claims it";
    note.required = value === "other";
  };
  what.addEventListener("change", show);
  show();
  const asked = await ask(`Table ${table}: a claim`, [field("What", what), side, field("In words", note)], "Enter the claim");
  if (!asked) return;
  const [, text, accused] = CLAIMS.find(([value]) => value === asked.what);
  const opponent = { white: "black", black: "white" }[asked.side];
  const against = accused === null ? null : accused ? asked.side : opponent;
  outbox.add(`/tables/${table}/claim`, { what: asked.what, against, note: asked.note.trim() || null }, { label: `Table ${table}: ${text}` });
}

/** Asks what a protest is about and records it. */
export async function askProtest({ table, white, black }, outbox) {
  const whose = h("select", { name: "player" }, h("option", { value: "" }, "A team, or the organiser"), [white, black].filter(Boolean).map(({ no, name }) => h("option", { value: String(no) }, name)));
  const text = h("input", { name: "text", type: "text", required: true, maxLength: 200, autocomplete: "off" });
  const minutes = h("input", { name: "minutes", type: "number", min: 1, max: 20160, inputMode: "numeric", value: "60" });
  const asked = await ask(`Table ${table}: a protest`, [field("Whose", whose), field("Against what", text), field("To be decided within minutes", minutes)], "Record the protest");
  if (!asked) return;
  const body = { table, player: asked.player ? Number(asked.player) : null, text: asked.text.trim(), minutes: asked.minutes ? Number(asked.minutes) : null };
  outbox.add("/protests", body, { label: `Table ${table}: protest recorded` });
}
