//! The numbers of a round robin by restricted drawing (R-PR-7): compatriots, or members of a club, draw
//! so that they do not meet in the last three rounds.

use serde::{Deserialize, Serialize};

use super::player::Player;
use crate::{
    pairing::varma::{Candidate, VarmaDraw, VarmaError, draw},
    types::PlayerNo,
};

/// A restricted drawing by the Varma tables.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Drawing {
    /// Who must not meet late.
    pub by: DrawnBy,
    /// The seed of the lots, once the drawing has been held or where the event sets it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
}

/// What makes two players compatriots.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DrawnBy {
    /// One federation.
    #[default]
    Federation,
    /// One club.
    Club,
}

impl DrawnBy {
    /// The federation or the club.
    pub fn of(self, player: &Player) -> Option<&str> {
        match self {
            Self::Federation => player.federation.as_deref(),
            Self::Club => player.club.as_deref(),
        }
    }
}

/// Draws the numbers of all players anew. The players come back with their new numbers and in their
/// order; the candidates of the drawing are the players as they were given.
///
/// # Errors
/// When there is no table for that many players.
pub fn draw_numbers(
    players: &[Player],
    by: DrawnBy,
    seed: u64,
) -> Result<(Vec<Player>, VarmaDraw), VarmaError> {
    let candidates: Vec<Candidate<'_>> = (players.iter())
        .map(|player| Candidate {
            name: &player.name,
            federation: by.of(player),
        })
        .collect();
    let drawing = draw(&candidates, seed)?;
    let mut drawn: Vec<Player> = (players.iter().zip(drawing.numbers()))
        .map(|(player, number)| Player {
            no: PlayerNo(number),
            ..player.clone()
        })
        .collect();
    drawn.sort_by_key(|player| player.no);
    Ok((drawn, drawing))
}

/// The drawing step by step, a line each, and whom the tables could not keep apart.
pub fn drawing_text(players: &[Player], drawing: &VarmaDraw) -> Vec<String> {
    let name = |at: usize| players.get(at).map_or("", |player| player.name.as_str());
    let mut lines = vec![format!(
        "Numbers drawn by the Varma tables, seed {}.",
        drawing.seed
    )];
    for contingent in &drawing.contingents {
        let who: Vec<String> = (contingent.drawn.iter())
            .map(|drawn| format!("{} {}", name(drawn.candidate), drawn.number))
            .collect();
        lines.push(format!("{contingent} That is {}.", who.join(", ")));
    }
    for late in &drawing.late_meetings {
        lines.push(format!(
            "{} and {} meet in round {} nevertheless.",
            name(late.one),
            name(late.other),
            late.round
        ));
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everybody_has_a_number_and_the_seed_repeats_it() {
        let players: Vec<Player> = (1..=10)
            .map(|no| Player {
                federation: Some(if no <= 3 { "UKR" } else { "POL" }.to_owned()),
                club: Some(format!("Club {}", no % 5)),
                ..Player::new(PlayerNo(no), format!("Player {no:02}"))
            })
            .collect();
        let (drawn, drawing) = draw_numbers(&players, DrawnBy::Federation, 5).unwrap();
        let numbers: Vec<u16> = drawn.iter().map(|player| player.no.0).collect();
        assert_eq!(numbers, (1..=10).collect::<Vec<_>>());
        assert_eq!(
            draw_numbers(&players, DrawnBy::Federation, 5).unwrap().0,
            drawn
        );
        assert_ne!(
            draw_numbers(&players, DrawnBy::Federation, 6).unwrap().0,
            drawn
        );
        assert_ne!(draw_numbers(&players, DrawnBy::Club, 5).unwrap().0, drawn);
        let text = drawing_text(&players, &drawing);
        assert!(text[0].ends_with("seed 5."));
        assert!(text[1].starts_with("POL, 7 to draw"), "{text:?}");
        assert!(text[2].contains("That is Player 0"), "{text:?}");
        let few = draw_numbers(&players[..8], DrawnBy::Club, 5);
        assert_eq!(few, Err(VarmaError::NoTable { players: 8 }));
    }
}
