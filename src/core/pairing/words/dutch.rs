//! The FIDE (Dutch) system.

mod criteria;

use super::{
    Language,
    phrase::{Phrase, list},
};
use crate::{
    pairing::swiss::{
        ColourRule,
        dutch::{
            BracketFacts, DutchBye, DutchPair, FloatFacts, FloatReason, How, Rules, SkipReason,
            Tried,
        },
    },
    types::PlayerNo,
};

use criteria::{Articles, articles, quality};

const BRACKET: Phrase = Phrase::new(
    "Bracket {number} ({score} {score|point|points}, {players} {players|player|players}, {pairs} \
     {pairs|pair|pairs}): {how}.",
    "Група {number} ({score} {score|очко|очки|очок|очка}, {players} \
     {players|учасник|учасники|учасників}, {pairs} {pairs|пара|пари|пар}): {how}.",
    "Группа {number} ({score} {score|очко|очка|очков}, {players} \
     {players|участник|участника|участников}, {pairs} {pairs|пара|пары|пар}): {how}.",
);
const PROPOSED: Phrase = Phrase::new(
    "the first way to set the upper half against the lower one has them together (article {article})",
    "так їх зводить уже перший варіант, верхня половина проти нижньої (стаття {article})",
    "так их сводит уже первый вариант, верхняя половина против нижней (статья {article})",
);
const TRANSPOSED: Phrase = Phrase::new(
    "{upper} was to meet {proposed} first; this pair comes from a transposition, another order of \
     the lower half ({article})",
    "спершу {upper} мав грати з {proposed}; цю пару дає транспозиція, інший порядок нижньої половини \
     ({article})",
    "сначала {upper} должен был играть с {proposed}; эту пару даёт транспозиция, другой порядок \
     нижней половины ({article})",
);
const EXCHANGED: Phrase = Phrase::new(
    "no order of the lower half is good enough, so the halves exchanged {count} \
     {count|player|players} each ({article})",
    "жоден порядок нижньої половини не годиться, тож половини обмінялися учасниками, {count} на \
     {count} ({article})",
    "ни один порядок нижней половины не годится, поэтому половины обменялись участниками, {count} на \
     {count} ({article})",
);
const TRIED: Phrase = Phrase::new(
    " Tried before for {upper}: {tried}.",
    " До того для {upper} розглянуто: {tried}.",
    " До того для {upper} рассмотрены: {tried}.",
);
const MET: Phrase = Phrase::new(
    "they have met, {article}",
    "вони вже грали, {article}",
    "они уже играли, {article}",
);
const FORBIDDEN: Phrase = Phrase::new(
    "they must not meet in this round",
    "у цьому турі їм не можна грати разом",
    "в этом туре им нельзя играть друг с другом",
);
const SAME_COLOUR: Phrase = Phrase::new(
    "both must have the same colour, {article}",
    "обом належить той самий колір, {article}",
    "обоим положен один и тот же цвет, {article}",
);
const WORSE: Phrase = Phrase::new(
    "the pairing as a whole would be worse",
    "жеребкування загалом вийшло б гіршим",
    "жеребьёвка в целом вышла бы хуже",
);
const WHITE: Phrase = Phrase::new("White", "Білі", "Белые");
const BLACK: Phrase = Phrase::new("Black", "Чорні", "Чёрные");
const FLOAT: Phrase = Phrase::new(
    " {name} came down from bracket {bracket}{where}: {why}.",
    " {name} спустилися з групи {bracket}{where}: {why}.",
    " {name} спустились из группы {bracket}{where}: {why}.",
);
const BYE_FLOAT: Phrase = Phrase::new(
    " He came down from bracket {bracket}{where}: {why}.",
    " Він спустився з групи {bracket}{where}: {why}.",
    " Он спустился из группы {bracket}{where}: {why}.",
);
const LEFT: Phrase = Phrase::new(
    ", where {left} of {players} had to be left over",
    ", де без пари {left|мусив|мусили|мусили} лишитися {left} з {players}",
    ", где без пары {left|должен был|должны были|должны были} остаться {left} из {players}",
);
const ALONE: Phrase = Phrase::new(
    "nobody else was there",
    "крім нього, там нікого не було",
    "кроме него, там никого не было",
);
const NO_OPPONENT: Phrase = Phrase::new(
    "nobody there may meet him ({article})",
    "там ніхто не може з ним грати ({article})",
    "там никто не может с ним играть ({article})",
);
const LAST: Phrase = Phrase::new(
    "he is the last in order there, and nothing speaks against it",
    "він там останній за порядком, і ніщо цьому не заважає",
    "он там последний по порядку, и ничто этому не мешает",
);
const CRITERIA: Phrase = Phrase::new(
    "the criteria choose him ({article})",
    "так вирішили критерії ({article})",
    "так решили критерии ({article})",
);
const INSTEAD: Phrase = Phrase::new(
    "{player} stands after him and would sooner have gone, but if the two change places, {why}",
    "{player} стоїть після нього й мав би піти раніше, але якщо їх поміняти, {why}",
    "{player} стоит после него и должен был бы уйти раньше, но если их поменять, {why}",
);
const WOULD_MEET: Phrase = Phrase::new(
    "he meets {opponent} ({why})",
    "він грає з {opponent} ({why})",
    "он играет с {opponent} ({why})",
);
const NOT_BELOW: Phrase = Phrase::new(
    "{player} does not fit in below, where everybody must find an opponent ({article})",
    "{player} не підходить нижче, де кожен має знайти суперника ({article})",
    "{player} не подходит ниже, где каждый должен найти соперника ({article})",
);
const WORSE_BY: Phrase = Phrase::new(
    "it is worse by {article} ({what})",
    "виходить гірше за {article} ({what})",
    "выходит хуже по {article} ({what})",
);
const LATER: Phrase = Phrase::new(
    "it is as good, but comes later in the order (article {article})",
    "так само добре, але пізніше за порядком (стаття {article})",
    "так же хорошо, но позже по порядку (статья {article})",
);
const BOTH_GRANTED: Phrase = Phrase::new(
    " Colours: nobody is denied the colour that he is due ({article}).",
    " Кольори: належного кольору ніхто не втрачає ({article}).",
    " Цвета: положенного цвета никто не теряет ({article}).",
);
const STRONGER: Phrase = Phrase::new(
    " Colours: both are due the same, the stronger claim wins ({article}).",
    " Кольори: обом належить той самий, вирішує сильніше право на нього ({article}).",
    " Цвета: обоим положен один и тот же, решает более сильное право на него ({article}).",
);
const LARGER: Phrase = Phrase::new(
    " Colours: both are due the same, the larger colour difference wins ({article}).",
    " Кольори: обом належить той самий, вирішує більша різниця кольорів ({article}).",
    " Цвета: обоим положен один и тот же, решает большая разница цветов ({article}).",
);
const LAST_DIFFERENCE: Phrase = Phrase::new(
    " Colours: the other way round than in the last round in which the two differed ({article}).",
    " Кольори: навпаки до останнього туру, в якому вони різнилися ({article}).",
    " Цвета: наоборот к последнему туру, в котором они различались ({article}).",
);
const HIGHER: Phrase = Phrase::new(
    " Colours: both are due the same with equal right, the higher ranked gets it ({article}).",
    " Кольори: обом належить той самий з рівним правом, його отримує вищий за рангом ({article}).",
    " Цвета: обоим положен один и тот же с равным правом, его получает старший по рангу \
     ({article}).",
);
const INITIAL: Phrase = Phrase::new(
    " Colours: nobody is due one, the lot and the number of the higher ranked decide ({article}).",
    " Кольори: нікому не належить певний, вирішують жереб і номер вищого за рангом ({article}).",
    " Цвета: никому не положен определённый, решают жребий и номер старшего по рангу ({article}).",
);
pub(super) const FIXED: Phrase = Phrase::new(
    " Colours: set by the arbiter.",
    " Кольори визначив арбітр.",
    " Цвета определил арбитр.",
);
const UNAVOIDABLE: Phrase = Phrase::new(
    " Could not be avoided in this bracket: {what}.",
    " Чого в цій групі не можна було уникнути: {what}.",
    " Чего в этой группе нельзя было избежать: {what}.",
);
const BYE: Phrase = Phrase::new(
    "The number of players is odd: the bye goes to the lowest score that allows it, {score} \
     {score|point|points} ({article}).",
    "Учасників непарна кількість: бай (вільний тур) дістається найменшому рахунку, за якого це \
     можливо, — {score} {score|очко|очки|очок|очка} ({article}).",
    "Участников нечётное число: бай (свободный тур) достаётся наименьшему счёту, при котором это \
     возможно, — {score} {score|очко|очка|очков} ({article}).",
);
const BARRED: Phrase = Phrase::new(
    " Below him, but without a right to it: {who} ({article}).",
    " Нижчі за нього, але без права на бай: {who} ({article}).",
    " Ниже него, но без права на бай: {who} ({article}).",
);
const NEEDED: Phrase = Phrase::new(
    " With fewer points, but the others could not be paired without them: {who} ({article}).",
    " Мають менше очок, але без них не скласти пари іншим: {who} ({article}).",
    " Имеют меньше очков, но без них не составить пары другим: {who} ({article}).",
);
const MISSED: Phrase = Phrase::new(
    " Rounds without a game so far: {missed}.",
    " Турів без гри досі: {missed}.",
    " Туров без игры до сих пор: {missed}.",
);

