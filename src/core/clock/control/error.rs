//! Why a text or a list of periods is no time control, where, and what to write instead.

use thiserror::Error;

/// What is wrong with a time control.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ControlProblem {
    /// Nothing there.
    #[error("a time control is missing")]
    Empty,
    /// The code says that there is none (`-`), or that it is not known (`?`).
    #[error("the code {0:?} names no time control")]
    NotSaid(String),
    /// A number is missing or no number.
    #[error("{0:?} is not a number of {1}")]
    Number(String, &'static str),
    /// Something that belongs to no time control.
    #[error("{0:?} is not understood")]
    Unknown(String),
    /// A period without moves stands before the last.
    #[error("period {0} has no number of moves, but another period follows it")]
    Moves(usize),
    /// More moves than any period has.
    #[error("{0} moves in one period are too many: at most 200")]
    ManyMoves(u64),
    /// Moves and minutes stand in the other order.
    #[error("{minutes} minutes for {moves} moves: minutes come first, then moves")]
    Swapped {
        /// What was read as minutes.
        minutes: u64,
        /// What was read as moves.
        moves: u64,
    },
    /// The last period has a number of moves.
    #[error("the last period must be for the rest of the game, not for a number of moves")]
    Last,
    /// There is no time in it at all.
    #[error("a player needs some time: base and increment are both zero")]
    NoTime,
    /// A period or an increment is longer than any game over the board.
    #[error("period {0} is too long: at most 24 hours, and 1 hour a move")]
    TooLong(usize),
    /// Clocks are set in whole seconds.
    #[error("period {0} has parts of a second")]
    Fraction(usize),
    /// More periods than any clock has.
    #[error("{0} periods are too many: at most 20")]
    ManyPeriods(usize),
    /// Byo-yomi before another period.
    #[error("period {0} has byo-yomi, which only the last period can have")]
    ByoYomi(usize),
    /// An hourglass with other periods, or for one side.
    #[error("an hourglass has one period, the same for both sides")]
    Hourglass,
    /// An increment that begins at a move where no period begins.
    #[error("the increment cannot begin with move {0}")]
    FromMove(u64),
    /// An increment behind Black's time only.
    #[error("it is not clear whether the increment is for both sides or for Black alone")]
    WhoseIncrement,
}

/// Why something is no time control.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{problem}{}", place(*at))]
pub struct ParseControlError {
    /// What is wrong.
    pub problem: ControlProblem,
    /// The letter of the text where, counted from 1; `None` when it is about the whole.
    pub at: Option<usize>,
}

impl ParseControlError {
    /// What to write instead.
    pub fn hint(&self) -> String {
        match &self.problem {
            ControlProblem::Number(_, "seconds") => {
                "write the seconds as a whole number, e.g. \"90+30\"".to_owned()
            }
            ControlProblem::Number(_, "moves") => {
                "write the moves behind a stroke, e.g. \"90/40+30:30+30\"".to_owned()
            }
            ControlProblem::Unknown(_) => "write e.g. \"90+30\", \"90/40+30:30+30\", \"5 v 4\", \
                 \"25 delay 10\", \"25 Bronstein 10\", \"60 byo-yomi 5x30\" or \"10 hourglass\""
                .to_owned(),
            ControlProblem::Moves(period) => format!(
                "give period {period} its moves, e.g. \"90/40+30:30+30\" for 90 minutes for 40 moves"
            ),
            ControlProblem::ManyMoves(_) => {
                "minutes come first, then moves: \"90/40+30:30+30\"; in \
                 a PGN tag it is moves and seconds"
                    .to_owned()
            }
            ControlProblem::Swapped { minutes, moves } => {
                format!("write \"{moves}/{minutes}\" for {moves} minutes for {minutes} moves")
            }
            ControlProblem::Last => {
                "add a last period for the rest of the game, e.g. \"90/40+30:30+30\"".to_owned()
            }
            ControlProblem::NoTime => "write the minutes, e.g. \"5\"".to_owned(),
            ControlProblem::TooLong(_) => {
                "the first number is minutes and the one behind + seconds: \"90+30\"".to_owned()
            }
            ControlProblem::Fraction(_) => "write whole seconds".to_owned(),
            ControlProblem::ManyPeriods(_) => {
                "leave out the periods that no game reaches".to_owned()
            }
            ControlProblem::ByoYomi(_) => {
                "write it last, e.g. \"60/40:30 byo-yomi 5x30\"".to_owned()
            }
            ControlProblem::Hourglass => "write e.g. \"10 hourglass\"".to_owned(),
            ControlProblem::FromMove(_) => {
                "write the moves before it as a period of their own, e.g. \
                 \"10/60:0+3\" for 3 seconds from move 61"
                    .to_owned()
            }
            ControlProblem::WhoseIncrement => {
                "write it for each, e.g. \"5+2 v 4+2\" or \"5+0 v 4+2\"".to_owned()
            }
            ControlProblem::Empty | ControlProblem::NotSaid(_) | ControlProblem::Number(..) => {
                "write e.g. \"90+30\", \"90/40+30:30+30\" or \"5 v 4\"".to_owned()
            }
        }
    }
}

impl From<ControlProblem> for ParseControlError {
    fn from(problem: ControlProblem) -> Self {
        Self { problem, at: None }
    }
}

fn place(at: Option<usize>) -> String {
    at.map(|at| format!(" (at letter {at})"))
        .unwrap_or_default()
}
