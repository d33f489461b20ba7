//! The event's pages: standings, crosstable, a player, the entries, the closing report. Made whole on the
//! hub, so that they work on any telephone and print as they are. A draft is on none of them, and names
//! only where the settings publish them or an arbiter looks. Birth dates are on none.

mod asked;
mod export;
mod pages;
mod report;
pub(crate) mod words;

use axum::{Router, routing::get};

use super::AppState;

pub(super) fn router() -> Router<AppState> {
    Router::new()
        .route("/standings", get(pages::standings))
        .route("/crosstable", get(pages::crosstable))
        .route("/player/{no}", get(pages::player))
        .route("/report", get(report::report))
        .route("/corrections", get(report::corrections))
        .route("/files/{file}", get(export::file))
}
