//! The configuration files: what is shipped loads, and what is wrong is said with line and way out.

use std::{fs, path::Path, time::Duration};

use flagfall::config::{Broker, Config, ConfigError, Event, PRESETS, PortPath};
use flagfall_core::{
    chess::Variant,
    pairing::Acceleration,
    tournament::{
        drawing::DrawnBy,
        event::{DefaultTime, PairingSystem, ProposalKind},
        schedule::RoundStart,
        standings::TieBreak,
    },
    types::{Color, PlayerNo, RoundNo, TableNo},
};
use tempfile::TempDir;

const SHIPPED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/config");
const PLAYERS: &str = "name;rating\nA;2000\nB;1900\nC;1800\n";
const EVENT: &str = "name = \"Cup\"\ntime_control = \"5 min\"\nplayers = \"players.csv\"\n";

#[test]
fn the_shipped_files_load() {
    let config = Config::load(&Path::new(SHIPPED).join("flagfall.toml")).unwrap();
    assert_eq!(config.warnings, []);
    assert_eq!(config.hub.name.as_str(), "hall");
    assert_eq!(config.hub.data_dir, Path::new(SHIPPED).join("../data"));
    assert_eq!(config.mqtt.broker, Broker::Embedded);
    assert!(!config.mqtt.publish_names);
    assert!(config.pgn.files && config.pgn.dir.is_none());
    assert!(!config.broadcast.on, "games are the organiser's");
    let event = config.event.unwrap();
    assert_eq!(event.settings.name, "Autumn Cup");
    assert_eq!(event.players.len(), 24);
    assert_eq!(event.players[0].no, PlayerNo(1));
    assert_eq!(
        event.settings.system,
        PairingSystem::RoundRobin { cycles: 1 }
    );
    assert!(
        event.settings.accept.is_empty(),
        "an arbiter decides unless the event says otherwise"
    );
    let first = event.settings.schedule.start(RoundNo(1), None).unwrap();
    assert_eq!(first.to_string(), "2026-12-05T08:00:00Z");
    let pause = Duration::from_mins(15);
    assert_eq!(
        event.settings.schedule.planned(RoundNo(2)),
        RoundStart::AfterPrevious { pause }
    );
}

/// Asks for a key that nobody has, table by table: the answer names all keys that there are, and
/// each must be in the file, if only behind a `#`.
#[test]
fn the_shipped_files_show_every_key() {
    for (name, with_event) in [("flagfall.toml", false), ("event.toml", true)] {
        let text = fs::read_to_string(Path::new(SHIPPED).join(name)).unwrap();
        let whole: String = text
            .lines()
            .map(|line| match line.strip_prefix('#') {
                Some(key) if !key.starts_with(' ') && !key.is_empty() => format!("{key}\n"),
                Some(_) | None => format!("{line}\n"),
            })
            .collect();
        let tables: Vec<&str> = std::iter::once("")
            .chain(whole.lines().filter(|line| line.starts_with('[')))
            .collect();
        assert!(tables.len() > 3, "{tables:?}");
        for table in tables {
            let probed = if table.is_empty() {
                format!("no_such_key = 1\n{whole}")
            } else {
                whole.replace(
                    &format!("{table}\n"),
                    &format!("{table}\nno_such_key = 1\n"),
                )
            };
            let hall = hall();
            // The place of every key of this table: from its header to the next.
            let start = if table.is_empty() {
                0
            } else {
                probed.find(table).unwrap() + table.len()
            };
            let body = &probed[start..];
            let body = if table.is_empty() {
                body
            } else {
                body.split("\n[").next().unwrap()
            };
            let error = if with_event {
                write(&hall, "event.toml", &probed);
                Event::load(&hall.path().join("event.toml")).unwrap_err()
            } else {
                load(&hall, &probed).unwrap_err()
            };
            let known = error
                .problems
                .iter()
                .find(|problem| problem.message == "unknown key `no_such_key`")
                .unwrap_or_else(|| panic!("{name} {table}: {error}"));
            let known = known
                .hint
                .strip_prefix("known here: ")
                .unwrap_or_else(|| panic!("{known}"));
            for key in known.split(", ") {
                let shown = body.lines().any(|line| {
                    line.starts_with(&format!("{key} = "))
                        || line == format!("[{key}]")
                        || line == format!("[[{key}]]")
                });
                // The keys of an event are shown in its own file.
                let elsewhere = table == "[event]" || (with_event && key == "file");
                assert!(shown || elsewhere, "{name} {table} does not show `{key}`");
            }
        }
    }
}

