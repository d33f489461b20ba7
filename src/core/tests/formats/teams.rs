//! C.04.6 and C.04.5 against the text read literally: every set of upfloaters and every pairing of
//! every bracket is listed, sorted and judged. Then colours, boards and scores.

use std::collections::BTreeSet;

use flagfall_core::{
    pairing::{
        Acceleration, Explanation, FormatError, FormatReason, Input, PairingError, PlayedGame,
        PlayedRound, Presence, RoundPairing, System, TeamColourRule, UnpairedKind, UnpairedScore,
        check::{Proposed, Rules, check},
        lot::Lot,
        swiss::double::{self, DoubleSwiss},
        team::{
            MATCH_POINTS, PrimaryScore, TeamMatch, TeamPreferences, TeamRound, TeamSwiss,
            TeamUnpaired,
        },
    },
    types::{Color, PlayerNo, Points, RoundNo},
};
use proptest::prelude::*;

use super::event::{everybody, game, input, pairs, round};

/// A team as the text sees it.
#[derive(Clone, Debug, Default)]
struct Team {
    score: u16,
    met: BTreeSet<usize>,
    floated: bool,
    /// Had the bye, a forfeit win or a full-point bye.
    barred: bool,
    /// The colours, true = White.
    colours: Vec<bool>,
}

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Team(TeamPreferences),
    Double,
}

/// Pairs as (smaller, larger).
type Pairs = BTreeSet<(usize, usize)>;

struct Literal {
    teams: Vec<Team>,
    /// 2.3.4 and 2.3.7 apply.
    floats: bool,
    last_round: bool,
    kind: Kind,
}

impl Literal {
    fn new(input: &Input, kind: Kind) -> Self {
        let mut teams = vec![Team::default(); input.players.len()];
        for past in &input.history {
            let before: Vec<u16> = teams.iter().map(|team| team.score).collect();
            for team in &mut teams {
                team.floated = false;
            }
            for own in &past.games {
                let (w, b) = (usize::from(own.white.0) - 1, usize::from(own.black.0) - 1);
                teams[w].score += own.white_points.0;
                teams[b].score += own.black_points.0;
                if own.played {
                    teams[w].met.insert(b);
                    teams[b].met.insert(w);
                    teams[w].colours.push(true);
                    teams[b].colours.push(false);
                    teams[w].floated = before[w] != before[b];
                    teams[b].floated = before[w] != before[b];
                } else {
                    teams[w].barred |= own.white_points > own.black_points;
                    teams[b].barred |= own.black_points > own.white_points;
                }
            }
            for own in &past.unpaired {
                let team = &mut teams[usize::from(own.player.0) - 1];
                team.score += own.points.0;
                team.barred |= own.kind == UnpairedKind::PairingAllocated;
            }
        }
        let left = input.settings.rounds.expect("set") - input.round.0;
        let lapse = if kind == Kind::Double { 1 } else { 2 };
        Self {
            teams,
            floats: left >= lapse,
            last_round: left == 0,
            kind,
        }
    }

    fn can_pair(&self, teams: &[usize]) -> bool {
        let Some((&first, rest)) = teams.split_first() else {
            return true;
        };
        rest.iter().any(|&other| {
            !self.teams[first].met.contains(&other) && {
                let left: Vec<usize> = rest.iter().copied().filter(|&t| t != other).collect();
                self.can_pair(&left)
            }
        })
    }

    /// Preference of 1.7: (White, strong).
    fn wish(&self, team: usize) -> Option<(bool, bool)> {
        let Kind::Team(preferences) = self.kind else {
            return None;
        };
        let colours = &self.teams[team].colours;
        let cd: i32 = colours
            .iter()
            .map(|&white| if white { 1 } else { -1 })
            .sum();
        let last_two =
            |white: bool| colours.len() > 1 && colours[colours.len() - 2..] == [white; 2];
        let strong = if cd < -1 || (cd == 0 || cd == -1) && last_two(false) {
            Some(true)
        } else if cd > 1 || (cd == 0 || cd == 1) && last_two(true) {
            Some(false)
        } else {
            None
        };
        match (preferences, strong) {
            (TeamPreferences::None, _) => None,
            (TeamPreferences::A, white) => white.map(|white| (white, false)),
            (TeamPreferences::B, Some(white)) => Some((white, true)),
            (TeamPreferences::B, None) if cd != 0 => Some((cd < 0, false)),
            (TeamPreferences::B, None) if self.last_round => None,
            (TeamPreferences::B, None) => colours.last().map(|&white| (!white, false)),
        }
    }

