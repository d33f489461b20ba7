// Which language a page speaks, chosen by the browser until somebody chooses, and told to who draws words.

const STORE = "flagfall-language";
export const LANGUAGES = [["en", "English"], ["uk", "Українська"], ["ru", "Русский"]];
const known = (tag) => LANGUAGES.some(([each]) => each === tag);
const listeners = new Set();

function first() {
  try {
    const kept = localStorage.getItem(STORE);
    if (known(kept)) return kept;
  } catch {
    // The browser's own then.
  }
  return navigator.languages.map((tag) => tag.slice(0, 2)).find(known) ?? "en";
}

let language = first();

/** The language now: `en`, `uk` or `ru`. */
export const languageNow = () => language;

/** Speaks another language from now on, here and after a reload. */
export function setLanguage(tag) {
  if (!known(tag)) return;
  language = tag;
  try {
    localStorage.setItem(STORE, tag);
  } catch {
    // Lasts as long as the page then.
  }
  for (const listener of listeners) listener();
}

/** Calls back after each change of the language. */
export function onLanguage(listener) {
  listeners.add(listener);
}

/** The words of the language that holds when they are read. */
export function live(words) {
  return new Proxy(words, { get: (all, key) => all[language][key] });
}

/** A number of things: `forms` by the plural rules of the language, `{n}` the number. */
export function plural(forms, n) {
  const form = forms[new Intl.PluralRules(language).select(n)] ?? forms.other;
  return form.replace("{n}", new Intl.NumberFormat(language).format(n));
}

/**
 * Writes the words of a part of the page: `data-word` is the text of an element, `data-label` what is read
 * aloud for it, `data-hint` what stands in an empty field.
 */
export function write(root, words) {
  for (const element of root.querySelectorAll("[data-word]")) {
    const word = words[element.dataset.word];
    if (typeof word === "string" && element.textContent !== word) element.textContent = word;
  }
  for (const element of root.querySelectorAll("[data-label]")) element.setAttribute("aria-label", words[element.dataset.label]);
  for (const element of root.querySelectorAll("[data-hint]")) element.placeholder = words[element.dataset.hint];
}
