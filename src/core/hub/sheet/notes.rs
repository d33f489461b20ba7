//! What happened beside the moves, in words for an arbiter.

use jiff::Timestamp;

use super::{Sheet, move_words, number, split};
use crate::{
    chess::{MoveMade, Variant},
    hub::{
        decide::name,
        event::{
            AlertFact, AlertKind, BoardFact, Claim, ClaimKind, ClaimSource, ClockFact, DeviceFact,
            Disagreement, Event, Fact, FlagOrder, Outcome, Passed, Proposal, Proposed, ProtestFact,
            Reach, ResultSource, Times, Verdict,
        },
        tables::{clock_text, times_text},
        view::{SheetNote, SheetStep},
        views::word,
        words::{man, reason_words},
    },
    protocol::{ClockSide, LostReason},
    tournament::Termination,
};

impl Sheet {
    /// Adds a note; what is known beside its words is filled in afterwards.
    pub(super) fn note(
        &mut self,
        event: &Event,
        kind: &str,
        text: impl Into<String>,
    ) -> &mut SheetNote {
        self.note_at(event.seq, event.at, kind, text)
    }

    fn note_at(
        &mut self,
        seq: u64,
        at: Timestamp,
        kind: &str,
        text: impl Into<String>,
    ) -> &mut SheetNote {
        let place = self.view.notes.len();
        self.notes.insert(seq, place);
        self.view.notes.push(SheetNote {
            seq,
            at,
            kind: kind.to_owned(),
            text: text.into(),
            by: None,
            position: None,
            seen: None,
            white_ms: None,
            black_ms: None,
            steps: Vec::new(),
        });
        &mut self.view.notes[place]
    }

    fn timed(&mut self, event: &Event, kind: &str, text: impl Into<String>, times: Option<Times>) {
        let note = self.note(event, kind, text);
        (note.white_ms, note.black_ms) = split(times);
    }

    pub(super) fn said(
        &mut self,
        event: &Event,
        kind: &str,
        text: impl Into<String>,
        by: Option<&String>,
    ) {
        self.note(event, kind, text).by = by.cloned();
    }

    pub(super) fn step(&mut self, number: u64, at: Timestamp, text: String, by: Option<&str>) {
        if let Some(place) = self.notes.get(&number) {
            self.view.notes[*place].steps.push(SheetStep {
                at,
                text,
                by: by.map(ToOwned::to_owned),
            });
        }
    }

    pub(super) fn withdrawn_words(&self, ply: u16, replaced_by: Option<&MoveMade>) -> String {
        let from = usize::from(ply).saturating_sub(1);
        let gone: Vec<String> = self
            .standing
            .get(from..)
            .unwrap_or_default()
            .iter()
            .map(|place| &self.view.moves[*place])
            .map(|played| move_words(played.number, played.side, &played.san))
            .collect();
        let gone = if gone.is_empty() {
            format!("half-move {ply}")
        } else {
            gone.join(" ")
        };
        match replaced_by {
            Some(made) => format!(
                "Corrected: {gone} is {}.",
                move_words(number(&self.game, from), made.side, &made.san)
            ),
            None => format!("Taken back: {gone}."),
        }
    }

    /// A press that no move has answered for in its time.
    pub(super) fn note_early(&mut self) {
        if let Some((seq, early)) = self.early.take() {
            let side = name(early.side);
            let text = format!("{side} pressed the clock; no move was recorded for it by then.");
            let note = self.note_at(seq, early.at, "clock", text);
            (note.white_ms, note.black_ms) = split(Some(early.times));
        }
    }

