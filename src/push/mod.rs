//! Calls to phones whose console is closed, through the push services of the browsers' makers.
//!
//! A message is sealed for one browser; the service in between learns that something happened and no more.
//! Without the Internet nothing is sent: that is told once, and the hall goes on as it does without.

mod seal;
mod send;
mod vapid;

use std::{
    collections::BTreeSet,
    fs, io,
    path::{Path, PathBuf},
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
};

use axum::http::Uri;
use base64::{Engine as _, prelude::BASE64_URL_SAFE_NO_PAD as BASE64};
use flagfall_core::hub::{
    event::Reach,
    view::{AlertView, Severity},
};
use serde::{Deserialize, Serialize};
use tokio_util::sync::CancellationToken;

use crate::handle::Handle;
use send::Sender;
use vapid::Vapid;

/// The push services of Chrome, Firefox, Safari and Edge.
pub const SERVICES: [&str; 4] = [
    "fcm.googleapis.com",
    "push.services.mozilla.com",
    "push.apple.com",
    "notify.windows.com",
];
/// Phones that are kept: more than a large event has arbiters.
const PHONES: usize = 300;
/// The longest address of a browser at its service.
const ENDPOINT_MAX: usize = 1024;

/// How phones are called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PushSettings {
    /// Whom a service may write to.
    pub contact: String,
    /// Hosts that may be sent to, or the ends of their names; with a scheme the whole origin.
    pub services: Vec<String>,
}

/// A browser that wants to be called.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Phone {
    /// Whose it is.
    pub name: String,
    /// Its address at the push service.
    pub endpoint: String,
    /// Its public key, base64url.
    pub key: String,
    /// The secret that it shares with the hub, base64url.
    pub secret: String,
}

/// Why a browser is not called.
#[derive(Debug, thiserror::Error)]
pub enum PushError {
    /// The hub does not send there.
    #[error("the hub does not send to {0}")]
    Service(String),
    /// The keys are not those of a browser.
    #[error("the keys of the subscription cannot be read")]
    Keys,
    /// There are too many already.
    #[error("{PHONES} phones are called already")]
    Full,
    /// The list cannot be kept.
    #[error("the list of phones cannot be written")]
    File(#[from] io::Error),
}

/// The phones, and the way to them.
#[derive(Debug)]
pub struct Push {
    settings: PushSettings,
    vapid: Vapid,
    path: PathBuf,
    phones: Mutex<Vec<Phone>>,
    stuck: AtomicBool,
}

impl Push {
    /// Reads the hub's key and the phones from the data directory.
    ///
    /// # Errors
    /// When a file cannot be read or written.
    pub fn open(data_dir: &Path, settings: PushSettings) -> io::Result<Self> {
        let path = data_dir.join("phones.json");
        let phones = match fs::read(&path) {
            Ok(bytes) => serde_json::from_slice(&bytes)?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
            Err(error) => return Err(error),
        };
        Ok(Self {
            vapid: Vapid::open(&data_dir.join("push.key"), &settings.contact)?,
            settings,
            path,
            phones: Mutex::new(phones),
            stuck: AtomicBool::new(false),
        })
    }

    /// The key that a browser subscribes with.
    pub fn public_key(&self) -> String {
        self.vapid.public()
    }

    /// A service was not reached of late.
    pub fn is_stuck(&self) -> bool {
        self.stuck.load(Ordering::Relaxed)
    }

    /// Calls this browser from now on; for another arbiter when it was another's.
    ///
    /// # Errors
    /// When its service is not one of those allowed, its keys are none, or the list is full.
    pub fn subscribe(&self, phone: Phone) -> Result<(), PushError> {
        if origin(&phone.endpoint).is_none_or(|origin| !self.allows(&origin))
            || phone.endpoint.len() > ENDPOINT_MAX
        {
            return Err(PushError::Service(host(&phone.endpoint)));
        }
        decode(&phone).ok_or(PushError::Keys)?;
        let mut phones = self.phones.lock().unwrap_or_else(PoisonError::into_inner);
        let mut wanted = phones.clone();
        wanted.retain(|known| known.endpoint != phone.endpoint);
        if wanted.len() >= PHONES {
            return Err(PushError::Full);
        }
        wanted.push(phone);
        self.write(&wanted)?;
        *phones = wanted;
        Ok(())
    }

