//! The hall's screens: what they ask for themselves, and what arbiters tell them.

use std::{net::SocketAddr, time::Duration};

use axum::{
    Json,
    body::Bytes,
    extract::{ConnectInfo, State},
    http::{StatusCode, header},
    response::{IntoResponse, Response},
};
use flagfall_core::hub::{
    command::Command,
    event::{EmergencyKind, HallText, ScreenContent, ScreenSettings},
    view::{PlayerView, ScreenSound, ScreenView, WallTable},
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{
    act::{Answer, Nothing, carry_out},
    extract::{Arbiter, Asked, At, Input},
};
use crate::{
    screens::{Beat, ScreenKey},
    speech::{self, SpeechError},
    web::{
        AppState, fanout,
        mine::Who,
        peer,
        problem::{ActErrors, Problem, ReadErrors},
        stream::{self, Kind},
    },
};

/// The longest sound file that is handed out, bytes.
const SOUND_MAX: u64 = 8 << 20;
/// A message stands so long when nothing is said.
const MESSAGE_S: u32 = 60;

/// Which screen asks.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Which {
    key: Option<String>,
    number: Option<u16>,
}

impl Which {
    fn who(self) -> Result<Who, Problem> {
        match (self.key, self.number) {
            (None, None) => Ok(Who::Nobody),
            (None, Some(number)) => Ok(Who::Number(number)),
            (Some(key), None) => read_key(&key).map(Who::Key),
            (Some(_), Some(_)) => Err(Problem::invalid("give the key or the number of a screen")),
        }
    }
}

fn read_key(key: &str) -> Result<ScreenKey, Problem> {
    ScreenKey::new(key)
        .ok_or_else(|| Problem::invalid("key is 8 to 40 letters, digits and hyphens"))
}

/// The countdown live: `screen` events with what changed, `you` events with what this screen is to show,
/// and `tick` events. Public.
///
/// A client that listens counts as a countdown screen. A page that gives a key is known by it, and an
/// arbiter may give it something else to show; one that gives a number stands in for that screen.
#[utoipa::path(
    get, path = "/screen/stream", tag = "screens",
    params(
        ("key" = Option<String>, Query, description = "By what the page is known again: 8 to 40 letters, digits and hyphens"),
        ("number" = Option<u16>, Query, minimum = 0, maximum = 65535, description = "The screen for which the page stands in")
    ),
    responses((status = 200, content_type = "text/event-stream", body = fanout::ScreenView), ReadErrors)
)]
pub(super) async fn screen_stream(
    State(state): State<AppState>,
    ConnectInfo(from): ConnectInfo<SocketAddr>,
    Asked(which): Asked<Which>,
) -> Result<Response, Problem> {
    Ok(stream::open(state, Kind::Screen, peer(from), which.who()?))
}

/// A sign of life.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct SignOfLife {
    /// By what the page is known: 8 to 40 letters, digits and hyphens.
    #[schema(min_length = 8, max_length = 40, pattern = "^[A-Za-z0-9-]+$")]
    key: String,
    /// Its width in pixels.
    #[serde(default)]
    width: u16,
    /// Its height in pixels.
    #[serde(default)]
    height: u16,
    /// Whether it can be heard.
    #[serde(default)]
    sound: ScreenSound,
}

/// It was heard.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct Heard {
    /// The page was heard.
    heard: bool,
}

/// A page of the hall's screens lives. Every five seconds; after 15 s without it the arbiters are told.
/// Public.
#[utoipa::path(
    post, path = "/screen/beat", tag = "screens", request_body = SignOfLife,
    responses((status = 200, body = Heard), ReadErrors)
)]
pub(super) async fn beat(
    State(state): State<AppState>,
    ConnectInfo(from): ConnectInfo<SocketAddr>,
    Input(sign): Input<SignOfLife>,
) -> Result<Json<Heard>, Problem> {
    let beat = Beat {
        size: (sign.width, sign.height),
        address: from.ip().to_canonical().to_string(),
        sound: sign.sound,
    };
    state.handle.beat(&read_key(&sign.key)?, beat);
    Ok(Json(Heard { heard: true }))
}

/// A line of the standings as everybody may see it.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct PublicStanding {
    /// Place, shared when tied.
    place: u16,
    /// Pairing number.
    no: u16,
    /// Name; null when names are not published.
    name: Option<String>,
    /// Points, e.g. `2.5`.
    points: String,
    /// Tie-breaks in the order of the event, by FIDE code.
    tie_breaks: Vec<(String, String)>,
}

