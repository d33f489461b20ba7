//! Streams of bytes cut into messages, for every family that has no parser of its own.
//!
//! A family says with [`Wire::cut`] what the bytes in front of it are; [`Stream`] does the rest. The
//! messages do not depend on how the bytes were split over reads, because `cut` must not: once it has an
//! answer for some bytes, more bytes behind them may not change it.

use super::LinkCounters;

/// What stands at the front of some bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cut<M> {
    /// A message of so many bytes.
    Message(M, usize),
    /// A message whose check fails: it is told, and its bytes count as dropped.
    Broken(M, usize),
    /// So many bytes that mean nothing and are no fault: line ends, padding.
    Filler(usize),
    /// So many bytes that belong to no message.
    Junk(usize),
    /// The beginning of a message.
    Partial,
}

/// A message as it goes over the wire, in one direction.
pub trait Wire: Sized {
    /// Bytes of the longest message. No more are ever held.
    const LONGEST: usize;

    /// What the bytes begin with. They are not empty and not longer than [`Wire::LONGEST`].
    fn cut(bytes: &[u8]) -> Cut<Self>;

    /// The same when nothing comes any more: for values that only their end closes.
    fn cut_last(_bytes: &[u8]) -> Option<(Self, usize)> {
        None
    }

    /// Appends the message as bytes.
    fn encode(&self, out: &mut Vec<u8>);
}

/// Input is taken in pieces of this size, so that what is held stays small.
const PIECE: usize = 4096;

/// Cuts a stream into messages and counts what it had to throw away.
#[derive(Clone, Debug, Default)]
pub struct Stream {
    held: Vec<u8>,
    counters: LinkCounters,
}

impl Stream {
    /// Takes bytes and calls `on_message` for every message that they complete.
    pub fn push<M: Wire>(&mut self, bytes: &[u8], mut on_message: impl FnMut(M)) {
        self.counters.bytes += bytes.len() as u64;
        for piece in bytes.chunks(PIECE) {
            self.held.extend_from_slice(piece);
            self.take(&mut on_message, false);
        }
    }

    /// Nothing comes any more, or a value is complete: what only its end closes is told, the rest stays
    /// held.
    pub fn finish<M: Wire>(&mut self, mut on_message: impl FnMut(M)) {
        self.take(&mut on_message, true);
    }

    fn take<M: Wire>(&mut self, on_message: &mut impl FnMut(M), last: bool) {
        let mut at = 0;
        while at < self.held.len() {
            let rest = &self.held[at..];
            let window = &rest[..rest.len().min(M::LONGEST)];
            let mut cut = M::cut(window);
            if matches!(cut, Cut::Partial) {
                if window.len() == M::LONGEST {
                    cut = Cut::Junk(1);
                } else if let Some((message, len)) = M::cut_last(window).filter(|_| last) {
                    cut = Cut::Message(message, len);
                } else {
                    break;
                }
            }
            // A cut of nothing would never end.
            let step = |len: usize| len.clamp(1, window.len());
            at += match cut {
                Cut::Message(message, len) => {
                    self.counters.messages += 1;
                    on_message(message);
                    step(len)
                }
                Cut::Broken(message, len) => {
                    self.counters.invalid += 1;
                    self.counters.bytes_dropped += step(len) as u64;
                    on_message(message);
                    step(len)
                }
                Cut::Filler(len) => step(len),
                Cut::Junk(len) => {
                    self.counters.bytes_dropped += step(len) as u64;
                    step(len)
                }
                Cut::Partial => break,
            };
        }
        self.held.drain(..at);
    }

    /// The unfinished message.
    pub fn held(&self) -> &[u8] {
        &self.held
    }

    /// Forgets the unfinished message: the link was opened anew, or was silent in the middle of it.
    pub fn reset(&mut self) {
        if !self.held.is_empty() {
            self.counters.unfinished += 1;
            self.counters.bytes_dropped += self.held.len() as u64;
            self.held.clear();
        }
    }

    /// Counters since the start.
    pub fn counters(&self) -> LinkCounters {
        self.counters
    }
}
