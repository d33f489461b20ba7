//! Report files as programs write them in the wild: the same tournament in every encoding, with every
//! line end and padding, with strange records among its lines. What was played is read alike in all.

use flagfall_core::{
    pairing::check::{Proposed, check},
    tournament::{
        PairingSystem,
        trf::{Code, read},
    },
    types::{Color, PlayerNo, RoundNo},
};
use proptest::prelude::*;

/// Numbers from a seed.
struct Lot(u64);

impl Lot {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % bound
    }

    fn of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())]
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Charset {
    Utf8,
    Utf8Bom,
    /// Windows-1251, Cyrillic names.
    Cyrillic,
    /// Windows-1252, names of western Europe.
    Western,
}

const CYRILLIC: [&str; 6] = [
    "Шевченко, Тарас",
    "Їжакевич, Євгенія",
    "Іванюк, Ґалина",
    "Щербань, Юля",
    "Петров, Пётр",
    "О",
];
const WESTERN: [&str; 6] = [
    "Müller, Jörg",
    "Çelik, Özgür",
    "Núñez, José",
    "Œuvré, Zoë",
    "Åström, Ævar",
    "Smith, J",
];

impl Charset {
    fn name(self, lot: &mut Lot) -> &'static str {
        match self {
            Self::Cyrillic => lot.of(&CYRILLIC),
            Self::Western => lot.of(&WESTERN),
            Self::Utf8 | Self::Utf8Bom => {
                let names = lot.of(&[CYRILLIC, WESTERN]);
                lot.of(&names)
            }
        }
    }

    fn encode(self, text: &str) -> Vec<u8> {
        match self {
            Self::Utf8 => text.as_bytes().to_vec(),
            Self::Utf8Bom => [b"\xef\xbb\xbf", text.as_bytes()].concat(),
            Self::Cyrillic => text
                .chars()
                .map(|c| match c {
                    'А'..='я' => (u32::from(c) - u32::from('А') + 0xc0) as u8,
                    'ё' => 0xb8,
                    'і' => 0xb3,
                    'І' => 0xb2,
                    'ї' => 0xbf,
                    'Ї' => 0xaf,
                    'є' => 0xba,
                    'Є' => 0xaa,
                    'ґ' => 0xb4,
                    'Ґ' => 0xa5,
                    other => one_byte(other),
                })
                .collect(),
            Self::Western => text
                .chars()
                .map(|c| match c {
                    'Œ' => 0x8c,
                    other => one_byte(other),
                })
                .collect(),
        }
    }
}

/// ASCII and Latin-1 are themselves.
fn one_byte(character: char) -> u8 {
    u8::try_from(character).expect("the names have no other characters")
}

type Cell = (Option<u16>, Option<Color>, char);

/// Rounds in which every game has two sides and a result.
fn rounds(players: u16, rounds: usize, lot: &mut Lot) -> Vec<Vec<Cell>> {
    let mut cells = vec![Vec::new(); usize::from(players)];
    for _ in 0..rounds {
        let mut left: Vec<u16> = (1..=players).collect();
        while !left.is_empty() {
            let one = left.remove(lot.below(left.len()));
            if left.is_empty() || lot.below(6) == 0 {
                cells[usize::from(one) - 1].push((None, None, lot.of(&['U', 'H', 'F', 'Z'])));
                continue;
            }
            let other = left.remove(lot.below(left.len()));
            let (own, theirs) =
                lot.of(&[('1', '0'), ('=', '='), ('0', '1'), ('+', '-'), ('-', '-')]);
            cells[usize::from(one) - 1].push((Some(other), Some(Color::White), own));
            cells[usize::from(other) - 1].push((Some(one), Some(Color::Black), theirs));
        }
    }
    cells
}

/// The field padded to a width that counts characters or, where a program knew no better, bytes.
fn padded(text: &str, width: usize, by_bytes: bool) -> String {
    let length = if by_bytes {
        text.len()
    } else {
        text.chars().count()
    };
    format!("{text}{}", " ".repeat(width.saturating_sub(length)))
}

const STRANGE: [&str; 16] = [
    "",
    "### a remark",
    "XXC rank something else",
    "XXQ 1 2 3",
    "013 Команда                              1    2    3",
    "240 H 002    1",
    "240 ? 9999 x",
    "250 3.0 1.0 001 002    1    2",
    "260 001 002    1    2    3",
    "162 W 1.0 D 0.5 L 0.0",
    "132                                                                                       26/01/01",
    "299 A 1 2 3",
    "001",
    "\u{1a}",
    "999 zz",
    "UKR    1                                                                              12345",
];

