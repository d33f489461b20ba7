//! Corrections of what was public: what each would do, its entry in the journal, and the way back.

use std::collections::{BTreeMap, BTreeSet};

use super::{
    Hub,
    command::{AmendmentAsked, Refused},
    decide::kept,
    event::{Amended, Amendment, Details, Ended, Event, Fact, ResultSource},
    record::words,
    state::{HallState, Round},
    view::{AmendmentView, PlaceChange, StandingView},
};
use crate::{
    pairing::words::Language,
    tournament::{Bye, GameResult, Termination},
    types::{Now, PlayerNo, RoundNo, TableNo},
};

/// The longest name in a list of players.
const NAME_MAX: usize = 200;

impl Hub {
    pub(super) fn amend(
        &mut self,
        now: Now,
        asked: &AmendmentAsked,
        note: String,
        by: &str,
    ) -> Result<(), Refused> {
        let what = self.amended(asked)?;
        self.put_right(now, what, note, None, by)
    }

    pub(super) fn revert_amendment(
        &mut self,
        now: Now,
        number: u64,
        note: String,
        by: &str,
    ) -> Result<(), Refused> {
        let what = self.taken_back(number)?;
        self.put_right(now, what, note, Some(number), by)
    }

    fn put_right(
        &mut self,
        now: Now,
        what: Amended,
        note: String,
        reverts: Option<u64>,
        by: &str,
    ) -> Result<(), Refused> {
        if note.trim().is_empty() {
            return Err(Refused::Invalid(
                "say in a note why it is put right: it stands in the record".to_owned(),
            ));
        }
        let result = match &what {
            Amended::Result {
                in_round,
                board,
                after: Some(after),
                ..
            } => Some((*in_round, *board, *after)),
            _ => None,
        };
        let of_round = what.round().is_some();
        let amendment = Amendment {
            what,
            by: by.to_owned(),
            note: note.clone(),
            reverts,
        };
        let table = amendment.what.table();
        self.emit(now, table, None, Fact::Amendment(Box::new(amendment)));
        if let Some((round, board, ended)) = result {
            let fact = Fact::Result {
                result: ended.result,
                termination: ended.termination,
                source: Some(ResultSource::Arbiter),
                by: by.to_owned(),
                proposal: None,
                note: Some(note),
            };
            self.result_of = Some(round);
            self.emit(now, Some(board), None, fact);
            self.result_of = None;
        }
        if of_round {
            let next = self.next_to_publish();
            self.pair_draft_anew(now, next, by);
        }
        Ok(())
    }

    /// What a correction would do; nothing is changed.
    ///
    /// # Errors
    /// As the correction itself.
    pub fn amendment_view(
        &self,
        now: Now,
        asked: &AmendmentAsked,
        language: Language,
    ) -> Result<AmendmentView, Refused> {
        Ok(self.foreseen(now, &self.amended(asked)?, language))
    }

    /// What taking a correction back would do.
    ///
    /// # Errors
    /// When it is not there, was taken back, or something else has come over it.
    pub fn revert_view(
        &self,
        now: Now,
        number: u64,
        language: Language,
    ) -> Result<AmendmentView, Refused> {
        Ok(self.foreseen(now, &self.taken_back(number)?, language))
    }

    fn foreseen(&self, now: Now, what: &Amended, language: Language) -> AmendmentView {
        let after = self.with(now, what);
        let consequences = self.consequences(&after, what, language);
        let before: BTreeMap<PlayerNo, StandingView> = (self.standings().into_iter())
            .map(|line| (line.player.no, line))
            .collect();
        let places = after.standings().into_iter().filter_map(|line| {
            let old = before.get(&line.player.no)?;
            let same = old.place == line.place && old.points == line.points;
            (!same).then(|| PlaceChange {
                place_before: old.place,
                place_after: line.place,
                points_before: old.points.clone(),
                points_after: line.points,
                player: line.player,
            })
        });
        AmendmentView {
            text: words::amended(what, language, &|no| self.name_of(no)),
            places: places.collect(),
            consequences,
        }
    }

    /// The hub as it would be.
    fn with(&self, now: Now, what: &Amended) -> Self {
        let mut state: HallState = self.state.clone();
        let event = |seq, table, fact| Event {
            v: 1,
            id: String::new(),
            seq,
            at: now.utc,
            section: None,
            round: what.round(),
            table,
            device: None,
            request: None,
            fact,
        };
        let amendment = Amendment {
            what: what.clone(),
            by: String::new(),
            note: String::new(),
            reverts: None,
        };
        let table = what.table();
        state.apply(&event(
            self.state.seq + 1,
            table,
            Fact::Amendment(Box::new(amendment)),
        ));
        if let Amended::Result {
            after: Some(ended), ..
        } = what
        {
            let fact = Fact::Result {
                result: ended.result,
                termination: ended.termination,
                source: Some(ResultSource::Arbiter),
                by: String::new(),
                proposal: None,
                note: None,
            };
            state.apply(&event(self.state.seq + 2, table, fact));
        }
        Self::new(self.settings.clone(), state, now)
    }

