//! What a hall is made of.

use std::{net::SocketAddr, path::PathBuf, time::Duration};

use crate::{board::Noise, clock::TimeControl, hands::Incidents, make::Mix};

/// How a hub reaches the boards.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Transport {
    /// A pseudo-terminal a table.
    Pty,
    /// A listening socket a table: this port and the following ones, or free ports when it is 0.
    Tcp {
        /// Address of the first table.
        addr: SocketAddr,
    },
}

/// Links to the pseudo-terminals, whose own names change when they are replugged.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Links {
    /// None.
    #[default]
    None,
    /// `table-001` … in this directory, which is made if missing.
    InDirectory(PathBuf),
    /// This path, for a hall of one table.
    Single(PathBuf),
}

/// Settings of a hall.
#[derive(Debug, Clone, PartialEq)]
pub struct HallConfig {
    /// How many tables.
    pub tables: u16,
    /// Who made their boards, from the first table on; DGT for those that are left.
    pub mix: Mix,
    /// Number of the first one.
    pub first_table: u16,
    /// Decides everything that is left to chance.
    pub seed: u64,
    /// 1.0 is real time.
    pub speed: f64,
    /// Time on the clocks.
    pub control: TimeControl,
    /// What people do.
    pub incidents: Incidents,
    /// How badly the boards read their men.
    pub noise: Noise,
    /// Share of boards that stand turned by 180°, 0 to 1.
    pub turned_share: f64,
    /// Ports.
    pub transport: Transport,
    /// Stable names for the pseudo-terminals.
    pub links: Links,
}

impl Default for HallConfig {
    /// Eight tables on ptys, five minutes and three seconds a move, real time, an ordinary hall.
    fn default() -> Self {
        Self {
            tables: 8,
            mix: Mix::default(),
            first_table: 1,
            seed: 1,
            speed: 1.0,
            control: TimeControl::fischer(Duration::from_mins(5), Duration::from_secs(3)),
            incidents: Incidents::normal(),
            noise: Noise::none(),
            turned_share: 0.25,
            transport: Transport::Pty,
            links: Links::None,
        }
    }
}
