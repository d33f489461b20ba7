//! Flags: whose, in which order, and whether the moves of the period were made (R-CK-1).

use std::time::Duration;

use crate::{
    clock::ClockEvent,
    hub::{
        Hub,
        alerts::Cause,
        decide::name,
        event::{
            AlertKind, BySide, Fact, FlagOrder, OrderUnknown, Passed, Proposal, Proposed, Times,
        },
        view::Severity,
    },
    tournament::{GameResult, Termination},
    types::{Color, Now, TableNo},
};

/// What a flag at the end of a period means.
enum Meaning {
    /// The game may be lost on time.
    Fallen,
    /// All moves of the period were made in time.
    Passed,
    /// One cannot tell from here; what to look at.
    Unclear(String),
}

impl Hub {
    /// The side, and which fell first where that is known. A proposal; the clock itself decides.
    pub(in crate::hub) fn handle_flag(&mut self, now: Now, table: TableNo, event: &ClockEvent) {
        let ClockEvent::Flag {
            side,
            order,
            unknown,
            within,
            times,
        } = *event
        else {
            return;
        };
        // A hub that was started anew sees what the journal knows already.
        let known = |game: &crate::hub::state::Game| game.flags.len() == 2;
        if unknown == Some(OrderUnknown::AtFirstSight) && self.state.game(table).is_some_and(known)
        {
            return;
        }
        let chance = BySide {
            white: self.mate_chance(table, Color::White),
            black: self.mate_chance(table, Color::Black),
        };
        let mating_material = BySide {
            white: !chance.white.is_excluded(),
            black: !chance.black.is_excluded(),
        };
        let control = self.control_passed(table, side);
        let meaning = control.map_or(Meaning::Fallen, |passed| meaning(passed, side, times));
        let fact = Fact::Flag {
            side,
            order,
            times,
            mating_material,
            unknown,
            within: Some(within),
            control,
        };
        self.emit(now, Some(table), None, fact);
        if let Some(live) = self.live.get_mut(table) {
            live.stopped_at = None;
        }
        self.clear_table(now, table, &[AlertKind::ClockStopped]);
        match meaning {
            Meaning::Passed => return,
            Meaning::Unclear(what) => {
                let text = format!("Table {table}: {what}");
                let cause = Cause::at(AlertKind::Flag, table);
                self.raise(now, cause, Severity::Call, text, None);
                return;
            }
            Meaning::Fallen => {}
        }
        match order {
            FlagOrder::First => {
                let opponent = side.other();
                let words = chance.of(opponent).words(opponent);
                let (result, termination) = if *mating_material.of(opponent) {
                    (GameResult::won_by(opponent), Termination::Flag)
                } else {
                    (GameResult::Draw, Termination::FlagNoMatingMaterial)
                };
                let made = control.and_then(Passed::words).unwrap_or_default();
                let text = format!("{}'s flag fell {}.{made}", name(side), ago(within)) + &words;
                let proposal = Proposal {
                    proposed: Proposed::Result {
                        result,
                        termination,
                    },
                    position: self.position(table),
                    seen: self.seen(table),
                    times: Some(times),
                    text,
                };
                self.propose(now, table, proposal, AlertKind::Flag, Severity::Call);
            }
            FlagOrder::Second => {}
            FlagOrder::Unknown => {
                let why = unknown.map_or_else(String::new, |why| format!(": {}", why.words()));
                let text = format!(
                    "Table {table}: both flags are down and it is unknown which fell first{why}. \
                     Look at the clock."
                );
                let cause = Cause::at(AlertKind::Flag, table);
                self.raise(now, cause, Severity::Call, text, None);
            }
        }
    }

    /// The control at whose end a side's flag fell, if it is not the last one.
    fn control_passed(&self, table: TableNo, side: Color) -> Option<Passed> {
        let control = self.state.set_up.as_ref()?.control()?;
        let game = self.state.game(table)?;
        let over = usize::from(*game.periods.of(side));
        let periods = control.of(side).periods();
        if over + 1 >= periods.len() {
            return None;
        }
        let moves = periods[..=over].iter().filter_map(|period| period.moves);
        let needed = moves.sum();
        let whole = game.gaps.is_empty() && !game.disturbed && !game.moves.is_empty();
        let mine = game.sides().take(game.moves.len());
        let made = mine.filter(|mover| *mover == side).count();
        // His time ran, so a move that he has made meanwhile is not completed.
        let pending = usize::from(game.turn() != side);
        let made = u16::try_from(made.saturating_sub(pending)).ok();
        Some(Passed {
            needed,
            made: made.filter(|_| whole),
        })
    }
}

fn meaning(passed: Passed, side: Color, times: Times) -> Meaning {
    let who = name(side);
    let begun = !times.of(side).is_zero();
    match passed.made {
        Some(made) if made < passed.needed => Meaning::Fallen,
        Some(_) if begun => Meaning::Passed,
        Some(made) => Meaning::Unclear(format!(
            "{who}'s time stands at zero after {made} moves, and the next period has not begun. \
             Look at the clock: is it the last period after all, or is the next one not set?"
        )),
        None => Meaning::Unclear(format!(
            "{who}'s time of the period is over; {} moves were due, and the hub does not know how \
             many were made. Count them on the score sheets.",
            passed.needed
        )),
    }
}

/// How exactly the moment is known.
fn ago(within: Duration) -> String {
    match within.as_secs() {
        0..=2 => "just now (±1 s)".to_owned(),
        seconds => format!("within the last {seconds} s"),
    }
}