    /// Pairs (top, bottom) and the bye.
    fn pair(&self) -> Option<(Pairs, Option<usize>)> {
        let mut left: Vec<usize> = (0..self.teams.len()).collect();
        let mut bye = None;
        if left.len() % 2 == 1 {
            let mut order = left.clone();
            order.sort_by_key(|&t| {
                let team = &self.teams[t];
                (team.score, usize::MAX - team.colours.len(), usize::MAX - t)
            });
            let taker = order.into_iter().find(|&t| {
                let others: Vec<usize> = left.iter().copied().filter(|&o| o != t).collect();
                !self.teams[t].barred && self.can_pair(&others)
            })?;
            left.retain(|&t| t != taker);
            bye = Some(taker);
        }
        if !self.can_pair(&left) {
            return None;
        }
        let mut pairs = BTreeSet::new();
        while !left.is_empty() {
            let set = self.best_set(&left);
            let top = left.iter().map(|&t| self.teams[t].score).max()?;
            let bracket: Vec<usize> = left
                .iter()
                .copied()
                .filter(|t| self.teams[*t].score == top || set.contains(t))
                .collect();
            pairs.extend(self.best_pairing(&bracket, top));
            left.retain(|t| !bracket.contains(t));
        }
        Some((pairs, bye))
    }

    /// All legal sets with the fewest upfloaters, in the order of 3.5.4.
    fn sets(&self, left: &[usize]) -> Vec<Vec<usize>> {
        let top = left
            .iter()
            .map(|&t| self.teams[t].score)
            .max()
            .expect("somebody is left");
        let residents: Vec<usize> = left
            .iter()
            .copied()
            .filter(|&t| self.teams[t].score == top)
            .collect();
        let mut pool: Vec<usize> = left
            .iter()
            .copied()
            .filter(|&t| self.teams[t].score < top)
            .collect();
        pool.sort_by_key(|&t| (u16::MAX - self.teams[t].score, t));
        for size in 0..=pool.len() {
            if (residents.len() + size) % 2 == 1 {
                continue;
            }
            let legal: Vec<Vec<usize>> = choose(&pool, size)
                .into_iter()
                .filter(|set| {
                    let mut bracket = residents.clone();
                    bracket.extend(set);
                    let rest: Vec<usize> = left
                        .iter()
                        .copied()
                        .filter(|t| !bracket.contains(t))
                        .collect();
                    self.can_pair(&bracket) && self.can_pair(&rest)
                })
                .collect();
            if !legal.is_empty() {
                return legal;
            }
        }
        panic!("C3 was checked")
    }

    fn best_set(&self, left: &[usize]) -> Vec<usize> {
        let top = left
            .iter()
            .map(|&t| self.teams[t].score)
            .max()
            .expect("somebody is left");
        let below = self
            .teams
            .iter()
            .map(|t| t.score)
            .filter(|&s| s < top)
            .max();
        self.sets(left)
            .into_iter()
            .enumerate()
            .min_by_key(|(order, set)| {
                let mut scores: Vec<u16> = set
                    .iter()
                    .map(|&t| u16::MAX - self.teams[t].score)
                    .collect();
                scores.sort_unstable_by(|a, b| b.cmp(a));
                let rest: Vec<usize> = left
                    .iter()
                    .copied()
                    .filter(|t| self.teams[*t].score < top && !set.contains(t))
                    .collect();
                let members = rest
                    .iter()
                    .filter(|&&t| Some(self.teams[t].score) == below)
                    .count();
                let fails = members > 0 && self.sets(&rest)[0].len() != members % 2;
                let floated = set.iter().filter(|&&t| self.teams[t].floated).count();
                (scores, fails, if self.floats { floated } else { 0 }, *order)
            })
            .expect("C3 was checked")
            .1
    }

