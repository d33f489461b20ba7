// The hub's English sentences in the language of the page. What no pattern knows (a note that somebody
// typed, the words of an operating system) stays as it is.

import { PARTS } from "./parts.js";
import { SENTENCES } from "./sentences.js";

/** A side by its case; a sentence that begins with it is given its capital afterwards. */
const SIDES = {
  uk: {
    White: { nom: "білі", gen: "білих", dat: "білим", ins: "білими" },
    Black: { nom: "чорні", gen: "чорних", dat: "чорним", ins: "чорними" },
    "A player": { nom: "гравець", gen: "гравця", dat: "гравцеві", ins: "гравцем" },
  },
  ru: {
    White: { nom: "белые", gen: "белых", dat: "белым", ins: "белыми" },
    Black: { nom: "чёрные", gen: "чёрных", dat: "чёрным", ins: "чёрными" },
    "A player": { nom: "игрок", gen: "игрока", dat: "игроку", ins: "игроком" },
  },
};
const RULES = { uk: new Intl.PluralRules("uk"), ru: new Intl.PluralRules("ru") };
const COLUMN = { uk: 1, ru: 2 };

const escape = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

/**
 * A pattern's slots: `{#n}` a number, `{@who}` a side, `{%what}` words that have a pattern of their own,
 * `{x}` anything. `whole`: up to the end, else up to where a sentence ends.
 */
function compile(row, whole) {
  const names = [];
  const body = row[0].split(/(\{[^}]+\})/).map((part) => {
    const slot = /^\{([#@%]?)(\w+)\}$/.exec(part);
    if (!slot) return escape(part);
    names.push([slot[2], slot[1]]);
    return { "#": "(\\d+)", "@": "(White|Black|A player)", "%": "(.+?)", "": "(.+?)" }[slot[1]];
  }).join("");
  return { row, names, pattern: new RegExp(`^${body}${whole ? "$" : "(?=\\s|$)"}`, "i") };
}

const sentences = SENTENCES.map((row) => compile(row, false));
const parts = PARTS.map((row) => compile(row, true));

function fill({ row, names }, found, lang) {
  const values = new Map(names.map(([name, kind], at) => [name, [kind, found[at + 1]]]));
  return row[COLUMN[lang]].replace(/\{(\w+)(?::(\w+)|((?:\|[^|}]+)+))?\}/g, (_, name, form, plural) => {
    const [kind, value] = values.get(name);
    if (plural) {
      const [one, few, many] = plural.slice(1).split("|");
      return `${value} ${{ one, few, many }[RULES[lang].select(Number(value))] ?? few}`;
    }
    if (kind === "@") {
      const side = Object.keys(SIDES[lang]).find((each) => each.toLowerCase() === value.toLowerCase());
      return SIDES[lang][side][form ?? "nom"];
    }
    return kind === "%" ? part(value, lang) : value;
  });
}

/** Words within a sentence; several, one behind the other. */
function part(text, lang) {
  for (const each of parts) {
    const found = each.pattern.exec(text);
    if (found) return fill(each, found, lang);
  }
  for (const mark of ["; ", ", "]) {
    if (!text.includes(mark)) continue;
    const all = text.split(mark).map((each) => part(each, lang));
    if (all.some((each, at) => each !== text.split(mark)[at])) return all.join(mark);
  }
  return text;
}

const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** The longest known sentence at the start of a text: what it is in the language, and its length. */
function first(text, lang) {
  let best = null;
  for (const each of sentences) {
    const found = each.pattern.exec(text);
    if (found && (best === null || found[0].length > best.length)) {
      best = { length: found[0].length, text: capital(fill(each, found, lang)) };
    }
  }
  return best;
}

/**
 * What the hub says, in `lang`: `text`, and in `left` what no pattern knew. The table stands above it already
 * and is left out.
 */
export function inLanguage(said, lang) {
  if (!(lang in COLUMN)) return { text: said, left: [] };
  const left = [];
  const done = [];
  let rest = said.replace(/^Table \d+: /, "");
  while (rest) {
    const known = first(rest, lang);
    if (known) {
      done.push(known.text);
      rest = rest.slice(known.length).trimStart();
      continue;
    }
    const end = /[.!?](?=\s)/.exec(rest);
    const own = end ? rest.slice(0, end.index + 1) : rest;
    left.push(own);
    done.push(own);
    rest = rest.slice(own.length).trimStart();
  }
  return { text: done.join(" "), left };
}