#[test]
fn boards_of_a_bus_have_tables_of_their_own() {
    let hall = hall();
    let good = "[[port]]\npath = \"/dev/ttyS1\"\nfamily = \"dgt-bus\"\n\
                boards = { 01025 = 12, 01026 = 13 }\n";
    let config = load(&hall, good).unwrap();
    let boards: Vec<_> = config.ports[0].boards.iter().collect();
    let boards: Vec<_> = boards.iter().map(|(a, t)| (a.to_string(), t.0)).collect();
    assert_eq!(boards, [("01025".to_owned(), 12), ("01026".to_owned(), 13)]);
    let text = "[[port]]\npath = \"/dev/ttyS1\"\nboards = { 01025 = 12 }\n\
                [[port]]\npath = \"/dev/ttyS2\"\nfamily = \"dgt-bus\"\ntable = 3\n\
                boards = { 01026 = 0 }\n";
    assert_in(
        &hall,
        text,
        &[
            "3: `boards` are the tables of a bus",
            "7: a bus serves several tables",
            "8: there is no table 0",
        ],
    );
    let far = "[[port]]\npath = \"/dev/ttyS1\"\nfamily = \"dgt-bus\"\nboards = { 20000 = 1 }\n";
    assert!(load(&hall, far).is_err(), "no address of 14 bits");
}

#[test]
fn presets_hold_the_figures_of_the_rule_books() {
    let event = |preset: &str| {
        let hall = hall();
        let text = format!("preset = \"{preset}\"\nname = \"X\"\nplayers = \"players.csv\"\n");
        write(&hall, "event.toml", &text);
        Event::load(&hall.path().join("event.toml"))
            .unwrap()
            .0
            .settings
    };
    let championship = event("championship");
    assert_eq!(
        championship.time_control.as_deref(),
        Some("70 min + 30 s/move")
    );
    assert_eq!(
        championship.default_time,
        DefaultTime::After(Duration::ZERO)
    );
    assert_eq!(
        event("team").default_time,
        DefaultTime::After(Duration::from_mins(5))
    );
    assert_eq!(
        event("team").time_control.as_deref(),
        Some("45 min + 15 s/move")
    );
    assert_eq!(event("blitz").illegal_moves.bonus, Duration::from_mins(1));
    assert_eq!(event("blitz").tie_breaks, TieBreak::ROUND_ROBIN);
    let school = event("school");
    assert_eq!(school.time_control, None);
    assert_eq!(school.default_time, DefaultTime::UntilHalf);
    assert_eq!(
        school.play_off_time.map(|play_off| play_off.after_percent),
        Some(80)
    );
    assert_eq!(
        PRESETS.map(|(name, _)| name),
        ["blitz", "championship", "school", "team"]
    );
}

#[test]
fn an_event_overrides_its_preset() {
    let hall = hall();
    let text = format!("preset = \"school\"\ndefault_time = \"15:00\"\ndouble = true\n{EVENT}");
    write(&hall, "event.toml", &text);
    let settings = Event::load(&hall.path().join("event.toml"))
        .unwrap()
        .0
        .settings;
    assert_eq!(settings.time_control.as_deref(), Some("5 min"));
    assert_eq!(
        settings.default_time,
        DefaultTime::After(Duration::from_mins(15))
    );
    assert_eq!(settings.system, PairingSystem::RoundRobin { cycles: 2 });
    assert_eq!(
        settings.illegal_moves.bonus,
        Duration::ZERO,
        "from the preset"
    );
}

