//! The PIN's hash and the open sessions, in one file that only the hub can read.

use std::{
    fs, io,
    io::Write,
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};

use super::{
    AuthError,
    accounts::{Account, Role},
};

const FILE: &str = "arbiters.json";
/// Sessions kept at once; more arbiters than any hall has phones.
const SESSIONS: usize = 500;
/// Known devices kept at once.
const DEVICES: usize = 500;

/// An arbiter who is logged in.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Session {
    pub(super) token: String,
    pub(super) name: String,
    /// Sessions of before there were roles could do everything.
    #[serde(default)]
    pub(super) role: Role,
    /// Seconds since 1970.
    pub(super) expires: i64,
}

#[derive(Debug, Default, Serialize, Deserialize)]
struct Content {
    pin_hash: Option<String>,
    /// People with a PIN of their own.
    #[serde(default)]
    accounts: Vec<Account>,
    #[serde(default)]
    sessions: Vec<Session>,
    /// Tokens of devices where somebody logged in, the latest last.
    #[serde(default)]
    devices: Vec<String>,
}

/// The file and its content.
#[derive(Debug)]
pub(super) struct Store {
    path: Option<PathBuf>,
    content: Content,
}

impl Store {
    pub(super) fn open(data_dir: &Path) -> Result<Self, AuthError> {
        fs::create_dir_all(data_dir)?;
        let path = data_dir.join(FILE);
        let content = match fs::read(&path) {
            Ok(bytes) => serde_json::from_slice(&bytes).map_err(|error| AuthError::Damaged {
                path: path.clone(),
                detail: error.to_string(),
            })?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => Content::default(),
            Err(error) => return Err(error.into()),
        };
        Ok(Self {
            path: Some(path),
            content,
        })
    }

    pub(super) fn in_memory(pin_hash: String) -> Self {
        Self {
            path: None,
            content: Content {
                pin_hash: Some(pin_hash),
                accounts: Vec::new(),
                sessions: Vec::new(),
                devices: Vec::new(),
            },
        }
    }

    pub(super) fn pin_hash(&self) -> Option<&str> {
        self.content.pin_hash.as_deref()
    }

    pub(super) fn sessions(&self) -> &[Session] {
        &self.content.sessions
    }

    pub(super) fn set_pin_hash(&mut self, hash: String) -> io::Result<()> {
        let before = self.content.pin_hash.replace(hash);
        self.save().inspect_err(|_| self.content.pin_hash = before)
    }

    pub(super) fn accounts(&self) -> &[Account] {
        &self.content.accounts
    }

    pub(super) fn set_accounts(&mut self, accounts: Vec<Account>) -> io::Result<()> {
        let before = std::mem::replace(&mut self.content.accounts, accounts);
        self.save().inspect_err(|_| self.content.accounts = before)
    }

    pub(super) fn knows_device(&self, device: &str) -> bool {
        // Every token is compared, so that the time tells nothing.
        (self.content.devices.iter()).fold(false, |known, kept| known | super::same(kept, device))
    }

    /// Adds a session on a device and drops those that have ended, or the oldest of too many.
    pub(super) fn open_session(
        &mut self,
        session: Session,
        device: String,
        now: i64,
    ) -> io::Result<()> {
        let devices = &mut self.content.devices;
        devices.retain(|kept| *kept != device);
        if devices.len() >= DEVICES {
            devices.remove(0);
        }
        devices.push(device);
        let sessions = &mut self.content.sessions;
        sessions.retain(|session| session.expires > now);
        if sessions.len() >= SESSIONS {
            sessions.remove(0);
        }
        sessions.push(session);
        self.save()
    }

    pub(super) fn retain(&mut self, keep: impl FnMut(&Session) -> bool) -> io::Result<()> {
        let before = self.content.sessions.len();
        self.content.sessions.retain(keep);
        if self.content.sessions.len() == before {
            return Ok(());
        }
        self.save()
    }

    /// Written beside and renamed, so that a power cut leaves the old or the new file.
    fn save(&self) -> io::Result<()> {
        let Some(path) = &self.path else {
            return Ok(());
        };
        let part = path.with_extension("part");
        match fs::remove_file(&part) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        let mut options = fs::OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let mut file = options.open(&part)?;
        serde_json::to_writer(&mut file, &self.content)?;
        file.flush()?;
        file.sync_all()?;
        fs::rename(&part, path)
    }
}
