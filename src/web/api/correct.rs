//! Corrections of a clock.

use axum::extract::State;
use flagfall_core::{
    clock::Change,
    hub::{
        command::{Command, CorrectionAsked},
        event::BySide,
    },
    types::TableNo,
};
use serde::Deserialize;
use utoipa::ToSchema;

use super::{
    act::{Answer, Nothing, carry_out, required},
    extract::{Arbiter, At, Input},
};
use crate::web::{
    AppState,
    problem::{ActErrors, Problem},
};

/// A correction of a clock: either what is added, or the exact times of both sides.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Correction {
    /// Added to White's time, milliseconds; below zero takes away.
    add_white_ms: Option<i64>,
    /// Added to Black's time, milliseconds; below zero takes away.
    add_black_ms: Option<i64>,
    /// White's time, milliseconds.
    #[schema(maximum = 35_999_000)]
    white_ms: Option<u64>,
    /// Black's time, milliseconds.
    #[schema(maximum = 35_999_000)]
    black_ms: Option<u64>,
    /// White's moves made, for a clock that counts them; left out, those of the record.
    white_moves: Option<u16>,
    /// Black's moves made, for a clock that counts them; left out, those of the record.
    black_moves: Option<u16>,
    /// To whom and why, for the record.
    #[schema(
        example = "illegal move by White",
        min_length = 1,
        max_length = 2000,
        pattern = r"\S"
    )]
    why: String,
}

impl Correction {
    fn change(&self) -> Result<Change, Problem> {
        let added = self.add_white_ms.is_some() || self.add_black_ms.is_some();
        match (added, self.white_ms, self.black_ms) {
            (true, None, None) => Ok(Change::Add {
                white_ms: self.add_white_ms.unwrap_or(0),
                black_ms: self.add_black_ms.unwrap_or(0),
            }),
            (false, Some(white_ms), Some(black_ms)) => Ok(Change::Set { white_ms, black_ms }),
            _ => Err(Problem::invalid(
                "give either what is added, or the times of both sides".to_owned(),
            )),
        }
    }
}

/// Order a correction of a table's clock. It is sent where the clock lets itself be set, else somebody sets it
/// by hand; it is done when the clock shows the new times.
#[utoipa::path(
    post, path = "/tables/{table}/correction", tag = "decisions", security(("cookie" = []), ("bearer" = [])),
    params(("table" = u16, Path, minimum = 0, maximum = 65535, description = "The table's number")), request_body = Correction,
    responses((status = 200, body = super::act::Done), ActErrors)
)]
pub(super) async fn correction(
    State(state): State<AppState>,
    Arbiter(by): Arbiter,
    At(table): At<TableNo>,
    Input(body): Input<Correction>,
) -> Answer {
    let correction = CorrectionAsked {
        change: body.change()?,
        moves: BySide {
            white: body.white_moves,
            black: body.black_moves,
        },
        why: required("why", body.why)?,
    };
    carry_out(&state, by, Command::CorrectClock { table, correction }).await
}

/// Withdraw an ordered correction that the clock does not show yet.
#[utoipa::path(
    post, path = "/tables/{table}/correction/withdraw", tag = "decisions", security(("cookie" = []), ("bearer" = [])),
    params(("table" = u16, Path, minimum = 0, maximum = 65535, description = "The table's number")), request_body = Option<Nothing>,
    responses((status = 200, body = super::act::Done), ActErrors)
)]
pub(super) async fn withdraw_correction(
    State(state): State<AppState>,
    Arbiter(by): Arbiter,
    At(table): At<TableNo>,
    Input(Nothing {}): Input<Nothing>,
) -> Answer {
    carry_out(&state, by, Command::CancelCorrection { table }).await
}