    fn name_of(&self, no: PlayerNo) -> String {
        format!("{no} {}", self.player_view(no).name)
    }

    fn consequences(&self, after: &Self, what: &Amended, language: Language) -> Vec<String> {
        let mut said = Vec::new();
        if let Some(round) = what.round() {
            let later = self.state.rounds.iter().filter(|it| it.number > round);
            let (public, drafts): (Vec<&Round>, Vec<&Round>) = later.partition(|it| it.published);
            for later in public {
                said.push(words::stays_paired(later.number, language));
            }
            for draft in drafts {
                said.push(words::paired_anew(draft.number, language));
            }
        }
        match what {
            Amended::Colours { .. } => said.push(words::points_stay(language)),
            Amended::Exchanged { in_round, .. } => {
                for (white, black, rounds) in after.met_again(*in_round) {
                    let names = [self.name_of(white), self.name_of(black)];
                    said.push(words::met_again(&names, &rounds, language));
                }
            }
            Amended::Player {
                player,
                before,
                after: right,
            } => {
                said.push(words::numbers_stay(language));
                if before.name != right.name {
                    let mut others = self.state.set_up.iter().flat_map(|it| &it.players);
                    if let Some(other) =
                        others.find(|other| other.no != *player && other.name == right.name)
                    {
                        said.push(words::same_name(&self.name_of(other.no), language));
                    }
                }
            }
            Amended::Result { .. } | Amended::Bye { .. } => {}
        }
        said
    }

    /// Pairs of a round who played each other in another one as well.
    fn met_again(&self, number: RoundNo) -> Vec<(PlayerNo, PlayerNo, Vec<RoundNo>)> {
        let once = self.pairing_system().is_some_and(|it| it.is_swiss());
        let Some(round) = (self.state.rounds.iter()).find(|it| it.number == number) else {
            return Vec::new();
        };
        let pair = |a: PlayerNo, b: PlayerNo| BTreeSet::from([a, b]);
        let again = round.games.values().filter_map(|game| {
            let own = pair(game.white, game.black);
            let rounds: Vec<RoundNo> = (self.state.rounds.iter())
                .filter(|it| it.number != number && it.published)
                .filter(|it| {
                    let mut games = it.games.values();
                    games.any(|other| pair(other.white, other.black) == own)
                })
                .map(|it| it.number)
                .collect();
            (once && !rounds.is_empty()).then_some((game.white, game.black, rounds))
        });
        again.collect()
    }

    /// What is asked, with what stands now.
    fn amended(&self, asked: &AmendmentAsked) -> Result<Amended, Refused> {
        match asked {
            AmendmentAsked::Result {
                round,
                table,
                result,
                termination,
            } => self.amended_result(*round, *table, result, termination.as_deref()),
            AmendmentAsked::Colours { round, table } => {
                let before = self.public_game(*round, *table)?;
                if before.is_none() {
                    return Err(Refused::Conflict(format!(
                        "the game at table {table} has no result yet: while it is played the \
                         arbiter decides at the board; enter the result, then put the colours right"
                    )));
                }
                Ok(Amended::Colours {
                    in_round: *round,
                    board: *table,
                })
            }
            AmendmentAsked::Exchange {
                round,
                first,
                second,
            } => {
                self.known_player(*first)?;
                self.known_player(*second)?;
                if first == second {
                    return Err(Refused::Invalid("name two players".to_owned()));
                }
                let paired = self.amendable(*round)?;
                let seated = |no: PlayerNo| {
                    let mut games = paired.games.values();
                    games.find(|game| game.white == no || game.black == no)
                };
                let (one, other) = (seated(*first), seated(*second));
                if let (Some(one), Some(other)) = (one, other)
                    && std::ptr::eq(one, other)
                {
                    return Err(Refused::Conflict(format!(
                        "{first} and {second} played each other in round {round}: put the colours \
                         of their game right instead"
                    )));
                }
                if one.is_none() && other.is_none() {
                    return Err(Refused::Conflict(format!(
                        "neither {first} nor {second} played in round {round}"
                    )));
                }
                Ok(Amended::Exchanged {
                    in_round: *round,
                    first: *first,
                    second: *second,
                })
            }
            AmendmentAsked::Player {
                player,
                name,
                rating,
                fide_id,
                club,
            } => {
                self.known_player(*player)?;
                let found = self.state.player(*player).ok_or(Refused::NotFound {
                    what: "player",
                    id: player.to_string(),
                })?;
                let before = Details::of(found);
                let mut after = before.clone();
                if let Some(name) = name {
                    name.trim().clone_into(&mut after.name);
                }
                if after.name.is_empty() || after.name.chars().count() > NAME_MAX {
                    let words = format!("a name has 1 to {NAME_MAX} characters");
                    return Err(Refused::Invalid(words));
                }
                if let Some(rating) = rating {
                    after.rating = Some(*rating).filter(|rating| *rating > 0);
                }
                if after.rating.is_some_and(|rating| rating > 4000) {
                    return Err(Refused::Invalid("a rating is at most 4000".to_owned()));
                }
                if let Some(id) = fide_id {
                    after.fide_id = Some(*id).filter(|id| *id > 0);
                }
                if let Some(club) = club {
                    after.club = Some(club.trim().to_owned()).filter(|club| !club.is_empty());
                }
                if after == before {
                    return Err(nothing_changes());
                }
                Ok(Amended::Player {
                    player: *player,
                    before,
                    after,
                })
            }
            AmendmentAsked::Bye { round, player, bye } => {
                self.known_player(*player)?;
                let paired = self.amendable(*round)?;
                let before = (self.awarded(paired)).find(|awarded| awarded.player == *player);
                let Some(before) = before else {
                    return Err(Refused::Conflict(format!(
                        "player {player} has an opponent in round {round}: put the result right"
                    )));
                };
                if before.bye == *bye {
                    return Err(nothing_changes());
                }
                if before.bye == Bye::Rest || *bye == Bye::Rest {
                    return Err(Refused::Conflict(
                        "a free round of a table of rounds is worth nothing".to_owned(),
                    ));
                }
                Ok(Amended::Bye {
                    in_round: *round,
                    player: *player,
                    before: before.bye,
                    after: *bye,
                })
            }
        }
    }

