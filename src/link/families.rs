//! Which kinds of devices a port may have, and the conversation with each of them.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
    sync::Arc,
    time::Duration,
};

use flagfall_core::protocol::{
    Link, LinkCounters,
    certabo::tags::SharedTags,
    dgt,
    registry::{Habits, Kind, SerialLine, candidates},
};

use super::PortName;

/// On a time line faster than life the machine still needs its time: no device is called silent before so much
/// real time.
const SILENCE_FLOOR: Duration = Duration::from_secs(2);
/// The same for an answer.
const ANSWER_FLOOR: Duration = Duration::from_millis(60);
/// A first question gets this long on a port that may be anybody's; in the second round each kind has its own
/// patience. Time of the hub's line, or real time where that is more.
const GLANCE: Duration = Duration::from_millis(2500);

/// The line of a port on which nobody has been found yet.
const FIRST_LINE: SerialLine = SerialLine {
    baud: 9600,
    modem_high: true,
};

/// The name of the choice that looks for itself, in configurations.
pub const AUTO: &str = "auto";

/// What a port is said to have.
#[derive(Clone, Copy, Debug, Default)]
pub enum Wanted {
    /// Whatever answers.
    #[default]
    Auto,
    /// This.
    Kind(Kind),
}

impl Wanted {
    /// As it stands in a configuration.
    pub fn named(name: &str) -> Option<Self> {
        if name == AUTO {
            return Some(Self::Auto);
        }
        Kind::named(name).filter(Kind::on_serial).map(Self::Kind)
    }
}

/// What is known of one port before anybody answers there.
#[derive(Clone, Debug, Default)]
pub struct PortFamily {
    /// Who is to be there.
    pub wanted: Wanted,
    /// How to speak with him.
    pub habits: Habits,
}

/// Says for a port who may be there.
pub type LinkFactory = Arc<dyn Fn(&PortName) -> PortFamily + Send + Sync>;

/// DGT boards everywhere: with Bluetooth habits on the ports named and on `/dev/rfcomm*`, on a cable
/// elsewhere. `speed` is that of the hub's time line.
pub fn dgt_links(bluetooth: BTreeSet<PortName>, speed: f64) -> LinkFactory {
    one_kind(dgt::BOARD, bluetooth, speed)
}

/// One kind of device everywhere.
pub fn one_kind(kind: Kind, bluetooth: BTreeSet<PortName>, speed: f64) -> LinkFactory {
    Arc::new(move |port| PortFamily {
        wanted: Wanted::Kind(kind),
        habits: habits(port, &bluetooth, speed, &SharedTags::default()),
    })
}

/// What the ports are said to have; whatever answers where nothing is said.
pub fn links(
    families: BTreeMap<PortName, Wanted>,
    bluetooth: BTreeSet<PortName>,
    tags: SharedTags,
    speed: f64,
) -> LinkFactory {
    Arc::new(move |port| PortFamily {
        wanted: families.get(port).copied().unwrap_or_default(),
        habits: habits(port, &bluetooth, speed, &tags),
    })
}

fn habits(
    port: &PortName,
    bluetooth: &BTreeSet<PortName>,
    speed: f64,
    tags: &SharedTags,
) -> Habits {
    let faster = (speed - 1.0).max(0.0);
    Habits {
        bluetooth: bluetooth.contains(port) || port.0.starts_with("/dev/rfcomm"),
        least_silence: SILENCE_FLOOR.mul_f64(speed),
        slack: ANSWER_FLOOR.mul_f64(faster),
        tags: tags.clone(),
        ..Habits::default()
    }
}

/// The conversations that a port may need, one of them at a time.
pub(super) struct Talkers {
    family: PortFamily,
    /// In the order in which they are tried; those that were never tried have no link yet.
    kinds: Vec<(Kind, Option<Box<dyn Link>>)>,
    at: usize,
    /// How often all of them were tried in vain.
    rounds: u32,
    /// Somebody was found, and it is he who is waited for.
    proved: bool,
}

impl Talkers {
    pub(super) fn new(family: PortFamily) -> Self {
        let mut talkers = Self {
            family,
            kinds: Vec::new(),
            at: 0,
            rounds: 0,
            proved: false,
        };
        talkers.choose(None);
        talkers
    }

    /// The port is about to be opened: what is plugged in there may be another device than before.
    pub(super) fn look(&mut self, port: &PortName) {
        if matches!(self.family.wanted, Wanted::Auto) && !self.proved && self.rounds == 0 {
            self.choose(usb_ids(Path::new(&port.0)));
        }
    }

    fn choose(&mut self, usb: Option<(u16, u16)>) {
        let kinds = match self.family.wanted {
            Wanted::Kind(kind) => vec![kind],
            Wanted::Auto => candidates(usb),
        };
        let now = self.kind().map(|kind| kind.name);
        let mut old: BTreeMap<&str, Box<dyn Link>> = std::mem::take(&mut self.kinds)
            .into_iter()
            .filter_map(|(kind, link)| Some((kind.name, link?)))
            .collect();
        self.kinds = kinds
            .into_iter()
            .map(|kind| (kind, old.remove(kind.name)))
            .collect();
        let same = |(kind, _): &(Kind, _)| Some(kind.name) == now;
        // The one whose turn it is keeps it, except that the first choice is a new one.
        self.at = self
            .kinds
            .iter()
            .position(same)
            .filter(|_| self.at > 0)
            .unwrap_or_default();
    }

