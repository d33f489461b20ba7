//! What a set-up that is read again means for the event that the journal holds.
//!
//! The section is what an event is known by; everything else in it may be corrected. Once a round is
//! paired, results belong to pairing numbers, so each player of the list is found among those of
//! the journal and keeps his number, wherever his line stands now.

use std::collections::{BTreeMap, BTreeSet};

use super::{
    event::SetUp,
    state::{HallState, Round},
    words::counted,
};
use crate::{tournament::Player, types::PlayerNo};

/// Names that differ in at most so many letters may be one name, misspelt.
const MISSPELT: usize = 2;
/// Shorter names differ in so few letters by chance.
const MISSPELT_FROM: usize = 6;

/// A set-up that goes on with the event of the journal.
#[derive(Clone, Debug, PartialEq)]
pub struct Fitted {
    /// What is to be played.
    pub set_up: SetUp,
    /// What somebody should know, in words for the staff.
    pub notes: Vec<String>,
}

/// A set-up that cannot go on with the event of the journal: in words, with a way out.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct SetUpRefused(pub String);

/// Fits a set-up to the event that the journal holds. `numbered` are the pairing numbers that the list
/// of players gives itself; all others only come from the order of its lines.
///
/// Before the first pairing everything is taken as given. From then on known players keep their
/// numbers, new ones get new numbers, and whoever is in a published pairing stays.
///
/// # Errors
/// When a round would be lost, or it is not certain who somebody of the list is.
pub fn fit(
    state: &HallState,
    given: SetUp,
    numbered: &BTreeSet<PlayerNo>,
) -> Result<Fitted, SetUpRefused> {
    let Some(held) = state.set_up.as_ref().filter(|_| !state.rounds.is_empty()) else {
        return Ok(Fitted {
            set_up: given,
            notes: Vec::new(),
        });
    };
    let published = state.rounds.iter().filter(|round| round.published).count();
    let rounds = counted(published, "round");
    let (was, is) = (&held.settings.section, &given.settings.section);
    if was != is {
        if published == 0 {
            return Ok(Fitted {
                set_up: given,
                notes: Vec::new(),
            });
        }
        return Err(SetUpRefused(format!(
            "the journal holds {rounds} of \"{}\" in section \"{was}\", the configuration \
             sets up section \"{is}\": write `section = \"{was}\"` to go on with it, or give the \
             other event a data_dir of its own",
            held.settings.name
        )));
    }
    let (was, is) = (held.settings.system.name(), given.settings.system.name());
    if published > 0 && was != is {
        return Err(SetUpRefused(format!(
            "the journal holds {rounds} of \"{}\" paired by {was}, the configuration says \
             `system = \"{is}\"`: an event is played to its end by the system it began with; write \
             `system = \"{was}\"` with its parameters again, or give another event a data_dir of its own",
            held.settings.name
        )));
    }
    if let Some(planned) = given
        .settings
        .rounds
        .filter(|planned| usize::from(*planned) < published)
    {
        return Err(SetUpRefused(format!(
            "the journal holds {rounds} of \"{}\", the configuration says `rounds = {planned}`: \
             write {published} or more",
            held.settings.name
        )));
    }
    let seated = seated(&state.rounds);
    let mut matching = Matching::new(&held.players, &given.players);
    matching.by_fide_id();
    matching.by_name()?;
    matching.misspelt();
    let known = seated.iter().filter(|no| matching.is_found(**no)).count();
    if known * 2 < seated.len() {
        return Err(SetUpRefused(format!(
            "the journal holds {rounds} of \"{}\", and only {known} of the {} who play in \
             it are in the list of players: put their list back, or give another event a data_dir of \
             its own",
            held.settings.name,
            seated.len()
        )));
    }
    matching.by_number(numbered);
    matching.refuse_doubts(&seated)?;
    let (players, notes) = matching.fitted(&seated, numbered);
    Ok(Fitted {
        set_up: SetUp { players, ..given },
        notes,
    })
}

/// Everybody who is in a published pairing.
fn seated(rounds: &[Round]) -> BTreeSet<PlayerNo> {
    rounds
        .iter()
        .filter(|round| round.published)
        .flat_map(players_of)
        .collect()
}