    pub(super) fn note_fact(&mut self, event: &Event, fact: &Fact) {
        match fact {
            Fact::Board(fact) => self.note_board(event, fact),
            Fact::Clock(fact) => self.note_clock(event, fact),
            Fact::Flag {
                side,
                order,
                times,
                mating_material,
                unknown,
                within: _,
                control,
            } => {
                let (side, opponent) = (name(*side), side.other());
                let which = match order {
                    FlagOrder::First => format!("{side}’s flag fell first."),
                    FlagOrder::Second => format!("{side}’s flag fell second."),
                    FlagOrder::Unknown => {
                        let why =
                            unknown.map_or_else(String::new, |why| format!(": {}", why.words()));
                        format!("{side}’s flag is down; which fell first is not known{why}.")
                    }
                };
                let passed = control.filter(|passed| passed.in_time());
                if let Some(made) = passed.and_then(|passed| passed.made) {
                    let text = format!("{side} passed the control with {made} moves.");
                    return self.timed(event, "clock", text, Some(*times));
                }
                let which = which + &control.and_then(Passed::words).unwrap_or_default();
                let mate = if *mating_material.of(opponent) {
                    "has"
                } else {
                    "has not"
                };
                let text = format!("{which} {} {mate} material to mate.", name(opponent));
                self.timed(event, "flag", text, Some(*times));
            }
            Fact::Correction {
                before,
                after,
                decision,
            } => {
                let why = match decision {
                    Some(_) => "a decision explains it",
                    None => "no decision explains it",
                };
                let text = format!(
                    "The times were changed from {} / {} to {} / {}; {why}.",
                    clock_text(before.white),
                    clock_text(before.black),
                    clock_text(after.white),
                    clock_text(after.black)
                );
                self.timed(event, "correction", text, Some(*after));
            }
            Fact::CorrectionOrder(fact) => self.note_correction(event, fact),
            Fact::Call { reason, note, by } => {
                let text = match (reason.as_str(), note) {
                    ("clock-stopped", _) => {
                        "An arbiter is called: the clock stands still in the middle of the game."
                            .to_owned()
                    }
                    (_, Some(note)) => format!("An arbiter is called: {note}"),
                    (_, None) => "An arbiter is called.".to_owned(),
                };
                self.said(event, "call", text, by.as_ref());
            }
            Fact::IllegalClaim(claim) => {
                let reasons: Vec<&str> = claim.reasons.iter().map(|it| reason_words(*it)).collect();
                let text = format!(
                    "{} completed an illegal move, {}: {}.",
                    name(claim.side),
                    claim.offending,
                    reasons.join("; ")
                );
                self.timed(event, "illegal", text, claim.times);
                self.show(&claim.before, Some(&claim.seen));
            }
            Fact::Proposal(proposal) => self.note_proposal(event, proposal),
            Fact::Decision {
                proposal,
                verdict,
                by,
                note,
            } => self.note_decision(event, *proposal, *verdict, by, note.as_deref()),
            Fact::Result {
                result,
                termination,
                source,
                by,
                proposal,
                note,
            } => {
                let mut text = format!("The result is {result}{}", how(*termination));
                text += match source {
                    Some(ResultSource::Board) => ", shown by the board.",
                    Some(ResultSource::Clock) => ", shown by the clock.",
                    Some(ResultSource::Hub) => ", by the hub’s count.",
                    Some(ResultSource::Arbiter) => ", by the arbiter’s word.",
                    None => ".",
                };
                text += &quoted(" ", note.as_deref());
                self.rests_on = *proposal;
                self.said(event, "result", text, Some(by));
            }
            Fact::Alert(fact) => self.note_alert(event, fact),
            Fact::Claim(claim) => self.note_claim(event, claim),
            Fact::Protest(fact) => self.note_protest(event, fact),
            Fact::Incident { text, by } => self.said(event, "incident", text.clone(), Some(by)),
            Fact::Device(fact) => self.note_device(event, fact),
            Fact::Event(_)
            | Fact::Amendment(_)
            | Fact::Round(_)
            | Fact::Player(_)
            | Fact::Announce { .. }
            | Fact::Screen(_)
            | Fact::Move(_)
            | Fact::Withdrawn { .. }
            | Fact::Staff { .. }
            | Fact::Press { .. } => {}
        }
    }

    /// Puts positions to the last note.
    fn show(&mut self, position: &str, seen: Option<&str>) {
        if let Some(note) = self.view.notes.last_mut() {
            note.position = Some(position.to_owned());
            note.seen = seen.map(ToOwned::to_owned);
        }
    }

