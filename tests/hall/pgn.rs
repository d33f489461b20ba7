//! The PGN of a hall with trouble: three readers that have nothing to do with the writer agree on it, and
//! it agrees with what was played.

use std::{
    collections::BTreeMap,
    fs,
    io::Read as _,
    ops::ControlFlow,
    path::{Path, PathBuf},
    process::Command,
    sync::OnceLock,
    thread,
    time::{Duration, Instant},
};

use flagfall_core::{
    hub::{
        Hub, HubSettings,
        event::Fact,
        games::{Feed, GamePgn},
        sheet::Sheet,
    },
    types::{Mono, Now, RoundNo, TableNo},
};
use jiff::Timestamp;
use pgn_reader::{RawComment, RawTag, Reader, SanPlus, Visitor};
use serde_json::Value;
use shakmaty::{CastlingMode, Chess, EnPassantMode, Position as _, fen::Fen};

use crate::{
    long_journal,
    place::{Console, Place, send},
    virtual_hall::{Faults, HallPlan, Outcome, VirtualHall},
};

const TABLES: u16 = 12;
const INCREMENT: f64 = 3.0;

fn hall() -> &'static Outcome {
    static HALL: OnceLock<Outcome> = OnceLock::new();
    HALL.get_or_init(|| {
        VirtualHall::new(HallPlan {
            tables: TABLES,
            rounds: 2,
            seed: long_journal::seed(5),
            fault_every: Some(Duration::from_secs(40)),
            faults: Faults::Losses,
            // `HALL_TRACE=12` prints what happens at table 12.
            trace: std::env::var("HALL_TRACE")
                .iter()
                .map(|table| table.parse().unwrap())
                .collect(),
            ..long_journal::plan()
        })
        .run()
    })
}

fn hub(outcome: &Outcome) -> Hub {
    let now = Now {
        mono: Mono::ZERO,
        utc: outcome.state.at.unwrap(),
    };
    Hub::new(HubSettings::default(), outcome.state.clone(), now)
}

fn games(hub: &Hub, round: u16, feed: Feed) -> Vec<GamePgn> {
    let tables: Vec<TableNo> = (1..=TABLES).map(TableNo).collect();
    hub.games_pgn(RoundNo(round), &tables, &[feed])
}

/// A half-move with the time left and the time spent, in seconds.
type HalfMove = (String, Option<f64>, Option<f64>);

/// One game as a reader found it.
#[derive(Debug, Default)]
struct Read {
    tags: BTreeMap<String, String>,
    moves: Vec<HalfMove>,
    comments: String,
    end: String,
}

/// The `pgn-reader` crate with shakmaty's rules: every move must be legal.
struct Strict;

impl Visitor for Strict {
    type Tags = BTreeMap<String, String>;
    type Movetext = (Read, Chess);
    type Output = Read;

    fn begin_tags(&mut self) -> ControlFlow<Read, Self::Tags> {
        ControlFlow::Continue(BTreeMap::new())
    }

    fn tag(&mut self, tags: &mut Self::Tags, name: &[u8], value: RawTag<'_>) -> ControlFlow<Read> {
        let name = String::from_utf8(name.to_vec()).unwrap();
        let value = value.decode_utf8().unwrap().into_owned();
        assert_eq!(tags.insert(name, value), None, "a tag stands twice");
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, tags: Self::Tags) -> ControlFlow<Read, Self::Movetext> {
        let start = tags.get("FEN").map_or_else(Chess::default, |fen| {
            let fen: Fen = fen.parse().unwrap();
            fen.into_position(CastlingMode::Standard).unwrap()
        });
        let read = Read {
            tags,
            ..Read::default()
        };
        ControlFlow::Continue((read, start))
    }

    fn san(&mut self, (read, at): &mut Self::Movetext, san: SanPlus) -> ControlFlow<Read> {
        let legal = san.san.to_move(at).expect("a legal move");
        let text = SanPlus::from_move(at.clone(), legal).to_string();
        assert_eq!(text, san.to_string(), "checks and mates are marked");
        read.moves.push((text, None, None));
        at.play_unchecked(legal);
        ControlFlow::Continue(())
    }

