//! Dubov, Burstein, and the bye that these and Lim give first.

use super::{
    Language,
    phrase::{Phrase, Value},
};
use crate::pairing::swiss::{
    ByeObstacle, ByeReason, ColourRule, Obstacle, Passed,
    burstein::{BursteinFloat, BursteinReason, FloatedDown},
    dubov::{DubovReason, Half, UpfloatObstacle, UpfloatReason},
};

const MET: Phrase = Phrase::new(
    "they have met or must not meet",
    "вони вже грали або не можуть грати разом",
    "они уже играли или не могут играть друг с другом",
);
const SAME_COLOUR: Phrase = Phrase::new(
    "both must have the same colour",
    "обом потрібен той самий колір",
    "обоим нужен один и тот же цвет",
);
const OTHERS: Phrase = Phrase::new(
    "the other pairs would be worse or impossible",
    "інші пари були б гіршими або неможливими",
    "остальные пары были бы хуже или невозможны",
);
const TRIED: Phrase = Phrase::new(
    " Tried before for {player}: {tried}.",
    " До того для {player} розглянуто: {tried}.",
    " До того для {player} рассмотрены: {tried}.",
);
const BOTH_GRANTED: Phrase = Phrase::new(
    " Colours: nobody is denied the colour that he is due.",
    " Кольори: належного кольору ніхто не втрачає.",
    " Цвета: положенного цвета никто не теряет.",
);
const STRONGER: Phrase = Phrase::new(
    " Colours: both are due the same, the stronger claim wins.",
    " Кольори: обом належить той самий, вирішує сильніше право на нього.",
    " Цвета: обоим положен один и тот же, решает более сильное право на него.",
);
const LARGER: Phrase = Phrase::new(
    " Colours: both are due the same, the larger colour difference wins.",
    " Кольори: обом належить той самий, вирішує більша різниця кольорів.",
    " Цвета: обоим положен один и тот же, решает большая разница цветов.",
);
const LAST_DIFFERENCE: Phrase = Phrase::new(
    " Colours: the other way round than in the last round in which the two differed.",
    " Кольори: навпаки до останнього туру, в якому вони різнилися.",
    " Цвета: наоборот к последнему туру, в котором они различались.",
);
const HIGHER: Phrase = Phrase::new(
    " Colours: both are due the same with equal right, the higher ranked gets it.",
    " Кольори: обом належить той самий з рівним правом, його отримує вищий за рангом.",
    " Цвета: обоим положен один и тот же с равным правом, его получает старший по рангу.",
);
const INITIAL: Phrase = Phrase::new(
    " Colours: nobody is due one, the lot and the number of the higher ranked decide.",
    " Кольори: нікому не належить певний, вирішують жереб і номер вищого за рангом.",
    " Цвета: никому не положен определённый, решают жребий и номер старшего по рангу.",
);
const BYE: Phrase = Phrase::new(
    "The number of players is odd and the bye is given first, to the lowest score: {score} \
     {score|point|points}, {games} {games|game|games} played.",
    "Учасників непарна кількість, і бай (вільний тур) дають насамперед, найменшому рахунку: {score} \
     {score|очко|очки|очок|очка}, зіграно партій: {games}.",
    "Участников нечётное число, и бай (свободный тур) дают в первую очередь, наименьшему счёту: \
     {score} {score|очко|очка|очков}, сыграно партий: {games}.",
);
const BYE_TRIED: Phrase = Phrase::new(
    " Before him came {tried}.",
    " Перед ним у черзі: {tried}.",
    " Перед ним в очереди: {tried}.",
);
const BARRED: Phrase = Phrase::new(
    "had a bye or a win's points without a game",
    "уже мав бай або очки за перемогу без гри",
    "уже имел бай или очки за победу без игры",
);
const INCOMPLETE: Phrase = Phrase::new(
    "without him the others cannot be paired",
    "без нього не скласти пари іншим",
    "без него не составить пары другим",
);

/// "5 (they have met), 7 (…)" in a sentence; nothing for an empty list.
pub(super) fn passed(player: impl Into<Value>, passed: &[Passed], language: Language) -> String {
    let tried = passed.iter().map(|passed| {
        let why = match passed.why {
            Obstacle::Apart => MET,
            Obstacle::Colours => SAME_COLOUR,
            Obstacle::Others => OTHERS,
        };
        (passed.player.to_string(), why)
    });
    let tried = with_reasons(tried, language);
    if tried.is_empty() {
        return tried;
    }
    let values = [("player", player.into()), ("tried", tried.into())];
    TRIED.say(language, &values)
}

fn with_reasons(whos: impl Iterator<Item = (String, Phrase)>, language: Language) -> String {
    let parts: Vec<String> = whos
        .map(|(who, why)| format!("{who} ({})", why.in_language(language)))
        .collect();
    parts.join(", ")
}

fn colours(rule: ColourRule, language: Language) -> &'static str {
    let phrase = match rule {
        ColourRule::BothGranted => BOTH_GRANTED,
        ColourRule::Stronger => STRONGER,
        ColourRule::LargerDifference => LARGER,
        ColourRule::LastDifference => LAST_DIFFERENCE,
        ColourRule::HigherRanked => HIGHER,
        ColourRule::InitialColour => INITIAL,
        ColourRule::Fixed => super::dutch::FIXED,
    };
    phrase.in_language(language)
}