    fn note_board(&mut self, event: &Event, fact: &BoardFact) {
        match fact {
            BoardFact::Ready { .. } | BoardFact::ReadyAssumed => {}
            BoardFact::StartsFrom {
                fen,
                variant,
                number,
                by,
            } => {
                let text = match (number, variant) {
                    (Some(number), Variant::Chess960) => {
                        format!("Chess960, start position {number}.")
                    }
                    _ => "The game starts from here.".to_owned(),
                };
                self.said(event, "board", text, by.as_ref());
                self.show(fen, None);
            }
            BoardFact::Question { ply, before, moves } => {
                let text = format!(
                    "Several moves lead to what the board showed at half-move {ply}: {}.",
                    moves.join(", ")
                );
                self.note(event, "board", text).position = Some(before.clone());
            }
            BoardFact::Answered { moves, by } => {
                let text = format!("The game went on with {}.", moves.join(" "));
                self.said(event, "board", text, Some(by));
            }
            BoardFact::QuestionClosed { ply } => {
                let text = format!("Half-move {ply} is known, or no longer asked for.");
                self.note(event, "board", text);
            }
            BoardFact::WrongSetUp { detail, seen } => {
                self.note(event, "board", format!("Set up wrongly: {detail}."));
                self.show(seen, None);
            }
            BoardFact::Disturbed { expected, seen } => {
                self.note(
                    event,
                    "board",
                    "What stands on the board cannot be explained.",
                );
                self.show(expected, Some(seen));
            }
            BoardFact::Restored => {
                self.note(event, "board", "The board is understood again.");
            }
            BoardFact::Gap { after, fen } => {
                let text = match fen {
                    Some(_) => format!(
                        "Moves are missing after half-move {after}; the record goes on from here."
                    ),
                    None => format!("Moves may be missing after half-move {after}."),
                };
                self.note(event, "gap", text).position.clone_from(fen);
            }
            BoardFact::GapClosed { after } => {
                let text = format!("Nothing was missing after half-move {after}.");
                self.note(event, "gap", text);
            }
            BoardFact::Mismatch {
                square,
                expected,
                seen,
            } => {
                let (expected, seen) = (man(*expected), man(*seen));
                let text = format!("{square} must show {expected} and shows {seen}.");
                self.note(event, "board", text);
            }
            BoardFact::MismatchOver { square } => {
                self.note(
                    event,
                    "board",
                    format!("{square} shows the right piece again."),
                );
            }
            BoardFact::StartAgain => {
                let text = "The pieces were put back to the start position.";
                self.note(event, "board", text);
            }
            BoardFact::Note { touched, .. } if !touched.is_empty() => {
                self.note_touched(event, touched);
            }
            BoardFact::Note { detail, .. } => {
                let mut letters = detail.chars();
                let first = letters.next().map(|first| first.to_uppercase().to_string());
                let text = format!("{}{}.", first.unwrap_or_default(), letters.as_str());
                self.note(event, "board", text);
            }
        }
    }

    fn note_clock(&mut self, event: &Event, fact: &ClockFact) {
        let (text, times) = match fact {
            ClockFact::Started(times) => ("The clock runs.".to_owned(), Some(*times)),
            ClockFact::Stopped(times) => {
                self.stopped_at = Some(event.at);
                ("The clock was stopped.".to_owned(), Some(*times))
            }
            ClockFact::Restarted(times) => {
                let text = match self.stopped_at.take() {
                    Some(at) => {
                        let stood = event.at.duration_since(at).unsigned_abs();
                        format!("The clock runs again; it stood for {}.", clock_text(stood))
                    }
                    None => "The clock runs again.".to_owned(),
                };
                (text, Some(*times))
            }
            ClockFact::Gone => ("The clock is unplugged from the board.".to_owned(), None),
            ClockFact::Back => ("The clock is plugged in again.".to_owned(), None),
            ClockFact::Replaced { before, after } => (
                format!(
                    "The clock shows {} after it was out of sight; before it showed {}.",
                    times_text(*after),
                    times_text(*before)
                ),
                Some(*after),
            ),
            ClockFact::BatteryGood => ("The clock’s battery was changed.".to_owned(), None),
            ClockFact::Period {
                side,
                period,
                added,
                times,
            } => (
                format!(
                    "{}’s period {period} begins with {}.",
                    name(*side),
                    clock_text(*added)
                ),
                Some(*times),
            ),
            ClockFact::AgainstBoard(what) => {
                let text = match what {
                    Disagreement::PressMissed { running } => format!(
                        "Both sides have moved, and {}’s time runs on without a press.",
                        name(*running)
                    ),
                    Disagreement::WrongSide { running } => format!(
                        "{}’s time runs, and {} is to move.",
                        name(*running),
                        name(running.other())
                    ),
                    Disagreement::MoveCount { side, clock, board } => format!(
                        "{} has made {board} moves by the board and {clock} by the clock.",
                        name(*side)
                    ),
                };
                (text, None)
            }
            ClockFact::AgreesWithBoard => ("The clock follows the moves again.".to_owned(), None),
            ClockFact::Turned { white } => {
                let side = match white {
                    ClockSide::Left => "left",
                    ClockSide::Right => "right",
                };
                let text = format!("By the first moves the clock’s {side} side is White’s.");
                (text, None)
            }
            ClockFact::BatteryLow => ("The clock’s battery is low.".to_owned(), None),
            ClockFact::SideDoubt => (
                "The time that runs is not that of the player to move.".to_owned(),
                None,
            ),
            ClockFact::AddedAfterFlag { side, added } => (
                format!(
                    "The clock added {} s to {} after the flag fell.",
                    added.as_secs(),
                    name(*side)
                ),
                None,
            ),
            ClockFact::WrongSetting { what: _, text } => {
                (format!("The clock is set wrongly: {text}"), None)
            }
            ClockFact::SettingRight { .. } => ("The clock is set rightly.".to_owned(), None),
            ClockFact::Sample(_) => return,
        };
        self.timed(event, "clock", text, times);
    }

