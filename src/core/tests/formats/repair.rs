//! Repairing the published pairing of round 1.

use flagfall_core::{
    pairing::{
        Entrant, Forbidden, Input, Presence, RoundPairing, System,
        check::{Proposed, Rules, check},
        repair::{Proposal, RepairError, propose},
        swiss::dutch::Dutch,
    },
    types::{PlayerNo, RoundNo},
};
use proptest::prelude::*;

use super::event::{everybody, input, no, pairs, round};

fn published(input: &Input) -> RoundPairing {
    Dutch::FIDE_2026.pair(input).expect("there is a pairing")
}

fn repaired(input: &Input, published: &RoundPairing) -> Proposal {
    propose(input, published, &Dutch::FIDE_2026).expect("there is a repair")
}

fn sentences(proposal: &Proposal) -> Vec<String> {
    proposal.changes.iter().map(ToString::to_string).collect()
}

#[test]
fn nothing_happened_nothing_changes() {
    let state = input(9, 1);
    let before = published(&state);
    let proposal = repaired(&state, &before);
    assert_eq!(proposal.repaired, before);
    assert_eq!(proposal.changes, []);
    assert_eq!(proposal.changes_again, []);
}

#[test]
fn a_withdrawal_from_an_even_field_gives_the_opponent_the_bye() {
    let mut state = input(8, 1);
    let before = published(&state);
    assert_eq!(pairs(&before), [(1, 5), (6, 2), (3, 7), (8, 4)]);
    state.players[1].presence = Presence::Withdrawn;
    let proposal = repaired(&state, &before);
    assert_eq!(pairs(&proposal.repaired), [(1, 5), (3, 7), (8, 4)]);
    let boards: Vec<u16> = proposal
        .repaired
        .pairs
        .iter()
        .map(|pair| pair.board)
        .collect();
    assert_eq!(boards, [1, 3, 4], "nobody moves");
    assert_eq!(
        sentences(&proposal),
        [
            "2: Black against 6 on board 2 before, not playing now.",
            "6: White against 2 on board 2 before, the bye now.",
        ]
    );
    let again = proposal.again.unwrap();
    assert_ne!(pairs(&again), pairs(&proposal.repaired));
    assert!(proposal.changes_again.len() > 2);
}

#[test]
fn the_holder_of_the_bye_gets_the_opponent_of_who_left() {
    let mut state = input(9, 1);
    let before = published(&state);
    assert_eq!(before.bye.as_ref().unwrap().player, PlayerNo(9));
    state.players[2].presence = Presence::Absent;
    let proposal = repaired(&state, &before);
    assert_eq!(pairs(&proposal.repaired), [(1, 5), (6, 2), (9, 7), (8, 4)]);
    assert_eq!(proposal.repaired.bye, None);
    assert_eq!(
        proposal.repaired.pairs[2].explanation.to_string(),
        "Both were without an opponent after the change; Black keeps the published colour."
    );
    assert_eq!(proposal.changes.len(), 3);
}

#[test]
fn a_late_entry_plays_who_had_the_bye_or_has_it() {
    let state = input(8, 1);
    let before = published(&state);
    let mut late = state.clone();
    late.players.push(Entrant::present(PlayerNo(20)));
    let proposal = repaired(&late, &before);
    assert_eq!(pairs(&proposal.repaired), pairs(&before));
    assert_eq!(proposal.repaired.bye.as_ref().unwrap().player, PlayerNo(20));
    assert_eq!(
        sentences(&proposal),
        ["20: not playing before, the bye now."]
    );

    let with_bye = proposal.repaired;
    late.players.push(Entrant::present(PlayerNo(21)));
    let proposal = repaired(&late, &with_bye);
    assert_eq!(proposal.repaired.bye, None);
    assert_eq!(pairs(&proposal.repaired)[4], (20, 21));
    assert_eq!(proposal.repaired.pairs[4].board, 5);
    assert_eq!(proposal.changes.len(), 2);
}

#[test]
fn two_who_lose_their_opponents_keep_their_colours() {
    let mut state = input(8, 1);
    let before = published(&state);
    // 1 keeps White and 4 keeps Black.
    for gone in [5, 8] {
        state.players[gone - 1].presence = Presence::Withdrawn;
    }
    let proposal = repaired(&state, &before);
    assert_eq!(pairs(&proposal.repaired), [(1, 4), (6, 2), (3, 7)]);
    assert_eq!(
        proposal.repaired.pairs[0].explanation.to_string(),
        "Both were without an opponent after the change; both keep their colours."
    );
}

#[test]
fn a_restriction_gives_up_the_last_board_that_helps() {
    let mut state = input(8, 1);
    let before = published(&state);
    for gone in [5, 8] {
        state.players[gone - 1].presence = Presence::Withdrawn;
    }
    state.settings.forbidden.push(Forbidden {
        players: no(&[1, 4]),
        first: RoundNo(1),
        last: None,
    });
    let proposal = repaired(&state, &before);
    assert_eq!(pairs(&proposal.repaired)[1], (6, 2), "board 2 stays");
    assert_eq!(proposal.repaired.pairs.len(), 3);
    let findings = check(&state, &Proposed::from(&proposal.repaired), Rules::DUTCH);
    assert_eq!(findings, Ok(vec![]));
}

#[test]
fn only_the_first_round_is_repaired() {
    let state = input(4, 1);
    let before = published(&state);
    let mut later = input(4, 2);
    later.history.push(round(1, Vec::new()));
    let error = propose(&later, &before, &Dutch::FIDE_2026).unwrap_err();
    assert_eq!(error, RepairError::NotTheFirstRound { round: RoundNo(2) });
    assert!(error.to_string().contains("change single pairs by hand"));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn pairs_of_two_who_are_there_stay(
        players in 4_u16..=30,
        gone in prop::collection::vec(1_u16..=30, 0..5),
        late in 0_u16..4,
    ) {
        let mut state = input(players, 1);
        let before = published(&state);
        for number in gone {
            if number <= players {
                state.players[usize::from(number) - 1].presence = Presence::Withdrawn;
            }
        }
        for number in 0..late {
            state.players.push(Entrant::present(PlayerNo(100 + number)));
        }
        let present: Vec<u16> = state
            .players
            .iter()
            .filter(|own| own.presence == Presence::Present)
            .map(|own| own.no.0)
            .collect();
        prop_assume!(present.len() >= 2);
        let proposal = repaired(&state, &before);
        for pair in &before.pairs {
            if present.contains(&pair.white.0) && present.contains(&pair.black.0) {
                prop_assert!(proposal.repaired.pairs.contains(pair));
            }
        }
        let mut all: Vec<u16> = state.players.iter().map(|own| own.no.0).collect();
        all.sort_unstable();
        prop_assert_eq!(everybody(&proposal.repaired), all);
        prop_assert_eq!(check(&state, &Proposed::from(&proposal.repaired), Rules::DUTCH), Ok(vec![]));
        let mut boards: Vec<u16> = proposal.repaired.pairs.iter().map(|pair| pair.board).collect();
        boards.dedup();
        prop_assert_eq!(boards.len(), proposal.repaired.pairs.len());
        prop_assert!(proposal.changes.len() <= proposal.changes_again.len() || proposal.again.is_err());
        state.players.reverse();
        prop_assert_eq!(repaired(&state, &before), proposal, "the order of the players does not matter");
    }
}
