//! A simulated arbiter: sees what the console shows, takes his time, decides as people do. Pure:
//! driven by updates and time, so that the demo and the virtual hall share him.

use std::{
    collections::{BTreeMap, BTreeSet},
    time::Duration,
};

use flagfall_core::{
    hub::{
        command::{Command, Request},
        view::{Phase, RoundView, Severity, Update},
    },
    types::Mono,
};
use rand::{Rng as _, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// The name that he signs with.
pub const NAME: &str = "Simulated arbiter";

/// The arbiter.
#[derive(Debug)]
pub struct Arbiter {
    rng: ChaCha8Rng,
    /// What he is going to do, by when.
    plans: BTreeMap<(Mono, u64), Command>,
    counter: u64,
    /// Alerts and proposals that he has seen.
    alerts: BTreeSet<u64>,
    proposals: BTreeSet<u64>,
    /// The step of the round that he has planned last.
    step: Option<(u16, Step)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    Publish,
    Start,
    Close,
}

impl Arbiter {
    /// An arbiter whose pace depends on a seed.
    pub fn new(seed: u64) -> Self {
        Self {
            rng: ChaCha8Rng::seed_from_u64(seed),
            plans: BTreeMap::new(),
            counter: 0,
            alerts: BTreeSet::new(),
            proposals: BTreeSet::new(),
            step: None,
        }
    }

    /// Something changed on his console.
    pub fn handle_update(&mut self, now: Mono, update: &Update) {
        for proposal in update.proposals.iter().flatten() {
            if self.proposals.insert(proposal.id) {
                let accept = Command::Decide {
                    proposal: proposal.id,
                    accept: true,
                    result: None,
                    note: None,
                };
                self.plan(now, 15..60, accept);
            }
        }
        for alert in update.alerts.iter().flatten() {
            if self.alerts.insert(alert.id) {
                if alert.severity == Severity::Call {
                    self.plan(now, 5..20, Command::AcknowledgeAlert { alert: alert.id });
                }
                if alert.proposal.is_none() {
                    self.plan(now, 90..240, Command::CloseAlert { alert: alert.id });
                }
            }
        }
        if let Some(round) = &update.round {
            self.handle_round(now, round);
        }
    }

    fn handle_round(&mut self, now: Mono, round: &RoundView) {
        let step = match round.phase {
            Phase::Closed => return,
            Phase::Zero if round.published => Step::Start,
            Phase::Started | Phase::Playing if round.open == 0 => Step::Close,
            _ if !round.published => Step::Publish,
            _ => return,
        };
        if self.step == Some((round.number.0, step)) {
            return;
        }
        self.step = Some((round.number.0, step));
        match step {
            Step::Publish => self.plan(now, 20..40, Command::PublishRound),
            Step::Start => self.plan(now, 3..10, Command::StartRound),
            Step::Close => self.plan(
                now,
                30..60,
                Command::CloseRound {
                    round: round.number,
                },
            ),
        }
    }

    fn plan(&mut self, now: Mono, seconds: std::ops::Range<u64>, command: Command) {
        let delay = Duration::from_secs(self.rng.random_range(seconds));
        self.counter += 1;
        self.plans.insert((now + delay, self.counter), command);
    }

    /// What he does now.
    pub fn poll_request(&mut self, now: Mono) -> Option<Request> {
        let entry = self.plans.first_entry()?;
        if entry.key().0 > now {
            return None;
        }
        Some(Request {
            by: NAME.to_owned(),
            command: entry.remove(),
        })
    }

    /// When he acts next.
    pub fn poll_timeout(&self) -> Option<Mono> {
        self.plans.first_key_value().map(|((at, _), _)| *at)
    }
}
