//! An iChessOne on its USB cable: short ASCII commands that nothing closes, 115,200 baud.

use std::time::Duration;

use super::{Front, wire::Wire};

/// A scan of its squares.
const SCAN: Duration = Duration::from_millis(100);
const ANSWERS: Duration = Duration::from_millis(5);
/// A command that is not continued for so long is over.
const PAUSE: Duration = Duration::from_millis(50);
/// Codes of the men in the order of piece codes: empty, P R N B K Q, p r n b k q.
const CODES: [u8; 13] = [0, 1, 4, 2, 3, 6, 5, 7, 10, 8, 9, 12, 11];
/// `EL` and fourteen bytes.
const LIGHTS: usize = 16;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Reports {
    #[default]
    Off,
    OnChange,
    Every(Duration),
}

/// One board.
#[derive(Debug, Clone)]
pub(super) struct IChessOne {
    reports: Reports,
    input: Vec<u8>,
    last_byte: Duration,
    cells: [u8; 64],
    told: Option<[u8; 64]>,
    next: Duration,
    wire: Wire,
}

impl Default for IChessOne {
    fn default() -> Self {
        Self {
            reports: Reports::Off,
            input: Vec::new(),
            last_byte: Duration::ZERO,
            cells: [0; 64],
            told: None,
            next: Duration::ZERO,
            wire: Wire::new(115_200),
        }
    }
}

impl IChessOne {
    /// Two squares a byte, the first in the high half.
    fn position(&self) -> Vec<u8> {
        let code = |cell: u8| CODES.get(usize::from(cell)).copied().unwrap_or_default();
        let squares = self
            .cells
            .chunks(2)
            .map(|two| code(two[0]) << 4 | code(two[1]));
        b"=p".iter().copied().chain(squares).collect()
    }

    /// Obeys what stands at the front of the input; `false` when more has to come.
    fn obey(&mut self, now: Duration, over: bool) -> bool {
        let at = now + ANSWERS;
        let input = self.input.as_slice();
        let taken = if input.starts_with(b"CPIRQ") {
            self.reports = Reports::OnChange;
            self.told = None;
            5
        } else if input.starts_with(b"CPOFF") || input.starts_with(b"CSOFF") {
            self.reports = Reports::Off;
            5
        } else if input.starts_with(b"CPM") {
            let digits = input[3..]
                .iter()
                .take_while(|byte| byte.is_ascii_digit())
                .count();
            if !over && digits == input.len() - 3 {
                return false;
            }
            let number = std::str::from_utf8(&input[3..3 + digits]).unwrap_or_default();
            if let Ok(ms) = number.parse::<u64>() {
                self.reports = Reports::Every(Duration::from_millis(ms.max(50)));
            }
            3 + digits
        } else if input.starts_with(b"RP") {
            let position = self.position();
            self.wire.send(at, position);
            2
        } else if input.starts_with(b"RB") {
            self.wire.send(at, vec![b'=', b'b', 0, 88]);
            2
        } else if input.starts_with(b"RH") {
            2
        } else if input.starts_with(b"EL") {
            if input.len() < LIGHTS && !over {
                return false;
            }
            LIGHTS.min(input.len())
        } else {
            let commands: [&[u8]; 8] = [
                b"CPIRQ", b"CPOFF", b"CSOFF", b"CPM", b"RP", b"RB", b"RH", b"EL",
            ];
            if !over && commands.iter().any(|command| command.starts_with(input)) {
                return false;
            }
            1
        };
        self.input.drain(..taken);
        true
    }
}

impl Front for IChessOne {
    fn handle_bytes(&mut self, now: Duration, bytes: &[u8]) {
        if now.saturating_sub(self.last_byte) > PAUSE {
            while !self.input.is_empty() && self.obey(now, true) {}
        }
        self.last_byte = now;
        self.input.extend(bytes);
        while !self.input.is_empty() && self.obey(now, false) {}
    }

    fn handle_scan(&mut self, now: Duration, cells: &[u8; 64]) {
        self.cells = *cells;
        if now < self.next {
            return;
        }
        let report = match self.reports {
            Reports::Off => false,
            Reports::OnChange => self.told != Some(self.cells),
            Reports::Every(_) => true,
        };
        self.next = now
            + match self.reports {
                Reports::Every(every) => every,
                _ => SCAN,
            };
        if report {
            self.told = Some(self.cells);
            let position = self.position();
            self.wire.send(now, position);
        }
    }

    fn poll_transmit(&mut self, now: Duration) -> Vec<u8> {
        self.wire.take(now)
    }

    fn poll_timeout(&self) -> Option<Duration> {
        let due = match self.reports {
            Reports::Off => false,
            Reports::OnChange => self.told != Some(self.cells),
            Reports::Every(_) => true,
        };
        self.wire
            .next()
            .into_iter()
            .chain(due.then_some(self.next))
            .min()
    }

    fn reset(&mut self, now: Duration) {
        self.wire.cut(now);
        self.reports = Reports::Off;
        self.input.clear();
        self.told = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::pieces;

    #[test]
    fn it_answers_as_the_facts_say() {
        let mut board = IChessOne::default();
        board.handle_scan(Duration::ZERO, &pieces::start(false));
        let at = Duration::from_secs(1);
        board.handle_bytes(at, b"RPRB");
        let said = board.poll_transmit(at + Duration::from_millis(50));
        // a8 is a black rook (A), b8 a knight (8); a1 and b1 are 4 and 2.
        assert_eq!(said[..3], [b'=', b'p', 0xa8]);
        assert_eq!(said[30], 0x42);
        assert_eq!(said[34..], [b'=', b'b', 0, 88]);
    }
}
