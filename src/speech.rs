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
    Ok(measured(output.stdout))
}

/// An engine that writes into a pipe does not know the length beforehand and puts a made-up one into the
/// head of the file: it is set right here.
fn measured(mut wav: Vec<u8>) -> Vec<u8> {
    const HEAD: usize = 44;
    let usual = wav.len() >= HEAD && wav.starts_with(b"RIFF") && &wav[36..40] == b"data";
    if let (true, Ok(length)) = (usual, u32::try_from(wav.len())) {
        wav[4..8].copy_from_slice(&(length - 8).to_le_bytes());
        wav[40..HEAD].copy_from_slice(&(length - HEAD as u32).to_le_bytes());
    }
    wav
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
    fn a_stream_of_sound_gets_its_length() {
        let mut wav = b"RIFF\x24\xf0\xff\x7fWAVEfmt ".to_vec();
        wav.extend([0; 20]);
        wav.extend(b"data\x00\xf0\xff\x7f");
        wav.extend([7; 100]);
        let wav = measured(wav);
        assert_eq!(wav[4..8], 136_u32.to_le_bytes());
        assert_eq!(wav[40..44], 100_u32.to_le_bytes());
        assert_eq!(measured(b"OggS".to_vec()), b"OggS", "left alone");
    }

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
