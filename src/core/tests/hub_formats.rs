//! Formats other than a Swiss played in the hub to their end, and what its reports and journal say.

// What is missing in an event that is written here must fail loudly.
#![allow(clippy::unwrap_used)]

use std::{collections::BTreeSet, time::Duration};

use flagfall_core::{
    hub::{
        Hub, HubSettings,
        command::{Command, MatchDecision, Refused, Request},
        event::{Event, Fact, RoundFact, SetUp},
        set_up::fit,
        state::HallState,
    },
    pairing::{UnpairedReason, knock_out::DecidedBy},
    tournament::{
        Bye, EventSettings, PairingSystem, Player,
        drawing::Drawing,
        event::DefaultTime,
        trf::{self, ReportOptions},
    },
    types::{Mono, Now, PlayerNo, RoundNo, TableNo},
};
use jiff::tz::TimeZone;

struct Cup {
    hub: Hub,
    journal: Vec<Event>,
    now: Duration,
}

impl Cup {
    fn new(system: &str, players: u16, change: impl FnOnce(&mut SetUp)) -> Self {
        let mut settings = EventSettings::new("Cup", "open".parse().unwrap(), Some("5+3"));
        settings.system = system.parse().unwrap();
        settings.default_time = DefaultTime::None;
        let players = (1..=players)
            .map(|no| Player::new(PlayerNo(no), format!("Player {no}")))
            .collect();
        let mut set_up = SetUp { settings, players };
        change(&mut set_up);
        let hub = Hub::new(
            HubSettings::default(),
            HallState::default(),
            at(Duration::ZERO),
        );
        let mut cup = Self {
            hub,
            journal: Vec::new(),
            now: Duration::ZERO,
        };
        cup.set_up(set_up);
        cup
    }

    fn set_up(&mut self, set_up: SetUp) {
        self.now += Duration::from_secs(1);
        self.hub.handle_set_up(at(self.now), set_up);
        self.drain();
    }

    fn drain(&mut self) {
        while let Some(event) = self.hub.poll_event() {
            self.journal.push(event);
        }
    }

    fn ask(&mut self, command: Command) -> Result<(), Refused> {
        self.now += Duration::from_secs(1);
        let by = "Anna".to_owned();
        let done = self
            .hub
            .handle_request(at(self.now), Request { by, command });
        self.drain();
        done
    }

    /// White and Black of the current round.
    fn pairs(&self) -> Vec<(u16, u16)> {
        let pairing = &self.hub.state().round().unwrap().pairing;
        let pairs = pairing.pairs.iter();
        pairs.map(|pair| (pair.white.0, pair.black.0)).collect()
    }

    fn reason(&self, player: u16) -> UnpairedReason {
        let unpaired = &self.hub.state().round().unwrap().pairing.unpaired;
        let found = unpaired.iter().find(|it| it.player.0 == player);
        found.map(|it| it.reason).unwrap()
    }

    /// Publishes and plays the draft. `result` says it for White and Black; the rest is drawn.
    fn play(&mut self, winners: &[u16]) {
        self.ask(Command::PublishRound).unwrap();
        self.ask(Command::StartRound).unwrap();
        let games: Vec<(TableNo, u16, u16)> = (self.hub.state().round().unwrap().games.iter())
            .map(|(table, game)| (*table, game.white.0, game.black.0))
            .collect();
        for (table, white, black) in games {
            let result = if winners.contains(&white) {
                "1-0"
            } else if winners.contains(&black) {
                "0-1"
            } else {
                "1/2-1/2"
            };
            let command = Command::SetResult {
                table,
                result: result.to_owned(),
                termination: None,
                note: None,
            };
            self.ask(command).unwrap();
        }
        let round = self.hub.state().round().unwrap().number;
        self.ask(Command::CloseRound { round }).unwrap();
    }

    fn alerts(&self) -> String {
        let alerts = self.hub.state().alerts.values();
        alerts
            .map(|alert| alert.text.clone())
            .collect::<Vec<_>>()
            .join("\n")
    }

