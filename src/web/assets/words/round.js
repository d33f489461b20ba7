// What the console says of the round: its start, late starts, pairing, publishing and closing.

import { languageNow, live, plural } from "./language.js";

export const WORDS = {
  en: {
    phases: {
      idle: "Paired, no start set", scheduled: "Counting down", seats: "Players take their seats", last5: "Last five minutes",
      last1: "Last minute", zero: "Zero: say “start”", held: "Start delayed", started: "Started, default time runs",
      playing: "Games in progress", closed: "Closed",
    },
    round: (n, of) => (of ? `Round ${n} of ${of}` : `Round ${n}`), short: (n) => `R${n}`, noRound: "No round yet", noEvent: "No event is set up", started: "Started", pairFirst: "Pair the first round",
    draft: "Draft, not public", resultsIn: "Results in", move: "Move the start", less1: "−1 min", more1: "+1 min", more5: "+5 min",
    start: "Start now", hold: "Hold", publish: "Publish", why: "Who and why", close: "Close round", startAt: "Start at", set: "Set",
    pair: (n) => `Pair round ${n}`, again: "Pair again", free: (name) => `Free this round: ${name}`,
    allIn: (n) => `All ${n} results are in`, open: { one: "{n} of {of} boards open", other: "{n} of {of} boards open" },
    idleBoards: { one: "{n} board has not started", other: "{n} boards have not started" },
    starts: (when) => `Start at ${when}`, held: "Held", planned: (when) => `Planned start: ${when}`, passed: (when) => `The planned start, ${when}, has passed: set a new one`,
    defaultIn: (left) => `Default time in ${left}`, startedAt: (time) => `Started at ${time}`, next: (time) => `Next round at ${time}`, nextAbout: (time) => `Next round about ${time}, by the longest game`,
    moved: "Start moved", earlier: "Earlier than announced?", announced: (time) => `The start is announced for ${time}.`, tooLate: "Players may come too late because of it.", startEarlier: "Start earlier",
    hasPassed: (time) => `${time} has passed`, later: "Choose a later time.", isSet: (time) => `Start set to ${time}`,
    points: { one: "{n} point", other: "{n} points" }, half: "½ point", bye: (worth, who) => `Free, ${worth}: ${who}`, unpaired: (worth, who) => `Not paired, ${worth}: ${who}`, reasons: (n) => `Round ${n}: who and why`,
    inTime: (time, left) => `The start is announced for ${time}, in ${left}.`, isDraft: "The pairing is still a draft.", fromNow: "Default time counts from this moment.", sureStart: (n) => `Start round ${n} now?`, hasStarted: "The round has started",
    holdTitle: "Hold the start", holdWhy: "What the hall reads (may be empty)", isHeld: "The start is held",
    publishTitle: (n) => `Publish the pairing of round ${n}?`, appears: "It appears at once on the public page /pairings. Later changes are recorded.", newStart: "New start",
    whenStarts: (when) => `The start, ${when}, has passed: say when the round starts.`, isPublicAt: (time) => `The pairing is public; start at ${time}`, noStart: "No start is set yet: the screens count down once you set one.", countTo: (when) => `The screens count down to ${when}.`, isPublic: "The pairing is public",
    sureAgain: "Pair again?", thrownAway: "The present draft is thrown away.", isPaired: "Paired; look at the draft, then publish it",
    sureClose: (n) => `Close round ${n}?`, sureLast: "Close the last round?", thenPaired: "After closing, the next round is paired from them.", undecided: { one: "{n} proposal is still undecided.", other: "{n} proposals are still undecided." }, closeNo: (n) => `Close round ${n}`, isClosed: (n) => `Round ${n} is closed`,
  },
  uk: {
    phases: {
      idle: "Жеребкування є, початку не задано", scheduled: "Іде відлік", seats: "Гравці займають місця", last5: "Останні п’ять хвилин",
      last1: "Остання хвилина", zero: "Нуль: оголосіть початок", held: "Початок відкладено", started: "Почався, йде час на запізнення",
      playing: "Партії тривають", closed: "Завершено",
    },
    round: (n, of) => (of ? `Тур ${n} з ${of}` : `Тур ${n}`), short: (n) => `Т${n}`, noRound: "Туру ще немає", noEvent: "Турнір не налаштовано", started: "Почався", pairFirst: "Проведіть жеребкування першого туру",
    draft: "Чернетка, не оголошено", resultsIn: "Надійшло результатів", move: "Перенести початок", less1: "−1 хв", more1: "+1 хв", more5: "+5 хв",
    start: "Почати зараз", hold: "Відкласти", publish: "Оголосити", why: "Хто і чому", close: "Завершити тур", startAt: "Початок о", set: "Задати",
    pair: (n) => `Жеребкування туру ${n}`, again: "Жеребкувати знову", free: (name) => `Вільний у цьому турі: ${name}`,
    allIn: (n) => `Надійшли всі результати: ${n}`, open: { one: "{n} стіл із {of} відкритий", few: "{n} столи з {of} відкриті", many: "{n} столів із {of} відкриті", other: "{n} столу з {of} відкрито" },
    idleBoards: { one: "{n} стіл ще не почав", few: "{n} столи ще не почали", many: "{n} столів ще не почали", other: "{n} столу ще не почали" },
    starts: (when) => `Початок о ${when}`, held: "Відкладено", planned: (when) => `Запланований початок: ${when}`, passed: (when) => `Запланований початок, ${when}, минув: задайте новий`,
    defaultIn: (left) => `Поразка за неявку через ${left}`, startedAt: (time) => `Почався о ${time}`, next: (time) => `Наступний тур о ${time}`, nextAbout: (time) => `Наступний тур близько ${time}, за найдовшою партією`,
    moved: "Початок перенесено", earlier: "Раніше, ніж оголошено?", announced: (time) => `Початок оголошено на ${time}.`, tooLate: "Через це гравці можуть запізнитися.", startEarlier: "Почати раніше",
    hasPassed: (time) => `${time} уже минуло`, later: "Оберіть пізніший час.", isSet: (time) => `Початок задано на ${time}`,
    points: { one: "{n} очко", few: "{n} очки", many: "{n} очок", other: "{n} очка" }, half: "½ очка", bye: (worth, who) => `Вільний, ${worth}: ${who}`, unpaired: (worth, who) => `Без пари, ${worth}: ${who}`, reasons: (n) => `Тур ${n}: хто і чому`,
    inTime: (time, left) => `Початок оголошено на ${time}, через ${left}.`, isDraft: "Жеребкування ще чернетка.", fromNow: "Час на запізнення рахується від цієї миті.", sureStart: (n) => `Почати тур ${n} зараз?`, hasStarted: "Тур почався",
    holdTitle: "Відкласти початок", holdWhy: "Що прочитає зала (можна нічого)", isHeld: "Початок відкладено",
    publishTitle: (n) => `Оголосити жеребкування туру ${n}?`, appears: "Воно одразу з’явиться на загальній сторінці /pairings. Пізніші зміни записуються.", newStart: "Новий початок",
    whenStarts: (when) => `Час початку, ${when}, минув: скажіть, коли тур почнеться.`, isPublicAt: (time) => `Жеребкування оголошено; початок о ${time}`, noStart: "Початку ще не задано: екрани почнуть відлік, коли ви його задасте.", countTo: (when) => `Екрани відлічують час до ${when}.`, isPublic: "Жеребкування оголошено",
    sureAgain: "Жеребкувати знову?", thrownAway: "Теперішню чернетку буде відкинуто.", isPaired: "Готово; перегляньте чернетку й оголосіть її",
    sureClose: (n) => `Завершити тур ${n}?`, sureLast: "Завершити останній тур?", thenPaired: "Після цього за ними проводять жеребкування наступного туру.", undecided: { one: "Ще не вирішено {n} пропозицію.", few: "Ще не вирішено {n} пропозиції.", many: "Ще не вирішено {n} пропозицій.", other: "Ще не вирішено {n} пропозиції." }, closeNo: (n) => `Завершити тур ${n}`, isClosed: (n) => `Тур ${n} завершено`,
  },
  ru: {
    phases: {
      idle: "Жеребьёвка есть, начало не задано", scheduled: "Идёт отсчёт", seats: "Игроки занимают места", last5: "Последние пять минут",
      last1: "Последняя минута", zero: "Ноль: объявите начало", held: "Начало отложено", started: "Начался, идёт время на опоздание",
      playing: "Партии идут", closed: "Завершён",
    },
    round: (n, of) => (of ? `Тур ${n} из ${of}` : `Тур ${n}`), short: (n) => `Т${n}`, noRound: "Тура ещё нет", noEvent: "Турнир не настроен", started: "Начался", pairFirst: "Проведите жеребьёвку первого тура",
    draft: "Черновик, не объявлено", resultsIn: "Получено результатов", move: "Перенести начало", less1: "−1 мин", more1: "+1 мин", more5: "+5 мин",
    start: "Начать сейчас", hold: "Отложить", publish: "Объявить", why: "Кто и почему", close: "Завершить тур", startAt: "Начало в", set: "Задать",
    pair: (n) => `Жеребьёвка тура ${n}`, again: "Жеребить заново", free: (name) => `Свободен в этом туре: ${name}`,
    allIn: (n) => `Получены все результаты: ${n}`, open: { one: "{n} стол из {of} открыт", few: "{n} стола из {of} открыты", many: "{n} столов из {of} открыты", other: "{n} стола из {of} открыты" },
    idleBoards: { one: "{n} стол ещё не начал", few: "{n} стола ещё не начали", many: "{n} столов ещё не начали", other: "{n} стола ещё не начали" },
    starts: (when) => `Начало в ${when}`, held: "Отложено", planned: (when) => `Запланированное начало: ${when}`, passed: (when) => `Запланированное начало, ${when}, прошло: задайте новое`,
    defaultIn: (left) => `Поражение за неявку через ${left}`, startedAt: (time) => `Начался в ${time}`, next: (time) => `Следующий тур в ${time}`, nextAbout: (time) => `Следующий тур около ${time}, по самой долгой партии`,
    moved: "Начало перенесено", earlier: "Раньше, чем объявлено?", announced: (time) => `Начало объявлено на ${time}.`, tooLate: "Из-за этого игроки могут опоздать.", startEarlier: "Начать раньше",
    hasPassed: (time) => `${time} уже прошло`, later: "Выберите более позднее время.", isSet: (time) => `Начало задано на ${time}`,
    points: { one: "{n} очко", few: "{n} очка", many: "{n} очков", other: "{n} очка" }, half: "½ очка", bye: (worth, who) => `Свободен, ${worth}: ${who}`, unpaired: (worth, who) => `Без пары, ${worth}: ${who}`, reasons: (n) => `Тур ${n}: кто и почему`,
    inTime: (time, left) => `Начало объявлено на ${time}, через ${left}.`, isDraft: "Жеребьёвка ещё черновик.", fromNow: "Время на опоздание считается с этого мгновения.", sureStart: (n) => `Начать тур ${n} сейчас?`, hasStarted: "Тур начался",
    holdTitle: "Отложить начало", holdWhy: "Что прочтёт зал (можно ничего)", isHeld: "Начало отложено",
    publishTitle: (n) => `Объявить жеребьёвку тура ${n}?`, appears: "Она сразу появится на общей странице /pairings. Позднейшие изменения записываются.", newStart: "Новое начало",
    whenStarts: (when) => `Время начала, ${when}, прошло: скажите, когда тур начнётся.`, isPublicAt: (time) => `Жеребьёвка объявлена; начало в ${time}`, noStart: "Начало ещё не задано: экраны начнут отсчёт, когда вы его зададите.", countTo: (when) => `Экраны отсчитывают время до ${when}.`, isPublic: "Жеребьёвка объявлена",
    sureAgain: "Жеребить заново?", thrownAway: "Нынешний черновик будет отброшен.", isPaired: "Готово; просмотрите черновик и объявите его",
    sureClose: (n) => `Завершить тур ${n}?`, sureLast: "Завершить последний тур?", thenPaired: "После этого по ним проводят жеребьёвку следующего тура.", undecided: { one: "Ещё не решено {n} предложение.", few: "Ещё не решено {n} предложения.", many: "Ещё не решено {n} предложений.", other: "Ещё не решено {n} предложения." }, closeNo: (n) => `Завершить тур ${n}`, isClosed: (n) => `Тур ${n} завершён`,
  },
};

export const words = live(WORDS);

/** Several boards, proposals or points. */
export const many = (key, n, more = {}) =>
  Object.entries(more).reduce((text, [name, value]) => text.replace(`{${name}}`, value), plural(words[key], n));

/** A number of points as it is written, `0.5` or `2`, with its noun. */
export function worth(points) {
  const n = Number(points);
  if (n === 0.5) return words.half;
  const shown = String(points).replace(/\.0$/, "").replace(/\.5$/, "½");
  const forms = words.points;
  return (forms[new Intl.PluralRules(languageNow()).select(n)] ?? forms.other).replace("{n}", shown);
}