/// The standings for the hall's screens. Public; names are null unless they are published.
#[utoipa::path(
    get, path = "/screen/standings", tag = "screens",
    responses((status = 200, body = [PublicStanding]), ReadErrors)
)]
pub(super) async fn public_standings(
    State(state): State<AppState>,
) -> Result<Json<Vec<PublicStanding>>, Problem> {
    let names = state.settings.publish_names;
    let lines = state.handle.standings(None).await?.into_iter();
    let public = lines.map(|line| PublicStanding {
        place: line.place,
        no: line.player.no.0,
        name: names.then_some(line.player.name),
        points: line.points,
        tie_breaks: line.tie_breaks,
    });
    Ok(Json(public.collect()))
}

/// The wall of boards: positions and clocks, for a screen to which an arbiter has assigned it, as much
/// later as he has said. For nobody else.
#[utoipa::path(
    get, path = "/screen/boards", tag = "screens",
    params(
        ("key" = Option<String>, Query, description = "The key of the screen"),
        ("number" = Option<u16>, Query, minimum = 0, maximum = 65535, description = "Its number")
    ),
    responses(
        (status = 200, body = [WallTable]),
        (status = 403, description = "The screen shows something else", content_type = "application/problem+json", body = Problem),
        ReadErrors
    )
)]
pub(super) async fn boards(
    State(state): State<AppState>,
    Asked(which): Asked<Which>,
) -> Result<Json<Vec<WallTable>>, Problem> {
    let who = which.who()?;
    let hall = state.handle.hall().await?;
    let screen = who.among(&hall.screens);
    let screen = screen.filter(|it| it.assigned && it.settings.content == ScreenContent::Boards);
    let Some(screen) = screen else {
        return Err(Problem::new(
            StatusCode::FORBIDDEN,
            "the boards are shown on screens to which an arbiter has assigned them",
            "assign the boards to this screen on the console",
        ));
    };
    let delay = Duration::from_secs(screen.settings.delay_s.into());
    let mut tables = state.handle.wall(delay).await?;
    if !state.settings.publish_names {
        for table in &mut tables {
            nameless(&mut table.white);
            nameless(&mut table.black);
        }
    }
    Ok(Json(tables))
}

fn nameless(player: &mut PlayerView) {
    player.name = format!("{}", player.no);
    player.rating = None;
}

/// The organiser's own sounds: files `five-minutes.mp3`, `one-minute.uk.mp3` and so on in the directory
/// `sounds` beside the journal. Public.
#[utoipa::path(
    get, path = "/screen/sounds", tag = "screens",
    responses((status = 200, body = [String]))
)]
pub(super) async fn sounds(State(state): State<AppState>) -> Json<Vec<String>> {
    let directory = state.settings.data_dir.join("sounds");
    let mut names = Vec::new();
    if let Ok(mut files) = tokio::fs::read_dir(directory).await {
        while let Ok(Some(file)) = files.next_entry().await {
            let name = file.file_name().to_string_lossy().into_owned();
            if sound_type(&name).is_some() {
                names.push(name);
            }
        }
    }
    names.sort();
    Json(names)
}

/// The kind of a sound file by its name; `None` for a name that is none of a sound.
fn sound_type(name: &str) -> Option<&'static str> {
    let plain = name.len() <= 64
        && !name.starts_with('.')
        && name
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'.' | b'_'));
    let (_, end) = name.rsplit_once('.')?;
    let kind = match end {
        "mp3" => "audio/mpeg",
        "ogg" | "oga" | "opus" => "audio/ogg",
        "wav" => "audio/wav",
        "m4a" => "audio/mp4",
        _ => return None,
    };
    plain.then_some(kind)
}

/// One of the organiser's sounds. Public.
#[utoipa::path(
    get, path = "/screen/sounds/{file}", tag = "screens",
    params(("file" = String, Path, description = "Its name")),
    responses((status = 200, content_type = "audio/mpeg", body = String), ReadErrors)
)]
pub(super) async fn sound(
    State(state): State<AppState>,
    At(file): At<String>,
) -> Result<Response, Problem> {
    let missing = || Problem::not_found("sound", &file);
    let kind = sound_type(&file).ok_or_else(missing)?;
    let path = state.settings.data_dir.join("sounds").join(&file);
    let size = tokio::fs::metadata(&path)
        .await
        .map_err(|_| missing())?
        .len();
    if size > SOUND_MAX {
        return Err(Problem::invalid(format!("{file} is larger than 8 MB")));
    }
    let bytes = tokio::fs::read(&path).await.map_err(|_| missing())?;
    Ok(([(header::CONTENT_TYPE, kind)], bytes).into_response())
}

/// In which language something is said.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Spoken {
    lang: Option<String>,
}

