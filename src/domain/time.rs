//! Points in time, as data: the domain has no clock.

use serde::{Deserialize, Serialize};

const SECONDS_PER_DAY: u64 = 24 * 60 * 60;

/// A point in time, in whole seconds since 1970 in UTC.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize)]
pub struct Time(pub u64);

impl Time {
    /// Returns the seconds from an earlier time to this one; 0 if the clock was set back.
    pub const fn seconds_since(self, earlier: Self) -> u64 {
        self.0.saturating_sub(earlier.0)
    }

    /// Returns the point in time, as in `2026-11-21T08:02:10.000Z`.
    pub fn timestamp(self) -> String {
        let second = self.0 % SECONDS_PER_DAY;
        format!("{}T{:02}:{:02}:{:02}.000Z", self.day(), second / 3_600, second / 60 % 60, second % 60)
    }

    /// Returns the day in UTC, as in `2026-11-21`.
    pub fn day(self) -> String {
        // Days are counted in eras of 400 years, and years from March, so that the leap day is the
        // last of its year.
        let days = self.0 / SECONDS_PER_DAY + 719_468;
        let (era, of_era) = (days / 146_097, days % 146_097);
        let year = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
        let of_year = of_era - (365 * year + year / 4 - year / 100);
        let from_march = (5 * of_year + 2) / 153;
        let day = of_year - (153 * from_march + 2) / 5 + 1;
        let month = if from_march < 10 { from_march + 3 } else { from_march - 9 };
        let year = era * 400 + year + u64::from(month <= 2);
        format!("{year:04}-{month:02}-{day:02}")
    }
}

#[cfg(test)]
mod tests {
    use super::Time;

    #[test]
    fn timestamps_are_those_of_the_clock() {
        assert_eq!(Time(1_795_248_130).timestamp(), "2026-11-21T08:02:10.000Z");
    }

    #[test]
    fn days_are_those_of_the_calendar() {
        for (seconds, day) in [
            (0, "1970-01-01"),
            (86_399, "1970-01-01"),
            (951_782_400, "2000-02-29"),
            (1_709_164_800, "2024-02-29"),
            (1_709_251_200, "2024-03-01"),
            (1_795_219_200, "2026-11-21"),
            (4_107_542_400, "2100-03-01"),
        ] {
            assert_eq!(Time(seconds).day(), day);
        }
    }
}