    fn decide(&mut self, players: [u16; 2], winner: Option<u16>) -> Result<(), Refused> {
        self.ask(Command::DecideMatch(MatchDecision {
            players: players.map(PlayerNo),
            winner: winner.map(PlayerNo),
            by_lot: winner.is_none(),
            play_off: winner.is_some(),
        }))
    }

    /// The draft is what a program makes of the report, once the draft before it is played.
    fn report_pairs_the_same(&self, decided: &str) {
        let report = self.hub.report(ReportOptions::default(), &TimeZone::UTC);
        let reading = trf::read(&report.unwrap().unwrap());
        assert!(reading.notices.is_empty(), "{:?}", reading.notices);
        let request = reading.document.request(None).unwrap();
        let mut system = PairingSystem::by_code(request.system.as_ref().unwrap()).unwrap();
        match &mut system {
            PairingSystem::Scheveningen { sides, .. } => *sides = reading.document.sides(&request),
            PairingSystem::KnockOut { decisions, .. } if !decided.is_empty() => {
                let text = format!("knock-out:decided={decided}");
                let Ok(PairingSystem::KnockOut { decisions: own, .. }) = text.parse() else {
                    panic!("{text}");
                };
                *decisions = own;
            }
            _ => {}
        }
        let ours = request.pair(&system).unwrap();
        let pairs: Vec<_> = (ours.pairs.iter())
            .map(|pair| (pair.white.0, pair.black.0))
            .collect();
        assert_eq!(pairs, self.pairs());
    }

    /// The journal tells all of it again.
    fn journal_tells_the_same(&self) {
        let mut again = HallState::default();
        for event in &self.journal {
            let text = serde_json::to_string(event).unwrap();
            again.apply(&serde_json::from_str(&text).unwrap());
        }
        assert_eq!(&again, self.hub.state());
    }
}

fn at(mono: Duration) -> Now {
    let start: jiff::Timestamp = "2026-12-05T08:00:00Z".parse().unwrap();
    Now {
        mono: Mono(mono),
        utc: start + mono,
    }
}

#[test]
fn a_knock_out_of_six_with_level_matches() {
    let mut cup = Cup::new("knock-out:places=3", 6, |_| {});
    cup.ask(Command::PairRound).unwrap();
    cup.report_pairs_the_same("");
    // The top seeds go on, 4 meets 5 and 3 meets 6.
    let met: BTreeSet<BTreeSet<u16>> = cup.pairs().iter().map(|(a, b)| [*a, *b].into()).collect();
    assert_eq!(met, [[4, 5].into(), [3, 6].into()].into());
    for top in [1, 2] {
        assert_eq!(cup.reason(top), UnpairedReason::GoesOn { stage: 1 });
    }
    let early = cup.decide([4, 5], Some(5)).unwrap_err().to_string();
    assert!(early.contains("the round is not over"), "{early}");
    cup.play(&[]);
    assert_eq!(
        cup.hub.state().round().unwrap().number,
        RoundNo(1),
        "no draft"
    );
    let refused = cup.ask(Command::PairRound).unwrap_err().to_string();
    for words in [
        "nobody has won 4 v 5, 3 v 6 of stage 1",
        "play-off or a lot",
    ] {
        assert!(refused.contains(words), "{refused}");
    }
    assert!(
        cup.alerts().contains("nobody has won 4 v 5, 3 v 6"),
        "{}",
        cup.alerts()
    );
    let wrong = cup.decide([1, 5], Some(5)).unwrap_err().to_string();
    assert!(
        wrong.contains("1 v 5 is not open in stage 1; open is 4 v 5, 3 v 6"),
        "{wrong}"
    );
    let stranger = cup.decide([4, 5], Some(6));
    assert!(matches!(stranger, Err(Refused::Invalid(_))), "{stranger:?}");
    cup.decide([5, 4], Some(5)).unwrap();
    assert!(
        cup.alerts().contains("nobody has won 3 v 6"),
        "{}",
        cup.alerts()
    );
    cup.decide([3, 6], None).unwrap();
    assert_eq!(cup.alerts(), "");
    let decided = cup.hub.state().decisions.clone();
    assert_eq!(decided[0].winner, PlayerNo(5));
    assert!(
        matches!(decided[1].by, DecidedBy::Lot { .. }),
        "{decided:?}"
    );
    let by_lot = decided[1];
    let text = format!("5/4+{}/{}", by_lot.winner, by_lot.loser);
    cup.report_pairs_the_same(&text);
    assert_eq!(cup.pairs().len(), 2, "1 v 5 and 2 v whom the lot sent on");
    assert_eq!(
        cup.reason(4),
        UnpairedReason::KnockedOut { stage: 1, place: 5 }
    );
    cup.play(&[5, 2]);
    cup.report_pairs_the_same(&text);
    let last = cup.pairs();
    assert_eq!(last.len(), 2, "the final and the match for place 3");
    assert!(last[0] == (5, 2) || last[0] == (2, 5), "{last:?}");
    // The final is level: no round comes, and still somebody must say who has won.
    cup.play(&[1]);
    assert!(
        cup.alerts().contains(" of stage 3: decide by play-off"),
        "{}",
        cup.alerts()
    );
    cup.decide([2, 5], Some(2)).unwrap();
    assert_eq!(cup.alerts(), "");
    let none = cup.decide([2, 5], Some(2)).unwrap_err().to_string();
    assert!(none.contains("nothing to decide"), "{none}");
    let over = cup.ask(Command::PairRound).unwrap_err().to_string();
    assert!(over.contains("3 rounds and all are played"), "{over}");
    cup.journal_tells_the_same();
    let settled = |event: &&Event| matches!(event.fact, Fact::Round(RoundFact::Settled { .. }));
    assert_eq!(
        cup.journal.iter().filter(settled).count(),
        1,
        "one seed an event"
    );
}