#[test]
fn a_swiss_with_its_settings() {
    let hall = hall();
    let text = format!(
        "system = \"dutch\"\nrounds = 3\nvariant = \"chess960\"\npublish = \"at-once\"\ninitial_colour = \"black\"\n\
         acceleration = \"baku\"\nforbidden = [{{ players = [1, 2], last = 2 }}]\n{EVENT}"
    );
    write(&hall, "event.toml", &text);
    let settings = Event::load(&hall.path().join("event.toml"))
        .unwrap()
        .0
        .settings;
    assert_eq!(settings.system.name(), "dutch");
    assert!(settings.accepts(ProposalKind::Pairing));
    assert_eq!(settings.initial_colour, Some(Color::Black));
    assert_eq!(settings.variant, Variant::Chess960);
    assert_eq!(settings.acceleration, Acceleration::Baku { last: None });
    assert_eq!(settings.forbidden.len(), 1);
    assert_eq!(settings.forbidden[0].last, Some(RoundNo(2)));
    for (keys, message) in [
        ("variant = \"fischer\"", "chess960"),
        ("system = \"duch\"", "did you mean `dutch`?"),
        ("system = \"dutch\"", "`rounds` is missing"),
        ("acceleration = \"baku\"", "only a Swiss can be accelerated"),
        (
            "system = \"dutch\"\nrounds = 3\ndouble = true",
            "only a round robin is played twice",
        ),
        ("forbidden = [{ players = [1, 1] }]", "nobody is kept apart"),
        (
            "forbidden = [{ players = [1, 99] }]",
            "number 99 is not in the list",
        ),
        (
            "forbidden = [{ players = [1, 2], first = 3, last = 2 }]",
            "holds in no round",
        ),
        (
            "publish = \"by-arbiter\"\naccept = [\"pairing\"]",
            "which publishes at once",
        ),
    ] {
        write(&hall, "event.toml", &format!("{keys}\n{EVENT}"));
        let said = Event::load(&hall.path().join("event.toml"))
            .unwrap_err()
            .to_string();
        assert!(said.contains(message), "{keys}: {said}");
    }
}

#[test]
fn a_wrong_key_is_named_with_the_nearest_right_one() {
    assert_problems(
        "[http]\n\nlisten_on = \"0.0.0.0:80\"\n[mqtt]\nbrocker = \"embedded\"\n[evnt]\n",
        &[
            "3: unknown key `listen_on`; did you mean `listen`?",
            "5: unknown key `brocker`; did you mean `broker`?",
            "6: unknown key `evnt`; did you mean `event`?",
        ],
    );
}

#[test]
fn every_problem_is_found_in_one_pass() {
    assert_problems(
        "[hub]\n\
         name = \"Great Hall\"\n\
         [http]\n\
         listen = 8080\n\
         [mqtt]\n\
         broker = \"http://hall\"\n\
         publish_names = \"yes\"\n\
         [[port]]\n\
         family = \"dgt-board\"\n\
         [[port]]\n\
         path = \"COM3\"\n\
         table = \"12\"\n\
         [[port]]\n\
         path = \"/dev/ttyACM0\"\n\
         family = \"dgt-bord\"\n\
         [ports]\n\
         scan = [\"/dev/ttyACM*\", 5, \"ttyUSB0\"]\n\
         [alerts]\n\
         escalate_after = \"60\"\n",
        &[
            "2: \"Great Hall\" is not a short name",
            "4: invalid type: integer `8080`, expected socket address; write it like \"0.0.0.0:8080\"",
            "6: \"http://hall\" is not a broker",
            "7: invalid type: string \"yes\", expected a boolean; write true or false",
            "8: `path` is missing; add `path = …`",
            "11: \"COM3\" is not a port",
            "12: invalid type: string \"12\", expected u16; write a whole number without",
            "15: unknown device family \"dgt-bord\"; did you mean `dgt-board`?",
            "17: invalid type: integer `5`, expected a string; put it into quotation marks",
            "17: \"ttyUSB0\" is not a pattern of ports",
            "19: \"60\" is not a length of time",
        ],
    );
}