    fn amended_result(
        &self,
        round: RoundNo,
        table: TableNo,
        result: &str,
        termination: Option<&str>,
    ) -> Result<Amended, Refused> {
        let parsed: Result<GameResult, crate::tournament::result::ParseResultError> =
            result.parse();
        let result = parsed.map_err(|error| Refused::Invalid(error.to_string()))?;
        let before = self.public_game(round, table)?;
        let Some(before) = before else {
            return Err(Refused::Conflict(format!(
                "the game at table {table} in round {round} has no result yet: enter it"
            )));
        };
        let termination = match termination {
            None => kept(before.result, before.termination, result),
            Some(text) => serde_json::from_value::<Termination>(text.into())
                .map_err(|_| Refused::Invalid(format!("{text:?} is no way to end a game")))?,
        };
        let after = Ended {
            result,
            termination,
        };
        if after == before {
            return Err(nothing_changes());
        }
        Ok(Amended::Result {
            in_round: round,
            board: table,
            before: Some(before),
            after: Some(after),
        })
    }

    /// A round that is public.
    fn amendable(&self, number: RoundNo) -> Result<&Round, Refused> {
        let round = (self.state.rounds.iter()).find(|round| round.number == number);
        match round {
            Some(round) if round.published => Ok(round),
            Some(_) => Err(Refused::Conflict(format!(
                "round {number} is a draft: pair it again instead"
            ))),
            None => Err(Refused::NotFound {
                what: "round",
                id: number.to_string(),
            }),
        }
    }

    /// What stands of a game of a public round.
    fn public_game(&self, number: RoundNo, table: TableNo) -> Result<Option<Ended>, Refused> {
        let round = self.amendable(number)?;
        let game = round.games.get(&table).ok_or(Refused::NotFound {
            what: "game at table",
            id: table.to_string(),
        })?;
        Ok(game.result.map(|(result, termination)| Ended {
            result,
            termination,
        }))
    }

    /// What takes a correction back, if what it put right still stands.
    fn taken_back(&self, number: u64) -> Result<Amended, Refused> {
        let amendments = &self.state.amendments;
        let Some(amendment) = amendments.all.get(&number) else {
            return Err(Refused::NotFound {
                what: "correction",
                id: number.to_string(),
            });
        };
        if amendments.is_reverted(number) {
            return Err(Refused::Conflict(format!(
                "correction {number} was taken back already"
            )));
        }
        let stands = match &amendment.what {
            Amended::Result {
                in_round,
                board,
                after,
                ..
            } => self.public_game(*in_round, *board)? == *after,
            Amended::Player { player, after, .. } => {
                (self.state.player(*player)).is_some_and(|player| Details::of(player) == *after)
            }
            Amended::Bye {
                in_round,
                player,
                after,
                ..
            } => {
                let round = self.amendable(*in_round)?;
                (self.awarded(round)).any(|it| it.player == *player && it.bye == *after)
            }
            Amended::Colours { .. } | Amended::Exchanged { .. } => {
                // Those that came later build on it.
                let touched = amendment.what.round();
                let mut later = amendments.all.range(number + 1..);
                !later.any(|(seq, it)| {
                    it.what.round() == touched
                        && it.reverts.is_none()
                        && !amendments.is_reverted(*seq)
                })
            }
        };
        if stands {
            return Ok(amendment.what.inverse());
        }
        Err(Refused::Conflict(format!(
            "something else was put right since correction {number}: take that back first, or \
             correct it directly"
        )))
    }
}

fn nothing_changes() -> Refused {
    Refused::Conflict("that is what stands already".to_owned())
}
