//! What the demo found: a line for each thing that an arbiter would notice, and the sum.

use std::{
    collections::{BTreeMap, BTreeSet},
    io::Write as _,
};

use anyhow::anyhow;
use flagfall_core::{
    hub::view::{GameView, GapView, Phase, Update},
    types::TableNo,
};
use flagfall_simulators::table::GameTruth;
use serde_json::{Value, json};

use super::judged::{Gap, Judged, judge};
use crate::engine::Latency;

/// Gathers what happens.
#[derive(Debug)]
pub(super) struct Report {
    json: bool,
    rounds: u16,
    /// Where the decisions are taken, when they are left to a person.
    console: Option<String>,
    proposals: BTreeSet<u64>,
    phase: Option<(u16, Phase)>,
    alerts: BTreeSet<u64>,
    alert_kinds: BTreeMap<String, usize>,
    results: BTreeMap<(u16, u16), String>,
    asked: Vec<u16>,
    closed: BTreeSet<u16>,
    games: usize,
    moves: usize,
    wrong_results: Vec<String>,
    wrong_moves: Vec<String>,
    /// Half-moves that are missing where the record says so.
    missing_moves: usize,
}

impl Report {
    pub(super) fn new(json: bool, rounds: u16, console: Option<String>) -> Self {
        Self {
            json,
            rounds,
            console,
            proposals: BTreeSet::new(),
            phase: None,
            alerts: BTreeSet::new(),
            alert_kinds: BTreeMap::new(),
            results: BTreeMap::new(),
            asked: Vec::new(),
            closed: BTreeSet::new(),
            games: 0,
            moves: 0,
            wrong_results: Vec::new(),
            wrong_moves: Vec::new(),
            missing_moves: 0,
        }
    }

    pub(super) fn all_closed(&self) -> bool {
        self.closed.len() == usize::from(self.rounds)
    }

    /// Something changed on the pages.
    pub(super) fn see(&mut self, update: &Update) {
        if let Some(round) = &update.round {
            let step = (round.number.0, round.phase);
            let before = self.closed.len();
            // The next round is paired in the moment in which one closes.
            self.closed.extend(1..round.number.0);
            if round.phase == Phase::Closed {
                self.closed.insert(round.number.0);
            }
            if self.all_closed() && before < self.closed.len() && !self.json {
                let mut out = std::io::stdout().lock();
                // A closed terminal is no reason to stop.
                drop(writeln!(
                    out,
                    "All rounds are closed. Ctrl-C stops the hall and sums up."
                ));
            }
            if self.phase != Some(step) {
                self.phase = Some(step);
                let word = serde_json::to_value(round.phase).unwrap_or_default();
                self.line(
                    &format!("round {}: {}", round.number, phase_words(round.phase)),
                    &json!({ "round": round.number, "phase": word }),
                );
            }
        }
        for alert in update.alerts.iter().flatten() {
            if self.alerts.insert(alert.id) {
                *self.alert_kinds.entry(alert.kind.clone()).or_default() += 1;
                self.line(
                    &format!("  {}: {}", alert.kind, alert.text),
                    &json!({ "alert": alert.kind, "table": alert.table, "text": alert.text }),
                );
            }
        }
        self.see_proposals(update);
        let Some((round, _)) = self.phase else { return };
        for table in &update.tables {
            let Some(result) = &table.result else {
                continue;
            };
            if self
                .results
                .insert((round, table.table.0), result.clone())
                .is_none()
            {
                self.line(
                    &format!(
                        "  table {}: {result} after {} half moves",
                        table.table, table.ply
                    ),
                    &json!({
                        "round": round, "table": table.table, "result": result,
                        "termination": table.termination, "ply": table.ply,
                    }),
                );
            }
        }
    }

    /// What waits for a person's decision.
    fn see_proposals(&mut self, update: &Update) {
        let Some(console) = self.console.clone() else {
            return;
        };
        for proposal in update.proposals.iter().flatten() {
            if self.proposals.insert(proposal.id) {
                self.line(
                    &format!(
                        "  decide at {console}: table {}: {}",
                        proposal.table, proposal.text
                    ),
                    &json!({
                        "decide": proposal.id, "kind": proposal.kind, "table": proposal.table,
                        "result": proposal.result, "text": proposal.text, "at": console,
                    }),
                );
            }
        }
    }