    fn comment(
        &mut self,
        (read, _): &mut Self::Movetext,
        comment: RawComment<'_>,
    ) -> ControlFlow<Read> {
        let text = String::from_utf8(comment.as_bytes().to_vec()).unwrap();
        if let Some((_, clk, emt)) = read.moves.last_mut() {
            *clk = clk.or(seconds(&text, "[%clk "));
            *emt = emt.or(seconds(&text, "[%emt "));
        }
        read.comments += &text;
        read.comments.push(' ');
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, (mut read, at): Self::Movetext) -> Read {
        read.end = Fen::from_position(&at, EnPassantMode::Legal).to_string();
        read
    }
}

/// `h:mm:ss` with perhaps a tenth behind a command.
fn seconds(comment: &str, command: &str) -> Option<f64> {
    let text = comment.split(command).nth(1)?.split(']').next()?;
    let parts: Vec<f64> = text.split(':').map(|part| part.parse().unwrap()).collect();
    let [hours, minutes, seconds] = parts[..] else {
        panic!("{text} is no time");
    };
    Some(hours * 3600.0 + minutes * 60.0 + seconds)
}

fn read(text: &str) -> Vec<Read> {
    let mut reader = Reader::new(text.as_bytes());
    std::iter::from_fn(|| reader.read_game(&mut Strict).unwrap()).collect()
}

/// What strict readers such as ChessBase stumble over.
fn check_form(text: &str) {
    let mut games = 0;
    let (mut in_tags, mut result) = (false, String::new());
    let mut names = Vec::new();
    let mut movetext = String::new();
    for line in text.split_terminator('\n').chain([""]) {
        assert!(
            !line.contains(['\t', '\r']) && !line.ends_with(' '),
            "{line:?}"
        );
        if let Some(pair) = line.strip_prefix('[').filter(|_| movetext.is_empty()) {
            if !in_tags {
                (in_tags, games) = (true, games + 1);
                names.clear();
            }
            let pair = pair.strip_suffix("\"]").expect("a tag ends on its line");
            let (name, value) = pair.split_once(" \"").expect("a tag has a value");
            let good = |c: char| c.is_ascii_alphanumeric() || c == '_';
            assert!(name.chars().all(good) && name.starts_with(|c: char| c.is_ascii_uppercase()));
            let bare = value.replace("\\\\", "").replace("\\\"", "");
            assert!(!bare.contains(['"', '\\']), "{line} is not escaped");
            assert!(line.len() <= 255, "{line}");
            if name == "Result" {
                value.clone_into(&mut result);
            }
            names.push(name.to_owned());
        } else if line.is_empty() {
            if in_tags {
                in_tags = false;
                let roster = ["Event", "Site", "Date", "Round", "White", "Black", "Result"];
                assert_eq!(names[..7], roster);
            } else if !movetext.is_empty() {
                check_movetext(&movetext, &result);
                movetext.clear();
            }
        } else {
            assert!(!in_tags, "no empty line before {line}");
            assert!(
                line.chars().count() < 80 && !line.starts_with('%'),
                "{line}"
            );
            movetext += line;
            movetext.push(' ');
        }
    }
    assert!(games > 0 && movetext.is_empty() && !in_tags);
}

fn check_movetext(text: &str, result: &str) {
    let mut depth = 0;
    for c in text.chars() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        assert!((0..=1).contains(&depth), "comments in comments: {text}");
        assert!(depth == 1 || c.is_ascii(), "{text}");
    }
    assert_eq!(depth, 0, "{text}");
    let plain: String = text
        .split('{')
        .flat_map(|part| {
            part.split_once('}')
                .map_or(part, |(_, after)| after)
                .chars()
        })
        .collect();
    let last = plain.split_whitespace().next_back().unwrap();
    assert_eq!(last, result, "the token is not the tag's: {text}");
    assert!(!plain.contains([';', '(', ')', '$']), "{plain}");
}

