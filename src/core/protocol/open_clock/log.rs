//! Which events were heard, which are missing, and how many states were lost.

/// Numbers of events run from 1 to 65535 and begin again; 0 is none.
const LAST: u16 = u16::MAX;

/// The number after this one.
pub fn next(seq: u16) -> u16 {
    if seq == LAST { 1 } else { seq + 1 }
}

/// How many numbers later `later` is; 0 when it is the same or an earlier one (within half the range).
pub fn ahead(earlier: u16, later: u16) -> u16 {
    let distance = if later >= earlier {
        later - earlier
    } else if earlier == 0 {
        0
    } else {
        // One number less than 65536: 0 is no event.
        (LAST - earlier) + later
    };
    if distance > LAST / 2 { 0 } else { distance }
}

/// What to do with an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arrival {
    /// The next one.
    Next,
    /// Heard before.
    Known,
    /// Others are missing before it.
    Early,
}

/// The events of one clock since one start of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Log {
    stored: Option<u16>,
    newest: u16,
    frame: Option<u8>,
    lost_states: u64,
}

impl Log {
    /// Another start of the clock: its numbers begin again.
    pub fn begin(&mut self, stored: u16) {
        self.stored = Some(stored);
        self.newest = stored;
        self.frame = None;
    }

    /// Where nothing was heard yet, everything up to here is the past.
    pub fn join(&mut self, seq: u16) {
        if self.stored.is_none() {
            self.begin(seq);
        }
    }

    /// The last event of those without a gap; `None` before anything was heard.
    pub fn stored(&self) -> Option<u16> {
        self.stored
    }

    /// The newest event that is known of.
    pub fn newest(&self) -> u16 {
        self.newest
    }

    /// An event came. The first one ever is taken for the next one.
    pub fn hear_event(&mut self, seq: u16) -> Arrival {
        if self.stored.is_none() {
            self.join(seq.saturating_sub(1));
        }
        let stored = self.stored.unwrap_or_default();
        self.note(seq);
        if seq == next(stored) {
            self.stored = Some(seq);
            if ahead(seq, self.newest) == 0 {
                self.newest = seq;
            }
            Arrival::Next
        } else if ahead(stored, seq) == 0 {
            Arrival::Known
        } else {
            Arrival::Early
        }
    }

    /// A state came. The first one ever begins the log. A frame that came before is not counted.
    pub fn hear_state(&mut self, frame: u8, seq: u16) {
        self.join(seq);
        self.note(seq);
        match self.frame {
            // Half the range back is an old one.
            Some(last) if frame.wrapping_sub(last) >= 128 => return,
            Some(last) => {
                let missing = frame.wrapping_sub(last).saturating_sub(1);
                self.lost_states += u64::from(missing);
            }
            None => {}
        }
        self.frame = Some(frame);
    }

    /// An event with this number exists. Nothing is made of it before anything else was heard.
    pub fn note(&mut self, seq: u16) {
        if self.stored.is_some() && ahead(self.newest, seq) > 0 {
            self.newest = seq;
        }
    }

    /// The first event that is missing.
    pub fn missing(&self) -> Option<u16> {
        let stored = self.stored?;
        (ahead(stored, self.newest) > 0).then(|| next(stored))
    }

    /// The events before this one are gone for good.
    pub fn give_up_before(&mut self, seq: u16) {
        self.stored = Some(if seq <= 1 { LAST } else { seq - 1 });
        self.note(seq);
    }

    /// All events that were not heard are gone for good.
    pub fn give_up_all(&mut self) {
        self.stored = Some(self.newest);
    }

    /// States that were sent and not heard.
    pub fn lost_states(&self) -> u64 {
        self.lost_states
    }
}

#[cfg(test)]
mod tests {
    use super::{
        Arrival::{Early, Known, Next},
        *,
    };

    #[test]
    fn numbers_wrap_without_a_zero() {
        assert_eq!(next(LAST), 1);
        assert_eq!(next(0), 1);
        assert_eq!(ahead(LAST, 1), 1);
        assert_eq!(ahead(65_530, 4), 9);
        assert_eq!((ahead(4, 65_530), ahead(7, 7)), (0, 0));
        let mut log = Log::default();
        log.join(LAST - 1);
        let heard = [LAST, 1, LAST, 3, 2, 3].map(|seq| log.hear_event(seq));
        assert_eq!(heard, [Next, Next, Known, Early, Next, Next]);
        assert_eq!(log.missing(), None);
    }

    #[test]
    fn a_state_tells_of_events_that_were_not_heard() {
        let mut log = Log::default();
        log.hear_state(0, 0);
        assert_eq!(log.missing(), None);
        log.hear_state(2, 3);
        assert_eq!((log.lost_states(), log.missing()), (1, Some(1)));
        log.hear_event(1);
        log.hear_event(2);
        assert_eq!(log.missing(), Some(3));
        log.give_up_before(4);
        assert_eq!(log.missing(), Some(4));
        log.hear_event(4);
        assert_eq!(log.missing(), None);
        // The same state again, or an older one, is no loss of 255 states.
        log.hear_state(2, 4);
        log.hear_state(1, 4);
        assert_eq!(log.lost_states(), 1);
    }
}
