//! The event's table and figures, for pages, files and the closing report (R-AR-3).

use std::collections::BTreeMap;

use super::{
    Hub,
    event::SetUp,
    state::Round,
    view::{CellView, EventFigures, EventLine, EventTable, FigureView, RoundFigures, TableState},
};
use crate::{
    pairing::words::Language,
    tournament::{
        Player,
        standings::{Cell, CellKind, Detail, TieBreak, standings, words},
    },
    types::{Color, PlayerNo, RoundNo, TableNo},
};

impl Hub {
    /// The standings after the results that stand, with each player's rounds; in a language each figure
    /// says what it is made of. `None` before an event is set up.
    pub fn event_table(&self, language: Option<Language>) -> Option<EventTable> {
        let set_up = self.state.set_up.as_ref()?;
        let settings = &set_up.settings;
        let round = self.next_to_publish().0 - 1;
        Some(EventTable {
            event: settings.name.clone(),
            section: settings.section.to_string(),
            system: settings.system.name().to_owned(),
            time_control: settings.time_control.clone(),
            rounds: self.rounds(),
            round,
            state: self.table_state(),
            draft: (self.state.round().filter(|round| !round.published)).map(|round| round.number),
            tie_breaks: settings
                .tie_breaks
                .iter()
                .map(TieBreak::to_string)
                .collect(),
            lines: self.event_lines(set_up, RoundNo(round), language),
        })
    }

    fn public(&self) -> impl DoubleEndedIterator<Item = &Round> {
        self.state.rounds.iter().filter(|round| round.published)
    }

    fn table_state(&self) -> TableState {
        let Some(last) = self.public().next_back() else {
            return TableState::Empty;
        };
        let is_last = self.rounds().is_some_and(|rounds| last.number.0 >= rounds);
        match last.closed_at {
            None => TableState::Running {
                open: u16::try_from(last.open_tables().count()).unwrap_or(u16::MAX),
            },
            Some(_) if is_last => TableState::Final,
            Some(_) => TableState::Closed,
        }
    }

    fn event_lines(
        &self,
        set_up: &SetUp,
        last: RoundNo,
        language: Option<Language>,
    ) -> Vec<EventLine> {
        let order = &set_up.settings.tie_breaks;
        let detail = match language {
            Some(_) => Detail::Terms,
            None => Detail::Values,
        };
        let players: BTreeMap<PlayerNo, &Player> = (set_up.players.iter())
            .map(|player| (player.no, player))
            .collect();
        let seats: BTreeMap<(RoundNo, PlayerNo), Seat> = self.public().flat_map(seats).collect();
        let table = self.crosstable(set_up);
        let rows: BTreeMap<PlayerNo, &[Cell]> = (table.rows().iter())
            .map(|row| (row.no, row.cells.as_slice()))
            .collect();
        let lines = standings(&table, order, detail).into_iter();
        lines
            .filter_map(|line| {
                let figures = (order.iter().zip(&line.figures)).map(|(code, figure)| FigureView {
                    text: figure.text(*code),
                    explained: language
                        .map(|language| words::explain(*code, figure, language))
                        .unwrap_or_default(),
                });
                let own = rows.get(&line.player).copied().unwrap_or_default();
                let cells = (1..=last.0).map(RoundNo).map(|round| {
                    let seat = seats.get(&(round, line.player));
                    cell_view(round, own.get(usize::from(round.0) - 1), seat)
                });
                Some(EventLine {
                    place: line.rank,
                    shared: line.shared,
                    player: (*players.get(&line.player)?).clone(),
                    withdrawn: self.state.has_left(line.player, RoundNo(last.0 + 1)),
                    struck_out: line.struck_out,
                    points: line.points.decimal(1),
                    figures: figures.collect(),
                    cells: cells.collect(),
                })
            })
            .collect()
    }

    /// The event in figures.
    pub fn event_figures(&self) -> EventFigures {
        let Some(set_up) = &self.state.set_up else {
            return EventFigures::default();
        };
        let mut figures = EventFigures {
            players: set_up.players.len(),
            ..EventFigures::default()
        };
        let mut sum = 0_usize;
        let next = self.next_to_publish();
        for player in &set_up.players {
            if let Some(rating) = player.rating {
                figures.rated += 1;
                sum += usize::from(rating);
            }
            if let Some(federation) = &player.federation {
                *figures.federations.entry(federation.clone()).or_default() += 1;
            }
            if let Some(since) = self.state.left_since(player.no, next) {
                figures.withdrawn.insert(player.no, since);
            }
        }
        figures.average_rating = (sum + figures.rated / 2)
            .checked_div(figures.rated)
            .and_then(|mean| u16::try_from(mean).ok());
        for round in self.public() {
            let results = || round.games.values().filter_map(|game| game.result);
            for (result, termination) in results() {
                *figures.results.entry(result).or_default() += 1;
                if result.is_played() {
                    *figures.terminations.entry(termination).or_default() += 1;
                }
            }
            figures.rounds.push(RoundFigures {
                number: round.number,
                starts_at: round.starts_at,
                started_at: round.started_at,
                closed_at: round.closed_at,
                games: round.games.len(),
                open: round.open_tables().count(),
                forfeits: results().filter(|(result, _)| !result.is_played()).count(),
                unpaired: round.pairing.unpaired.len() + usize::from(round.pairing.bye.is_some()),
            });
        }
        figures
    }
}

/// Where somebody plays in a round.
struct Seat {
    table: TableNo,
    colour: Color,
    opponent: PlayerNo,
}

fn seats(round: &Round) -> impl Iterator<Item = ((RoundNo, PlayerNo), Seat)> + '_ {
    round.games.iter().flat_map(|(table, game)| {
        let seat = |colour, opponent| Seat {
            table: *table,
            colour,
            opponent,
        };
        [
            ((round.number, game.white), seat(Color::White, game.black)),
            ((round.number, game.black), seat(Color::Black, game.white)),
        ]
    })
}

/// A round of a player. The table of results ends with the last round of which one is told: a game of
/// a round that has just begun is known by its seat.
fn cell_view(round: RoundNo, cell: Option<&Cell>, seat: Option<&Seat>) -> CellView {
    let open = CellView {
        round,
        kind: CellKind::Open,
        opponent: seat.map(|seat| seat.opponent),
        colour: seat.map(|seat| seat.colour),
        score: None,
        table: seat.map(|seat| seat.table),
    };
    let Some(cell) = cell else {
        let kind = match seat {
            Some(_) => CellKind::Open,
            None => CellKind::Zero,
        };
        return CellView { kind, ..open };
    };
    if cell.kind == CellKind::Open {
        return open;
    }
    CellView {
        kind: cell.kind,
        opponent: cell.opponent,
        colour: cell.colour,
        score: (cell.kind != CellKind::Rest).then(|| cell.game_points.to_string()),
        ..open
    }
}
