//! The forms of the systems: which parameters a name takes. Help, messages and reading go by these
//! tables.

use std::fmt::Write as _;

/// A system as it is named: `NAME` or `NAME:VALUE` or `NAME:KEY=VALUE,KEY=VALUE`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Form {
    /// The name.
    pub name: &'static str,
    /// What it is, in a few words.
    pub about: &'static str,
    /// What it takes; a value without a key is that of the first.
    pub parameters: &'static [Parameter],
}

/// A parameter of a system.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// The key.
    pub key: &'static str,
    /// How its values look.
    pub form: &'static str,
    /// What it says, and what is taken without it.
    pub about: &'static str,
}

const fn parameter(key: &'static str, form: &'static str, about: &'static str) -> Parameter {
    Parameter { key, form, about }
}

const fn plain(name: &'static str, about: &'static str) -> Form {
    Form {
        name,
        about,
        parameters: &[],
    }
}

const CYCLES: Parameter = parameter(
    "cycles",
    "1 to 99",
    "how often everybody meets everybody; 1",
);

/// Every system with its parameters, in the order of the help.
pub const FORMS: [Form; 13] = [
    plain("dutch", "FIDE (Dutch) Swiss, the rules of 2026"),
    plain("dutch-2017", "FIDE (Dutch) Swiss, the rules before"),
    plain("dubov", "Dubov Swiss"),
    plain("burstein", "Burstein Swiss"),
    plain("lim", "Lim Swiss"),
    plain(
        "double-swiss",
        "Double-Swiss: a round is a match of two games",
    ),
    Form {
        name: "round-robin",
        about: "everybody meets everybody, by Berger tables",
        parameters: &[CYCLES],
    },
    Form {
        name: "scheveningen",
        about: "everybody of one side meets everybody of the other",
        parameters: &[
            CYCLES,
            parameter(
                "sides",
                "numbers like 1-5/6-10 or 1+3/2+4",
                "who plays on which side; the two teams or clubs, else the halves of the list",
            ),
        ],
    },
    Form {
        name: "knock-out",
        about: "whoever loses is out; numbers are the seeding",
        parameters: &[
            parameter("games", "1 to 99", "games of a match, one a round; 1"),
            parameter(
                "places",
                "first, all or a number",
                "down to which place is played; first, 3 adds the match for the third place",
            ),
            parameter("seed", "a number", "of the lots for colours; 0"),
            parameter(
                "decided",
                "winner/loser, several with +",
                "level matches that a play-off, a lot or the arbiter decided, e.g. 3/6+5/4",
            ),
        ],
    },
    Form {
        name: "match",
        about: "two players; one of games, points, wins says how long",
        parameters: &[
            parameter(
                "games",
                "1 to 999",
                "so many games, or until nobody can be caught",
            ),
            parameter("points", "like 6 or 6.5", "until somebody has them"),
            parameter("wins", "1 to 999", "until somebody has won so many games"),
            parameter(
                "most",
                "1 to 999",
                "no more games than these; with points or wins",
            ),
            parameter(
                "all",
                "yes or no",
                "all games are played, whoever leads; no",
            ),
            parameter("turn", "yes or no", "colours turn round at half-time; no"),
        ],
    },
    Form {
        name: "match-tournament",
        about: "everybody meets everybody in a match of several games",
        parameters: &[parameter("games", "1 to 99", "games of a match; 2"), CYCLES],
    },
    Form {
        name: "team-swiss",
        about: "Swiss of teams",
        parameters: &[
            parameter("type", "a, b or none", "which colour preferences count; a"),
            parameter(
                "primary",
                "mp or gp",
                "the score that pairs: match or game points; mp",
            ),
        ],
    },
    Form {
        name: "team-round-robin",
        about: "every team meets every team, by Berger tables",
        parameters: &[CYCLES],
    },
];

/// The form of a name.
pub(super) fn form(name: &str) -> Option<&'static Form> {
    FORMS.iter().find(|form| form.name == name)
}

/// Names, parameters and examples as a help text, one line each.
pub fn help() -> String {
    let mut text = String::from("Systems, as NAME, NAME:VALUE or NAME:KEY=VALUE,KEY=VALUE:\n");
    // Lines end up in a string, which never fails.
    for form in &FORMS {
        let _ = writeln!(text, "  {:18}{}", form.name, form.about);
        for parameter in form.parameters {
            let key = format!("{}=", parameter.key);
            let _ = writeln!(text, "    {key:9}{}: {}", parameter.form, parameter.about);
        }
    }
    text.push_str(
        "  E.g. round-robin:2, knock-out:games=2,places=3, match:12, match:points=6.5,most=12",
    );
    text
}
