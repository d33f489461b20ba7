//! One table: board, clock and two players, driven by time alone.

use std::{
    collections::{BTreeMap, VecDeque},
    time::Duration,
};

use serde::Serialize;
use shakmaty::{Board, Color};

use crate::{
    board::{Noise, SimBoard, pieces},
    clock::{Button, Side, SimClock, TimeControl},
    games::{self, Outcome, Pace},
    hands::{Action, Hands, Incidents, Note, Situation, Timed},
    make::{Front, Make},
    seed,
};

/// What a table is made of.
#[derive(Debug, Clone)]
pub struct TableConfig {
    /// Seed of the hall.
    pub seed: u64,
    /// Number of the table.
    pub table: u16,
    /// White sits at the other side of the board: the wire numbers are turned by 180°, and so is the
    /// clock.
    pub turned: bool,
    /// Time on the clock.
    pub control: TimeControl,
    /// What people do.
    pub incidents: Incidents,
    /// How badly the board reads its men.
    pub noise: Noise,
}

/// What was really played, to be compared with what a hub makes of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct GameTruth {
    /// Round number.
    pub round: u32,
    /// Table number.
    pub table: u16,
    /// Number of the game in the library.
    pub game: usize,
    /// Moves completed so far, as in `e7e8q`; castling as the king's step.
    pub moves: Vec<String>,
    /// The same in algebraic notation.
    pub san: Vec<String>,
    /// Time left to the mover after each move, increment included, in milliseconds.
    pub clock_ms: Vec<u64>,
    /// `1-0`, `0-1`, `1/2-1/2`, or `*` while the game goes on.
    pub result: String,
    /// `checkmate`, `stalemate`, `dead position`, `resignation`, `agreement`, `time forfeit`, or empty.
    pub termination: String,
    /// Illegal moves that were completed with a press.
    pub illegal_attempts: u32,
    /// `white` or `black` when a flag fell.
    pub flag: Option<String>,
    /// How often an arbiter changed a time.
    pub corrections: u32,
    /// How often the clock was stopped to call an arbiter before the game was over.
    pub arbiter_calls: u32,
    /// How often pieces were knocked over.
    pub knocked_over: u32,
    /// How often a completed move was taken back by agreement.
    pub taken_back: u32,
    /// White's time has been started.
    pub started: bool,
    /// The game is over, the result was shown and the start position stands again.
    pub finished: bool,
}

/// Something that happened at a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TableEvent {
    /// Since the start of the simulation.
    pub at: Duration,
    /// Table number.
    pub table: u16,
    /// Round number.
    pub round: u32,
    /// What.
    pub note: Note,
}

/// A table, its players and the book of what they played.
#[derive(Debug)]
pub struct TableSim {
    config: TableConfig,
    board: SimBoard,
    make: Make,
    /// What speaks for a board that is not DGT's.
    front: Option<Box<dyn Front>>,
    now: Duration,
    stands: Board,
    hands: Option<Hands>,
    pending: VecDeque<Timed>,
    round: u32,
    book: BTreeMap<u32, GameTruth>,
    events: VecDeque<TableEvent>,
}

impl TableSim {
    /// A table with the pieces set up, the clock set and nobody there.
    pub fn new(config: TableConfig) -> Self {
        Self::of(config, Make::Dgt)
    }

    /// The same with a board of this maker. Only DGT boards let a host read the clock.
    pub fn of(config: TableConfig, make: Make) -> Self {
        let front = make.front(config.seed, config.table);
        let clock = SimClock::new(config.control.clone());
        let cells = pieces::start(config.turned);
        let mut board = SimBoard::new(config.seed, config.table, clock, cells);
        let white = side_of(Color::White, config.turned);
        board.touch_clock(Duration::ZERO, |clock| clock.reset(Duration::ZERO, white));
        board.set_noise(Duration::ZERO, config.noise);
        Self {
            config,
            board,
            make,
            front,
            now: Duration::ZERO,
            stands: Board::new(),
            hands: None,
            pending: VecDeque::new(),
            round: 0,
            book: BTreeMap::new(),
            events: VecDeque::new(),
        }
    }

    /// How the table is made.
    pub fn config(&self) -> &TableConfig {
        &self.config
    }

