//! Pages and what is drawn on them, in millimetres from the upper left corner.

use krilla::{
    Document,
    color::rgb,
    geom::{Path, PathBuilder, Point, Rect},
    num::NormalizedF32,
    page::PageSettings,
    paint::{Fill, LineCap, Stroke, StrokeDash},
    surface::Surface,
    text::{Font, GlyphId, KrillaGlyph},
};
use ttf_parser::Face;

use super::PaperError;

/// A4.
pub(super) const WIDTH: f32 = 210.0;
/// A4.
pub(super) const HEIGHT: f32 = 297.0;
/// Points in a millimetre.
const MM: f32 = 72.0 / 25.4;
/// A quarter of a circle by one cubic curve.
const ARC: f32 = 0.552_284_8;

const REGULAR: &[u8] = include_bytes!("fonts/Inter-Regular.otf");
const BOLD: &[u8] = include_bytes!("fonts/Inter-Bold.otf");

/// A colour.
pub(super) type Colour = [u8; 3];
/// Black.
pub(super) const INK: Colour = [0, 0, 0];
/// For what is less important; still dark on paper.
pub(super) const SOFT: Colour = [85, 85, 85];

/// How a text stands at its point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Align {
    Left,
    Centre,
    Right,
}

/// A text's look.
#[derive(Clone, Copy, Debug)]
pub(super) struct Style {
    /// Height of the letters' body, mm.
    pub(super) size: f32,
    pub(super) bold: bool,
    pub(super) align: Align,
    pub(super) colour: Colour,
}

impl Style {
    pub(super) fn new(size: f32) -> Self {
        Self {
            size,
            bold: false,
            align: Align::Left,
            colour: INK,
        }
    }

    pub(super) fn bold(self) -> Self {
        Self { bold: true, ..self }
    }

    pub(super) fn align(self, align: Align) -> Self {
        Self { align, ..self }
    }

    pub(super) fn soft(self) -> Self {
        Self {
            colour: SOFT,
            ..self
        }
    }
}

struct Letters {
    font: Font,
    face: Face<'static>,
}

impl Letters {
    fn new(data: &'static [u8]) -> Result<Self, PaperError> {
        let bad = || PaperError::Drawing("a font cannot be read".to_owned());
        Ok(Self {
            font: Font::new(data.into(), 0).ok_or_else(bad)?,
            face: Face::parse(data, 0).map_err(|_| bad())?,
        })
    }

    /// A letter that the font does not have is shown as a question mark.
    fn glyphs(&self, text: &str) -> Vec<KrillaGlyph> {
        let em = f32::from(self.face.units_per_em());
        let mark = self.face.glyph_index('?').unwrap_or_default();
        text.char_indices()
            .map(|(at, letter)| {
                let glyph = self.face.glyph_index(letter).unwrap_or(mark);
                let advance = self.face.glyph_hor_advance(glyph).unwrap_or_default();
                let range = at..at + letter.len_utf8();
                let id = GlyphId::new(u32::from(glyph.0));
                KrillaGlyph::new(id, f32::from(advance) / em, 0.0, 0.0, 0.0, range, None)
            })
            .collect()
    }
}

/// A document that grows page by page.
pub(super) struct Paper {
    document: Document,
    regular: Letters,
    bold: Letters,
    pages: usize,
}

impl Paper {
    pub(super) fn new() -> Result<Self, PaperError> {
        Ok(Self {
            document: Document::new(),
            regular: Letters::new(REGULAR)?,
            bold: Letters::new(BOLD)?,
            pages: 0,
        })
    }

    /// Draws a page.
    pub(super) fn page(
        &mut self,
        draw: impl FnOnce(&mut Sheet<'_, '_>) -> Result<(), PaperError>,
    ) -> Result<(), PaperError> {
        let size = PageSettings::from_wh(WIDTH * MM, HEIGHT * MM);
        let size = size.ok_or_else(|| PaperError::Drawing("no size".to_owned()))?;
        let mut page = self.document.start_page_with(size);
        let mut surface = page.surface();
        let done = draw(&mut Sheet {
            surface: &mut surface,
            regular: &self.regular,
            bold: &self.bold,
        });
        surface.finish();
        page.finish();
        self.pages += 1;
        done
    }

    /// The PDF; one with nothing on it has one empty page.
    pub(super) fn finish(mut self) -> Result<Vec<u8>, PaperError> {
        if self.pages == 0 {
            self.page(|_| Ok(()))?;
        }
        let made = self.document.finish();
        made.map_err(|error| PaperError::Drawing(format!("{error:?}")))
    }
}

/// The page that is drawn.
pub(super) struct Sheet<'a, 'p> {
    surface: &'a mut Surface<'p>,
    regular: &'a Letters,
    bold: &'a Letters,
}

impl Sheet<'_, '_> {
    fn letters(&self, bold: bool) -> &Letters {
        if bold { self.bold } else { self.regular }
    }

    /// How wide a text is, mm.
    pub(super) fn width(&self, text: &str, style: Style) -> f32 {
        let glyphs = self.letters(style.bold).glyphs(text);
        glyphs.iter().map(|glyph| glyph.x_advance).sum::<f32>() * style.size
    }

