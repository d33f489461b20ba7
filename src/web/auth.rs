//! Who may act: the arbiters' PIN, their sessions, and a brake on guessing.
//!
//! On the first start there is no PIN; the daemon prints a one-time code on its own terminal, and
//! whoever can read that may set the PIN. The PIN is stored hashed. Sessions are kept beside it so
//! that a restarted hub does not send every arbiter back to the login in the middle of a round.

mod accounts;
mod brake;
mod pin_hash;
mod store;

use std::{
    net::IpAddr,
    path::Path,
    sync::{Arc, Mutex},
    time::Instant,
};

use rand::Rng;
use thiserror::Error;
use tokio::sync::Semaphore;

use accounts::Credentials;
pub use accounts::{AccountView, Role, Visitor};
use brake::{Brake, Guesser};
use pin_hash::PinHasher;
use store::{Session, Store};

/// The fewest characters of a PIN.
pub const PIN_MIN: usize = 6;
/// The most characters of a PIN.
pub const PIN_MAX: usize = 64;
/// How long a session lasts: an event's weekend, seconds.
pub(super) const SESSION_SECONDS: i64 = 4 * 24 * 3600;
/// The most characters of a name.
const NAME_MAX: usize = 60;

/// Why nobody was let in.
#[derive(Debug, Error)]
pub enum AuthError {
    /// Wrong PIN or code.
    #[error("that is not the right {0}")]
    Wrong(&'static str),
    /// Too many wrong attempts from this address.
    #[error("too many wrong attempts; try again in {0} s")]
    Wait(u64),
    /// No PIN is set yet.
    #[error("no PIN is set yet")]
    NoPin,
    /// A PIN is set already.
    #[error("a PIN is set already")]
    PinSet,
    /// The new PIN is too easy.
    #[error("{0}")]
    WeakPin(&'static str),
    /// As many people as can be kept have a PIN already.
    #[error("too many people have a PIN of their own")]
    Full,
    /// The name is empty or too long.
    #[error("the name must have 1 to 60 characters")]
    Name,
    /// The file with the PIN and the sessions cannot be understood.
    #[error("{path} is damaged ({detail}); delete it to set a new PIN")]
    Damaged {
        /// The file.
        path: std::path::PathBuf,
        /// What was found.
        detail: String,
    },
    /// The file could not be read or written.
    #[error("the file with the PIN cannot be used")]
    Io(#[from] std::io::Error),
}

/// The arbiters' PIN and sessions.
#[derive(Debug)]
pub struct Auth {
    inner: Mutex<Inner>,
    hasher: Arc<PinHasher>,
    told_pin: Option<String>,
    // A guess costs memory and a core for a moment: one at a time, the others wait in line.
    checks: Semaphore,
}

/// Who asks to be let in.
#[derive(Clone, Copy, Debug)]
pub struct Asker<'a> {
    /// The address.
    pub address: IpAddr,
    /// The token that the device got at an earlier login.
    pub device: Option<&'a str>,
}

/// What a successful login gives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoggedIn {
    /// The token of the session.
    pub session: String,
    /// The token by which the device is known at its next login.
    pub device: String,
}

#[derive(Debug)]
struct Inner {
    store: Store,
    setup_code: Option<String>,
    brake: Brake,
}

impl Auth {
    /// Opens the PIN of a data directory; makes a set-up code when there is none yet.
    pub fn open(data_dir: &Path) -> Result<Self, AuthError> {
        let store = Store::open(data_dir)?;
        let setup_code = store.pin_hash().is_none().then(new_code);
        Ok(Self::from_parts(store, setup_code))
    }

    /// A PIN for a demo, where whoever asks is told it.
    pub fn with_told_pin(pin: &str) -> Self {
        Self {
            told_pin: Some(pin.to_owned()),
            ..Self::with_pin(pin)
        }
    }

    /// The PIN of a demo.
    pub fn told_pin(&self) -> Option<&str> {
        self.told_pin.as_deref()
    }

    /// A PIN that lives in memory only, for demos and tests.
    pub fn with_pin(pin: &str) -> Self {
        let hasher = PinHasher::default();
        // Without a hash there would be no PIN, and every login is refused.
        let hash = hasher.hash(pin).unwrap_or_default();
        Self::from_parts(Store::in_memory(hash), None)
    }