    fn note_proposal(&mut self, event: &Event, proposal: &Proposal) {
        if let Proposed::IllegalMove { side } = proposal.proposed {
            self.accused.insert(event.seq, side);
            // The claim stands right before it with the same words.
            let last = self.view.notes.last();
            if last.is_some_and(|note| note.kind == "illegal" && note.at == event.at) {
                self.notes.insert(event.seq, self.view.notes.len() - 1);
                return;
            }
        }
        let what = match proposal.proposed {
            Proposed::Result {
                result,
                termination,
            } => {
                format!("Proposed: {result}{}.", how(termination))
            }
            Proposed::Forfeit { result } => format!("Proposed: {result} by forfeit."),
            Proposed::IllegalMove { side } => {
                format!("Proposed: an illegal move by {}.", name(side))
            }
            Proposed::HandViolation { side } => {
                format!("Proposed: a move of {} with the wrong hand.", name(side))
            }
            Proposed::Penalty { side, bonus } => {
                let opponent = name(side.other());
                format!("Proposed: {} for {opponent}.", clock_text(bonus))
            }
            Proposed::Disqualify { player } => {
                format!("Proposed: player {player} is out of the event.")
            }
        };
        let text = format!("{what} {}", proposal.text);
        self.timed(event, "proposal", text, proposal.times);
        self.show(&proposal.position, proposal.seen.as_deref());
    }

    fn note_decision(
        &mut self,
        event: &Event,
        proposal: u64,
        verdict: Verdict,
        by: &str,
        note: Option<&str>,
    ) {
        let mut text = match verdict {
            Verdict::Accepted => "Accepted",
            Verdict::Rejected => "Rejected",
            Verdict::Overtaken => "Overtaken",
        }
        .to_owned();
        text += &quoted(": ", note);
        self.step(proposal, event.at, text, Some(by));
        if verdict == Verdict::Accepted
            && let Some(side) = self.accused.get(&proposal)
        {
            let (white, black) = &mut self.view.illegal;
            *side.fold_wb(white, black) += 1;
        }
    }

    fn note_claim(&mut self, event: &Event, claim: &Claim) {
        let what = match claim.what {
            ClaimKind::IllegalMove => "an illegal move",
            ClaimKind::Threefold => "the position for the third time",
            ClaimKind::FiftyMoves => "fifty moves without a capture or a pawn move",
            ClaimKind::Flag => "the flag",
            ClaimKind::WrongHand => "a move with the wrong hand",
            ClaimKind::WrongColours => "that the colours are wrong",
            ClaimKind::ElectronicDevice => "an electronic device",
            ClaimKind::UnfairPlay => "unfair play",
            ClaimKind::Other => "something",
        };
        let against = match claim.against {
            Some(side) if claim.what.accuses() => format!(" by {}", name(side)),
            _ => String::new(),
        };
        let at = match claim.source {
            ClaimSource::Clock => " at the clock",
            ClaimSource::Arbiter => "",
        };
        let text = format!("Claimed{at}: {what}{against}.");
        let text = text + &quoted(" ", claim.note.as_deref());
        self.said(event, "claim", text, Some(&claim.by));
    }

    fn note_protest(&mut self, event: &Event, fact: &ProtestFact) {
        match fact {
            ProtestFact::Filed { text, by, .. } => {
                let text = format!("A protest: {text}");
                self.said(event, "protest", text, Some(by));
                let last = self.view.notes.len() - 1;
                self.notes.insert(event.seq, last);
            }
            ProtestFact::Decided {
                protest,
                outcome,
                deposit_returned,
                note,
                by,
            } => {
                let outcome = match outcome {
                    Outcome::Upheld => "Upheld",
                    Outcome::Rejected => "Rejected",
                    Outcome::Withdrawn => "Withdrawn",
                };
                let deposit = if *deposit_returned {
                    "; the deposit was given back"
                } else {
                    ""
                };
                let text = format!("{outcome}{deposit}{}", quoted(": ", note.as_deref()));
                self.step(*protest, event.at, text, Some(by));
            }
        }
    }