/// An announcement, spoken by an engine of the hub's machine, as a WAV file. 404 where none is installed.
/// Public.
#[utoipa::path(
    get, path = "/screen/speech/{mark}", tag = "screens",
    params(
        ("mark" = String, Path, description = "`five-minutes`, `one-minute`, `photo-over` or `play-off-over`"),
        ("lang" = Option<String>, Query, description = "`en`, `uk` or `ru`; English without it")
    ),
    responses((status = 200, content_type = "audio/wav", body = String), ReadErrors)
)]
pub(super) async fn speech(
    State(state): State<AppState>,
    At(mark): At<String>,
    Asked(Spoken { lang }): Asked<Spoken>,
) -> Result<Response, Problem> {
    let lang = lang.as_deref().unwrap_or("en");
    let text =
        speech::sentence(&mark, lang).ok_or_else(|| Problem::not_found("sentence", &mark))?;
    // One at a time: it is asked for by everybody at once, and the hub has other work.
    let mut spoken = state.spoken.lock().await;
    let wav = if let Some(wav) = spoken.get(text) {
        wav.clone()
    } else {
        let voices = state.settings.data_dir.join("voices");
        let wav = speech::speak(&voices, lang, text)
            .await
            .map_err(|error| unspoken(&error))?;
        let wav = Bytes::from(wav);
        spoken.insert(text, wav.clone());
        wav
    };
    Ok(([(header::CONTENT_TYPE, "audio/wav")], wav).into_response())
}

fn unspoken(error: &SpeechError) -> Problem {
    let status = match error {
        SpeechError::NoEngine => StatusCode::NOT_FOUND,
        SpeechError::Engine { .. } => StatusCode::SERVICE_UNAVAILABLE,
    };
    let help = "install espeak-ng on the hub, or put sound files into its directory `sounds`";
    Problem::new(status, error.to_string(), help)
}

/// All screens that are assigned or heard.
#[utoipa::path(
    get, path = "/screens", tag = "screens", security(("cookie" = []), ("bearer" = [])),
    responses((status = 200, body = [ScreenView]), ReadErrors)
)]
pub(super) async fn screens(
    State(state): State<AppState>,
    _arbiter: Arbiter,
) -> Result<Json<Vec<ScreenView>>, Problem> {
    Ok(Json(state.handle.hall().await?.screens.clone()))
}

/// Say what a screen shows, and how.
#[utoipa::path(
    post, path = "/screens/{screen}/assign", tag = "screens", security(("cookie" = []), ("bearer" = [])),
    params(("screen" = u16, Path, minimum = 0, maximum = 65535, description = "The large number on it")),
    request_body = ScreenSettings, responses((status = 200, body = super::act::Done), ActErrors)
)]
pub(super) async fn assign_screen(
    State(state): State<AppState>,
    Arbiter(by): Arbiter,
    At(screen): At<u16>,
    Input(mut settings): Input<ScreenSettings>,
) -> Answer {
    settings.name = settings.name.trim().to_owned();
    carry_out(&state, by, Command::AssignScreen { screen, settings }).await
}

/// A screen is not one of the hall's any more: nobody waits for its sign of life.
#[utoipa::path(
    post, path = "/screens/{screen}/forget", tag = "screens", security(("cookie" = []), ("bearer" = [])),
    params(("screen" = u16, Path, minimum = 0, maximum = 65535, description = "Its number")),
    request_body = Option<Nothing>, responses((status = 200, body = super::act::Done), ActErrors)
)]
pub(super) async fn forget_screen(
    State(state): State<AppState>,
    Arbiter(by): Arbiter,
    At(screen): At<u16>,
    Input(Nothing {}): Input<Nothing>,
) -> Answer {
    carry_out(&state, by, Command::ForgetScreen { screen }).await
}

/// Let a screen sound its gong now, to hear whether it is loud enough.
#[utoipa::path(
    post, path = "/screens/{screen}/sound-check", tag = "screens", security(("cookie" = []), ("bearer" = [])),
    params(("screen" = u16, Path, minimum = 0, maximum = 65535, description = "Its number")),
    request_body = Option<Nothing>, responses((status = 200, body = Heard), ActErrors)
)]
pub(super) async fn sound_check(
    State(state): State<AppState>,
    _arbiter: Arbiter,
    At(screen): At<u16>,
    Input(Nothing {}): Input<Nothing>,
) -> Result<Json<Heard>, Problem> {
    let hall = state.handle.hall().await?;
    let mut screens = hall.screens.iter();
    let view = screens.find(|view| view.number == screen);
    let view = view.ok_or_else(|| Problem::not_found("screen", screen))?;
    state.handle.check_sound(&view.key);
    Ok(Json(Heard { heard: view.online }))
}

