//! HTTPS with the hub's own certificate, and calls to closed phones: the daemon, a push service of the test's
//! own that opens what it gets as a browser would (RFC 8291), and one that is not there.

use std::{
    fs,
    net::{Ipv4Addr, SocketAddr},
    sync::Arc,
    time::Duration,
};

use aes_gcm::{Aes128Gcm, KeyInit as _, aead::Aead as _};
use axum::{
    Router,
    body::Bytes,
    extract::State,
    http::{HeaderMap, StatusCode},
    routing::post,
};
use base64::{Engine as _, prelude::BASE64_URL_SAFE_NO_PAD as BASE64};
use hkdf::Hkdf;
use p256::{
    PublicKey, SecretKey,
    ecdh::diffie_hellman,
    ecdsa::{Signature, VerifyingKey, signature::Verifier as _},
};
use serde_json::{Value, json};
use sha2::Sha256;
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::{TcpListener, TcpStream},
    sync::mpsc,
};
use tokio_rustls::{
    TlsConnector,
    rustls::{
        ClientConfig, RootCertStore,
        crypto::ring,
        pki_types::{CertificateDer, ServerName, pem::PemObject as _},
    },
};

use crate::{
    place::{Console, Place},
    process::free_address,
};

/// The browser of the RFC's example.
const PRIVATE: &str = "q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94";
const PUBLIC: &str =
    "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4";
const SECRET: &str = "BTBZMqHH6r4Tts7J_aSIgg";

/// What a browser does with a message: written from the RFCs, with other libraries than the hub's.
fn open(body: &[u8]) -> Vec<u8> {
    let (salt, rest) = body.split_at(16);
    let (size, rest) = rest.split_at(4);
    assert_eq!(size, [0, 0, 16, 0]);
    let (key, sealed) = rest[1..].split_at(usize::from(rest[0]));
    let private = SecretKey::from_slice(&BASE64.decode(PRIVATE).unwrap()).unwrap();
    let sender = PublicKey::from_sec1_bytes(key).unwrap();
    let shared = diffie_hellman(private.to_nonzero_scalar(), sender.as_affine());
    let secret = BASE64.decode(SECRET).unwrap();
    let info = [b"WebPush: info\0", &BASE64.decode(PUBLIC).unwrap()[..], key].concat();
    let mut input = [0; 32];
    Hkdf::<Sha256>::new(Some(&secret), shared.raw_secret_bytes())
        .expand(&info, &mut input)
        .unwrap();
    let keys = Hkdf::<Sha256>::new(Some(salt), &input);
    let (mut content, mut nonce) = ([0; 16], [0; 12]);
    keys.expand(b"Content-Encoding: aes128gcm\0", &mut content)
        .unwrap();
    keys.expand(b"Content-Encoding: nonce\0", &mut nonce)
        .unwrap();
    let mut plain = Aes128Gcm::new(&content.into())
        .decrypt(&nonce.into(), sealed)
        .unwrap();
    assert_eq!(plain.pop(), Some(2), "the mark of the last record");
    plain
}

#[test]
fn the_browser_of_this_test_reads_the_example_of_the_rfc() {
    let body = BASE64
        .decode(
            "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN",
        )
        .unwrap();
    assert_eq!(open(&body), b"When I grow up, I want to be a watermelon");
}

type Got = mpsc::UnboundedSender<(HeaderMap, Bytes)>;

/// A push service: what it gets, and where it is. `/gone` is a browser that was thrown away.
async fn service() -> (SocketAddr, mpsc::UnboundedReceiver<(HeaderMap, Bytes)>) {
    let (sender, receiver) = mpsc::unbounded_channel();
    let take = |State(got): State<Got>, headers: HeaderMap, body: Bytes| async move {
        got.send((headers, body)).unwrap();
        StatusCode::CREATED
    };
    let app = Router::new()
        .route("/phone", post(take))
        .route("/gone", post(|| async { StatusCode::GONE }))
        .with_state(sender);
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move { axum::serve(listener, app).await });
    (address, receiver)
}

