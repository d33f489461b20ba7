//! The repair with the fewest changes.

use crate::{
    pairing::{
        Allocated, ByeKind, Explanation, FormatReason, Hindrance, Input, Pair, PairingError,
        Presence, RoundPairing,
        matching::{BitMatrix, Costs, Optimum, solve},
        swiss::Field,
    },
    types::Color,
};

/// Somebody without an opponent, as index of the field.
#[derive(Clone, Copy, Debug)]
struct Loose {
    player: usize,
    /// The colour that was published for him.
    colour: Option<Color>,
    /// The board that was published for him.
    board: Option<u16>,
}

struct Found {
    /// White and Black.
    pairs: Vec<(Loose, Loose)>,
    bye: Option<usize>,
}

pub(super) fn repair(
    input: &Input,
    published: &RoundPairing,
) -> Result<RoundPairing, PairingError> {
    let field = Field::new(input)?;
    let index = |no| {
        let at = field.players().partition_point(|player| player.no < no);
        field
            .players()
            .get(at)
            .filter(|player| player.no == no && player.presence == Presence::Present)
            .map(|_| at)
    };
    let mut unseen: Vec<bool> = field
        .players()
        .iter()
        .map(|player| player.presence == Presence::Present)
        .collect();
    let mut kept = Vec::new();
    let mut loose = Vec::new();
    for pair in &published.pairs {
        // Whoever stands twice in what was published stays where he stands first.
        let mut seen = |no| index(no).filter(|&at| std::mem::take(&mut unseen[at]));
        let (white, black) = (seen(pair.white), seen(pair.black));
        let of = |player, colour| Loose {
            player,
            colour: Some(colour),
            board: Some(pair.board),
        };
        match (white, black) {
            (Some(white), Some(black)) => {
                kept.push((pair, of(white, Color::White), of(black, Color::Black)));
            }
            (Some(white), None) => loose.push(of(white, Color::White)),
            (None, Some(black)) => loose.push(of(black, Color::Black)),
            (None, None) => {}
        }
    }
    let holder = published
        .bye
        .as_ref()
        .and_then(|bye| index(bye.player))
        .filter(|&at| std::mem::take(&mut unseen[at]));
    loose.extend((0..unseen.len()).filter(|&at| unseen[at]).map(free));
    kept.sort_by_key(|(pair, ..)| pair.board);

    // As few published pairs as possible are given up: none, one of them, or the last ones.
    let one = (0..kept.len()).rev().map(|at| vec![at]);
    let more = (2..=kept.len()).map(|count| (kept.len() - count..kept.len()).collect());
    for given_up in std::iter::once(Vec::new()).chain(one).chain(more) {
        let mut pool = loose.clone();
        for &at in &given_up {
            let (_, white, black) = kept[at];
            pool.extend([white, black]);
        }
        let Some((found, bye_stays)) = complete(&field, &pool, holder) else {
            continue;
        };
        let stay: Vec<&Pair> = kept
            .iter()
            .enumerate()
            .filter(|(at, _)| !given_up.contains(at))
            .map(|(_, (pair, ..))| *pair)
            .collect();
        return Ok(assemble(&field, published, &stay, found, bye_stays));
    }
    Err(PairingError::Impossible {
        round: input.round,
        present: field.to_pair().len(),
        article: "C.04.1, 2 and 4",
        hindrance: Hindrance::Unknown,
    })
}

const fn free(player: usize) -> Loose {
    Loose {
        player,
        colour: None,
        board: None,
    }
}

/// Pairs the pool; the holder of the bye keeps it when the number is even, or joins when it is not.
/// True when he keeps it.
fn complete(field: &Field, pool: &[Loose], holder: Option<usize>) -> Option<(Found, bool)> {
    match holder {
        Some(holder) if pool.len() % 2 == 1 => {
            let mut pool = pool.to_vec();
            pool.push(free(holder));
            Some((pair(field, pool)?, false))
        }
        holder => {
            let stays = pair(field, pool.to_vec());
            match (stays, holder) {
                (Some(found), holder) => Some((found, holder.is_some())),
                // Restrictions may need the one who has the bye.
                (None, Some(holder)) => {
                    let mut pool = pool.to_vec();
                    pool.push(free(holder));
                    Some((pair(field, pool)?, false))
                }
                (None, None) => None,
            }
        }
    }
}