    /// Who made the board.
    pub fn make(&self) -> Make {
        self.make
    }

    /// The board and its clock.
    pub fn board(&self) -> &SimBoard {
        &self.board
    }

    /// The board and its clock, to unplug it or make noise.
    pub fn board_mut(&mut self) -> &mut SimBoard {
        &mut self.board
    }

    /// What stands on the board as the players see it.
    pub fn placement(&self) -> &Board {
        &self.stands
    }

    /// The players of `round` start their game: the one with number `game` in the library, else the one
    /// that seed, round and table choose. A game that still goes on is abandoned.
    pub fn start_round(&mut self, now: Duration, round: u32, game: Option<usize>) {
        self.handle_timeout(now);
        let TableConfig { seed, table, .. } = self.config;
        let number = game.unwrap_or_else(|| games::pick(seed, round, table));
        let Some(game) = games::library().get(number) else {
            return;
        };
        if let Some(front) = &mut self.front {
            front.begin();
        }
        let (base, increment) = self.config.control.budget();
        let rng = seed::rng(seed, &[PLAYERS, u64::from(round), u64::from(table)]);
        let pace = Pace { base, increment };
        self.hands = Some(Hands::new(game, pace, self.config.incidents.clone(), rng));
        self.pending.clear();
        self.round = round;
        self.book
            .insert(round, GameTruth::new(round, table, number));
        self.plan(now);
    }

    /// What has been played in a round, if the table took part.
    pub fn truth(&self, round: u32) -> Option<&GameTruth> {
        self.book.get(&round)
    }

    /// Sets the clock to another time control, for the rounds to come.
    pub fn set_control(&mut self, now: Duration, control: TimeControl) {
        self.handle_timeout(now);
        self.board
            .touch_clock(now, |clock| clock.set_control(now, control.clone()));
        self.config.control = control;
    }

    /// Bytes from the host.
    pub fn handle_bytes(&mut self, now: Duration, bytes: &[u8]) {
        self.handle_timeout(now);
        match &mut self.front {
            Some(front) if self.board.is_on() => front.handle_bytes(now, bytes),
            Some(_) => {}
            None => self.board.handle_bytes(now, bytes),
        }
    }

    /// Lets everything happen that is due by `now`, each thing at its own instant.
    pub fn handle_timeout(&mut self, now: Duration) {
        while let Some(Timed { at, action }) = self.pending.pop_front_if(|next| next.at <= now) {
            self.now = self.now.max(at);
            self.carry_out(self.now, action);
            if self.pending.is_empty() {
                self.plan(self.now);
            }
        }
        self.now = self.now.max(now);
        self.board.handle_timeout(self.now);
        self.look();
    }

    /// The front sees what the scan has seen.
    fn look(&mut self) {
        let Some(front) = &mut self.front else {
            return;
        };
        if self.board.is_on() {
            front.handle_scan(self.now, self.board.seen());
        } else {
            front.reset(self.now);
        }
    }

    /// Bytes that have left the board by `now`, if any.
    pub fn poll_transmit(&mut self, now: Duration) -> Option<Vec<u8>> {
        self.handle_timeout(now);
        let Some(front) = &mut self.front else {
            return self.board.poll_transmit(now);
        };
        Some(front.poll_transmit(now)).filter(|bytes| !bytes.is_empty())
    }

    /// When something happens next.
    pub fn poll_timeout(&self) -> Option<Duration> {
        self.pending
            .front()
            .map(|next| next.at)
            .into_iter()
            .chain(self.board.poll_timeout())
            .chain(
                self.front
                    .as_ref()
                    .filter(|_| self.board.is_on())
                    .and_then(|it| it.poll_timeout()),
            )
            .min()
    }

    /// What has happened since the last call, oldest first.
    pub fn poll_event(&mut self) -> Option<TableEvent> {
        self.events.pop_front()
    }

    fn plan(&mut self, now: Duration) {
        let Some(hands) = &mut self.hands else { return };
        let turned = self.config.turned;
        let face = self.board.touch_clock(now, |clock| clock.face(now).clone());
        let left = |color| face.side(side_of(color, turned)).left;
        let seen = Situation {
            now,
            board: self.stands.clone(),
            white_left: left(Color::White),
            black_left: left(Color::Black),
        };
        self.pending = hands.next(&seen).into();
        if self.pending.is_empty() {
            self.hands = None;
        }
    }

