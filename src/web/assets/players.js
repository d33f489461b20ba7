// Who is there: withdrawals, returns and byes. What the hub refuses is said where the button was.

import { get, post } from "./api.js";
import { confirm } from "./dialogs.js";
import { h, keyed, setAttr, setText } from "./dom.js";
import { resultText } from "./results.js";

const SHOWN = 12;
const POINTS = { half: "½ point", zero: "0 points", full: "1 point" };
const SHORT = { half: "½ bye", zero: "absent", full: "full bye" };

/** Letters without case and accents, so that `muller` finds `Müller`. */
const plain = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

const who = ({ no, name }) => `${no} ${name}`;

/** What a player is to the rounds to come, in a few words; empty when he simply plays. */
export function stateOf(entry, next) {
  const words = [];
  const since = entry.withdrawn_since;
  if (since !== null) words.push(since === next ? `withdrawn from round ${since} on` : `withdrawn since round ${since}`);
  for (const bye of entry.byes) {
    if (bye.open) words.push(`${SHORT[bye.worth]} in round ${bye.round}`);
  }
  return words;
}

/** Whether a player is meant: by the first digits of his number, or by all words in his name. */
export function matches({ player }, words) {
  if (words.length === 1 && /^\d+$/.test(words[0])) return String(player.no).startsWith(words[0]);
  const name = plain(player.name);
  return words.every((word) => name.includes(word));
}

export class Players {
  #view = null;
  #find = "";
  #parts = new Map();
  #notes = new Map();
  #seen = "";
  #event = null;
  #round = null;
  #asking = null;

  constructor(root) {
    this.at = (id) => root.querySelector(`#${id}`);
    this.dialog = new PlayerDialog(this);
    this.at("player-find").addEventListener("input", (event) => {
      this.#find = event.target.value;
      this.#draw();
    });
    const pair = this.at("draft-old").querySelector("button");
    const problem = this.at("draft-old").querySelector(".problem");
    pair.addEventListener("click", () => act(pair, problem, async () => {
      await post("/round/pair");
      await this.refresh();
    }));
  }

  /** The hall has changed; the players are asked for when that can mean something to them. */
  update({ event, round }) {
    const seen = round ? `${round.number} ${round.published} ${round.phase === "closed"}` : "";
    // A result changes the round, too; it matters only to who looks at a player just now.
    const same = event === this.#event && seen === this.#seen && (round === this.#round || !this.dialog.open);
    this.#event = event;
    this.#seen = seen;
    this.#round = round;
    if (same) return;
    // Without an answer the page keeps what it has; the lost link is shown above.
    this.refresh().catch(() => {});
  }