/// Where python-chess is, installed from its registry at the first use.
fn python_chess() -> PathBuf {
    let tests = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let place = tests.join("python-chess-1.11.2");
    if place.exists() {
        return place;
    }
    let new = tempfile::tempdir_in(&tests).unwrap();
    let status = Command::new("python3")
        .args(["-m", "pip", "install", "--quiet", "--require-hashes"])
        .args([
            "--disable-pip-version-check",
            "--root-user-action",
            "ignore",
        ])
        .args(["--requirement", "tests/hall/requirements.txt", "--target"])
        .arg(new.path())
        .status()
        .expect("apt install python3-pip");
    assert!(status.success(), "pip could not install chess");
    // Whole or not at all; another run may have been faster.
    drop(fs::rename(new.path(), &place));
    assert!(place.exists());
    place
}

fn by_python(path: &Path) -> Vec<Value> {
    let output = Command::new("python3")
        .env("PYTHONPATH", python_chess())
        .arg("tests/hall/read_pgn.py")
        .arg(path)
        .output()
        .unwrap();
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success() && error.is_empty(), "{error}");
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

#[test]
fn three_readers_agree_on_every_game() {
    let hub = hub(hall());
    let directory = tempfile::tempdir().unwrap();
    let (mut fragments, mut illegal) = (0, 0);
    for round in 1..=2 {
        let whole = hub.round_pgn(RoundNo(round)).unwrap();
        check_form(&whole);
        let path = directory.path().join(format!("round-{round}.pgn"));
        fs::write(&path, &whole).unwrap();
        let (ours, theirs) = (read(&whole), by_python(&path));
        assert_eq!(ours.len(), theirs.len());
        for (ours, theirs) in ours.iter().zip(&theirs) {
            assert_eq!(theirs["errors"], Value::Array(Vec::new()), "{theirs}");
            for (name, value) in &ours.tags {
                assert_eq!(theirs["tags"][name], **value, "{theirs}");
            }
            let moves: Vec<HalfMove> = serde_json::from_value(theirs["moves"].clone()).unwrap();
            assert_eq!(ours.moves, moves, "{theirs}");
            assert_eq!(theirs["end"], *ours.end);
            let comments = theirs["comments"].as_str().unwrap();
            assert_eq!(
                ours.comments.contains("Illegal by "),
                comments.contains("Illegal by ")
            );
            fragments += usize::from(ours.tags.contains_key("Fragment"));
            illegal += ours.comments.matches("Illegal by ").count();
        }
    }
    // A hall without trouble would prove little.
    assert!(fragments > 0 && illegal > 0, "{fragments} {illegal}");
}

#[test]
fn times_are_those_of_the_clocks_and_none_is_made_up() {
    let outcome = hall();
    let hub = hub(outcome);
    let (mut clocks, mut near, mut spent, mut moves) = (0, 0, 0, 0);
    for round in 1..=2 {
        for game in games(&hub, round, Feed::RECORD) {
            let truth = &outcome.truths[&(round, game.table.0)];
            let games = read(&game.texts[0]);
            let san: Vec<&String> = games
                .iter()
                .flat_map(|game| game.moves.iter().map(|(san, ..)| san))
                .collect();
            let [whole] = &games[..] else { continue };
            assert_eq!(whole.tags["Result"], truth.result, "table {}", game.table);
            // A time changed by hand is no play.
            if san != truth.san.iter().collect::<Vec<_>>() || truth.corrections > 0 {
                continue;
            }
            let left: Vec<f64> = truth
                .clock_ms
                .iter()
                .map(|ms| *ms as f64 / 1000.0)
                .collect();
            for (index, (san, clk, emt)) in whole.moves.iter().enumerate() {
                moves += 1;
                if let Some(clk) = clk {
                    clocks += 1;
                    let off = (clk - left[index]).abs();
                    near += usize::from(off <= 1.0);
                    // The increment of the last move may not have been shown yet.
                    assert!(
                        off <= INCREMENT + 1.0,
                        "{round}.{} {san}: {clk} for {}",
                        game.table,
                        left[index]
                    );
                }
                if let Some(emt) = emt {
                    spent += 1;
                    let Some(before) = index.checked_sub(2) else {
                        continue;
                    };
                    let true_emt = left[before] + INCREMENT - left[index];
                    assert!(
                        (emt - true_emt).abs() <= 1.2,
                        "{round}.{} {san}: {emt} for {true_emt}",
                        game.table
                    );
                }
            }
        }
    }
    assert!(moves > 500, "{moves} moves were compared");
    assert!(
        near * 100 >= clocks * 97,
        "{near} of {clocks} are within a second"
    );
    assert!(spent * 2 > moves, "{spent} of {moves} have the time spent");
}

