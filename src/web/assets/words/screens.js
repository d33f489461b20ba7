// What the console says of the hall's screens: what they show and how, announcements, messages, blackout,
// emergency, and what is printed.

import { live, plural } from "./language.js";

export const WORDS = {
  en: {
    contents: {
      rotation: "What fits the phase, in turn", countdown: "Countdown", "pairings-by-name": "Pairings by name", "pairings-by-board": "Pairings by table",
      standings: "Standings", results: "Results as they come", boards: "Boards and clocks (foyer)", notice: "Notice", "play-off": "Last games", "next-round": "Next round",
    },
    emergencies: { leave: "Leave the hall", "stop-clocks": "Stop the clocks", "drill-over": "The drill is over", other: "My own words" },
    papers: { "table-cards": "Table cards", "result-slips": "Result slips", "setting-sheet": "Clock settings" },
    themes: { dark: "Light on black (panel)", light: "Black on white (projector)" },
    screens: "Screens", live: { one: "{n} of {of} live", other: "{n} of {of} live" }, none: "Open /screen in a browser on each screen of the hall: it shows a large number, and appears here.",
    message: "Message", noticePage: "Notice page", blackout: "Blackout", endBlackout: "End blackout", emergency: "Emergency", takeDown: "Take it down", print: "Print",
    keypad: "USB keypad: − and + a minute, 5 five minutes, Enter start, 0 hold", isLive: "live", isSilent: "silent", unassigned: "Give it something to show", onAll: (what) => `On all screens: ${what}`,
    fixedEnd: { one: "Fixed end for the last board", other: "Fixed end for the last {n} boards" },
    sound: { blocked: "sound blocked", muted: "muted" }, soundWhy: { blocked: "This browser plays nothing until somebody touches its page. Touch the screen or press a key there once, or start the browser with --autoplay-policy=no-user-gesture-required.", muted: "Somebody muted it with the key M at the screen; M again lets it sound." },
    screen: (no) => `Screen ${no}`, where: "Where it hangs", whereHint: "Hall, north wall", shows: "What it shows", delay: "Boards shown later, minutes", look: "Look", languages: "Languages", stacked: "Two under each other",
    gong: "Gong and voice at five minutes, one minute and the start", waiting: "Numbers of boards that are not ready, in the last five minutes", large: "Is it large enough?", farthest: "Farthest seat, m", diagonal: "Diagonal, inches",
    show: "Show it", check: "Sound check", checks: "The gong sounds within five seconds", forget: "Forget this screen", forgotten: (no) => `Screen ${no} is forgotten`, given: (no, what) => `Screen ${no}: ${what}`, close: "Close",
    verdicts: { good: "Large enough.", just: "Just enough.", small: "Too small." }, digits: (cm, good, least) => `The digits are ${cm} cm high: good to ${good} m, readable to ${least} m.`, inches: { one: "{n} inch", other: "{n} inches" },
    better: (good, inches) => `From ${good} m on a screen of ${inches} would be better.`, second: (good, inches) => `Hang a second screen so that no seat is farther than ${good} m from one, or take ${inches}.`,
    messageTitle: "A message on all screens", stands: "It stands for", seconds: { one: "{n} second", other: "{n} seconds" }, minutes: { one: "{n} minute", other: "{n} minutes" }, writeIt: "Write what the hall is to read", messageUp: "The message is on all screens", messageDown: "The message is down",
    noticeTitle: "The notice page", noticeHelp: "The first line is its title. Screens with the rotation show it in turn; empty, it is not shown.", save: "Save", noticeSaved: "The notice page is saved",
    dark: "The screens are black, at most until five minutes before the start", bright: "The screens are back", playOff: "The last boards have a fixed end", hold: "hold two seconds",
    emergencyTitle: "Emergency on all screens", emergencyHelp: "The countdown is held, and the times of all clocks are written down.", ownWords: "In my own words", emergencyUp: "The emergency page is on all screens", emergencyDown: "The emergency page is down",
  },
  uk: {
    contents: {
      rotation: "По черзі те, що пасує до туру", countdown: "Відлік", "pairings-by-name": "Пари за прізвищами", "pairings-by-board": "Пари за столами",
      standings: "Таблиця", results: "Результати, щойно надійдуть", boards: "Дошки й годинники (фойє)", notice: "Оголошення", "play-off": "Останні партії", "next-round": "Наступний тур",
    },
    emergencies: { leave: "Залиште залу", "stop-clocks": "Зупиніть годинники", "drill-over": "Навчання завершено", other: "Своїми словами" },
    papers: { "table-cards": "Картки столів", "result-slips": "Бланки результатів", "setting-sheet": "Установка годинників" },
    themes: { dark: "Світле на чорному (панель)", light: "Чорне на білому (проєктор)" },
    screens: "Екрани", live: { one: "працює {n} із {of}", few: "працюють {n} із {of}", many: "працюють {n} із {of}", other: "працюють {n} із {of}" }, none: "Відкрийте /screen у браузері на кожному екрані зали: він покаже великий номер і з’явиться тут.",
    message: "Повідомлення", noticePage: "Сторінка оголошень", blackout: "Затемнити", endBlackout: "Увімкнути екрани", emergency: "Надзвичайна ситуація", takeDown: "Прибрати", print: "Друк",
    keypad: "USB-клавіатура: − і + хвилина, 5 п’ять хвилин, Enter початок, 0 відкласти", isLive: "працює", isSilent: "мовчить", unassigned: "Призначте, що показувати", onAll: (what) => `На всіх екранах: ${what}`,
    fixedEnd: { one: "Граничний час для {n} останнього столу", few: "Граничний час для {n} останніх столів", many: "Граничний час для {n} останніх столів", other: "Граничний час для останніх столів" },
    sound: { blocked: "звук заблоковано", muted: "без звуку" }, soundWhy: { blocked: "Цей браузер мовчить, доки хтось не торкнеться сторінки. Торкніться екрана або натисніть там клавішу, чи запустіть браузер із --autoplay-policy=no-user-gesture-required.", muted: "Хтось вимкнув звук клавішею M біля екрана; ще раз M — і він зазвучить." },
    screen: (no) => `Екран ${no}`, where: "Де висить", whereHint: "Зала, північна стіна", shows: "Що показує", delay: "Дошки із затримкою, хвилин", look: "Вигляд", languages: "Мови", stacked: "Дві одна під одною",
    gong: "Гонг і голос за п’ять хвилин, за хвилину та на початку", waiting: "Номери неготових столів в останні п’ять хвилин", large: "Чи досить великий?", farthest: "Найдальше місце, м", diagonal: "Діагональ, дюймів",
    show: "Показати", check: "Перевірити звук", checks: "Гонг пролунає за п’ять секунд", forget: "Забути цей екран", forgotten: (no) => `Екран ${no} забуто`, given: (no, what) => `Екран ${no}: ${what}`, close: "Закрити",
    verdicts: { good: "Досить великий.", just: "Ледве досить.", small: "Замалий." }, digits: (cm, good, least) => `Висота цифр ${cm} см: добре видно до ${good} м, можна прочитати до ${least} м.`, inches: { one: "{n} дюйм", few: "{n} дюйми", many: "{n} дюймів", other: "{n} дюйма" },
    better: (good, inches) => `Далі ніж за ${good} м кращий був би екран на ${inches}.`, second: (good, inches) => `Повісьте другий екран, щоб до кожного місця було не більше ніж ${good} м, або візьміть на ${inches}.`,
    messageTitle: "Повідомлення на всіх екранах", stands: "Скільки стоятиме", seconds: { one: "{n} секунда", few: "{n} секунди", many: "{n} секунд", other: "{n} секунди" }, minutes: { one: "{n} хвилина", few: "{n} хвилини", many: "{n} хвилин", other: "{n} хвилини" }, writeIt: "Напишіть, що має прочитати зала", messageUp: "Повідомлення на всіх екранах", messageDown: "Повідомлення прибрано",
    noticeTitle: "Сторінка оголошень", noticeHelp: "Перший рядок — заголовок. Екрани, що показують усе по черзі, покажуть і її; порожню не показують.", save: "Зберегти", noticeSaved: "Сторінку оголошень збережено",
    dark: "Екрани чорні, щонайдовше до п’яти хвилин перед початком", bright: "Екрани знову працюють", playOff: "Останні столи мають граничний час", hold: "тримайте дві секунди",
    emergencyTitle: "Надзвичайна ситуація на всіх екранах", emergencyHelp: "Відлік зупиняється, час усіх годинників записується.", ownWords: "Своїми словами", emergencyUp: "Сторінка надзвичайної ситуації на всіх екранах", emergencyDown: "Сторінку надзвичайної ситуації прибрано",
  },
  ru: {
    contents: {
      rotation: "По очереди то, что подходит к туру", countdown: "Отсчёт", "pairings-by-name": "Пары по фамилиям", "pairings-by-board": "Пары по столам",
      standings: "Таблица", results: "Результаты по мере поступления", boards: "Доски и часы (фойе)", notice: "Объявление", "play-off": "Последние партии", "next-round": "Следующий тур",
    },
    emergencies: { leave: "Покиньте зал", "stop-clocks": "Остановите часы", "drill-over": "Учения закончены", other: "Своими словами" },
    papers: { "table-cards": "Карточки столов", "result-slips": "Бланки результатов", "setting-sheet": "Установка часов" },
    themes: { dark: "Светлое на чёрном (панель)", light: "Чёрное на белом (проектор)" },
    screens: "Экраны", live: { one: "работает {n} из {of}", few: "работают {n} из {of}", many: "работают {n} из {of}", other: "работают {n} из {of}" }, none: "Откройте /screen в браузере на каждом экране зала: он покажет большой номер и появится здесь.",
    message: "Сообщение", noticePage: "Страница объявлений", blackout: "Затемнить", endBlackout: "Включить экраны", emergency: "Чрезвычайная ситуация", takeDown: "Убрать", print: "Печать",
    keypad: "USB-клавиатура: − и + минута, 5 пять минут, Enter начало, 0 отложить", isLive: "работает", isSilent: "молчит", unassigned: "Назначьте, что показывать", onAll: (what) => `На всех экранах: ${what}`,
    fixedEnd: { one: "Предельное время для {n} последнего стола", few: "Предельное время для {n} последних столов", many: "Предельное время для {n} последних столов", other: "Предельное время для последних столов" },
    sound: { blocked: "звук заблокирован", muted: "без звука" }, soundWhy: { blocked: "Этот браузер молчит, пока кто-нибудь не коснётся страницы. Коснитесь экрана или нажмите там клавишу либо запустите браузер с --autoplay-policy=no-user-gesture-required.", muted: "Кто-то выключил звук клавишей M у экрана; ещё раз M — и он зазвучит." },
    screen: (no) => `Экран ${no}`, where: "Где висит", whereHint: "Зал, северная стена", shows: "Что показывает", delay: "Доски с задержкой, минут", look: "Вид", languages: "Языки", stacked: "Два друг под другом",
    gong: "Гонг и голос за пять минут, за минуту и в начале", waiting: "Номера неготовых столов в последние пять минут", large: "Достаточно ли велик?", farthest: "Самое дальнее место, м", diagonal: "Диагональ, дюймов",
    show: "Показать", check: "Проверить звук", checks: "Гонг прозвучит в течение пяти секунд", forget: "Забыть этот экран", forgotten: (no) => `Экран ${no} забыт`, given: (no, what) => `Экран ${no}: ${what}`, close: "Закрыть",
    verdicts: { good: "Достаточно велик.", just: "Едва достаточно.", small: "Слишком мал." }, digits: (cm, good, least) => `Высота цифр ${cm} см: хорошо видно до ${good} м, можно прочесть до ${least} м.`, inches: { one: "{n} дюйм", few: "{n} дюйма", many: "{n} дюймов", other: "{n} дюйма" },
    better: (good, inches) => `Далее ${good} м лучше был бы экран на ${inches}.`, second: (good, inches) => `Повесьте второй экран, чтобы до каждого места было не больше ${good} м, или возьмите на ${inches}.`,
    messageTitle: "Сообщение на всех экранах", stands: "Сколько простоит", seconds: { one: "{n} секунда", few: "{n} секунды", many: "{n} секунд", other: "{n} секунды" }, minutes: { one: "{n} минута", few: "{n} минуты", many: "{n} минут", other: "{n} минуты" }, writeIt: "Напишите, что должен прочесть зал", messageUp: "Сообщение на всех экранах", messageDown: "Сообщение убрано",
    noticeTitle: "Страница объявлений", noticeHelp: "Первая строка — заголовок. Экраны, что показывают всё по очереди, покажут и её; пустую не показывают.", save: "Сохранить", noticeSaved: "Страница объявлений сохранена",
    dark: "Экраны чёрные, самое большее до пяти минут перед началом", bright: "Экраны снова работают", playOff: "У последних столов есть предельное время", hold: "держите две секунды",
    emergencyTitle: "Чрезвычайная ситуация на всех экранах", emergencyHelp: "Отсчёт останавливается, время всех часов записывается.", ownWords: "Своими словами", emergencyUp: "Страница чрезвычайной ситуации на всех экранах", emergencyDown: "Страница чрезвычайной ситуации убрана",
  },
};

export const words = live(WORDS);

/** A number of things, by the word's forms. */
export const counted = (key, n, more = {}) =>
  Object.entries(more).reduce((text, [name, value]) => text.replace(`{${name}}`, value), plural(words[key], n));