    /// Does not call it any more.
    ///
    /// # Errors
    /// When the list cannot be written.
    pub fn forget(&self, endpoint: &str) -> io::Result<()> {
        let mut phones = self.phones.lock().unwrap_or_else(PoisonError::into_inner);
        if phones.iter().any(|phone| phone.endpoint == endpoint) {
            let mut wanted = phones.clone();
            wanted.retain(|phone| phone.endpoint != endpoint);
            self.write(&wanted)?;
            *phones = wanted;
        }
        Ok(())
    }

    fn write(&self, phones: &[Phone]) -> io::Result<()> {
        let new = self.path.with_extension("new");
        let mut options = fs::OpenOptions::new();
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let mut file = options.write(true).create(true).truncate(true).open(&new)?;
        io::Write::write_all(&mut file, &serde_json::to_vec(phones)?)?;
        file.sync_all()?;
        fs::rename(new, &self.path)
    }

    fn allows(&self, origin: &str) -> bool {
        self.settings.services.iter().any(|service| {
            if service.contains("://") {
                return service == origin;
            }
            let Some(host) = origin.strip_prefix("https://") else {
                return false;
            };
            host == service || host.ends_with(&format!(".{service}"))
        })
    }

    fn of(&self, names: &[String]) -> Vec<Phone> {
        let phones = self.phones.lock().unwrap_or_else(PoisonError::into_inner);
        let wanted = |phone: &&Phone| names.is_empty() || names.contains(&phone.name);
        phones.iter().filter(wanted).cloned().collect()
    }

    /// Calls for every alert that nobody has taken, until `cancel`.
    pub async fn run(self: Arc<Self>, handle: Handle, cancel: CancellationToken) {
        let mut updates = handle.updates();
        let sender = Sender::new(Arc::clone(&self));
        let mut told = Told::default();
        // What was open before was called for before.
        if let Ok(hall) = handle.hall().await {
            told.news(&hall.alerts);
        }
        loop {
            let alerts = tokio::select! {
                () = cancel.cancelled() => return,
                update = updates.recv() => match update {
                    Ok(update) => update.alerts.clone(),
                    Err(tokio::sync::broadcast::error::RecvError::Lagged(_)) => {
                        handle.hall().await.ok().map(|hall| hall.alerts.clone())
                    }
                    Err(tokio::sync::broadcast::error::RecvError::Closed) => return,
                },
            };
            for alert in told.news(&alerts.unwrap_or_default()) {
                let message = message(alert);
                for phone in self.of(&alert.to) {
                    sender.send(phone, alert.id, message.clone());
                }
            }
        }
    }
}

/// What a phone is told.
fn message(alert: &AlertView) -> Vec<u8> {
    let text: String = alert.text.chars().take(600).collect();
    serde_json::json!({
        "id": alert.id, "kind": alert.kind, "table": alert.table, "severity": alert.severity, "text": text,
    })
    .to_string()
    .into_bytes()
}

/// What was called for already.
#[derive(Debug, Default)]
struct Told(BTreeSet<(u64, Reach)>);

impl Told {
    /// The calls that are new, or go to more arbiters now.
    fn news<'a>(&mut self, alerts: &'a [AlertView]) -> Vec<&'a AlertView> {
        self.0
            .retain(|(id, _)| alerts.iter().any(|it| it.id == *id));
        let called =
            |it: &&AlertView| it.severity == Severity::Call && it.acknowledged_by.is_none();
        (alerts.iter().filter(called))
            .filter(|alert| self.0.insert((alert.id, alert.reach)))
            .collect()
    }
}

/// Scheme, host and port of an address.
fn origin(endpoint: &str) -> Option<String> {
    let uri: Uri = endpoint.parse().ok()?;
    Some(format!("{}://{}", uri.scheme_str()?, uri.authority()?))
}

fn host(endpoint: &str) -> String {
    let uri: Option<Uri> = endpoint.parse().ok();
    uri.and_then(|uri| uri.host().map(str::to_owned))
        .unwrap_or_else(|| "this address".to_owned())
}

/// The key and the secret of a browser.
fn decode(phone: &Phone) -> Option<(Vec<u8>, Vec<u8>)> {
    let bytes = |text: &str| BASE64.decode(text.trim_end_matches('=')).ok();
    let (key, secret) = (bytes(&phone.key)?, bytes(&phone.secret)?);
    (key.len() == seal::POINT && key[0] == 4 && secret.len() == seal::SECRET)
        .then_some((key, secret))
}
