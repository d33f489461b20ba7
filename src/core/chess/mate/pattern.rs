//! Whether a mate fits into the squares that the men can come to.
//!
//! It looks at one mated king, one man who gives check and one place of the mating king together, and takes
//! all other men for wherever they would help. No fit is a proof that there is no mate.

use shakmaty::{Bitboard, Color, Role, Square, attacks};

use super::reach::{Man, Reach};

/// A square from which a man may give check, and what he strikes from there.
type Post = (Square, Bitboard);

/// Whether `side` may be able to mate as far as the squares show.
pub(super) fn may_mate(reach: &Reach, side: Color) -> bool {
    let squares_of_king = |color: Color| {
        let king = reach.men.iter().find(|man| man.piece == color.king());
        king.map_or(Bitboard::EMPTY, |man| man.squares)
    };
    let (ours, theirs) = (squares_of_king(side), squares_of_king(side.other()));
    // A line goes through the king who stands in check on it.
    let fixed = match theirs.single_square() {
        Some(king) => reach.stuck.without(king),
        None => reach.stuck,
    };
    let others = |color: Color| {
        let men = reach.men.iter();
        men.filter(move |man| man.piece.color == color && man.piece.role != Role::King)
    };
    let posts: Vec<Vec<Post>> = others(side).map(|man| posts(man, fixed)).collect();
    let strikes: Vec<Bitboard> = posts
        .iter()
        .map(|posts| posts.iter().fold(Bitboard::EMPTY, |all, post| all | post.1))
        .collect();
    let in_the_way =
        others(side.other()).fold(Bitboard::EMPTY, |all, man| all | man.squares | man.promoted);
    posts.iter().enumerate().any(|(checker, posts)| {
        let helped = strikes
            .iter()
            .enumerate()
            .filter(|(index, _)| *index != checker)
            .fold(Bitboard::EMPTY, |all, (_, strikes)| all | *strikes);
        posts.iter().any(|&(from, struck)| {
            (struck & theirs).into_iter().any(|king| {
                let flights =
                    attacks::king_attacks(king) & !(struck | helped | in_the_way.without(from));
                ours.into_iter().any(|helper| {
                    helper != king
                        && helper != from
                        && !attacks::king_attacks(king).contains(helper)
                        && flights.is_subset(attacks::king_attacks(helper))
                })
            })
        })
    })
}

fn posts(man: &Man, fixed: Bitboard) -> Vec<Post> {
    let before = man
        .squares
        .into_iter()
        .map(|from| (from, attacks::attacks(from, man.piece, fixed)));
    let after = man.promoted.into_iter().map(|from| {
        let struck = attacks::queen_attacks(from, fixed) | attacks::knight_attacks(from);
        (from, struck)
    });
    before.chain(after).collect()
}
