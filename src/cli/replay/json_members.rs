//! One line of a log, taken apart without being parsed.
//!
//! Most events of a log were seen before, so only where the members of an object begin and end is
//! worked out; whether they are JSON is left to whoever reads them.

/// The members of an object, each as it is written: its key without quotes, and its value.
pub(super) fn members(text: &str) -> Option<Vec<(&str, &str)>> {
    let mut scan = Scanner { text, position: 0 };
    scan.skip_whitespace();
    scan.expect(b'{')?;
    let mut found = Vec::new();
    scan.skip_whitespace();
    if scan.peek() == Some(b'}') {
        return Some(found);
    }
    loop {
        scan.skip_whitespace();
        let key = scan.string()?;
        // A key that needs unescaping might be any other.
        if key.contains('\\') {
            return None;
        }
        scan.skip_whitespace();
        scan.expect(b':')?;
        scan.skip_whitespace();
        found.push((key, scan.value()?));
        scan.skip_whitespace();
        match scan.next()? {
            b',' => {}
            b'}' => return Some(found),
            _ => return None,
        }
    }
}

/// Returns the text of a string that is written without escapes.
pub(super) fn unescaped_string(value: &str) -> Option<&str> {
    value.strip_prefix('"')?.strip_suffix('"').filter(|text| !text.contains('\\'))
}

struct Scanner<'t> {
    text: &'t str,
    position: usize,
}

impl<'t> Scanner<'t> {
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.position).copied()
    }

    fn next(&mut self) -> Option<u8> {
        let byte = self.peek()?;
        self.position += 1;
        Some(byte)
    }

    fn expect(&mut self, wanted: u8) -> Option<()> {
        (self.next()? == wanted).then_some(())
    }

    fn skip_whitespace(&mut self) {
        while self.peek().is_some_and(|byte| byte.is_ascii_whitespace()) {
            self.position += 1;
        }
    }

    /// Passes over a string; returns what is between its quotes.
    fn string(&mut self) -> Option<&'t str> {
        self.expect(b'"')?;
        let begin = self.position;
        loop {
            let rest = self.text.as_bytes().get(self.position..)?;
            self.position += rest.iter().position(|byte| matches!(byte, b'"' | b'\\'))?;
            if self.next()? == b'"' {
                return self.text.get(begin..self.position - 1);
            }
            self.position += 1;
        }
    }

    /// Passes over a value; returns it.
    fn value(&mut self) -> Option<&'t str> {
        let begin = self.position;
        let mut depth = 0usize;
        loop {
            match self.peek()? {
                b'"' => {
                    self.string()?;
                }
                b'{' | b'[' => {
                    depth += 1;
                    self.position += 1;
                }
                b'}' | b']' if depth > 0 => {
                    depth -= 1;
                    self.position += 1;
                }
                b'}' | b']' | b',' if depth == 0 => break,
                _ => self.position += 1,
            }
            if depth == 0 && matches!(self.peek(), Some(b',' | b'}' | b']')) {
                break;
            }
        }
        self.text.get(begin..self.position).map(str::trim_end)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::{Map, Value, json};

    use super::{members, unescaped_string};

    #[test]
    fn members_are_as_written() {
        let text = r#" { "a" : "x\"}, \\" , "b":[1,{"c":"]"}], "d": -1e3 , "e":null, "f":{}} "#;
        let found = members(text).unwrap();
        assert_eq!(
            found,
            [("a", r#""x\"}, \\""#), ("b", r#"[1,{"c":"]"}]"#), ("d", "-1e3"), ("e", "null"), ("f", "{}")]
        );
        assert_eq!(members("{}"), Some(Vec::new()));
        for broken in ["", "[]", "{", r#"{"a"}"#, r#"{"a":1"#, r#"{"a":"x}"#, r#"{"a\n":1}"#] {
            assert_eq!(members(broken), None, "{broken}");
        }
        assert_eq!(
            (unescaped_string(r#""x""#), unescaped_string(r#""\n""#), unescaped_string("1")),
            (Some("x"), None, None)
        );
    }

    fn any_value() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i32>().prop_map(Value::from),
            any::<String>().prop_map(Value::from)
        ];
        leaf.prop_recursive(4, 32, 5, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
                prop::collection::vec((any::<String>(), inner), 0..5)
                    .prop_map(|entries| Value::Object(entries.into_iter().collect())),
            ]
        })
    }

    proptest! {
        /// The parts are what a parser finds.
        #[test]
        fn the_parts_of_an_object_are_those_of_its_text(values in prop::collection::vec(any_value(), 0..6), pretty in any::<bool>()) {
            let object: Map<String, Value> = values.into_iter().enumerate().map(|(at, value)| (format!("k{at}"), value)).collect();
            let value = json!(object);
            let text = if pretty { format!("{value:#}") } else { value.to_string() };
            let found: Map<String, Value> = members(&text).unwrap().into_iter().map(|(key, value)| (key.to_owned(), serde_json::from_str(value).unwrap())).collect();
            prop_assert_eq!(found, object);
        }

        /// Nothing makes it panic.
        #[test]
        fn any_text_is_taken(text in any::<String>()) {
            let _parts = members(&text);
        }
    }
}
