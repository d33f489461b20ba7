//! Files that a reader finds whole or not at all.
//!
//! A file is written beside its place and then renamed. All of them can be made again from the journal,
//! and the hub does so at its start; so only what is final is forced to the disk.

use std::{
    collections::BTreeMap,
    fs::{self, File},
    io::{self, Write as _},
    path::{Path, PathBuf},
    sync::Arc,
};

/// A file to be.
#[derive(Clone, Debug)]
pub(super) struct Content {
    pub(super) text: Arc<str>,
    /// It will not change any more: a power cut must not take it.
    pub(super) last: bool,
}

/// What waits to be written, the newest of each file.
#[derive(Debug, Default)]
pub(super) struct Files {
    waiting: BTreeMap<PathBuf, Content>,
}

impl Files {
    pub(super) fn put(&mut self, path: PathBuf, text: Arc<str>, last: bool) {
        self.waiting.insert(path, Content { text, last });
    }

    pub(super) fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }

    /// Writes what waits, until one cannot be written; that one and those behind it go on waiting.
    pub(super) fn write(&mut self) -> Result<(), (PathBuf, io::Error)> {
        while let Some(next) = self.waiting.first_entry() {
            if let Err(error) = replace(next.key(), next.get()) {
                return Err((next.key().clone(), error));
            }
            next.remove();
        }
        Ok(())
    }
}

fn replace(path: &Path, content: &Content) -> io::Result<()> {
    let bytes = content.text.as_bytes();
    let same = fs::metadata(path).is_ok_and(|found| found.len() == bytes.len() as u64)
        && fs::read(path).is_ok_and(|found| found == bytes);
    if same {
        return if content.last {
            File::open(path)?.sync_all()
        } else {
            Ok(())
        };
    }
    if let Some(directory) = path.parent() {
        fs::create_dir_all(directory)?;
    }
    let part = path.with_added_extension("part");
    let written = write(&part, bytes, content.last).and_then(|()| fs::rename(&part, path));
    if written.is_err() {
        // Half a file is of no use, and the journal may need the room.
        drop(fs::remove_file(&part));
    }
    written
}

fn write(path: &Path, bytes: &[u8], last: bool) -> io::Result<()> {
    let mut file = File::create(path)?;
    file.write_all(bytes)?;
    if last { file.sync_all() } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_cannot_be_written_waits_and_leaves_nothing_half() {
        let directory = tempfile::tempdir().unwrap();
        let at = |name: &str| directory.path().join(name);
        let mut files = Files::default();
        files.put(at("a.pgn"), "old".into(), false);
        files.put(at("a.pgn"), "new".into(), false);
        files.put(at("b/c.pgn"), "deep".into(), true);
        // Something stands where the directory must be.
        fs::write(at("b"), "in the way").unwrap();
        let (path, _) = files.write().unwrap_err();
        assert_eq!(path, at("b/c.pgn"));
        assert_eq!(fs::read_to_string(at("a.pgn")).unwrap(), "new");
        fs::remove_file(at("b")).unwrap();
        files.write().unwrap();
        assert!(files.is_empty());
        assert_eq!(fs::read_to_string(at("b/c.pgn")).unwrap(), "deep");

        // A name that is taken by a directory: the new text is not left beside it.
        fs::create_dir(at("d.pgn")).unwrap();
        files.put(at("d.pgn"), "x".into(), false);
        files.write().unwrap_err();
        let names = fs::read_dir(directory.path()).unwrap();
        let left: Vec<_> = names
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .filter(|name| name.ends_with("part"))
            .collect();
        assert_eq!(left, [""; 0]);
    }
}
