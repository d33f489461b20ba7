//! The pairings as everybody may see them: a published round, its tables and results. A draft shows
//! nothing, and names are left out unless the settings publish them.

use std::collections::BTreeMap;

use flagfall_core::hub::view::{EventView, HallView, PlayerView, RoundView, TableView, Update};
use jiff::Timestamp;
use serde::Serialize;
use utoipa::ToSchema;

/// The public pairings.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub(super) struct PairingsView {
    /// The event's name; null before the set-up.
    event: Option<String>,
    /// The hall's time zone, when the event names one.
    zone: Option<String>,
    /// The number of rounds.
    rounds: Option<u16>,
    /// The current round; null before the first pairing.
    round: Option<u16>,
    /// Its pairing is public; until then there are no tables here.
    published: bool,
    /// The announced start.
    #[schema(value_type = Option<String>)]
    starts_at: Option<Timestamp>,
    /// The declared start.
    #[schema(value_type = Option<String>)]
    started_at: Option<Timestamp>,
    /// The tables by number.
    tables: Vec<PairingLine>,
    /// Who has no opponent in this round.
    bye: Option<PublicPlayer>,
}

/// One table of a round.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub(super) struct PairingLine {
    table: u16,
    white: PublicPlayer,
    black: PublicPlayer,
    /// The confirmed result, e.g. `1-0`.
    result: Option<String>,
}

/// A player as strangers may see him.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub(super) struct PublicPlayer {
    /// Pairing number.
    no: u16,
    /// Name; null when names are not published.
    name: Option<String>,
}

/// What one reader of the pairings has to know to see whether they changed.
#[derive(Debug)]
pub(super) struct Pairings {
    names: bool,
    event: Option<EventView>,
    round: Option<RoundView>,
    tables: BTreeMap<u16, PairingLine>,
}

impl Pairings {
    /// Nothing yet; `names` are published or not.
    pub(super) fn new(names: bool) -> Self {
        Self {
            names,
            event: None,
            round: None,
            tables: BTreeMap::new(),
        }
    }

    /// Takes the whole hall.
    pub(super) fn take_hall(&mut self, hall: &HallView) {
        self.event.clone_from(&hall.event);
        self.round.clone_from(&hall.round);
        self.tables.clear();
        self.take_tables(&hall.tables);
    }

    /// Takes what changed.
    pub(super) fn take_update(&mut self, update: &Update) {
        if update.event.is_some() {
            self.event.clone_from(&update.event);
        }
        if update.round.is_some() {
            self.round.clone_from(&update.round);
        }
        self.take_tables(&update.tables);
    }

    fn take_tables(&mut self, tables: &[TableView]) {
        for view in tables {
            let (Some(white), Some(black)) = (&view.white, &view.black) else {
                self.tables.remove(&view.table.0);
                continue;
            };
            let line = PairingLine {
                table: view.table.0,
                white: self.player(white),
                black: self.player(black),
                result: view.result.clone(),
            };
            self.tables.insert(line.table, line);
        }
    }

    fn player(&self, player: &PlayerView) -> PublicPlayer {
        PublicPlayer {
            no: player.no.0,
            name: self.names.then(|| player.name.clone()),
        }
    }

    /// What may be shown now.
    pub(super) fn view(&self) -> PairingsView {
        let public = self.round.as_ref().filter(|round| round.published);
        PairingsView {
            event: self.event.as_ref().map(|event| event.name.clone()),
            zone: self.event.as_ref().and_then(|event| event.zone.clone()),
            rounds: self.event.as_ref().map(|event| event.rounds),
            round: self.round.as_ref().map(|round| round.number.0),
            published: public.is_some(),
            starts_at: public.and_then(|round| round.starts_at),
            started_at: public.and_then(|round| round.started_at),
            tables: match public {
                Some(_) => self.tables.values().cloned().collect(),
                None => Vec::new(),
            },
            bye: public
                .and_then(|round| round.bye.as_ref())
                .map(|player| self.player(player)),
        }
    }
}
