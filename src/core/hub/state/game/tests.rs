use super::*;
use crate::types::Mono;

struct Told(Game, i64);

impl Told {
    fn new() -> Self {
        Self(Game::new(PlayerNo(1), PlayerNo(2)), 0)
    }

    fn tell(&mut self, second: i64, fact: Fact) {
        self.1 += 1;
        self.0.apply(&Event {
            v: 1,
            id: String::new(),
            seq: self.1 as u64,
            at: Timestamp::from_second(second).unwrap(),
            section: None,
            round: None,
            table: None,
            device: None,
            request: None,
            fact,
        });
    }

    fn made(&mut self, second: i64, ply: u16) {
        let side = if ply % 2 == 1 {
            Color::White
        } else {
            Color::Black
        };
        self.tell(
            second,
            Fact::Move(MoveMade {
                ply,
                side,
                uci: "g1f3".into(),
                san: "Nf3".into(),
                pressed: true,
                inferred: false,
                at: Mono::ZERO,
            }),
        );
    }

    fn pressed(&mut self, second: i64, side: Color, white: u64, black: u64) {
        self.press(second, side, times(white, black), false);
    }

    fn press(&mut self, second: i64, side: Color, times: Times, recalled: bool) {
        let ply = self.0.moves.len() as u16;
        let press = Fact::Press {
            ply,
            side,
            times,
            recalled,
        };
        self.tell(second, press);
    }

    /// White's and Black's seconds and the time spent, of each move.
    fn known(&self) -> Vec<(Option<Times>, Option<u64>)> {
        let control = "5+3".parse().unwrap();
        let sides = self.0.sides();
        let moves = self.0.moves.iter().zip(sides).enumerate();
        moves
            .map(|(index, (played, side))| {
                let spent = self.0.spent(index, side, Some(&control));
                (played.times, spent.map(|spent| spent.as_secs()))
            })
            .collect()
    }
}

fn times(white: u64, black: u64) -> Times {
    Times {
        white: Duration::from_secs(white),
        black: Duration::from_secs(black),
    }
}

fn started() -> Told {
    let mut told = Told::new();
    told.tell(0, Fact::Clock(ClockFact::Started(times(300, 300))));
    told
}

#[test]
fn a_press_before_its_move_is_settled_belongs_to_it() {
    let (white, black) = (Color::White, Color::Black);
    let mut told = started();
    told.pressed(10, white, 293, 300);
    told.made(12, 1);
    told.made(19, 2);
    told.pressed(20, black, 293, 293);
    assert_eq!(
        told.known(),
        [
            (Some(times(293, 300)), Some(10)),
            (Some(times(293, 293)), Some(10))
        ]
    );

    // Two presses: which of them is whose, nobody knows.
    told.pressed(30, white, 286, 293);
    told.pressed(31, black, 286, 295);
    told.made(33, 3);
    assert_eq!(told.known()[2], (None, None));
    assert_eq!(told.0.early, None);
}

#[test]
fn no_time_spent_is_made_up_where_the_clock_stood_or_was_changed() {
    let (white, black) = (Color::White, Color::Black);
    for between in [
        Fact::Clock(ClockFact::Stopped(times(293, 297))),
        Fact::Clock(ClockFact::Gone),
        Fact::Correction {
            before: times(293, 297),
            after: times(293, 417),
            decision: None,
        },
    ] {
        let mut told = started();
        told.made(9, 1);
        told.pressed(10, white, 293, 300);
        told.tell(13, between);
        told.made(19, 2);
        told.pressed(20, black, 293, 293);
        told.made(29, 3);
        told.pressed(30, white, 286, 293);
        let spent: Vec<Option<u64>> = told.known().iter().map(|known| known.1).collect();
        assert_eq!(spent, [Some(10), None, Some(10)]);
    }
    // A clock that ran before it was heard tells nothing of the first moves.
    let mut told = Told::new();
    told.tell(0, Fact::Clock(ClockFact::Started(times(280, 300))));
    told.made(9, 1);
    told.pressed(10, white, 273, 300);
    assert_eq!(told.known(), [(Some(times(273, 300)), None)]);
}

/// Black takes his move back by agreement, and White, whose move stands, sets Black's clock going again.
#[test]
fn a_second_press_after_a_take_back_does_not_change_the_time_of_the_move() {
    let mut told = Told::new();
    told.tell(0, Fact::Clock(ClockFact::Started(times(300, 300))));
    told.made(6, 1);
    told.pressed(7, Color::White, 296, 300);
    told.made(10, 2);
    told.pressed(11, Color::Black, 296, 299);
    let withdrawn = Fact::Withdrawn {
        ply: 2,
        replaced_by: None,
    };
    told.tell(16, withdrawn);
    told.pressed(18, Color::White, 292, 299);
    told.made(24, 2);
    told.pressed(25, Color::Black, 292, 295);
    assert_eq!(
        told.known(),
        [
            (Some(times(296, 300)), Some(7)),
            // From when Black thought on is known, but not for how long before.
            (Some(times(292, 295)), None),
        ]
    );
}

/// Three moves are found at once after the board was not heard; the one press may be of two of them.
#[test]
fn one_press_for_several_moves_that_are_found_at_once_is_nobodys() {
    let mut told = started();
    told.made(6, 1);
    told.pressed(7, Color::White, 296, 300);
    told.pressed(20, Color::Black, 290, 295);
    told.made(21, 2);
    assert_eq!(told.known()[1].0, Some(times(290, 295)));
    told.made(21, 3);
    told.made(21, 4);
    let known: Vec<_> = told.known().into_iter().map(|(times, _)| times).collect();
    assert_eq!(known, [Some(times(296, 300)), None, None, None]);
}

/// The board's log tells all at once what was pressed while it was out of sight.
#[test]
fn a_press_read_from_the_log_of_a_board_tells_no_time_spent() {
    let (white, black) = (Color::White, Color::Black);
    let mut told = started();
    told.made(9, 1);
    told.pressed(10, white, 293, 300);
    told.made(60, 2);
    told.press(60, black, times(293, 280), true);
    told.made(60, 3);
    told.press(60, white, times(270, 280), true);
    told.made(69, 4);
    told.pressed(70, black, 270, 273);
    told.made(79, 5);
    told.pressed(80, white, 263, 273);
    assert_eq!(
        told.known(),
        [
            (Some(times(293, 300)), Some(10)),
            (Some(times(293, 280)), None),
            (Some(times(270, 280)), None),
            (Some(times(270, 273)), None),
            (Some(times(263, 273)), Some(10)),
        ]
    );
}
