//! Small events to pair.

use flagfall_core::{
    pairing::{Entrant, Input, PlayedGame, PlayedRound, RoundPairing, Settings, System},
    types::{PlayerNo, Points, RoundNo},
};

pub(super) fn no(numbers: &[u16]) -> Vec<PlayerNo> {
    numbers.iter().copied().map(PlayerNo).collect()
}

pub(super) fn input(players: u16, round: u16) -> Input {
    Input {
        players: (1..=players)
            .map(|no| Entrant::present(PlayerNo(no)))
            .collect(),
        history: Vec::new(),
        round: RoundNo(round),
        settings: Settings::default(),
    }
}

pub(super) fn game(white: u16, black: u16, halves: u16) -> PlayedGame {
    PlayedGame {
        white: PlayerNo(white),
        black: PlayerNo(black),
        white_points: Points(halves),
        black_points: Points(2 - halves),
        played: true,
    }
}

pub(super) fn round(round: u16, games: Vec<PlayedGame>) -> PlayedRound {
    PlayedRound {
        round: RoundNo(round),
        games,
        unpaired: Vec::new(),
    }
}

pub(super) fn pairs(round: &RoundPairing) -> Vec<(u16, u16)> {
    round
        .pairs
        .iter()
        .map(|pair| (pair.white.0, pair.black.0))
        .collect()
}

/// Everybody is in the round exactly once.
pub(super) fn everybody(round: &RoundPairing) -> Vec<u16> {
    let mut all: Vec<u16> = pairs(round).into_iter().flat_map(|(w, b)| [w, b]).collect();
    all.extend(round.bye.iter().map(|bye| bye.player.0));
    all.extend(round.unpaired.iter().map(|unpaired| unpaired.player.0));
    all.sort_unstable();
    all
}

/// Plays on from `start` with White's half points from `result`, until the system has no more rounds
/// or `last` is played; gives every round to `look`.
pub(super) fn play(
    system: &dyn System,
    start: Input,
    last: u16,
    mut result: impl FnMut(u16, u16) -> u16,
    mut look: impl FnMut(&Input, &RoundPairing),
) -> Input {
    let mut input = start;
    for number in input.round.0..=last {
        input.round = RoundNo(number);
        let paired = system.pair(&input).expect("there is a pairing");
        look(&input, &paired);
        let games = pairs(&paired)
            .into_iter()
            .map(|(white, black)| game(white, black, result(white, black)))
            .collect();
        input.history.push(round(number, games));
    }
    input.round = RoundNo(last + 1);
    input
}
