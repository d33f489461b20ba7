//! Requests to push services: in the background, a few at a time, and none for a while after one failed.

use std::{
    io,
    sync::{Arc, Mutex, PoisonError, atomic::Ordering},
    time::Duration,
};

use axum::{
    body::Body,
    http::{Request, StatusCode, header},
};
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
use hyper_util::{
    client::legacy::{Client, connect::HttpConnector},
    rt::TokioExecutor,
};
use jiff::Timestamp;
use tokio::{
    sync::Semaphore,
    time::{Instant, timeout},
};
use tokio_rustls::rustls::crypto::ring;
use tracing::{debug, info, warn};

use super::{Phone, Push, decode, origin, seal::seal};

/// A service that takes longer is not reached.
const PATIENCE: Duration = Duration::from_secs(10);
/// After a failure nothing is sent for so long.
const PAUSE: Duration = Duration::from_secs(30);
/// A call that comes later helps nobody, seconds.
const LIVES: &str = "300";
/// Requests at once.
const AT_ONCE: usize = 16;

/// What became of a message.
#[derive(Debug)]
enum Sent {
    Taken,
    /// The browser has withdrawn its subscription.
    Gone,
}

#[derive(Clone, Debug)]
pub(super) struct Sender {
    push: Arc<Push>,
    client: Client<HttpsConnector<HttpConnector>, Body>,
    places: Arc<Semaphore>,
    pause: Arc<Mutex<Option<Instant>>>,
}

impl Sender {
    pub(super) fn new(push: Arc<Push>) -> Self {
        let builder = HttpsConnectorBuilder::new();
        let connector = builder
            .with_provider_and_webpki_roots(ring::default_provider())
            // The provider has the usual suites; without them the built-in one has.
            .unwrap_or_else(|_| HttpsConnectorBuilder::new().with_webpki_roots())
            .https_or_http()
            .enable_all_versions()
            .build();
        Self {
            push,
            client: Client::builder(TokioExecutor::new()).build(connector),
            places: Arc::new(Semaphore::new(AT_ONCE)),
            pause: Arc::default(),
        }
    }

    /// Sends a message by and by; nobody waits for it.
    pub(super) fn send(&self, phone: Phone, alert: u64, message: Vec<u8>) {
        let sender = self.clone();
        tokio::spawn(async move {
            let Ok(_place) = sender.places.acquire().await else {
                return;
            };
            if sender.pauses() {
                return;
            }
            let request = sender.post(&phone, alert, &message);
            match timeout(PATIENCE, request)
                .await
                .unwrap_or_else(|_| Err(io::Error::new(io::ErrorKind::TimedOut, "no answer")))
            {
                Ok(Sent::Taken) => sender.reached(),
                Ok(Sent::Gone) => {
                    sender.reached();
                    if let Err(error) = sender.push.forget(&phone.endpoint) {
                        debug!(%error, "a phone that is gone cannot be forgotten");
                    }
                }
                Err(error) => sender.failed(&error),
            }
        });
    }

    async fn post(&self, phone: &Phone, alert: u64, message: &[u8]) -> io::Result<Sent> {
        let invalid = || io::Error::new(io::ErrorKind::InvalidData, "not a subscription");
        let (key, secret) = decode(phone).ok_or_else(invalid)?;
        let origin = origin(&phone.endpoint).ok_or_else(invalid)?;
        let body = seal(&key, &secret, message).map_err(|_| invalid())?;
        let authorization = self.push.vapid.authorization(&origin, Timestamp::now())?;
        let request = Request::post(&phone.endpoint)
            .header(header::AUTHORIZATION, authorization)
            .header(header::CONTENT_ENCODING, "aes128gcm")
            .header(header::CONTENT_TYPE, "application/octet-stream")
            .header("TTL", LIVES)
            .header("Urgency", "high")
            // A newer call for the same alert takes the place of one that still waits.
            .header("Topic", format!("alert-{alert}"))
            .body(Body::from(body))
            .map_err(io::Error::other)?;
        let answer = self
            .client
            .request(request)
            .await
            .map_err(io::Error::other)?;
        match answer.status() {
            status if status.is_success() => Ok(Sent::Taken),
            StatusCode::NOT_FOUND | StatusCode::GONE => Ok(Sent::Gone),
            status => Err(io::Error::other(format!("the service answered {status}"))),
        }
    }

    fn pauses(&self) -> bool {
        let pause = self.pause.lock().unwrap_or_else(PoisonError::into_inner);
        pause.is_some_and(|until| Instant::now() < until)
    }

    fn reached(&self) {
        *self.pause.lock().unwrap_or_else(PoisonError::into_inner) = None;
        if self.push.stuck.swap(false, Ordering::Relaxed) {
            info!("phones are called through their push service again");
        }
    }

    fn failed(&self, error: &io::Error) {
        let until = Instant::now() + PAUSE;
        *self.pause.lock().unwrap_or_else(PoisonError::into_inner) = Some(until);
        if !self.push.stuck.swap(true, Ordering::Relaxed) {
            warn!(%error, "phones cannot be called through their push service; open consoles are");
        }
    }
}
