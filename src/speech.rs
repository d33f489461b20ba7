//! Announcements spoken by an engine of this machine (piper or espeak-ng), where one is installed.

use std::{
    path::{Path, PathBuf},
    process::Stdio,
    time::Duration,
};

use thiserror::Error;
use tokio::{io::AsyncWriteExt, process::Command};

/// A sentence is spoken within a second or two; an engine that hangs is given up.
const PATIENCE: Duration = Duration::from_secs(20);

/// Why a sentence was not spoken.
#[derive(Debug, Error)]
pub(crate) enum SpeechError {
    /// Neither engine is there.
    #[error("no speech engine is installed (espeak-ng, or piper with a voice)")]
    NoEngine,
    /// It could not be run, or gave nothing.
    #[error("{engine} did not speak: {why}")]
    Engine {
        /// Its name.
        engine: &'static str,
        /// What went wrong.
        why: String,
    },
}

/// Speaks a sentence; gives a WAV file. `voices` holds piper's voices, one for each language:
/// `uk.onnx` with its `uk.onnx.json`.
pub(crate) async fn speak(
    voices: &Path,
    language: &str,
    text: &str,
) -> Result<Vec<u8>, SpeechError> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let find = |name: &str| {
        std::env::split_paths(&path)
            .map(|directory| directory.join(name))
            .find(|program| program.is_file())
    };
    let voice = voices.join(format!("{language}.onnx"));
    if voice.is_file()
        && let Some(piper) = find("piper")
    {
        let model = voice.into_os_string();
        let args = ["--model".into(), model, "--output_file".into(), "-".into()];
        return run("piper", piper, &args, text).await;
    }
    let Some(espeak) = find("espeak-ng") else {
        return Err(SpeechError::NoEngine);
    };
    let args = ["-v", language, "-s", "140", "--stdin", "--stdout"].map(Into::into);
    run("espeak-ng", espeak, &args, text).await
}

async fn run(
    engine: &'static str,
    program: PathBuf,
    args: &[std::ffi::OsString],
    text: &str,
) -> Result<Vec<u8>, SpeechError> {
    let failed = |why: String| SpeechError::Engine { engine, why };
    let mut child = Command::new(program)
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .kill_on_drop(true)
        .spawn()
        .map_err(|error| failed(error.to_string()))?;
    if let Some(mut input) = child.stdin.take() {
        let written = input.write_all(text.as_bytes()).await;
        written.map_err(|error| failed(error.to_string()))?;
    }
    let output = tokio::time::timeout(PATIENCE, child.wait_with_output()).await;
    let output = output
        .map_err(|_| failed("it took too long".to_owned()))?
        .map_err(|error| failed(error.to_string()))?;
    if !output.status.success() || output.stdout.is_empty() {
        return Err(failed(output.status.to_string()));
    }
    Ok(output.stdout)
}

/// What is said at a mark, in a language; `None` for what is not spoken.
pub(crate) fn sentence(mark: &str, language: &str) -> Option<&'static str> {
    Some(match (mark, language) {
        ("five-minutes", "en") => "The round starts in five minutes. Please take your seats.",
        ("five-minutes", "uk") => "Тур почнеться через п’ять хвилин. Просимо зайняти місця.",
        ("five-minutes", "ru") => "Тур начнётся через пять минут. Просим занять места.",
        ("one-minute", "en") => "The round starts in one minute. Please be seated.",
        ("one-minute", "uk") => "Тур почнеться через одну хвилину. Будь ласка, сядьте.",
        ("one-minute", "ru") => "Тур начнётся через одну минуту. Пожалуйста, сядьте.",
        ("photo-over", "en") => "Photography is over. Please leave the playing area.",
        ("photo-over", "uk") => "Час для фотографування завершено. Просимо залишити ігрову зону.",
        ("photo-over", "ru") => "Время для фотосъёмки закончилось. Просим покинуть игровую зону.",
        ("play-off-over", "en") => "Time is over. Please stop all games that are left.",
        ("play-off-over", "uk") => "Час вичерпано. Просимо зупинити партії, що залишилися.",
        ("play-off-over", "ru") => "Время истекло. Просим остановить оставшиеся партии.",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_is_said_in_all_languages() {
        for mark in ["five-minutes", "one-minute", "photo-over", "play-off-over"] {
            for language in ["en", "uk", "ru"] {
                assert!(sentence(mark, language).is_some(), "{mark} {language}");
            }
        }
        assert_eq!(sentence("zero", "en"), None, "a gong is enough");
    }
}