#[test]
fn ports_and_tables_listed_twice() {
    let hall = hall();
    let port = hall.path().join("port");
    let link = hall.path().join("by-id");
    fs::write(&port, "").unwrap();
    std::os::unix::fs::symlink(&port, &link).unwrap();
    let text = format!(
        "[[port]]\npath = \"{}\"\ntable = 1\n[[port]]\npath = \"{}\"\ntable = 1\n\
         [[port]]\npath = \"/dev/ttyACM*\"\ntable = 2\n[[port]]\npath = \"tcp://h:1\"\ntable = 0\n",
        port.display(),
        link.display()
    );
    assert_in(
        &hall,
        &text,
        &[
            "5: ",
            "6: table 1 is also that of [[port]] 1; give one of the two another table",
            "9: /dev/ttyACM* may fit several ports, which cannot all be table 2",
            "12: there is no table 0",
        ],
    );
    let good =
        "[[port]]\npath = \"tcp://h:1\"\ntable = 7\nturned = true\n[[port]]\npath = \"/dev/x\"\n";
    let config = load(&hall, good).unwrap();
    assert_eq!(
        config.ports[0].path,
        PortPath::Tcp {
            host: "h".into(),
            port: 1
        }
    );
    assert_eq!(
        (config.ports[0].table, config.ports[0].turned),
        (Some(TableNo(7)), Some(true))
    );
    assert_eq!(
        (config.ports[1].table, config.ports[1].family.as_str()),
        (None, "auto")
    );
}

#[test]
fn one_port_under_two_names() {
    let port = |path: &str| format!("[[port]]\npath = \"{path}\"\n");
    for (first, second) in [
        ("/dev/ttyX1", "/dev/../dev/ttyX1"),
        ("tcp://localhost:99", "tcp://LOCALHOST:099"),
        ("tcp://127.0.0.1:99", "tcp://localhost.:99"),
        ("tcp://[::1]:99", "tcp://[0:0::1]:99"),
    ] {
        assert_problems(&(port(first) + &port(second)), &["4: "]);
    }
    let other = port("/dev/ttyX1") + &port("/dev/ttyX2") + &port("tcp://h:1") + &port("tcp://h:2");
    assert!(load(&hall(), &other).is_ok());
}

#[test]
fn a_user_of_the_embedded_broker_has_a_password() {
    let problem = "a user without a password keeps nobody out";
    assert_problems("[mqtt]\nuser = \"u\"\n", &[&format!("2: {problem}")]);
    assert_problems(
        "[mqtt]\nuser = \"u\"\npassword = \"\"\n",
        &[&format!("3: {problem}")],
    );
    assert!(load(&hall(), "[mqtt]\nuser = \"u\"\npassword = \"p\"\n").is_ok());
    assert!(load(&hall(), "[mqtt]\nbroker = \"mqtt://h\"\nuser = \"u\"\n").is_ok());
}

#[test]
fn an_event_that_is_too_large() {
    let hall = hall();
    let long = "x".repeat(201);
    write(
        &hall,
        "players.csv",
        &format!("name\n{}", "P\n".repeat(2001)),
    );
    let text = format!("[event]\n{EVENT}");
    assert_in(&hall, &text, &["4: "]);
    write(&hall, "players.csv", &format!("name\nA\n{long}\n"));
    let text = text.replace("Cup", &long);
    assert_in(&hall, &text, &["2: a name of 201 letters", "4: "]);
}

#[test]
fn keys_of_the_broker_that_contradict_each_other() {
    let hall = hall();
    write(&hall, "empty", "\nx");
    assert_in(
        &hall,
        "[http]\nlisten = \"0.0.0.0:1883\"\n[mqtt]\npassword = \"a\"\npassword_file = \"empty\"\n\
         ca_file = \"ca.pem\"\n",
        &[
            "3: 127.0.0.1:1883 is taken by the pages",
            "5: `password` and `password_file` both give the password; remove one of them",
            "5: the first line of ",
            "5: a password without a user; add `user = …`",
            "6: `ca_file` means nothing without TLS",
        ],
    );
    assert_in(
        &hall,
        "[mqtt]\nbroker = \"mqtts://h\"\npassword_file = \"none\"\nca_file = \"none.pem\"\n",
        &["3: cannot read ", "4: there is no file "],
    );
    write(&hall, "password", "hunter2\nnotes\n");
    let good = "[mqtt]\nbroker = \"mqtt://h\"\nuser = \"u\"\npassword_file = \"password\"\n";
    let config = load(&hall, good).unwrap();
    assert_eq!(
        config
            .mqtt
            .password
            .as_ref()
            .map(|secret| secret.0.as_str()),
        Some("hunter2")
    );
    assert!(!format!("{config:?}").contains("hunter2"));
}

