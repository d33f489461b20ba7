//! The game's page as a fold of the journal's events of one table in one round (R-RS-4).
//!
//! The hall's state keeps of a game what the hub needs to go on. Who must decide a dispute needs the
//! rest as well: what was withdrawn, who took an alert, who decided what and when. That is read back from
//! the journal when somebody asks.

mod correction;
mod notes;
mod touch;

use std::collections::BTreeMap;

use jiff::Timestamp;
use shakmaty::{Chess, EnPassantMode, Position as _, fen::Fen, uci::UciMove};

use super::{
    Hub,
    decide::name,
    event::{BoardFact, Event, Fact, Times},
    state::{Early, Game},
    view::{SheetEnd, SheetMove, SheetNote, SheetPlayer, SheetView},
    views::word,
};
use crate::{
    chess::MoveMade,
    clock::TimeControl,
    types::{Color, PlayerNo, RoundNo, TableNo},
};

/// A game's page in the making.
#[derive(Clone, Debug)]
pub struct Sheet {
    view: SheetView,
    control: Option<TimeControl>,
    since: u64,
    game: Game,
    /// The places in `view.moves` of the moves that stand.
    standing: Vec<usize>,
    /// The note that tells of an alert or a proposal, by its number.
    notes: BTreeMap<u64, usize>,
    /// Whose illegal move a proposal is about.
    accused: BTreeMap<u64, Color>,
    stopped_at: Option<Timestamp>,
    /// A press, by the number of its event, that no move has answered for yet.
    early: Option<(u64, Early)>,
    /// The proposal that the result rests on.
    rests_on: Option<u64>,
    /// Men lifted and put back since the last move.
    touched: Vec<touch::Touched>,
}

impl Hub {
    /// The page of a game before its events are read: it takes those of its table in its round from
    /// [`Sheet::since`] on. `None` without such a game.
    pub fn sheet(&self, table: TableNo, round: Option<RoundNo>) -> Option<Sheet> {
        let set_up = self.state.set_up.as_ref()?;
        let round = match round {
            None => self.state.round()?,
            Some(number) => self.round_of(number)?,
        };
        let game = round.games.get(&table)?;
        let settings = &set_up.settings;
        let player = |no: PlayerNo| {
            let known = self.state.player(no);
            SheetPlayer {
                no,
                name: self.player_view(no).name,
                title: known.and_then(|it| it.title).map(|title| title.to_string()),
                rating: known.and_then(|it| it.rating),
            }
        };
        let game = Game::new(game.white, game.black);
        Some(Sheet {
            view: SheetView {
                table,
                round: round.number,
                rounds: self
                    .state
                    .rounds
                    .iter()
                    .filter(|round| round.games.contains_key(&table))
                    .map(|round| round.number)
                    .collect(),
                event: settings.name.clone(),
                time_control: settings.time_control.clone().unwrap_or_default(),
                zone: Some(&settings.schedule.zone)
                    .filter(|zone| !zone.is_empty())
                    .cloned(),
                white: player(game.white),
                black: player(game.black),
                round_started_at: round.started_at,
                clock_started_at: None,
                result: None,
                termination: None,
                result_at: None,
                illegal: (0, 0),
                moves: Vec::new(),
                notes: Vec::new(),
                end: SheetEnd {
                    position: String::new(),
                    last_uci: None,
                    white_ms: None,
                    black_ms: None,
                    frozen_at: None,
                },
            },
            control: set_up.control(),
            since: round.since,
            game,
            standing: Vec::new(),
            notes: BTreeMap::new(),
            accused: BTreeMap::new(),
            stopped_at: None,
            early: None,
            rests_on: None,
            touched: Vec::new(),
        })
    }
}

impl Sheet {
    /// The event from which on the journal tells of this game.
    pub fn since(&self) -> u64 {
        self.since
    }

    /// The table and the round whose events it takes.
    pub fn of(&self) -> (TableNo, RoundNo) {
        (self.view.table, self.view.round)
    }

