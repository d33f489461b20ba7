//! The codes of machines: the PGN tag TimeControl and record 222 of tournament reports.
//!
//! Both count seconds and write moves first: `40/5400+30:1800+30`; `*180` is an hourglass. Sides that
//! differ stand as `W300-B240`, as record 222 has it. For delay and byo-yomi no code is agreed on; they
//! are written `300d3` (US delay), `300b3` (Bronstein) and `3600+5x30`. Whether an increment is given
//! before the first move has no code and gets lost.

use std::time::Duration;

use shakmaty::Color;

use super::{
    ControlProblem, FirstIncrement, ParseControlError, PerMove, Period, SideControl, TimeControl,
};

impl TimeControl {
    /// The value of the PGN tag TimeControl and of record 222: `5400+30`, `40/5400+30:1800+30`,
    /// `W300-B240`.
    pub fn to_pgn(&self) -> String {
        if self.is_unequal() {
            let (white, black) = (self.of(Color::White), self.of(Color::Black));
            return format!("W{}-B{}", written(white), written(black));
        }
        written(self.of(Color::White))
    }

    /// Reads the value of a PGN tag TimeControl or of record 222.
    ///
    /// # Errors
    /// `-` and `?`, which name none, and whatever else is no code of a time control.
    pub fn from_pgn(text: &str) -> Result<Self, ParseControlError> {
        let code = text.trim();
        match code {
            "" => return Err(ControlProblem::Empty.into()),
            "-" | "?" => return Err(ControlProblem::NotSaid(code.to_owned()).into()),
            _ => {}
        }
        let start = text.find(code).unwrap_or_default();
        let at = |part: &str| {
            // A part is a piece of `code`: its place there is the distance of the two.
            let bytes = (part.as_ptr() as usize).saturating_sub(code.as_ptr() as usize);
            let before = text.get(..start + bytes).unwrap_or_default();
            before.chars().count() + 1
        };
        let located = |(problem, part): (ControlProblem, &str)| ParseControlError {
            problem,
            at: Some(at(part)),
        };
        let sides = code
            .strip_prefix('W')
            .and_then(|rest| rest.split_once("-B"));
        if let Some((white, black)) = sides {
            let (white, black) = (read(white).map_err(located)?, read(black).map_err(located)?);
            return Self::unequal(white, black);
        }
        Ok(Self::equal(read(code).map_err(located)?))
    }
}

fn written(side: &SideControl) -> String {
    let periods = side.periods().iter().map(|period| {
        let moves = period.moves.map(|moves| format!("{moves}/"));
        let moves = moves.unwrap_or_default();
        let base = period.base.as_secs();
        match period.per_move {
            PerMove::Nothing => format!("{moves}{base}"),
            PerMove::Increment(time) => format!("{moves}{base}+{}", time.as_secs()),
            PerMove::Bronstein(time) => format!("{moves}{base}b{}", time.as_secs()),
            PerMove::Delay(time) => format!("{moves}{base}d{}", time.as_secs()),
            PerMove::Hourglass => format!("{moves}*{base}"),
            PerMove::ByoYomi { times, each } => {
                format!("{moves}{base}+{times}x{}", each.as_secs())
            }
        }
    });
    periods.collect::<Vec<_>>().join(":")
}

/// What is wrong, and the piece of the text that it is about.
type Wrong<'a> = (ControlProblem, &'a str);

fn read(text: &str) -> Result<SideControl, Wrong<'_>> {
    let periods = text.split(':').map(period).collect::<Result<Vec<_>, _>>()?;
    SideControl::new(periods, FirstIncrement::Unsaid).map_err(|problem| (problem, text))
}

fn period(text: &str) -> Result<Period, Wrong<'_>> {
    let text = text.trim();
    let (moves, rest) = match text.split_once('/') {
        Some((moves, rest)) => {
            let count = number(moves, "moves")?;
            let count = u16::try_from(count).map_err(|_| (ControlProblem::ManyMoves(count), moves));
            (Some(count?), rest)
        }
        None => (None, text),
    };
    if let Some(base) = rest.strip_prefix('*') {
        return Ok(Period {
            moves,
            base: seconds(base)?,
            per_move: PerMove::Hourglass,
        });
    }
    let (base, per_move) = match rest.split_once(['+', 'd', 'b']) {
        None => (rest, PerMove::Nothing),
        Some((base, added)) => {
            let per_move = match (rest.as_bytes()[base.len()], added.split_once('x')) {
                (b'd', _) => PerMove::Delay(seconds(added)?),
                (b'b', _) => PerMove::Bronstein(seconds(added)?),
                (_, None) => PerMove::Increment(seconds(added)?),
                (_, Some((times, each))) => {
                    let count = number(times, "times")?;
                    let count = u16::try_from(count).ok();
                    PerMove::ByoYomi {
                        times: count
                            .ok_or((ControlProblem::Number(times.to_owned(), "times"), times))?,
                        each: seconds(each)?,
                    }
                }
            };
            (base, per_move)
        }
    };
    Ok(Period {
        moves,
        base: seconds(base)?,
        per_move,
    })
}

fn seconds(text: &str) -> Result<Duration, Wrong<'_>> {
    number(text, "seconds").map(Duration::from_secs)
}

fn number<'a>(text: &'a str, unit: &'static str) -> Result<u64, Wrong<'a>> {
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let value = text
        .parse()
        .ok()
        .filter(|&value| digits && value <= 1_000_000);
    value.ok_or_else(|| (ControlProblem::Number(text.to_owned(), unit), text))
}
