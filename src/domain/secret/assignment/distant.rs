//! Values that stand away from their name: in the body of a function, in a block, in the next element, in a column.

use std::ops::Range;

use super::{AssignmentReader, Notation, is_name_byte, is_token_byte};

/// The maximum length of a list of parameters, in bytes.
const MAX_PARAMETERS: usize = 96;

/// How many bytes of a block are read.
const MAX_BLOCK: usize = 512;

/// The maximum length of a line of a table, in bytes.
const MAX_ROW: usize = 1024;

/// How many lines of a table are read.
const MAX_ROWS: usize = 16;

impl AssignmentReader<'_> {
    /// Reads the first argument of a call, or what a function of this name returns.
    pub(super) fn argument_or_returned(&mut self) -> Option<(Range<usize>, bool)> {
        self.at += 1;
        let start = self.at;
        self.skip_while(16, |byte| byte.is_ascii_whitespace() || byte == b'=');
        if let Some(found) = self.quoted_string() {
            return Some(found);
        }
        self.at = start;
        self.skip_while(MAX_PARAMETERS, |byte| !matches!(byte, b')' | b'"' | b'\'' | b'`' | b';'));
        if !self.eat(b")") {
            return None;
        }
        // The type that is returned, and what opens the body.
        let in_type = |byte: u8| byte.is_ascii_alphanumeric() || b" -<>:&?.=_[]\t".contains(&byte);
        self.skip_while(48, in_type);
        if self.text.get(self.at.saturating_sub(1)) == Some(&b'&') && self.eat(b"'") {
            self.skip_while(48, in_type);
        }
        self.skip_while(1, |byte| byte == b'{');
        let blanks = self.skip_while(32, |byte| byte.is_ascii_whitespace());
        let returned = self.eat(b"return ") || self.eat(b"return(");
        let before = self.text.get(self.at.saturating_sub(2)..self.at).unwrap_or_default();
        self.notation = Notation::Distant;
        (returned || blanks > 0 || before == b"= " || before == b"> ").then(|| self.quoted_string()).flatten()
    }

    /// Reads the default of a variable in a block: `variable "name" { default = "v" }`.
    pub(super) fn block_default(&mut self) -> Option<(Range<usize>, bool)> {
        let block = self.rest().get(..MAX_BLOCK.min(self.rest().len())).unwrap_or_default();
        let end = block.iter().position(|byte| *byte == b'}').unwrap_or(block.len());
        let at = block.get(..end)?.windows(8).position(|word| word == b"default ")?;
        self.at += at + 8;
        self.skip_while(16, |byte| byte == b' ');
        self.notation = Notation::Distant;
        self.eat(b"=").then(|| self.skip_blanks())?;
        self.quoted_string()
    }

    /// Skips further attributes of an element that is named by one of them.
    pub(super) fn skip_attributes(&mut self, name: usize) {
        if name < 2 || self.text.get(name - 2) != Some(&b'=') {
            return;
        }
        let start = self.at;
        for _ in 0..3 {
            let before = self.at;
            self.skip_blanks();
            let named = self.skip_while(32, is_name_byte) > 0 && self.eat(b"=");
            let Some((value, _)) = named.then(|| self.quoted_string()).flatten() else {
                self.at = before;
                break;
            };
            self.at = value.end + 1;
        }
        if self.peek() != b'>' {
            self.at = start;
        }
    }

    /// Reads the text of an element: on its line, or on a line of its own.
    pub(super) fn element_text(&mut self) -> Option<(Range<usize>, bool)> {
        self.skip_while(64, |byte| byte.is_ascii_whitespace());
        let start = self.at;
        let len = self.skip_while(super::MAX_VALUE, |byte| !matches!(byte, b'<' | b'\n' | b'\r'));
        let text = self.text.get(start..start + len)?;
        let blanks = text.iter().rev().take_while(|byte| **byte == b' ').count();
        if len > super::LONG_VALUE && !text.iter().all(|byte| is_token_byte(*byte)) {
            return None;
        }
        self.skip_while(64, |byte| byte.is_ascii_whitespace());
        self.eat(b"</").then_some((start..start + len - blanks, true))
    }

    /// Reads the text of the element behind that of the name: `<key>name</key><string>v</string>`.
    pub(super) fn next_element(&mut self) -> Option<(Range<usize>, bool)> {
        const CLOSED: &[&[u8]] = &[b"key>", b"name>", b"entry-key>"];
        const OPENED: &[&[u8]] = &[b"<string>", b"<value>", b"<entry-value>"];
        let closed = CLOSED.iter().any(|tag| self.eat(tag));
        self.skip_while(64, |byte| byte.is_ascii_whitespace());
        (closed && OPENED.iter().any(|tag| self.eat(tag))).then(|| self.element_text()).flatten()
    }
}

/// Returns the cells below a name in the first line of a table of values that commas separate.
pub(in crate::domain::secret) fn column_cells(text: &[u8], name: &Range<usize>) -> Vec<Range<usize>> {
    let before = text.get(name.start.saturating_sub(MAX_ROW)..name.start).unwrap_or_default();
    let head = before.iter().rev().take_while(|byte| **byte != b'\n').count();
    let behind = text.get(name.end..).unwrap_or_default();
    let tail = behind.iter().take(MAX_ROW).take_while(|byte| **byte != b'\n').count();
    let (first, end) = (name.start - head, name.end + tail);
    let header = text.get(first..end).unwrap_or_default();
    let is_heading = |byte: &u8| is_name_byte(*byte) || matches!(byte, b',' | b'"' | b' ' | b'\r');
    let column = text.get(first..name.start).map_or(0, comma_count);
    let columns = comma_count(header);
    if columns == 0 || !header.iter().all(is_heading) || text.get(end) != Some(&b'\n') {
        return Vec::new();
    }
    let mut cells = Vec::new();
    let mut at = end + 1;
    for _ in 0..MAX_ROWS {
        let rest = text.get(at..).unwrap_or_default();
        let len = rest.iter().take(MAX_ROW).take_while(|byte| **byte != b'\n').count();
        let row = rest.get(..len).unwrap_or_default();
        if comma_count(row) != columns {
            break;
        }
        let start = row.split(|byte| *byte == b',').take(column).map(|cell| cell.len() + 1).sum::<usize>();
        let cell = row.get(start..).and_then(|row| row.split(|byte| *byte == b',').next()).unwrap_or_default();
        let is_edge = |byte: &&u8| matches!(byte, b'"' | b' ' | b'\r');
        let left = cell.iter().take_while(is_edge).count();
        let right = cell.iter().rev().take_while(is_edge).count();
        if left + right < cell.len() {
            cells.push(at + start + left..at + start + cell.len() - right);
        }
        at += len + 1;
    }
    cells
}

fn comma_count(text: &[u8]) -> usize {
    memchr::memchr_iter(b',', text).count()
}
