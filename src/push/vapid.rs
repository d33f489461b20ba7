//! Who calls: the hub's key for push services, RFC 8292.

use std::{fs, io, os::unix::fs::OpenOptionsExt as _, path::Path};

use base64::{Engine as _, prelude::BASE64_URL_SAFE_NO_PAD as BASE64};
use jiff::Timestamp;
use ring::{
    rand::SystemRandom,
    signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, KeyPair as _},
};
use serde_json::json;

/// How long a push service may believe a signature, seconds; the RFC allows a day.
const VALID: i64 = 12 * 3600;

/// The hub's key.
#[derive(Debug)]
pub(super) struct Vapid {
    key: EcdsaKeyPair,
    contact: String,
}

impl Vapid {
    /// The key in a file; made there when there is none.
    pub(super) fn open(path: &Path, contact: &str) -> io::Result<Self> {
        let random = SystemRandom::new();
        let bytes = match fs::read(path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let made = EcdsaKeyPair::generate_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, &random)
                    .map_err(|_| io::Error::other("no key can be made"))?;
                let mut options = fs::OpenOptions::new();
                let mut file = options
                    .write(true)
                    .create_new(true)
                    .mode(0o600)
                    .open(path)?;
                io::Write::write_all(&mut file, made.as_ref())?;
                file.sync_all()?;
                made.as_ref().to_vec()
            }
            Err(error) => return Err(error),
        };
        let key = EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, &bytes, &random)
            .map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error.to_string()))?;
        Ok(Self {
            key,
            contact: contact.to_owned(),
        })
    }

    /// The public key as browsers take it.
    pub(super) fn public(&self) -> String {
        BASE64.encode(self.key.public_key())
    }

    /// The header `Authorization` for a service, e.g. `https://fcm.googleapis.com`.
    pub(super) fn authorization(&self, origin: &str, now: Timestamp) -> io::Result<String> {
        let claims = json!({
            "aud": origin, "exp": now.as_second() + VALID, "sub": self.contact,
        });
        let head = BASE64.encode(json!({ "typ": "JWT", "alg": "ES256" }).to_string());
        let signed = format!("{head}.{}", BASE64.encode(claims.to_string()));
        let signature = (self.key.sign(&SystemRandom::new(), signed.as_bytes()))
            .map_err(|_| io::Error::other("the key does not sign"))?;
        let signature = BASE64.encode(signature);
        Ok(format!("vapid t={signed}.{signature}, k={}", self.public()))
    }
}
