//! The columns of a list of players and the ways to spell their names.

/// What a column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Column {
    No,
    Name,
    Surname,
    FirstName,
    Title,
    Rating,
    Federation,
    Birth,
    FideId,
    Sex,
    Club,
}

impl Column {
    /// By its name in the header line; case, blanks and signs do not matter.
    pub(super) fn named(header: &str) -> Option<Self> {
        let plain: String = header
            .chars()
            .filter(|c| c.is_alphanumeric() || *c == '№' || *c == '#')
            .collect();
        Some(match plain.to_lowercase().as_str() {
            "no" | "nr" | "num" | "number" | "sno" | "startno" | "startrank" | "snr" | "tpn"
            | "id" | "№" | "#" | "номер" | "nпп" | "№пп" => Self::No,
            "name"
            | "player"
            | "fullname"
            | "playername"
            | "имя"
            | "імя"
            | "ім"
            | "гравець"
            | "игрок"
            | "піб"
            | "фио"
            | "пібгравця"
            | "прізвищеімя"
            | "фамилияимя"
            | "прізвищеіімя"
            | "учасник"
            | "участник" => Self::Name,
            "surname" | "lastname" | "familyname" | "прізвище" | "фамилия" => {
                Self::Surname
            }
            "firstname" | "givenname" | "forename" => Self::FirstName,
            "title" | "tit" | "титул" | "звання" | "звание" => Self::Title,
            "rating"
            | "elo"
            | "rtg"
            | "fiderating"
            | "irtg"
            | "rtgi"
            | "fideelo"
            | "рейтинг"
            | "рейтингфіде"
            | "рейтингфиде"
            | "ело"
            | "эло" => Self::Rating,
            "federation" | "fed" | "country" | "федерація" | "федерация" | "країна" | "страна" => {
                Self::Federation
            }
            "birth"
            | "birthyear"
            | "yearofbirth"
            | "born"
            | "year"
            | "birthdate"
            | "birthday"
            | "dateofbirth"
            | "dob"
            | "bdate"
            | "ріквародження"
            | "рік"
            | "рн"
            | "рікнародження"
            | "датанародження"
            | "годрождения"
            | "датарождения"
            | "гр" => Self::Birth,
            "fideid" | "fide" | "idfide" | "fideno" | "idno" | "fidecode" | "fidenumber"
            | "idфіде" | "idфиде" | "кодфіде" | "фідеid" => Self::FideId,
            "sex" | "gender" | "mf" | "стать" | "пол" => Self::Sex,
            "club" | "school" | "team" | "clubcity" | "city" | "клуб" | "школа" | "місто"
            | "город" | "команда" => Self::Club,
            _ => return None,
        })
    }

    /// Our name for it, for messages.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::No => "no",
            Self::Name => "name",
            Self::Surname => "surname",
            Self::FirstName => "first name",
            Self::Title => "title",
            Self::Rating => "rating",
            Self::Federation => "federation",
            Self::Birth => "birth",
            Self::FideId => "fide id",
            Self::Sex => "sex",
            Self::Club => "club",
        }
    }
}
