//! What a board remembers: the moves that were made while nobody listened.
//!
//! The log has changes and the times at presses, but not when they happened. Where it goes on from what was
//! seen last is found by the picture and by the changes that led to it; how long each step took is made up from
//! the time that has passed, so that the tracker sees pauses where there were some.

use std::time::Duration;

use super::{
    ee::{LogEntry, Mark, entries},
    piece::{Cells, Code, square},
};
use crate::{
    protocol::{ClockReading, ClockSide, Observation, Recalled, SquareChange},
    types::{Mono, Placement},
};

/// The usual time between two steps that were not marked as fast.
const STEP: Duration = Duration::from_millis(1200);
/// Steps marked as fast come so soon after the one before.
const FAST: Duration = Duration::from_millis(150);

/// One thing that the log tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// A square changed.
    Field {
        /// Wire number, 0–63.
        index: u8,
        /// What stands there now.
        code: Code,
        /// Right after the step before.
        fast: bool,
    },
    /// The clock was pressed.
    Press {
        /// Who pressed; the clock's own side.
        side: ClockSide,
        /// The time shown on it then.
        time: Duration,
    },
    /// The board was switched on.
    Restart,
}

/// The steps of a log, up to the first thing that cannot be read.
pub fn steps(data: &[u8]) -> Vec<Step> {
    in_order(entries(data).filter_map(step).collect())
}

/// A scan of the board takes its time, and so the log may have a press before the man was seen put down. Nobody
/// presses with his man in the hand: such a press comes after the next man put down.
fn in_order(mut steps: Vec<Step>) -> Vec<Step> {
    let is_put = |step: &Step| matches!(step, Step::Field { code, .. } if *code != Code::EMPTY);
    let is_lift = |step: &Step| matches!(step, Step::Field { code, .. } if *code == Code::EMPTY);
    for at in 1..steps.len().saturating_sub(1) {
        let early = matches!(steps[at], Step::Press { .. })
            && is_lift(&steps[at - 1])
            && is_put(&steps[at + 1]);
        if early {
            steps.swap(at, at + 1);
        }
    }
    steps
}

fn step(entry: LogEntry) -> Option<Step> {
    match entry {
        LogEntry::Field { index, code, fast } => Some(Step::Field { index, code, fast }),
        LogEntry::Time {
            side,
            hours,
            minutes,
            seconds,
        } => {
            let secs = (u64::from(hours) * 60 + u64::from(minutes)) * 60 + u64::from(seconds);
            let time = Duration::from_secs(secs);
            Some(Step::Press { side, time })
        }
        LogEntry::Mark(Mark::PowerUp) => Some(Step::Restart),
        LogEntry::Mark(_) | LogEntry::Stop { .. } => None,
    }
}

/// The steps after the moment at which the board showed `known`. Where it showed that several times the changes
/// heard last decide (`heard`, newest last), then the latest moment. `None` when the log does not know the
/// picture, was cut, or the board was switched on since.
pub fn since(data: &[u8], known: &Cells, heard: &[(u8, Code)]) -> Option<Vec<Step>> {
    if entries(data).any(|entry| matches!(entry, LogEntry::Stop { .. })) {
        return None;
    }
    let start = Cells::from(&Placement::new());
    let mut cells: Option<Cells> = None;
    let mut fields: Vec<(u8, Code)> = Vec::new();
    let mut told: Vec<Step> = Vec::new();
    // How many steps were told, and how many of the last changes heard led there.
    let mut best: Option<(usize, usize)> = None;
    for entry in entries(data) {
        told.extend(step(entry));
        match entry {
            LogEntry::Mark(Mark::BeginPosition) => cells = Some(start),
            LogEntry::Mark(Mark::BeginPositionRotated) => cells = Some(start.turned()),
            // After the start tag of a bus all men follow.
            LogEntry::Mark(Mark::EmptyBoard | Mark::StartTag) => {
                cells = Some(Cells([Code::EMPTY; 64]));
            }
            LogEntry::Mark(Mark::PowerUp) => {
                // All men follow.
                cells = Some(Cells([Code::EMPTY; 64]));
                best = None;
            }
            LogEntry::Field { index, code, .. } => {
                if let Some(cells) = &mut cells {
                    cells.0[usize::from(index)] = code;
                }
                fields.push((index, code));
            }
            // A press after the picture belongs to what follows.
            _ => continue,
        }
        if cells.as_ref() == Some(known) {
            let alike = fields
                .iter()
                .rev()
                .zip(heard.iter().rev())
                .take_while(|(ours, theirs)| ours == theirs)
                .count();
            if best.is_none_or(|(_, before)| alike >= before) {
                best = Some((told.len(), alike));
            }
        }
    }
    let (at, _) = best?;
    Some(in_order(told.split_off(at)))
}

