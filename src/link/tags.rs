//! The men's tags of the hall in a file: boards that read tags must know them after a restart, when no start
//! position is on the boards.

use std::{
    fs, io,
    path::{Path, PathBuf},
    time::Duration,
};

use anyhow::Context as _;
use flagfall_core::protocol::certabo::{calibration::Calibration, tags::SharedTags};
use tokio_util::sync::CancellationToken;
use tracing::{info, warn};

/// The file in the data directory.
const FILE: &str = "tags.json";
/// How often it is looked whether a board has learnt something.
const LOOK: Duration = Duration::from_secs(2);

/// The tags that were learnt so far; none where there is no file.
///
/// # Errors
/// When there is a file that cannot be read.
pub fn open(data_dir: &Path) -> anyhow::Result<SharedTags> {
    let path = data_dir.join(FILE);
    let text = match fs::read_to_string(&path) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(SharedTags::default()),
        Err(error) => return Err(error).with_context(|| format!("cannot read {}", path.display())),
    };
    let table: Calibration = serde_json::from_str(&text).with_context(|| {
        format!(
            "{} is no table of tags; remove it and the boards learn them again",
            path.display()
        )
    })?;
    Ok(SharedTags::new(table))
}

/// Writes what boards learn, until `cancel`.
pub async fn keep(tags: SharedTags, data_dir: PathBuf, cancel: CancellationToken) {
    let mut written = 0;
    let mut told = false;
    loop {
        tokio::select! {
            () = cancel.cancelled() => return,
            () = tokio::time::sleep(LOOK) => {}
        }
        let Some((table, version)) = tags.newer_than(written) else {
            continue;
        };
        match write(&data_dir, &table) {
            Ok(()) => {
                info!("the tags of {} men are known", table.len());
                (written, told) = (version, false);
            }
            Err(error) if !std::mem::replace(&mut told, true) => {
                warn!(%error, "the men's tags cannot be kept in {}", data_dir.display());
            }
            Err(_) => {}
        }
    }
}

/// A power cut leaves the old table or the new one.
fn write(data_dir: &Path, table: &Calibration) -> io::Result<()> {
    let new = tempfile::NamedTempFile::new_in(data_dir)?;
    serde_json::to_writer(new.as_file(), table)?;
    new.as_file().sync_all()?;
    new.persist(data_dir.join(FILE))?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_outlive_a_restart() {
        let dir = tempfile::tempdir().unwrap();
        assert!(open(dir.path()).unwrap().is_empty());
        let table: Calibration =
            serde_json::from_str(r#"{"K": ["1 2 3 4 5"], "p": ["9 0 0 0 1"]}"#).unwrap();
        write(dir.path(), &table).unwrap();
        let tags = open(dir.path()).unwrap();
        assert!(!tags.is_empty());
        let (all, _) = {
            tags.join(&serde_json::from_str(r#"{"Q": ["7 7 7 7 7"]}"#).unwrap());
            tags.newer_than(0).unwrap()
        };
        assert_eq!(all.len(), 3);
        fs::write(dir.path().join(FILE), "{").unwrap();
        assert!(open(dir.path()).is_err());
    }
}
