//! The player record: `001`, or the code of a national list in its place.

use super::{
    columns::{Columns, Form},
    field::{Fields, parse_points, points_text},
    notice::{Kind, Notice, Severity},
};
use crate::{
    tournament::csv::parse_rating,
    types::{Color, PlayerNo, Points},
};

/// A player with his results, as written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Row {
    /// The code of the national list whose data stand here; `None` = FIDE's (`001`).
    pub list: Option<String>,
    /// The starting rank: the player's id in the file.
    pub id: u16,
    /// `m` or `w`, as written.
    pub sex: Option<char>,
    /// The title, as written (`GM`, old files `g`).
    pub title: String,
    /// `Surname, First`.
    pub name: String,
    /// The rating; 0 and nothing = unrated.
    pub rating: Option<u16>,
    /// Federation (national lists: region).
    pub federation: String,
    /// FIDE number (national lists: theirs), as written.
    pub number: String,
    /// Birth, as written.
    pub birth: String,
    /// The points, byes already granted included, virtual points not.
    pub points: Option<Points>,
    /// The place.
    pub rank: Option<u16>,
    /// The rounds, round 1 first; blank ones at the end are left out.
    pub cells: Vec<Cell>,
}

/// One round of one player.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cell {
    /// The opponent's id; `None` = `0000` or blank.
    pub opponent: Option<PlayerNo>,
    /// The player's own colour; `None` = `-` or blank.
    pub colour: Option<Color>,
    /// The result; `None` = not entered.
    pub code: Option<Code>,
}

impl Cell {
    /// Nothing is entered.
    pub const BLANK: Self = Self {
        opponent: None,
        colour: None,
        code: None,
    };

    /// A round without an opponent.
    pub const fn bye(code: Code) -> Self {
        Self {
            opponent: None,
            colour: None,
            code: Some(code),
        }
    }

    /// Nothing is entered.
    pub fn is_blank(&self) -> bool {
        *self == Self::BLANK
    }
}

/// A result code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Code {
    /// `1`.
    Win,
    /// `=`.
    Draw,
    /// `0`.
    Loss,
    /// `W`: not rated, e.g. a game of less than one move.
    UnratedWin,
    /// `D`.
    UnratedDraw,
    /// `L`.
    UnratedLoss,
    /// `+`.
    ForfeitWin,
    /// `-`.
    ForfeitLoss,
    /// `H`.
    Half,
    /// `F`.
    Full,
    /// `U`.
    Allocated,
    /// `Z`.
    Zero,
}

impl Code {
    /// All of them.
    pub const ALL: [Self; 12] = [
        Self::Win,
        Self::Draw,
        Self::Loss,
        Self::UnratedWin,
        Self::UnratedDraw,
        Self::UnratedLoss,
        Self::ForfeitWin,
        Self::ForfeitLoss,
        Self::Half,
        Self::Full,
        Self::Allocated,
        Self::Zero,
    ];

    /// The sign in the file.
    pub const fn sign(self) -> char {
        match self {
            Self::Win => '1',
            Self::Draw => '=',
            Self::Loss => '0',
            Self::UnratedWin => 'W',
            Self::UnratedDraw => 'D',
            Self::UnratedLoss => 'L',
            Self::ForfeitWin => '+',
            Self::ForfeitLoss => '-',
            Self::Half => 'H',
            Self::Full => 'F',
            Self::Allocated => 'U',
            Self::Zero => 'Z',
        }
    }

    /// Reads a sign, of either case.
    pub fn from_sign(sign: char) -> Option<Self> {
        let upper = sign.to_ascii_uppercase();
        Self::ALL.into_iter().find(|code| code.sign() == upper)
    }

    /// In words, for messages.
    pub const fn words(self) -> &'static str {
        match self {
            Self::Win => "1 (win)",
            Self::Draw => "= (draw)",
            Self::Loss => "0 (loss)",
            Self::UnratedWin => "W (win, unrated)",
            Self::UnratedDraw => "D (draw, unrated)",
            Self::UnratedLoss => "L (loss, unrated)",
            Self::ForfeitWin => "+ (win by forfeit)",
            Self::ForfeitLoss => "- (loss by forfeit)",
            Self::Half => "H (half-point bye)",
            Self::Full => "F (full-point bye)",
            Self::Allocated => "U (pairing-allocated bye)",
            Self::Zero => "Z (zero-point bye)",
        }
    }

    /// A result over the board; short and unrated games count (trf.md §2, as bbpPairings has it).
    pub const fn is_played(self) -> bool {
        matches!(
            self,
            Self::Win
                | Self::Draw
                | Self::Loss
                | Self::UnratedWin
                | Self::UnratedDraw
                | Self::UnratedLoss
        )
    }

    /// A result against an opponent, played or not.
    pub const fn is_game(self) -> bool {
        self.is_played() || matches!(self, Self::ForfeitWin | Self::ForfeitLoss)
    }
}