#[test]
fn a_file_that_is_not_toml() {
    assert_problems(
        "[hub\nname = \"a\"\n[http]\nlisten = \n",
        &["1: not TOML: ", "4: not TOML: "],
    );
    let hall = hall();
    let missing = Config::load(&hall.path().join("none.toml")).unwrap_err();
    assert!(
        missing.to_string().contains("none.toml: cannot be read"),
        "{missing}"
    );
    fs::write(hall.path().join("latin.toml"), b"[hub] # M\xfcnchen\n").unwrap();
    let latin = Config::load(&hall.path().join("latin.toml")).unwrap_err();
    assert!(latin.to_string().contains("is not UTF-8"), "{latin}");
}

#[test]
fn a_broken_line_of_players_is_a_warning_and_the_rest_is_kept() {
    let hall = hall();
    write(
        &hall,
        "players.csv",
        "name;rating\nA;2000\nB;19oo\nC;1800\n",
    );
    write(&hall, "event.toml", EVENT);
    let config = load(&hall, "[event]\nfile = \"event.toml\"\n").unwrap();
    let names: Vec<_> = config
        .event
        .unwrap()
        .players
        .into_iter()
        .map(|p| p.name)
        .collect();
    assert_eq!(names, ["A", "C"]);
    let [warning] = &config.warnings[..] else {
        panic!("{:?}", config.warnings)
    };
    assert_eq!(
        warning.to_string(),
        format!(
            "{}:3: rating: \"19oo\" is not a whole number; write digits only, or leave it empty",
            hall.path().join("players.csv").display()
        )
    );
}

#[test]
fn a_rating_out_of_range_is_told_the_range() {
    let hall = hall();
    write(&hall, "event.toml", EVENT);
    let list = "name;rating\nA;2000\nB;99999\nC;1800\nD;4000\n";
    write(&hall, "players.csv", list);
    let config = load(&hall, "[event]\nfile = \"event.toml\"\n").unwrap();
    let said: Vec<String> = config.warnings.iter().map(ToString::to_string).collect();
    assert_eq!(said.len(), 2, "{said:?}");
    for (line, value) in said.iter().zip(["99999", "4000"]) {
        let wanted = format!("rating: \"{value}\" is not a rating from 0 to 3999");
        assert!(line.contains(&wanted), "{line}");
    }
}

#[test]
fn a_doubled_name_is_worth_a_look_and_no_more() {
    let hall = hall();
    write(&hall, "event.toml", EVENT);
    write(
        &hall,
        "players.csv",
        "no,name\n7,Moroz Ivan\n,Zhuk Daria\n3,moroz ivan\n",
    );
    let config = load(&hall, "[event]\nfile = \"event.toml\"\n").unwrap();
    assert_eq!(config.warnings, []);
    let event = config.event.unwrap();
    assert_eq!(event.players.len(), 3);
    assert_eq!(event.numbered, [PlayerNo(3), PlayerNo(7)].into());
    let [note] = &event.notes[..] else {
        panic!("{:?}", event.notes)
    };
    let note = note.to_string();
    assert!(note.contains("stands 2 times, as numbers 3, 7"), "{note}");
}

#[test]
fn too_few_players_and_a_list_that_is_not_there() {
    let hall = hall();
    write(&hall, "players.csv", "name\nA\n,,\n");
    let text = format!("[event]\n{EVENT}");
    assert_in(&hall, &text, &["4: ", "3: line: "]);
    fs::remove_file(hall.path().join("players.csv")).unwrap();
    assert_in(&hall, &text, &["4: cannot read "]);
    assert_in(
        &hall,
        "[event]\nfile = \"none.toml\"\n",
        &["2: there is no file "],
    );
    let both = format!("[event]\nfile = \"event.toml\"\n{EVENT}");
    assert_in(
        &hall,
        &both,
        &["2: [event] names a file and has keys of its own"],
    );
}

