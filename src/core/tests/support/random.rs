//! Random fields with a history: not tournaments that a system would have made, so that every corner
//! is met.

use flagfall_core::{
    pairing::{
        Entrant, Forbidden, Input, PlayedGame, PlayedRound, Scoring, Settings, UnpairedKind,
        UnpairedScore,
    },
    types::{Color, PlayerNo, Points, RoundNo},
};

/// A sequence of numbers that depends on the seed alone.
pub(crate) struct Dice(u64);

impl Dice {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// A number below `bound`.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) >> 33) as usize % bound
    }

    pub(crate) fn shuffle<T>(&mut self, items: &mut [T]) {
        for at in (1..items.len()).rev() {
            items.swap(at, self.below(at + 1));
        }
    }
}

/// A field of `players`, before round `round`. Numbers are multiples of ten.
pub(crate) fn input(players: u16, round: u16, seed: u64) -> Input {
    let mut dice = Dice::new(seed);
    let scoring = if dice.below(4) == 0 {
        Scoring::FOOTBALL
    } else {
        Scoring::STANDARD
    };
    let numbers: Vec<PlayerNo> = (1..=players).map(|i| PlayerNo(i * 10)).collect();
    let mut met: Vec<(PlayerNo, PlayerNo)> = Vec::new();
    let history = (1..round)
        .map(|past| {
            let mut waiting = numbers.clone();
            dice.shuffle(&mut waiting);
            let mut played = PlayedRound {
                round: RoundNo(past),
                games: Vec::new(),
                unpaired: Vec::new(),
            };
            while let Some(white) = waiting.pop() {
                let partner = waiting
                    .iter()
                    .position(|&no| !met.contains(&(no.min(white), no.max(white))));
                let Some(at) = partner.filter(|_| dice.below(12) > 0) else {
                    played.unpaired.push(unpaired(white, &scoring, &mut dice));
                    continue;
                };
                let black = waiting.remove(at);
                let forfeit = dice.below(10) == 0;
                let (win, draw, loss) = (scoring.win, scoring.draw, scoring.loss);
                let (white_points, black_points) = match (dice.below(5), forfeit) {
                    (0 | 1, _) => (win, loss),
                    (2 | 3, _) => (loss, win),
                    (_, true) => (loss, loss),
                    (_, false) => (draw, draw),
                };
                if !forfeit {
                    met.push((white.min(black), white.max(black)));
                }
                played.games.push(PlayedGame {
                    white,
                    black,
                    white_points,
                    black_points,
                    played: !forfeit,
                });
            }
            played
        })
        .collect();
    let forbidden = (0..dice.below(2))
        .map(|_| Forbidden {
            players: vec![
                numbers[dice.below(numbers.len())],
                numbers[dice.below(numbers.len())],
            ],
            first: RoundNo(1),
            last: None,
        })
        .filter(|group| group.players[0] != group.players[1])
        .collect();
    Input {
        players: numbers.iter().copied().map(Entrant::present).collect(),
        history,
        round: RoundNo(round),
        settings: Settings {
            // The last round in a third of the fields.
            rounds: Some(round + dice.below(3) as u16),
            initial_colour: Some(if dice.below(2) == 0 {
                Color::White
            } else {
                Color::Black
            }),
            scoring,
            forbidden,
            ..Settings::default()
        },
    }
}

fn unpaired(player: PlayerNo, scoring: &Scoring, dice: &mut Dice) -> UnpairedScore {
    let (kind, points) = match dice.below(4) {
        0 => (UnpairedKind::PairingAllocated, scoring.pab),
        1 => (UnpairedKind::HalfPoint, scoring.half_bye),
        2 => (UnpairedKind::FullPoint, scoring.full_bye),
        _ => (UnpairedKind::Absent, Points::ZERO),
    };
    UnpairedScore {
        player,
        points,
        kind,
    }
}