/// The bye that comes before anything else.
pub(super) fn bye(why: &ByeReason, language: Language) -> String {
    let mut text = BYE.say(
        language,
        &[("score", why.score.into()), ("games", why.games.into())],
    );
    let tried = why.passed.iter().map(|passed| {
        let reason = match passed.why {
            ByeObstacle::Barred => BARRED,
            ByeObstacle::Incomplete => INCOMPLETE,
        };
        (passed.player.to_string(), reason)
    });
    let tried = with_reasons(tried, language);
    if !tried.is_empty() {
        text += &BYE_TRIED.say(language, &[("tried", tried.into())]);
    }
    text
}

const DUBOV: Phrase = Phrase::new(
    "Scoregroup of {score} {score|point|points}: {first} is number {number} of the half that seeks \
     White, in the order of the mean rating of the opponents ({rating}, 4.3), and {second} is the first by number who is \
     free for him (4.4).",
    "Очкова група ({score} {score|очко|очки|очок|очка}): {first} — номер {number} у половині, якій \
     потрібні білі, за середнім рейтингом суперників ({rating}, 4.3), а {second} — перший за номером, \
     хто для нього вільний (4.4).",
    "Очковая группа ({score} {score|очко|очка|очков}): {first} — номер {number} в половине, которой \
     нужны белые, по среднему рейтингу соперников ({rating}, 4.3), а {second} — первый по номеру, кто для \
     него свободен (4.4).",
);
const BY_NUMBER: Phrase = Phrase::new(
    " Nobody here has played yet: {player} is in his half by number (3.2.3).",
    " Тут іще ніхто не грав: {player} потрапив до своєї половини за номером (3.2.3).",
    " Здесь ещё никто не играл: {player} попал в свою половину по номеру (3.2.3).",
);
const SHIFTED: Phrase = Phrase::new(
    " {player} was moved over from the other half, so that the halves are equal and can be paired \
     (3.2.4).",
    " {player} переведено з іншої половини, щоб половини були рівні й склалися пари (3.2.4).",
    " {player} переведён из другой половины, чтобы половины были равны и сложились пары (3.2.4).",
);
const UPFLOAT: Phrase = Phrase::new(
    " {player} with {score} {score|point|points} came up: the group cannot be paired without {needed} \
     {needed|player|players} from below (C5), and {why}.",
    " {player}, який має {score} {score|очко|очки|очок|очка}, піднявся: без {needed} \
     {needed|учасника|учасників|учасників} знизу групі не скласти пар (C5), і {why}.",
    " {player}, у которого {score} {score|очко|очка|очков}, поднялся: без {needed} \
     {needed|участника|участников|участников} снизу группе не составить пар (C5), и {why}.",
);
const FIRST_BELOW: Phrase = Phrase::new(
    "he is the first in order below it (4.2)",
    "він перший за порядком під нею (4.2)",
    "он первый по порядку под ней (4.2)",
);
const BEFORE_HIM: Phrase = Phrase::new(
    "before him in order came {tried} (4.2)",
    "перед ним за порядком були: {tried} (4.2)",
    "перед ним по порядку были: {tried} (4.2)",
);
const SOME_BEFORE: Phrase = Phrase::new(
    "the {count} before him in order would have made the pairing worse or impossible (4.2)",
    "з тими, хто перед ним за порядком (їх {count}), жеребкування було б гіршим або неможливим (4.2)",
    "с теми, кто перед ним по порядку (их {count}), жеребьёвка была бы хуже или невозможна (4.2)",
);

const fn upfloat_obstacle(why: UpfloatObstacle) -> Phrase {
    match why {
        UpfloatObstacle::NoOpponent => Phrase::new(
            "may meet nobody in the group",
            "не може грати ні з ким у групі",
            "не может играть ни с кем в группе",
        ),
        UpfloatObstacle::Colour => Phrase::new(
            "seeks the other colour than the group needs, C7",
            "потребує не того кольору, якого бракує групі, C7",
            "нуждается не в том цвете, которого не хватает группе, C7",
        ),
        UpfloatObstacle::Maximum => Phrase::new(
            "has come up as often as anybody should, C8",
            "уже піднімався гранично багато разів, C8",
            "уже поднимался предельное число раз, C8",
        ),
        UpfloatObstacle::MoreOften => Phrase::new(
            "has come up more often, C9",
            "піднімався частіше, C9",
            "поднимался чаще, C9",
        ),
        UpfloatObstacle::LastRound => Phrase::new(
            "came up in the last round, C10",
            "піднімався в минулому турі, C10",
            "поднимался в прошлом туре, C10",
        ),
        UpfloatObstacle::Others => Phrase::new(
            "with him the other pairs would be worse or impossible, C4 – C10",
            "з ним інші пари були б гіршими або неможливими, C4 – C10",
            "с ним остальные пары были бы хуже или невозможны, C4 – C10",
        ),
    }
}

