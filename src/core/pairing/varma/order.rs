//! Who draws when.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::Candidate;

/// The contingents in the order of drawing: the federation with most players first, then by its
/// code; whoever has no federation is a contingent of his own and comes last of those of one. Within
/// a federation by name. Indices of the candidates.
pub(super) fn contingents(candidates: &[Candidate<'_>]) -> Vec<(Option<String>, Vec<usize>)> {
    let mut by_federation: BTreeMap<Option<&str>, Vec<usize>> = BTreeMap::new();
    for (at, candidate) in candidates.iter().enumerate() {
        by_federation
            .entry(candidate.federation.filter(|code| !code.is_empty()))
            .or_default()
            .push(at);
    }
    let mut contingents = Vec::new();
    for (federation, mut members) in by_federation {
        members.sort_by_cached_key(|&at| (alphabetical(candidates[at].name), at));
        match federation {
            Some(code) => contingents.push((Some(code.to_owned()), members)),
            None => contingents.extend(members.into_iter().map(|at| (None, vec![at]))),
        }
    }
    // The sort is stable: those without a federation stay in the order of their names.
    contingents.sort_by_key(|(federation, members)| {
        (
            Reverse(members.len()),
            federation.is_none(),
            federation.clone(),
        )
    });
    contingents
}

/// A key that sorts names alphabetically, the Ukrainian letters in their places.
fn alphabetical(name: &str) -> Vec<(char, u8)> {
    name.chars()
        .flat_map(char::to_lowercase)
        .map(|letter| match letter {
            'ґ' => ('г', 1),
            'є' | 'ё' => ('е', 1),
            'і' => ('и', 1),
            'ї' => ('и', 2),
            other => (other, 0),
        })
        .collect()
}