/// The column in which round `round` (from 1) begins.
pub(super) const fn cell_column(round: usize) -> usize {
    92 + 10 * (round - 1)
}

/// More rounds are no tournament: a line of megabytes is cut here.
pub(super) const MOST_ROUNDS: usize = 999;

/// The blanks between the fields behind the name are there.
fn gaps(columns: &Columns) -> bool {
    [48, 53, 57, 69, 80, 85, 90, 91]
        .into_iter()
        .all(|column| columns.blank(column))
}

/// The fields behind the name stand where they should: blanks between them, digits in them.
pub(super) fn fits(columns: &Columns) -> bool {
    let digits = |text: &str| text.bytes().all(|b| b.is_ascii_digit());
    gaps(columns) && digits(columns.text(49..=52)) && digits(columns.text(58..=68))
}

/// Reads a player. `None` without an id: then nothing of the line can be used.
pub(super) fn parse(list: Option<&str>, fields: &mut Fields) -> Option<Row> {
    let hint = "write the pairing number, right-aligned in columns 5 to 8";
    if !fields.columns.blank(9) && fields.columns.text(5..=9).parse::<u32>().is_ok() {
        fields.error(
            5..=9,
            "starting rank",
            "is above 9999, the most that a report file can hold",
            hint,
        );
        return None;
    }
    let id = fields.required(5..=8, "starting rank", hint, |s| match s.parse() {
        Ok(0) | Err(_) => Err("is not a number from 1".to_owned()),
        Ok(id) => Ok(id),
    })?;
    fields.player = Some(PlayerNo(id));
    if !gaps(&fields.columns) {
        fields.shifted(48..=91, "the fields behind the name");
    }
    let name = fields.columns.text(15..=47).to_owned();
    if name.is_empty() {
        fields.warning(
            15..=47,
            "name",
            "is empty",
            "write the name in columns 15 to 47",
        );
    }
    let sex = fields.detail(
        10..=10,
        "sex",
        "write m or w, or leave it blank",
        |s| match s {
            "m" | "M" | "w" | "W" | "f" | "F" => Ok(s.chars().next()),
            _ => Err("is neither m nor w".to_owned()),
        },
    );
    let title = fields.columns.text(11..=13).to_owned();
    if list.is_none()
        && !title.is_empty()
        && title.parse::<crate::tournament::player::Title>().is_err()
    {
        fields.warning(
            11..=13,
            "title",
            "is not a FIDE title (GM, IM, WGM, FM, WIM, CM, WFM, WCM)",
            "correct it, or leave it blank",
        );
    }
    let rating = fields.detail(
        49..=52,
        "rating",
        "write digits only in columns 49 to 52",
        parse_rating,
    );
    let number = fields.columns.text(58..=68).to_owned();
    if list.is_none() && !number.bytes().all(|b| b.is_ascii_digit()) {
        fields.warning(
            58..=68,
            "fide id",
            "is not a FIDE number",
            "write digits only in columns 58 to 68",
        );
    }
    let birth = fields.columns.text(70..=79).to_owned();
    if let Err(problem) = parse_birth(&birth) {
        fields.warning(
            70..=79,
            "birth",
            problem,
            "write it as 1990/01/02 in columns 70 to 79",
        );
    }
    let points = fields.detail(
        81..=84,
        "points",
        "write them as 4.5, right-aligned in columns 81 to 84",
        parse_points,
    );
    let rank = fields.detail(
        86..=89,
        "rank",
        "write digits only in columns 86 to 89",
        |s| s.parse().map_err(|_| "is not a whole number".to_owned()),
    );
    Some(Row {
        list: list.map(str::to_owned),
        id,
        sex: sex.flatten(),
        title,
        name,
        rating,
        federation: fields.columns.text(54..=56).to_owned(),
        number,
        birth,
        points,
        rank,
        cells: cells(fields),
    })
}

