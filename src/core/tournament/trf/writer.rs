//! A document to bytes.

use super::{
    encoding::{BOM, Encoding},
    model::Document,
    records,
};

/// A line to be written.
enum Piece<'a> {
    Kept(&'a [u8]),
    Made(String),
}

impl Document {
    /// The file. Lines that were not changed keep their bytes; when something new does not fit the
    /// encoding that was read, the whole file becomes UTF-8.
    pub fn write(&self) -> Vec<u8> {
        let pieces: Vec<Piece> = self
            .lines
            .iter()
            .map(|line| match &line.source {
                Some(source) if source.record == line.record => Piece::Kept(&source.bytes),
                _ => Piece::Made(records::format(&line.record)),
            })
            .collect();
        let encoded = pieces
            .iter()
            .map(|piece| match piece {
                Piece::Kept(bytes) => Some(bytes.to_vec()),
                Piece::Made(text) => self.encoding.encode(text),
            })
            .collect::<Option<Vec<_>>>();
        let lines = encoded.unwrap_or_else(|| {
            let text = |piece: Piece| match piece {
                Piece::Kept(bytes) => self.encoding.decode(bytes).0,
                Piece::Made(text) => text,
            };
            pieces
                .into_iter()
                .map(|piece| text(piece).into_bytes())
                .collect()
        });
        let mut file = Vec::new();
        if self.bom {
            file.extend_from_slice(BOM);
        }
        for (line, bytes) in self.lines.iter().zip(lines) {
            file.extend_from_slice(&bytes);
            file.extend_from_slice(line.end.bytes());
        }
        file
    }

    /// Turns the file into UTF-8, the encoding for exchange.
    pub fn make_utf8(&mut self) {
        for line in &mut self.lines {
            if let Some(source) = &mut line.source {
                source.bytes = self.encoding.decode(&source.bytes).0.into_bytes();
            }
        }
        self.encoding = Encoding::Utf8;
    }
}
