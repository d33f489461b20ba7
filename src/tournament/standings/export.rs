//! The table for a spreadsheet and for the wall: CSV, and a page that prints.

use flagfall_core::tournament::{standings::words, trf::TextField};

use super::{Sheet, StandingsArgs};
use crate::{
    grid::{Cell, Grid},
    tournament::pair::Lang,
};

/// Comma-separated, UTF-8 with the mark by which spreadsheets know it.
pub(super) fn csv(sheet: &Sheet<'_>, args: &StandingsArgs) -> String {
    let mut text = String::from("\u{feff}");
    for line in sheet.lines(args, &["rank", "id", "name"]) {
        let cells: Vec<String> = line.iter().map(|cell| quoted(cell)).collect();
        text.push_str(&cells.join(","));
        text.push_str("\r\n");
    }
    text
}

/// A cell; what a spreadsheet would take for a formula is made a text.
fn quoted(cell: &str) -> String {
    let number = cell.parse::<f64>().is_ok();
    let formula = !number && cell.starts_with(['=', '+', '-', '@']);
    let cell = if formula {
        format!("'{cell}")
    } else {
        cell.to_owned()
    };
    if cell.contains([',', '"', '\n', '\r', ';']) {
        format!("\"{}\"", cell.replace('"', "\"\""))
    } else {
        cell
    }
}

const STYLE: &str = "\
body{font:15px/1.4 system-ui,sans-serif;margin:2rem auto;max-width:60rem;padding:0 1rem;color:#111;background:#fff}\
h1{font-size:1.5rem;margin:0 0 .2rem}p{margin:0 0 1rem;color:#444}\
table{border-collapse:collapse;width:100%}th,td{padding:.25rem .6rem;text-align:right;border-bottom:1px solid #ccc;\
font-variant-numeric:tabular-nums}th:nth-child(3),td:nth-child(3){text-align:left}\
details{margin:.3rem 0}details div{margin:.2rem 0 .2rem 1.5rem}h2{font-size:1.1rem;margin:1.5rem 0 .3rem}\
@media print{body{margin:0;max-width:none;font-size:11pt}tr,details{break-inside:avoid}thead{display:table-header-group}}";

/// A page that needs nothing else. With explanations each participant opens to his figures.
pub(super) fn html(sheet: &Sheet<'_>, args: &StandingsArgs) -> String {
    let words = words_of(args.lang);
    let event = sheet.document.text(TextField::Name).unwrap_or_default();
    let title = if event.is_empty() { words.title } else { event };
    let mut page = format!(
        "<!doctype html>\n<html lang=\"{}\">\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" \
         content=\"width=device-width\">\n<title>{}</title>\n<style>{STYLE}</style>\n<h1>{}</h1>\n",
        words.lang,
        escaped(title),
        escaped(title),
    );
    let round = sheet.table.terms().rounds;
    page.push_str(&paragraph(&format!(
        "{} {} {round}",
        words.title, words.after
    )));
    page.push_str("<table>\n");
    for (at, line) in sheet
        .lines(args, &[words.place, words.no, words.name])
        .iter()
        .enumerate()
    {
        let (tag, open, close) = match at {
            0 => ("th", "<thead>", "</thead>\n<tbody>"),
            _ => ("td", "", ""),
        };
        page.push_str(open);
        page.push_str("<tr>");
        for cell in line {
            page.extend(["<", tag, ">", &escaped(cell), "</", tag, ">"]);
        }
        page.push_str("</tr>");
        page.push_str(close);
        page.push('\n');
    }
    page.push_str("</tbody>\n</table>\n");
    if args.explain {
        page.extend(["<h2>", words.figures, "</h2>\n"]);
        for row in sheet.shown(args) {
            let who = format!("{} {}", row.player, sheet.name(args, row.player));
            page.extend(["<details><summary>", &escaped(&who), "</summary>\n"]);
            for (code, figure) in sheet.order.iter().zip(&row.figures) {
                let head = format!("{code} {}", figure.text(*code));
                page.extend(["<div><b>", &escaped(&head), "</b>"]);
                for line in words::explain(*code, figure, args.lang.into()) {
                    page.extend(["<br>", &escaped(&line)]);
                }
                page.push_str("</div>\n");
            }
            page.push_str("</details>\n");
        }
    }
    page.push_str("</html>\n");
    page
}

/// The heads of the table.
fn words_of(lang: Lang) -> Words {
    match lang {
        Lang::En => Words {
            lang: "en",
            title: "Standings",
            after: "after round",
            place: "Place",
            no: "No",
            name: "Name",
            figures: "How the figures come about",
        },
        Lang::Uk => Words {
            lang: "uk",
            title: "Таблиця",
            after: "після туру",
            place: "Місце",
            no: "№",
            name: "Ім'я",
            figures: "Як складаються показники",
        },
        Lang::Ru => Words {
            lang: "ru",
            title: "Таблица",
            after: "после тура",
            place: "Место",
            no: "№",
            name: "Имя",
            figures: "Как складываются показатели",
        },
    }
}

/// The table as a workbook and a PDF take it.
pub(super) fn grid(sheet: &Sheet<'_>, args: &StandingsArgs) -> Grid {
    let words = words_of(args.lang);
    let mut lines = (sheet.lines(args, &[words.place, words.no, words.name])).into_iter();
    let event = sheet.document.text(TextField::Name).unwrap_or_default();
    let round = sheet.table.terms().rounds;
    Grid {
        title: event.to_owned(),
        subtitle: format!("{} {} {round}", words.title, words.after),
        head: lines.next().unwrap_or_default(),
        rows: lines
            .map(|line| line.into_iter().map(Cell::of).collect())
            .collect(),
    }
}

struct Words {
    lang: &'static str,
    title: &'static str,
    after: &'static str,
    place: &'static str,
    no: &'static str,
    name: &'static str,
    figures: &'static str,
}

fn paragraph(text: &str) -> String {
    format!("<p>{}</p>\n", escaped(text))
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_that_would_break_a_line_or_calculate() {
        for (cell, written) in [
            ("Ann", "Ann"),
            ("O'Neil, \"Al\"", "\"O'Neil, \"\"Al\"\"\""),
            ("=1+1", "'=1+1"),
            ("-2.5", "-2.5"),
            ("-x", "'-x"),
        ] {
            assert_eq!(quoted(cell), written);
        }
        assert_eq!(escaped("<a & \"b\">"), "&lt;a &amp; &quot;b&quot;&gt;");
    }
}