/// Everybody whom the pairing of a round names.
pub(super) fn players_of(round: &Round) -> impl Iterator<Item = PlayerNo> + '_ {
    let pairing = &round.pairing;
    let pairs = pairing
        .pairs
        .iter()
        .flat_map(|pair| [pair.white, pair.black]);
    let bye = pairing.bye.iter().map(|bye| bye.player);
    let unpaired = pairing.unpaired.iter().map(|unpaired| unpaired.player);
    pairs.chain(bye).chain(unpaired)
}

/// Who of the list is who of the journal; indices into both lists.
struct Matching<'a> {
    old: &'a [Player],
    new: &'a [Player],
    /// For each of the list.
    found: Vec<Option<usize>>,
}

impl<'a> Matching<'a> {
    fn new(old: &'a [Player], new: &'a [Player]) -> Self {
        Self {
            old,
            new,
            found: vec![None; new.len()],
        }
    }

    fn is_found(&self, no: PlayerNo) -> bool {
        let mut found = self.found.iter().flatten();
        found.any(|old| self.old[*old].no == no)
    }

    /// Those of the journal who were not found yet.
    fn old_left(&self) -> Vec<usize> {
        let found: BTreeSet<usize> = self.found.iter().flatten().copied().collect();
        (0..self.old.len())
            .filter(|old| !found.contains(old))
            .collect()
    }

    fn new_left(&self) -> Vec<usize> {
        (0..self.new.len())
            .filter(|new| self.found[*new].is_none())
            .collect()
    }

    /// Matches where a key stands once on either side.
    fn by_key<K: Ord>(&mut self, key: impl Fn(&Player) -> Option<K>) {
        let mut places: BTreeMap<K, (Vec<usize>, Vec<usize>)> = BTreeMap::new();
        for old in self.old_left() {
            if let Some(key) = key(&self.old[old]) {
                places.entry(key).or_default().0.push(old);
            }
        }
        for new in self.new_left() {
            if let Some(key) = key(&self.new[new]) {
                places.entry(key).or_default().1.push(new);
            }
        }
        for (old, new) in places.into_values() {
            if let ([old], [new]) = (old.as_slice(), new.as_slice()) {
                self.found[*new] = Some(*old);
            }
        }
    }

    fn by_fide_id(&mut self) {
        self.by_key(|player| player.fide_id);
    }

    /// By name; namesakes by what else is known of them.
    fn by_name(&mut self) -> Result<(), SetUpRefused> {
        // Lines that say the same of two namesakes are in the order in which they were.
        let mut same: BTreeMap<String, (Vec<usize>, Vec<usize>)> = BTreeMap::new();
        for old in self.old_left() {
            same.entry(record(&self.old[old])).or_default().0.push(old);
        }
        for new in self.new_left() {
            same.entry(record(&self.new[new])).or_default().1.push(new);
        }
        for (old, new) in same.into_values() {
            if old.len() == new.len() {
                for (old, new) in old.into_iter().zip(new) {
                    self.found[new] = Some(old);
                }
            }
        }
        self.by_key(|player| Some((words(&player.name), player.rating?)));
        self.by_key(|player| Some((words(&player.name), player.birth?)));
        self.by_key(|player| Some(words(&player.name)));
        for new in self.new_left() {
            let name = words(&self.new[new].name);
            let namesakes = |players: &[Player], left: Vec<usize>| {
                left.into_iter()
                    .filter(|at| words(&players[*at].name) == name)
                    .count()
            };
            let old = namesakes(self.old, self.old_left());
            if old > 0 {
                return Err(SetUpRefused(format!(
                    "\"{}\" stands {} times in the list of players and {old} times in the journal, \
                     and nothing tells them apart: give each of them his FIDE number, or the number \
                     of his pairing in a column `no`",
                    self.new[new].name,
                    namesakes(self.new, self.new_left()),
                )));
            }
        }
        Ok(())
    }

    /// By a name that differs in a letter or two, where something else agrees.
    fn misspelt(&mut self) {
        let pairs = self.alike();
        for &(old, new) in &pairs {
            let (was, is) = (&self.old[old], &self.new[new]);
            let agrees = (was.rating.is_some() && was.rating == is.rating)
                || (was.birth.is_some() && was.birth == is.birth);
            let alone = pairs
                .iter()
                .filter(|pair| pair.0 == old || pair.1 == new)
                .count();
            if agrees && alone == 1 {
                self.found[new] = Some(old);
            }
        }
    }

