//! The pages over HTTPS, with a certificate of the hub's own: what phones ask for before they install the
//! console, show its notices in the background or keep their screen on.
//!
//! The hub is a small certificate authority. Its certificate is made once, kept in `tls/` in the data
//! directory and trusted on each phone by hand; it can vouch for private networks and the hub's names
//! only. What the hub shows is made from it anew each day, so that a clock that was set is no trouble.

use std::{
    collections::BTreeSet,
    fs, io,
    net::{IpAddr, SocketAddr},
    os::unix::fs::OpenOptionsExt as _,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
};

use jiff::{Timestamp, ToSpan as _, civil::Date, tz::TimeZone};
use rcgen::{
    BasicConstraints, CertificateParams, CidrSubnet, DnType, ExtendedKeyUsagePurpose,
    GeneralSubtree, IsCa, Issuer, KeyPair, KeyUsagePurpose, NameConstraints, date_time_ymd,
};
use tokio_rustls::{
    TlsAcceptor,
    rustls::{
        ServerConfig,
        crypto::ring,
        pki_types::{CertificateDer, PrivateKeyDer, PrivatePkcs8KeyDer, pem::PemObject as _},
        server::{ClientHello, ResolvesServerCert},
        sign::CertifiedKey,
    },
};

/// Days for which a certificate holds; Apple's limit is 398 for those of the Internet and 825 for others.
const LEAF_DAYS: i64 = 390;
/// Years for which the authority holds: it is trusted by hand.
const AUTHORITY_YEARS: i16 = 10;
/// Before this year no hub of this program ran: a clock that says so is wrong.
const FIRST_YEAR: i16 = 2026;

/// The networks of halls, with their masks.
const PRIVATE: [([u8; 4], [u8; 4]); 6] = [
    ([10, 0, 0, 0], [255, 0, 0, 0]),
    ([172, 16, 0, 0], [255, 240, 0, 0]),
    ([192, 168, 0, 0], [255, 255, 0, 0]),
    ([169, 254, 0, 0], [255, 255, 0, 0]),
    ([127, 0, 0, 0], [255, 0, 0, 0]),
    ([100, 64, 0, 0], [255, 192, 0, 0]),
];
/// The ends of names that exist in halls only.
const LOCAL: [&str; 5] = ["local", "lan", "internal", "home.arpa", "localhost"];

/// How the pages are served over HTTPS.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TlsSettings {
    /// Where to listen.
    pub listen: SocketAddr,
    /// Names under which the hub is known, e.g. `hub.local`.
    pub names: Vec<String>,
    /// A certificate chain and its key, PEM, instead of the hub's own.
    pub files: Option<(PathBuf, PathBuf)>,
}

/// Why there is no HTTPS.
#[derive(Debug, thiserror::Error)]
pub enum TlsError {
    /// A file cannot be read or written.
    #[error("{}", path.display())]
    File {
        /// Which.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A file does not hold what it should.
    #[error("{} holds no certificate or key that can be used: {why}", path.display())]
    Content {
        /// Which.
        path: PathBuf,
        /// Why.
        why: String,
    },
    /// A certificate cannot be made.
    #[error("the hub's certificate cannot be made")]
    Certificate(#[from] rcgen::Error),
    /// TLS refuses it.
    #[error("the hub's certificate cannot be used")]
    Tls(#[from] tokio_rustls::rustls::Error),
}

/// What the listener needs, and what phones are to trust.
#[derive(Clone)]
pub struct Tls {
    /// Makes TLS of a connection.
    pub acceptor: TlsAcceptor,
    /// The hub's authority as PEM; `None` with a certificate from elsewhere.
    pub authority: Option<String>,
}

impl Tls {
    /// Reads or makes the certificate. `addresses` are those by which the hub is reached.
    ///
    /// # Errors
    /// When a file cannot be read, written or used.
    pub fn open(
        data_dir: &Path,
        settings: &TlsSettings,
        addresses: BTreeSet<IpAddr>,
    ) -> Result<Self, TlsError> {
        let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()?
            .with_no_client_auth();
        let (mut config, authority) = if let Some((certificate, key)) = &settings.files {
            let config = config.with_single_cert(chain(certificate)?, private_key(key)?)?;
            (config, None)
        } else {
            let authority = Authority::open(&data_dir.join("tls"), &settings.names)?;
            let pem = authority.pem.clone();
            let own = Own {
                authority,
                names: settings.names.clone(),
                addresses,
                made: Mutex::default(),
            };
            // What cannot be made is told at the start, not to the first phone.
            own.today(Timestamp::now())?;
            (config.with_cert_resolver(Arc::new(own)), Some(pem))
        };
        config.alpn_protocols = vec![b"http/1.1".to_vec()];
        Ok(Self {
            acceptor: TlsAcceptor::from(Arc::new(config)),
            authority,
        })
    }
}

fn chain(path: &Path) -> Result<Vec<CertificateDer<'static>>, TlsError> {
    CertificateDer::pem_file_iter(path)
        .and_then(Iterator::collect)
        .map_err(|error| content(path, &error))
}

fn private_key(path: &Path) -> Result<PrivateKeyDer<'static>, TlsError> {
    PrivateKeyDer::from_pem_file(path).map_err(|error| content(path, &error))
}

fn content(path: &Path, error: &dyn std::fmt::Display) -> TlsError {
    TlsError::Content {
        path: path.to_owned(),
        why: error.to_string(),
    }
}

/// Who vouches for the hub.
#[derive(Debug)]
struct Authority {
    pem: String,
    key: String,
}

impl Authority {
    /// The one in the directory; made there when there is none.
    fn open(dir: &Path, names: &[String]) -> Result<Self, TlsError> {
        let (path, key_path) = (dir.join("authority.crt"), dir.join("authority.key"));
        let file = |path: &Path| {
            let path = path.to_owned();
            move |source| TlsError::File { path, source }
        };
        let names_path = dir.join("authority.names");
        if key_path.exists() {
            let known = fs::read_to_string(&names_path).map_err(file(&names_path))?;
            let own = |name: &&String| !is_local(name) && !known.lines().any(|line| line == *name);
            if let Some(name) = names.iter().find(own) {
                let why = format!(
                    "it was made before the hub had the name {name:?}; remove {} to make a new one, \
                     and trust that one on the phones",
                    dir.display()
                );
                return Err(TlsError::Content { path, why });
            }
            let authority = Self {
                pem: fs::read_to_string(&path).map_err(file(&path))?,
                key: fs::read_to_string(&key_path).map_err(file(&key_path))?,
            };
            authority.issuer().map_err(|error| content(&path, &error))?;
            return Ok(authority);
        }
        let authority = Self::make(names)?;
        fs::create_dir_all(dir).map_err(file(dir))?;
        write(&names_path, &names.join("\n"), 0o644).map_err(file(&names_path))?;
        // The key last: with it the pair is complete.
        write(&path, &authority.pem, 0o644).map_err(file(&path))?;
        write(&key_path, &authority.key, 0o600).map_err(file(&key_path))?;
        Ok(authority)
    }