/// The upper half against the lower half as far as colours and restrictions allow; with an odd number
/// the lowest ranked has the bye, whose bye leaves the others a pairing.
fn pair(field: &Field, mut pool: Vec<Loose>) -> Option<Found> {
    pool.sort_by_key(|own| own.player);
    if pool.len().is_multiple_of(2) {
        let pairs = pair_even(field, &pool)?;
        return Some(Found { pairs, bye: None });
    }
    (0..pool.len()).rev().find_map(|at| {
        let mut others = pool.clone();
        let bye = others.remove(at).player;
        let pairs = pair_even(field, &others)?;
        Some(Found {
            pairs,
            bye: Some(bye),
        })
    })
}

fn pair_even(field: &Field, pool: &[Loose]) -> Option<Vec<(Loose, Loose)>> {
    let size = pool.len();
    if size == 0 {
        return Some(Vec::new());
    }
    let mut graph = BitMatrix::new(size);
    for a in 0..size {
        for b in a + 1..size {
            if !field.apart(pool[a].player, pool[b].player) {
                graph.set_both(a, b);
            }
        }
    }
    // A published colour that cannot be kept is a change.
    let class = pool
        .iter()
        .map(|own| {
            own.colour
                .map_or(0, |colour| if colour.is_white() { 1 } else { 2 })
        })
        .collect();
    let costs = Costs::new(class, 3, |a, b| i64::from(a == b && a > 0));
    let half = size / 2;
    let hint = |at: usize| if at < half { at + half } else { at - half };
    let solver = solve(&costs, graph, hint)?;
    let mut optimum = Optimum::new(&solver);
    let mut done = vec![false; size];
    let mut pairs = Vec::with_capacity(half);
    for at in 0..size {
        if done[at] {
            continue;
        }
        let order = (at + half..size).chain(at + 1..(at + half).min(size));
        let mate = optimum.first(at, order.filter(|&mate| mate > at))?;
        done[at] = true;
        done[mate] = true;
        pairs.push(seat(field, pool[at], pool[mate]));
    }
    Some(pairs)
}

/// White and Black: published colours first, those of the higher ranked before the other's.
fn seat(field: &Field, high: Loose, low: Loose) -> (Loose, Loose) {
    let white = match (high.colour, low.colour) {
        (Some(colour), _) => colour.is_white(),
        (None, Some(colour)) => !colour.is_white(),
        (None, None) => {
            let rank = field.player(high.player).parity_rank;
            field.initial_colour.is_white() == rank.is_none_or(|rank| rank % 2 == 1)
        }
    };
    if white { (high, low) } else { (low, high) }
}

fn assemble(
    field: &Field,
    published: &RoundPairing,
    stay: &[&Pair],
    found: Found,
    bye_stays: bool,
) -> RoundPairing {
    // Boards, unpaired players and fixed pairs as the field gives them; then what was published.
    let mut round = field.finish(Vec::new(), None);
    round.pairs = stay.iter().map(|&pair| pair.clone()).collect();
    let mut used: Vec<u16> = stay.iter().map(|pair| pair.board).collect();
    let mut waiting = Vec::new();
    for (white, black) in found.pairs {
        let board = [white.board, black.board]
            .into_iter()
            .flatten()
            .filter(|board| !used.contains(board))
            .min();
        match board {
            Some(board) => {
                used.push(board);
                round.pairs.push(pair_of(field, board, white, black));
            }
            None => waiting.push((white, black)),
        }
    }
    for (white, black) in waiting {
        let board = (1..=u16::MAX)
            .find(|board| !used.contains(board))
            .unwrap_or(u16::MAX);
        used.push(board);
        round.pairs.push(pair_of(field, board, white, black));
    }
    round.pairs.sort_by_key(|pair| pair.board);
    round.bye = match found.bye {
        Some(player) => Some(Allocated {
            player: field.player(player).no,
            kind: ByeKind::PairingAllocated,
            explanation: Explanation::Format(FormatReason::RepairedBye),
        }),
        None if bye_stays => published.bye.clone(),
        None => None,
    };
    round
}

fn pair_of(field: &Field, board: u16, white: Loose, black: Loose) -> Pair {
    Pair {
        board,
        white: field.player(white.player).no,
        black: field.player(black.player).no,
        explanation: Explanation::Format(FormatReason::Repaired {
            white_kept: white.colour == Some(Color::White),
            black_kept: black.colour == Some(Color::Black),
        }),
    }
}