#[test]
fn an_event_that_is_wrong_in_many_ways() {
    let hall = hall();
    assert_in(
        &hall,
        "[event]\n\
         preset = \"scool\"\n\
         players = \"players.csv\"\n\
         name = 5\n\
         section = \"Open A\"\n\
         system = \"swis\"\n\
         rounds = 0\n\
         accept = [\"result\", \"flags\"]\n\
         tie_breaks = [\"SB\", \"BHX\"]\n\
         default_time = \"15\"\n\
         [event.schedule]\n\
         first_round = \"5 December\"\n\
         zone = \"Europe/Kiew\"\n\
         [event.illegal_moves]\n\
         losing = 0\n\
         [event.play_off]\n\
         after_percent = 120\n\
         time = \"5:00\"\n",
        &[
            "4: invalid type: integer `5`, expected a string",
            "5: \"Open A\" is not a short name",
            "8: unknown value \"flags\"; did you mean `flag`?",
            "9: unknown tie-break \"BHX\"; known are PTS, MPTS, GPTS, MP, GP, MPVGP, TPN, RTNG, WIN, WON, \
             BPG, BWG, REP, GE, STD, PS, KS, BH, FB, ABH, AFB, AOB, SB, ESB, EMMSB, EMGSB, EGMSB, EGGSB, ARO, \
             TPR, PTP, APRO, APPO, DE, EDE, EDEC, EDET, EDEB, EDEBT, EDEBB, SSSC, BC, TBR, BBE",
            "10: \"15\" is not a default time; write 0:00, 15:00",
            "2: unknown preset \"scool\"; did you mean `school`?",
            "1: `time_control` is missing",
            "6: unknown system \"swis\"; known here: dutch, dutch-2017, dubov",
            "7: an event has at least one round",
            "17: is no share",
            "13: unknown time zone \"Europe/Kiew\"; did you mean `Europe/Kiev`?",
            "12: \"5 December\" is not a date with a time",
            "15: 0 would lose every game",
        ],
    );
}

#[test]
fn more_rounds_than_a_round_robin_has() {
    assert_problems(
        &format!("[event]\nrounds = 4\n{EVENT}"),
        &["2: 3 players need 3 rounds; write less, or remove the key"],
    );
    assert!(
        load(
            &hall(),
            &format!("[event]\nrounds = 4\ndouble = true\n{EVENT}")
        )
        .is_ok()
    );
}

#[test]
fn an_ambiguous_start_is_refused_with_both_readings() {
    let schedule = |text: &str| format!("[event]\n{EVENT}[event.schedule]\n{text}\n");
    let kyiv = "zone = \"Europe/Kyiv\"\n";
    assert_problems(
        &schedule(&format!("{kyiv}first_round = \"2026-10-25T03:30\"")),
        &[
            "7: 2026-10-25T03:30 comes twice in Europe/Kyiv, because the clocks go back: write \
           2026-10-25T03:30+03:00 or 2026-10-25T03:30+02:00",
        ],
    );
    assert_problems(
        &schedule(&format!("{kyiv}first_round = \"2027-03-28T03:30\"")),
        &["7: 2027-03-28T03:30 does not exist in Europe/Kyiv"],
    );
    assert_problems(
        &schedule("rounds = [\"2026-12-05T10:00\",\n\"2026-12-05T09:00+02:00\"]"),
        &[
            "6: \"2026-12-05T10:00\" is a time of no zone; add `zone = \"Europe/Kyiv\"`",
            "7: \"2026-12-05T09:00+02:00\" is not after the round before",
        ],
    );
    let hall = hall();
    let good = schedule(&format!("{kyiv}first_round = \"2026-10-25T03:30+02:00\""));
    let event = load(&hall, &good).unwrap().event.unwrap();
    let first = event.settings.schedule.start(RoundNo(1), None).unwrap();
    assert_eq!(first.to_string(), "2026-10-25T01:30:00Z");
    assert_eq!(
        event.settings.schedule.planned(RoundNo(2)),
        RoundStart::ByHand
    );
}