/// A message for all screens.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Message {
    /// What it says; null takes down the one that stands.
    text: Option<HallText>,
    /// How long it stands, seconds; a minute without it.
    #[schema(minimum = 1, maximum = 7200)]
    seconds: Option<u32>,
}

/// Show a message on all screens. It goes by itself.
#[utoipa::path(
    post, path = "/screens/message", tag = "screens", security(("cookie" = []), ("bearer" = [])),
    request_body = Message, responses((status = 200, body = super::act::Done), ActErrors)
)]
pub(super) async fn show_message(
    State(state): State<AppState>,
    Arbiter(by): Arbiter,
    Input(Message { text, seconds }): Input<Message>,
) -> Answer {
    let seconds = seconds.unwrap_or(MESSAGE_S);
    carry_out(&state, by, Command::ShowMessage { text, seconds }).await
}

/// How long all screens are black.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Blackout {
    /// Seconds; 0 ends it.
    #[schema(maximum = 7200)]
    seconds: u32,
}

/// Make all screens black, for a speech. It ends by itself, at the latest five minutes before the start.
#[utoipa::path(
    post, path = "/screens/blackout", tag = "screens", security(("cookie" = []), ("bearer" = [])),
    request_body = Blackout, responses((status = 200, body = super::act::Done), ActErrors)
)]
pub(super) async fn black_out(
    State(state): State<AppState>,
    Arbiter(by): Arbiter,
    Input(Blackout { seconds }): Input<Blackout>,
) -> Answer {
    carry_out(&state, by, Command::BlackOut { seconds }).await
}

/// The notice page.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Notice {
    /// What it says, the first line as its title; null takes it down.
    text: Option<HallText>,
}

/// Write the notice page.
#[utoipa::path(
    post, path = "/screens/notice", tag = "screens", security(("cookie" = []), ("bearer" = [])),
    request_body = Notice, responses((status = 200, body = super::act::Done), ActErrors)
)]
pub(super) async fn set_notice(
    State(state): State<AppState>,
    Arbiter(by): Arbiter,
    Input(Notice { text }): Input<Notice>,
) -> Answer {
    carry_out(&state, by, Command::SetNotice { text }).await
}

/// An emergency.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Emergency {
    /// What everybody must do.
    about: EmergencyKind,
    /// More, in your words; needed when `about` is `other`.
    text: Option<HallText>,
}

/// Put the emergency page on all screens and on the consoles. The countdown is held, and the times of all
/// clocks are written into the journal.
#[utoipa::path(
    post, path = "/screens/emergency", tag = "screens", security(("cookie" = []), ("bearer" = [])),
    request_body = Emergency, responses((status = 200, body = super::act::Done), ActErrors)
)]
pub(super) async fn emergency(
    State(state): State<AppState>,
    Arbiter(by): Arbiter,
    Input(Emergency { about, text }): Input<Emergency>,
) -> Answer {
    carry_out(&state, by, Command::RaiseEmergency { about, text }).await
}

/// Take the emergency page down.
#[utoipa::path(
    post, path = "/screens/emergency/end", tag = "screens", security(("cookie" = []), ("bearer" = [])),
    request_body = Option<Nothing>, responses((status = 200, body = super::act::Done), ActErrors)
)]
pub(super) async fn end_emergency(
    State(state): State<AppState>,
    Arbiter(by): Arbiter,
    Input(Nothing {}): Input<Nothing>,
) -> Answer {
    carry_out(&state, by, Command::EndEmergency).await
}

/// How long the last boards are given.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct PlayOff {
    /// Seconds; as the event says, else five minutes, without it.
    #[schema(minimum = 1, maximum = 3600)]
    seconds: Option<u32>,
}

/// Give the boards that are left a fixed time (R-CD-6); at its end an item opens for each of them.
#[utoipa::path(
    post, path = "/round/play-off", tag = "round", security(("cookie" = []), ("bearer" = [])),
    request_body = Option<PlayOff>, responses((status = 200, body = super::act::Done), ActErrors)
)]
pub(super) async fn play_off(
    State(state): State<AppState>,
    Arbiter(by): Arbiter,
    Input(PlayOff { seconds }): Input<PlayOff>,
) -> Answer {
    carry_out(&state, by, Command::StartPlayOff { seconds }).await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_sounds_are_handed_out() {
        for good in ["five-minutes.mp3", "one-minute.uk.ogg", "zero.wav"] {
            assert!(sound_type(good).is_some(), "{good}");
        }
        for bad in [
            "../journal.db",
            "pin.json",
            ".hidden.mp3",
            "a/b.mp3",
            "x.mp3/..",
        ] {
            assert_eq!(sound_type(bad), None, "{bad}");
        }
    }
}
