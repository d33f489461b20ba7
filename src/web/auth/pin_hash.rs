//! Hashing of the PIN (Argon2id) in memory that is taken once.
//!
//! A hash needs megabytes on purpose. Taken afresh for each login they would stay with the allocator,
//! once for each thread that ever hashed; so there is one piece for all, and one hash at a time.

use std::sync::{Mutex, PoisonError};

use argon2::{
    Algorithm, Argon2, Block, Params, Version,
    password_hash::{self, Output, ParamsString, PasswordHash, Salt, SaltString},
};
use rand::Rng;

/// The one of the parameter sets of OWASP's password storage cheat sheet that takes the least memory:
/// 7 MiB, five passes, one lane.
const MEMORY_KIB: u32 = 7 * 1024;
const PASSES: u32 = 5;
const LANES: u32 = 1;

/// Hashes and checks PINs, one at a time.
#[derive(Debug, Default)]
pub(super) struct PinHasher {
    blocks: Mutex<Vec<Block>>,
}

impl PinHasher {
    /// A new hash as a PHC string.
    pub(super) fn hash(&self, pin: &str) -> password_hash::Result<String> {
        let params = params()?;
        let bytes: [u8; 16] = rand::rng().random();
        let salt = SaltString::encode_b64(&bytes)?;
        let output = self.output(pin, salt.as_salt(), Version::V0x13, params.clone())?;
        let hash = PasswordHash {
            algorithm: Algorithm::Argon2id.ident(),
            version: Some(Version::V0x13.into()),
            params: ParamsString::try_from(params)?,
            salt: Some(salt.as_salt()),
            hash: Some(output),
        };
        Ok(hash.to_string())
    }

    /// Whether a PIN belongs to a hash. One that cannot be read belongs to no PIN.
    pub(super) fn verify(&self, pin: &str, hash: &str) -> bool {
        self.matches(pin, hash).unwrap_or(false)
    }

    /// Whether a hash was made with other parameters than ours.
    pub(super) fn is_outdated(hash: &str) -> bool {
        let read = PasswordHash::new(hash).and_then(|hash| Params::try_from(&hash));
        read.map_or(true, |params| {
            (params.m_cost(), params.t_cost(), params.p_cost()) != (MEMORY_KIB, PASSES, LANES)
        })
    }

    fn matches(&self, pin: &str, hash: &str) -> password_hash::Result<bool> {
        let hash = PasswordHash::new(hash)?;
        let (Some(salt), Some(expected)) = (hash.salt, hash.hash) else {
            return Ok(false);
        };
        if hash.algorithm != Algorithm::Argon2id.ident() {
            return Ok(false);
        }
        let version = hash.version.map_or(Ok(Version::V0x13), Version::try_from)?;
        // Outputs compare in constant time.
        Ok(self.output(pin, salt, version, Params::try_from(&hash)?)? == expected)
    }

    fn output(
        &self,
        pin: &str,
        salt: Salt<'_>,
        version: Version,
        params: Params,
    ) -> password_hash::Result<Output> {
        let mut salt_bytes = [0; Salt::MAX_LENGTH];
        let salt = salt.decode_b64(&mut salt_bytes)?;
        let len = params.output_len().unwrap_or(Params::DEFAULT_OUTPUT_LEN);
        let needed = params.block_count();
        let argon2 = Argon2::new(Algorithm::Argon2id, version, params);
        let mut kept = self.blocks.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.len() < needed {
            *kept = vec![Block::new(); needed];
        }
        let output = Output::init_with(len, |out| {
            argon2
                .hash_password_into_with_memory(pin.as_bytes(), salt, out, &mut kept[..needed])
                .map_err(Into::into)
        });
        // An old, greedier hash is not a reason to keep its memory.
        if kept.len() > MEMORY_KIB as usize {
            *kept = Vec::new();
        }
        output
    }
}

fn params() -> password_hash::Result<Params> {
    Ok(Params::new(MEMORY_KIB, PASSES, LANES, None)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_right_pin_only() {
        let hasher = PinHasher::default();
        let hash = hasher.hash("271828").unwrap();
        assert!(hash.starts_with("$argon2id$v=19$m=7168,t=5,p=1$"), "{hash}");
        assert!(hasher.verify("271828", &hash));
        assert!(!hasher.verify("271829", &hash));
        assert!(!hasher.verify("", &hash));
        assert!(!hasher.verify("271828", "$argon2id$v=19$broken"));
        assert!(!PinHasher::is_outdated(&hash));
        assert_ne!(
            hash,
            hasher.hash("271828").unwrap(),
            "each has its own salt"
        );
    }

    #[test]
    fn a_hash_of_other_parameters_is_read_and_known_as_outdated() {
        let old = "$argon2id$v=19$m=19456,t=2,p=1$q/RXkhH6gCQvbpe2rdM0Kw$T1DlAd0HHA9OVKxYMUtDb+PyHt4t45haDUskXvUhSmU";
        let hasher = PinHasher::default();
        assert!(hasher.verify("271828", old));
        assert!(!hasher.verify("314159", old));
        assert!(PinHasher::is_outdated(old));
        assert!(hasher.blocks.lock().unwrap().is_empty());
    }
}
