//! What holds for every field: Dubov and Burstein equal their texts taken at their word; they and Lim
//! never break an absolute rule, mind neither the order of the input nor who is not there, and give
//! their reasons as data.

#[path = "support/literal_others.rs"]
mod literal;
#[path = "support/random.rs"]
mod random;

use std::collections::BTreeSet;

use flagfall_core::{
    pairing::{
        Entrant, Explanation, Input, PairingError, Presence, RoundPairing, System,
        swiss::{ByeBar, Field, burstein::Burstein, dubov::Dubov, lim::Lim},
    },
    types::{Color, PlayerNo},
};
use proptest::prelude::*;
use random::Dice;

/// A random field with ratings, and in some of them players who are away.
fn field(players: u16, round: u16, seed: u64) -> Input {
    let mut input = random::input(players, round, seed);
    let mut dice = Dice::new(seed ^ 0x5EED);
    let away = dice.below(3) == 0;
    if dice.below(3) == 0 {
        // One large scoregroup.
        let draw = input.settings.scoring.draw;
        for game in input.history.iter_mut().flat_map(|past| &mut past.games) {
            (game.white_points, game.black_points) = (draw, draw);
        }
    }
    for entrant in &mut input.players {
        entrant.rating = Some(1500 + dice.below(8) as u16 * 50);
        if away && dice.below(4) == 0 {
            entrant.presence = Presence::Absent;
        }
    }
    input
}

/// The pairs without their colours, and the bye.
type Unordered = (BTreeSet<(PlayerNo, PlayerNo)>, Option<PlayerNo>);

fn unordered(
    paired: Result<RoundPairing, PairingError>,
) -> Result<Option<Unordered>, TestCaseError> {
    match paired {
        Ok(paired) => {
            let pairs = paired
                .pairs
                .iter()
                .map(|pair| (pair.white.min(pair.black), pair.white.max(pair.black)))
                .collect();
            Ok(Some((pairs, paired.bye.map(|bye| bye.player))))
        }
        Err(PairingError::Impossible { .. }) => Ok(None),
        Err(other) => Err(TestCaseError::fail(other.to_string())),
    }
}