/// The signature is the hub's, for this service, and no older than it should be.
fn check_signature(headers: &HeaderMap, service: SocketAddr, key: &str) {
    let text = headers["authorization"].to_str().unwrap();
    let (token, told) = text
        .strip_prefix("vapid t=")
        .and_then(|text| text.split_once(", k="))
        .unwrap();
    assert_eq!(told, key);
    let (signed, signature) = token.rsplit_once('.').unwrap();
    let key = VerifyingKey::from_sec1_bytes(&BASE64.decode(key).unwrap()).unwrap();
    let signature = Signature::from_slice(&BASE64.decode(signature).unwrap()).unwrap();
    key.verify(signed.as_bytes(), &signature).unwrap();
    let claims = signed.split_once('.').unwrap().1;
    let claims: Value = serde_json::from_slice(&BASE64.decode(claims).unwrap()).unwrap();
    assert_eq!(claims["aud"], format!("http://{service}"));
    assert_eq!(claims["sub"], "mailto:arbiter@example.org");
    let ahead = claims["exp"].as_i64().unwrap() - jiff::Timestamp::now().as_second();
    assert!((3600..=24 * 3600).contains(&ahead), "{ahead}");
}

/// The daemon with HTTPS and push services, two games started.
async fn place(https: SocketAddr, services: &str) -> Place {
    let more = format!(
        "[push]\non = true\ncontact = \"mailto:arbiter@example.org\"\nservices = [{services}]\n"
    );
    let place = Place::with_event("5+3", 2, &more);
    let text = fs::read_to_string(place.config()).unwrap();
    let text = text.replace("[http]\n", &format!("[http]\nhttps = \"{https}\"\n"));
    fs::write(place.config(), text).unwrap();
    place.set_pin().await;
    place
}

fn subscribe(console: &Console, endpoint: &str) {
    let body = json!({ "endpoint": endpoint, "p256dh": PUBLIC, "auth": SECRET });
    console.order("push", &body.to_string());
}

