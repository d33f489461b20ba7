//! Team events in report files: who met whom, for how many points, and the next round.

use std::collections::BTreeMap;

use flagfall_core::{
    pairing::UnpairedKind,
    tournament::{
        PairingSystem,
        trf::{self, Document, Record, RequestError},
    },
    types::{Color, PlayerNo, Points, RoundNo},
};

fn sample() -> Document {
    let bytes = include_bytes!("data/trf/grandmommys-cup-trf26.trf");
    trf::read(bytes).document
}

/// The TEC's sample says for every team what it has: ours comes to the same.
#[test]
fn match_and_game_points_are_those_that_the_file_says() {
    let document = sample();
    let request = document.team_request(None).unwrap();
    assert_eq!(request.input.round, RoundNo(15));
    let teams = request.teams.unwrap();
    let mut points: BTreeMap<PlayerNo, [Points; 2]> = BTreeMap::new();
    for round in &teams.rounds {
        assert_eq!(round.matches.len() * 2 + round.unpaired.len(), 50);
        for own in &round.matches {
            for (at, team) in [own.white, own.black].into_iter().enumerate() {
                let sum = points.entry(team).or_default();
                sum[0] += own.match_points[at];
                sum[1] += own.game_points[at];
            }
        }
        for own in &round.unpaired {
            let sum = points.entry(own.team).or_default();
            sum[0] += own.match_points;
            sum[1] += own.game_points;
        }
    }
    let mut compared = 0;
    for line in &document.lines {
        let Record::Team(team) = &line.record else {
            continue;
        };
        let said = [team.match_points.unwrap(), team.game_points.unwrap()];
        let mut own = points[&PlayerNo(team.no)];
        if team.no == 47 {
            // Its half-point bye of round 3 stands in the crosstable (801), but in no record 240.
            own[0] += Points(2);
            own[1] += Points(4);
        }
        assert_eq!(own, said, "team {}", team.no);
        compared += 1;
    }
    assert_eq!(compared, 50);
}

/// The rounds of the sample are paired by hand: only that ours are legal is asked here.
#[test]
fn every_round_of_the_sample_can_be_paired() {
    let document = sample();
    let code = document.system().unwrap();
    let system = PairingSystem::by_code(&code).unwrap();
    for round in (1..=14).map(RoundNo) {
        let request = document.team_request(Some(round)).unwrap();
        let ours = request.pair(&system).unwrap();
        let all = ours.pairs.len() * 2 + usize::from(ours.bye.is_some()) + ours.unpaired.len();
        assert_eq!(all, 50, "round {round}");
        for before in request.teams.iter().flat_map(|it| &it.rounds) {
            for own in before.matches.iter().filter(|own| own.played) {
                let met = |a, b| (own.white, own.black) == (a, b);
                let again = (ours.pairs.iter())
                    .any(|pair| met(pair.white, pair.black) || met(pair.black, pair.white));
                assert!(!again, "round {round}: {own:?}");
            }
        }
    }
}

const TWO_ROUNDS: &str = "\
012 League
142 3
152 W
192 FIDE_TEAM_TYPEA_MP_GP
352 WB
001   11      A1                                2400                             1.0    1    21 w 1    31 b 0
001   12      A2                                2300                             1.5    2    22 b =    32 w 1
001   21      B1                                2200                             0.0    3    11 b 0  0000 - -
001   22      B2                                2100                             0.5    4    12 w =  0000 - -
001   31      C1                                2000                             1.0    5  0000 - Z    11 w 1
001   32      C2                                1900                             0.0    6  0000 - Z    12 b 0
310   1 Alpha                            A                            1   11   12
310   2 Beta                             B                            2   21   22
310   3 Gamma                            C                            3   31   32
240 H   1    3
320  1.0  1.0       2
";

fn document(text: &str) -> Document {
    trf::read(text.as_bytes()).document
}

#[test]
fn matches_byes_and_colours_of_a_small_file() {
    let request = document(TWO_ROUNDS).team_request(None).unwrap();
    let teams = request.teams.clone().unwrap();
    assert_eq!(teams.colours, [Color::White, Color::Black]);
    let first = &teams.rounds[0];
    let own = first.matches[0];
    assert_eq!((own.white, own.black), (PlayerNo(1), PlayerNo(2)));
    assert_eq!(own.match_points, [Points(4), Points(0)]);
    assert_eq!(own.game_points, [Points(3), Points(1)]);
    assert_eq!(first.unpaired[0].kind, UnpairedKind::HalfPoint);
    assert_eq!(first.unpaired[0].match_points, Points(2));
    let second = &teams.rounds[1];
    // Board 1 of Gamma had White.
    assert_eq!(
        (second.matches[0].white, second.matches[0].black),
        (PlayerNo(3), PlayerNo(1))
    );
    assert_eq!(second.matches[0].match_points, [Points(2); 2]);
    assert_eq!(second.unpaired[0].kind, UnpairedKind::PairingAllocated);
    // Round 3: 1 has met 2 and 3, so it has the bye or nobody can be paired.
    let system = PairingSystem::by_name("team-swiss").unwrap();
    let third = request.pair(&system).unwrap();
    assert_eq!(third.bye.unwrap().player, PlayerNo(1));
    assert_eq!(third.pairs.len(), 1);
    let line_up = &teams.line_ups[&PlayerNo(3)];
    assert_eq!(*line_up, [Some(PlayerNo(31)), Some(PlayerNo(32))]);
}

#[test]
fn teams_that_contradict_themselves_are_named() {
    let twice = TWO_ROUNDS.replace(
        "310   3 Gamma                            C                            3   31   32",
        "310   3 Gamma                            C                            3   31   12",
    );
    let error = document(&twice).team_request(None).unwrap_err();
    assert_eq!(
        error,
        RequestError::TwoTeams {
            player: PlayerNo(12)
        }
    );
    let none: Vec<&str> = (TWO_ROUNDS.lines())
        .filter(|line| !line.starts_with("310"))
        .collect();
    assert_eq!(
        document(&none.join("\n")).team_request(None).unwrap_err(),
        RequestError::NoTeams
    );
}
