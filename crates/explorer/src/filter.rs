//! Which games count.

use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

use rusqlite::types::Value;
use shakmaty::{Color, KnownOutcome};

/// Games that count in an answer: those that meet every condition that is set. The default lets all games count.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filter {
    /// The average of both ratings; games in which a rating is missing do not count.
    pub rating: Option<RangeInclusive<u16>>,
    /// On this day or later. A game counts if its date can lie in the range; without a year it does not.
    pub since: Option<Date>,
    /// On this day or earlier.
    pub until: Option<Date>,
    /// How the game ended.
    pub result: Option<KnownOutcome>,
    /// A part of a player's name, in any case of letters.
    pub player: Option<String>,
    /// The colour that `player` had; without it, either.
    pub color: Option<Color>,
}

/// A year, a month or a day, as far as it is given: `2019`, `2019-03`, `2019-03-14`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Date(String);

/// Why a text is no date.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is no date; it is written 2019, 2019-03 or 2019-03-14")]
pub struct DateError(String);

impl FromStr for Date {
    type Err = DateError;

    fn from_str(text: &str) -> Result<Date, DateError> {
        let error = || DateError(text.chars().take(20).collect());
        let parts: Vec<&str> = text.trim().split(['-', '.']).collect();
        let digits =
            |part: &str, length| part.len() == length && part.bytes().all(|byte| byte.is_ascii_digit());
        let within = |part: &str, max: u8| part.parse().is_ok_and(|number: u8| (1..=max).contains(&number));
        let valid = match parts.as_slice() {
            [year] => digits(year, 4),
            [year, month] => digits(year, 4) && digits(month, 2) && within(month, 12),
            [year, month, day] => {
                digits(year, 4) && digits(month, 2) && within(month, 12) && digits(day, 2) && within(day, 31)
            }
            _ => false,
        };
        if valid { Ok(Date(parts.join("."))) } else { Err(error()) }
    }
}

impl fmt::Display for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Filter {
    /// Whether all games count.
    pub fn is_empty(&self) -> bool {
        *self == Filter::default()
    }

    /// Conditions on the table `games`, each after `AND`, and the values of their parameters.
    pub(crate) fn conditions(&self) -> (String, Vec<Value>) {
        let (mut sql, mut values) = (String::new(), Vec::new());
        let mut add = |condition: &str, given: &[Value]| {
            sql.push_str(" AND ");
            sql.push_str(condition);
            values.extend_from_slice(given);
        };
        if let Some(rating) = &self.rating {
            let sums = [rating.start(), rating.end()].map(|end| Value::from(2 * i64::from(*end)));
            add("white_elo + black_elo BETWEEN ? AND ?", &sums);
        }
        if self.since.is_some() || self.until.is_some() {
            add("date GLOB '[0-9][0-9][0-9][0-9]*'", &[]);
        }
        // Unknown parts are written `??`, which sorts after all digits.
        if let Some(Date(since)) = &self.since {
            add("date >= ?", &[since.clone().into()]);
        }
        if let Some(Date(until)) = &self.until {
            let length = i64::try_from(until.len()).unwrap_or_default();
            add("SUBSTR(REPLACE(date, '?', '0'), 1, ?) <= ?", &[length.into(), until.clone().into()]);
        }
        if let Some(outcome) = self.result {
            add("result = ?", &[i64::from(crate::schema::result(Some(outcome))).into()]);
        }
        if let Some(name) = &self.player {
            let pattern = Value::from(like(name));
            match self.color {
                Some(Color::White) => add("white LIKE ? ESCAPE '\\'", &[pattern]),
                Some(Color::Black) => add("black LIKE ? ESCAPE '\\'", &[pattern]),
                None => {
                    add(
                        "(white LIKE ? ESCAPE '\\' OR black LIKE ? ESCAPE '\\')",
                        &[pattern.clone(), pattern],
                    );
                }
            }
        }
        (sql, values)
    }
}

/// A pattern for `LIKE … ESCAPE '\'` that finds a text anywhere; its wildcards stand for themselves.
pub(crate) fn like(text: &str) -> String {
    let mut pattern = String::from("%");
    for letter in text.chars() {
        if matches!(letter, '\\' | '%' | '_') {
            pattern.push('\\');
        }
        pattern.push(letter);
    }
    pattern.push('%');
    pattern
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_years_months_or_days() {
        for (text, written) in [("2019", "2019"), ("2019-03", "2019.03"), (" 2019.03.14 ", "2019.03.14")] {
            assert_eq!(text.parse::<Date>().unwrap().to_string(), written);
        }
        for text in
            ["", "19", "2019-3", "2019-13", "2019-00", "2019-02-32", "2019-02-01-01", "+201", "20190101"]
        {
            let error = text.parse::<Date>().unwrap_err().to_string();
            assert!(error.contains("2019-03-14"), "{error}");
        }
    }
}
