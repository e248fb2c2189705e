//! Typed access to the fields of a JSON object, with errors that name the field.

use serde_json::{Map, Value};
use tabia_core::{ChessGame, Outcome, Reason, Score, printable};

use super::ReplayError;
use crate::pgn;
use crate::record::Variant;

/// An object whose fields are read by name.
pub struct Fields<'a> {
    object: &'a Map<String, Value>,
    /// Prefix of names in messages: `thoughts[3].`.
    path: String,
}

impl<'a> Fields<'a> {
    /// The top-level fields.
    pub fn of(value: &'a Value) -> Result<Fields<'a>, ReplayError> {
        Fields::within(value, String::new())
    }

    fn within(value: &'a Value, path: String) -> Result<Fields<'a>, ReplayError> {
        match value {
            Value::Object(object) => Ok(Fields { object, path }),
            other => {
                let field = path.trim_end_matches('.').to_owned();
                let found = described(other);
                Err(if field.is_empty() {
                    ReplayError::Document { found }
                } else {
                    ReplayError::Field { field, found, expected: "an object" }
                })
            }
        }
    }

    /// A field that is present and not null.
    fn get(&self, name: &str) -> Option<&'a Value> {
        self.object.get(name).filter(|value| !value.is_null())
    }

    fn wrong(&self, name: &str, found: &Value, expected: &'static str) -> ReplayError {
        ReplayError::Field { field: format!("{}{name}", self.path), found: described(found), expected }
    }

    /// An optional text.
    pub fn text(&self, name: &str) -> Result<Option<String>, ReplayError> {
        match self.get(name) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(printable(text).into_owned())),
            Some(other) => Err(self.wrong(name, other, "a text")),
        }
    }

    /// An optional integer.
    pub fn number<T: TryFrom<i128>>(&self, name: &str) -> Result<Option<T>, ReplayError> {
        let Some(value) = self.get(name) else { return Ok(None) };
        let whole = value.as_i64().map(i128::from).or_else(|| value.as_u64().map(i128::from));
        let number = whole.and_then(|number| T::try_from(number).ok());
        number.map(Some).ok_or_else(|| self.wrong(name, value, "a whole number in range"))
    }

    /// An optional score in centipawns. The far end of the scale is for mates, which have a field of their own.
    pub fn centipawns(&self, name: &str) -> Result<Option<Score>, ReplayError> {
        let score = self.number::<i16>(name)?.map(|centipawns| Score::from_raw(i32::from(centipawns)));
        match (score, self.get(name)) {
            (Some(score), Some(value)) if score.is_mate() => Err(self.wrong(
                name,
                value,
                "a number between -30000 and 30000; a mate is written as \"mate\"",
            )),
            _ => Ok(score),
        }
    }

    /// An optional boolean.
    pub fn flag(&self, name: &str) -> Result<bool, ReplayError> {
        match self.get(name) {
            None => Ok(false),
            Some(Value::Bool(flag)) => Ok(*flag),
            Some(other) => Err(self.wrong(name, other, "true or false")),
        }
    }

    fn list(&self, name: &str, expected: &'static str) -> Result<Option<&'a Vec<Value>>, ReplayError> {
        match self.get(name) {
            None => Ok(None),
            Some(Value::Array(list)) => Ok(Some(list)),
            Some(other) => Err(self.wrong(name, other, expected)),
        }
    }

    /// A required list of texts.
    pub fn texts(&self, name: &str) -> Result<Vec<String>, ReplayError> {
        self.optional_texts(name)?.ok_or_else(|| ReplayError::Field {
            field: format!("{}{name}", self.path),
            found: "missing".to_owned(),
            expected: "a list of moves such as \"e2e4\"",
        })
    }

    /// An optional list of texts.
    pub fn optional_texts(&self, name: &str) -> Result<Option<Vec<String>>, ReplayError> {
        let Some(list) = self.list(name, "a list of moves such as \"e2e4\"")? else { return Ok(None) };
        let text = |(index, value): (usize, &Value)| match value {
            Value::String(text) => Ok(text.clone()),
            other => Err(self.wrong(&format!("{name}[{index}]"), other, "a text")),
        };
        list.iter().enumerate().map(text).collect::<Result<_, _>>().map(Some)
    }

    /// A list of small integers; empty if absent.
    pub fn bytes(&self, name: &str) -> Result<Vec<u8>, ReplayError> {
        let expected = "a list of numbers from 0 to 255";
        let byte = |value: &Value| value.as_u64().and_then(|number| u8::try_from(number).ok());
        let list = self.list(name, expected)?.into_iter().flatten();
        list.map(|value| byte(value).ok_or_else(|| self.wrong(name, value, expected))).collect()
    }

    /// A list of pairs of texts; empty if absent.
    pub fn pairs(&self, name: &str) -> Result<Vec<(String, String)>, ReplayError> {
        let expected = "a list of pairs of texts";
        let list = self.list(name, expected)?.into_iter().flatten();
        let read = |value: &Value| -> Result<(String, String), ReplayError> {
            let pair = serde_json::from_value(value.clone());
            let (key, text): (String, String) = pair.map_err(|_| self.wrong(name, value, expected))?;
            Ok((printable(&key).into_owned(), printable(&text).into_owned()))
        };
        list.map(read).collect()
    }

    /// A list of objects; empty if absent.
    pub fn objects(&self, name: &str) -> Result<Vec<Fields<'a>>, ReplayError> {
        let list = self.list(name, "a list of objects")?.into_iter().flatten().enumerate();
        list.map(|(index, value)| Fields::within(value, format!("{}{name}[{index}].", self.path))).collect()
    }

    /// The variant; chess if absent.
    pub fn variant(&self) -> Result<Variant, ReplayError> {
        match self.get("variant") {
            None => Ok(Variant::Chess),
            Some(value) => serde_json::from_value(value.clone())
                .map_err(|_| self.wrong("variant", value, "chess, chess960 or quantum")),
        }
    }

    /// `2024-01-15T14:30:00` as PGN date and time; anything after the seconds is ignored.
    pub fn timestamp(&self) -> Result<Option<(String, String)>, ReplayError> {
        let Some(text) = self.text("timestamp")?.filter(|text| !text.is_empty()) else { return Ok(None) };
        let parts = text.split_once(['T', ' ']).and_then(|(date, time)| {
            let (date, time) = (date.replace('-', "."), time.get(..8)?);
            (pgn::is_date(&date) && is_time(time)).then(|| (date, time.to_owned()))
        });
        let expected = "a date and time such as 2024-01-15T14:30:00";
        parts.map(Some).ok_or_else(|| self.wrong("timestamp", &Value::String(text), expected))
    }

    /// The outcome; a missing reason is derived from the board.
    pub fn outcome(&self, game: Option<&ChessGame>) -> Result<Option<Outcome>, ReplayError> {
        let reason = match self.text("reason")? {
            None => None,
            Some(text) => Some(Reason::named(&text).ok_or_else(|| {
                self.wrong("reason", &Value::String(text), "a reason such as checkmate or resignation")
            })?),
        };
        let result = self.text("result")?.unwrap_or_else(|| "*".to_owned());
        if result == "*" {
            return Ok(None);
        }
        let Some(known) = pgn::result(&result) else {
            return Err(self.wrong("result", &Value::String(result), "1-0, 0-1, 1/2-1/2 or *"));
        };
        let winner = known.winner();
        let on_the_board = game.and_then(ChessGame::outcome).filter(|outcome| outcome.winner == winner);
        let usual = if winner.is_some() { Reason::Resignation } else { Reason::Agreement };
        let reason = reason.or(on_the_board.map(|outcome| outcome.reason)).unwrap_or(usual);
        Ok(Some(Outcome { winner, reason }))
    }
}

/// Whether this is `14:30:00`.
pub fn is_time(text: &str) -> bool {
    text.len() == 8
        && text.char_indices().all(|(at, c)| if at % 3 == 2 { c == ':' } else { c.is_ascii_digit() })
}

/// A value as a short phrase.
fn described(value: &Value) -> String {
    const LONGEST: usize = 40;
    let text = value.to_string();
    if text.chars().count() <= LONGEST {
        return text;
    }
    text.chars().take(LONGEST).chain(['…']).collect()
}
