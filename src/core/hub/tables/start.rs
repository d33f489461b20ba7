//! From which position the games start.

use crate::{
    chess::{Start, Variant},
    hub::{
        Hub,
        alerts::Cause,
        command::Refused,
        event::{AlertKind, BoardFact},
        view::Severity,
    },
    types::{Now, TableNo},
};

impl Hub {
    /// By which rules the event is played.
    pub(super) fn variant(&self) -> Variant {
        self.state
            .set_up
            .as_ref()
            .map_or(Variant::Standard, |set_up| set_up.settings.variant)
    }

    /// An arbiter says from which position the game at a table starts, or all games of the round.
    pub(in crate::hub) fn set_start_position(
        &mut self,
        now: Now,
        table: Option<TableNo>,
        number: Option<u16>,
        fen: Option<&str>,
        by: &str,
    ) -> Result<(), Refused> {
        let start = self.start_asked(number, fen)?;
        let tables = self.tables_to_start(table)?;
        for table in tables {
            let fact = BoardFact::StartsFrom {
                fen: start.fen(),
                variant: start.variant(),
                number: start.number().filter(|_| number.is_some()),
                by: Some(by.to_owned()),
            };
            self.board(now, table, fact);
            self.clear_table(now, table, &[AlertKind::WrongSetUp, AlertKind::Disturbed]);
            let wire = self.live.get_mut(table).and_then(|live| live.wire.take());
            self.live.insert(table, self.new_live(table));
            self.show(now, table, wire);
        }
        Ok(())
    }

    fn start_asked(&self, number: Option<u16>, fen: Option<&str>) -> Result<Start, Refused> {
        let variant = self.variant();
        let start = match (number, fen) {
            (Some(_), None) if variant == Variant::Standard => {
                return Err(Refused::Conflict(
                    "this event is not played as Chess960: its setting is variant = \"standard\""
                        .to_owned(),
                ));
            }
            (Some(number), None) => Start::chess960(number),
            (None, Some(fen)) => Start::from_fen(fen, variant),
            _ => {
                return Err(Refused::Invalid(
                    "give either the number of a start position or a FEN".to_owned(),
                ));
            }
        };
        start.map_err(|error| Refused::Invalid(error.to_string()))
    }

    /// The tables whose games may still start from elsewhere.
    fn tables_to_start(&self, table: Option<TableNo>) -> Result<Vec<TableNo>, Refused> {
        let round = self
            .state
            .round()
            .ok_or_else(|| Refused::Conflict("no round is paired yet".to_owned()))?;
        if !round.published || round.closed_at.is_some() {
            let state = if round.published {
                "closed"
            } else {
                "a draft: publish it first"
            };
            return Err(Refused::Conflict(format!(
                "round {} is {state}",
                round.number
            )));
        }
        let tables = match table {
            Some(table) if !round.games.contains_key(&table) => {
                return Err(Refused::NotFound {
                    what: "game at table",
                    id: table.to_string(),
                });
            }
            Some(table) => vec![table],
            // Who has lost by forfeit needs no position.
            None => round
                .games
                .iter()
                .filter(|(_, game)| game.result.is_none())
                .map(|(table, _)| *table)
                .collect(),
        };
        let begun = tables.iter().find(|table| {
            let game = &round.games[*table];
            game.result.is_some() || !game.moves.is_empty() || !game.gaps.is_empty()
        });
        match begun {
            Some(table) => Err(Refused::Conflict(format!(
                "the game at table {table} has begun"
            ))),
            None => Ok(tables),
        }
    }

    /// A board that does not know its men is at a table whose game starts elsewhere.
    pub(super) fn tell_cannot_follow(&mut self, now: Now, table: TableNo) {
        let text = format!(
            "Table {table}: this board does not know its men and cannot follow a game from this start \
             position. The moves must be written down."
        );
        let cause = Cause::at(AlertKind::WrongSetUp, table);
        self.raise(now, cause, Severity::Warning, text, None);
    }
}