    fn best_pairing(&self, bracket: &[usize], top: u16) -> Vec<(usize, usize)> {
        pairings(bracket)
            .into_iter()
            .filter(|pairs| pairs.iter().all(|(a, b)| !self.teams[*a].met.contains(b)))
            .min_by_key(|pairs| {
                let (mut colours, mut strong, mut floats) = (0, 0, 0);
                for &(a, b) in pairs {
                    if let (Some(own), Some(other)) = (self.wish(a), self.wish(b))
                        && own.0 == other.0
                    {
                        colours += 1;
                        strong += usize::from(own.1 && other.1);
                    }
                    for (own, other) in [(a, b), (b, a)] {
                        let upfloat = self.teams[own].score == top && self.teams[other].score < top;
                        floats += usize::from(upfloat && self.floats && self.teams[own].floated);
                    }
                }
                let mut identifier: Vec<usize> = pairs.iter().map(|pair| pair.0).collect();
                identifier.extend(pairs.iter().map(|pair| pair.1));
                (colours, strong, floats, identifier)
            })
            .expect("C3 was checked")
    }
}

fn choose(pool: &[usize], size: usize) -> Vec<Vec<usize>> {
    if size == 0 {
        return vec![Vec::new()];
    }
    let mut all = Vec::new();
    for (at, &first) in pool.iter().enumerate() {
        for mut rest in choose(&pool[at + 1..], size - 1) {
            rest.insert(0, first);
            all.push(rest);
        }
    }
    all
}

/// All pairings as (smaller, larger), tops ascending.
fn pairings(teams: &[usize]) -> Vec<Vec<(usize, usize)>> {
    let mut teams = teams.to_vec();
    teams.sort_unstable();
    let Some((&first, rest)) = teams.split_first() else {
        return vec![Vec::new()];
    };
    let mut all = Vec::new();
    for &other in rest {
        let left: Vec<usize> = rest.iter().copied().filter(|&t| t != other).collect();
        for mut pairs in pairings(&left) {
            pairs.insert(0, (first, other));
            all.push(pairs);
        }
    }
    all
}

/// An event with rounds made at random: forfeits, byes and rematches happen.
fn random(teams: u16, past: u16, rounds: u16, seed: u64) -> Input {
    let mut lot = Lot::new(seed);
    let mut state = input(teams, past + 1);
    state.settings.rounds = Some(rounds);
    state.settings.scoring = MATCH_POINTS;
    for number in 1..=past {
        let mut order: Vec<u16> = (1..=teams).collect();
        lot.shuffle(&mut order);
        let games = order
            .chunks_exact(2)
            .map(|two| {
                let (white, black) = [(4, 0), (2, 2), (0, 4), (4, 0)][lot.below(4)];
                PlayedGame {
                    white: PlayerNo(two[0]),
                    black: PlayerNo(two[1]),
                    white_points: Points(white),
                    black_points: Points(black),
                    played: lot.below(8) > 0,
                }
            })
            .collect();
        let unpaired = order
            .chunks_exact(2)
            .remainder()
            .iter()
            .map(|&team| UnpairedScore {
                player: PlayerNo(team),
                points: Points(2),
                kind: UnpairedKind::PairingAllocated,
            })
            .collect();
        state.history.push(PlayedRound {
            round: RoundNo(number),
            games,
            unpaired,
        });
    }
    state
}

