// What the queue of alerts says, in three languages, with the plurals of each.

import { languageNow, plural } from "./language.js";

export const KINDS = {
  en: {
    flag: "Flag fallen", "illegal-move": "Illegal move", "clock-stopped": "Clock stopped", call: "Arbiter called",
    "result-conflict": "Results differ", "result-missing": "No result shown", disturbed: "Board not understood",
    "moves-missing": "Moves missing", "which-move": "Which move?", "wrong-set-up": "Wrong set-up", correction: "Clock changed",
    "clock-battery": "Clock battery low", "device-battery": "Board battery low", "clock-gone": "Clock unplugged",
    "clock-side": "Clock turned round?", "device-lost": "Board is silent", "device-unassigned": "Board without a table",
    "device-clash": "Two boards are one", "device-moved": "Board at another table", port: "Port", "not-started": "Player absent", "no-screen": "No countdown screen",
    "draft-at-start": "Pairing not public", "round-complete": "Round complete", "system-clock": "System clock",
    journal: "Journal", "game-files": "Game files", players: "List of players", "draw-claim": "Draw claimed", claim: "Claim",
    "early-draw": "Draw too early", "wrong-colours": "Wrong colours", "hand-violation": "Wrong hand", penalty: "Penalty",
    conduct: "Unfair play", "follow-up": "Noted before", protest: "Protest", staffing: "Too few arbiters",
    forfeit: "Player absent", result: "Result", disqualify: "Out of the event",
    "wrong-setting": "Clock set wrongly", "clock-fault": "Clock at fault", "clock-replaced": "Another clock",
    "press-missed": "Press not taken", "wrong-side-runs": "Time on the wrong side", "move-counter": "Moves counted differently",
    "correction-open": "Clock not corrected yet", "screen-silent": "Screen is silent", "play-off-time": "Time for the last boards",
    adjudicate: "Adjudicate",
  },
  uk: {
    flag: "Прапорець упав", "illegal-move": "Неможливий хід", "clock-stopped": "Годинник зупинено", call: "Виклик арбітра",
    "result-conflict": "Результати різняться", "result-missing": "Результат не показано", disturbed: "Дошка незрозуміла",
    "moves-missing": "Бракує ходів", "which-move": "Який хід?", "wrong-set-up": "Неправильна розстановка", correction: "Час змінено",
    "clock-battery": "Батарея годинника сідає", "device-battery": "Батарея дошки сідає", "clock-gone": "Годинник від’єднано",
    "clock-side": "Годинник навпаки?", "device-lost": "Дошка мовчить", "device-unassigned": "Дошка без столу",
    "device-clash": "Дві дошки як одна", "device-moved": "Дошка за іншим столом", port: "Порт", "not-started": "Гравець відсутній", "no-screen": "Немає екрана відліку",
    "draft-at-start": "Пари не оголошено", "round-complete": "Тур зіграно", "system-clock": "Системний час",
    journal: "Журнал", "game-files": "Файли партій", players: "Список гравців", "draw-claim": "Вимога нічиєї", claim: "Заява",
    "early-draw": "Зарано для нічиєї", "wrong-colours": "Не ті кольори", "hand-violation": "Не та рука", penalty: "Покарання",
    conduct: "Нечесна гра", "follow-up": "Уже було зауваження", protest: "Протест", staffing: "Замало арбітрів",
    forfeit: "Гравець відсутній", result: "Результат", disqualify: "Поза змаганням",
    "wrong-setting": "Годинник налаштовано неправильно", "clock-fault": "Несправність годинника", "clock-replaced": "Інший годинник",
    "press-missed": "Натискання не зараховано", "wrong-side-runs": "Іде не той час", "move-counter": "Лічба ходів різниться",
    "correction-open": "Час ще не виправлено", "screen-silent": "Екран мовчить", "play-off-time": "Час для останніх дощок",
    adjudicate: "Присудити результат",
  },
  ru: {
    flag: "Флажок упал", "illegal-move": "Невозможный ход", "clock-stopped": "Часы остановлены", call: "Вызов арбитра",
    "result-conflict": "Результаты расходятся", "result-missing": "Результат не показан", disturbed: "Доска непонятна",
    "moves-missing": "Не хватает ходов", "which-move": "Какой ход?", "wrong-set-up": "Неверная расстановка", correction: "Время изменено",
    "clock-battery": "Батарея часов садится", "device-battery": "Батарея доски садится", "clock-gone": "Часы отсоединены",
    "clock-side": "Часы наоборот?", "device-lost": "Доска молчит", "device-unassigned": "Доска без стола",
    "device-clash": "Две доски как одна", "device-moved": "Доска за другим столом", port: "Порт", "not-started": "Игрок отсутствует", "no-screen": "Нет экрана отсчёта",
    "draft-at-start": "Пары не объявлены", "round-complete": "Тур сыгран", "system-clock": "Системное время",
    journal: "Журнал", "game-files": "Файлы партий", players: "Список игроков", "draw-claim": "Требование ничьей", claim: "Заявление",
    "early-draw": "Рано для ничьей", "wrong-colours": "Не те цвета", "hand-violation": "Не та рука", penalty: "Наказание",
    conduct: "Нечестная игра", "follow-up": "Уже было замечание", protest: "Протест", staffing: "Мало арбитров",
    forfeit: "Игрок отсутствует", result: "Результат", disqualify: "Вне соревнования",
    "wrong-setting": "Часы установлены неверно", "clock-fault": "Неисправность часов", "clock-replaced": "Другие часы",
    "press-missed": "Нажатие не сработало", "wrong-side-runs": "Идёт не то время", "move-counter": "Счёт ходов расходится",
    "correction-open": "Время ещё не исправлено", "screen-silent": "Экран молчит", "play-off-time": "Время для последних досок",
    adjudicate: "Присудить результат",
  },
};

