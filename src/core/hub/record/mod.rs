//! The record of an event: who published, changed and decided what, folded from the journal. The closing
//! report (R-AR-3) and the integrity remarks of a report file are written from it.

pub(super) mod words;

use std::collections::BTreeMap;

use super::{
    event::{Amended, Amendment, Event, Fact, PlayerFact, ProtestFact, RoundFact, SetUp},
    state::mirrored,
    view::RecordView,
};
use crate::{
    pairing::words::Language,
    tournament::GameResult,
    types::{PlayerNo, RoundNo, TableNo},
};

/// The kinds of events that the record is made of.
pub const KINDS: [&str; 7] = [
    "event",
    "round",
    "player",
    "result",
    "amendment",
    "incident",
    "protest",
];

/// Folds events, in their order, into the record of the event that is played.
#[derive(Clone, Debug)]
pub struct Record {
    language: Language,
    set_up: Option<SetUp>,
    /// A round of this event is public.
    public: bool,
    published: Option<RoundNo>,
    results: BTreeMap<(RoundNo, TableNo), GameResult>,
    seats: BTreeMap<(RoundNo, TableNo), (PlayerNo, PlayerNo)>,
    /// The result that follows belongs to a correction that stands in the record already.
    amending: Option<(RoundNo, TableNo)>,
    reverted: Vec<u64>,
    lines: Vec<RecordView>,
}

impl Record {
    /// Nothing yet.
    pub fn new(language: Language) -> Self {
        Self {
            language,
            set_up: None,
            public: false,
            published: None,
            results: BTreeMap::new(),
            seats: BTreeMap::new(),
            amending: None,
            reverted: Vec::new(),
            lines: Vec::new(),
        }
    }

    /// All lines, oldest first.
    pub fn finish(mut self) -> Vec<RecordView> {
        for line in &mut self.lines {
            line.revertible = line.kind == "amendment" && !self.reverted.contains(&line.id);
        }
        self.lines
    }

    fn name(&self, no: PlayerNo) -> String {
        let players = self.set_up.iter().flat_map(|it| &it.players);
        let found = players.into_iter().find(|player| player.no == no);
        found.map_or_else(|| no.to_string(), |player| format!("{no} {}", player.name))
    }

    fn say(&mut self, event: &Event, kind: &str, by: &str, text: String) {
        self.lines.push(RecordView {
            id: event.seq,
            at: event.at,
            round: event.round,
            table: event.table,
            kind: kind.to_owned(),
            by: by.to_owned(),
            text,
            revertible: false,
        });
    }

    /// Takes one event in.
    pub fn apply(&mut self, event: &Event) {
        let language = self.language;
        match &event.fact {
            Fact::Event(set_up) => self.apply_set_up(event, set_up),
            Fact::Round(RoundFact::Paired { pairing, .. }) => {
                if self.published >= Some(pairing.round) {
                    // Old journals may hold several events of one section.
                    self.begin_anew();
                }
                for pair in &pairing.pairs {
                    let seat = (pairing.round, TableNo(pair.board));
                    self.seats.insert(seat, (pair.white, pair.black));
                }
            }
            Fact::Round(RoundFact::Published { by }) => {
                self.public = true;
                self.published = event.round;
                let text = words::published(event.round, language);
                self.say(event, "published", by, text);
            }
            Fact::Round(RoundFact::Closed { by }) => {
                let text = words::closed(event.round, language);
                self.say(event, "closed", by, text);
            }
            Fact::Result {
                result, by, note, ..
            } => self.apply_result(event, *result, by, note.as_deref()),
            Fact::Player(fact) => {
                let (by, text) = words::player(fact, language, &|no| self.name(no));
                if self.public || matches!(fact, PlayerFact::Withdrawn { .. }) {
                    self.say(event, "player", &by, text);
                }
            }
            Fact::Amendment(amendment) => self.apply_amendment(event, amendment),
            Fact::Incident { text, by } => self.say(event, "incident", by, text.clone()),
            Fact::Protest(fact) => {
                let by = match fact {
                    ProtestFact::Filed { by, .. } | ProtestFact::Decided { by, .. } => by,
                };
                let text = words::protest(fact, language, &|no| self.name(no));
                self.say(event, "protest", by, text);
            }
            _ => {}
        }
    }

    fn begin_anew(&mut self) {
        let set_up = self.set_up.take();
        *self = Self {
            set_up,
            ..Self::new(self.language)
        };
    }

    fn apply_set_up(&mut self, event: &Event, set_up: &SetUp) {
        let language = self.language;
        let Some(old) = self.set_up.take() else {
            self.set_up = Some(set_up.clone());
            return;
        };
        if old.settings.section != set_up.settings.section {
            self.begin_anew();
        } else if self.public {
            if old.settings != set_up.settings {
                self.say(event, "settings", "", words::settings(language));
            }
            for text in words::list(&old.players, &set_up.players, language) {
                self.say(event, "list", "", text);
            }
        }
        self.set_up = Some(set_up.clone());
    }

    fn apply_result(&mut self, event: &Event, result: GameResult, by: &str, note: Option<&str>) {
        let (Some(round), Some(table)) = (event.round, event.table) else {
            return;
        };
        let before = self.results.insert((round, table), result);
        if self.amending.take() == Some((round, table)) {
            return;
        }
        // Only what was changed after it was known to all.
        if let Some(before) = before.filter(|before| *before != result) {
            let players = self.seats.get(&(round, table)).copied();
            let players = players.map(|(white, black)| [self.name(white), self.name(black)]);
            let text = words::result(before, result, players.as_ref(), note, self.language);
            self.say(event, "result", by, text);
        }
    }

    fn apply_amendment(&mut self, event: &Event, amendment: &Amendment) {
        let mut text = words::amended(&amendment.what, self.language, &|no| self.name(no));
        if let Some(number) = amendment.reverts {
            text = format!("{} {text}", words::reverts(number, self.language));
            self.reverted.push(number);
        }
        text = format!("{text} {}", words::because(&amendment.note, self.language));
        match &amendment.what {
            Amended::Result {
                in_round,
                board,
                after: Some(_),
                ..
            } => self.amending = Some((*in_round, *board)),
            Amended::Colours { in_round, board } => {
                let key = (*in_round, *board);
                if let Some((white, black)) = self.seats.get_mut(&key) {
                    std::mem::swap(white, black);
                }
                if let Some(result) = self.results.get_mut(&key) {
                    *result = mirrored(*result);
                }
            }
            Amended::Exchanged {
                in_round,
                first,
                second,
            } => {
                let seats = self.seats.iter_mut();
                for (_, (white, black)) in seats.filter(|((round, _), _)| round == in_round) {
                    for no in [white, black] {
                        if *no == *first {
                            *no = *second;
                        } else if *no == *second {
                            *no = *first;
                        }
                    }
                }
            }
            Amended::Player { player, after, .. } => {
                let players = self.set_up.iter_mut().flat_map(|it| &mut it.players);
                for found in players.filter(|found| found.no == *player) {
                    after.put_into(found);
                }
            }
            _ => {}
        }
        self.say(event, "amendment", &amendment.by, text);
    }
}