fn compare(state: &Input, kind: Kind) {
    let ours = match kind {
        Kind::Team(preferences) => TeamSwiss {
            preferences,
            ..TeamSwiss::default()
        }
        .pair(state),
        Kind::Double => DoubleSwiss.pair(state),
    };
    let literal = Literal::new(state, kind).pair();
    match (ours, literal) {
        (Err(PairingError::Format(FormatError::NoLegalPairing { .. })), None) => {}
        (Ok(ours), Some((expected, bye))) => {
            let made: BTreeSet<(usize, usize)> = pairs(&ours)
                .into_iter()
                .map(|(w, b)| (usize::from(w.min(b)) - 1, usize::from(w.max(b)) - 1))
                .collect();
            let taker = ours.bye.as_ref().map(|bye| usize::from(bye.player.0) - 1);
            assert_eq!((made, taker), (expected, bye), "{state:?}");
            let players = state.players.len() as u16;
            assert_eq!(everybody(&ours), (1..=players).collect::<Vec<_>>());
            let findings =
                check(state, &Proposed::from(&ours), Rules::TEAMS).expect("the state is sound");
            assert_eq!(findings, []);
        }
        (ours, literal) => panic!("{ours:?} against {literal:?} in {state:?}"),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1200))]

    #[test]
    fn equals_the_text_read_literally(
        teams in 3_u16..=10,
        past in 0_u16..=6,
        more in 1_u16..=3,
        kind in 0_u8..4,
        seed: u64,
    ) {
        let kind = match kind {
            0 => Kind::Team(TeamPreferences::A),
            1 => Kind::Team(TeamPreferences::B),
            2 => Kind::Team(TeamPreferences::None),
            _ => Kind::Double,
        };
        compare(&random(teams, past, past + more, seed), kind);
    }
}

fn of(numbers: &[(u16, u16)]) -> BTreeSet<(u16, u16)> {
    numbers.iter().map(|&(a, b)| (a.min(b), a.max(b))).collect()
}

fn meetings(paired: &RoundPairing) -> BTreeSet<(u16, u16)> {
    of(&pairs(paired))
}

#[test]
fn the_first_identifier_of_a_bracket() {
    let mut state = input(24, 1);
    let bracket = [4, 6, 8, 9, 10, 11, 16, 24];
    state.players.retain(|own| bracket.contains(&own.no.0));
    let system = TeamSwiss::default();
    assert_eq!(
        meetings(&system.pair(&state).unwrap()),
        of(&[(4, 10), (6, 11), (8, 16), (9, 24)])
    );
    state.round = RoundNo(2);
    state.history = vec![round(1, vec![game(4, 10, 1)])];
    // 4 and 10 have the same half point and have met: both need upfloaters.
    assert_eq!(
        meetings(&system.pair(&state).unwrap()),
        of(&[(4, 8), (6, 10), (9, 16), (11, 24)])
    );
}

#[test]
fn two_hundred_teams_are_paired() {
    let state = random(201, 5, 9, 3);
    let paired = TeamSwiss::default().pair(&state).unwrap();
    assert_eq!(paired.pairs.len(), 100);
    assert_eq!(
        check(&state, &Proposed::from(&paired), Rules::TEAMS),
        Ok(vec![])
    );
    let mut turned = state.clone();
    turned.players.reverse();
    turned.history.reverse();
    assert_eq!(TeamSwiss::default().pair(&turned), Ok(paired));
}

/// White and the rule for the pair of `a` and `b`, after games given as (white, black) a round.
fn colour(
    system: &dyn System,
    history: &[&[(u16, u16)]],
    prepare: impl Fn(&mut Input),
    a: u16,
    b: u16,
) -> (u16, TeamColourRule) {
    let mut state = input(8, history.len() as u16 + 1);
    state.settings.rounds = Some(9);
    for (number, games) in (1..).zip(history) {
        // Everything is drawn, so that all who play have the same score.
        let games = games.iter().map(|&(w, b)| game(w, b, 1)).collect();
        state.history.push(round(number, games));
    }
    state
        .players
        .retain(|own| own.no.0 == a || own.no.0 == b || named(history, own.no.0));
    for own in &mut state.players {
        if own.no.0 != a && own.no.0 != b {
            own.presence = Presence::Withdrawn;
        }
    }
    prepare(&mut state);
    let paired = system.pair(&state).expect("there is a pairing");
    let pair = &paired.pairs[0];
    match &pair.explanation {
        Explanation::Format(FormatReason::Upfloat { colour, .. }) => (pair.white.0, *colour),
        other => panic!("{other:?}"),
    }
}