    /// Writes a text with its base line at `y`.
    pub(super) fn text(&mut self, x: f32, y: f32, text: &str, style: Style) {
        let shift = match style.align {
            Align::Left => 0.0,
            Align::Centre => self.width(text, style) / 2.0,
            Align::Right => self.width(text, style),
        };
        let letters = self.letters(style.bold);
        let (glyphs, font) = (letters.glyphs(text), letters.font.clone());
        self.surface.set_fill(Some(fill(style.colour)));
        self.surface.set_stroke(None);
        let at = Point::from_xy((x - shift) * MM, y * MM);
        self.surface
            .draw_glyphs(at, &glyphs, font, text, style.size * MM, false);
    }

    /// Writes a text so small that it fits into a width, but no smaller than half its size; then it is cut.
    pub(super) fn fitted(&mut self, x: f32, y: f32, most: f32, text: &str, style: Style) {
        let share = most / self.width(text, style).max(0.1);
        let style = Style {
            size: style.size * share.clamp(0.5, 1.0),
            ..style
        };
        let mut shown = text.to_owned();
        while self.width(&shown, style) > most && shown.pop().is_some() {
            shown = shown.trim_end_matches(['…', ' ']).to_owned();
            shown.pop();
            shown.push('…');
        }
        self.text(x, y, &shown, style);
    }

    /// A line.
    pub(super) fn line(&mut self, from: (f32, f32), to: (f32, f32), width: f32) {
        self.stroke(&[from, to], width, LineCap::Butt, None);
    }

    /// A line with round ends.
    pub(super) fn hand(&mut self, from: (f32, f32), to: (f32, f32), width: f32) {
        self.stroke(&[from, to], width, LineCap::Round, None);
    }

    /// A line to cut along.
    pub(super) fn cut(&mut self, from: (f32, f32), to: (f32, f32)) {
        let dash = StrokeDash {
            array: vec![2.0 * MM, 2.0 * MM],
            offset: 0.0,
        };
        self.stroke(&[from, to], 0.2, LineCap::Butt, Some(dash));
    }

    fn stroke(
        &mut self,
        points: &[(f32, f32)],
        width: f32,
        line_cap: LineCap,
        dash: Option<StrokeDash>,
    ) {
        let mut builder = PathBuilder::new();
        for (at, (x, y)) in points.iter().enumerate() {
            if at == 0 {
                builder.move_to(x * MM, y * MM);
            } else {
                builder.line_to(x * MM, y * MM);
            }
        }
        self.surface.set_fill(None);
        self.surface.set_stroke(Some(Stroke {
            paint: rgb::Color::new(0, 0, 0).into(),
            width: width * MM,
            line_cap,
            dash,
            ..Stroke::default()
        }));
        self.draw(builder.finish());
    }

    /// An empty rectangle.
    pub(super) fn frame(&mut self, x: f32, y: f32, width: f32, height: f32, line: f32) {
        let points = [
            (x, y),
            (x + width, y),
            (x + width, y + height),
            (x, y + height),
            (x, y),
        ];
        self.stroke(&points, line, LineCap::Square, None);
    }

    /// A full rectangle.
    pub(super) fn fill(&mut self, x: f32, y: f32, width: f32, height: f32, colour: Colour) {
        let mut builder = PathBuilder::new();
        let rect = Rect::from_xywh(x * MM, y * MM, width * MM, height * MM);
        if let Some(rect) = rect {
            builder.push_rect(rect);
        }
        self.surface.set_stroke(None);
        self.surface.set_fill(Some(fill(colour)));
        self.draw(builder.finish());
    }

    /// A circle, full or empty.
    pub(super) fn circle(&mut self, x: f32, y: f32, radius: f32, line: Option<f32>) {
        let (x, y, r) = (x * MM, y * MM, radius * MM);
        let k = r * ARC;
        let mut builder = PathBuilder::new();
        builder.move_to(x + r, y);
        builder.cubic_to(x + r, y + k, x + k, y + r, x, y + r);
        builder.cubic_to(x - k, y + r, x - r, y + k, x - r, y);
        builder.cubic_to(x - r, y - k, x - k, y - r, x, y - r);
        builder.cubic_to(x + k, y - r, x + r, y - k, x + r, y);
        builder.close();
        if let Some(width) = line {
            self.surface.set_fill(None);
            self.surface.set_stroke(Some(Stroke {
                paint: rgb::Color::new(0, 0, 0).into(),
                width: width * MM,
                ..Stroke::default()
            }));
        } else {
            self.surface.set_stroke(None);
            self.surface.set_fill(Some(fill(INK)));
        }
        self.draw(builder.finish());
    }

    fn draw(&mut self, path: Option<Path>) {
        if let Some(path) = path {
            self.surface.draw_path(&path);
        }
    }
}

fn fill([red, green, blue]: Colour) -> Fill {
    Fill {
        paint: rgb::Color::new(red, green, blue).into(),
        opacity: NormalizedF32::ONE,
        ..Fill::default()
    }
}
