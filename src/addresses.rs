//! Addresses that people can open: a hub that listens everywhere is reached at none of `0.0.0.0`.

use std::{
    collections::BTreeSet,
    net::{IpAddr, SocketAddr},
};

/// The addresses of the pages: the one listened on, or those of this machine in its networks.
pub(crate) fn pages(listen: SocketAddr) -> Vec<String> {
    of(listen, own)
}

/// This machine's addresses in its networks, the loopback among them.
pub(crate) fn own() -> BTreeSet<IpAddr> {
    // Linux keeps them in text; elsewhere the loopback must do.
    let trie = std::fs::read_to_string("/proc/net/fib_trie").unwrap_or_default();
    let mut found = local(&trie);
    found.insert([127, 0, 0, 1].into());
    found
}

/// Why an address could not be had, and what to do: one line.
pub(crate) fn refused(error: &std::io::Error, setting: &str) -> String {
    match error.kind() {
        std::io::ErrorKind::AddrInUse => {
            format!("another program listens there; stop it, or change {setting}")
        }
        std::io::ErrorKind::AddrNotAvailable => {
            format!("this machine has no such address; change {setting}")
        }
        std::io::ErrorKind::PermissionDenied => {
            format!("not allowed; take a port above 1023 in {setting}")
        }
        _ => error.to_string(),
    }
}

/// The machine's own IPv4 addresses in the kernel's table of routes.
fn local(trie: &str) -> BTreeSet<IpAddr> {
    let mut leaf: Option<IpAddr> = None;
    let mut found = BTreeSet::new();
    for line in trie.lines().map(str::trim_start) {
        if let Some(address) = line.strip_prefix("|-- ") {
            leaf = address.trim().parse().ok();
        } else if line.starts_with("/32 host LOCAL") {
            found.extend(leaf);
        }
    }
    found
}

fn of(listen: SocketAddr, own: impl FnOnce() -> BTreeSet<IpAddr>) -> Vec<String> {
    let url = |ip| format!("http://{}/", SocketAddr::new(ip, listen.port()));
    if !listen.ip().is_unspecified() {
        return vec![url(listen.ip())];
    }
    let mut urls: Vec<String> = (own().into_iter())
        .filter(|ip| !ip.is_loopback())
        .map(url)
        .collect();
    if urls.is_empty() {
        urls.push(url([127, 0, 0, 1].into()));
    }
    urls
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn own_addresses_are_the_local_hosts() {
        let trie = "Main:\n  +-- 0.0.0.0/0 3 0 5\n     |-- 0.0.0.0\n        /0 universe UNICAST\n     \
            +-- 127.0.0.0/8 2 0 2\n           |-- 127.0.0.1\n              /32 host LOCAL\n     \
            |-- 192.0.2.0\n        /24 link UNICAST\n     |-- 192.0.2.7\n        \
            /32 host LOCAL\n     |-- 192.0.2.255\n        /32 link BROADCAST\n";
        let wanted = ["127.0.0.1", "192.0.2.7"].map(|ip| ip.parse().unwrap());
        assert_eq!(local(trie), BTreeSet::from(wanted));
    }

    #[test]
    fn everywhere_is_spelt_out() {
        let own = || BTreeSet::from(["127.0.0.1", "192.0.2.7"].map(|ip| ip.parse().unwrap()));
        let listen = |text: &str| text.parse().unwrap();
        assert_eq!(of(listen("0.0.0.0:8080"), own), ["http://192.0.2.7:8080/"]);
        assert_eq!(of(listen("[::]:80"), own), ["http://192.0.2.7:80/"]);
        assert_eq!(
            of(listen("0.0.0.0:8080"), BTreeSet::new),
            ["http://127.0.0.1:8080/"]
        );
        assert_eq!(of(listen("[::1]:81"), own), ["http://[::1]:81/"]);
    }
}
