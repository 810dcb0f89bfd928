//! Durations in the spelling of policies.

use core::time::Duration;
#[cfg(test)]
use std::borrow::Cow;
use std::fmt;

#[cfg(test)]
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};

use super::suggest::with_help;

/// The error for a text that is not a duration of the expected kind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InvalidDuration {
    /// The text.
    pub text: String,
    /// What to write instead.
    pub help: &'static str,
}

impl fmt::Display for InvalidDuration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&with_help(&format!("`{}` is not a time", self.text), self.help))
    }
}

impl std::error::Error for InvalidDuration {}

/// The unit of a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Unit {
    /// Time, in units of so many milliseconds.
    Time(u64),
    Turns,
    Calls,
}

const SECOND: u64 = 1_000;
const MINUTE: u64 = 60 * SECOND;
const HOUR: u64 = 60 * MINUTE;
const DAY: u64 = 24 * HOUR;

const UNITS: [(&str, Unit); 18] = [
    ("ms", Unit::Time(1)),
    ("s", Unit::Time(SECOND)),
    ("second", Unit::Time(SECOND)),
    ("seconds", Unit::Time(SECOND)),
    ("m", Unit::Time(MINUTE)),
    ("min", Unit::Time(MINUTE)),
    ("minute", Unit::Time(MINUTE)),
    ("minutes", Unit::Time(MINUTE)),
    ("h", Unit::Time(HOUR)),
    ("hour", Unit::Time(HOUR)),
    ("hours", Unit::Time(HOUR)),
    ("d", Unit::Time(DAY)),
    ("day", Unit::Time(DAY)),
    ("days", Unit::Time(DAY)),
    ("turn", Unit::Turns),
    ("turns", Unit::Turns),
    ("call", Unit::Calls),
    ("calls", Unit::Calls),
];

/// Reads a number above 0 and one of the accepted unit names.
fn parse(text: &str, admits: impl Fn(&str) -> bool) -> Option<(u64, Unit)> {
    let (number, name) = text.split_at(text.find(|it: char| !it.is_ascii_digit()).unwrap_or(text.len()));
    let number = number.parse().ok().filter(|number| *number > 0)?;
    let (_, unit) = UNITS.iter().find(|(known, _)| *known == name.trim()).filter(|(known, _)| admits(known))?;
    Some((number, *unit))
}

/// Writes an amount of units of `base` milliseconds, in the largest of the named units that gives an integer; the
/// first name is that of `base` itself.
fn write_time(f: &mut fmt::Formatter<'_>, amount: u64, base: u64, names: &[&str]) -> fmt::Result {
    let mut sizes = UNITS.iter().filter(|(name, _)| names.contains(name)).filter_map(|(name, unit)| match unit {
        Unit::Time(millis) => Some((*name, millis / base)),
        Unit::Turns | Unit::Calls => None,
    });
    let (name, size) = sizes.rfind(|(_, size)| amount.is_multiple_of(*size)).unwrap_or(("", 1));
    write!(f, "{}{name}", amount / size)
}

/// How long something lasts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize)]
#[serde(try_from = "String", into = "String")]
pub enum GateDuration {
    /// Seconds.
    Seconds(u64),
    /// Prompts, the present one included.
    Turns(u64),
    /// Tool calls, the present one not included.
    Calls(u64),
}

impl TryFrom<String> for GateDuration {
    type Error = InvalidDuration;

    fn try_from(text: String) -> Result<Self, InvalidDuration> {
        let parsed = parse(&text, |unit| unit != "ms").and_then(|(number, unit)| match unit {
            Unit::Turns => Some(Self::Turns(number)),
            Unit::Calls => Some(Self::Calls(number)),
            Unit::Time(millis) => number.checked_mul(millis / SECOND).map(Self::Seconds),
        });
        parsed.ok_or(InvalidDuration { text, help: "use `30m`, `2h`, `10 turns` or `5 calls`" })
    }
}

impl From<GateDuration> for String {
    fn from(lasting: GateDuration) -> Self {
        lasting.to_string()
    }
}

impl fmt::Display for GateDuration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Turns(number) => write!(f, "{number} turns"),
            Self::Calls(number) => write!(f, "{number} calls"),
            Self::Seconds(seconds) => write_time(f, *seconds, SECOND, &["s", "m", "h", "d"]),
        }
    }
}

#[cfg(test)]
impl JsonSchema for GateDuration {
    fn schema_name() -> Cow<'static, str> {
        "Lasting".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "string",
            "pattern": "^[0-9]+ ?[a-z]+$",
            "examples": ["30m", "2h", "10 turns", "5 calls"],
            "description": "A time: `30m`, `2h`, or a number of prompts or tool calls: `10 turns`, `5 calls`.",
        })
    }
}

/// A time in seconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize)]
#[serde(try_from = "String", into = "String")]
pub struct MaxAge(pub u64);

impl TryFrom<String> for MaxAge {
    type Error = InvalidDuration;

    fn try_from(text: String) -> Result<Self, InvalidDuration> {
        match GateDuration::try_from(text.clone()) {
            Ok(GateDuration::Seconds(seconds)) => Ok(Self(seconds)),
            Ok(GateDuration::Turns(_) | GateDuration::Calls(_)) | Err(_) => {
                Err(InvalidDuration { text, help: "write `30m`, `2h` or `1d`" })
            }
        }
    }
}