#[test]
fn who_leaves_a_knock_out_loses_his_match() {
    let mut cup = Cup::new("knock-out:seed=4", 4, |_| {});
    cup.ask(Command::PairRound).unwrap();
    cup.ask(Command::WithdrawPlayer {
        player: PlayerNo(4),
    })
    .unwrap();
    assert_eq!(cup.pairs().len(), 1);
    cup.play(&[3]);
    let last = cup.pairs();
    assert!(last == [(1, 3)] || last == [(3, 1)], "{last:?}");
    cup.journal_tells_the_same();
}

#[test]
fn who_leaves_a_round_robin_before_half_does_not_count_and_later_loses_the_rest() {
    let points = |cup: &Cup| -> Vec<String> {
        let mut rows = cup.hub.standings();
        rows.sort_by_key(|row| row.player.no);
        rows.into_iter().map(|row| row.points).collect()
    };
    for (rounds, expected) in [
        // After two of five nothing of 6 counts, nor the half points against him.
        (2, ["2.0", "2.0", "2.0", "2.0", "2.0", "0.0"]),
        // After three of five his draws stand and the last two games are lost to those he missed.
        (3, ["2.5", "2.5", "3.0", "2.5", "3.0", "1.5"]),
    ] {
        let mut cup = Cup::new("round-robin", 6, |_| {});
        cup.ask(Command::PairRound).unwrap();
        for _ in 0..rounds {
            cup.play(&[]);
        }
        cup.ask(Command::WithdrawPlayer {
            player: PlayerNo(6),
        })
        .unwrap();
        for _ in rounds..5 {
            cup.play(&[]);
        }
        assert_eq!(points(&cup), expected, "after {rounds}");
        let report = cup.hub.report(ReportOptions::default(), &TimeZone::UTC);
        let reading = trf::read(&report.unwrap().unwrap());
        assert!(reading.notices.is_empty(), "{:?}", reading.notices);
        cup.journal_tells_the_same();
    }
}

