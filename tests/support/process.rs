//! Programs that a test starts, and the addresses they are given.

use std::{
    net::{SocketAddr, TcpListener},
    process::{Child, Command},
};

use nix::{
    sys::signal::{Signal, kill},
    unistd::Pid,
};

/// A program that does not outlive its test, however the test ends.
pub(crate) struct Program(pub(crate) Child);

impl Program {
    pub(crate) fn start(command: &mut Command) -> Self {
        let child = command.spawn();
        Self(child.unwrap_or_else(|error| panic!("{error}: {command:?}; see tests/run")))
    }

    pub(crate) fn signal(&self, signal: Signal) {
        kill(Pid::from_raw(self.0.id().cast_signed()), signal).unwrap();
    }

    /// Asks it to stop and waits; its exit code.
    pub(crate) fn stop(mut self) -> i32 {
        self.signal(Signal::SIGTERM);
        self.0.wait().unwrap().code().unwrap_or(-1)
    }

    /// Ends it without a word.
    pub(crate) fn kill(&mut self) {
        // It may have ended already.
        drop(self.0.kill());
        drop(self.0.wait());
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        self.kill();
    }
}

pub(crate) fn free_address() -> SocketAddr {
    TcpListener::bind("127.0.0.1:0")
        .and_then(|listener| listener.local_addr())
        .unwrap()
}
