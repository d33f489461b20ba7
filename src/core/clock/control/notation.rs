//! Time controls as people write them: minutes first, seconds behind a plus.

use std::{fmt, str::FromStr, time::Duration};

use shakmaty::Color;

use super::{
    ControlProblem, FirstIncrement, PRESETS, ParseControlError, PerMove, Period, SideControl,
    TimeControl,
};

/// Minutes, with the seconds where it needs them.
fn minutes(time: Duration) -> String {
    let (whole, rest) = (time.as_secs() / 60, time.as_secs() % 60);
    if rest == 0 {
        whole.to_string()
    } else {
        format!("{whole}m{rest}s")
    }
}

impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.of(Color::White))?;
        if self.is_unequal() {
            write!(f, " v {}", self.of(Color::Black))?;
        }
        Ok(())
    }
}

impl fmt::Display for SideControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let with_increment = !self.periods[0].increment().is_zero();
        for (index, period) in self.periods.iter().enumerate() {
            if index > 0 {
                f.write_str(":")?;
            }
            f.write_str(&minutes(period.base))?;
            match period.moves {
                Some(moves) if looks_swapped(period.base.as_secs(), moves.into()) => {
                    write!(f, " for {moves} moves ")?;
                }
                Some(moves) => write!(f, "/{moves}")?,
                None => {}
            }
            match period.per_move {
                PerMove::Nothing if index == 0 || with_increment => f.write_str("+0")?,
                PerMove::Nothing => {}
                PerMove::Increment(time) => write!(f, "+{}", time.as_secs())?,
                PerMove::Bronstein(time) => write!(f, " Bronstein {}", time.as_secs())?,
                PerMove::Delay(time) => write!(f, " delay {}", time.as_secs())?,
                PerMove::Hourglass => f.write_str(" hourglass")?,
                PerMove::ByoYomi { times, each } => {
                    write!(f, " byo-yomi {times}x{}", each.as_secs())?;
                }
            }
            if index == 0 {
                f.write_str(match self.first {
                    FirstIncrement::Unsaid => "",
                    FirstIncrement::Given => " from move 1",
                    FirstIncrement::NotGiven => " from move 2",
                })?;
            }
        }
        Ok(())
    }
}

impl FromStr for TimeControl {
    type Err = ParseControlError;

    /// Reads `90+30`, `5`, `70 + 30`, `70 min + 30 s/move`, `90/40+30:30+30`, `4m30s+2`, `5 v 4`,
    /// `25 delay 10`, `25 Bronstein 10`, `60 byo-yomi 5x30`, `10 hourglass`, `90+30 from move 1`, the
    /// American `40/90, SD/30; d5`, and the names of [`PRESETS`].
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let name = text.trim().to_lowercase();
        let text = match PRESETS.into_iter().find(|(preset, _)| *preset == name) {
            Some((_, preset)) => preset,
            None => text,
        };
        let mut scan = Scan { text, at: 0 };
        scan.space();
        if scan.rest().is_empty() {
            return Err(ControlProblem::Empty.into());
        }
        if scan.is_american() {
            return scan.american();
        }
        let white = scan.side()?;
        if !scan.eat_any(&VERSUS) {
            scan.end()?;
            return Ok(Self::equal(white.control));
        }
        let split = scan.at;
        let black = scan.side()?;
        scan.end()?;
        if black.adds && !white.adds {
            return Err(scan.wrong_at(split, ControlProblem::WhoseIncrement));
        }
        Self::unequal(white.control, black.control)
    }
}

/// Fewer minutes than moves, and more moves than a period has: moves stand first, as in PGN. Who
/// means it writes `10 for 100 moves`.
fn looks_swapped(base: u64, moves: u64) -> bool {
    moves >= 75 && base > 0 && base < moves * 60
}