    /// The arbiter had to ask the players.
    pub(super) fn asked(&mut self, table: TableNo) {
        self.asked.push(table.0);
    }

    /// A game against what the simulator played.
    pub(super) fn compare(&mut self, truth: &GameTruth, game: Option<&GameView>) {
        self.games += 1;
        let place = format!("round {} table {}", truth.round, truth.table);
        let key = (truth.round as u16, truth.table);
        if let Some(result) = self.results.get(&key)
            && *result != truth.result
        {
            self.wrong_results
                .push(format!("{place}: {result} for {}", truth.result));
        }
        let ours: Vec<&str> = game.map_or_else(Vec::new, |game| {
            game.moves.iter().map(|played| &*played.uci).collect()
        });
        let gaps: Vec<Gap> = game.map_or_else(Vec::new, |game| {
            let gap = |gap: &GapView| Gap {
                after: gap.after.into(),
                goes_on: gap.fen.is_some(),
            };
            game.gaps.iter().map(gap).collect()
        });
        self.moves += truth.moves.len();
        if !truth.finished {
            return;
        }
        match judge(&ours, &gaps, &truth.moves) {
            Judged::Whole => {}
            Judged::Missing(moves) => self.missing_moves += moves,
            Judged::Differs(at) => self.wrong_moves.push(format!(
                "{place}: from half-move {} on, {:?} for {:?}",
                at + 1,
                ours.get(at),
                truth.moves.get(at)
            )),
        }
    }

    /// Prints the sum. An error when something was wrong.
    pub(super) fn print(
        &self,
        events: u64,
        bytes_dropped: u64,
        latency: &Latency,
    ) -> anyhow::Result<()> {
        let sum = json!({
            "rounds_closed": self.closed.len(),
            "games": self.games,
            "results_confirmed": self.results.len(),
            "results_asked": self.asked.len(),
            "wrong_results": self.wrong_results.len(),
            "moves": self.moves,
            "missing_moves": self.missing_moves,
            "wrong_moves": self.wrong_moves.len(),
            "alerts": self.alerts.len(),
            "alert_kinds": self.alert_kinds,
            "events": events,
            "bytes_dropped": bytes_dropped,
            "latency_ms": {
                "p50": latency.quantile_ms(0.5),
                "p99": latency.quantile_ms(0.99),
            },
        });
        let wrong: Vec<&String> = self.wrong_results.iter().chain(&self.wrong_moves).collect();
        for line in &wrong {
            tracing::error!("{line}");
        }
        let mut out = std::io::stdout().lock();
        if self.json {
            drop(writeln!(out, "{sum}"));
        } else {
            drop(writeln!(
                out,
                "\n{}",
                serde_json::to_string_pretty(&sum).unwrap_or_default()
            ));
        }
        if wrong.is_empty() {
            Ok(())
        } else {
            // In a hall that runs sixty times too fast a busy machine loses bytes that no hall loses.
            let slow = if bytes_dropped > 0 {
                format!(
                    "\n{bytes_dropped} bytes were cut short on their way: this machine was too busy for \
                     this --speed; try a smaller one"
                )
            } else {
                String::new()
            };
            let games: Vec<&str> = wrong.iter().take(5).map(|line| line.as_str()).collect();
            Err(anyhow!(
                "{} games differ from what was played:\n{}{slow}",
                wrong.len(),
                games.join("\n")
            ))
        }
    }

    fn line(&self, text: &str, object: &Value) {
        let mut out = std::io::stdout().lock();
        // A closed terminal is no reason to stop.
        drop(if self.json {
            writeln!(out, "{object}")
        } else {
            writeln!(out, "{text}")
        });
    }
}

/// A phase as an arbiter says it.
fn phase_words(phase: Phase) -> &'static str {
    match phase {
        Phase::Idle => "paired, no start set",
        Phase::Scheduled => "waiting for the start",
        Phase::Seats => "15 minutes to the start, players take their seats",
        Phase::Last5 => "5 minutes to the start",
        Phase::Last1 => "1 minute to the start",
        Phase::Zero => "the countdown is at zero, the arbiter starts the round",
        Phase::Held => "the start is delayed",
        Phase::Started => "started, default time runs",
        Phase::Playing => "games in progress",
        Phase::Closed => "closed",
    }
}