#[test]
fn who_leads_a_match_and_leaves_it_is_out() {
    let mut cup = Cup::new("knock-out:games=2", 4, |_| {});
    cup.ask(Command::PairRound).unwrap();
    cup.play(&[1, 2]);
    cup.ask(Command::WithdrawPlayer {
        player: PlayerNo(1),
    })
    .unwrap();
    // The second games; whoever has nobody against him waits.
    assert_eq!(cup.pairs().len(), 1);
    cup.play(&[2]);
    let last = cup.pairs();
    assert!(last == [(2, 4)] || last == [(4, 2)], "{last:?}");
    // Who has won his match and leaves then has beaten his opponent all the same.
    let mut cup = Cup::new("knock-out:games=2", 4, |_| {});
    cup.ask(Command::PairRound).unwrap();
    cup.play(&[1, 2]);
    cup.play(&[1, 2]);
    cup.ask(Command::WithdrawPlayer {
        player: PlayerNo(1),
    })
    .unwrap_or_else(|refused| panic!("{refused}"));
    let drafted: Vec<_> = cup.pairs();
    assert!(
        !drafted.iter().any(|pair| pair.0 == 4 || pair.1 == 4),
        "{drafted:?}"
    );
}

#[test]
fn a_match_ends_when_nobody_can_be_caught() {
    let mut cup = Cup::new("match:6", 2, |_| {});
    cup.ask(Command::PairRound).unwrap();
    let first = cup.pairs()[0];
    for game in 1..=4 {
        cup.report_pairs_the_same("");
        let swapped = (first.1, first.0);
        assert_eq!(
            cup.pairs(),
            [if game % 2 == 1 { first } else { swapped }],
            "game {game}"
        );
        cup.play(&[2]);
    }
    assert!(cup.alerts().contains("2 has won it"), "{}", cup.alerts());
    assert_eq!(cup.hub.state().rounds.len(), 4);
    cup.journal_tells_the_same();
}

#[test]
fn a_scheveningen_of_two_clubs_keeps_its_sides() {
    let clubs = |set_up: &mut SetUp| {
        for player in &mut set_up.players {
            let north = [1, 4, 6].contains(&player.no.0);
            player.club = Some(if north { "North" } else { "South" }.to_owned());
        }
    };
    let mut cup = Cup::new("scheveningen", 6, clubs);
    cup.ask(Command::PairRound).unwrap();
    let mut met = BTreeSet::new();
    for round in 1..=3 {
        cup.report_pairs_the_same("");
        for (white, black) in cup.pairs() {
            let north = [1, 4, 6].contains(&white);
            assert_ne!(north, [1, 4, 6].contains(&black), "{white} v {black}");
            met.insert((white.min(black), white.max(black)));
        }
        cup.play(&[1]);
        if round == 1 {
            // A club is corrected: the sides of round 1 stand.
            let mut set_up = cup.hub.state().set_up.clone().unwrap();
            set_up.players[0].club = Some("South".to_owned());
            cup.set_up(set_up);
        }
    }
    assert_eq!(met.len(), 9, "everybody met everybody of the other club");
    assert_eq!(cup.hub.state().rounds.len(), 3);
    cup.journal_tells_the_same();
}

#[test]
fn sides_of_different_size_are_refused_in_words() {
    let mut cup = Cup::new("scheveningen", 5, |_| {});
    let refused = cup.ask(Command::PairRound).unwrap_err().to_string();
    assert!(
        refused.contains("the sides have 3 and 2 players"),
        "{refused}"
    );
    let mut cup = Cup::new("team-swiss", 6, |_| {});
    let refused = cup.ask(Command::PairRound).unwrap_err().to_string();
    assert!(refused.contains("flagfall pair"), "{refused}");
}

