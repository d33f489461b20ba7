//! Flags of federations that are plain stripes; for all others the code stands alone.

use super::page::{Colour, Sheet};

/// How stripes lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Lie {
    Across,
    Upright,
}

const WHITE: Colour = [255, 255, 255];
const BLACK: Colour = [0, 0, 0];
const RED: Colour = [206, 17, 38];
const BLUE: Colour = [0, 57, 166];
const GREEN: Colour = [0, 122, 61];
const YELLOW: Colour = [255, 209, 0];
const ORANGE: Colour = [255, 136, 0];

/// A flag: how its stripes lie, and each with its share.
type Flag = (&'static str, Lie, &'static [(Colour, f32)]);

const FLAGS: &[Flag] = &[
    (
        "UKR",
        Lie::Across,
        &[([0, 87, 183], 1.0), ([255, 215, 0], 1.0)],
    ),
    ("POL", Lie::Across, &[(WHITE, 1.0), ([220, 20, 60], 1.0)]),
    ("MNC", Lie::Across, &[(RED, 1.0), (WHITE, 1.0)]),
    ("INA", Lie::Across, &[(RED, 1.0), (WHITE, 1.0)]),
    (
        "GER",
        Lie::Across,
        &[(BLACK, 1.0), ([221, 0, 0], 1.0), ([255, 206, 0], 1.0)],
    ),
    (
        "NED",
        Lie::Across,
        &[([174, 28, 40], 1.0), (WHITE, 1.0), ([33, 70, 139], 1.0)],
    ),
    (
        "LUX",
        Lie::Across,
        &[(RED, 1.0), (WHITE, 1.0), ([0, 163, 224], 1.0)],
    ),
    (
        "AUT",
        Lie::Across,
        &[([200, 16, 46], 1.0), (WHITE, 1.0), ([200, 16, 46], 1.0)],
    ),
    (
        "HUN",
        Lie::Across,
        &[([206, 41, 57], 1.0), (WHITE, 1.0), ([71, 112, 80], 1.0)],
    ),
    (
        "BUL",
        Lie::Across,
        &[(WHITE, 1.0), ([0, 150, 110], 1.0), ([214, 38, 18], 1.0)],
    ),
    (
        "LTU",
        Lie::Across,
        &[
            ([253, 185, 19], 1.0),
            ([0, 106, 68], 1.0),
            ([193, 39, 45], 1.0),
        ],
    ),
    (
        "EST",
        Lie::Across,
        &[([0, 114, 206], 1.0), (BLACK, 1.0), (WHITE, 1.0)],
    ),
    (
        "LAT",
        Lie::Across,
        &[([158, 48, 57], 2.0), (WHITE, 1.0), ([158, 48, 57], 2.0)],
    ),
    (
        "ARM",
        Lie::Across,
        &[
            ([217, 0, 18], 1.0),
            ([0, 51, 160], 1.0),
            ([242, 168, 0], 1.0),
        ],
    ),
    (
        "YEM",
        Lie::Across,
        &[(RED, 1.0), (WHITE, 1.0), (BLACK, 1.0)],
    ),
    (
        "COL",
        Lie::Across,
        &[(YELLOW, 2.0), (BLUE, 1.0), (RED, 1.0)],
    ),
    (
        "GAB",
        Lie::Across,
        &[(GREEN, 1.0), (YELLOW, 1.0), (BLUE, 1.0)],
    ),
    (
        "SLE",
        Lie::Across,
        &[(GREEN, 1.0), (WHITE, 1.0), ([0, 114, 198], 1.0)],
    ),
    (
        "FRA",
        Lie::Upright,
        &[([0, 38, 84], 1.0), (WHITE, 1.0), ([206, 17, 38], 1.0)],
    ),
    (
        "ITA",
        Lie::Upright,
        &[([0, 140, 69], 1.0), (WHITE, 1.0), ([205, 33, 42], 1.0)],
    ),
    (
        "BEL",
        Lie::Upright,
        &[(BLACK, 1.0), ([253, 218, 36], 1.0), ([239, 51, 64], 1.0)],
    ),
    (
        "ROU",
        Lie::Upright,
        &[
            ([0, 43, 127], 1.0),
            ([252, 209, 22], 1.0),
            ([206, 17, 38], 1.0),
        ],
    ),
    (
        "IRL",
        Lie::Upright,
        &[([22, 155, 98], 1.0), (WHITE, 1.0), (ORANGE, 1.0)],
    ),
    (
        "CIV",
        Lie::Upright,
        &[(ORANGE, 1.0), (WHITE, 1.0), (GREEN, 1.0)],
    ),
    (
        "NGR",
        Lie::Upright,
        &[([0, 135, 81], 1.0), (WHITE, 1.0), ([0, 135, 81], 1.0)],
    ),
    ("PER", Lie::Upright, &[(RED, 1.0), (WHITE, 1.0), (RED, 1.0)]),
    (
        "MLI",
        Lie::Upright,
        &[(GREEN, 1.0), (YELLOW, 1.0), (RED, 1.0)],
    ),
];

/// Draws the flag of a federation where it is known; says whether it is.
pub(super) fn draw(sheet: &mut Sheet<'_, '_>, code: &str, x: f32, y: f32, height: f32) -> bool {
    let Some((_, lie, stripes)) = FLAGS.iter().find(|(known, ..)| *known == code) else {
        return false;
    };
    let width = height * 1.5;
    let whole: f32 = stripes.iter().map(|(_, share)| share).sum();
    let mut from = 0.0;
    for (colour, share) in *stripes {
        let part = share / whole;
        match lie {
            Lie::Across => sheet.fill(x, y + from * height, width, part * height, *colour),
            Lie::Upright => sheet.fill(x + from * width, y, part * width, height, *colour),
        }
        from += part;
    }
    // White stripes need an edge on white paper.
    sheet.frame(x, y, width, height, 0.15);
    true
}