/// Why two meet.
pub(super) fn pair(why: &DutchPair, language: Language) -> String {
    let bracket = &why.bracket;
    let articles = articles(bracket.rules);
    let how = match why.how {
        How::Proposed => PROPOSED.say(language, &[("article", articles.candidate.into())]),
        How::Transposed { proposed } => TRANSPOSED.say(
            language,
            &[
                ("upper", why.upper.into()),
                ("proposed", proposed.into()),
                ("article", articles.transposition.into()),
            ],
        ),
        How::Exchanged { players } => EXCHANGED.say(
            language,
            &[
                ("count", players.into()),
                ("article", articles.exchange.into()),
            ],
        ),
    };
    let mut text = BRACKET.say(
        language,
        &[
            ("number", bracket.number.into()),
            ("score", bracket.score.into()),
            ("players", bracket.players.into()),
            ("pairs", bracket.pairs.into()),
            ("how", how.into()),
        ],
    );
    if !why.skipped.is_empty() {
        let tried: Vec<String> = why
            .skipped
            .iter()
            .map(|one| {
                let reason = skip(one.reason, &articles, language);
                format!("{} ({reason})", one.opponent)
            })
            .collect();
        let values = [
            ("upper", why.upper.into()),
            ("tried", tried.join(", ").into()),
        ];
        text += &TRIED.say(language, &values);
    }
    for (name, side) in [(WHITE, &why.white), (BLACK, &why.black)] {
        if let Some(facts) = &side.float {
            let name = name.in_language(language);
            text += &float(FLOAT, name, facts, bracket.rules, language);
        }
    }
    text += &colours(why.colour, &articles, language);
    text + &unavoidable(bracket, language)
}

