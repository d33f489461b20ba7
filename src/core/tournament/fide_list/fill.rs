//! A list of entries filled from a rating list: by FIDE number, else by name where only one bears it.

use std::collections::BTreeMap;

use super::{Entry, RatingKind};
use crate::tournament::{
    Player,
    player::{Birth, Sex},
    trf::ascii_name,
};

/// Namesakes that are kept to tell them apart.
const NAMESAKES: usize = 8;

/// What the rating list says of somebody.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Found {
    fide_id: u64,
    name: String,
    federation: String,
    sex: String,
    title: String,
    rating: Option<u16>,
    birth: Option<i16>,
}

/// Looks for the players of an event while a list is read.
#[derive(Debug)]
pub struct Filler {
    kind: RatingKind,
    by_id: BTreeMap<u64, Vec<usize>>,
    by_name: BTreeMap<String, Vec<usize>>,
    /// What was found by the number, and by the name.
    found: Vec<(Option<Found>, Vec<Found>)>,
}

/// What became of the entries.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filled {
    /// Entries that were found.
    pub found: usize,
    /// What somebody should look at, one sentence each.
    pub notes: Vec<String>,
}

impl Filler {
    /// Looks for these, by this kind of rating.
    pub fn new(players: &[Player], kind: RatingKind) -> Self {
        let mut by_id: BTreeMap<u64, Vec<usize>> = BTreeMap::new();
        let mut by_name: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        for (at, player) in players.iter().enumerate() {
            match player.fide_id {
                Some(id) => by_id.entry(id).or_default().push(at),
                None => by_name.entry(key(&player.name)).or_default().push(at),
            }
        }
        Self {
            kind,
            by_id,
            by_name,
            found: vec![(None, Vec::new()); players.len()],
        }
    }

    /// Takes one player of the list.
    pub fn take(&mut self, entry: &Entry<'_>) {
        let found = || Found {
            fide_id: entry.fide_id,
            name: entry.name.clone().into_owned(),
            federation: entry.federation.to_owned(),
            sex: entry.sex.to_owned(),
            title: entry.title.to_owned(),
            rating: entry.rating(self.kind),
            birth: entry.birth,
        };
        if let Some(places) = self.by_id.get(&entry.fide_id) {
            for at in places {
                self.found[*at].0 = Some(found());
            }
        }
        if self.by_name.is_empty() {
            return;
        }
        if let Some(places) = self.by_name.get(&key(&entry.name)) {
            for at in places {
                let namesakes = &mut self.found[*at].1;
                if namesakes.len() < NAMESAKES {
                    namesakes.push(found());
                }
            }
        }
    }

    /// Fills what the entries do not say; a rating of who was found is the list's.
    pub fn fill(self, players: &mut [Player]) -> Filled {
        let mut filled = Filled::default();
        for (player, (by_id, by_name)) in players.iter_mut().zip(self.found) {
            let name = player.name.clone();
            let found = match (by_id, player.fide_id) {
                (Some(found), _) => {
                    if key(&found.name) != key(&name) {
                        filled.notes.push(format!(
                            "{name}: FIDE number {} is {} in the list; check the number",
                            found.fide_id, found.name
                        ));
                    }
                    Some(found)
                }
                (None, Some(id)) => {
                    let note = format!("{name}: FIDE number {id} is not in the list");
                    filled.notes.push(note);
                    None
                }
                (None, None) => {
                    let fits = |it: &&Found| {
                        let year = player.birth.map(|birth| birth.year);
                        let year = year.is_none() || it.birth.is_none() || year == it.birth;
                        let federation = player.federation.as_deref();
                        year && federation.is_none_or(|own| own == it.federation)
                    };
                    let fitting: Vec<&Found> = by_name.iter().filter(fits).collect();
                    match fitting.as_slice() {
                        [] => None,
                        [only] => Some((*only).clone()),
                        several => {
                            let numbers: Vec<String> =
                                several.iter().map(|it| it.fide_id.to_string()).collect();
                            filled.notes.push(format!(
                                "{name}: {} in the list bear this name ({}); give the FIDE number",
                                several.len(),
                                numbers.join(", ")
                            ));
                            None
                        }
                    }
                }
            };
            if let Some(found) = found {
                filled.found += 1;
                put(player, &found, &mut filled.notes);
            }
        }
        filled
    }
}

fn put(player: &mut Player, found: &Found, notes: &mut Vec<String>) {
    player.fide_id = Some(found.fide_id);
    if found.rating != player.rating {
        if let (Some(was), Some(is)) = (player.rating, found.rating) {
            let name = &player.name;
            notes.push(format!("{name}: rating {was} became {is}, as in the list"));
        }
        player.rating = found.rating.or(player.rating);
    }
    player.title = player.title.or_else(|| found.title.parse().ok());
    if player.federation.is_none() && !found.federation.is_empty() {
        player.federation = Some(found.federation.clone());
    }
    player.birth = player.birth.or(found.birth.map(|year| Birth {
        year,
        month_day: None,
    }));
    player.sex = player.sex.or(match found.sex.as_str() {
        "M" => Some(Sex::Male),
        "F" => Some(Sex::Female),
        _ => None,
    });
}

/// The words of a name in Latin letters, in one order: `Коваль, Олена` and `Olena Koval` are one.
fn key(name: &str) -> String {
    let latin = if name.is_ascii() {
        name.to_ascii_lowercase()
    } else {
        ascii_name(name).to_ascii_lowercase()
    };
    let mut words: Vec<&str> = latin
        .split(|letter: char| !letter.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .collect();
    words.sort_unstable();
    words.join(" ")
}