impl From<MaxAge> for String {
    fn from(MaxAge(seconds): MaxAge) -> Self {
        GateDuration::Seconds(seconds).to_string()
    }
}

#[cfg(test)]
impl JsonSchema for MaxAge {
    fn schema_name() -> Cow<'static, str> {
        "Age".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "string",
            "pattern": "^[0-9]+ ?[a-z]+$",
            "examples": ["30m", "2h", "1d"],
            "description": "A time: `30m`, `2h`, `1d`.",
        })
    }
}

/// How long a program may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize)]
#[serde(try_from = "String", into = "String")]
pub struct Timeout {
    /// In milliseconds.
    pub millis: u32,
}

impl Timeout {
    /// The maximum: no host waits longer for its hook.
    const MAX: u32 = 10 * 60 * 1_000;

    const UNITS: &[&str] = &["ms", "s", "m"];

    /// Returns the time as a duration.
    pub const fn duration(self) -> Duration {
        Duration::from_millis(self.millis as u64)
    }
}

impl Default for Timeout {
    fn default() -> Self {
        Self { millis: 5_000 }
    }
}

impl TryFrom<String> for Timeout {
    type Error = InvalidDuration;

    fn try_from(text: String) -> Result<Self, InvalidDuration> {
        let millis = parse(&text, |unit| Self::UNITS.contains(&unit)).and_then(|(number, unit)| match unit {
            Unit::Time(millis) => number.checked_mul(millis).and_then(|millis| u32::try_from(millis).ok()),
            Unit::Turns | Unit::Calls => None,
        });
        let millis = millis.filter(|millis| *millis <= Self::MAX);
        let help = "use `10s`, `500ms` or `2m`, and at most `10m`";
        millis.map(|millis| Self { millis }).ok_or(InvalidDuration { text, help })
    }
}

impl From<Timeout> for String {
    fn from(timeout: Timeout) -> Self {
        timeout.to_string()
    }
}

impl fmt::Display for Timeout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_time(f, u64::from(self.millis), 1, Self::UNITS)
    }
}

#[cfg(test)]
impl JsonSchema for Timeout {
    fn schema_name() -> Cow<'static, str> {
        "Timeout".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "string",
            "pattern": "^[0-9]+ ?(ms|s|m)$",
            "examples": ["10s", "500ms", "2m"],
            "description": "A time: `10s`, `500ms` or `2m`.",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{GateDuration, MaxAge, Timeout};

    #[test]
    fn times_are_read_as_they_are_written() {
        for (text, lasting) in [
            ("30m", GateDuration::Seconds(1_800)),
            ("90 seconds", GateDuration::Seconds(90)),
            ("2h", GateDuration::Seconds(7_200)),
            ("10 turns", GateDuration::Turns(10)),
            ("1 call", GateDuration::Calls(1)),
        ] {
            let read = GateDuration::try_from(text.to_owned()).unwrap();
            assert_eq!(read, lasting, "{text}");
            assert_eq!(GateDuration::try_from(read.to_string()), Ok(lasting), "{read}");
        }
        for text in ["", "m", "0m", "10", "10 weeks", "-1m", "99999999999999999999m", "9999999999999999999d"] {
            assert!(GateDuration::try_from(text.to_owned()).is_err(), "{text}");
        }
    }
    #[test]
    fn times_are_written_in_the_largest_unit() {
        for (seconds, text) in [(0, "0d"), (59, "59s"), (90, "90s"), (7_200, "2h"), (86_400, "1d"), (90_000, "25h")] {
            assert_eq!(GateDuration::Seconds(seconds).to_string(), text);
        }
        for (millis, text) in [(0, "0m"), (1, "1ms"), (1_500, "1500ms"), (30_000, "30s"), (600_000, "10m")] {
            assert_eq!(Timeout { millis }.to_string(), text);
        }
    }

    #[test]
    fn units_are_those_of_the_type() {
        for (text, is_gate, is_age, is_timeout) in [
            ("5s", true, true, true),
            ("5 s ", true, true, true),
            ("5ms", false, false, true),
            ("5 seconds", true, true, false),
            ("5min", true, true, false),
            ("5h", true, true, false),
            ("5turns", true, false, false),
            ("5 calls", true, false, false),
            ("213503982334601d", true, true, false),
            ("5S", false, false, false),
            ("5", false, false, false),
            (" 5s", false, false, false),
            ("11m", true, true, false),
            ("0s", false, false, false),
        ] {
            assert_eq!(GateDuration::try_from(text.to_owned()).is_ok(), is_gate, "{text}");
            assert_eq!(MaxAge::try_from(text.to_owned()).is_ok(), is_age, "{text}");
            assert_eq!(Timeout::try_from(text.to_owned()).is_ok(), is_timeout, "{text}");
        }
    }

    #[test]
    fn each_type_says_what_to_write() {
        let gate = GateDuration::try_from("soon".to_owned()).unwrap_err();
        assert_eq!(gate.to_string(), "`soon` is not a time\nuse `30m`, `2h`, `10 turns` or `5 calls`");
        let age = MaxAge::try_from("1 turn".to_owned()).unwrap_err();
        assert_eq!(age.to_string(), "`1 turn` is not a time\nwrite `30m`, `2h` or `1d`");
        let timeout = Timeout::try_from("1h".to_owned()).unwrap_err();
        assert_eq!(timeout.to_string(), "`1h` is not a time\nuse `10s`, `500ms` or `2m`, and at most `10m`");
    }
}
