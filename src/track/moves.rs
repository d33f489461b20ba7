//! Games of boards that judge moves themselves: what they tell is a move, not what hands do.
//!
//! No tracker is needed, but the same caution. A move told twice is one move. A pawn on the last rank waits
//! for the word what it became. A move that is not legal where the game stands is kept beside the record. When
//! the board shows another position than the moves lead to, moves are missing: the game goes on from there
//! once a move tells whose turn it was.

use flagfall_core::{
    chess::{
        IllegalReason, MoveMade, TrackEvent,
        placement::{difference, to_fen},
        result::proved_end,
        tracker::RestoreError,
    },
    protocol::board::Told,
    types::{Mono, Placement, Role, Square},
};
use shakmaty::{
    CastlingMode, Chess, EnPassantMode, FromSetup as _, Move, Position as _, PositionError,
    fen::Fen, san::SanPlus, uci::UciMove,
};

use super::game::{By, Game, Shown, View};

/// What the board's word for it is.
#[derive(Debug)]
enum At {
    /// This position.
    Known,
    /// These men, and the next move tells whose turn it is.
    Shown(Placement),
    /// Nothing that is known, until the board shows a position.
    Lost,
}

/// Makes games of what a board told. There is always one game at least.
///
/// # Errors
/// The position to start from is not legal.
pub fn play(told: &[(Mono, Told)], view: &View) -> Result<Vec<Game>, RestoreError> {
    let mode = view.settings.start.variant().castling();
    let start = match &view.start {
        Some(fen) => legal(fen, mode).ok_or_else(|| RestoreError::Start(fen.clone()))?,
        None => view.settings.start.position().clone(),
    };
    let mut board = Board {
        mode,
        fixed: view.start.is_some(),
        positions: vec![start.clone()],
        start,
        view: view.clone(),
        at: At::Known,
        pawn: None,
        game: Game::default(),
        games: Vec::new(),
    };
    board.begin();
    for (at, told) in told {
        match told {
            Told::Move(text) => board.hear_move(*at, text),
            Told::Promoted(role) => board.hear_promotion(*at, *role),
            Told::TakenBack(text) => board.hear_back(*at, text),
            Told::Placement(placement) => board.hear_placement(*at, placement),
            _ => {}
        }
    }
    board.close(told.last().map_or(Mono::ZERO, |(at, _)| *at));
    let mut games = board.games;
    let last = games.pop();
    games.retain(|game| !game.is_empty());
    games.extend(last.filter(|last| games.is_empty() || !last.is_empty()));
    Ok(games)
}

fn legal(fen: &str, mode: CastlingMode) -> Option<Chess> {
    let setup = fen.parse::<Fen>().ok()?.into_setup();
    // What rights are left is not known: as far as king and rooks are at home.
    Chess::from_setup(setup, mode)
        .or_else(PositionError::ignore_invalid_castling_rights)
        .ok()
}

struct Board {
    mode: CastlingMode,
    /// The position to start from was given.
    fixed: bool,
    start: Chess,
    view: View,
    /// The first position of the present stretch, and that after each move.
    positions: Vec<Chess>,
    at: At,
    /// A pawn on the last rank, and what it is to become is not told yet.
    pawn: Option<(Mono, Square, Square)>,
    game: Game,
    games: Vec<Game>,
}

impl Board {
    fn begin(&mut self) {
        self.game.turned = Some(false);
        self.game.record.variant = self.view.settings.start.variant();
        self.game.record.start = (self.start != Chess::default()).then(|| fen_of(&self.start));
        self.positions = vec![self.start.clone()];
        self.at = At::Known;
        self.pawn = None;
    }

    fn tip(&self) -> &Chess {
        // The first position is never removed.
        &self.positions[self.positions.len() - 1]
    }

    fn tell(&mut self, at: Mono, event: TrackEvent) {
        self.game.record.apply(&event, None);
        self.game.found.push((at, event));
    }

    fn made(&self) -> u16 {
        self.game.record.moves.len() as u16
    }

    fn hear_move(&mut self, at: Mono, text: &str) {
        let text = text.trim().to_ascii_lowercase();
        let Ok(
            uci @ UciMove::Normal {
                from,
                to,
                promotion,
            },
        ) = text.parse::<UciMove>()
        else {
            return;
        };
        // It is told until it is acknowledged.
        let last = self.game.record.moves.last();
        let again = last.is_some_and(|last| last.made.uci == text)
            || self.pawn.is_some_and(|(_, f, t)| (f, t) == (from, to));
        if self.pawn.is_some() && !again {
            self.lose(at);
        }
        self.find_turn(at, from);
        if !matches!(self.at, At::Known) {
            return;
        }
        let tip = self.tip();
        if let Ok(mv) = uci.to_move(tip) {
            self.play(at, mv);
            return;
        }
        if again {
            return;
        }
        let mut queen = tip
            .legal_moves()
            .into_iter()
            .filter(|mv| mv.from() == Some(from) && mv.to() == to);
        if promotion.is_none() && queen.any(|mv| mv.promotion() == Some(Role::Queen)) {
            self.pawn = Some((at, from, to));
            return;
        }
        self.claim(at, from, &text);
    }

