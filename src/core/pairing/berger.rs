//! Round robin by Berger tables, any size, one or more cycles (R-PR-6).

use super::{
    Entrant, Explanation, Input, PairingError, RoundPairing, System, entrants,
    schedule::{Meetings, Seats},
};

/// Round robin: everybody meets everybody once a cycle.
///
/// The n-th of the entrants in the order of their numbers has number n of the table, so those who
/// withdraw stay in the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RoundRobin {
    /// How often everybody meets everybody. Zero counts as one.
    pub cycles: u16,
}

impl RoundRobin {
    /// Each pair once.
    pub const SINGLE: Self = Self { cycles: 1 };
    /// Each pair twice, with both colours.
    pub const DOUBLE: Self = Self { cycles: 2 };

    fn cycles(self) -> u16 {
        self.cycles.max(1)
    }
}

/// The size of the table for a number of players: the next even number.
pub const fn table_size(players: u16) -> u16 {
    players + players % 2
}

/// One round of the Berger table for `players` players: (white, black) in the order of the boards.
/// With an odd number of players the pair with the extra number is in it: its other half rests.
///
/// `table_round` runs from 1 to `table_size(players) - 1`; outside of it, or with fewer than two
/// players, the round is empty.
pub fn berger_round(players: u16, table_round: u16) -> Vec<(u16, u16)> {
    let n = u32::from(table_size(players));
    let round = u32::from(table_round);
    if n < 2 || round == 0 || round >= n {
        return Vec::new();
    }
    let cycle = n - 1;
    let (first, top) = if round % 2 == 1 {
        let a = round.div_ceil(2);
        (a, (a, n))
    } else {
        let a = n / 2 + round / 2;
        (a, (n, a))
    };
    // The others stand mirrored about the opponent of n, on a ring of n - 1 numbers.
    let on_ring = |number: u32| (number - 1) % cycle + 1;
    std::iter::once(top)
        .chain((1..n / 2).map(|k| (on_ring(first + k), on_ring(first + cycle - k))))
        .map(|(white, black)| (white as u16, black as u16))
        .collect()
}

/// Where round `round` of a schedule of `cycles` cycles stands: (cycle from 1, round of the table).
///
/// In a schedule of several cycles the last two rounds of every cycle but the last are exchanged, so
/// that nobody has the same colour three times running across the seam (III.2, 6.4). With three or
/// four players and more than two cycles a cycle is too short for that: there it is every odd cycle.
pub fn table_round(players: u16, cycles: u16, round: u16) -> Option<(u16, u16)> {
    let a_cycle = table_size(players).checked_sub(1)?;
    if round == 0 || a_cycle == 0 || u32::from(round) > u32::from(a_cycle) * u32::from(cycles) {
        return None;
    }
    let cycle = (round - 1) / a_cycle + 1;
    let within = (round - 1) % a_cycle + 1;
    let exchange = match a_cycle {
        1 => false,
        3 => cycles > 1 && cycle % 2 == 1,
        _ => cycle < cycles,
    };
    let exchanged = if exchange && within + 1 >= a_cycle {
        2 * a_cycle - 1 - within
    } else {
        within
    };
    Some((cycle, exchanged))
}

impl System for RoundRobin {
    fn name(&self) -> &'static str {
        "round-robin"
    }

    fn rounds(&self, entrants: usize) -> Option<u16> {
        let players = u16::try_from(entrants).ok().filter(|&n| n < u16::MAX)?;
        table_size(players)
            .checked_sub(1)?
            .checked_mul(self.cycles())
    }

    fn pair(&self, input: &Input) -> Result<RoundPairing, PairingError> {
        let entrants = entrants(input)?;
        let too_many = || PairingError::TooManyPlayers {
            entered: entrants.len(),
            system: self.name(),
        };
        let all = self.rounds(entrants.len()).ok_or_else(too_many)?;
        let players = u16::try_from(entrants.len()).map_err(|_| too_many())?;
        let rounds = input.settings.rounds.map_or(all, |rounds| rounds.min(all));
        let no_such_round = PairingError::NoSuchRound {
            round: input.round,
            rounds,
        };
        if input.round.0 > rounds {
            return Err(no_such_round);
        }
        let (cycle, table_round) =
            table_round(players, self.cycles(), input.round.0).ok_or(no_such_round)?;

        let meetings = Meetings::new(input);
        let mut seats = Seats::new(input.round, &meetings, self.cycles());
        let size = table_size(players);
        seat_round(
            &mut seats,
            &entrants,
            table_round,
            cycle % 2 == 0,
            |white, black| Explanation::Berger {
                size,
                table_round,
                cycle,
                white,
                black,
            },
        )?;
        seats.finish()
    }
}

/// Seats a round of the table, with the colours reversed or not.
pub(super) fn seat_round(
    seats: &mut Seats<'_>,
    entrants: &[Entrant],
    table_round: u16,
    reversed: bool,
    explain: impl Fn(u16, u16) -> Explanation,
) -> Result<(), PairingError> {
    let players = entrants.len() as u16;
    for (white, black) in berger_round(players, table_round) {
        let (white, black) = if reversed {
            (black, white)
        } else {
            (white, black)
        };
        let entrant = |number: u16| entrants.get(usize::from(number) - 1).copied();
        match (entrant(white), entrant(black)) {
            (Some(w), Some(b)) => seats.seat(w, b, explain(white, black))?,
            (Some(resting), None) | (None, Some(resting)) => seats.rest(
                resting,
                Explanation::BergerRest {
                    size: table_size(players),
                    table_round,
                    number: white.min(black),
                },
            ),
            (None, None) => {}
        }
    }
    Ok(())
}
