// Words of the dialog that corrects a clock, and how its keys are used, by language. The keys are those of
// the makers' manuals: what blinks is changed with − and +, and the next digit is one key away.

import { languageNow, live } from "./language.js";

/** One of the forms for a number: one, few, many (uk, ru) or one, many (en). */
function seconds(lang, n, forms) {
  return forms[new Intl.PluralRules(lang).select(n)] ?? forms.other;
}

export const KEYS = {
  en: {
    stop: "Stop the clock with the middle key.",
    hold: { "DGT 3000": "Hold the middle key for 3 seconds, until the first digit blinks.", "DGT 2010": "Hold the middle key for 2 seconds, until the first digit blinks.", "DGT XL": "Hold the key at the far right for 3 seconds, until the first digit blinks." },
    digits: (left, right) => `Digit by digit, − and + change it, the key at the far right goes on: ${left}, then ${right}.`,
    moves: (moves) => (moves ? `Then the moves: ${moves}. Go on with the key at the far right.` : "Then the moves: leave them, go on with the key at the far right."),
    period: "If a period blinks: leave it, go on with the key at the far right.",
    start: "Look at the lever, then start with the middle key.",
  },
  uk: {
    stop: "Зупиніть годинник середньою кнопкою.",
    hold: { "DGT 3000": "Тримайте середню кнопку 3 секунди, поки не заблимає перша цифра.", "DGT 2010": "Тримайте середню кнопку 2 секунди, поки не заблимає перша цифра.", "DGT XL": "Тримайте крайню праву кнопку 3 секунди, поки не заблимає перша цифра." },
    digits: (left, right) => `Цифра за цифрою: − і + змінюють, крайня права кнопка веде далі: ${left}, потім ${right}.`,
    moves: (moves) => (moves ? `Потім ходи: ${moves}. Далі — крайньою правою кнопкою.` : "Потім ходи: залиште, далі — крайньою правою кнопкою."),
    period: "Якщо блимає період: залиште, далі — крайньою правою кнопкою.",
    start: "Перевірте важіль і запустіть середньою кнопкою.",
  },
  ru: {
    stop: "Остановите часы средней кнопкой.",
    hold: { "DGT 3000": "Держите среднюю кнопку 3 секунды, пока не замигает первая цифра.", "DGT 2010": "Держите среднюю кнопку 2 секунды, пока не замигает первая цифра.", "DGT XL": "Держите крайнюю правую кнопку 3 секунды, пока не замигает первая цифра." },
    digits: (left, right) => `Цифра за цифрой: − и + меняют, крайняя правая кнопка ведёт дальше: ${left}, затем ${right}.`,
    moves: (moves) => (moves ? `Затем ходы: ${moves}. Дальше — крайней правой кнопкой.` : "Затем ходы: оставьте, дальше — крайней правой кнопкой."),
    period: "Если мигает период: оставьте, дальше — крайней правой кнопкой.",
    start: "Проверьте рычаг и запустите средней кнопкой.",
  },
};

export const MODELS = ["DGT 3000", "DGT 2010", "DGT XL"];

