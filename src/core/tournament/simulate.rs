//! Tournaments that nobody played, for tests: paired by the pairing core, won by rating and chance.
//! The same plan gives the same report, on every machine: whole numbers only.

use std::collections::{BTreeMap, BTreeSet};

use super::{
    pairing_system::PairingSystem,
    player::{Player, number_by_strength},
    result::{Awarded, Bye, GameResult, Played},
    trf::{Document, Report, ReportError, ReportOptions, RequestError, Scoring, TextField},
};
use crate::{
    pairing::{ByeKind, PairingError, swiss::double},
    types::{Color, PlayerNo, RoundNo},
};

/// What is to be simulated. Shares are in per cent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// The players.
    pub players: u16,
    /// The rounds.
    pub rounds: u16,
    /// Decides everything that is left to chance.
    pub seed: u64,
    /// The pairing system.
    pub system: PairingSystem,
    /// Games that are forfeited.
    pub forfeits: u8,
    /// Players of a round who asked for a half-point bye.
    pub byes: u8,
    /// Players who leave the event before its end.
    pub withdrawals: u8,
    /// Baku acceleration.
    pub baku: bool,
}

/// Why a tournament cannot be simulated.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SimulateError {
    /// A round has no pairing.
    #[error(transparent)]
    Pairing(#[from] PairingError),
    /// The report does not hold it.
    #[error(transparent)]
    Report(#[from] ReportError),
    /// The report cannot be paired from.
    #[error(transparent)]
    Request(#[from] RequestError),
}

/// Plays a tournament.
///
/// # Errors
/// When a round has no legal pairing or the numbers do not fit a report file.
pub fn simulate(plan: &Plan, options: ReportOptions) -> Result<Document, SimulateError> {
    let mut chance = Chance(plan.seed);
    let mut report = Report {
        texts: BTreeMap::from([(
            TextField::Name,
            format!("Simulated event, seed {}", plan.seed),
        )]),
        rounds: Some(plan.rounds),
        system: Some(plan.system.code(plan.baku)),
        scoring: scoring(plan),
        players: players(plan.players, &mut chance),
        ..Report::default()
    };
    if plan.system.draws_initial_colour() {
        report.initial_colour = Some(if chance.below(2) == 0 {
            Color::White
        } else {
            Color::Black
        });
    }
    let leaving: BTreeMap<PlayerNo, u16> = report
        .players
        .iter()
        .filter_map(|player| {
            let leaves = chance.percent(plan.withdrawals);
            // Every player takes the same number of throws, so that options do not shift others.
            let round = 2 + chance.below(u64::from(plan.rounds.max(2) - 1)) as u16;
            leaves.then_some((player.no, round))
        })
        .collect();
    let system = plan.system.system();
    for round in (1..=plan.rounds).map(RoundNo) {
        let away = away(plan, &report, round, &leaving, &mut chance);
        report.byes.extend(away);
        // Absences are announced: those of a round that nobody is paired in are records of their own.
        let request = report.compose(options)?.request(Some(round))?;
        let paired = system.pair(&request.input)?;
        for pair in &paired.pairs {
            let result = result(plan, &report.players, pair.white, pair.black, &mut chance);
            let mut game = Played {
                round,
                white: pair.white,
                black: pair.black,
                result,
            };
            if let PairingSystem::KnockOut { games, .. } = plan.system {
                decide(&mut game, &report.games, games, &mut chance);
            }
            report.games.push(game);
        }
        report.byes.extend(paired.bye.map(|bye| Awarded {
            round,
            player: bye.player,
            bye: match bye.kind {
                ByeKind::PairingAllocated => Bye::PairingAllocated,
                ByeKind::Rest => Bye::Rest,
            },
        }));
        let listed: BTreeSet<PlayerNo> = report
            .byes
            .iter()
            .filter(|bye| bye.round == round)
            .map(|bye| bye.player)
            .collect();
        report.byes.extend(
            paired
                .unpaired
                .iter()
                .filter(|unpaired| !listed.contains(&unpaired.player))
                .map(|unpaired| Awarded {
                    round,
                    player: unpaired.player,
                    bye: Bye::Zero,
                }),
        );
    }
    Ok(report.compose(options)?)
}

/// A match of two games is worth twice as much, its bye a game won and a game drawn.
fn scoring(plan: &Plan) -> Scoring {
    let games = match plan.system {
        PairingSystem::DoubleSwiss => double::SCORING,
        _ => return Scoring::default(),
    };
    Scoring {
        allocated: games.pab,
        ..Scoring::new(games.win, games.draw, games.loss)
    }
}

/// The last game of a knock-out match leaves nobody level.
fn decide(game: &mut Played, before: &[Played], games: u16, chance: &mut Chance) {
    let white_wins = chance.below(2) == 0;
    let games = games.max(1);
    if !game.round.0.is_multiple_of(games) {
        return;
    }
    let first = game.round.0 - games;
    let both = [game.white, game.black];
    let own = (before.iter().chain([&*game]))
        .filter(|it| it.round.0 > first && both.contains(&it.white) && both.contains(&it.black));
    let mut points = [0_u32; 2];
    for it in own {
        for (at, colour) in [Color::White, Color::Black].into_iter().enumerate() {
            let turned = it.white != game.white;
            points[at ^ usize::from(turned)] += u32::from(it.result.points(colour).0);
        }
    }
    if points[0] == points[1] {
        // Level with a draw: a win decides. Level with a win: the match goes the other way.
        game.result = match game.result {
            GameResult::WhiteWins | GameResult::BlackWins => GameResult::Draw,
            _ if white_wins => GameResult::WhiteWins,
            _ => GameResult::BlackWins,
        };
    }
}

fn players(count: u16, chance: &mut Chance) -> Vec<Player> {
    let mut players: Vec<Player> = (1..=count)
        .map(|no| Player {
            // The sum of three throws is bell-shaped enough: 1000 to 2700.
            rating: Some(1000 + (chance.below(567) + chance.below(567) + chance.below(567)) as u16),
            ..Player::new(PlayerNo(no), format!("Player, {no:04}"))
        })
        .collect();
    number_by_strength(&mut players);
    players
}

fn away(
    plan: &Plan,
    report: &Report,
    round: RoundNo,
    leaving: &BTreeMap<PlayerNo, u16>,
    chance: &mut Chance,
) -> Vec<Awarded> {
    let last = round.0 == plan.rounds;
    (report.players.iter())
        .filter_map(|player| {
            let asks = chance.percent(plan.byes);
            let bye = if leaving.get(&player.no).is_some_and(|from| *from <= round.0) {
                Bye::Zero
            } else if asks && !last {
                Bye::Half
            } else {
                return None;
            };
            Some(Awarded {
                round,
                player: player.no,
                bye,
            })
        })
        .collect()
}

fn result(
    plan: &Plan,
    players: &[Player],
    white: PlayerNo,
    black: PlayerNo,
    chance: &mut Chance,
) -> GameResult {
    let rating = |no: PlayerNo| {
        let player = players.iter().find(|player| player.no == no);
        i32::from(player.and_then(|player| player.rating).unwrap_or(1400))
    };
    let forfeit = chance.percent(plan.forfeits);
    let throw = chance.below(1000) as i32;
    if forfeit {
        return match throw % 10 {
            0 => GameResult::DoubleForfeit,
            1..=5 => GameResult::WhiteByForfeit,
            _ => GameResult::BlackByForfeit,
        };
    }
    // White's move is worth 35 points; the expected score is a straight line, cut off.
    let lead = (rating(white) + 35 - rating(black)) * 9 / 10;
    let expected = (500 + lead).clamp(60, 940);
    let draws = (expected.min(1000 - expected) * 6 / 10).min(300);
    let wins = expected - draws / 2;
    if throw < wins {
        GameResult::WhiteWins
    } else if throw < wins + draws {
        GameResult::Draw
    } else {
        GameResult::BlackWins
    }
}

/// SplitMix64: small, well distributed, and the same everywhere.
struct Chance(u64);

impl Chance {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, limit: u64) -> u64 {
        self.next() % limit.max(1)
    }

    fn percent(&mut self, share: u8) -> bool {
        self.below(100) < u64::from(share)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tournament::trf;

    fn plan(seed: u64) -> Plan {
        Plan {
            players: 31,
            rounds: 7,
            seed,
            system: PairingSystem::by_name("dutch").unwrap(),
            forfeits: 5,
            byes: 6,
            withdrawals: 10,
            baku: false,
        }
    }

    #[test]
    fn same_seed_same_bytes() {
        for options in [
            ReportOptions::default(),
            ReportOptions {
                legacy: true,
                ..ReportOptions::default()
            },
        ] {
            let write = |seed| simulate(&plan(seed), options).unwrap().write();
            assert_eq!(write(1), write(1));
            assert_ne!(write(1), write(2));
        }
    }

    #[test]
    fn every_round_reads_back_and_pairs_the_same() {
        for seed in 0..6 {
            for baku in [false, true] {
                let plan = Plan { baku, ..plan(seed) };
                let bytes = simulate(&plan, ReportOptions::default()).unwrap().write();
                let reading = trf::read(&bytes);
                let errors: Vec<_> = reading
                    .notices
                    .iter()
                    .filter(|notice| notice.severity == trf::Severity::Error)
                    .collect();
                assert!(errors.is_empty(), "{errors:?}");
                let document = reading.document;
                assert_eq!(document.round_to_pair(), RoundNo(8));
                for round in (1..=7).map(RoundNo) {
                    let request = document.request(Some(round)).unwrap();
                    let ours = plan.system.system().pair(&request.input).unwrap();
                    let theirs = document.pairing_of(round);
                    let ours: BTreeSet<_> = ours
                        .pairs
                        .iter()
                        .map(|pair| (pair.white, pair.black))
                        .collect();
                    assert_eq!(ours, theirs.pairs, "seed {seed} round {round}");
                }
            }
        }
    }
}