  /** Asks for the players; one question at a time, and one more if another came meanwhile. */
  async refresh() {
    const asked = (this.#asking ?? Promise.resolve()).catch(() => {}).then(() => get("/players"));
    this.#asking = asked;
    const view = await asked;
    if (this.#asking !== asked) return;
    this.#view = view;
    this.#draw();
  }

  get view() {
    return this.#view;
  }

  /** Why the draft should not be published as it is; empty when it may. */
  outdated() {
    const draft = this.#view?.draft;
    if (!draft?.outdated.length) return "";
    return `The draft of round ${draft.round} is out of date: it does not know what changed for ${draft.outdated.map(who).join(", ")}.`;
  }

  #draw() {
    const view = this.#view;
    if (!view) return;
    const words = plain(this.#find).split(/[\s,]+/).filter(Boolean);
    const away = view.players.filter((entry) => stateOf(entry, view.next).length > 0);
    const found = words.length ? view.players.filter((entry) => matches(entry, words)) : away;
    // The number that was typed in full stands first.
    found.sort((a, b) => (String(b.player.no) === words[0]) - (String(a.player.no) === words[0]));
    const shown = found.slice(0, SHOWN);
    keyed(this.at("players-list"), this.#parts, shown, (entry) => entry.player.no, () => this.#row());
    setText(this.at("players-count"), `${view.players.length}${away.length ? ` · ${away.length} away` : ""}`);
    const more = found.length - shown.length;
    setText(this.at("players-none"), words.length === 0
      ? (away.length ? "" : "Nobody has left and nobody misses a round. Find a player to change that.")
      : (found.length === 0 ? "No player fits." : more ? `And ${more} more: type on.` : ""));
    keyed(this.at("player-notes"), this.#notes, view.notes, (note) => note, (note) => ({ element: h("li", {}, note), update: () => {} }));
    const old = this.outdated();
    this.at("draft-old").hidden = old === "";
    setText(this.at("draft-old").querySelector("p"), old);
    this.dialog.draw();
  }

  #row() {
    const number = h("b", { class: "number" });
    const name = h("span", { class: "name" });
    const state = h("span", { class: "state" });
    let no = null;
    const button = h("button", { type: "button", class: "person", on: { click: () => this.dialog.show(no) } }, number, name, state);
    return {
      element: h("li", {}, button),
      update: (entry) => {
        no = entry.player.no;
        const words = stateOf(entry, this.#view.next);
        setText(number, String(no));
        setText(name, entry.player.name);
        setText(state, words.join(", ") || "present");
        setAttr(button, "data-away", words.length ? "yes" : null);
      },
    };
  }
}

/** Runs what a button stands for; the hub's refusal is written below it. Returns whether it was done. */
async function act(button, problem, work) {
  if (button.getAttribute("aria-busy") === "true") return false;
  button.setAttribute("aria-busy", "true");
  setText(problem, "");
  try {
    await work();
    return true;
  } catch (error) {
    setText(problem, [error.message, error.help].filter(Boolean).join(" "));
    return false;
  } finally {
    button.removeAttribute("aria-busy");
  }
}

/** One player: what he is, and everything an arbiter can change about it. */
class PlayerDialog {
  #no = null;

  constructor(players) {
    this.players = players;
    this.dialog = document.getElementById("player-dialog");
    this.at = (name) => this.dialog.querySelector(`[data-${name}]`);
    this.dialog.addEventListener("close", () => { this.#no = null; });
    this.dialog.addEventListener("click", (event) => { if (event.target === this.dialog) this.dialog.close(); });
    this.at("dismiss").addEventListener("click", () => this.dialog.close());
    this.at("withdraw").addEventListener("click", (event) => this.#withdraw(event.currentTarget));
    this.at("withdraw-now").addEventListener("click", (event) => this.#withdrawNow(event.currentTarget));
    this.at("return").addEventListener("click", (event) => this.#return(event.currentTarget));
    for (const button of this.dialog.querySelectorAll("[data-bye]")) {
      button.addEventListener("click", () => this.#bye(button, Number(this.at("bye-round").value), button.dataset.bye, this.at("bye-problem")));
    }
  }

  get open() {
    return this.#no !== null;
  }

  show(no) {
    this.#no = no;
    for (const name of ["leave-problem", "bye-problem", "back-problem", "done"]) setText(this.at(name), "");
    this.at("bye-round").replaceChildren();
    this.draw();
    if (!this.dialog.open) this.dialog.showModal();
    // His game may have begun since.
    this.players.refresh().catch(() => {});
  }

  get #entry() {
    return this.players.view?.players.find((entry) => entry.player.no === this.#no);
  }

  /** The game that he would leave behind. */
  get #game() {
    const { seat } = this.#entry;
    return seat?.published && seat.result === null ? seat : null;
  }

  draw() {
    const entry = this.open && this.#entry;
    if (!entry) return;
    const { next, byes, draft } = this.players.view;
    const { player, withdrawn_since: since } = entry;
    setText(this.at("title"), `${player.no} ${player.name}${player.rating ? ` (${player.rating})` : ""}`);
    const words = stateOf(entry, next);
    setText(this.at("state"), words.length ? words.join(", ") : "present");
    setAttr(this.at("state"), "data-away", words.length ? "yes" : null);
    setText(this.at("seat"), seatText(entry.seat));
    const old = this.players.outdated();
    setText(this.at("draft"), old || (draft ? `Round ${draft.round} is drafted and not public: a change that touches it pairs it anew.` : ""));
    this.at("withdraw").hidden = since !== null || next === null;
    setText(this.at("withdraw"), `Withdraw from round ${next}`);
    const game = this.#game;
    this.at("withdraw-now").hidden = since !== null || game === null;
    if (game) setText(this.at("withdraw-now"), `Withdraw now: table ${game.table} is lost`);
    this.at("return").hidden = since === null || next === null;
    setText(this.at("return"), `Bring back from round ${next}`);
    this.at("over").hidden = next !== null;
    this.at("miss").hidden = since !== null || next === null;
    for (const button of this.dialog.querySelectorAll("[data-bye]")) button.hidden = !byes.includes(button.dataset.bye);
    this.#rounds();
    this.#byes(entry);
  }

  #rounds() {
    const { next, rounds } = this.players.view;
    const select = this.at("bye-round");
    const wanted = [];
    for (let round = next ?? 1; next !== null && round <= (rounds ?? next + 8); round += 1) wanted.push(String(round));
    if (wanted.join() === [...select.options].map((option) => option.value).join()) return;
    const { value } = select;
    select.replaceChildren(...wanted.map((round) => h("option", { value: round }, `Round ${round}`)));
    if (wanted.includes(value)) select.value = value;
  }

  #byes(entry) {
    this.at("byes").replaceChildren(...entry.byes.map((bye) => h("li", {},
      h("span", {}, `Round ${bye.round}: ${POINTS[bye.worth]}`),
      bye.open && h("button", { type: "button", "data-back": bye.round, on: { click: (event) => this.#bye(event.currentTarget, bye.round, null, this.at("back-problem")) } }, "Take back"))));
  }

  /** A second word before a draft that somebody may have looked at is paired anew. */
  async #mayTouch(round, title, yes) {
    const { draft } = this.players.view;
    if (draft?.round !== round) return true;
    const text = [`The draft of round ${round} is out of date then and is paired anew. Look at it again before you publish it.`];
    return confirm({ title, text, yes });
  }

  /** Carries out; says below the buttons what was refused, or what came of it. */
  async #do(button, problem, work, done, round) {
    setText(this.at("done"), "");
    const had = this.players.view.draft?.round === round;
    if (!await act(button, problem, work)) {
      // Somebody else may have been quicker.
      this.players.refresh().catch(() => {});
      return;
    }
    await this.players.refresh().catch(() => {});
    const stale = this.players.outdated() !== "";
    setText(this.at("done"), had && !stale ? `${done} The draft of round ${round} has been paired anew.` : done);
  }

  async #withdraw(button) {
    const { next } = this.players.view;
    const { player } = this.#entry;
    if (!await this.#mayTouch(next, `Withdraw ${who(player)} from round ${next}?`, "Withdraw")) return;
    await this.#do(button, this.at("leave-problem"), () => post(`/players/${player.no}/withdraw`),
      `Withdrawn from round ${next} on. Until that round is public, “Bring back” undoes it.`, next);
  }

  async #withdrawNow(button) {
    // His game may have begun, or ended, while the arbiter looked at him.
    await act(button, this.at("leave-problem"), () => this.players.refresh());
    const { next } = this.players.view;
    const { player } = this.#entry;
    const game = this.#game;
    if (!game) return;
    const white = game.color === "white";
    const result = game.begun ? (white ? "0-1" : "1-0") : (white ? "-/+" : "+/-");
    const text = [
      `Table ${game.table}, round ${game.round}: ${resultText(result)}, ${game.begun ? "the player has left" : "by forfeit, the game has not begun"}. ${who(game.opponent)} wins.`,
      next === null ? "It is the last round." : `From round ${next} on ${player.name} is not paired.`,
      "A result can be corrected until the round is closed, but the record keeps both.",
    ];
    if (!await confirm({ title: `Withdraw ${who(player)} now?`, text, yes: "Withdraw now", danger: true })) return;
    await this.#do(button, this.at("leave-problem"), async () => {
      await post(`/tables/${game.table}/result`, game.begun ? { result, termination: "left" } : { result });
      await post(`/players/${player.no}/withdraw`).catch((error) => {
        error.message = `Table ${game.table} is recorded as ${resultText(result)}, but the player is not withdrawn yet: ${error.message}`;
        throw error;
      });
    }, `Table ${game.table}: ${resultText(result)} recorded; withdrawn.`, next);
  }

  async #return(button) {
    const { next } = this.players.view;
    const { player } = this.#entry;
    if (!await this.#mayTouch(next, `Bring ${who(player)} back from round ${next}?`, "Bring back")) return;
    await this.#do(button, this.at("leave-problem"), () => post(`/players/${player.no}/return`), `Plays again from round ${next} on.`, next);
  }

  async #bye(button, round, bye, problem) {
    const { player } = this.#entry;
    const title = bye ? `Round ${round}: ${POINTS[bye]} for ${who(player)}?` : `Take back the bye of ${who(player)} in round ${round}?`;
    if (!await this.#mayTouch(round, title, bye ? "Give the bye" : "Take back")) return;
    const done = bye ? `Round ${round}: not paired, ${POINTS[bye]}.` : `Round ${round}: is paired again.`;
    await this.#do(button, problem, () => post(`/players/${player.no}/bye`, bye ? { round, bye } : { round }), done, round);
  }
}

/** Where somebody plays, in words. */
function seatText(seat) {
  if (!seat) return "";
  const where = `${seat.color === "white" ? "White" : "Black"} at table ${seat.table} against ${who(seat.opponent)}`;
  if (!seat.published) return `Draft of round ${seat.round}: ${where}.`;
  const state = seat.result ? resultText(seat.result) : seat.begun ? "being played" : "not begun";
  return `Round ${seat.round}: ${where}, ${state}.`;
}
