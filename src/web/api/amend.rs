//! Corrections of what was public: foreseen, made, taken back; and the record.

use axum::{Json, extract::State};
use flagfall_core::{
    hub::{
        command::{AmendmentAsked, Command},
        view::{AmendmentView, RecordView},
    },
    pairing::words::Language,
    tournament::Bye,
    types::{PlayerNo, RoundNo, TableNo},
};
use serde::Deserialize;
use utoipa::ToSchema;

use super::{
    act::{Answer, Done, carry_out, required},
    extract::{Asked, At, Chief, Input, Viewer},
};
use crate::web::{
    AppState,
    problem::{ActErrors, Problem, ReadErrors},
};

/// What is put right.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(tag = "what", rename_all = "kebab-case", deny_unknown_fields)]
pub(super) enum Wanted {
    /// A result, also of a round that is closed.
    Result {
        /// The round.
        round: u16,
        /// The table.
        table: u16,
        /// The right result, e.g. `1-0`.
        #[schema(max_length = 2000)]
        result: String,
        /// How the game ended; what was said before stays where it still fits.
        termination: Option<String>,
    },
    /// A game was played with the colours the other way round.
    Colours {
        /// The round.
        round: u16,
        /// The table.
        table: u16,
    },
    /// Two players were taken for each other.
    Exchange {
        /// The round.
        round: u16,
        /// One.
        first: u16,
        /// The other.
        second: u16,
    },
    /// What the list says of a player; what is left out stays.
    Player {
        /// Who.
        player: u16,
        /// His name.
        #[schema(max_length = 200)]
        name: Option<String>,
        /// His rating; 0 = none.
        rating: Option<u16>,
        /// His FIDE number; 0 = none.
        fide_id: Option<u64>,
        /// Club or school; empty = none.
        #[schema(max_length = 2000)]
        club: Option<String>,
    },
    /// What a round without an opponent is worth.
    Bye {
        /// The round.
        round: u16,
        /// Who.
        player: u16,
        /// `full`, `half` or `zero`.
        worth: Worth,
    },
}

/// What a round without an opponent is worth.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Worth {
    Full,
    Half,
    Zero,
    PairingAllocated,
}

impl Wanted {
    fn asked(self) -> AmendmentAsked {
        match self {
            Self::Result {
                round,
                table,
                result,
                termination,
            } => AmendmentAsked::Result {
                round: RoundNo(round),
                table: TableNo(table),
                result,
                termination,
            },
            Self::Colours { round, table } => AmendmentAsked::Colours {
                round: RoundNo(round),
                table: TableNo(table),
            },
            Self::Exchange {
                round,
                first,
                second,
            } => AmendmentAsked::Exchange {
                round: RoundNo(round),
                first: PlayerNo(first),
                second: PlayerNo(second),
            },
            Self::Player {
                player,
                name,
                rating,
                fide_id,
                club,
            } => AmendmentAsked::Player {
                player: PlayerNo(player),
                name,
                rating,
                fide_id,
                club,
            },
            Self::Bye {
                round,
                player,
                worth,
            } => AmendmentAsked::Bye {
                round: RoundNo(round),
                player: PlayerNo(player),
                bye: match worth {
                    Worth::Full => Bye::Full,
                    Worth::Half => Bye::Half,
                    Worth::Zero => Bye::Zero,
                    Worth::PairingAllocated => Bye::PairingAllocated,
                },
            },
        }
    }
}

/// A correction with its reason.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Correction {
    /// What is put right.
    change: Wanted,
    /// Why; it stands in the record.
    #[schema(min_length = 1, max_length = 2000, pattern = r"\S")]
    note: String,
}

/// Why something is done.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Because {
    /// Why; it stands in the record.
    #[schema(min_length = 1, max_length = 2000, pattern = r"\S")]
    note: String,
}

/// In which language sentences are.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct InLanguage {
    lang: Option<String>,
}

impl InLanguage {
    fn language(&self) -> Result<Language, Problem> {
        let Some(code) = &self.lang else {
            return Ok(Language::default());
        };
        Language::by_code(code)
            .ok_or_else(|| Problem::invalid(format!("no sentences in {code:?}: en, uk or ru")))
    }
}

/// What a correction would do: in words, with everybody whose points or place it changes. Nothing is
/// changed.
#[utoipa::path(
    post, path = "/amendments/preview", tag = "decisions", security(("cookie" = []), ("bearer" = [])),
    params(("lang" = Option<String>, Query, description = "`en`, `uk` or `ru`; English without it")),
    request_body = Wanted,
    responses((status = 200, body = AmendmentView), ActErrors)
)]
pub(super) async fn foresee(
    State(state): State<AppState>,
    _chief: Chief,
    Asked(lang): Asked<InLanguage>,
    Input(body): Input<Wanted>,
) -> Result<Json<AmendmentView>, Problem> {
    let language = lang.language()?;
    Ok(Json(state.handle.amendment(body.asked(), language).await?))
}

/// Put right what is public. It stands in the record and can be taken back.
#[utoipa::path(
    post, path = "/amendments", tag = "decisions", security(("cookie" = []), ("bearer" = [])),
    request_body = Correction,
    responses((status = 200, body = Done), ActErrors)
)]
pub(super) async fn amend(
    State(state): State<AppState>,
    Chief(by): Chief,
    Input(body): Input<Correction>,
) -> Answer {
    let command = Command::Amend {
        asked: body.change.asked(),
        note: required("note", body.note)?,
    };
    carry_out(&state, by, command).await
}

/// What taking a correction back would do.
#[utoipa::path(
    get, path = "/amendments/{id}/revert", tag = "decisions", security(("cookie" = []), ("bearer" = [])),
    params(
        ("id" = u64, Path, description = "The correction's number in the record"),
        ("lang" = Option<String>, Query, description = "`en`, `uk` or `ru`; English without it")
    ),
    responses((status = 200, body = AmendmentView), ActErrors)
)]
pub(super) async fn foresee_revert(
    State(state): State<AppState>,
    _chief: Chief,
    At(number): At<u64>,
    Asked(lang): Asked<InLanguage>,
) -> Result<Json<AmendmentView>, Problem> {
    let language = lang.language()?;
    Ok(Json(state.handle.reverted(number, language).await?))
}

/// Take a correction back.
#[utoipa::path(
    post, path = "/amendments/{id}/revert", tag = "decisions", security(("cookie" = []), ("bearer" = [])),
    params(("id" = u64, Path, description = "The correction's number in the record")),
    request_body = Because,
    responses((status = 200, body = Done), ActErrors)
)]
pub(super) async fn revert(
    State(state): State<AppState>,
    Chief(by): Chief,
    At(amendment): At<u64>,
    Input(body): Input<Because>,
) -> Answer {
    let note = required("note", body.note)?;
    carry_out(&state, by, Command::RevertAmendment { amendment, note }).await
}

/// Who published, changed and decided what, oldest first.
#[utoipa::path(
    get, path = "/record", tag = "hall", security(("cookie" = []), ("bearer" = [])),
    params(("lang" = Option<String>, Query, description = "`en`, `uk` or `ru`; English without it")),
    responses((status = 200, body = [RecordView]), ReadErrors)
)]
pub(super) async fn record(
    State(state): State<AppState>,
    _viewer: Viewer,
    Asked(lang): Asked<InLanguage>,
) -> Result<Json<Vec<RecordView>>, Problem> {
    Ok(Json(state.handle.record(lang.language()?).await?))
}