fn colours(rule: ColourRule, articles: &Articles, language: Language) -> String {
    let (phrase, at) = match rule {
        ColourRule::BothGranted => (BOTH_GRANTED, 0),
        ColourRule::Stronger => (STRONGER, 1),
        ColourRule::LargerDifference => (LARGER, 1),
        ColourRule::LastDifference => (LAST_DIFFERENCE, 2),
        ColourRule::HigherRanked => (HIGHER, 3),
        ColourRule::InitialColour => (INITIAL, 4),
        ColourRule::Fixed => (FIXED, 0),
    };
    phrase.say(language, &[("article", articles.colours[at].into())])
}

fn unavoidable(bracket: &BracketFacts, language: Language) -> String {
    if bracket.unavoidable.is_empty() {
        return String::new();
    }
    let what: Vec<String> = bracket
        .unavoidable
        .iter()
        .map(|one| {
            let what = quality(one.quality).in_language(language);
            let article = one.quality.article(bracket.rules);
            format!("{what} – {} ({article})", one.times)
        })
        .collect();
    UNAVOIDABLE.say(language, &[("what", what.join(", ").into())])
}

fn skip(reason: SkipReason, articles: &Articles, language: Language) -> String {
    let (phrase, article) = match reason {
        SkipReason::Met => (MET, articles.met),
        SkipReason::Forbidden => (FORBIDDEN, ""),
        SkipReason::SameColour => (SAME_COLOUR, articles.same_colour),
        SkipReason::Worse => (WORSE, ""),
    };
    phrase.say(language, &[("article", article.into())])
}