/// A pair of the Dubov system.
pub(super) fn dubov(why: &DubovReason, language: Language) -> String {
    let mut text = DUBOV.say(
        language,
        &[
            ("score", why.score.into()),
            ("first", why.first.into()),
            ("number", why.number.into()),
            ("rating", why.opponents_rating.into()),
            ("second", why.second.into()),
        ],
    );
    text += &passed(why.first, &why.passed, language);
    for (player, half) in [(why.first, why.first_half), (why.second, why.second_half)] {
        let phrase = match half {
            Half::Colour => continue,
            Half::Number => BY_NUMBER,
            Half::Shifted => SHIFTED,
        };
        text += &phrase.say(language, &[("player", player.into())]);
    }
    for one in &why.upfloats {
        text += &upfloat(one, language);
    }
    text + colours(why.colour, language)
}

fn upfloat(one: &UpfloatReason, language: Language) -> String {
    let tried = one
        .over
        .iter()
        .map(|over| (over.player.to_string(), upfloat_obstacle(over.why)));
    let tried = with_reasons(tried, language);
    let reason = if one.passed == 0 {
        FIRST_BELOW.in_language(language).to_owned()
    } else if tried.is_empty() {
        SOME_BEFORE.say(language, &[("count", one.passed.into())])
    } else {
        BEFORE_HIM.say(language, &[("tried", tried.into())])
    };
    UPFLOAT.say(
        language,
        &[
            ("player", one.player.into()),
            ("score", one.score.into()),
            ("needed", one.needed.into()),
            ("why", reason.into()),
        ],
    )
}

const BURSTEIN: Phrase = Phrase::new(
    "{upper} is number {rank} of {members} in the bracket by the strength of his opponents (Buchholz \
     {buchholz}, Sonneborn-Berger {berger}) and meets the lowest whom he can: {lower}, number {other} \
     (article 4).",
    "{upper} — номер {rank} з {members} у групі за силою суперників (Бухгольц {buchholz}, \
     Зоннеборн-Бергер {berger}) і грає з найнижчим, з ким може: {lower}, номер {other} (стаття 4).",
    "{upper} — номер {rank} из {members} в группе по силе соперников (Бухгольц {buchholz}, \
     Зоннеборн-Бергер {berger}) и играет с самым низким, с кем может: {lower}, номер {other} (статья 4).",
);
const DOWN: Phrase = Phrase::new(
    " {player} with {score} {score|point|points} came down from the bracket above, where {left} of \
     {members} had to be left over: {why}.",
    " {player}, який має {score} {score|очко|очки|очок|очка}, спустився з групи вище, де без пари \
     {left|мусив|мусили|мусили} лишитися {left} з {members}: {why}.",
    " {player}, у которого {score} {score|очко|очка|очков}, спустился из группы выше, где без пары \
     {left|должен был|должны были|должны были} остаться {left} из {members}: {why}.",
);

const fn floated_down(cause: FloatedDown) -> Phrase {
    match cause {
        FloatedDown::NoOpponent => Phrase::new(
            "nobody there may meet him (C1, C3)",
            "там ніхто не може з ним грати (C1, C3)",
            "там никто не может с ним играть (C1, C3)",
        ),
        FloatedDown::LowestScore => Phrase::new(
            "nobody there had fewer points (C6), and of these he is the one whom the order of pairings \
             leaves over (C7, C8, article 4)",
            "менше очок там не мав ніхто (C6), а з рівних за очками порядок пар лишає його (C7, C8, стаття 4)",
            "меньше очков там не имел никто (C6), а из равных по очкам порядок пар оставляет его (C7, \
             C8, статья 4)",
        ),
        FloatedDown::Criteria => Phrase::new(
            "with anybody of fewer points left over the others could not be paired as well (C4 – C7)",
            "якби лишився хтось із меншою кількістю очок, іншим не скласти таких добрих пар (C4 – C7)",
            "если бы остался кто-то с меньшим числом очков, остальным не составить таких хороших пар \
             (C4 – C7)",
        ),
    }
}

/// A pair of the Burstein system.
pub(super) fn burstein(why: &BursteinReason, language: Language) -> String {
    let decimal = |number: f64| number.to_string();
    let mut text = BURSTEIN.say(
        language,
        &[
            ("members", why.members.into()),
            ("upper", why.upper.into()),
            ("rank", why.rank.into()),
            (
                "buchholz",
                decimal(f64::from(why.buchholz_halves) / 2.0).into(),
            ),
            (
                "berger",
                decimal(f64::from(why.berger_quarters) / 4.0).into(),
            ),
            ("lower", why.lower.into()),
            ("other", why.lower_rank.into()),
        ],
    );
    text += &passed(why.upper, &why.passed, language);
    for BursteinFloat {
        player,
        score,
        left,
        members,
        cause,
    } in &why.came_down
    {
        let cause = floated_down(*cause).in_language(language);
        text += &DOWN.say(
            language,
            &[
                ("player", (*player).into()),
                ("score", (*score).into()),
                ("left", (*left).into()),
                ("members", (*members).into()),
                ("why", cause.into()),
            ],
        );
    }
    text + colours(why.colour, language)
}
