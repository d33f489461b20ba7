// Whole sentences with numbers: the noun stands in the form that the number and the sentence want.

const RULES = new Map(["en", "uk", "ru"].map((lang) => [lang, new Intl.PluralRules(lang)]));

/** `left` after "remaining", `in` after "in": minutes by plural form. */
const MINUTES = {
  en: { left: { one: "minute", other: "minutes" }, in: { one: "minute", other: "minutes" } },
  uk: { left: { one: "хвилина", few: "хвилини", many: "хвилин" }, in: { one: "хвилину", few: "хвилини", many: "хвилин" } },
  ru: { left: { one: "минута", few: "минуты", many: "минут" }, in: { one: "минуту", few: "минуты", many: "минут" } },
};

/** A number of minutes with its noun. */
export function minutes(lang, n, form = "left") {
  const forms = MINUTES[lang][form];
  return `${n}\u00a0${forms[RULES.get(lang).select(n)] ?? forms.other ?? forms.many}`;
}