    /// Who is being spoken with, or waited for.
    pub(super) fn kind(&self) -> Option<Kind> {
        self.kinds.get(self.at).map(|(kind, _)| *kind)
    }

    /// The conversation with him. A port that nobody can serve has none.
    pub(super) fn link(&mut self) -> Option<&mut Box<dyn Link>> {
        let (kind, link) = self.kinds.get_mut(self.at)?;
        if link.is_none() {
            *link = kind.link(&self.family.habits);
        }
        link.as_mut()
    }

    pub(super) fn line(&self) -> SerialLine {
        self.kind()
            .and_then(|kind| kind.device.serial)
            .unwrap_or(FIRST_LINE)
    }

    /// Somebody answered as he should.
    pub(super) fn prove(&mut self) {
        self.proved = true;
        self.rounds = 0;
    }

    /// Nobody answered: the next one's turn. `true` when all have had theirs.
    pub(super) fn next(&mut self) -> bool {
        self.at += 1;
        let all = self.at >= self.kinds.len();
        if all {
            self.at = 0;
            self.rounds = self.rounds.saturating_add(1);
            self.proved = false;
        }
        all
    }

    /// Whether it is not known who is there, so that others are still to be tried after this one.
    pub(super) fn others_wait(&self) -> bool {
        self.at + 1 < self.kinds.len()
    }

    /// How long the one whose turn it is may say nothing before the next one is tried.
    pub(super) fn glance(&self, speed: f64) -> Option<Duration> {
        let first = self.kinds.len() > 1 && !self.proved && self.rounds == 0;
        first.then(|| GLANCE.mul_f64(speed.max(1.0)))
    }

    /// Of all conversations together.
    pub(super) fn counters(&self) -> LinkCounters {
        let each = self.kinds.iter().filter_map(|(_, link)| link.as_ref());
        each.map(|link| link.counters())
            .fold(LinkCounters::default(), |sum, it| LinkCounters {
                bytes: sum.bytes + it.bytes,
                bytes_dropped: sum.bytes_dropped + it.bytes_dropped,
                messages: sum.messages + it.messages,
                invalid: sum.invalid + it.invalid,
                unknown: sum.unknown + it.unknown,
                unfinished: sum.unfinished + it.unfinished,
            })
    }
}

/// Vendor and product of the USB device behind a serial port, as the kernel tells them.
pub fn usb_ids(port: &Path) -> Option<(u16, u16)> {
    let device = fs::canonicalize(port).ok()?;
    let name = device.file_name()?;
    let class = Path::new("/sys/class/tty").join(name).join("device");
    let leaf = fs::canonicalize(class).ok()?;
    // The interface, for some drivers with a port below it, stands below the device that has the ids.
    leaf.ancestors().take(4).find_map(|directory| {
        let id = |file: &str| {
            let text = fs::read_to_string(directory.join(file)).ok()?;
            u16::from_str_radix(text.trim(), 16).ok()
        };
        Some((id("idVendor")?, id("idProduct")?))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn auto() -> Talkers {
        Talkers::new(PortFamily::default())
    }

    fn name(talkers: &Talkers) -> &'static str {
        talkers.kind().unwrap().name
    }

    #[test]
    fn each_kind_has_its_turn_and_then_all_again() {
        let mut talkers = auto();
        assert_eq!(name(&talkers), "dgt-board");
        assert!(talkers.glance(1.0).is_some());
        let mut seen = vec![name(&talkers)];
        while !talkers.next() {
            seen.push(name(&talkers));
        }
        assert!(seen.contains(&"chesslink") && seen.contains(&"certabo"));
        assert_eq!(name(&talkers), "dgt-board");
        assert!(talkers.glance(1.0).is_none(), "now with all patience");
    }

    #[test]
    fn whoever_was_found_is_waited_for() {
        let mut talkers = auto();
        talkers.next();
        let found = name(&talkers);
        talkers.prove();
        talkers.look(&PortName::from("/dev/ttyUSB0"));
        assert_eq!(name(&talkers), found);
        assert!(talkers.glance(1.0).is_none());
        assert!(talkers.link().is_some());
    }

    #[test]
    fn a_named_kind_is_the_only_one() {
        let wanted = Wanted::named("millennium").unwrap();
        let habits = Habits::default();
        let mut talkers = Talkers::new(PortFamily { wanted, habits });
        assert_eq!(
            (name(&talkers), talkers.others_wait()),
            ("chesslink", false)
        );
        assert_eq!(talkers.line().baud, 38_400);
        assert!(talkers.next());
        assert!(Wanted::named("chessnut").is_none(), "it has no serial line");
        assert!(matches!(Wanted::named("auto"), Some(Wanted::Auto)));
    }
}