    fn note_alert(&mut self, event: &Event, fact: &AlertFact) {
        match fact {
            AlertFact::Raised {
                about,
                text,
                proposal,
                ..
            } => {
                let told = proposal.and_then(|number| self.notes.get(&number).copied());
                let last = self.view.notes.len().checked_sub(1);
                let told = told.or_else(|| {
                    last.filter(|last| {
                        let note = &self.view.notes[*last];
                        note.at == event.at && repeats(*about, &note.kind)
                    })
                });
                match told {
                    Some(place) => {
                        self.notes.insert(event.seq, place);
                    }
                    None => {
                        self.note(event, "alert", text.clone());
                    }
                }
            }
            AlertFact::Acknowledged { alert, by } => {
                self.step(*alert, event.at, "Taken".to_owned(), Some(by));
            }
            AlertFact::Released { alert, by } => {
                self.step(*alert, event.at, "Given back".to_owned(), Some(by));
            }
            AlertFact::Escalated { alert, reach, .. } => {
                let text = match reach {
                    Reach::Zone | Reach::Neighbour => "Nobody had taken it: called again",
                    Reach::Chief => "Nobody had taken it: passed on to the chief arbiter",
                };
                self.step(*alert, event.at, text.to_owned(), None);
            }
            AlertFact::Routed { .. } => {}
            AlertFact::Closed { alert, by } => {
                // A decision has said so already, in the same moment.
                let decided = self.notes.get(alert).is_some_and(|place| {
                    let last = self.view.notes[*place].steps.last();
                    last.is_some_and(|step| step.at == event.at)
                });
                if by != "hub" && !decided {
                    self.step(*alert, event.at, "Closed".to_owned(), Some(by));
                }
            }
        }
    }

    fn note_device(&mut self, event: &Event, fact: &DeviceFact) {
        // Boards are put away when the game is over.
        if self.game.result.is_some() {
            return;
        }
        let device = event.device.as_ref().map_or("", |device| &device.0);
        match fact {
            DeviceFact::Found { .. } => {
                self.note(event, "device", format!("Board {device} talks."));
            }
            DeviceFact::Lost { reason } => {
                let why = match reason {
                    LostReason::Silent => "is silent",
                    LostReason::PortGone => "is unplugged from the hub",
                    LostReason::NotADevice => "does not answer as a board",
                    LostReason::HubRestarted => "is not heard yet: the hub was started anew",
                };
                self.note(event, "device", format!("Board {device} {why}."));
            }
            DeviceFact::Assigned { by } => {
                let text = format!("Board {device} serves this table.");
                self.said(event, "device", text, Some(by));
            }
            DeviceFact::Battery { .. }
            | DeviceFact::Quarantined { .. }
            | DeviceFact::Fault { .. } => {}
        }
    }
}

/// How a game ended, behind its result.
fn how(termination: Termination) -> String {
    match termination {
        Termination::Unknown => String::new(),
        known => format!(" ({})", word(known).replace('-', " ")),
    }
}

fn quoted(before: &str, note: Option<&str>) -> String {
    note.map_or_else(String::new, |note| format!("{before}“{note}”"))
}

/// An alert that says again what the note before it says.
fn repeats(about: AlertKind, kind: &str) -> bool {
    match about {
        AlertKind::Flag => kind == "flag",
        AlertKind::IllegalMove => kind == "illegal",
        AlertKind::ClockStopped | AlertKind::Call => kind == "call",
        AlertKind::Disturbed | AlertKind::WrongSetUp => kind == "board",
        AlertKind::MovesMissing => kind == "gap",
        AlertKind::Correction | AlertKind::CorrectionOpen => {
            kind == "correction" || kind == "clock"
        }
        AlertKind::ClockBattery
        | AlertKind::ClockGone
        | AlertKind::ClockSide
        | AlertKind::ClockReplaced
        | AlertKind::PressMissed
        | AlertKind::WrongSideRuns
        | AlertKind::MoveCounter
        | AlertKind::ClockFault
        | AlertKind::WrongSetting => kind == "clock",
        AlertKind::DeviceLost | AlertKind::DeviceUnassigned | AlertKind::DeviceMoved => {
            kind == "device"
        }
        _ => false,
    }
}