fn named(history: &[&[(u16, u16)]], team: u16) -> bool {
    history
        .iter()
        .any(|games| games.iter().any(|&(w, b)| w == team || b == team))
}

#[test]
fn colours_of_teams() {
    let type_a = TeamSwiss::default();
    let type_b = TeamSwiss {
        preferences: TeamPreferences::B,
        ..TeamSwiss::default()
    };
    let none = TeamSwiss {
        preferences: TeamPreferences::None,
        ..TeamSwiss::default()
    };
    let same = |_: &mut Input| {};
    // 4.3.1, by the number among those who are there.
    assert_eq!(
        colour(&type_a, &[], same, 1, 2),
        (1, TeamColourRule::InitialColour)
    );
    let black = |state: &mut Input| state.settings.initial_colour = Some(Color::Black);
    assert_eq!(
        colour(&type_a, &[], black, 1, 2),
        (2, TeamColourRule::InitialColour)
    );
    // 4.3.2: 1 had Black twice, 2 is level.
    let history: [&[(u16, u16)]; 2] = [&[(3, 1), (2, 4)], &[(4, 1), (3, 2)]];
    assert_eq!(
        colour(&type_a, &history, same, 1, 2),
        (1, TeamColourRule::Granted)
    );
    assert_eq!(
        colour(&none, &history, same, 1, 2),
        (1, TeamColourRule::FewerWhites)
    );
    // 4.3.3 for type B: 1 had White, 2 had Black.
    let history: [&[(u16, u16)]; 1] = [&[(1, 3), (4, 2)]];
    assert_eq!(
        colour(&type_b, &history, same, 1, 2),
        (2, TeamColourRule::Granted)
    );
    assert_eq!(
        colour(&type_a, &history, same, 1, 2),
        (2, TeamColourRule::FewerWhites)
    );
    // 4.3.4: both want White, 2 strongly.
    let history: [&[(u16, u16)]; 3] = [&[(1, 3), (4, 2)], &[(5, 1), (6, 2)], &[(3, 1), (2, 7)]];
    // 1: W B B (difference −1, twice Black: strong). 2: B B W (difference −1: mild).
    assert_eq!(
        colour(&type_b, &history, same, 1, 2),
        (1, TeamColourRule::StrongOnly)
    );
    assert_eq!(
        colour(&type_a, &history, same, 1, 2),
        (1, TeamColourRule::Granted)
    );
    // 4.3.6: both level and due the same, they differed two rounds ago.
    let history: [&[(u16, u16)]; 2] = [&[(1, 3), (4, 2)], &[(5, 1), (2, 6)]];
    assert_eq!(
        colour(&type_a, &history, same, 1, 2),
        (1, TeamColourRule::LastDifference)
    );
    // 4.3.7: both want White, nothing differs.
    let history: [&[(u16, u16)]; 1] = [&[(3, 1), (4, 2)]];
    assert_eq!(
        colour(&type_b, &history, same, 1, 2),
        (1, TeamColourRule::FirstPreference)
    );
    // 4.3.8: nothing differs, no preferences.
    assert_eq!(
        colour(&type_a, &history, same, 1, 2),
        (1, TeamColourRule::FirstAlternates)
    );
    // The secondary score makes the first team.
    let by_games = TeamSwiss {
        secondary: [(PlayerNo(2), Points(9)), (PlayerNo(1), Points(7))].into(),
        ..TeamSwiss::default()
    };
    assert_eq!(
        colour(&by_games, &history, same, 1, 2),
        (2, TeamColourRule::FirstAlternates)
    );
    assert_eq!(
        colour(&by_games, &[], same, 1, 2),
        (1, TeamColourRule::InitialColour)
    );
}

