//! A recorded game against what the simulator played.

/// What was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Judged {
    /// Every half-move is there.
    Whole,
    /// So many half-moves are missing, and the record says where.
    Missing(usize),
    /// The record says something else from this half-move of its own on, counted from 0.
    Differs(usize),
}

/// Each part of the record between its gaps must have been played, one after the other. A record without
/// gaps must be whole.
pub(super) fn judge(moves: &[&str], gaps: &[Gap], played: &[String]) -> Judged {
    let runs_on = |from: usize, part: &[&str]| {
        let rest = played.get(from..).unwrap_or_default();
        part.iter().zip(rest).take_while(|(a, b)| *a == b).count()
    };
    // A gap at the very end has no part after it.
    let inner = gaps.iter().filter(|gap| gap.goes_on);
    let starts: Vec<usize> = inner.map(|gap| gap.after.min(moves.len())).collect();
    let ends = starts.iter().copied().chain([moves.len()]);
    let mut at = 0;
    for (index, (start, end)) in std::iter::once(0)
        .chain(starts.iter().copied())
        .zip(ends)
        .enumerate()
    {
        let part = &moves[start..end.max(start)];
        let last = index == starts.len();
        let to_the_end = last && gaps.iter().all(|gap| gap.goes_on);
        let fits = |from: usize| {
            runs_on(from, part) == part.len() && (!to_the_end || from + part.len() == played.len())
        };
        let mut places = at..=if index == 0 { 0 } else { played.len() };
        let Some(place) = places.find(|from| fits(*from)) else {
            return Judged::Differs(start + runs_on(at, part));
        };
        at = place + part.len();
    }
    match played.len() - moves.len() {
        0 if gaps.is_empty() => Judged::Whole,
        missing => Judged::Missing(missing),
    }
}

/// A place where moves are missing.
#[derive(Clone, Copy, Debug)]
pub(super) struct Gap {
    /// Half-moves recorded before it.
    pub(super) after: usize,
    /// The game went on from a known position.
    pub(super) goes_on: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judged(moves: &str, gaps: &[(usize, bool)], played: &str) -> Judged {
        let moves: Vec<&str> = moves.split_whitespace().collect();
        let played: Vec<String> = played.split_whitespace().map(str::to_owned).collect();
        let gap = |&(after, goes_on)| Gap { after, goes_on };
        judge(&moves, &gaps.iter().map(gap).collect::<Vec<_>>(), &played)
    }

    #[test]
    fn a_gap_that_is_told_is_no_wrong_move() {
        assert_eq!(judged("a b c", &[], "a b c"), Judged::Whole);
        assert_eq!(
            judged("a b e f", &[(2, true)], "a b c d e f"),
            Judged::Missing(2)
        );
        assert_eq!(
            judged("a d f", &[(1, true), (2, true)], "a b c d e f"),
            Judged::Missing(3)
        );
        assert_eq!(judged("a b", &[(2, false)], "a b c"), Judged::Missing(1));
        assert_eq!(judged("c", &[(0, true)], "a b c"), Judged::Missing(2));
    }

    #[test]
    fn what_was_not_played_differs_whatever_is_missing() {
        assert_eq!(judged("a b", &[], "a b c"), Judged::Differs(2));
        assert_eq!(judged("a x c", &[], "a b c"), Judged::Differs(1));
        assert_eq!(judged("a b c d", &[], "a b c"), Judged::Differs(3));
        assert_eq!(
            judged("a b e x", &[(2, true)], "a b c d e f"),
            Judged::Differs(2)
        );
        assert_eq!(
            judged("a b e", &[(2, true)], "a b c d e f"),
            Judged::Differs(2)
        );
        assert_eq!(judged("x b", &[(1, true)], "a b"), Judged::Differs(0));
        assert_eq!(
            judged("a b x", &[(2, false)], "a b c d"),
            Judged::Differs(2)
        );
    }
}
