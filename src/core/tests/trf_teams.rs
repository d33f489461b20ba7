//! Team events in report files: who met whom, for how many points, and the next round.

use std::{collections::BTreeMap, fmt::Write as _};

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