fn float(
    phrase: Phrase,
    name: &str,
    facts: &FloatFacts,
    rules: Rules,
    language: Language,
) -> String {
    let articles = articles(rules);
    let left = if facts.players == 1 {
        String::new()
    } else {
        let values = [
            ("left", facts.downfloaters.into()),
            ("players", facts.players.into()),
        ];
        LEFT.say(language, &values)
    };
    let say = |phrase: Phrase, article: &str| phrase.say(language, &[("article", article.into())]);
    let why = match (facts.reason, &facts.instead) {
        (FloatReason::NoOpponent, _) if facts.players == 1 => say(ALONE, ""),
        (FloatReason::NoOpponent, _) => say(NO_OPPONENT, articles.no_opponent),
        (FloatReason::Last, _) => say(LAST, ""),
        (FloatReason::Criteria, None) => say(CRITERIA, articles.criteria),
        (FloatReason::Criteria, Some(instead)) => {
            let why = tried(instead.player, instead.tried, rules, language);
            let values = [("player", instead.player.into()), ("why", why.into())];
            INSTEAD.say(language, &values)
        }
    };
    phrase.say(
        language,
        &[
            ("name", name.into()),
            ("bracket", facts.bracket.into()),
            ("where", left.into()),
            ("why", why.into()),
        ],
    )
}

fn tried(player: PlayerNo, tried: Tried, rules: Rules, language: Language) -> String {
    let articles = articles(rules);
    match tried {
        Tried::Opponent { opponent, reason } => {
            let why = skip(reason, &articles, language);
            let values = [("opponent", opponent.into()), ("why", why.into())];
            WOULD_MEET.say(language, &values)
        }
        Tried::Below => NOT_BELOW.say(
            language,
            &[
                ("player", player.into()),
                ("article", articles.complete.into()),
            ],
        ),
        Tried::Worse { quality: by } => WORSE_BY.say(
            language,
            &[
                ("article", by.article(rules).into()),
                ("what", quality(by).in_language(language).into()),
            ],
        ),
        Tried::Later => LATER.say(language, &[("article", articles.order.into())]),
    }
}

/// Why he has the bye.
pub(super) fn bye(why: &DutchBye, language: Language) -> String {
    let articles = articles(why.rules);
    let mut text = BYE.say(
        language,
        &[
            ("score", why.score.into()),
            ("article", articles.lowest.into()),
        ],
    );
    for (numbers, phrase, article) in [
        (&why.barred, BARRED, articles.bye),
        (&why.needed, NEEDED, articles.complete),
    ] {
        if !numbers.is_empty() {
            let values = [("who", list(numbers).into()), ("article", article.into())];
            text += &phrase.say(language, &values);
        }
    }
    if let Some(facts) = &why.float {
        text += &float(BYE_FLOAT, "", facts, why.rules, language);
    }
    text + &MISSED.say(language, &[("missed", why.missed.into())])
}
