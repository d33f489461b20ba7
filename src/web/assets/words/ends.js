// How games end, in the language of the page.

import { languageNow } from "./language.js";

export const ENDS = {
  en: {
    mate: "mate", resignation: "resignation", stalemate: "stalemate", "dead-position": "dead position", agreement: "agreement", threefold: "threefold repetition", "fifty-moves": "fifty moves", "seventy-five-moves": "seventy-five moves", fivefold: "fivefold repetition",
    flag: "flag", "flag-no-mating-material": "flag, no mating material", "illegal-moves": "illegal moves", adjudicated: "adjudicated", "refused-to-play": "refused to play", "no-show": "no-show", late: "late", left: "left", "unfair-play": "unfair play", "electronic-device": "electronic device", "result-not-shown": "result not shown",
  },
  uk: {
    mate: "мат", resignation: "здався", stalemate: "пат", "dead-position": "мертва позиція", agreement: "за згодою", threefold: "трикратне повторення", "fifty-moves": "п’ятдесят ходів", "seventy-five-moves": "сімдесят п’ять ходів", fivefold: "п’ятикратне повторення",
    flag: "прапорець", "flag-no-mating-material": "прапорець, матувати нічим", "illegal-moves": "неможливі ходи", adjudicated: "присуджено", "refused-to-play": "відмова грати", "no-show": "неявка", late: "запізнення", left: "пішов", "unfair-play": "нечесна гра", "electronic-device": "електронний пристрій", "result-not-shown": "результат не показано",
  },
  ru: {
    mate: "мат", resignation: "сдался", stalemate: "пат", "dead-position": "мёртвая позиция", agreement: "по соглашению", threefold: "троекратное повторение", "fifty-moves": "пятьдесят ходов", "seventy-five-moves": "семьдесят пять ходов", fivefold: "пятикратное повторение",
    flag: "флажок", "flag-no-mating-material": "флажок, матовать нечем", "illegal-moves": "невозможные ходы", adjudicated: "присуждено", "refused-to-play": "отказ играть", "no-show": "неявка", late: "опоздание", left: "ушёл", "unfair-play": "нечестная игра", "electronic-device": "электронное устройство", "result-not-shown": "результат не показан",
  },
};

/** How a game ended; empty when nobody knows. */
export function endWord(termination) {
  if (!termination || termination === "unknown") return "";
  return ENDS[languageNow()][termination] ?? termination.replaceAll("-", " ");
}