#[test]
fn players_and_name_from_a_report_file() {
    let hall = hall();
    let trf = include_bytes!("../src/core/tests/data/trf/lichess-juni-blitz-2020.trf");
    fs::write(hall.path().join("players.trf"), trf).unwrap();
    let text = "[event]\nplayers = \"players.trf\"\ntime_control = \"5 min\"\n";
    let event = load(&hall, text).unwrap().event.unwrap();
    assert_eq!(event.settings.name, "Juni Blitzschach 5 Plus 0");
    assert_eq!(event.players.len(), 9);
}

#[test]
fn games_go_where_the_organiser_says() {
    let hall = hall();
    let text =
        "[pgn]\ndir = \"games\"\n[broadcast]\non = true\ndelay = \"15:00\"\nhalf_moves_back = 3\n";
    let config = load(&hall, text).unwrap();
    assert_eq!(config.pgn.dir, Some(hall.path().join("games")));
    assert!(config.broadcast.on);
    assert_eq!(config.broadcast.delay.0, Duration::from_mins(15));
    assert_eq!(config.broadcast.half_moves_back, 3);
    assert_problems(
        "[pgn]\nfiles = false\ndir = \"games\"\n[broadcast]\ndelay = \"3:00:01\"\n",
        &[
            "3: `dir` means nothing with files = false",
            "5: 3:00:01 is longer than a game",
        ],
    );
    assert_problems(
        "[pgn]\ndir = \"players.csv\"\n[broadcast]\ndelay = 15\nhalf_moves_back = -1\n",
        &["2: ", "4: invalid type", "5: invalid value"],
    );
}

#[test]
fn a_configuration_without_an_event_is_a_hub_in_waiting() {
    let hall = hall();
    let config = load(&hall, "").unwrap();
    assert_eq!(config.event, None);
    assert_eq!(config.hub.data_dir, hall.path().join("data"));
}

/// A directory with a list of three players.
fn hall() -> TempDir {
    let hall = tempfile::tempdir().expect("a temporary directory");
    write(&hall, "players.csv", PLAYERS);
    hall
}

fn write(hall: &TempDir, name: &str, text: &str) {
    fs::write(hall.path().join(name), text).expect("the directory is writable");
}

fn load(hall: &TempDir, text: &str) -> Result<Config, ConfigError> {
    write(hall, "flagfall.toml", text);
    Config::load(&hall.path().join("flagfall.toml"))
}

fn assert_problems(text: &str, expected: &[&str]) {
    assert_in(&hall(), text, expected);
}

/// Each problem begins with its line as expected; there are no others. Order does not matter.
fn assert_in(hall: &TempDir, text: &str, expected: &[&str]) {
    let error = load(hall, text).expect_err("it must be refused");
    let mut found: Vec<String> = error
        .problems
        .iter()
        .map(|problem| {
            let shown = problem.to_string();
            let file = problem.file.display().to_string();
            shown
                .trim_start_matches(&file)
                .trim_start_matches(':')
                .to_owned()
        })
        .collect();
    for expected in expected {
        let at = found.iter().position(|found| found.starts_with(expected));
        let at = at.unwrap_or_else(|| panic!("no problem \"{expected}\" in\n{error}"));
        found.remove(at);
    }
    assert!(found.is_empty(), "not expected: {found:#?}");
}

#[test]
fn a_time_control_is_read_where_it_stands() {
    for (control, wrong) in [
        ("ninety", "not a number"),
        ("90/40+30", "rest of the game"),
        ("99999+30", "too long"),
    ] {
        let hall = hall();
        let text =
            format!("name = \"Cup\"\nplayers = \"players.csv\"\ntime_control = \"{control}\"\n");
        write(&hall, "event.toml", &text);
        let error = Event::load(&hall.path().join("event.toml")).unwrap_err();
        assert_eq!(error.problems.len(), 1, "{error}");
        let problem = &error.problems[0];
        assert_eq!(problem.line, Some(3), "{problem}");
        assert!(problem.message.contains(control), "{problem}");
        assert!(problem.message.contains(wrong), "{problem}");
    }
}

