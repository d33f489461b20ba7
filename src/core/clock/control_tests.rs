use proptest::{collection::vec, option, prelude::*};

use super::*;

fn control(text: &str) -> TimeControl {
    text.parse()
        .unwrap_or_else(|error: ParseControlError| panic!("{text}: {error}"))
}

/// R-CK-7: the controls of the rule books, and the other kinds.
#[test]
fn controls_are_read_and_written() {
    let cases = [
        ("70 min + 30 s/move", "70+30", "4200+30"),
        ("5 minutes", "5+0", "300"),
        ("70 + 30", "70+30", "4200+30"),
        ("45+15", "45+15", "2700+15"),
        ("5", "5+0", "300"),
        ("90/40+30:30+30", "90/40+30:30+30", "40/5400+30:1800+30"),
        (
            "120/40:60/20:15+30",
            "120/40+0:60/20:15+30",
            "40/7200:20/3600:900+30",
        ),
        ("4m30s+2", "4m30s+2", "270+2"),
        ("5 v 4", "5+0 v 4+0", "W300-B240"),
        ("5 min vs 4 min", "5+0 v 4+0", "W300-B240"),
        ("5+3 v 4+3", "5+3 v 4+3", "W300+3-B240+3"),
        ("Armageddon", "5+0 v 4+0", "W300-B240"),
        ("championship", "70+30", "4200+30"),
        ("25 delay 10", "25 delay 10", "1500d10"),
        ("25 d10", "25 delay 10", "1500d10"),
        ("25 + US delay 10 s", "25 delay 10", "1500d10"),
        ("G/25;d10", "25 delay 10", "1500d10"),
        (
            "40/90, SD/30; inc30",
            "90/40+30:30+30",
            "40/5400+30:1800+30",
        ),
        ("40/90 SD/30 +30", "90/40+30:30+30", "40/5400+30:1800+30"),
        ("25 bronstein 10", "25 Bronstein 10", "1500b10"),
        ("10 hourglass", "10 hourglass", "*600"),
        ("60 + 5x30", "60 byo-yomi 5x30", "3600+5x30"),
        ("60 byoyomi 30", "60 byo-yomi 1x30", "3600+1x30"),
        ("90 + 30 from move 1", "90+30 from move 1", "5400+30"),
        (
            "90+30 s per move from move 2",
            "90+30 from move 2",
            "5400+30",
        ),
        ("10+3 from move 61", "10/60+0:0+3", "60/600:0+3"),
        (
            "120/40:60/20:15+30 from move 61",
            "120/40+0:60/20:15+30",
            "40/7200:20/3600:900+30",
        ),
        ("1h30+30", "90+30", "5400+30"),
        (
            "90 min for 40 moves + 30 s : 30 min + 30 s",
            "90/40+30:30+30",
            "40/5400+30:1800+30",
        ),
        ("90' + 30\"", "90+30", "5400+30"),
        ("70 хв + 30 с/хід", "70+30", "4200+30"),
        ("45 мин + 15 сек на ход", "45+15", "2700+15"),
    ];
    for (text, shown, pgn) in cases {
        let control = control(text);
        assert_eq!(
            (control.to_string().as_str(), control.to_pgn().as_str()),
            (shown, pgn),
            "{text}"
        );
        let again: TimeControl = control.to_string().parse().unwrap();
        assert_eq!(again, control, "{text}");
        let coded = TimeControl::from_pgn(pgn).unwrap();
        assert_eq!(coded.to_pgn(), pgn, "{text}");
    }
    assert_eq!(TimeControl::preset("team"), Some(control("45+15")));
    assert!(
        PRESETS
            .iter()
            .all(|(_, text)| control(text).to_string() == *text)
    );
}

#[test]
fn sides_may_differ() {
    let armageddon = control("5 v 4");
    let initial = |side| armageddon.of(side).initial().as_secs();
    assert_eq!((initial(Color::White), initial(Color::Black)), (300, 240));
    assert!(armageddon.is_unequal() && !control("5 v 5").is_unequal());
    assert_eq!(
        control("10+3 v 10+3 from move 1")
            .of(Color::Black)
            .first_increment(),
        FirstIncrement::Given
    );
    assert_eq!(
        control("5+3").single_increment(),
        Some(Duration::from_secs(3))
    );
    assert_eq!(control("5+3 v 4+2").single_increment(), None);
}