    /// A move that is not legal where the game stands.
    fn claim(&mut self, at: Mono, from: Square, text: &str) {
        let tip = self.tip();
        let owner = tip.board().color_at(from);
        let mover = owner.unwrap_or(tip.turn());
        let reasons = if mover == tip.turn() {
            Vec::new()
        } else {
            vec![IllegalReason::OutOfTurn]
        };
        let event = TrackEvent::Illegal {
            ply: self.made() + 1,
            before: fen_of(tip),
            placement: to_fen(tip.board()),
            mover,
            offending: text.to_owned(),
            reasons,
            pressed: false,
        };
        self.tell(at, event);
    }

    fn play(&mut self, at: Mono, mv: Move) {
        let mut after = self.tip().clone();
        let side = after.turn();
        let san = SanPlus::from_move_and_play_unchecked(&mut after, mv).to_string();
        self.positions.push(after);
        self.pawn = None;
        let ply = self.made() + 1;
        let made = MoveMade {
            ply,
            side,
            uci: mv.to_uci(self.mode).to_string(),
            san,
            pressed: false,
            inferred: false,
            at,
        };
        self.tell(at, TrackEvent::Move(made));
        if let Some((reason, outcome)) = proved_end(&self.positions) {
            let event = TrackEvent::GameOver {
                ply,
                outcome,
                reason,
            };
            self.tell(at, event);
            self.game.shown.push(Shown {
                outcome,
                by: By::Board(reason),
                at,
                plies: ply,
            });
        }
    }

    fn hear_promotion(&mut self, _at: Mono, role: Role) {
        let Some((at, from, to)) = self.pawn else {
            return;
        };
        let uci = UciMove::Normal {
            from,
            to,
            promotion: Some(role),
        };
        if let Ok(mv) = uci.to_move(self.tip()) {
            self.play(at, mv);
        }
    }

    fn hear_back(&mut self, at: Mono, text: &str) {
        let text = text.trim().to_ascii_lowercase();
        let last = self.game.record.moves.last();
        let Some(ply) = last
            .filter(|last| last.made.uci == text && self.positions.len() > 1)
            .map(|last| last.made.ply)
        else {
            return;
        };
        self.positions.pop();
        self.game.shown.retain(|shown| shown.plies < ply);
        let event = TrackEvent::Withdrawn {
            from_ply: ply,
            moves: vec![text],
            replaced_by: None,
        };
        self.tell(at, event);
    }

    fn hear_placement(&mut self, at: Mono, placement: &Placement) {
        if let Some((_, from, to)) = self.pawn {
            let role = placement.role_at(to);
            if let Some(role) = role {
                let uci = UciMove::Normal {
                    from,
                    to,
                    promotion: Some(role),
                };
                let after = uci.to_move(self.tip()).ok().map(|mv| {
                    let mut after = self.tip().clone();
                    after.play_unchecked(mv);
                    after
                });
                if after.is_some_and(|after| difference(after.board(), placement).is_empty()) {
                    self.hear_promotion(at, role);
                    return;
                }
            }
            // The pawn itself may still be shown there, or on its way.
            return;
        }
        let same = |position: &Chess| difference(position.board(), placement).is_empty();
        if same(self.tip()) {
            if !matches!(self.at, At::Known) {
                let after = self.made();
                self.tell(at, TrackEvent::GapClosed { after });
                self.at = At::Known;
            }
            return;
        }
        if same(&self.start) && self.made() > 0 {
            self.close(at);
            self.begin();
            return;
        }
        if self.made() > 0 {
            self.lose(at);
        }
        self.at = At::Shown(placement.clone());
    }

    /// What stands on the board does not follow from the moves.
    fn lose(&mut self, at: Mono) {
        self.pawn = None;
        self.at = At::Lost;
        let after = self.made();
        self.tell(at, TrackEvent::Gap { after, fen: None });
    }

    /// The man that moves says whose turn it is in a position that the board has shown.
    fn find_turn(&mut self, at: Mono, from: Square) {
        let At::Shown(placement) = &self.at else {
            return;
        };
        let Some(color) = placement.color_at(from) else {
            return;
        };
        let side = color.fold_wb('w', 'b');
        let found = legal(&format!("{placement} {side} KQkq - 0 1"), self.mode);
        let Some(position) = found else { return };
        let fen = fen_of(&position);
        self.positions = vec![position];
        self.at = At::Known;
        if self.made() == 0 && !self.fixed && self.game.record.gaps.is_empty() {
            self.game.record.start = Some(fen);
        } else {
            let (after, fen) = (self.made(), Some(fen));
            self.tell(at, TrackEvent::Gap { after, fen });
        }
    }

    fn close(&mut self, at: Mono) {
        if self.pawn.is_some() {
            self.lose(at);
        }
        let mut game = std::mem::take(&mut self.game);
        game.unexplained = !matches!(self.at, At::Known);
        game.fen = fen_of(self.tip());
        game.placement = Some(match &self.at {
            At::Shown(placement) => placement.clone(),
            At::Known | At::Lost => self.tip().board().clone(),
        });
        self.games.push(game);
    }
}

fn fen_of(position: &Chess) -> String {
    Fen::from_position(position, EnPassantMode::Legal).to_string()
}