#[test]
fn a_feed_with_a_delay_tells_nothing_that_is_newer() {
    let outcome = hall();
    let hub = hub(outcome);
    let started: Timestamp = outcome
        .journal
        .iter()
        .find(|event| event.round == Some(RoundNo(1)) && event.kind() == "move")
        .unwrap()
        .at;
    let strangers = Feed {
        names: false,
        ..Feed::RECORD
    };
    let (mut open, mut over) = (0, 0);
    for minutes in [0, 3, 7, 12, 25, 60] {
        let until = started + Duration::from_mins(minutes);
        let delayed = Feed {
            until: Some(until),
            ..strangers
        };
        for game in games(&hub, 1, delayed) {
            check_form(&game.texts[0]);
            let parts = read(&game.texts[0]);
            // The hub as it was then would have told the same moves, but for those taken back since.
            let known = outcome.state.rounds[0].games[&game.table]
                .moves
                .iter()
                .take_while(|played| played.at <= until)
                .count();
            let told: usize = parts.iter().map(|part| part.moves.len()).sum();
            assert_eq!(told, known, "table {}", game.table);
            let result = &outcome.state.rounds[0].games[&game.table];
            let is_over = result.result_at.unwrap() <= until;
            let last = parts.last().unwrap();
            assert_eq!(last.tags["Result"] != "*", is_over, "{}", game.texts[0]);
            assert!(last.tags["White"].starts_with("Player "));
            assert!(!last.tags.contains_key("WhiteElo"));
            open += usize::from(!is_over && told > 0);
            over += usize::from(is_over);
        }
        let held = Feed {
            held_back: 4,
            ..delayed
        };
        for (held, shown) in games(&hub, 1, held).iter().zip(games(&hub, 1, delayed)) {
            let count = |text: &str| {
                read(text)
                    .iter()
                    .map(|game| game.moves.len())
                    .sum::<usize>()
            };
            let (held, shown) = (&held.texts[0], &shown.texts[0]);
            let less = if shown.contains("[Result \"*\"]") && !shown.contains("[Fragment") {
                4
            } else {
                0
            };
            if !shown.contains("[Fragment") {
                assert_eq!(count(held), count(shown).saturating_sub(less), "{shown}");
            }
        }
    }
    assert!(open > 10 && over > 10, "{open} {over}");
}