    /// Takes the next event in; those of other games are passed over.
    pub fn apply(&mut self, event: &Event) {
        let ours = event.seq >= self.since
            && event.table == Some(self.view.table)
            && event.round == Some(self.view.round);
        if !ours {
            return;
        }
        let moves_before = self.game.moves.len();
        self.game.apply(event);
        // What was touched before moves were missed or taken back is forgotten.
        if matches!(
            event.fact,
            Fact::Withdrawn { .. } | Fact::Board(BoardFact::Gap { .. } | BoardFact::Ready { .. })
        ) {
            self.touched.clear();
        }
        match &event.fact {
            Fact::Board(BoardFact::Ready { .. }) => {
                let anew = moves_before > 0;
                self.withdraw_from(0, event.at);
                let text = if anew {
                    "The start position was set up again: the game begins anew."
                } else {
                    "The start position stands on the board."
                };
                self.note(event, "board", text);
            }
            Fact::Move(made) => {
                let index = usize::from(made.ply).saturating_sub(1);
                self.withdraw_from(index, event.at);
                self.judge_touched(made);
                self.push(event, made);
                let played = self.game.moves.get(index);
                if let Some((at, times)) = played.and_then(|it| Some((it.pressed_at?, it.times?))) {
                    // The press came first: it was this move's.
                    self.pressed(index, at, times);
                    self.early = None;
                }
            }
            Fact::Withdrawn { ply, replaced_by } => {
                let words = self.withdrawn_words(*ply, replaced_by.as_ref());
                self.withdraw_from(usize::from(*ply).saturating_sub(1), event.at);
                self.note(event, "withdrawn", words);
                if let Some(made) = replaced_by {
                    self.push(event, made);
                }
            }
            // When it was pressed nobody knows.
            Fact::Press { recalled: true, .. } => {}
            Fact::Press {
                ply, side, times, ..
            } => {
                let index = usize::from(*ply).checked_sub(1);
                let answered = index
                    .and_then(|index| self.game.moves.get(index))
                    .is_some_and(|played| played.pressed_at == Some(event.at));
                // The mover's own, a second time, perhaps after a take-back.
                let again = self.game.ahead == 0
                    && index.and_then(|index| self.game.sides().nth(index)) == Some(*side);
                if let Some(index) = index.filter(|_| answered) {
                    self.pressed(index, event.at, *times);
                } else if again {
                    let text = format!("{} pressed the clock again.", name(*side));
                    let note = self.note(event, "clock", text);
                    (note.white_ms, note.black_ms) = split(Some(*times));
                } else {
                    self.note_early();
                    let early = Early {
                        side: *side,
                        times: *times,
                        at: event.at,
                        steady: false,
                    };
                    self.early = Some((event.seq, early));
                }
            }
            fact => self.note_fact(event, fact),
        }
        if self.game.early.is_none() {
            self.note_early();
        }
    }

    fn push(&mut self, event: &Event, made: &MoveMade) {
        let index = usize::from(made.ply).saturating_sub(1);
        // It was not that move's press after all.
        if let Some(own) = index.checked_sub(2)
            && self
                .game
                .moves
                .get(own)
                .is_some_and(|it| it.pressed_at.is_none())
            && let Some(place) = self.standing.get(own)
        {
            let played = &mut self.view.moves[*place];
            (played.pressed_at, played.white_ms, played.black_ms) = (None, None, None);
        }
        self.standing.truncate(index);
        self.standing.push(self.view.moves.len());
        self.view.moves.push(SheetMove {
            seq: event.seq,
            number: number(&self.game, index),
            side: made.side,
            san: made.san.clone(),
            uci: made.uci.clone(),
            at: event.at,
            pressed_at: None,
            white_ms: None,
            black_ms: None,
            spent_ms: None,
            inferred: made.inferred,
            withdrawn_at: None,
        });
    }

    fn withdraw_from(&mut self, index: usize, at: Timestamp) {
        for place in self.standing.split_off(index.min(self.standing.len())) {
            self.view.moves[place].withdrawn_at = Some(at);
        }
    }

    fn pressed(&mut self, index: usize, at: Timestamp, times: Times) {
        if let Some(place) = self.standing.get(index) {
            let played = &mut self.view.moves[*place];
            played.pressed_at = Some(at);
            played.white_ms = Some(times.white.as_millis() as u64);
            played.black_ms = Some(times.black.as_millis() as u64);
        }
    }