    fn make(names: &[String]) -> Result<Self, rcgen::Error> {
        let key = KeyPair::generate()?;
        let mut params = CertificateParams::default();
        let id = &key.public_key_raw()[1..5];
        let id = id
            .iter()
            .fold(String::new(), |text, byte| format!("{text}{byte:02x}"));
        (params.distinguished_name).push(DnType::CommonName, format!("Flagfall hall hub {id}"));
        params.is_ca = IsCa::Ca(BasicConstraints::Constrained(0));
        params.key_usages = vec![KeyUsagePurpose::KeyCertSign, KeyUsagePurpose::CrlSign];
        // A stolen key must not open anything but a hall's network.
        let private = PRIVATE.map(|(net, mask)| CidrSubnet::V4(net, mask));
        let names = LOCAL.into_iter().chain(names.iter().map(String::as_str));
        params.name_constraints = Some(NameConstraints {
            permitted_subtrees: (private.into_iter().map(GeneralSubtree::IpAddress))
                .chain(names.map(|name| GeneralSubtree::DnsName(name.to_owned())))
                .collect(),
            excluded_subtrees: Vec::new(),
        });
        let today = today(Timestamp::now());
        params.not_before = date_time_ymd(i32::from(FIRST_YEAR), 1, 1);
        let (year, month, day) = parts(today.saturating_add(AUTHORITY_YEARS.years()));
        params.not_after = date_time_ymd(year, month, day);
        Ok(Self {
            pem: params.self_signed(&key)?.pem(),
            key: key.serialize_pem(),
        })
    }

    fn issuer(&self) -> Result<Issuer<'static, KeyPair>, rcgen::Error> {
        Issuer::from_ca_cert_pem(&self.pem, KeyPair::from_pem(&self.key)?)
    }

    fn certify(
        &self,
        names: &[String],
        addresses: &BTreeSet<IpAddr>,
        day: Date,
    ) -> Result<CertifiedKey, TlsError> {
        let key = KeyPair::generate()?;
        let addresses = addresses.iter().filter(|address| is_private(address));
        let names = names
            .iter()
            .cloned()
            .chain(["localhost".to_owned()])
            .chain(addresses.map(ToString::to_string));
        let mut params = CertificateParams::new(names.collect::<Vec<_>>())?;
        (params.distinguished_name).push(DnType::CommonName, "Flagfall");
        params.extended_key_usages = vec![ExtendedKeyUsagePurpose::ServerAuth];
        params.key_usages = vec![KeyUsagePurpose::DigitalSignature];
        params.use_authority_key_identifier_extension = true;
        let (year, month, first) = parts(day.saturating_sub(2.days()));
        params.not_before = date_time_ymd(year, month, first);
        let (year, month, last) = parts(day.saturating_add(LEAF_DAYS.days()));
        params.not_after = date_time_ymd(year, month, last);
        let certificate = params.signed_by(&key, &self.issuer()?)?;
        let authority = CertificateDer::from_pem_slice(self.pem.as_bytes())
            .map_err(|error| content(Path::new("authority.crt"), &error))?;
        let private = PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(key.serialize_der()));
        let chain = vec![certificate.der().clone(), authority];
        Ok(CertifiedKey::from_der(
            chain,
            private,
            &ring::default_provider(),
        )?)
    }
}