#[test]
fn the_journal_tells_each_game_again() {
    let outcome = hall();
    let hub = hub(outcome);
    let mut notes = BTreeMap::<String, usize>::new();
    for round in 1..=2 {
        for table in (1..=TABLES).map(TableNo) {
            let mut sheet: Sheet = hub.sheet(table, Some(RoundNo(round))).unwrap();
            for event in &outcome.journal {
                sheet.apply(event);
            }
            let sheet = sheet.finish();
            let game = &outcome.state.rounds[usize::from(round) - 1].games[&table];
            let standing: Vec<&str> = sheet
                .moves
                .iter()
                .filter(|made| made.withdrawn_at.is_none())
                .map(|made| made.san.as_str())
                .collect();
            let record: Vec<&str> = game.moves.iter().map(|played| &*played.san).collect();
            assert_eq!(standing, record, "{round}.{table}");
            let made = |event: &&flagfall_core::hub::event::Event| {
                let ours = event.round == Some(RoundNo(round)) && event.table == Some(table);
                ours && match &event.fact {
                    Fact::Move(_) => true,
                    Fact::Withdrawn { replaced_by, .. } => replaced_by.is_some(),
                    _ => false,
                }
            };
            assert_eq!(
                sheet.moves.len(),
                outcome.journal.iter().filter(made).count()
            );
            assert_eq!(
                sheet.result.as_deref(),
                game.result.map(|(result, _)| result.as_str())
            );
            assert!(sheet.end.position.parse::<Fen>().is_ok());
            for note in sheet.notes {
                *notes.entry(note.kind).or_default() += 1;
            }
        }
    }
    for kind in [
        "board",
        "clock",
        "gap",
        "illegal",
        "proposal",
        "result",
        "withdrawn",
        "device",
    ] {
        assert!(notes.contains_key(kind), "{kind}: {notes:?}");
    }
}

fn fetch(place: &Place, path: &str, headers: &str) -> String {
    let mut answer = String::new();
    let mut stream = send(place.http, &format!("GET {path}"), headers, "").unwrap();
    stream.read_to_string(&mut answer).unwrap();
    answer
}

#[tokio::test(flavor = "multi_thread")]
async fn the_program_finds_old_rounds_in_its_journal() {
    let outcome = hall();
    let place = Place::new("[pgn]\ndir = \"games\"\n[broadcast]\non = true\n");
    place.set_pin().await;
    long_journal::write(&place.journal(), &outcome.journal).await;
    let daemon = place.start();
    let console = Console::open(place.http);
    let hub = hub(outcome);
    for round in 1..=2 {
        let sheet = console.get(&format!("tables/3/sheet?round={round}"));
        let mut ours = hub.sheet(TableNo(3), Some(RoundNo(round))).unwrap();
        for event in &outcome.journal {
            ours.apply(event);
        }
        assert_eq!(sheet, serde_json::to_value(ours.finish()).unwrap());
        assert!(sheet["moves"].as_array().unwrap().len() > 10);
    }

    // The files come by themselves.
    let started = Instant::now();
    let live = place.path("games/live.pgn");
    while !live.exists() {
        assert!(started.elapsed() < Duration::from_mins(1), "no files come");
        thread::sleep(Duration::from_millis(50));
    }
    for round in 1..=2 {
        let file = fs::read_to_string(place.path(&format!("games/open/round-{round}.pgn")));
        let file = file.unwrap();
        check_form(&file);
        let record: String = hub.round_pgn(RoundNo(round)).unwrap();
        // Dates are by the zone of the machine, and the journal knows no other.
        let undated = |text: &str| -> Vec<String> {
            let lines = text.lines().filter(|line| !line.starts_with("[Date"));
            lines.map(ToOwned::to_owned).collect()
        };
        assert_eq!(undated(&file), undated(&record));
        let games = fs::read_dir(place.path(&format!("games/open/round-{round}")));
        assert_eq!(games.unwrap().count(), usize::from(TABLES));
    }
    let answer = fetch(&place, "/live/round.pgn", "");
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    assert!(head.starts_with("HTTP/1.1 200"), "{head}");
    assert_eq!(body, fs::read_to_string(&live).unwrap());
    assert!(body.contains("[White \"Player 1\"]") && body.contains("[Round \"2."));
    let tag = head
        .lines()
        .find_map(|line| line.strip_prefix("etag: "))
        .unwrap();
    let again = fetch(
        &place,
        "/live/round.pgn",
        &format!("If-None-Match: {tag}\r\n"),
    );
    assert!(again.starts_with("HTTP/1.1 304"), "{again}");
    let old = fetch(&place, "/live/round-1.pgn", "");
    assert!(old.contains("[Round \"1.12\"]"), "{old}");
    assert_eq!(daemon.stop(), 0);
}
