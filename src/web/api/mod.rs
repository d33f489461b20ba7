//! `/api/v1`: the same doors for the pages and for scripts.

mod accounts;
mod act;
mod alerts;
mod amend;
mod claims;
mod correct;
mod extract;
mod paper;
mod push;
mod read;
mod screens;
mod session;

use utoipa::{
    Modify, OpenApi,
    openapi::security::{ApiKey, ApiKeyValue, HttpAuthScheme, HttpBuilder, SecurityScheme},
};
use utoipa_axum::{router::OpenApiRouter, routes};

use super::{AppState, live, mine::You};

pub(super) use extract::is_logged_in;
pub(super) use read::time_now;

/// The session cookie's name.
const COOKIE: &str = "flagfall";
/// The cookie of a device where somebody was logged in.
const DEVICE_COOKIE: &str = "flagfall-device";

#[derive(OpenApi)]
#[openapi(
    info(
        title = "Flagfall",
        description = "The hub of a chess hall. Times are integer milliseconds, instants are UTC (RFC 3339). \
            Errors are `application/problem+json`: what, where, and what to do."
    ),
    modifiers(&Logins),
    components(schemas(You)),
    tags(
        (name = "hall", description = "What the hub knows"),
        (name = "decisions", description = "What arbiters do"),
        (name = "round", description = "The round and its countdown"),
        (name = "screens", description = "The hall's screens and what they show"),
        (name = "login", description = "Who may act"),
        (name = "service", description = "Time, health, figures")
    )
)]
struct Document;

struct Logins;

impl Modify for Logins {
    fn modify(&self, openapi: &mut utoipa::openapi::OpenApi) {
        let components = openapi.components.get_or_insert_default();
        components.add_security_scheme(
            "cookie",
            SecurityScheme::ApiKey(ApiKey::Cookie(ApiKeyValue::new(COOKIE))),
        );
        components.add_security_scheme(
            "bearer",
            SecurityScheme::Http(HttpBuilder::new().scheme(HttpAuthScheme::Bearer).build()),
        );
    }
}

pub(super) fn router() -> OpenApiRouter<AppState> {
    let v1 = OpenApiRouter::new()
        .routes(routes!(read::time))
        .routes(routes!(read::hall))
        .routes(routes!(read::hall_stream))
        .routes(routes!(paper::setting_sheet))
        .routes(routes!(paper::table_cards))
        .routes(routes!(paper::result_slips))
        .routes(routes!(screens::screen_stream))
        .routes(routes!(screens::beat))
        .routes(routes!(screens::public_standings))
        .routes(routes!(screens::boards))
        .routes(routes!(screens::sounds))
        .routes(routes!(screens::sound))
        .routes(routes!(screens::speech))
        .routes(routes!(screens::screens))
        .routes(routes!(screens::assign_screen))
        .routes(routes!(screens::forget_screen))
        .routes(routes!(screens::sound_check))
        .routes(routes!(screens::show_message))
        .routes(routes!(screens::black_out))
        .routes(routes!(screens::set_notice))
        .routes(routes!(screens::emergency))
        .routes(routes!(screens::end_emergency))
        .routes(routes!(screens::play_off))
        .routes(routes!(read::pairings))
        .routes(routes!(read::pairings_stream))
        .routes(routes!(read::table))
        .routes(routes!(read::game))
        .routes(routes!(read::game_pgn))
        .routes(routes!(read::sheet))
        .routes(routes!(read::round_pgn))
        .routes(routes!(read::pairing))
        .routes(routes!(read::players))
        .routes(routes!(read::report))
        .routes(routes!(read::standings))
        .routes(routes!(alerts::alerts))
        .routes(routes!(read::proposals))
        .routes(routes!(alerts::acknowledge))
        .routes(routes!(alerts::take_over))
        .routes(routes!(alerts::release))
        .routes(routes!(alerts::close))
        .routes(routes!(alerts::staff, alerts::set_staff))
        .routes(routes!(claims::claim))
        .routes(routes!(claims::protests, claims::file_protest))
        .routes(routes!(claims::decide_protest))
        .routes(routes!(act::decide))
        .routes(routes!(act::set_result))
        .routes(routes!(act::call))
        .routes(routes!(act::orientation))
        .routes(routes!(correct::correction))
        .routes(routes!(correct::withdraw_correction))
        .routes(routes!(act::start_position))
        .routes(routes!(act::start_positions))
        .routes(routes!(act::tell_moves))
        .routes(routes!(act::incident))
        .routes(routes!(act::pair))
        .routes(routes!(amend::amend))
        .routes(routes!(amend::foresee))
        .routes(routes!(amend::revert))
        .routes(routes!(amend::foresee_revert))
        .routes(routes!(amend::record))
        .routes(routes!(act::repair, read::repair_offer))
        .routes(routes!(act::decide_match))
        .routes(routes!(act::withdraw))
        .routes(routes!(act::back))
        .routes(routes!(act::bye))
        .routes(routes!(act::publish))
        .routes(routes!(act::schedule))
        .routes(routes!(act::shift))
        .routes(routes!(act::hold))
        .routes(routes!(act::start))
        .routes(routes!(act::close_round))
        .routes(routes!(act::assign))
        .routes(routes!(act::find_board))
        .routes(routes!(accounts::accounts, accounts::set_account))
        .routes(routes!(accounts::remove_account))
        .routes(routes!(accounts::house_pin))
        .routes(routes!(push::push, push::subscribe))
        .routes(routes!(push::forget))
        .routes(routes!(session::session))
        .routes(routes!(session::login))
        .routes(routes!(session::logout))
        .routes(routes!(session::setup));
    OpenApiRouter::with_openapi(Document::openapi())
        .nest("/api/v1", v1)
        .routes(routes!(read::openapi))
        .routes(routes!(read::healthz))
        .routes(routes!(read::metrics))
        .routes(routes!(live::round, live::preflight))
}