fn text(cells: &[Vec<Cell>], charset: Charset, by_bytes: bool, lot: &mut Lot) -> Vec<String> {
    let mut lines = vec![
        "012 Wild".to_owned(),
        format!("142 {}", cells[0].len() + 2),
        "152 W".to_owned(),
    ];
    for (no, rounds) in (1..).zip(cells) {
        let name = padded(charset.name(lot), 33, by_bytes);
        let mut line = format!("001 {no:4}      {name} {:4}{:28} 0.0 {no:4}", 2300 - no, "");
        for &(opponent, colour, code) in rounds {
            let colour = colour.map_or('-', |colour| colour.fold_wb('w', 'b'));
            let opponent = opponent.map_or("0000".to_owned(), |no| format!("{no:4}"));
            line.extend([format!("  {opponent} {colour} {code}")]);
        }
        lines.push(line);
    }
    lines
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn what_was_played_is_read_whatever_the_clothes(
        seed in any::<u64>(),
        players in 2_u16..=12,
        count in 1_usize..=6,
        charset in prop_oneof![
            Just(Charset::Utf8),
            Just(Charset::Utf8Bom),
            Just(Charset::Cyrillic),
            Just(Charset::Western),
        ],
        end in prop_oneof![Just("\n"), Just("\r\n"), Just("\r")],
        by_bytes: bool,
        last_end: bool,
        trailing in 0_usize..3,
    ) {
        let mut lot = Lot(seed);
        let cells = rounds(players, count, &mut lot);
        // In one byte a character both counts are the same.
        let by_bytes = by_bytes && matches!(charset, Charset::Utf8 | Charset::Utf8Bom);
        let mut lines = text(&cells, charset, by_bytes, &mut lot);
        let names: Vec<String> = lines[3..]
            .iter()
            .filter_map(|line| line.get(14..)?.split("  ").next())
            .map(str::to_owned)
            .collect();
        for line in &mut lines {
            *line += &" ".repeat(trailing);
        }
        let mut file = lines.join(end);
        if last_end {
            file += end;
        }
        let bytes = charset.encode(&file);
        let reading = read(&bytes);
        prop_assert!(reading.document.write() == bytes);
        let rows: Vec<_> = reading.document.rows().collect();
        prop_assert_eq!(rows.len(), cells.len(), "{:?}", reading.notices);
        for (row, expected) in rows.iter().zip(&cells) {
            let found: Vec<Cell> = row
                .cells
                .iter()
                .map(|cell| {
                    let code = cell.code.map_or(' ', Code::sign);
                    (cell.opponent.map(|no| no.0), cell.colour, code)
                })
                .collect();
            prop_assert_eq!(&found, expected, "{:?} {}", charset, file);
        }
        // From a handful of names the code page can be told.
        if players >= 6 {
            let found: Vec<&str> = rows.iter().map(|row| row.name.as_str()).collect();
            prop_assert_eq!(found, names, "{:?}", charset);
        }
        let systems = PairingSystem::BY_NAME;
        // A round of games at random can be held against the rules, and paired or refused.
        for round in (1..=count as u16 + 1).map(RoundNo) {
            let Ok(request) = reading.document.request(Some(round)) else { continue };
            let theirs = reading.document.pairing_of(round);
            let proposed = Proposed {
                pairs: theirs.pairs.into_iter().collect(),
                byes: theirs.bye.into_iter().chain(theirs.more_byes).collect(),
                ..Proposed::default()
            };
            let (_, system) = &systems[lot.below(systems.len())];
            let _ = check(&request.input, &proposed, system.basic_rules());
            if let Err(error) = system.system().pair(&request.input) {
                prop_assert!(!error.to_string().is_empty());
            }
        }
    }

    #[test]
    fn strange_records_hide_nobody(
        seed in any::<u64>(),
        players in 2_u16..=6,
        strange in proptest::collection::vec((0..STRANGE.len(), any::<usize>()), 1..8),
        raw in proptest::collection::vec(any::<u8>(), 0..120),
        ends in proptest::collection::vec(0_usize..3, 40),
    ) {
        let mut lot = Lot(seed);
        let cells = rounds(players, 3, &mut lot);
        let mut lines = text(&cells, Charset::Utf8, false, &mut lot);
        for (which, at) in strange {
            let at = at % (lines.len() + 1);
            lines.insert(at, STRANGE[which].to_owned());
        }
        let mut bytes = Vec::new();
        for (line, end) in lines.iter().zip(ends.iter().cycle()) {
            bytes.extend(line.as_bytes());
            bytes.extend(["\n", "\r\n", "\r"][*end].as_bytes());
        }
        let reading = read(&bytes);
        prop_assert!(reading.document.write() == bytes);
        let known: Vec<PlayerNo> = reading.document.rows().map(|row| PlayerNo(row.id)).collect();
        for no in 1..=players {
            prop_assert!(known.contains(&PlayerNo(no)), "{} {:?}", no, reading.notices);
        }
        let _ = reading.document.request(None);
        // Whatever comes behind, nothing before it is lost and nothing panics.
        bytes.extend(&raw);
        let reading = read(&bytes);
        prop_assert!(reading.document.write() == bytes);
        for notice in &reading.notices {
            prop_assert!(!notice.to_string().is_empty());
        }
        for round in 1..=5 {
            let _ = reading.document.request(Some(RoundNo(round)));
            let _ = reading.document.pairing_of(RoundNo(round));
        }
    }
}