fn start(console: &Console) {
    for step in ["pair", "publish", "start"] {
        console.order(&format!("round/{step}"), "{}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_reaches_a_closed_phone_sealed_and_signed() {
    let (service, mut got) = service().await;
    let place = place(free_address(), &format!("\"http://{service}\"")).await;
    let hub = place.start();
    let console = Console::open(place.http);
    let key = console.get("push")["key"].as_str().unwrap().to_owned();
    subscribe(&console, &format!("http://{service}/phone"));
    subscribe(&console, &format!("http://{service}/gone"));
    start(&console);
    console.order("tables/1/call", r#"{"note":"a dispute"}"#);
    let (headers, body) = tokio::time::timeout(Duration::from_secs(20), got.recv())
        .await
        .expect("the call arrives")
        .unwrap();
    check_signature(&headers, service, &key);
    assert_eq!(headers["content-encoding"], "aes128gcm");
    assert_eq!(headers["urgency"], "high");
    let told: Value = serde_json::from_slice(&open(&body)).unwrap();
    assert_eq!(told["kind"], "call");
    assert_eq!(told["table"], 1);
    assert_eq!(told["text"], "Table 1 calls an arbiter: a dispute");
    // Who is gone is forgotten, and the one that is left stays over a restart.
    let phones = place.path("data/phones.json");
    for _ in 0..200 {
        if !fs::read_to_string(&phones).unwrap().contains("/gone") {
            break;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    let kept = fs::read_to_string(&phones).unwrap();
    assert!(kept.contains("/phone") && !kept.contains("/gone"), "{kept}");
    drop(hub);
    let _hub = place.start();
    let console = Console::open(place.http);
    assert_eq!(console.get("push")["key"], key, "the key stays");
    // What was open before is not called for again; the next call is.
    console.order("tables/2/call", "{}");
    let (_, body) = tokio::time::timeout(Duration::from_secs(20), got.recv())
        .await
        .expect("the next call arrives")
        .unwrap();
    let told: Value = serde_json::from_slice(&open(&body)).unwrap();
    assert_eq!(told["table"], 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn without_the_service_the_hall_goes_on() {
    let nobody = free_address();
    let place = place(free_address(), &format!("\"http://{nobody}\"")).await;
    let _hub = place.start();
    let console = Console::open(place.http);
    subscribe(&console, &format!("http://{nobody}/phone"));
    start(&console);
    console.order("tables/1/call", "{}");
    for _ in 0..200 {
        if console.get("push")["stuck"] == true {
            break;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    assert_eq!(console.get("push")["stuck"], true, "the console says so");
    console.order("tables/2/call", "{}");
    assert_eq!(console.get("alerts").as_array().unwrap().len(), 2);
    // Nothing is sent to whoever an arbiter's browser names.
    let body = json!({ "endpoint": "https://192.0.2.1/x", "p256dh": PUBLIC, "auth": SECRET });
    let refused = console.try_order("push", &body.to_string());
    assert_eq!(refused.0, 400, "{}", refused.1);
}

/// Asks over TLS, trusting the hub's authority alone.
async fn ask(
    https: SocketAddr,
    authority: &str,
    name: &str,
    request: &str,
) -> Result<String, String> {
    let mut roots = RootCertStore::empty();
    roots
        .add(CertificateDer::from_pem_slice(authority.as_bytes()).unwrap())
        .unwrap();
    let config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_root_certificates(roots)
        .with_no_client_auth();
    let stream = TcpStream::connect(https).await.unwrap();
    let name = ServerName::try_from(name.to_owned()).unwrap();
    let mut stream = TlsConnector::from(Arc::new(config))
        .connect(name, stream)
        .await
        .map_err(|error| error.to_string())?;
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = Vec::new();
    // The end of TLS may be missing; what came counts.
    let _ = stream.read_to_end(&mut answer).await;
    Ok(String::from_utf8_lossy(&answer).into_owned())
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_come_over_https_with_a_certificate_that_can_be_trusted() {
    let https = SocketAddr::from((Ipv4Addr::LOCALHOST, free_address().port()));
    let place = place(https, "").await;
    let hub = place.start();
    let authority = crate::place::plain(place.http, "GET /flagfall-ca.crt");
    assert!(authority.starts_with("-----BEGIN CERTIFICATE-----"));
    let page = "GET /console HTTP/1.1\r\nHost: hub\r\nConnection: close\r\n\r\n";
    for name in ["127.0.0.1", "localhost"] {
        let answer = ask(https, &authority, name, page).await.unwrap();
        assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    }
    ask(https, &authority, "elsewhere.example", page)
        .await
        .unwrap_err();
    let login = r#"{"pin":"202612","name":"Arbiter"}"#;
    let request = format!(
        "POST /api/v1/login HTTP/1.1\r\nHost: hub\r\nContent-Type: application/json\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{login}",
        login.len()
    );
    let answer = ask(https, &authority, "127.0.0.1", &request).await.unwrap();
    let cookie = answer
        .lines()
        .find_map(|line| line.strip_prefix("set-cookie: __Host-flagfall="))
        .expect("a cookie of HTTPS");
    assert!(cookie.contains("; Secure"), "{cookie}");
    let token = cookie.split(';').next().unwrap();
    let request = format!(
        "GET /api/v1/session HTTP/1.1\r\nHost: hub\r\nCookie: flagfall=stale; __Host-flagfall={token}\r\nConnection: close\r\n\r\n"
    );
    let answer = ask(https, &authority, "127.0.0.1", &request).await.unwrap();
    assert!(answer.contains(r#""by":"Arbiter""#), "{answer}");
    // Trusted once, trusted after a restart.
    drop(hub);
    let _hub = place.start();
    let answer = ask(https, &authority, "127.0.0.1", page).await.unwrap();
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
}
