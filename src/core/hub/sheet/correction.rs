//! Ordered corrections of the clock, in words.

use super::Sheet;
use crate::{
    hub::{
        event::{CorrectionFact, Event, Way},
        tables::times_text,
    },
    protocol::ClockCommandOutcome,
};

impl Sheet {
    pub(super) fn note_correction(&mut self, event: &Event, fact: &CorrectionFact) {
        match fact {
            CorrectionFact::Ordered(order) => {
                let target = order.change.target(order.shown);
                let how = match order.way {
                    Way::Sent => "sent to the clock",
                    Way::Card => "to be set by hand",
                };
                let text = format!(
                    "A correction is ordered, {how}: {}. {} becomes {}.",
                    order.why,
                    times_text(order.shown),
                    times_text(target)
                );
                self.said(event, "correction", text, Some(&order.by));
            }
            CorrectionFact::Done { order, took, shown } => {
                let (seconds, shown) = (took.as_secs(), times_text(*shown));
                let text = format!("On the clock after {seconds} s: {shown}");
                self.step(*order, event.at, text, None);
            }
            CorrectionFact::Cancelled { order, by } => {
                self.step(*order, event.at, "Withdrawn".to_owned(), Some(by));
            }
            CorrectionFact::RunsOn { order, .. } => {
                let text = "The clock was started without it".to_owned();
                self.step(*order, event.at, text, None);
            }
            CorrectionFact::Answered { order, outcome } => {
                let text = match outcome {
                    ClockCommandOutcome::Done => "The clock took it",
                    ClockCommandOutcome::Refused => "The clock refused it: it is set by hand",
                    ClockCommandOutcome::Unanswered => {
                        "The clock did not answer: it is set by hand"
                    }
                };
                self.step(*order, event.at, text.to_owned(), None);
            }
            CorrectionFact::Stood { .. } => {}
        }
    }
}