/// The birth of a row; zeros are how some programs write "not known".
pub(super) fn parse_birth(text: &str) -> Result<Option<crate::tournament::player::Birth>, String> {
    if text
        .bytes()
        .all(|b| matches!(b, b'0' | b'/' | b'-' | b'.' | b' '))
    {
        return Ok(None);
    }
    text.parse()
        .map(Some)
        .map_err(|e: crate::tournament::player::ParseBirthError| e.to_string())
}

fn cells(fields: &mut Fields) -> Vec<Cell> {
    let mut cells = Vec::new();
    let mut used = 0;
    for round in 1.. {
        let column = cell_column(round);
        if column > fields.columns.len() {
            break;
        }
        if round > MOST_ROUNDS {
            fields.round = None;
            fields.error(
                column..=column + 7,
                "results",
                "is behind the last round that is read",
                "remove what stands behind the results",
            );
            break;
        }
        fields.round = Some(round);
        let gaps = [column + 4, column + 6, column + 8, column + 9];
        if gaps.into_iter().any(|gap| !fields.columns.blank(gap)) {
            fields.shifted(column..=column + 9, "this round and those behind it");
            break;
        }
        let cell = cell(column, fields);
        cells.push(cell);
        if !cell.is_blank() {
            used = round;
        }
    }
    fields.round = None;
    cells.truncate(used);
    cells
}

fn cell(column: usize, fields: &mut Fields) -> Cell {
    let hint = "write the opponent's number or 0000, the colour w, b or -, and the result";
    let opponent = fields.optional(column..=column + 3, "opponent", hint, |s| match s.parse() {
        Ok(0) => Ok(None),
        Ok(id) => Ok(Some(PlayerNo(id))),
        Err(_) if s == "-" || s == "----" => Ok(None),
        Err(_) => Err("is not a number".to_owned()),
    });
    let colour = fields.optional(column + 5..=column + 5, "colour", hint, |s| match s {
        "w" | "W" => Ok(Some(Color::White)),
        "b" | "B" => Ok(Some(Color::Black)),
        "-" => Ok(None),
        _ => Err("is neither w nor b".to_owned()),
    });
    let code = fields.optional(column + 7..=column + 7, "result", hint, |s| {
        s.chars()
            .next()
            .and_then(Code::from_sign)
            .ok_or_else(|| "is not a result code (1 = 0 W D L + - H F U Z)".to_owned())
    });
    let cell = Cell {
        opponent: opponent.flatten(),
        colour: colour.flatten(),
        code,
    };
    match (cell.opponent, cell.code) {
        (Some(_), Some(code)) if !code.is_game() => {
            let notice = Notice::new(Severity::Error, Kind::Field, fields.line, "result")
                .column(column + 7)
                .value(&code.sign().to_string())
                .problem(
                    "is a bye, but an opponent is given",
                    "write 0000, or a result",
                );
            fields.push(notice);
            Cell::bye(code)
        }
        (None, Some(_)) | (Some(_), None | Some(_)) => cell,
        (None, None) => Cell::BLANK,
    }
}

/// The line of a player.
pub(super) fn format(row: &Row) -> String {
    let mut form = Form::new(row.list.as_deref().unwrap_or("001"));
    form.right(8, &row.id.to_string());
    if let Some(sex) = row.sex {
        form.left(10, &sex.to_string());
    }
    form.right(13, &row.title);
    form.left(15, &row.name.chars().take(33).collect::<String>());
    if let Some(rating) = row.rating {
        form.right(52, &rating.to_string());
    }
    form.left(54, &row.federation);
    form.right(68, &row.number);
    form.left(70, &row.birth);
    if let Some(points) = row.points {
        form.right(84, &points_text(points));
    }
    if let Some(rank) = row.rank {
        form.right(89, &rank.to_string());
    }
    for (round, cell) in (1..).zip(&row.cells).filter(|(_, cell)| !cell.is_blank()) {
        let column = cell_column(round);
        let opponent = cell
            .opponent
            .map_or_else(|| "0000".to_owned(), |id| id.to_string());
        form.right(column + 3, &opponent);
        form.left(
            column + 5,
            match cell.colour {
                Some(Color::White) => "w",
                Some(Color::Black) => "b",
                None => "-",
            },
        );
        if let Some(code) = cell.code {
            form.left(column + 7, code.sign().encode_utf8(&mut [0; 4]));
        }
    }
    form.finish()
}
