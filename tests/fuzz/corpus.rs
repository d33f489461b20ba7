//! What the mishaps begin with: the golden vectors.

use std::path::PathBuf;

use flagfall::decode::parse_hex;
use serde_json::Value;

fn data(path: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("tests/data")
        .join(path)
}

fn hex_of(value: &Value, out: &mut Vec<Vec<u8>>) {
    let Some(list) = value.as_array() else { return };
    for vector in list {
        let dir = vector["direction"].as_str().or(vector["dir"].as_str());
        if dir.is_some_and(|dir| dir.starts_with("host")) {
            continue;
        }
        if let Some(bytes) = vector["bytes_hex"]
            .as_str()
            .and_then(|hex| parse_hex(hex).ok())
        {
            out.push(bytes);
        }
    }
}

fn vectors(path: &str) -> Vec<Vec<u8>> {
    let mut found = Vec::new();
    if let Ok(text) = std::fs::read_to_string(data(path)) {
        hex_of(&serde_json::from_str(&text).unwrap(), &mut found);
    }
    found
}

/// The bytes of a family: its games, and all its messages in one stream and singly.
pub(crate) fn of(family: &str) -> Vec<Vec<u8>> {
    let (games, messages) = match family {
        "dgt" => (
            "dgt-scenario.json".to_owned(),
            "dgt/dgt-board.json".to_owned(),
        ),
        "open-clock" => (String::new(), "clocks/open-clock-messages.json".to_owned()),
        family => (
            format!("boards/{family}-games.json"),
            format!("boards/{family}-messages.json"),
        ),
    };
    let mut all = vectors(&games);
    let messages = vectors(&messages);
    all.push(messages.concat());
    all.extend(messages);
    if family == "dgt" {
        all.extend(vectors("dgt/dgt-clock.json"));
        all.extend(vectors("dgt/dgt-bus.json"));
    }
    all.extend(made(family));
    all.retain(|bytes| !bytes.is_empty());
    if all.is_empty() {
        all.push(b"\x7e\x00\x01".to_vec());
    }
    all
}

/// Games of families without golden ones.
fn made(family: &str) -> Vec<Vec<u8>> {
    match family {
        "cpp" => vec![
            b"sync rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w\nmove e2e4\nmove e7e5\nundo e7e5\nmove c7c5\n"
                .to_vec(),
            b"sync 8/P6k/8/8/8/8/p6K/8 w\nmove a7a8q\nmove a2a1n\nsync Q7/7k/8/8/8/8/7K/n7\n".to_vec(),
        ],
        "wpp" => vec![b"H101     1.2MY\nMB f2f3\nMB e7e5\nMB g2g4\nMB d8h4\nGE\n".to_vec()],
        _ => Vec::new(),
    }
}

/// Files of all forms that `flagfall track` reads.
pub(crate) fn files() -> Vec<Vec<u8>> {
    let mut files: Vec<Vec<u8>> = [
        "0 8e 00 05 34 00\n1250 8e 00 05 24 01 # down\n",
        "8e 00 05 34 00\n8e00052401\n",
        "100: 8e\n200, 00\n",
        "{\"t_ms\": 1250, \"dir\": \"rx\", \"hex\": \"8e 00 05 34 00\"}\n{\"t_s\": 1.5, \"bytes_hex\": \"8e\"}\n",
        "[{\"name\": \"v\", \"bytes_hex\": \"01 02\", \"chunks_hex\": [\"01\", \"02\"], \"decoded\": \
         {\"initial_fen\": \"8/8/8/8/8/8/8/K1k5 w - - 0 1\", \"updates\": [{\"t_ms\": 7}]}}]",
        "{\"flagfall_recording\":1,\"family\":\"dgt-board\",\"port\":\"/dev/ttyS0\",\"started\":\
         \"2026-11-30T12:00:00Z\"}\n{\"t_ms\":0,\"dir\":\"open\"}\n{\"t_ms\":12,\"dir\":\"rx\",\"hex\":\"8e 00\"}\n",
        "960:518",
    ]
    .map(|text| text.as_bytes().to_vec())
    .into();
    for name in ["boards/chessnut-games.json", "boards/pegasus-games.json"] {
        files.push(std::fs::read(data(name)).unwrap());
    }
    files
}

/// The cases of a target that failed once.
pub(crate) fn once_failed(target: &str) -> Vec<(String, Vec<u8>)> {
    let Ok(entries) = std::fs::read_dir(data("fuzz").join(target)) else {
        return Vec::new();
    };
    let mut cases: Vec<_> = entries
        .map(|entry| {
            let path = entry.unwrap().path();
            let name = path.file_stem().unwrap().to_string_lossy().into_owned();
            (name, std::fs::read(path).unwrap())
        })
        .collect();
    cases.sort();
    cases
}
