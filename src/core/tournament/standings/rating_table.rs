//! The tables of the rating regulations (B.02, 8.1).

/// What a score of 50, 51, … 100 per cent adds to the mean rating of the opponents (8.1.1); below 50
/// the same with a minus.
const DIFFERENCE: [i16; 51] = [
    0, 7, 14, 21, 29, 36, 43, 50, 57, 65, 72, 80, 87, 95, 102, 110, 117, 125, 133, 141, 149, 158,
    166, 175, 184, 193, 202, 211, 220, 230, 240, 251, 262, 273, 284, 296, 309, 322, 336, 351, 366,
    383, 401, 422, 444, 470, 501, 538, 589, 677, 800,
];

/// The largest lead in rating with which 50, 51, … 99 per cent are expected (8.1.2).
const LEAD: [usize; 50] = [
    3, 10, 17, 25, 32, 39, 46, 53, 61, 68, 76, 83, 91, 98, 106, 113, 121, 129, 137, 145, 153, 162,
    170, 179, 188, 197, 206, 215, 225, 235, 245, 256, 267, 278, 290, 302, 315, 328, 344, 357, 374,
    391, 411, 432, 456, 484, 517, 559, 619, 735,
];

/// Per cent by lead.
const EXPECTED: [u8; 736] = {
    let mut table = [0; 736];
    let mut at = 0;
    let mut percent = 0;
    while at < table.len() {
        if at > LEAD[percent] {
            percent += 1;
        }
        table[at] = 50 + percent as u8;
        at += 1;
    }
    table
};

/// The rating difference of a score of so many per cent.
pub(super) const fn difference(percent: u8) -> i16 {
    let percent = if percent > 100 { 100 } else { percent };
    if percent >= 50 {
        DIFFERENCE[percent as usize - 50]
    } else {
        -DIFFERENCE[50 - percent as usize]
    }
}

/// The expected score against an opponent who is `lead` weaker, per cent. Not cut at 400.
pub(super) fn expected(lead: i32) -> i32 {
    let lead_size = lead.unsigned_abs() as usize;
    let percent = EXPECTED
        .get(lead_size)
        .map_or(100, |&percent| i32::from(percent));
    if lead < 0 { 100 - percent } else { percent }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tables_are_those_of_the_regulations() {
        for (percent, points) in [
            (0, -800),
            (1, -677),
            (33, -125),
            (50, 0),
            (75, 193),
            (100, 800),
        ] {
            assert_eq!(difference(percent), points);
        }
        for (lead, percent) in [
            (0, 50),
            (3, 50),
            (4, 51),
            (-4, 49),
            (91, 62),
            (92, 63),
            (400, 92),
            (735, 99),
            (736, 100),
            (-3000, 0),
        ] {
            assert_eq!(expected(lead), percent, "{lead}");
        }
    }
}
