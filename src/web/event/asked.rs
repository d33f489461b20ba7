//! Who looks at a page, and in which language.

use std::convert::Infallible;

use axum::{
    extract::FromRequestParts,
    http::{Uri, header, request::Parts},
};
use flagfall_core::pairing::words::Language;

use super::words::Words;
use crate::web::{AppState, api};

/// What a page is asked.
pub(super) struct Asked {
    /// In which words: by the address, else as the browser prefers.
    pub(super) words: &'static Words,
    /// The language is in the address: links keep it.
    pub(super) chosen: bool,
    /// Somebody is logged in.
    pub(super) staff: bool,
    /// Names are to be seen.
    pub(super) names: bool,
}

impl FromRequestParts<AppState> for Asked {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Self, Infallible> {
        let chosen = in_address(&parts.uri);
        let preferred = || {
            let accepted = parts.headers.get(header::ACCEPT_LANGUAGE)?.to_str().ok()?;
            preferred(accepted)
        };
        let staff = api::is_logged_in(&parts.headers, state);
        Ok(Self {
            words: Words::of(chosen.or_else(preferred).unwrap_or_default()),
            chosen: chosen.is_some(),
            staff,
            names: staff || state.settings.publish_names,
        })
    }
}

fn in_address(uri: &Uri) -> Option<Language> {
    let query = uri.query()?;
    let lang = query
        .split('&')
        .find_map(|pair| pair.strip_prefix("lang="))?;
    Language::by_code(lang)
}

/// The best of an Accept-Language header that we speak.
fn preferred(accepted: &str) -> Option<Language> {
    let mut best: Option<(f32, Language)> = None;
    for part in accepted.split(',') {
        let (code, weight) = part.trim().split_once(";q=").unwrap_or((part.trim(), "1"));
        let weight: f32 = weight.trim().parse().unwrap_or(0.0);
        let Some(language) = Language::by_code(code) else {
            continue;
        };
        if weight > best.map_or(0.0, |(weight, _)| weight) {
            best = Some((weight, language));
        }
    }
    best.map(|(_, language)| language)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_address_and_the_browser_say_the_language() {
        let of = |uri: &str| in_address(&uri.parse().unwrap());
        assert_eq!(of("/standings?lang=uk"), Some(Language::Ukrainian));
        assert_eq!(of("/standings?x=1&lang=ru"), Some(Language::Russian));
        assert_eq!(of("/standings?lang=xx"), None);
        assert_eq!(of("/standings"), None);
        assert_eq!(
            preferred("uk-UA,uk;q=0.9,en;q=0.8"),
            Some(Language::Ukrainian)
        );
        assert_eq!(preferred("de,en;q=0.3,ru;q=0.7"), Some(Language::Russian));
        assert_eq!(preferred("de,fr"), None);
        assert_eq!(preferred(";q=;;,"), None);
    }
}