export const WORDS = {
  en: {
    needs: "Needs you", quiet: "Nothing. All is quiet.", mine: "Mine", all: "All", call: "Call", warning: "Warning", notice: "Notice", decide: "Decide",
    table: (no) => `Table ${no}`, hall: "Hall", going: "I’m going", giveBack: "Give back", takeOver: "Take over", done: "Done",
    on: (name) => `${name} is on it`, nobody: "Nobody has taken this yet", neighbour: "Not taken: called again, and the neighbour",
    chief: "Not taken: the chief arbiter is called", accept: "Accept", confirm: "Confirm", reject: "Reject", illegal: "It is illegal", legal: "It is not",
    count: "It counts", countNot: "It does not", give: "Give the time", giveNot: "No time", out: "He is out", stays: "He stays",
    other: "Other result", rejectNote: "Reject with a note", record: "Game record", undo: "Undo", send: "Send now",
    waiting: { one: "{n} tap waits for the hub", other: "{n} taps wait for the hub" }, wait: "waits to be sent", refused: "Not done",
    group: { one: "{n} table", other: "{n} tables" }, show: "Show", hide: "Hide", moved: "The list has just moved: look and tap again",
    recorded: (text) => `${text}: recorded`, since: "time since it was raised", whiteAway: "White is absent", blackAway: "Black is absent", bothAway: "Both are absent",
    upheld: "Upheld", withdrawn: "Withdrawn", reason: "Your reason, for the record", alarms: "Sound and vibration", sound: "Sound", shake: "Vibration", awake: "Keep the screen on", close: "Close",
    findBoard: "Board of table", findBoardGo: "Find by its white king", findBoardNow: (no) => `Table ${no}: lift the white king there within two minutes`,
    noAwake: "This browser keeps the screen on only over HTTPS.", try: "Try", language: "Language",
  },
  uk: {
    needs: "Потребує вас", quiet: "Нічого. Усе спокійно.", mine: "Мої", all: "Усі", call: "Виклик", warning: "Увага", notice: "До відома", decide: "Рішення",
    table: (no) => `Стіл ${no}`, hall: "Зала", going: "Я йду", giveBack: "Повернути", takeOver: "Перебрати", done: "Зроблено",
    on: (name) => `Узяв(-ла) ${name}`, nobody: "Ніхто ще не взяв", neighbour: "Не взято: викликано знову, і сусіда",
    chief: "Не взято: викликано головного арбітра", accept: "Прийняти", confirm: "Підтвердити", reject: "Відхилити", illegal: "Хід неможливий", legal: "Хід можливий",
    count: "Зарахувати", countNot: "Не зараховувати", give: "Додати час", giveNot: "Не додавати", out: "Вибуває", stays: "Лишається",
    other: "Інший результат", rejectNote: "Відхилити з поясненням", record: "Запис партії", undo: "Скасувати", send: "Надіслати",
    waiting: { one: "{n} дія чекає на зв’язок", few: "{n} дії чекають на зв’язок", many: "{n} дій чекають на зв’язок", other: "{n} дії чекають на зв’язок" }, wait: "чекає на надсилання", refused: "Не виконано",
    group: { one: "{n} стіл", few: "{n} столи", many: "{n} столів", other: "{n} столу" }, show: "Показати", hide: "Сховати", moved: "Список щойно змістився: погляньте й натисніть ще раз",
    recorded: (text) => `${text}: записано`, since: "скільки минуло", whiteAway: "Білих немає", blackAway: "Чорних немає", bothAway: "Немає обох",
    upheld: "Задоволено", withdrawn: "Відкликано", reason: "Причина, для протоколу", alarms: "Звук і вібрація", sound: "Звук", shake: "Вібрація", awake: "Не гасити екран", close: "Закрити",
    findBoard: "Дошка столу", findBoardGo: "Знайти за білим королем", findBoardNow: (no) => `Стіл ${no}: підніміть там білого короля протягом двох хвилин`,
    noAwake: "Цей браузер не гасить екран лише через HTTPS.", try: "Спробувати", language: "Мова",
  },
  ru: {
    needs: "Требует вас", quiet: "Ничего. Всё спокойно.", mine: "Мои", all: "Все", call: "Вызов", warning: "Внимание", notice: "К сведению", decide: "Решение",
    table: (no) => `Стол ${no}`, hall: "Зал", going: "Я иду", giveBack: "Вернуть", takeOver: "Перенять", done: "Сделано",
    on: (name) => `Взял(-а) ${name}`, nobody: "Никто ещё не взял", neighbour: "Не взято: вызван снова, и сосед",
    chief: "Не взято: вызван главный арбитр", accept: "Принять", confirm: "Подтвердить", reject: "Отклонить", illegal: "Ход невозможный", legal: "Ход возможный",
    count: "Засчитать", countNot: "Не засчитывать", give: "Добавить время", giveNot: "Не добавлять", out: "Выбывает", stays: "Остаётся",
    other: "Другой результат", rejectNote: "Отклонить с пояснением", record: "Запись партии", undo: "Отменить", send: "Отправить",
    waiting: { one: "{n} действие ждёт связи", few: "{n} действия ждут связи", many: "{n} действий ждут связи", other: "{n} действия ждут связи" }, wait: "ждёт отправки", refused: "Не выполнено",
    group: { one: "{n} стол", few: "{n} стола", many: "{n} столов", other: "{n} стола" }, show: "Показать", hide: "Скрыть", moved: "Список только что сдвинулся: посмотрите и нажмите ещё раз",
    recorded: (text) => `${text}: записано`, since: "сколько прошло", whiteAway: "Белых нет", blackAway: "Чёрных нет", bothAway: "Нет обоих",
    upheld: "Удовлетворён", withdrawn: "Отозван", reason: "Причина, для протокола", alarms: "Звук и вибрация", sound: "Звук", shake: "Вибрация", awake: "Не гасить экран", close: "Закрыть",
    findBoard: "Доска стола", findBoardGo: "Найти по белому королю", findBoardNow: (no) => `Стол ${no}: поднимите там белого короля в течение двух минут`,
    noAwake: "Этот браузер не гасит экран только по HTTPS.", try: "Попробовать", language: "Язык",
  },
};

/** The word, or what a word with a blank makes of `value`. */
export function t(key, value) {
  const word = WORDS[languageNow()][key];
  return typeof word === "function" ? word(value) : word;
}

/** A number of things. */
export const many = (key, n) => plural(WORDS[languageNow()][key], n);

/** What an alert or a proposal is about. */
export function kindText(kind) {
  return KINDS[languageNow()][kind] ?? (kind.charAt(0).toUpperCase() + kind.slice(1)).replaceAll("-", " ");
}