#[test]
fn errors_name_what_is_wrong_and_where() {
    use ControlProblem as P;
    let number = |text: &str, unit| P::Number(text.to_owned(), unit);
    let cases = [
        ("", P::Empty, None),
        ("90+x", number("x", "seconds"), Some(4)),
        ("ten", number("ten", "minutes"), Some(1)),
        ("five min", number("five", "minutes"), Some(1)),
        ("90/0+30:30", number("0", "moves"), Some(4)),
        ("90:30", P::Moves(1), Some(1)),
        ("90/40", P::Last, Some(1)),
        ("0", P::NoTime, Some(1)),
        ("1441+0", P::TooLong(1), Some(1)),
        ("5400+30", P::TooLong(1), Some(1)),
        ("90/40+30:30+3601", P::TooLong(2), Some(1)),
        ("90+30 per game", P::Unknown("per".into()), Some(7)),
        ("40/5400+30:1800+30", P::ManyMoves(5400), Some(4)),
        (
            "40/90+30:30+30",
            P::Swapped {
                minutes: 40,
                moves: 90,
            },
            Some(1),
        ),
        ("5 v 4+2", P::WhoseIncrement, Some(5)),
        ("5 v", number("", "minutes"), Some(4)),
        ("5 hourglass v 4", P::Hourglass, None),
        ("60 byo-yomi 5x30/10", P::Unknown("/10".into()), Some(17)),
        ("60/20 byo-yomi 5x30:10", P::ByoYomi(1), Some(1)),
        ("90/40+30 from move 7:30", P::FromMove(7), Some(10)),
        ("70 хв + x", number("x", "seconds"), Some(9)),
    ];
    for (text, problem, at) in cases {
        let error = text.parse::<TimeControl>().unwrap_err();
        assert_eq!((error.problem.clone(), error.at), (problem, at), "{text}");
        assert!(!error.hint().is_empty());
    }
    let error = "90/40+30:30+x".parse::<TimeControl>().unwrap_err();
    assert_eq!(
        error.to_string(),
        "\"x\" is not a number of seconds (at letter 13)"
    );
    let error = TimeControl::from_pgn("40/5400+30:18o0+30").unwrap_err();
    assert_eq!(
        error.to_string(),
        "\"18o0\" is not a number of seconds (at letter 12)"
    );
    assert_eq!(
        TimeControl::from_pgn("?").unwrap_err().problem,
        P::NotSaid("?".into())
    );
}

#[test]
fn blitz_is_ten_minutes_in_all() {
    let is_blitz = |text: &str| control(text).is_blitz();
    assert!(is_blitz("3+2") && is_blitz("10") && !is_blitz("10+5") && !is_blitz("15+10"));
    assert!(is_blitz("5 v 4") && !is_blitz("11 v 4") && !is_blitz("10 delay 2"));
}

#[test]
fn moves_belong_to_periods() {
    let control = control("90/40+30:30/20+30:15+30");
    let period = |number| control.of(Color::White).period_of_move(number);
    assert_eq!([1, 40, 41, 60, 61, 500].map(period), [0, 0, 1, 1, 2, 2]);
}

fn per_move() -> impl Strategy<Value = PerMove> {
    let time = (0_u64..=3600).prop_map(Duration::from_secs);
    prop_oneof![
        Just(PerMove::Nothing),
        time.clone().prop_map(PerMove::Increment),
        time.clone().prop_map(PerMove::Bronstein),
        time.clone().prop_map(PerMove::Delay),
        Just(PerMove::Hourglass),
        (0_u16..100, time).prop_map(|(times, each)| PerMove::ByoYomi { times, each }),
    ]
}

fn side() -> impl Strategy<Value = SideControl> {
    let base = (0_u64..=86_400).prop_map(Duration::from_secs);
    let period = (base, 1_u16..=200, per_move()).prop_map(|(base, moves, per_move)| Period {
        moves: Some(moves),
        base,
        per_move,
    });
    let first = prop_oneof![
        Just(FirstIncrement::Unsaid),
        Just(FirstIncrement::Given),
        Just(FirstIncrement::NotGiven),
    ];
    let periods = vec(period, 1..6).prop_map(|mut periods| {
        if let Some(last) = periods.last_mut() {
            last.moves = None;
        }
        periods
    });
    (periods, first).prop_filter_map("no control", |(periods, first)| {
        SideControl::new(periods, first).ok()
    })
}

proptest! {
    #[test]
    fn what_is_written_is_read(white in side(), black in option::of(side())) {
        let Ok(control) = TimeControl::unequal(white.clone(), black.unwrap_or(white)) else {
            return Ok(());
        };
        let shown = control.to_string();
        let read = shown.parse::<TimeControl>();
        prop_assert_eq!(read.as_ref(), Ok(&control), "{}", shown);
        let code = control.to_pgn();
        let read = TimeControl::from_pgn(&code);
        prop_assert_eq!(read.map(|read| read.to_pgn()), Ok(code));
    }

    #[test]
    fn any_text_is_read_or_refused(text in "\\PC{0,40}", near in "[0-9WBGSDvdbx*+:/;, 'minmove]{0,24}") {
        for text in [text, near] {
            for read in [text.parse::<TimeControl>(), TimeControl::from_pgn(&text)] {
                match read {
                    Ok(control) => prop_assert_eq!(control.to_string().parse(), Ok(control)),
                    Err(error) => prop_assert!(!error.to_string().is_empty()),
                }
            }
        }
    }
}