const VERSUS: [&str; 6] = ["vs.", "vs", "v.", "v", "проти", "против"];
const HOURS: [&str; 8] = ["hours", "hour", "h", "годин", "год", "час", "часа", "ч"];
const MINUTES: [&str; 10] = [
    "minutes", "minute", "mins", "min.", "min", "m", "'", "′", "хв", "мин",
];
const SECONDS: [&str; 11] = [
    "seconds", "second", "secs", "sec.", "sec", "s", "\"", "″", "''", "сек", "с",
];
const A_MOVE: [&str; 9] = [
    "/move",
    "/ move",
    "per move",
    "a move",
    "each move",
    "/хід",
    "на хід",
    "/ход",
    "на ход",
];
const MOVES: [&str; 5] = ["moves", "move", "ходів", "ходов", "ходи"];
const FROM_MOVE: [&str; 3] = ["from move", "з ходу", "с хода"];

/// One side, and whether its text says what a move adds.
struct Side {
    control: SideControl,
    adds: bool,
}

/// A place in the text.
#[derive(Clone, Copy)]
struct Scan<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Scan<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn space(&mut self) {
        self.at = self.text.len() - self.rest().trim_start().len();
    }

    /// Takes a word, large or small, that no other letter follows. Spaces in it may be any.
    fn eat(&mut self, word: &str) -> bool {
        let mut ahead = *self;
        ahead.space();
        for letter in word.chars() {
            if letter == ' ' {
                ahead.space();
                continue;
            }
            let Some(found) = ahead.rest().chars().next() else {
                return false;
            };
            if !found.to_lowercase().eq(letter.to_lowercase()) {
                return false;
            }
            ahead.at += found.len_utf8();
        }
        let goes_on = |c: char| c.is_alphabetic();
        if word.ends_with(goes_on) && ahead.rest().starts_with(goes_on) {
            return false;
        }
        ahead.space();
        *self = ahead;
        true
    }

    fn eat_any(&mut self, words: &[&str]) -> bool {
        words.iter().any(|word| self.eat(word))
    }

    fn wrong_at(&self, at: usize, problem: ControlProblem) -> ParseControlError {
        let letter = self.text[..at].chars().count() + 1;
        ParseControlError {
            problem,
            at: Some(letter),
        }
    }

    /// What stands here up to the next sign that could end a number.
    fn piece(&self) -> String {
        let end = |c: char| c.is_whitespace() || "+/:;,".contains(c);
        let rest = self.rest().trim_start();
        let first = rest.chars().next().map_or(0, char::len_utf8);
        let length = rest[first..].find(end).map_or(rest.len(), |at| first + at);
        rest[..length].to_owned()
    }

    /// A number small enough for any clock.
    fn number(&mut self, unit: &'static str) -> Result<u64, ParseControlError> {
        self.space();
        let digits = self.rest().bytes().take_while(u8::is_ascii_digit).count();
        let value = self.rest()[..digits].parse().ok();
        match value.filter(|&value| value <= 100_000) {
            Some(value) => {
                self.at += digits;
                Ok(value)
            }
            None => Err(self.wrong_at(self.at, ControlProblem::Number(self.piece(), unit))),
        }
    }

    fn digit_follows(&self) -> bool {
        self.rest()
            .trim_start()
            .starts_with(|c: char| c.is_ascii_digit())
    }

    fn end(&mut self) -> Result<(), ParseControlError> {
        self.space();
        if self.rest().is_empty() {
            return Ok(());
        }
        Err(self.wrong_at(self.at, ControlProblem::Unknown(self.piece())))
    }

    fn side(&mut self) -> Result<Side, ParseControlError> {
        self.space();
        let start = self.at;
        let mut periods = Vec::new();
        let mut first = FirstIncrement::Unsaid;
        let mut adds = false;
        loop {
            let from = self.period(&mut periods, &mut adds)?;
            if let Some((number, at)) = from {
                let wrong = self.wrong_at(at, ControlProblem::FromMove(number));
                begin_with(&mut periods, &mut first, number).ok_or(wrong)?;
            }
            if !self.eat(":") {
                break;
            }
        }
        let control =
            SideControl::new(periods, first).map_err(|problem| self.wrong_at(start, problem))?;
        Ok(Side { control, adds })
    }

    /// One period; the answer is the move that its increment begins with, if the text says one, and
    /// where.
    fn period(
        &mut self,
        periods: &mut Vec<Period>,
        adds: &mut bool,
    ) -> Result<Option<(u64, usize)>, ParseControlError> {
        let start = self.at;
        let base = self.base()?;
        let count = if self.eat("/") {
            let moves = self.moves()?;
            if looks_swapped(base, moves) {
                let minutes = base / 60;
                return Err(self.wrong_at(start, ControlProblem::Swapped { minutes, moves }));
            }
            Some(moves)
        } else if self.eat("for") {
            let count = self.moves()?;
            self.eat_any(&MOVES);
            Some(count)
        } else {
            None
        };
        let mut from = None;
        let per_move = self.per_move()?;
        *adds |= per_move.is_some();
        if matches!(per_move, Some(PerMove::Increment(_))) {
            self.space();
            let at = self.at;
            if self.eat_any(&FROM_MOVE) {
                from = Some((self.number("moves")?, at));
            }
        }
        periods.push(Period {
            moves: count.map(|count| count as u16),
            base: Duration::from_secs(base),
            per_move: per_move.unwrap_or(PerMove::Nothing),
        });
        Ok(from)
    }

    /// Seconds.
    fn base(&mut self) -> Result<u64, ParseControlError> {
        let value = self.number("minutes")?;
        if self.eat_any(&HOURS) {
            let mut seconds = value * 3600;
            if self.digit_follows() {
                seconds += self.number("minutes")? * 60;
                self.eat_any(&MINUTES);
            }
            return Ok(seconds);
        }
        if self.eat_any(&MINUTES) {
            let mut seconds = value * 60;
            if self.digit_follows() {
                seconds += self.number("seconds")?;
                self.eat_any(&SECONDS);
            }
            return Ok(seconds);
        }
        Ok(if self.eat_any(&SECONDS) {
            value
        } else {
            value * 60
        })
    }

    fn moves(&mut self) -> Result<u64, ParseControlError> {
        self.space();
        let at = self.at;
        let piece = self.piece();
        match self.number("moves")? {
            0 => Err(self.wrong_at(at, ControlProblem::Number(piece, "moves"))),
            count @ 1..=200 => Ok(count),
            count => Err(self.wrong_at(at, ControlProblem::ManyMoves(count))),
        }
    }

    /// What a move adds, if the text says something.
    fn per_move(&mut self) -> Result<Option<PerMove>, ParseControlError> {
        let time = |scan: &mut Self| -> Result<Duration, ParseControlError> {
            let seconds = scan.number("seconds")?;
            scan.eat_any(&SECONDS);
            scan.eat_any(&A_MOVE);
            Ok(Duration::from_secs(seconds))
        };
        let delay = |scan: &mut Self| {
            let words = ["us delay", "us-delay", "simple delay", "delay", "d"];
            scan.eat_any(&words) || (scan.eat_digit_word('d'))
        };
        if self.eat("+") {
            if delay(self) {
                return Ok(Some(PerMove::Delay(time(self)?)));
            }
            if self.eat("bronstein") {
                return Ok(Some(PerMove::Bronstein(time(self)?)));
            }
            if self.eat_any(&["byo-yomi", "byoyomi", "byo yomi"]) {
                return self.byo_yomi().map(Some);
            }
            let mut ahead = *self;
            let times = ahead.number("seconds")?;
            if ahead.eat_times() {
                self.at = ahead.at;
                return self.byo_yomi_times(times).map(Some);
            }
            return Ok(Some(PerMove::Increment(time(self)?)));
        }
        if delay(self) {
            return Ok(Some(PerMove::Delay(time(self)?)));
        }
        if self.eat("bronstein") || self.eat_digit_word('b') {
            return Ok(Some(PerMove::Bronstein(time(self)?)));
        }
        if self.eat_any(&["hourglass", "hour-glass"]) {
            return Ok(Some(PerMove::Hourglass));
        }
        if self.eat_any(&["byo-yomi", "byoyomi", "byo yomi"]) {
            return self.byo_yomi().map(Some);
        }
        Ok(None)
    }

    /// A letter right before a number, as in `d5`.
    fn eat_digit_word(&mut self, letter: char) -> bool {
        let mut ahead = *self;
        ahead.space();
        let here = ahead.rest();
        let follows = here
            .strip_prefix([letter, letter.to_ascii_uppercase()])
            .is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
        if follows {
            self.at = ahead.at + letter.len_utf8();
        }
        follows
    }

    fn eat_times(&mut self) -> bool {
        self.space();
        let rest = self.rest();
        let sign = rest
            .chars()
            .next()
            .filter(|sign| matches!(sign, 'x' | 'X' | '×' | '*'));
        self.at += sign.map_or(0, char::len_utf8);
        sign.is_some()
    }

    fn byo_yomi(&mut self) -> Result<PerMove, ParseControlError> {
        let mut ahead = *self;
        let times = ahead.number("seconds")?;
        if ahead.eat_times() {
            self.at = ahead.at;
            return self.byo_yomi_times(times);
        }
        self.byo_yomi_times(1)
    }

    fn byo_yomi_times(&mut self, times: u64) -> Result<PerMove, ParseControlError> {
        let at = self.at;
        let each = Duration::from_secs(self.number("seconds")?);
        self.eat_any(&SECONDS);
        let wrong = || self.wrong_at(at, ControlProblem::Number(times.to_string(), "times"));
        Ok(PerMove::ByoYomi {
            times: u16::try_from(times).map_err(|_| wrong())?,
            each,
        })
    }

    /// `G/` and `SD/` are the marks of the American way, in which moves come first.
    fn is_american(&self) -> bool {
        let lower = self.text.to_lowercase();
        ["g/", "sd/"].iter().any(|mark| {
            lower
                .match_indices(mark)
                .any(|(at, _)| !lower[..at].ends_with(|c: char| c.is_alphanumeric()))
        })
    }

    fn american(mut self) -> Result<TimeControl, ParseControlError> {
        let start = self.at;
        let mut periods = Vec::new();
        loop {
            let moves = if self.eat("g/") || self.eat("sd/") {
                None
            } else {
                let moves = self.moves()?;
                if !self.eat("/") {
                    return Err(self.wrong_at(self.at, ControlProblem::Unknown(self.piece())));
                }
                Some(moves as u16)
            };
            periods.push(Period {
                moves,
                base: Duration::from_secs(self.base()?),
                per_move: PerMove::Nothing,
            });
            self.eat_any(&[",", ":", ";"]);
            let mut ahead = self;
            if !(ahead.digit_follows() || ahead.eat("g/") || ahead.eat("sd/")) {
                break;
            }
        }
        let increment = ["increment", "inc", "i"].into_iter().any(|word| {
            let mut ahead = self;
            let eaten = ahead.eat(word)
                || (ahead.rest().to_lowercase().starts_with(word)
                    && ahead.rest()[word.len()..].starts_with(|c: char| c.is_ascii_digit()));
            if eaten && ahead.at == self.at {
                self.at += word.len();
            } else if eaten {
                self = ahead;
            }
            eaten
        });
        let per_move = if increment {
            Some(PerMove::Increment(Duration::from_secs(
                self.number("seconds")?,
            )))
        } else {
            self.per_move()?
        };
        self.end()?;
        for period in &mut periods {
            period.per_move = per_move.unwrap_or(PerMove::Nothing);
        }
        let control = SideControl::new(periods, FirstIncrement::Unsaid)
            .map_err(|problem| self.wrong_at(start, problem))?;
        Ok(TimeControl::equal(control))
    }
}

/// The increment of the newest period begins with this move. With one period, the moves before it
/// become a period of their own.
fn begin_with(periods: &mut Vec<Period>, first: &mut FirstIncrement, number: u64) -> Option<()> {
    let before: u64 = periods[..periods.len() - 1]
        .iter()
        .map(|period| u64::from(period.moves.unwrap_or_default()))
        .sum();
    match number {
        1 if periods.len() == 1 => *first = FirstIncrement::Given,
        2 if periods.len() == 1 => *first = FirstIncrement::NotGiven,
        3..=201 if periods.len() == 1 && periods[0].moves.is_none() => {
            let whole = periods[0];
            periods[0] = Period {
                moves: Some(number as u16 - 1),
                per_move: PerMove::Nothing,
                ..whole
            };
            periods.push(Period {
                base: Duration::ZERO,
                ..whole
            });
        }
        _ if periods.len() > 1 && number == before + 1 => {}
        _ => return None,
    }
    Some(())
}