#[test]
fn colours_of_the_double_swiss() {
    let same = |_: &mut Input| {};
    let system = DoubleSwiss;
    assert_eq!(
        colour(&system, &[], same, 1, 2),
        (1, TeamColourRule::InitialColour)
    );
    let history: [&[(u16, u16)]; 1] = [&[(1, 3), (4, 2)]];
    assert_eq!(
        colour(&system, &history, same, 1, 2),
        (2, TeamColourRule::FewerWhites)
    );
    let history: [&[(u16, u16)]; 2] = [&[(1, 3), (4, 2)], &[(5, 1), (2, 6)]];
    assert_eq!(
        colour(&system, &history, same, 1, 2),
        (1, TeamColourRule::LastDifference)
    );
    let history: [&[(u16, u16)]; 1] = [&[(1, 3), (2, 4)]];
    assert_eq!(
        colour(&system, &history, same, 1, 2),
        (2, TeamColourRule::FirstAlternates)
    );
    // 1 has not played, 2 had Black: level in Whites, only the other can alternate.
    let history: [&[(u16, u16)]; 1] = [&[(4, 2)]];
    let level = |state: &mut Input| {
        state.history[0].unpaired.push(UnpairedScore {
            player: PlayerNo(1),
            points: Points::HALF,
            kind: UnpairedKind::HalfPoint,
        });
    };
    assert_eq!(
        colour(&system, &history, level, 1, 2),
        (2, TeamColourRule::OtherAlternates)
    );
    assert_eq!(double::SCORING.pab, Points(3), "a win and a draw");
}

#[test]
fn the_bye_goes_to_the_lowest_who_has_played_most() {
    let mut state = input(5, 2);
    state.settings.rounds = Some(5);
    state.settings.scoring = MATCH_POINTS;
    let mut lost = game(1, 4, 2);
    lost.white_points = Points(4);
    lost.black_points = Points(0);
    let forfeit = PlayedGame {
        white: PlayerNo(2),
        black: PlayerNo(5),
        played: false,
        ..lost
    };
    state.history = vec![PlayedRound {
        round: RoundNo(1),
        games: vec![lost, forfeit],
        unpaired: vec![UnpairedScore {
            player: PlayerNo(3),
            points: Points(2),
            kind: UnpairedKind::PairingAllocated,
        }],
    }];
    let paired = TeamSwiss::default().pair(&state).unwrap();
    let bye = paired.bye.unwrap();
    assert_eq!(bye.player, PlayerNo(4), "5 did not play");
    assert_eq!(
        bye.explanation.to_string(),
        "The number is odd: the bye goes to the lowest score (0), then to whoever has played most \
         (1), then to the largest number (C.04.6, 3.4)."
    );
}

#[test]
fn scores_of_team_rounds() {
    let rounds = [TeamRound {
        round: RoundNo(1),
        matches: vec![TeamMatch::from_games(
            PlayerNo(1),
            PlayerNo(2),
            [Points(5), Points(3)],
            true,
            &MATCH_POINTS,
        )],
        unpaired: vec![TeamUnpaired {
            team: PlayerNo(3),
            kind: UnpairedKind::PairingAllocated,
            match_points: Points(2),
            game_points: Points(4),
        }],
    }];
    let (system, history) =
        TeamSwiss::after(&rounds, TeamPreferences::A, PrimaryScore::MatchPoints);
    assert_eq!(history[0].games[0].white_points, Points(4));
    assert_eq!(system.secondary[&PlayerNo(1)], Points(5));
    assert_eq!(system.secondary[&PlayerNo(3)], Points(4));
    let (system, history) = TeamSwiss::after(&rounds, TeamPreferences::A, PrimaryScore::GamePoints);
    assert_eq!(history[0].games[0].white_points, Points(5));
    assert_eq!(system.secondary[&PlayerNo(1)], Points(4));
    let mut state = input(3, 2);
    state.history = history;
    state.settings.acceleration = Acceleration::Baku { last: None };
    state.settings.rounds = Some(5);
    assert_eq!(
        system.pair(&state),
        Err(FormatError::BakuByGamePoints.into())
    );
}