fn numbers(field: &Field, outcome: literal::Outcome) -> Option<Unordered> {
    let no = |i: usize| field.player(i).no;
    outcome.map(|(pairs, bye)| {
        let pairs = pairs.into_iter().map(|(a, b)| (no(a), no(b))).collect();
        (pairs, bye.map(no))
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn dubov_equals_its_text(players in 2_u16..=9, round in 1_u16..=6, seed in any::<u64>()) {
        let input = field(players, round, seed);
        let Ok(prepared) = Field::new(&input) else { return Ok(()) };
        let rounds = input.settings.rounds.unwrap();
        let expected = numbers(&prepared, literal::dubov(&prepared, rounds));
        prop_assert_eq!(unordered(Dubov.pair(&input))?, expected);
    }

    #[test]
    fn burstein_equals_its_text(players in 2_u16..=9, round in 3_u16..=6, seed in any::<u64>()) {
        let input = field(players, round, seed);
        let Ok(prepared) = Field::new(&input) else { return Ok(()) };
        let expected = numbers(&prepared, literal::burstein(&prepared));
        prop_assert_eq!(unordered(Burstein.pair(&input))?, expected);
    }
}

const LIM: Lim = Lim {
    numbering: flagfall_core::pairing::swiss::lim::Numbering::FirstIsHighest,
    scrutiny: flagfall_core::pairing::swiss::lim::Scrutiny::Around,
    maxi_tournament: false,
    last_round: flagfall_core::pairing::swiss::lim::LastRound::ScoreFirst,
};

const SYSTEMS: [(&str, &dyn System); 4] = [
    ("dubov", &Dubov),
    ("burstein", &Burstein),
    ("lim", &LIM),
    (
        "lim, maxi",
        &Lim {
            maxi_tournament: true,
            ..LIM
        },
    ),
];

/// What is wrong with a pairing by the basic rules.
fn faults(input: &Input, paired: &RoundPairing, lim: bool) -> Vec<String> {
    let field = Field::new(input).expect("it was paired");
    let index = |no: PlayerNo| field.players().partition_point(|player| player.no < no);
    let mut faults = Vec::new();
    let mut seen = BTreeSet::new();
    let named = paired
        .pairs
        .iter()
        .flat_map(|pair| [pair.white, pair.black])
        .chain(paired.bye.iter().map(|bye| bye.player));
    for no in named {
        if !seen.insert(no) {
            faults.push(format!("{no} twice"));
        }
    }
    let present = input
        .players
        .iter()
        .filter(|entrant| entrant.presence == Presence::Present)
        .map(|entrant| entrant.no)
        .collect();
    if seen != present {
        faults.push("not everybody who is present is in the round".into());
    }
    for pair in &paired.pairs {
        let (w, b) = (index(pair.white), index(pair.black));
        if field.apart(w, b) {
            faults.push(format!("{} and {} must not meet", pair.white, pair.black));
        }
        let (white, black) = (field.player(w), field.player(b));
        let excepted = lim && field.last_round && white.pairing_score == black.pairing_score;
        for (player, colour) in [(white, Color::White), (black, Color::Black)] {
            let denied =
                player.preference.is_absolute() && player.preference.colour() != Some(colour);
            if denied && !excepted {
                faults.push(format!("{} must not have this colour", player.no));
            }
        }
    }
    if let Some(bye) = &paired.bye {
        let player = field.player(index(bye.player));
        if player.bye_barred(ByeBar::WinUnplayed, &field.scoring) {
            faults.push(format!("the bye is barred to {}", bye.player));
        }
    }
    faults
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn absolute_rules_are_never_broken(
        players in 2_u16..=60,
        round in 3_u16..=9,
        seed in any::<u64>(),
    ) {
        let input = field(players, round, seed);
        for (name, system) in SYSTEMS {
            match system.pair(&input) {
                Ok(paired) => {
                    let faults = faults(&input, &paired, name.starts_with("lim"));
                    prop_assert_eq!(faults, Vec::<String>::new(), "{}", name);
                }
                Err(PairingError::Impossible { .. } | PairingError::NobodyPresent { .. }) => {}
                Err(other) => return Err(TestCaseError::fail(other.to_string())),
            }
        }
    }

    #[test]
    fn order_of_the_input_and_absent_players_change_nothing(
        players in 2_u16..=40,
        round in 1_u16..=7,
        seed in any::<u64>(),
    ) {
        let input = field(players, round, seed);
        let mut other = input.clone();
        let mut dice = Dice::new(seed ^ 1);
        let absent = PlayerNo(1 + dice.below(usize::from(players) * 10) as u16);
        if !absent.0.is_multiple_of(10) {
            other.players.push(Entrant {
                presence: Presence::Absent,
                ..Entrant::present(absent)
            });
        }
        dice.shuffle(&mut other.players);
        dice.shuffle(&mut other.history);
        for past in &mut other.history {
            dice.shuffle(&mut past.games);
            dice.shuffle(&mut past.unpaired);
        }
        for (name, system) in SYSTEMS {
            let paired = system.pair(&input).map(|round| (round.pairs, round.bye));
            let again = system.pair(&other).map(|round| (round.pairs, round.bye));
            prop_assert_eq!(paired, again, "{}", name);
        }
    }

    #[test]
    fn explanations_are_kept_as_data(
        players in 2_u16..=20,
        round in 3_u16..=6,
        seed in any::<u64>(),
    ) {
        let input = field(players, round, seed);
        for (name, system) in SYSTEMS {
            let Ok(paired) = system.pair(&input) else { continue };
            let text = serde_json::to_string(&paired).unwrap();
            let again: RoundPairing = serde_json::from_str(&text).unwrap();
            prop_assert_eq!(&paired, &again);
            for pair in &paired.pairs {
                let own = match &pair.explanation {
                    Explanation::Dubov(_) => "dubov",
                    Explanation::Burstein(_) => "burstein",
                    Explanation::Lim(_) => "lim",
                    other => return Err(TestCaseError::fail(format!("{other:?}"))),
                };
                prop_assert!(name.starts_with(own));
                prop_assert!(pair.explanation.to_string().ends_with('.'));
            }
            if let Some(bye) = &paired.bye {
                prop_assert!(matches!(bye.explanation, Explanation::ByeFirst(_)));
            }
        }
    }
}