/// The problems that an event of this system has with these players, or what is worth a note.
fn with_system(system: &str, players: &[&str]) -> Result<(PairingSystem, String), String> {
    let hall = hall();
    let lines = players.join("\n");
    write(&hall, "players.csv", &format!("name,club\n{lines}\n"));
    write(
        &hall,
        "event.toml",
        &format!("system = \"{system}\"\n{EVENT}"),
    );
    match Event::load(&hall.path().join("event.toml")) {
        Ok((event, _)) => {
            let notes: String = event.notes.iter().map(ToString::to_string).collect();
            Ok((event.settings.system, notes))
        }
        Err(error) => Err(error.to_string()),
    }
}

#[test]
fn formats_with_their_parameters() {
    let six = ["Ada,N", "Bo,S", "Cy,N", "Di,S", "Ed,N", "Flo,S"];
    for (system, players) in [
        ("round-robin:3", 6),
        ("knock-out:games=2,places=all", 4),
        ("scheveningen:2", 6),
        ("match:12", 2),
        ("match-tournament:4", 5),
    ] {
        let (read, notes) = with_system(system, &six[..players]).unwrap();
        assert_eq!(Some(read), PairingSystem::by_name(system));
        assert_eq!(notes, "", "{system}");
    }
    let (_, notes) = with_system("knock-out", &six).unwrap();
    assert!(
        notes.contains("6 players are no power of two: number 1, 2 goes on from stage 1"),
        "{notes}"
    );
    for (system, players, said) in [
        ("knockout", 6, "did you mean `knock-out`?"),
        ("match", 2, "write e.g. match:12"),
        ("round-robin:0", 6, "cycles cannot be \"0\""),
        (
            "match:12",
            6,
            "6 players are entered, a match is between two",
        ),
        ("scheveningen", 5, "the sides have 3 and 2 players"),
        (
            "scheveningen:sides=1-3/4-5",
            6,
            "the sides have 3 and 2 players",
        ),
        ("scheveningen:sides=1-3/4-5+9", 6, "the sides name player 9"),
        (
            "team-swiss",
            6,
            "use `flagfall pair` with a report file of teams",
        ),
        (
            "team-round-robin",
            6,
            "pairs teams, which a hub does not know",
        ),
        ("double-swiss", 6, "a round of a hub is one game"),
    ] {
        let error = with_system(system, &six[..players]).unwrap_err();
        assert!(error.contains(said), "{system}: {error}");
    }
}

#[test]
fn numbers_that_are_drawn() {
    let hall = hall();
    let ten = "name\n".to_owned()
        + &(0..10)
            .map(|no| format!("P{no}"))
            .collect::<Vec<_>>()
            .join("\n");
    write(&hall, "players.csv", &ten);
    let load = |keys: &str| {
        write(&hall, "event.toml", &format!("{keys}\n{EVENT}"));
        let loaded = Event::load(&hall.path().join("event.toml"));
        loaded
            .map(|(event, _)| event.settings.drawing)
            .map_err(|error| error.to_string())
    };
    let drawing = load("drawing = \"varma-club\"\ndrawing_seed = 7")
        .unwrap()
        .unwrap();
    assert_eq!((drawing.by, drawing.seed), (DrawnBy::Club, Some(7)));
    assert_eq!(load("drawing = \"list\"").unwrap(), None);
    for (keys, said) in [
        ("drawing_seed = 7", "nothing is drawn"),
        (
            "drawing = \"varma\"\nsystem = \"dubov\"\nrounds = 3",
            "are for round robins",
        ),
    ] {
        let error = load(keys).unwrap_err();
        assert!(error.contains(said), "{error}");
    }
    write(&hall, "players.csv", PLAYERS);
    let error = load("drawing = \"varma\"").unwrap_err();
    assert!(
        error.contains("for 9 to 24 players, there are 3"),
        "{error}"
    );
}