    /// The page as far as the events went.
    pub fn finish(mut self) -> SheetView {
        self.note_early();
        let end = self.end();
        let Self {
            mut view,
            control,
            game,
            standing,
            ..
        } = self;
        for (index, place) in standing.into_iter().enumerate() {
            let spent = game.spent(index, view.moves[place].side, control.as_ref());
            view.moves[place].spent_ms = spent.map(|spent| spent.as_millis() as u64);
        }
        view.end = end;
        view.notes.sort_by_key(|note| note.seq);
        view.clock_started_at = game.clock_from.map(|(at, _)| at);
        view.result = game.result.map(|(result, _)| result.as_str().to_owned());
        view.termination = game.result.map(|(_, how)| word(how));
        view.result_at = game.result_at;
        view
    }

    /// What was frozen for the result that stands, else where the moves have led.
    fn end(&self) -> SheetEnd {
        let note: Option<&SheetNote> = self
            .rests_on
            .and_then(|proposal| self.notes.get(&proposal))
            .map(|place| &self.view.notes[*place]);
        let last_uci = self.game.moves.last().map(|played| played.uci.to_string());
        let position = position(&self.game);
        if let Some(note) = note
            && let Some(frozen) = &note.position
        {
            return SheetEnd {
                last_uci: last_uci.filter(|_| same_place(frozen, &position)),
                position: frozen.clone(),
                white_ms: note.white_ms,
                black_ms: note.black_ms,
                frozen_at: Some(note.at),
            };
        }
        let (white_ms, black_ms) = split(self.game.times);
        SheetEnd {
            position,
            last_uci,
            white_ms,
            black_ms,
            frozen_at: None,
        }
    }
}

fn split(times: Option<Times>) -> (Option<u64>, Option<u64>) {
    (
        times.map(|times| times.white.as_millis() as u64),
        times.map(|times| times.black.as_millis() as u64),
    )
}

fn same_place(a: &str, b: &str) -> bool {
    a.split(' ').next() == b.split(' ').next()
}

/// The number of half-move `index` (from 0), as the position before it counts.
fn number(game: &Game, index: usize) -> u16 {
    let mut known = (0, 1_usize, 0);
    let before = game
        .gaps
        .iter()
        .filter(|gap| usize::from(gap.after) <= index);
    let gaps = before.map(|gap| (gap.after, gap.fen.as_deref().unwrap_or_default()));
    for (after, fen) in game.start_fen().map(|fen| (0, fen)).into_iter().chain(gaps) {
        let mut fields = fen.split(' ').skip(1);
        if let Some(turn) = fields.next()
            && let Some(first) = fields.nth(3).and_then(|number| number.parse().ok())
        {
            known = (usize::from(after), first, usize::from(turn == "b"));
        }
    }
    let (after, first, black) = known;
    let half_moves = index - after + black;
    u16::try_from(first + half_moves / 2).unwrap_or(u16::MAX)
}

/// Where the moves have led: FEN. Behind a gap that nobody can go on from, where they led before it.
fn position(game: &Game) -> String {
    let mode = game.variant().castling();
    let parsed = |fen: &str| fen.parse::<Fen>().ok()?.into_position::<Chess>(mode).ok();
    let mut at = game.start_fen().and_then(parsed).unwrap_or_default();
    let gap_after = |index: usize| {
        let mut gaps = game.gaps.iter();
        let fen = gaps
            .find(|gap| usize::from(gap.after) == index)?
            .fen
            .as_ref()?;
        parsed(fen)
    };
    for (index, played) in game.moves.iter().enumerate() {
        if let Some(known) = gap_after(index) {
            at = known;
        }
        let uci: Result<UciMove, _> = played.uci.parse();
        // The journal holds only moves that the tracker made, so they are legal.
        if let Some(legal) = uci.ok().and_then(|uci| uci.to_move(&at).ok()) {
            at.play_unchecked(legal);
        }
    }
    if let Some(known) = gap_after(game.moves.len()) {
        at = known;
    }
    Fen::from_position(&at, EnPassantMode::Legal).to_string()
}

/// `12. Nf3` or `12… Nf6`.
fn move_words(number: u16, side: Color, san: &str) -> String {
    let dots = side.fold_wb(".", "…");
    format!("{number}{dots} {san}")
}
