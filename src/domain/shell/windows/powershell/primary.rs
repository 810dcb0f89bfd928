//! Single values, and what is called on them.

use super::Reader;
use super::dotnet;
use super::strings::quoted_word;
use super::value::Value;
use crate::domain::shell::script::Word;

impl Reader<'_> {
    /// Reads a value with the members that are asked of it.
    pub(super) fn primary(&mut self) -> Value {
        self.skip_blanks();
        self.target = None;
        let start = self.pos;
        let value = match self.peek() {
            Some('"' | '\'') => self.string(),
            Some('@') => match self.peek_second() {
                Some('"' | '\'') => self.string(),
                Some('{') => {
                    self.next();
                    self.table()
                }
                _ => {
                    self.next();
                    if self.peek() == Some('(') { self.parenthesized() } else { Value::default() }
                }
            },
            Some('$') if self.peek_second() == Some('(') => {
                self.next();
                self.parenthesized()
            }
            Some('$') => self.variable(),
            Some('(') => {
                let value = self.parenthesized();
                self.target = None;
                value
            }
            Some('{') => self.block(),
            Some('[') => return self.typed(start),
            Some(_) => {
                let end =
                    self.rest().find(|next: char| next.is_whitespace() || ";|),}]+*/=".contains(next) || next == '-');
                // `1..5` is a range and no number.
                let end = end.unwrap_or(self.rest().len());
                let end = self.rest().get(..end).and_then(|text| text.find("..")).unwrap_or(end);
                let text = self.rest().get(..end).unwrap_or_default().to_owned();
                self.pos += text.len();
                Value::of(Word::known(text))
            }
            None => Value::default(),
        };
        self.members(value, start)
    }

    /// Reads a block of code, which runs where it is given to something.
    pub(super) fn block(&mut self) -> Value {
        let place = self.skip_brackets();
        Value { block: Some(place), ..Value::default() }
    }

    /// Reads the members that are asked of a value.
    pub(super) fn members(&mut self, mut value: Value, start: usize) -> Value {
        loop {
            let is_member =
                |next: Option<char>| next.is_some_and(|next| next.is_alphabetic() || "_'\"$(".contains(next));
            let static_member = self.rest().starts_with("::");
            if static_member
                || (self.peek() == Some('.') && is_member(self.peek_second()))
                || self.rest().starts_with("?.")
            {
                self.pos += if self.peek() == Some('.') { 1 } else { 2 };
                let target = self.target.take();
                let name = self.member_name();
                if self.peek() == Some('(') {
                    let arguments = self.call_arguments();
                    value = self.call_method(value, &name, &arguments, start);
                } else {
                    value = property(value, &name);
                }
                // A value that a property is assigned to is not replaced.
                drop(target);
            } else if self.peek() == Some('[') {
                self.next();
                self.target = None;
                let index = self.statements(Some(']'));
                self.eat("]");
                self.target = None;
                value = element(value, &index);
            } else if self.eat("++") || self.eat("--") {
                if let Some(name) = self.target.take() {
                    self.variables.insert(name.clone(), Value::unknown(format!("${name}")));
                }
                value = Value::default();
            } else {
                return value;
            }
        }
    }

    fn member_name(&mut self) -> String {
        match self.peek() {
            Some('"' | '\'') => self.string().join("").text,
            Some('$') => self.variable().join("").text,
            Some('(') => self.parenthesized().join("").text,
            _ => {
                let rest = self.rest();
                let end = rest.find(|next: char| !next.is_alphanumeric() && next != '_').unwrap_or(rest.len());
                let name = rest.get(..end).unwrap_or_default().to_owned();
                self.pos += end;
                name
            }
        }
    }

    /// Reads the arguments of a call, one value for each.
    fn call_arguments(&mut self) -> Vec<Value> {
        self.next();
        let mut arguments = Vec::new();
        loop {
            self.skip_lines();
            match self.peek() {
                None => return arguments,
                Some(')') => {
                    self.next();
                    return arguments;
                }
                Some(',') => {
                    self.next();
                }
                Some(_) => {
                    let pos = self.pos;
                    arguments.push(self.argument_of_call());
                    if self.pos == pos {
                        self.next();
                    }
                }
            }
        }
    }

    /// Reads an expression in which a comma ends it.
    fn argument_of_call(&mut self) -> Value {
        let mut value = self.unary();
        loop {
            let pos = self.pos;
            self.skip_lines();
            if self.peek().is_none_or(|next| matches!(next, ',' | ')')) {
                self.pos = pos;
                return value;
            }
            let Some(name) = self.operator() else {
                self.pos = pos;
                return value;
            };
            self.skip_lines();
            // What is filled into a format is a list, also here.
            let right = if name == "-f" { self.expression() } else { self.unary() };
            value = super::operator::apply(&name, value, right);
        }
    }

    /// Reads a table: `@{ Name = value; … }`.
    fn table(&mut self) -> Value {
        self.next();
        let mut value = Value::default();
        loop {
            self.skip_lines();
            while self.eat(";") {
                self.skip_lines();
            }
            match self.peek() {
                None => return value,
                Some('}') => {
                    self.next();
                    return value;
                }
                Some(_) => {}
            }
            let pos = self.pos;
            let name = match self.peek() {
                Some('"' | '\'') => self.string().join("").text,
                Some('$' | '(') => self.unary().join("").text,
                _ => {
                    let name = self.identifier().to_owned();
                    self.pos += name.len();
                    name
                }
            };
            self.skip_blanks();
            if self.eat("=") {
                self.skip_lines();
                let entry = self.deeper(|reader| {
                    let entry = reader.pipeline().value;
                    reader.target = None;
                    entry
                });
                value.entries.push((name, entry));
            } else if self.pos == pos {
                self.next();
            }
        }
    }

    /// Reads a type, and the member that is asked of it or the value that is turned into it.
    fn typed(&mut self, start: usize) -> Value {
        let place = self.skip_brackets();
        let name = self.text.get(place).unwrap_or_default().trim().to_ascii_lowercase();
        let name = name.strip_prefix("system.").unwrap_or(&name).to_owned();
        if self.eat("::") {
            let member = self.member_name();
            let value = if self.peek() == Some('(') {
                let arguments = self.call_arguments();
                self.call_static(&name, &member, &arguments, start)
            } else {
                dotnet::static_property(&name, &member)
            };
            return self.members(value, start);
        }
        let pos = self.pos;
        self.skip_blanks();
        if self.peek().is_none_or(|next| matches!(next, ')' | ']' | ',' | ';' | '|' | '\n' | '}')) {
            self.pos = pos;
            return Value::of(quoted_word(format!("[{name}]")));
        }
        let value = self.unary();
        dotnet::cast(&name, value)
    }
}

