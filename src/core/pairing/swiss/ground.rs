//! What Dubov, Burstein and Lim begin with: who may meet, and who has the bye, which they give
//! before anything else.

use serde::{Deserialize, Serialize};

use super::{ByeBar, Field, Preference, stuck};
use crate::{
    pairing::{
        PairingError,
        matching::{Alternating, BitMatrix, BitSet, NONE, maximise},
    },
    types::{PlayerNo, Points},
};

/// How many opponents who were passed over an explanation lists.
const PASSED: usize = 8;

/// The players to pair, without the one who has the bye. They are addressed by their place in the
/// order that the system gives.
pub(super) struct Ground<'f> {
    pub(super) field: &'f Field,
    /// The index in the field of each place.
    pub(super) order: Vec<usize>,
    /// Who may meet (C1, C3).
    pub(super) legal: BitMatrix,
    /// Who has the bye (index in the field), and why.
    pub(super) bye: Option<(usize, ByeReason)>,
    /// The absolute criteria of the system.
    article: &'static str,
}

/// Why he has the bye.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ByeReason {
    /// His score for pairing.
    pub score: Points,
    /// His games over the board.
    pub games: usize,
    /// Whoever came before him, and why he did not get it.
    pub passed: Vec<PassedBye>,
}

/// Somebody who came before the player that got the bye.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PassedBye {
    /// Who.
    pub player: PlayerNo,
    /// Why not.
    pub why: ByeObstacle,
}

/// Why somebody did not get the bye.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ByeObstacle {
    /// He had it before, or a win's points without a game (C.04.1.4).
    Barred,
    /// Without him the others cannot all be paired.
    Incomplete,
}

/// Who of two candidates for the bye comes first when their scores are equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ByeOrder {
    /// Most games, then the last place (Dubov 3.1, Burstein).
    MostGames,
    /// The last place (Lim 1).
    LastPlace,
}

impl<'f> Ground<'f> {
    /// `order` lists indices of the field, the scores falling.
    ///
    /// # Errors
    /// When no legal pairing exists.
    pub(super) fn new(
        field: &'f Field,
        order: Vec<usize>,
        may_meet: impl Fn(usize, usize) -> bool,
        bye_order: ByeOrder,
        article: &'static str,
    ) -> Result<Self, PairingError> {
        let size = order.len();
        let mut legal = BitMatrix::new(size);
        for (a, &one) in order.iter().enumerate() {
            for (b, &two) in order.iter().enumerate().skip(a + 1) {
                if !field.apart(one, two) && may_meet(one, two) {
                    legal.set_both(a, b);
                }
            }
        }
        let mut mates = vec![NONE; size];
        let all = BitSet::full(size);
        let left = maximise(&legal, &mut mates, &all);
        let mut ground = Self {
            field,
            order,
            legal,
            bye: None,
            article,
        };
        match left.as_slice() {
            [] => {}
            &[root] => {
                let (place, reason) = ground
                    .choose(root, &mut mates, &all, bye_order)
                    .ok_or_else(|| ground.impossible())?;
                ground.remove(place, reason);
            }
            _ => return Err(ground.impossible()),
        }
        Ok(ground)
    }

    /// The first candidate for the bye without whom everybody else can be paired.
    fn choose(
        &self,
        root: usize,
        mates: &mut [usize],
        all: &BitSet,
        bye_order: ByeOrder,
    ) -> Option<(usize, ByeReason)> {
        let mut search = Alternating::new(self.order.len());
        search.search(&self.legal, mates, all, root, |_| false);
        let mut candidates: Vec<usize> = (0..self.order.len()).collect();
        candidates.sort_by_key(|&place| {
            let player = self.field.player(self.order[place]);
            let games = match bye_order {
                ByeOrder::MostGames => player.games_played(),
                ByeOrder::LastPlace => 0,
            };
            (player.pairing_score, std::cmp::Reverse((games, place)))
        });
        let mut passed = Vec::new();
        for place in candidates {
            let player = self.field.player(self.order[place]);
            let why = if player.bye_barred(ByeBar::WinUnplayed, &self.field.scoring) {
                ByeObstacle::Barred
            } else if search.reached().contains(place) {
                let reason = ByeReason {
                    score: player.pairing_score,
                    games: player.games_played(),
                    passed,
                };
                return Some((place, reason));
            } else {
                ByeObstacle::Incomplete
            };
            passed.push(PassedBye {
                player: player.no,
                why,
            });
        }
        None
    }

    fn remove(&mut self, place: usize, reason: ByeReason) {
        let rest: Vec<usize> = (0..self.order.len()).filter(|&p| p != place).collect();
        self.legal = sub_graph(&self.legal, &rest);
        self.bye = Some((self.order.remove(place), reason));
    }

    /// The error when something that must exist was not found.
    pub(super) fn impossible(&self) -> PairingError {
        stuck::impossible(
            self.field,
            &self.order,
            &self.legal,
            self.article,
            |place| {
                let player = self.field.player(self.order[place]);
                !player.bye_barred(ByeBar::WinUnplayed, &self.field.scoring)
            },
        )
    }

    /// The number of the player at a place.
    pub(super) fn no(&self, place: usize) -> PlayerNo {
        self.field.player(self.order[place]).no
    }

    /// Why the others were not given to `place`; the first few.
    pub(super) fn passed(&self, place: usize, others: impl Iterator<Item = usize>) -> Vec<Passed> {
        others
            .take(PASSED)
            .map(|other| Passed {
                player: self.no(other),
                why: if self.field.apart(self.order[place], self.order[other]) {
                    Obstacle::Apart
                } else if self.legal.get(place, other) {
                    Obstacle::Others
                } else {
                    Obstacle::Colours
                },
            })
            .collect()
    }

    /// The runs of equal pairing score, as ranges of places.
    pub(super) fn groups(&self) -> Vec<std::ops::Range<usize>> {
        let score = |place: usize| self.field.player(self.order[place]).pairing_score;
        let mut groups = Vec::new();
        let mut start = 0;
        for at in 1..=self.order.len() {
            if at == self.order.len() || score(at) != score(start) {
                groups.push(start..at);
                start = at;
            }
        }
        groups
    }
}

/// The edges between these vertices, numbered anew.
pub(super) fn sub_graph(graph: &BitMatrix, vertices: &[usize]) -> BitMatrix {
    let mut sub = BitMatrix::new(vertices.len());
    for (a, &x) in vertices.iter().enumerate() {
        for (b, &y) in vertices.iter().enumerate().skip(a + 1) {
            if graph.get(x, y) {
                sub.set_both(a, b);
            }
        }
    }
    sub
}

/// A perfect matching of these vertices; of their numbers in the list.
pub(super) fn perfect(graph: &BitMatrix, vertices: &[usize]) -> Option<(BitMatrix, Vec<usize>)> {
    let sub = sub_graph(graph, vertices);
    let mut mates = vec![NONE; vertices.len()];
    let left = maximise(&sub, &mut mates, &BitSet::full(vertices.len()));
    left.is_empty().then_some((sub, mates))
}

/// An opponent who came earlier in the order, and why it was not him.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Passed {
    /// Who.
    pub player: PlayerNo,
    /// Why not.
    pub why: Obstacle,
}

/// Why a pair that came earlier in the order is not paired.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Obstacle {
    /// They have met, or must not meet.
    Apart,
    /// The colours that they are due forbid it.
    Colours,
    /// It would make the pairing of the others worse, or impossible.
    Others,
}

/// Absolute preferences for the same colour (C3).
pub(super) fn same_absolute(one: Preference, two: Preference) -> bool {
    one.is_absolute() && one == two
}