    fn carry_out(&mut self, now: Duration, action: Action) {
        let turned = self.config.turned;
        let side = |color| side_of(color, turned);
        match action {
            Action::Lift(square) => {
                self.stands.discard_piece_at(square);
                self.board.set_square(now, pieces::index(square, turned), 0);
            }
            Action::Put(square, piece) => {
                self.stands.set_piece_at(square, piece);
                self.board
                    .set_square(now, pieces::index(square, turned), pieces::code(piece));
            }
            Action::Press(color) => {
                self.board.press(now, side(color));
            }
            Action::Start => {
                self.board.touch_clock(now, |clock| clock.start(now));
                self.board.press_button(now, Button::Run);
            }
            Action::Stop => {
                self.board.touch_clock(now, |clock| clock.stop(now));
                self.board.press_button(now, Button::Run);
            }
            Action::ResetClock => {
                self.board
                    .touch_clock(now, |clock| clock.reset(now, side(Color::White)));
            }
            Action::AddTime(color, time) => self.edit(now, color, |left| left + time),
            Action::TakeTime(color, time) => {
                self.edit(now, color, |left| left.saturating_sub(time));
            }
            Action::Note(note) => self.write_down(now, note),
        }
    }

    fn edit(&mut self, now: Duration, color: Color, change: impl FnOnce(Duration) -> Duration) {
        let side = side_of(color, self.config.turned);
        self.board.touch_clock(now, |clock| {
            let left = clock.face(now).side(side).left;
            clock.edit(now, side, change(left));
        });
    }

    fn write_down(&mut self, now: Duration, note: Note) {
        let turned = self.config.turned;
        let Some(truth) = self.book.get_mut(&self.round) else {
            return;
        };
        match &note {
            Note::Started => truth.started = true,
            Note::Moved { color, uci, san } => {
                truth.moves.push(uci.clone());
                truth.san.push(san.clone());
                let side = side_of(*color, turned);
                let left = self
                    .board
                    .touch_clock(now, |clock| clock.face(now).side(side).left);
                truth.clock_ms.push(left.as_millis() as u64);
            }
            Note::Illegal { .. } => truth.illegal_attempts += 1,
            Note::ArbiterCalled => truth.arbiter_calls += 1,
            Note::Corrected => truth.corrections += 1,
            Note::KnockedOver => truth.knocked_over += 1,
            Note::Over {
                outcome,
                ending,
                flag,
            } => {
                truth.result = outcome.as_str().into();
                truth.termination = ending.name().into();
                truth.flag = flag.map(|color| color.to_string());
            }
            Note::TakenBack => truth.taken_back += 1,
            Note::ResultShown => {}
            Note::Finished => truth.finished = true,
        }
        let (table, round) = (self.config.table, self.round);
        self.events.push_back(TableEvent {
            at: now,
            table,
            round,
            note,
        });
    }
}

impl GameTruth {
    fn new(round: u32, table: u16, game: usize) -> Self {
        Self {
            round,
            table,
            game,
            moves: Vec::new(),
            san: Vec::new(),
            clock_ms: Vec::new(),
            result: "*".to_owned(),
            termination: String::new(),
            illegal_attempts: 0,
            flag: None,
            corrections: 0,
            arbiter_calls: 0,
            knocked_over: 0,
            taken_back: 0,
            started: false,
            finished: false,
        }
    }

    /// The result as a value, when there is one.
    pub fn outcome(&self) -> Option<Outcome> {
        match self.result.as_str() {
            "1-0" => Some(Outcome::Win(Color::White)),
            "0-1" => Some(Outcome::Win(Color::Black)),
            "1/2-1/2" => Some(Outcome::Draw),
            _ => None,
        }
    }
}

/// The clock stands at the connector, which is at White's left: left is White, unless turned.
pub fn side_of(color: Color, turned: bool) -> Side {
    if (color == Color::White) == turned {
        Side::Right
    } else {
        Side::Left
    }
}

const PLAYERS: u64 = 0x0070_6c61_7965;
