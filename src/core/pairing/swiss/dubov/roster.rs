//! The players of the round with what the Dubov system asks about them.

use crate::{
    pairing::{
        PairingError,
        swiss::{
            Field, Float, FloatRule, Player, Preference, RoundRecord,
            ground::{ByeOrder, Ground, same_absolute},
        },
    },
    types::Color,
};

/// What the criteria ask about a player.
#[derive(Clone, Debug)]
pub(super) struct Trait {
    /// The pairing score in half points.
    pub(super) score: u16,
    pub(super) preference: Preference,
    pub(super) seeks_white: bool,
    pub(super) has_played: bool,
    /// The mean rating of the opponents met over the board, 0 without games.
    pub(super) opponents_rating: u32,
    /// How often he floated up.
    pub(super) upfloats: u32,
    /// He floated up as often as a player should at most.
    pub(super) maximum: bool,
    /// He floated up in the last round.
    pub(super) floated_last: bool,
}

/// The players to pair, by score ↓ and number ↑.
pub(super) struct Roster<'f> {
    pub(super) ground: Ground<'f>,
    pub(super) traits: Vec<Trait>,
}

impl<'f> Roster<'f> {
    /// `rounds` is the length of the event; where it is open, the round stands for it.
    pub(super) fn new(field: &'f Field, rounds: Option<u16>) -> Result<Self, PairingError> {
        let limit = 2 + usize::from(rounds.unwrap_or(field.round.0)) / 5;
        let ground = Ground::new(
            field,
            field.to_pair().to_vec(),
            |a, b| !same_absolute(preference(field.player(a)), preference(field.player(b))),
            ByeOrder::MostGames,
            "C.04.4.1, C1 to C4",
        )?;
        let traits = ground
            .order
            .iter()
            .map(|&i| {
                let player = field.player(i);
                let rounds = player.rounds.len();
                let floated = |back: usize| {
                    player.float(back, FloatRule::PlayedOnly, &field.scoring) == Some(Float::Up)
                };
                let upfloats = (1..=rounds).filter(|&back| floated(back)).count();
                let preference = preference(player);
                Trait {
                    score: player.pairing_score.0,
                    preference,
                    seeks_white: preference.colour() == Some(Color::White),
                    has_played: player.games_played() > 0,
                    opponents_rating: opponents_rating(field, player),
                    upfloats: upfloats as u32,
                    maximum: upfloats >= limit,
                    floated_last: floated(1),
                }
            })
            .collect();
        Ok(Self { ground, traits })
    }
}

/// Who has not played wants Black, mildly.
fn preference(player: &Player) -> Preference {
    match player.preference {
        Preference::None => Preference::Mild(Color::Black),
        preference => preference,
    }
}

/// The mean, rounded half up. Who has no rating, though the arbiter should have given him one, counts as
/// zero.
fn opponents_rating(field: &Field, player: &Player) -> u32 {
    let mut sum = 0;
    let mut games = 0;
    for record in &player.rounds {
        if let RoundRecord::Played { opponent, .. } = *record {
            sum += u32::from(field.player(opponent).rating.unwrap_or(0));
            games += 1;
        }
    }
    (2 * sum + games).checked_div(2 * games).unwrap_or(0)
}