    /// Those of both sides whose names may be one, misspelt.
    fn alike(&self) -> Vec<(usize, usize)> {
        let new_left = self.new_left();
        let mut pairs = Vec::new();
        for old in self.old_left() {
            let was = words(&self.old[old].name);
            for &new in &new_left {
                let is = words(&self.new[new].name);
                let long = was.chars().count().min(is.chars().count()) >= MISSPELT_FROM;
                if long && distance(&was, &is) <= MISSPELT {
                    pairs.push((old, new));
                }
            }
        }
        pairs
    }

    /// By the number that the list itself gives.
    fn by_number(&mut self, numbered: &BTreeSet<PlayerNo>) {
        self.by_key(|player| numbered.contains(&player.no).then_some(player.no));
    }

    /// Somebody who has games is missing, and somebody new could be he.
    fn refuse_doubts(&self, seated: &BTreeSet<PlayerNo>) -> Result<(), SetUpRefused> {
        let new_left = self.new_left();
        let alike = self.alike();
        let mut doubts = Vec::new();
        for old in self.old_left() {
            let was = &self.old[old];
            let same_place = new_left.iter().find(|new| self.new[**new].no == was.no);
            let like = alike.iter().find(|pair| pair.0 == old).map(|pair| &pair.1);
            if let Some(new) = same_place.or(like).filter(|_| seated.contains(&was.no)) {
                doubts.push(format!(
                    "number {} is \"{}\" in the journal; is \"{}\" the same player?",
                    was.no, was.name, self.new[*new].name
                ));
            }
        }
        if doubts.is_empty() {
            return Ok(());
        }
        Err(SetUpRefused(format!(
            "it is not certain who is who in the list of players: {}. If so, give the line that \
             number in a column `no`; if not, put the line of the first back and add the other below",
            doubts.join(" ")
        )))
    }

    fn fitted(
        self,
        seated: &BTreeSet<PlayerNo>,
        numbered: &BTreeSet<PlayerNo>,
    ) -> (Vec<Player>, Vec<String>) {
        let mut players: Vec<Player> = Vec::new();
        let mut notes = Vec::new();
        for old in self.old_left() {
            let player = &self.old[old];
            if seated.contains(&player.no) {
                notes.push(format!(
                    "{} (number {}) has been paired and is not in the list of players any more: he \
                     stays in the event.",
                    player.name, player.no
                ));
                players.push(player.clone());
            }
        }
        for (new, old) in self.found.iter().enumerate() {
            let Some(old) = old else { continue };
            let (is, was) = (&self.new[new], &self.old[*old]);
            if numbered.contains(&is.no) && is.no != was.no {
                notes.push(format!(
                    "{} keeps number {}; the list of players says {}, but results belong to the \
                     numbers of the first pairing.",
                    is.name, was.no, is.no
                ));
            }
            if words(&is.name) != words(&was.name) {
                notes.push(format!(
                    "Number {} was \"{}\" and is \"{}\" now.",
                    was.no, was.name, is.name
                ));
            }
            players.push(Player {
                no: was.no,
                ..is.clone()
            });
        }
        // A number that was ever given belongs to nobody else.
        let mut taken: BTreeSet<PlayerNo> = self.old.iter().map(|player| player.no).collect();
        let mut last = taken.last().map_or(0, |no| no.0);
        for new in self.new_left() {
            let mut player = self.new[new].clone();
            if !numbered.contains(&player.no) || taken.contains(&player.no) {
                last = last.saturating_add(1);
                player.no = PlayerNo(last);
            }
            taken.insert(player.no);
            last = last.max(player.no.0);
            notes.push(format!(
                "{} is new in the list of players and has number {}.",
                player.name, player.no
            ));
            players.push(player);
        }
        players.sort_by_key(|player| player.no);
        (players, notes)
    }
}

/// A name as its words in one order and case: `Koval, Olena` is `olena koval`.
fn words(name: &str) -> String {
    let mut words: Vec<String> = name
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect();
    words.sort();
    words.join(" ")
}

/// All that a line says, but for the number.
fn record(player: &Player) -> String {
    let nameless = Player {
        no: PlayerNo(0),
        name: words(&player.name),
        ..player.clone()
    };
    format!("{nameless:?}")
}

/// How many letters must be changed, added or left out.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, from) in a.chars().enumerate() {
        let mut corner = row[0];
        row[0] = i + 1;
        for (j, to) in b.iter().enumerate() {
            let change = corner + usize::from(from != *to);
            corner = row[j + 1];
            row[j + 1] = change.min(corner + 1).min(row[j] + 1);
        }
    }
    row.last().copied().unwrap_or_default()
}
