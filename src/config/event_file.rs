//! The keys of an event file, each of them optional, since a preset may fill it in.

use std::{collections::BTreeSet, path::PathBuf};

use flagfall_core::chess::Variant;
use flagfall_core::tournament::{
    event::{DefaultTime, ProposalKind, RequestedBye, SectionId},
    standings::TieBreak,
};
use flagfall_core::types::PlayerNo;
use serde::Deserialize;

use super::values::Minutes;

/// The keys of an event file.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct EventFile {
    /// Only in `flagfall.toml`: where the rest stands.
    pub(super) file: Option<PathBuf>,
    pub(super) preset: Option<String>,
    pub(super) name: Option<String>,
    pub(super) section: Option<SectionId>,
    pub(super) time_control: Option<String>,
    pub(super) default_time: Option<DefaultTime>,
    pub(super) rounds: Option<u16>,
    pub(super) variant: Option<Variant>,
    pub(super) system: Option<String>,
    pub(super) double: Option<bool>,
    pub(super) tie_breaks: Option<Vec<TieBreak>>,
    pub(super) players: Option<PathBuf>,
    pub(super) accept: Option<BTreeSet<ProposalKind>>,
    pub(super) start_by_itself: Option<bool>,
    pub(super) no_draw_before_move: Option<u16>,
    pub(super) publish: Option<PublishFile>,
    pub(super) initial_colour: Option<Side>,
    pub(super) acceleration: Option<AccelerationFile>,
    pub(super) forbidden: Option<Vec<ForbiddenFile>>,
    pub(super) byes: Option<BTreeSet<RequestedBye>>,
    pub(super) drawing: Option<DrawingFile>,
    pub(super) drawing_seed: Option<u64>,
    pub(super) schedule: Option<ScheduleFile>,
    pub(super) illegal_moves: Option<IllegalMovesFile>,
    pub(super) play_off: Option<PlayOffFile>,
    pub(super) photography: Option<PhotographyFile>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct ScheduleFile {
    pub(super) zone: Option<String>,
    pub(super) first_round: Option<String>,
    pub(super) rounds: Option<Vec<String>>,
    pub(super) pause: Option<Minutes>,
}

#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct IllegalMovesFile {
    pub(super) losing: Option<u8>,
    pub(super) bonus: Option<Minutes>,
    pub(super) draw_without_mating_material: Option<bool>,
    pub(super) hand_violations: Option<u8>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PlayOffFile {
    pub(super) after_percent: u8,
    pub(super) time: Minutes,
}

#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct PhotographyFile {
    pub(super) first_round: Option<Minutes>,
    pub(super) later_rounds: Option<Minutes>,
}

/// Who makes a pairing public.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum PublishFile {
    ByArbiter,
    AtOnce,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Side {
    White,
    Black,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum AccelerationFile {
    #[default]
    None,
    Baku,
}

/// Where the numbers come from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum DrawingFile {
    #[default]
    List,
    Varma,
    VarmaClub,
}

/// Players who must not meet, in all rounds or in some.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ForbiddenFile {
    pub(super) players: Vec<PlayerNo>,
    pub(super) first: Option<u16>,
    pub(super) last: Option<u16>,
}

impl EventFile {
    /// What this file does not say, the preset says.
    pub(super) fn or(self, preset: Self) -> Self {
        Self {
            file: self.file,
            preset: self.preset,
            name: self.name.or(preset.name),
            section: self.section.or(preset.section),
            time_control: self.time_control.or(preset.time_control),
            default_time: self.default_time.or(preset.default_time),
            rounds: self.rounds.or(preset.rounds),
            variant: self.variant.or(preset.variant),
            system: self.system.or(preset.system),
            double: self.double.or(preset.double),
            tie_breaks: self.tie_breaks.or(preset.tie_breaks),
            players: self.players.or(preset.players),
            accept: self.accept.or(preset.accept),
            start_by_itself: self.start_by_itself.or(preset.start_by_itself),
            no_draw_before_move: self.no_draw_before_move.or(preset.no_draw_before_move),
            publish: self.publish.or(preset.publish),
            initial_colour: self.initial_colour.or(preset.initial_colour),
            acceleration: self.acceleration.or(preset.acceleration),
            forbidden: self.forbidden.or(preset.forbidden),
            byes: self.byes.or(preset.byes),
            drawing: self.drawing.or(preset.drawing),
            drawing_seed: self.drawing_seed.or(preset.drawing_seed),
            schedule: self.schedule.or(preset.schedule),
            illegal_moves: self.illegal_moves.or(preset.illegal_moves),
            play_off: self.play_off.or(preset.play_off),
            photography: self.photography.or(preset.photography),
        }
    }

    /// Says nothing at all.
    pub(super) fn is_empty(&self) -> bool {
        self.name.is_none() && self.players.is_none() && self.preset.is_none()
    }
}