#[test]
fn the_draw_of_round_one_is_repaired_or_made_anew() {
    let mut cup = Cup::new("dutch", 12, |set_up| set_up.settings.rounds = Some(5));
    let nothing = cup.ask(Command::RepairRound).unwrap_err().to_string();
    assert!(nothing.contains("no draft is waiting"), "{nothing}");
    cup.ask(Command::PairRound).unwrap();
    let nothing = cup.hub.repair_view().unwrap_err().to_string();
    assert!(nothing.contains("nothing to repair"), "{nothing}");
    let drawn = cup.pairs();
    cup.ask(Command::WithdrawPlayer {
        player: PlayerNo(2),
    })
    .unwrap();
    let bye = Command::SetBye {
        player: PlayerNo(9),
        round: RoundNo(1),
        bye: Some(Bye::Half),
    };
    cup.ask(bye).unwrap();
    let anew = cup.pairs();
    assert_ne!(anew, drawn);
    // 2 v 8 and 9 v 3 lose one each: 8 and 3 meet, everybody else stays.
    let view = cup.hub.repair_view().unwrap();
    let changed: BTreeSet<u16> = (view.repair.iter())
        .filter(|change| !change.board_only)
        .map(|change| change.player.no.0)
        .collect();
    assert_eq!(changed, [2, 3, 8, 9].into());
    assert!(view.anew.len() > view.repair.len());
    let own = view.repair.iter().find(|it| it.player.no.0 == 2).unwrap();
    assert_eq!(own.after, "not playing");
    cup.ask(Command::RepairRound).unwrap();
    let repaired = cup.pairs();
    let kept = drawn.iter().filter(|pair| repaired.contains(pair)).count();
    assert_eq!(kept, 4, "{drawn:?} {repaired:?}");
    assert_eq!(repaired.len(), 5);
    assert!(cup.hub.repair_view().is_err(), "it is done");
    cup.play(&[1]);
    let later = cup.hub.repair_view().unwrap_err().to_string();
    assert!(later.contains("nothing to repair"), "{later}");
    cup.journal_tells_the_same();
}

#[test]
fn tables_of_a_round_robin_are_not_repaired() {
    let mut cup = Cup::new("round-robin", 6, |_| {});
    cup.ask(Command::PairRound).unwrap();
    cup.ask(Command::WithdrawPlayer {
        player: PlayerNo(2),
    })
    .unwrap();
    let refused = cup.hub.repair_view().unwrap_err().to_string();
    assert!(
        refused.contains("the pairs of round-robin stand in its table"),
        "{refused}"
    );
}

#[test]
fn numbers_are_drawn_once_and_recorded() {
    let varma = |set_up: &mut SetUp| {
        set_up.settings.drawing = Some(Drawing::default());
        for player in &mut set_up.players {
            let codes = [
                "UKR", "UKR", "UKR", "POL", "POL", "POL", "LTU", "LTU", "LAT", "LAT",
            ];
            player.federation = Some(codes[usize::from(player.no.0) - 1].to_owned());
        }
    };
    let mut cup = Cup::new("round-robin", 10, varma);
    let held = cup.hub.state().set_up.clone().unwrap();
    assert!(held.settings.drawing.unwrap().seed.is_some());
    let drawn = |event: &&Event| match &event.fact {
        Fact::Incident { text, .. } => text.contains("UKR, 3 to draw"),
        _ => false,
    };
    assert_eq!(cup.journal.iter().filter(drawn).count(), 1);
    // The list read again, as after a restart: nothing is drawn anew.
    let mut given = Cup::new("round-robin", 10, varma)
        .hub
        .state()
        .set_up
        .clone()
        .unwrap();
    given.settings.drawing = Some(Drawing::default());
    given.players.sort_by(|a, b| a.name.cmp(&b.name));
    cup.set_up(given.clone());
    assert_eq!(cup.hub.state().set_up.as_ref(), Some(&held));
    cup.ask(Command::PairRound).unwrap();
    let fitted = fit(cup.hub.state(), given, &BTreeSet::new())
        .unwrap()
        .set_up;
    cup.set_up(fitted);
    assert_eq!(cup.hub.state().set_up.as_ref(), Some(&held));
    let code = |no: u16| held.players[usize::from(no) - 1].federation.clone();
    for _ in 1..=9 {
        if cup.hub.state().round().unwrap().number.0 > 6 {
            for (white, black) in cup.pairs() {
                assert_ne!(code(white), code(black), "{white} v {black}");
            }
        }
        cup.play(&[]);
    }
}