    fn from_parts(store: Store, setup_code: Option<String>) -> Self {
        Self {
            hasher: Arc::default(),
            told_pin: None,
            inner: Mutex::new(Inner {
                store,
                setup_code,
                brake: Brake::default(),
            }),
            checks: Semaphore::new(1),
        }
    }

    /// The code that allows to set the first PIN; `None` once it is set. For the terminal only.
    pub fn setup_code(&self) -> Option<String> {
        self.lock().setup_code.clone()
    }

    /// Sets the first PIN and opens a session.
    pub async fn setup(
        &self,
        from: Asker<'_>,
        code: &str,
        pin: &str,
        name: &str,
    ) -> Result<LoggedIn, AuthError> {
        if self.setup_code().is_none() {
            return Err(AuthError::PinSet);
        }
        let name = checked_name(name)?;
        check_pin(pin)?;
        let guesser = {
            let mut inner = self.lock();
            let Some(expected) = inner.setup_code.clone() else {
                return Err(AuthError::PinSet);
            };
            let guesser = inner.attempt(from)?;
            if !same(&normal_code(code), &normal_code(&expected)) {
                return Err(AuthError::Wrong("set-up code"));
            }
            guesser
        };
        let hash = self.hash(pin).await?;
        let mut inner = self.lock();
        if inner.setup_code.is_none() {
            return Err(AuthError::PinSet);
        }
        inner.store.set_pin_hash(hash)?;
        inner.setup_code = None;
        let role = Role::Administrator;
        Ok(inner.succeeded(&guesser, Visitor { name, role }))
    }

    /// Checks the PIN and opens a session.
    pub async fn login(
        &self,
        from: Asker<'_>,
        pin: &str,
        name: &str,
    ) -> Result<LoggedIn, AuthError> {
        let name = checked_name(name)?;
        let (guesser, credentials) = {
            let mut inner = self.lock();
            let credentials = inner.credentials(&name).ok_or(AuthError::NoPin)?;
            // Counted as wrong before it is checked, so that guesses sent side by side wait too.
            (inner.attempt(from)?, credentials)
        };
        let Credentials { hash, visitor, own } = credentials;
        let outdated = PinHasher::is_outdated(&hash);
        let text = pin.to_owned();
        let right = self
            .alone(move |hasher| hasher.verify(&text, &hash))
            .await?;
        if !right {
            tracing::warn!(from = %from.address, "wrong PIN");
            return Err(AuthError::Wrong("PIN"));
        }
        let renewed = if outdated && !own {
            Some(self.hash(pin).await?)
        } else {
            None
        };
        let mut inner = self.lock();
        if let Some(hash) = renewed
            && let Err(error) = inner.store.set_pin_hash(hash)
        {
            tracing::warn!(%error, "the PIN's new hash could not be saved");
        }
        Ok(inner.succeeded(&guesser, visitor))
    }

    async fn hash(&self, pin: &str) -> Result<String, AuthError> {
        let pin = pin.to_owned();
        let hash = self.alone(move |hasher| hasher.hash(&pin)).await?;
        hash.map_err(|error| AuthError::Io(std::io::Error::other(error)))
    }

    /// Works with the hasher beside the runtime, in turn.
    async fn alone<T: Send + 'static>(
        &self,
        work: impl FnOnce(&PinHasher) -> T + Send + 'static,
    ) -> Result<T, AuthError> {
        let _turn = self.checks.acquire().await;
        let hasher = Arc::clone(&self.hasher);
        tokio::task::spawn_blocking(move || work(&hasher))
            .await
            .map_err(|error| AuthError::Io(std::io::Error::other(error)))
    }

    /// Whom a token belongs to.
    pub fn who(&self, token: &str) -> Option<Visitor> {
        let now = jiff::Timestamp::now().as_second();
        self.lock()
            .store
            .sessions()
            .iter()
            .find(|session| session.expires > now && same(&session.token, token))
            .map(|session| Visitor {
                name: session.name.clone(),
                role: session.role,
            })
    }

