//! JSON values in file order, with duplicate keys kept and errors that name the entry.
//!
//! serde_json's own `Value` drops an entry that is given twice, and its errors name only a line and a column.

use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};

use super::FileError;

#[derive(Debug)]
pub(super) enum Json {
    Null,
    Bool(bool),
    Number(f64),
    Text(String),
    List(Vec<Json>),
    Object(Vec<(String, Json)>),
}

impl Json {
    /// The kind of value, as a phrase.
    pub fn describe(&self) -> String {
        match self {
            Json::Null => "null".to_owned(),
            Json::Bool(value) => value.to_string(),
            Json::Number(value) => format!("the number {value}"),
            Json::Text(text) => format!("the text {text:?}"),
            Json::List(items) => format!("a list of {}", items.len()),
            Json::Object(_) => "an object".to_owned(),
        }
    }

    /// Names and values, or an error that names the entry this should have been.
    pub fn into_entries(self, entry: &str) -> Result<Vec<(String, Json)>, FileError> {
        match self {
            Json::Object(entries) => Ok(entries),
            other => Err(other.unexpected(entry.to_owned(), "an object of names and values")),
        }
    }

    /// Values, or an error that names the entry this should have been.
    pub fn into_list(self, entry: impl FnOnce() -> String) -> Result<Vec<Json>, FileError> {
        match self {
            Json::List(items) => Ok(items),
            other => Err(other.unexpected(entry(), "a list of 64 numbers, a8 first")),
        }
    }

    /// A number, or an error that names the entry this should have been.
    pub fn into_number(self, entry: impl FnOnce() -> String) -> Result<f64, FileError> {
        match self {
            Json::Number(number) => Ok(number),
            other => Err(other.unexpected(entry(), "a number of pawns")),
        }
    }

    fn unexpected(&self, entry: String, expected: &'static str) -> FileError {
        FileError::Kind { entry, found: self.describe(), expected }
    }
}

impl<'de> Deserialize<'de> for Json {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Json, D::Error> {
        deserializer.deserialize_any(AnyJson)
    }
}

struct AnyJson;

impl<'de> Visitor<'de> for AnyJson {
    type Value = Json;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Json, E> {
        Ok(Json::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Json, E> {
        Ok(Json::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Json, E> {
        Ok(Json::Number(value as f64))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Json, E> {
        Ok(Json::Number(value as f64))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Json, E> {
        Ok(Json::Number(value))
    }

    fn visit_str<E>(self, text: &str) -> Result<Json, E> {
        Ok(Json::Text(text.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Json, A::Error> {
        let mut items = Vec::new();
        loop {
            let item = list.next_element();
            match item.map_err(|cause| Error::custom(format_args!("number {}: {cause}", items.len() + 1)))? {
                Some(item) => items.push(item),
                None => return Ok(Json::List(items)),
            }
        }
    }

    fn visit_map<A: MapAccess<'de>>(self, mut object: A) -> Result<Json, A::Error> {
        let mut entries = Vec::new();
        while let Some(name) = object.next_key::<String>()? {
            let value = object.next_value();
            let value = value.map_err(|cause| Error::custom(format_args!("\"{name}\": {cause}")))?;
            entries.push((name, value));
        }
        Ok(Json::Object(entries))
    }
}
