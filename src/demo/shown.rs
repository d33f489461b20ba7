//! What a newcomer is to see in the first round, whatever chance brings: a clock that is set wrongly, and a
//! flag that falls.

use std::time::Duration;

use flagfall_simulators::{
    clock::TimeControl,
    games::{Ending, Outcome, library},
    hall::Hall,
};

use super::DemoArgs;

/// Minutes that the wrong clock has too many.
const TOO_MANY: Duration = Duration::from_mins(5);

/// The tables where it happens; none in a quiet hall.
#[derive(Debug)]
pub(super) struct Shown {
    flag: Option<u16>,
    wrong: Option<u16>,
    control: TimeControl,
}

impl Shown {
    pub(super) fn new(args: &DemoArgs, control: TimeControl) -> Self {
        let table = |number: u16| (!args.quiet_hall && args.tables >= number).then_some(number);
        Self {
            flag: table(2),
            wrong: table(3),
            control,
        }
    }

    /// Somebody has set one clock for another event.
    pub(super) fn before(&self, hall: &Hall) {
        if let Some(table) = self.wrong {
            let mut control = self.control.clone();
            for period in &mut control.periods {
                period.time += TOO_MANY;
            }
            hall.set_control(table, control);
        }
    }

    /// The players of a round have begun.
    pub(super) fn started(&self, hall: &Hall, round: u16) {
        if round == 1
            && let Some(table) = self.flag
            && let Some(game) = short_flag()
        {
            hall.play(table, 1, Some(game));
        }
    }

    /// A round is over: the clock is put right.
    pub(super) fn closed(&self, hall: &Hall, round: u16) {
        if round == 1
            && let Some(table) = self.wrong
        {
            hall.set_control(table, self.control.clone());
        }
    }
}

/// The shortest game of the library that a flag ended.
fn short_flag() -> Option<usize> {
    let games = library().iter().enumerate();
    let lost = games.filter(|(_, game)| {
        game.ending == Ending::TimeForfeit && matches!(game.outcome, Outcome::Win(_))
    });
    lost.min_by_key(|(_, game)| game.moves.len())
        .map(|(number, _)| number)
}