    /// Ends a session.
    pub fn logout(&self, token: &str) {
        let result = self.lock().store.retain(|session| session.token != token);
        if let Err(error) = result {
            tracing::warn!(%error, "the end of a session could not be saved");
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Inner> {
        self.inner
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

impl Inner {
    fn attempt(&mut self, from: Asker<'_>) -> Result<Guesser, AuthError> {
        let known = from.device.filter(|device| self.store.knows_device(device));
        let guesser = known.map_or(Guesser::Address(from.address), |device| {
            Guesser::Known(device.to_owned())
        });
        self.brake
            .attempt(&guesser, Instant::now())
            .map_err(AuthError::Wait)?;
        Ok(guesser)
    }

    fn succeeded(&mut self, guesser: &Guesser, visitor: Visitor) -> LoggedIn {
        self.brake.succeeded(guesser);
        let now = jiff::Timestamp::now().as_second();
        let logged_in = LoggedIn {
            session: new_token(),
            device: match guesser {
                Guesser::Known(device) => device.clone(),
                Guesser::Address(_) => new_token(),
            },
        };
        let session = Session {
            token: logged_in.session.clone(),
            name: visitor.name,
            role: visitor.role,
            expires: now + SESSION_SECONDS,
        };
        let device = logged_in.device.clone();
        // A full disk must not lock the arbiters out: the session then lasts until the hub restarts.
        if let Err(error) = self.store.open_session(session, device, now) {
            tracing::warn!(%error, "the session could not be saved");
        }
        logged_in
    }
}

fn checked_name(name: &str) -> Result<String, AuthError> {
    let name = name.trim();
    let good =
        !name.is_empty() && name.chars().count() <= NAME_MAX && !name.chars().any(char::is_control);
    if good {
        Ok(name.to_owned())
    } else {
        Err(AuthError::Name)
    }
}

fn check_pin(pin: &str) -> Result<(), AuthError> {
    let chars: Vec<char> = pin.chars().collect();
    if chars.len() < PIN_MIN || chars.len() > PIN_MAX {
        return Err(AuthError::WeakPin("the PIN must have 6 to 64 characters"));
    }
    let steps = |by: i64| {
        chars
            .windows(2)
            .all(|pair| i64::from(u32::from(pair[1])) - i64::from(u32::from(pair[0])) == by)
    };
    if steps(0) || steps(1) || steps(-1) {
        return Err(AuthError::WeakPin(
            "the PIN is the first one somebody would try; take one without a row or a repeated digit",
        ));
    }
    Ok(())
}

/// Compares without telling by its time where the difference is.
fn same(a: &str, b: &str) -> bool {
    a.len() == b.len()
        && a.bytes()
            .zip(b.bytes())
            .fold(0, |all, (a, b)| all | (a ^ b))
            == 0
}

fn normal_code(code: &str) -> String {
    code.chars()
        .filter(char::is_ascii_alphanumeric)
        .map(|c| c.to_ascii_uppercase())
        .collect()
}

/// Eight letters and digits that cannot be taken for each other, e.g. `K7QM-34XR`.
fn new_code() -> String {
    const LETTERS: &[u8] = b"ABCDEFGHJKLMNPQRSTUVWXYZ23456789";
    let mut rng = rand::rng();
    let mut code: String = (0..8)
        .map(|_| char::from(LETTERS[rng.random_range(0..LETTERS.len())]))
        .collect();
    code.insert(4, '-');
    code
}

/// 256 random bits in hex.
fn new_token() -> String {
    use std::fmt::Write;

    let bytes: [u8; 32] = rand::rng().random();
    bytes
        .iter()
        .fold(String::with_capacity(64), |mut text, byte| {
            // Writing to a String cannot fail.
            let _ = write!(text, "{byte:02x}");
            text
        })
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;

    use super::*;

    const HERE: Asker<'_> = Asker {
        address: IpAddr::V4(Ipv4Addr::LOCALHOST),
        device: None,
    };

    #[tokio::test]
    async fn the_code_sets_the_pin_once_and_the_session_survives_a_restart() {
        let dir = tempfile::tempdir().unwrap();
        let auth = Auth::open(dir.path()).unwrap();
        let code = auth.setup_code().unwrap();
        assert!(matches!(
            auth.login(HERE, "271828", "Anna").await,
            Err(AuthError::NoPin)
        ));
        assert!(matches!(
            auth.setup(HERE, "WRONG", "271828", "Anna").await,
            Err(AuthError::Wrong(_))
        ));
        let code = code.to_lowercase().replace('-', " ");
        let token = auth.setup(HERE, &code, "271828", " Anna ").await.unwrap();
        let token = token.session;
        let anna = Visitor {
            name: "Anna".to_owned(),
            role: Role::Administrator,
        };
        assert_eq!(auth.who(&token), Some(anna.clone()));
        assert!(auth.setup_code().is_none());
        assert!(matches!(
            auth.setup(HERE, &code, "314159", "Eve").await,
            Err(AuthError::PinSet)
        ));

        let again = Auth::open(dir.path()).unwrap();
        assert!(again.setup_code().is_none());
        assert_eq!(again.who(&token), Some(anna));
        again.logout(&token);
        assert!(Auth::open(dir.path()).unwrap().who(&token).is_none());
    }

    #[cfg(unix)]
    #[tokio::test]
    async fn nobody_else_can_read_the_file_and_the_pin_is_not_in_it() {
        use std::os::unix::fs::PermissionsExt;

        let dir = tempfile::tempdir().unwrap();
        let auth = Auth::open(dir.path()).unwrap();
        let code = auth.setup_code().unwrap();
        auth.setup(HERE, &code, "271828", "Anna").await.unwrap();
        for entry in std::fs::read_dir(dir.path()).unwrap() {
            let path = entry.unwrap().path();
            let mode = std::fs::metadata(&path).unwrap().permissions().mode();
            assert_eq!(mode & 0o777, 0o600, "{path:?}");
            assert!(!std::fs::read_to_string(&path).unwrap().contains("271828"));
        }
    }

    #[tokio::test]
    async fn guessing_is_slowed_down() {
        let auth = Auth::with_pin("271828");
        let mut waits = 0;
        for guess in 0..12 {
            if let Err(AuthError::Wait(_)) = auth.login(HERE, &format!("00000{guess}"), "Eve").await
            {
                waits += 1;
            }
        }
        assert!(waits >= 6, "{waits}");
        // Another address is not punished for it.
        let other = Asker {
            address: IpAddr::V4(Ipv4Addr::new(192, 0, 2, 7)),
            device: None,
        };
        assert!(auth.login(other, "271828", "Anna").await.is_ok());
    }

    #[tokio::test]
    async fn a_guesser_behind_the_same_router_does_not_lock_the_arbiter_out() {
        let auth = Auth::with_pin("271828");
        let anna = auth.login(HERE, "271828", "Anna").await.unwrap();
        auth.logout(&anna.session);
        for _ in 0..8 {
            assert!(auth.login(HERE, "000000", "Eve").await.is_err());
        }
        let known = Asker {
            device: Some(&anna.device),
            ..HERE
        };
        let again = auth.login(known, "271828", "Anna").await.unwrap();
        assert_eq!(again.device, anna.device);
        // A made-up token helps nobody, and a known device has its own brake.
        let made_up = Asker {
            device: Some("0123"),
            ..HERE
        };
        let refused = auth.login(made_up, "271828", "Eve").await;
        assert!(matches!(refused, Err(AuthError::Wait(_))));
        for _ in 0..8 {
            assert!(auth.login(known, "000000", "Eve").await.is_err());
        }
        let refused = auth.login(known, "271828", "Anna").await;
        assert!(matches!(refused, Err(AuthError::Wait(_))));
    }

    #[tokio::test]
    async fn an_outdated_hash_is_renewed_at_the_next_login() {
        let old = "$argon2id$v=19$m=19456,t=2,p=1$q/RXkhH6gCQvbpe2rdM0Kw$T1DlAd0HHA9OVKxYMUtDb+PyHt4t45haDUskXvUhSmU";
        let auth = Auth::from_parts(Store::in_memory(old.to_owned()), None);
        auth.login(HERE, "271828", "Anna").await.unwrap();
        let hash = auth.lock().store.pin_hash().unwrap().to_owned();
        assert_ne!(hash, old);
        assert!(!PinHasher::is_outdated(&hash));
        assert!(auth.login(HERE, "271828", "Anna").await.is_ok());
    }

    #[test]
    fn pins_that_everybody_tries_are_refused() {
        for pin in ["12345", "111111", "123456", "654321", "aaaaaaaa"] {
            assert!(check_pin(pin).is_err(), "{pin}");
        }
        for pin in ["271828", "112233", "пароль7"] {
            assert!(check_pin(pin).is_ok(), "{pin}");
        }
    }
}
