//! Files of JSON records that may be very large: JSON Lines, and documents with one long list. Only one record is in
//! memory at a time.

use std::fmt;
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};

use super::{FileAction, FileError};

/// Bytes that a line may have; a longer one counts as broken.
const MAX_LINE_BYTES: u64 = 64 << 20;

/// What a file holds next.
#[derive(Debug, Clone, PartialEq)]
pub enum JsonRecord {
    /// A record.
    Value(Value),
    /// A line, or the rest of a document, that cannot be read; the number of the line, counted from 1.
    Broken(usize),
}

/// Hands over the records of a file of JSON Lines whose lines pass `is_relevant`.
///
/// # Errors
/// Returns that the file cannot be read.
pub fn read_lines(
    path: &Path,
    is_relevant: impl Fn(&str) -> bool,
    mut take: impl FnMut(JsonRecord),
) -> Result<(), FileError> {
    let failed = FileError::on(FileAction::Read, path);
    let mut reader = BufReader::new(open(path)?);
    let mut line = Vec::new();
    for number in 1.. {
        line.clear();
        if reader.by_ref().take(MAX_LINE_BYTES).read_until(b'\n', &mut line).map_err(failed)? == 0 {
            break;
        }
        if line.last() != Some(&b'\n') && u64::try_from(line.len()).is_ok_and(|length| length == MAX_LINE_BYTES) {
            reader.skip_until(b'\n').map_err(failed)?;
            take(JsonRecord::Broken(number));
            continue;
        }
        let text = match std::str::from_utf8(&line) {
            Ok(text) if text.trim().is_empty() => continue,
            // A line that is cut off has no brace at its end; all others are read in full only if they matter.
            Ok(text) if text.trim_end().ends_with('}') && !is_relevant(text) => continue,
            Ok(text) => text,
            Err(_) => "",
        };
        take(match serde_json::from_str::<Map<String, Value>>(text) {
            Ok(record) => JsonRecord::Value(Value::Object(record)),
            Err(_) => JsonRecord::Broken(number),
        });
    }
    Ok(())
}

/// Hands over a document that is one object: each field as an object of its own, and the members of the list under
/// `list` as they are.
///
/// # Errors
/// Returns that the file cannot be read.
pub fn read_document(path: &Path, list: &str, mut take: impl FnMut(JsonRecord)) -> Result<(), FileError> {
    let mut input = serde_json::Deserializer::from_reader(BufReader::new(open(path)?));
    let read = Document { list, take: &mut |value| take(JsonRecord::Value(value)) }.deserialize(&mut input);
    match read.and_then(|()| input.end()) {
        Err(error) if error.is_io() => Err(FileError::on(FileAction::Read, path)(error.into())),
        Err(error) => {
            take(JsonRecord::Broken(error.line()));
            Ok(())
        }
        Ok(()) => Ok(()),
    }
}

/// Opens a regular file: reading anything else might never end.
fn open(path: &Path) -> Result<File, FileError> {
    let metadata = path.metadata().map_err(FileError::on(FileAction::Read, path))?;
    if !metadata.is_file() {
        return Err(FileError::NotRegular(path.to_owned()));
    }
    File::open(path).map_err(FileError::on(FileAction::Read, path))
}

/// The whole document.
struct Document<'a> {
    list: &'a str,
    take: &'a mut dyn FnMut(Value),
}

impl<'de> DeserializeSeed<'de> for Document<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, input: D) -> Result<(), D::Error> {
        input.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Document<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<(), A::Error> {
        while let Some(key) = fields.next_key::<String>()? {
            if key == self.list {
                fields.next_value_seed(List { take: &mut *self.take })?;
            } else {
                let field = Map::from_iter([(key, fields.next_value::<Value>()?)]);
                (self.take)(Value::Object(field));
            }
        }
        Ok(())
    }
}

/// The list of a document.
struct List<'a> {
    take: &'a mut dyn FnMut(Value),
}

impl<'de> DeserializeSeed<'de> for List<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, input: D) -> Result<(), D::Error> {
        input.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for List<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut members: A) -> Result<(), A::Error> {
        while let Some(member) = members.next_element::<Value>()? {
            (self.take)(member);
        }
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<(), A::Error> {
        while fields.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(())
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::JsonRecord::{Broken, Value};
    use super::{read_document, read_lines};

    #[test]
    fn records_come_one_by_one_and_broken_ones_are_told() {
        let path = std::env::temp_dir().join(format!("ruleward-records-{}", std::process::id()));
        std::fs::write(&path, b"{\"a\":1}\n\n{\"b\":2}\n{\"a\":\n\xff\n[1]\n{\"a\":3}").unwrap();
        let mut found = Vec::new();
        read_lines(&path, |line| line.contains("\"a\""), |record| found.push(record)).unwrap();
        assert_eq!(found, [Value(json!({"a": 1})), Broken(4), Broken(5), Broken(6), Value(json!({"a": 3}))]);
        for (text, wanted) in [
            (
                "{\"id\": 1, \"list\": [{\"x\": 1}, 2], \"end\": []}",
                vec![Value(json!({"id": 1})), Value(json!({"x": 1})), Value(json!(2)), Value(json!({"end": []}))],
            ),
            ("{\"list\": [{\"x\": 1},\n {\"x\":", vec![Value(json!({"x": 1})), Broken(2)]),
            ("{\"list\": null}", vec![]),
            ("", vec![Broken(1)]),
        ] {
            std::fs::write(&path, text).unwrap();
            let mut found = Vec::new();
            read_document(&path, "list", |record| found.push(record)).unwrap();
            assert_eq!(found, wanted, "{text}");
        }
        std::fs::remove_file(&path).unwrap();
        assert!(read_lines(&path, |_| true, |_| ()).is_err());
        assert!(read_document(&std::env::temp_dir(), "list", |_| ()).is_err());
    }
}
