//! A message that only one browser can read, however it gets there: RFC 8291 over RFC 8188.

use ring::{
    aead::{AES_128_GCM, Aad, LessSafeKey, Nonce, UnboundKey},
    agreement::{ECDH_P256, EphemeralPrivateKey, UnparsedPublicKey, agree_ephemeral},
    error::Unspecified,
    hkdf::{HKDF_SHA256, KeyType, Prk, Salt},
    rand::{SecureRandom as _, SystemRandom},
};

/// An uncompressed point of P-256.
pub(super) const POINT: usize = 65;
/// The secret that a browser shares with whom it lets call.
pub(super) const SECRET: usize = 16;
/// The record's size, as push services want it: one record holds the message.
const RECORD: u32 = 4096;
/// What follows the last record's content.
const LAST: u8 = 2;

struct Bytes(usize);

impl KeyType for Bytes {
    fn len(&self) -> usize {
        self.0
    }
}

/// Encrypts `message` for the browser with this key and secret: the body of the request.
///
/// # Errors
/// When the browser's key is no point of the curve.
pub(super) fn seal(key: &[u8], secret: &[u8], message: &[u8]) -> Result<Vec<u8>, Unspecified> {
    let random = SystemRandom::new();
    let own = EphemeralPrivateKey::generate(&ECDH_P256, &random)?;
    let public = own.compute_public_key()?;
    let public = public.as_ref();
    let peer = UnparsedPublicKey::new(&ECDH_P256, key);
    let shared = agree_ephemeral(own, &peer, |shared| {
        let shared = Salt::new(HKDF_SHA256, secret).extract(shared);
        expand::<32>(&shared, &[b"WebPush: info\0", key, public])
    })??;
    let mut salt = [0; 16];
    random.fill(&mut salt)?;
    let keys = Salt::new(HKDF_SHA256, &salt).extract(&shared);
    let content_key = expand::<16>(&keys, &[b"Content-Encoding: aes128gcm\0"])?;
    let nonce = expand::<12>(&keys, &[b"Content-Encoding: nonce\0"])?;

    let mut sealed = message.to_vec();
    sealed.push(LAST);
    let content_key = LessSafeKey::new(UnboundKey::new(&AES_128_GCM, &content_key)?);
    let nonce = Nonce::assume_unique_for_key(nonce);
    content_key.seal_in_place_append_tag(nonce, Aad::empty(), &mut sealed)?;

    let mut body = Vec::with_capacity(21 + POINT + sealed.len());
    body.extend(salt);
    body.extend(RECORD.to_be_bytes());
    body.push(POINT as u8);
    body.extend(public);
    body.extend(sealed);
    Ok(body)
}

fn expand<const N: usize>(key: &Prk, info: &[&[u8]]) -> Result<[u8; N], Unspecified> {
    let mut out = [0; N];
    key.expand(info, Bytes(N))?.fill(&mut out)?;
    Ok(out)
}
