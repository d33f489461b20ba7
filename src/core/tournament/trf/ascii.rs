//! Names in ASCII, for programs that know no other letters: Ukrainian by the resolution 55 of 2010
//! of the Cabinet of Ministers, Russian letters beside it, Latin letters without their marks.

/// The text in ASCII; what has no counterpart becomes `?`.
pub fn transliterate(text: &str) -> String {
    if text.is_ascii() {
        return text.to_owned();
    }
    let mut ascii = String::with_capacity(text.len());
    let mut before = ' ';
    for c in text.chars() {
        let first = !before.is_alphabetic();
        let lower = c.to_lowercase().next().unwrap_or(c);
        let cyrillic = ('\u{400}'..='\u{4ff}').contains(&before);
        if matches!(c, '’' | 'ʼ') || c == '\'' && cyrillic {
            // Not written, and the letter behind it does not begin the word.
            continue;
        }
        match letter(lower, before, first) {
            Some(letters) if lower != c => {
                let mut chars = letters.chars();
                ascii.extend(chars.next().map(|first| first.to_ascii_uppercase()));
                ascii.push_str(chars.as_str());
            }
            Some(letters) => ascii.push_str(letters),
            None if c.is_ascii() => ascii.push(c),
            None => ascii.push('?'),
        }
        before = c;
    }
    ascii
}

fn letter(lower: char, before: char, first: bool) -> Option<&'static str> {
    Some(match lower {
        'а' => "a",
        'б' => "b",
        'в' => "v",
        // зг is zgh, so that it is not read as ж.
        'г' if matches!(before, 'з' | 'З') => "gh",
        'г' => "h",
        'ґ' => "g",
        'д' => "d",
        'е' | 'э' => "e",
        'є' if first => "ye",
        'є' => "ie",
        'ж' => "zh",
        'з' => "z",
        'и' | 'ы' => "y",
        'і' => "i",
        'ї' if first => "yi",
        'й' if first => "y",
        'ї' | 'й' => "i",
        'к' => "k",
        'л' => "l",
        'м' => "m",
        'н' => "n",
        'о' => "o",
        'п' => "p",
        'р' => "r",
        'с' => "s",
        'т' => "t",
        'у' => "u",
        'ф' => "f",
        'х' => "kh",
        'ц' => "ts",
        'ч' => "ch",
        'ш' => "sh",
        'щ' => "shch",
        'ю' if first => "yu",
        'ю' => "iu",
        'я' if first => "ya",
        'я' => "ia",
        'ё' => "yo",
        'ь' | 'ъ' => "",
        'ä' | 'á' | 'à' | 'â' | 'ã' | 'å' | 'ā' | 'ą' | 'ă' => "a",
        'æ' => "ae",
        'ç' | 'ć' | 'č' => "c",
        'ď' | 'đ' | 'ð' => "d",
        'é' | 'è' | 'ê' | 'ë' | 'ē' | 'ę' | 'ě' | 'ė' => "e",
        'ğ' | 'ģ' => "g",
        'í' | 'ì' | 'î' | 'ï' | 'ī' | 'į' | 'ı' => "i",
        'ķ' => "k",
        'ł' | 'ļ' | 'ľ' => "l",
        'ñ' | 'ń' | 'ň' | 'ņ' => "n",
        'ö' | 'ó' | 'ò' | 'ô' | 'õ' | 'ø' | 'ő' => "o",
        'œ' => "oe",
        'ř' => "r",
        'ś' | 'š' | 'ş' | 'ș' => "s",
        'ß' => "ss",
        'ť' | 'ţ' | 'ț' => "t",
        'þ' => "th",
        'ü' | 'ú' | 'ù' | 'û' | 'ū' | 'ų' | 'ů' | 'ű' => "u",
        'ý' | 'ÿ' => "y",
        'ž' | 'ź' | 'ż' => "z",
        '–' | '—' => "-",
        '“' | '”' | '„' | '«' | '»' => "\"",
        '№' => "No",
        '\u{a0}' => " ",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        for (name, ascii) in [
            ("Коваль, Олена", "Koval, Olena"),
            ("Згурський, Юрій", "Zghurskyi, Yurii"),
            ("Їжакевич, Єлизавета", "Yizhakevych, Yelyzaveta"),
            ("Мар’яненко, Йосип", "Marianenko, Yosyp"),
            ("Лук'янчук, В'ячеслав", "Lukianchuk, Viacheslav"),
            ("Müller, Jörg", "Muller, Jorg"),
            ("O'Brien, Seán", "O'Brien, Sean"),
            ("Straße ☃", "Strasse ?"),
            ("O'Brien", "O'Brien"),
        ] {
            assert_eq!(transliterate(name), ascii);
        }
    }
}
