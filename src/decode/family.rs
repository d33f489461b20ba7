//! Families by the names that people give on the command line.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use flagfall_core::protocol::{
    dgt::link::FAMILY as DGT_BOARD,
    families::{FAMILIES, Family},
};

/// A family whose bytes can be read.
#[derive(Clone, Copy, Debug)]
pub enum FamilyName {
    /// DGT boards and the clocks behind them.
    Dgt,
    /// Any other board.
    Board(&'static Family),
}

impl FamilyName {
    /// The family of this name, as given by people or in a recording.
    pub fn named(name: &str) -> Option<Self> {
        match name {
            "dgt" | DGT_BOARD => Some(Self::Dgt),
            name => Family::named(name).map(Self::Board),
        }
    }

    /// What the family is, for people.
    pub fn title(self) -> &'static str {
        match self {
            Self::Dgt => "DGT boards and the clocks behind them",
            Self::Board(family) => family.title,
        }
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Dgt => "dgt",
            Self::Board(family) => family.name,
        }
    }

    /// The parser for an argument.
    pub fn parser() -> impl TypedValueParser<Value = Self> {
        let dgt = PossibleValue::new("dgt")
            .alias(DGT_BOARD)
            .help(Self::Dgt.title());
        let others = FAMILIES.iter().map(|family| {
            PossibleValue::new(family.name)
                .aliases(family.aliases)
                .help(family.title)
        });
        let values: Vec<_> = std::iter::once(dgt).chain(others).collect();
        PossibleValuesParser::new(values)
            .try_map(|name| Self::named(&name).ok_or("no family has this name"))
    }
}