/// The steps as observations of an earlier time, between `from` and `to`.
pub fn tell(
    before: &Cells,
    reading: Option<ClockReading>,
    steps: &[Step],
    from: Mono,
    to: Mono,
) -> Vec<Observation> {
    let pause = |step: &Step| match step {
        Step::Field { fast: true, .. } => FAST,
        _ => STEP,
    };
    let wanted: Duration = steps.iter().map(pause).sum();
    let room = to.since(from);
    // Play is over before the board is heard again.
    let scale = (room.as_secs_f64() / (wanted + STEP).as_secs_f64().max(0.001)).min(1.0);
    let mut at = from;
    let mut placement = before.placement();
    let mut reading = reading;
    let mut told = Vec::new();
    let mut tell = |at, what| told.push(Observation::Recalled { at, what });
    let board = |placement: &Placement, change| Recalled::Board {
        placement: placement.clone(),
        change,
    };
    tell(at, board(&placement, None));
    if let Some(reading) = reading {
        tell(at, Recalled::Clock(reading));
    }
    for step in steps {
        at = at + pause(step).mul_f64(scale);
        match *step {
            Step::Field { index, code, .. } => {
                let Some(square) = square(index) else {
                    continue;
                };
                let piece = code.piece();
                match piece {
                    Some(piece) => placement.set_piece_at(square, piece),
                    None => placement.discard_piece_at(square),
                }
                let change = Some(SquareChange { square, piece });
                tell(at, board(&placement, change));
            }
            Step::Press { side, time } => {
                if let Some(last) = reading {
                    let then = pressed(last, side, time);
                    reading = Some(then);
                    tell(at, Recalled::Clock(then));
                }
            }
            Step::Restart => break,
        }
    }
    told
}

/// The clock right after a press: the other side runs.
pub fn pressed(last: ClockReading, side: ClockSide, time: Duration) -> ClockReading {
    let mut reading = last;
    let face = match side {
        ClockSide::Left => &mut reading.left,
        ClockSide::Right => &mut reading.right,
    };
    face.time = time;
    reading.lever_high = side.other();
    reading.running = true;
    reading
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The start position marked, then what follows.
    fn log(rest: &[u8]) -> Vec<u8> {
        [&[0x6f], rest, &[0x6b]].concat()
    }

    fn code(byte: u8) -> Code {
        Code::new(byte).unwrap()
    }

    fn after(changes: &[(u8, u8)]) -> Cells {
        let mut cells = Cells::from(&Placement::new());
        for (index, byte) in changes {
            cells.0[usize::from(*index)] = code(*byte);
        }
        cells
    }

    #[test]
    fn what_follows_the_known_picture_is_told() {
        // e2–e4, pressed at 0:05:00; e7–e5.
        let data = log(&[
            0x40, 0x34, 0x41, 0x24, 0x70, 0x05, 0x00, 0x40, 0x0c, 0x57, 0x1c,
        ]);
        let known = after(&[(0x34, 0), (0x24, 1)]);
        let steps = since(&data, &known, &[]).unwrap();
        let five = Duration::from_mins(5);
        assert_eq!(
            steps,
            [
                Step::Press {
                    side: ClockSide::Left,
                    time: five
                },
                Step::Field {
                    index: 0x0c,
                    code: Code::EMPTY,
                    fast: false
                },
                Step::Field {
                    index: 0x1c,
                    code: code(7),
                    fast: true
                },
            ]
        );
    }

    #[test]
    fn of_two_equal_pictures_the_one_that_was_heard_counts() {
        // A knight out and home and out again by another way: the start position stands in between.
        let data = log(&[
            0x40, 0x3e, 0x43, 0x2d, 0x40, 0x2d, 0x43, 0x3e, 0x40, 0x3e, 0x43, 0x2f,
        ]);
        let start = Cells::from(&Placement::new());
        let heard = [(0x2d, Code::EMPTY), (0x3e, code(3))];
        assert_eq!(
            since(&data, &start, &heard).map(|steps| steps.len()),
            Some(2)
        );
        // Nothing was heard before: the latest moment.
        assert_eq!(since(&data, &start, &[]).map(|steps| steps.len()), Some(2));
        let out = after(&[(0x3e, 0), (0x2d, 3)]);
        assert_eq!(since(&data, &out, &[]).map(|steps| steps.len()), Some(4));
    }

    #[test]
    fn a_log_that_cannot_be_read_or_does_not_know_the_picture_tells_nothing() {
        let start = Cells::from(&Placement::new());
        assert_eq!(since(&log(&[0x12, 0x40, 0x34]), &start, &[]), None);
        assert_eq!(since(&log(&[0x40, 0x34]), &after(&[(0, 0)]), &[]), None);
        // Switched on since: what stood there before is not known to follow.
        let restarted = log(&[0x6a, 0x41, 0x34]);
        assert_eq!(since(&restarted, &start, &[]), None);
    }

    #[test]
    fn steps_lie_between_the_loss_and_the_return() {
        let data = log(&[0x40, 0x34, 0x51, 0x24, 0x40, 0x0c, 0x57, 0x1c]);
        let start = Cells::from(&Placement::new());
        let steps = since(&data, &start, &[]).unwrap();
        for secs in [1, 60] {
            let (from, to) = (
                Mono::from_millis(5_000),
                Mono::from_millis(5_000 + secs * 1000),
            );
            let told = tell(&start, None, &steps, from, to);
            let times: Vec<Mono> = told
                .iter()
                .map(|seen| match seen {
                    Observation::Recalled { at, .. } => *at,
                    other => panic!("{other:?}"),
                })
                .collect();
            assert_eq!(times.len(), 5);
            assert!(times.is_sorted() && times[0] == from && times[4] < to);
        }
    }
}