/// Returns the property of a value.
fn property(value: Value, name: &str) -> Value {
    if let Some(entry) = value.entry(name) {
        return entry.clone();
    }
    let lower = name.to_ascii_lowercase();
    match lower.as_str() {
        "length" | "count" | "extension" | "basename" | "exists" | "lastwritetime" | "creationtime" | "statuscode" => {
            Value::output()
        }
        "name" => value.map(|path| path.rsplit(['/', '\\']).next().map(str::to_owned)),
        "directoryname" | "directory" | "parent" | "psparentpath" => {
            value.map(|path| Some(path.rsplit_once(['/', '\\']).map_or(".", |(parent, _)| parent).to_owned()))
        }
        _ => value,
    }
}

/// Returns the element of a list; all of them where it is not known which.
fn element(value: Value, index: &Value) -> Value {
    let number = index.text().and_then(|text| text.parse::<i64>().ok());
    if let Some(entry) = index.text().and_then(|name| value.entry(name)) {
        return entry.clone();
    }
    if let ([text], [_, _, ..]) = (value.words.as_slice(), index.words.as_slice())
        && text.literal
        && let Some(characters) = characters_at(&text.text, index)
    {
        return Value::list(characters);
    }
    let at = number.and_then(|number| {
        if number < 0 {
            value.words.len().checked_sub(usize::try_from(-number).ok()?)
        } else {
            usize::try_from(number).ok()
        }
    });
    match at.and_then(|at| value.words.get(at)) {
        Some(word) if value.words.len() > 1 => Value::of(word.clone()),
        _ => value,
    }
}

/// Returns the characters of a text at several places, of which negative ones count from its end.
fn characters_at(text: &str, index: &Value) -> Option<Vec<Word>> {
    let characters: Vec<char> = text.chars().collect();
    let length = i64::try_from(characters.len()).ok()?;
    let character = |place: &Word| {
        let number = place.text.parse::<i64>().ok()?;
        let at = if number < 0 { length + number } else { number };
        let character = characters.get(usize::try_from(at).ok()?)?;
        Some(quoted_word(character.to_string()))
    };
    index.words.iter().map(character).collect()
}