export const WORDS = {
  en: {
    title: (table) => `Table ${table}: correct the clock`,
    penalty: "Penalty of the event", figures: "Other figures", add: "Add or take", set: "Exact times",
    white: "White", black: "Black", whiteMoves: "White’s moves made", blackMoves: "Black’s moves made", why: "To whom and why", order: "Order the correction", withdraw: "Withdraw the order", close: "Close",
    reasons: ["illegal move by White", "illegal move by Black", "disturbance", "clock set wrongly", "wrong side ran"],
    bad: "Write times as h:mm:ss or m:ss, what is added with + or −.",
    needWhy: "Say to whom and why: it goes into the record.",
    preview: (white, black) => `White ${white} · Black ${black}`,
    passed: (n) => `${n} ${seconds("en", n, { one: "second", other: "seconds" })}`,
    runs: "Stop the clock: the figures are exact once it stands.", stands: "Set the clock to:",
    sent: "Sent to the clock. Done when it shows the new times.", refused: "The clock does not let itself be set: set it by hand.", unanswered: "The clock did not answer: set it by hand.",
    moves: (white, black) => `Moves made by the record: White ${white}, Black ${black}`,
    reason: (why, by) => `${why} · ordered by ${by}`,
    done: "The clock shows it. Done.", ordered: "Ordered",
  },
  uk: {
    title: (table) => `Стіл ${table}: виправити годинник`,
    penalty: "Штраф за правилами турніру", figures: "Інші цифри", add: "Додати чи відняти", set: "Точний час",
    white: "Білі", black: "Чорні", whiteMoves: "Ходів білих", blackMoves: "Ходів чорних", why: "Кому і за що", order: "Призначити виправлення", withdraw: "Скасувати", close: "Закрити",
    reasons: ["неможливий хід білих", "неможливий хід чорних", "перешкода грі", "годинник установлено неправильно", "йшов час не тієї сторони"],
    bad: "Пишіть час як г:хх:сс або х:сс, додане — з + чи −.",
    needWhy: "Вкажіть, кому і за що: це ввійде до запису.",
    preview: (white, black) => `Білі ${white} · Чорні ${black}`,
    passed: (n) => `${n} ${seconds("uk", n, { one: "секунда", few: "секунди", many: "секунд", other: "секунди" })}`,
    runs: "Зупиніть годинник: цифри будуть точні, коли він стоятиме.", stands: "Установіть на годиннику:",
    sent: "Надіслано на годинник. Готово, коли він покаже новий час.", refused: "Годинник не дає себе встановити: зробіть це вручну.", unanswered: "Годинник не відповів: установіть вручну.",
    moves: (white, black) => `Зроблено ходів за записом: білі ${white}, чорні ${black}`,
    reason: (why, by) => `${why} · призначив(ла) ${by}`,
    done: "Годинник це показує. Готово.", ordered: "Призначено",
  },
  ru: {
    title: (table) => `Стол ${table}: исправить часы`,
    penalty: "Штраф по правилам турнира", figures: "Другие цифры", add: "Добавить или отнять", set: "Точное время",
    white: "Белые", black: "Чёрные", whiteMoves: "Ходов белых", blackMoves: "Ходов чёрных", why: "Кому и за что", order: "Назначить исправление", withdraw: "Отменить", close: "Закрыть",
    reasons: ["невозможный ход белых", "невозможный ход чёрных", "помеха игре", "часы установлены неверно", "шло время не той стороны"],
    bad: "Пишите время как ч:мм:сс или м:сс, добавленное — с + или −.",
    needWhy: "Укажите, кому и за что: это войдёт в запись.",
    preview: (white, black) => `Белые ${white} · Чёрные ${black}`,
    passed: (n) => `${n} ${seconds("ru", n, { one: "секунда", few: "секунды", many: "секунд", other: "секунды" })}`,
    runs: "Остановите часы: цифры будут точны, когда они встанут.", stands: "Установите на часах:",
    sent: "Послано на часы. Готово, когда они покажут новое время.", refused: "Часы не дают себя установить: сделайте это вручную.", unanswered: "Часы не ответили: установите вручную.",
    moves: (white, black) => `Сделано ходов по записи: белые ${white}, чёрные ${black}`,
    reason: (why, by) => `${why} · назначил(а) ${by}`,
    done: "Часы это показывают. Готово.", ordered: "Назначено",
  },
};

export const words = live(WORDS);

/** What to press on a clock, step by step. `figures`: the two times in the order of the display. */
export function steps(model, runs, [left, right], moves) {
  const keys = KEYS[languageNow()];
  return [runs && keys.stop, keys.hold[model], keys.digits(left, right), keys.moves(moves), keys.period, keys.start].filter(Boolean);
}