/// The hub's own certificate, made anew when the day is another one.
#[derive(Debug)]
struct Own {
    authority: Authority,
    names: Vec<String>,
    addresses: BTreeSet<IpAddr>,
    made: Mutex<Option<(Date, Arc<CertifiedKey>)>>,
}

impl Own {
    fn today(&self, now: Timestamp) -> Result<Arc<CertifiedKey>, TlsError> {
        let day = today(now);
        let mut made = self.made.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((made_on, key)) = &*made
            && *made_on == day
        {
            return Ok(Arc::clone(key));
        }
        let key = self.authority.certify(&self.names, &self.addresses, day)?;
        let key = Arc::new(key);
        *made = Some((day, Arc::clone(&key)));
        Ok(key)
    }
}

impl ResolvesServerCert for Own {
    fn resolve(&self, _: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        self.today(Timestamp::now())
            .inspect_err(|error| tracing::error!(%error, "no certificate for HTTPS"))
            .ok()
    }
}

/// The day by UTC; a clock that was never set counts from the first day that can be.
fn today(now: Timestamp) -> Date {
    let day = TimeZone::UTC.to_datetime(now).date();
    day.max(Date::constant(FIRST_YEAR, 1, 3))
}

/// Year, month and day as the maker of certificates takes them.
fn parts(day: Date) -> (i32, u8, u8) {
    let (month, day_of_month) = (day.month().unsigned_abs(), day.day().unsigned_abs());
    (i32::from(day.year()), month, day_of_month)
}

/// A name that the authority may always vouch for.
fn is_local(name: &str) -> bool {
    LOCAL
        .iter()
        .any(|end| name == *end || name.ends_with(&format!(".{end}")))
}

/// The addresses for which the authority may vouch.
fn is_private(address: &IpAddr) -> bool {
    let IpAddr::V4(address) = address else {
        return false;
    };
    PRIVATE.iter().any(|(net, mask)| {
        let bytes = address.octets();
        (0..4).all(|at| bytes[at] & mask[at] == net[at])
    })
}

fn write(path: &Path, text: &str, mode: u32) -> io::Result<()> {
    use io::Write as _;
    let mut options = fs::OpenOptions::new();
    let mut file = options
        .write(true)
        .create(true)
        .truncate(true)
        .mode(mode)
        .open(path)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_authority_stays_and_vouches_for_private_networks_only() {
        let dir = tempfile::tempdir().unwrap();
        let names = ["hub.local".to_owned()];
        let first = Authority::open(dir.path(), &names).unwrap();
        let again = Authority::open(dir.path(), &names).unwrap();
        assert_eq!(first.pem, again.pem);
        assert_eq!(first.key, again.key);
        let mode = fs::metadata(dir.path().join("authority.key")).unwrap();
        assert_eq!(
            std::os::unix::fs::PermissionsExt::mode(&mode.permissions()) & 0o777,
            0o600
        );
        let told = ["192.168.1.5", "172.20.0.1", "10.1.2.3"].map(|text| text.parse().unwrap());
        assert!(told.iter().all(is_private));
        let foreign = ["8.8.8.8", "172.32.0.1", "fe80::1"].map(|text| text.parse().unwrap());
        assert!(!foreign.iter().any(is_private));
    }

    #[test]
    fn a_name_that_the_authority_cannot_vouch_for_is_refused() {
        let dir = tempfile::tempdir().unwrap();
        Authority::open(dir.path(), &["hub.local".to_owned()]).unwrap();
        Authority::open(dir.path(), &["other.lan".to_owned()]).unwrap();
        let refused = Authority::open(dir.path(), &["chess.example".to_owned()]).unwrap_err();
        assert!(refused.to_string().contains("chess.example"), "{refused}");
    }

    #[test]
    fn another_day_brings_another_certificate() {
        let dir = tempfile::tempdir().unwrap();
        let own = Own {
            authority: Authority::open(dir.path(), &[]).unwrap(),
            names: Vec::new(),
            addresses: BTreeSet::from([[192, 168, 1, 5].into()]),
            made: Mutex::default(),
        };
        let at = |text: &str| text.parse::<Timestamp>().unwrap();
        let first = own.today(at("2026-12-05T09:00:00Z")).unwrap();
        let same = own.today(at("2026-12-05T21:00:00Z")).unwrap();
        let next = own.today(at("2026-12-06T09:00:00Z")).unwrap();
        assert_eq!(first.cert, same.cert);
        assert_ne!(first.cert, next.cert);
        // A Pi without a battery begins in 1970.
        own.today(Timestamp::UNIX_EPOCH).unwrap();
    }
}
