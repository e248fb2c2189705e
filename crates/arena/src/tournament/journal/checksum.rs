//! A checksum for each line, so that a flipped bit is noticed instead of changing a game.
//!
//! A line `{…}` is written as `{…,"crc32":"1a2b3c4d"}`: the CRC-32 of its bytes without that field. It is still one JSON
//! object, and lines of earlier versions, which have none, are still read.

/// What comes between the object and the digits.
const FIELD: &str = ",\"crc32\":\"";
const DIGITS: usize = 8;
/// What closes the field and the object.
const END: &str = "\"}";

/// The line of an object, with its checksum and a line end.
pub fn seal(object: &str) -> String {
    let body = object.strip_suffix('}').unwrap_or(object);
    format!("{body}{FIELD}{:08x}{END}\n", crc32fast::hash(object.as_bytes()))
}

/// The object of a line, without its checksum; the error says what is wrong.
pub fn open(line: &[u8]) -> Result<Vec<u8>, String> {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    let Some((body, digits)) = split(line) else { return Ok(line.to_vec()) };
    let mut object = body.to_vec();
    object.push(b'}');
    let (found, expected) = (crc32fast::hash(&object), digits);
    if format!("{found:08x}").as_bytes() == expected {
        Ok(object)
    } else {
        Err(format!(
            "its checksum is {found:08x}, expected {}: the file was changed or damaged",
            String::from_utf8_lossy(expected)
        ))
    }
}

/// The object without its closing brace, and the digits of the checksum, if the line has one.
fn split(line: &[u8]) -> Option<(&[u8], &[u8])> {
    let rest = line.strip_suffix(END.as_bytes())?;
    let (rest, digits) = rest.split_at_checked(rest.len().checked_sub(DIGITS)?)?;
    Some((rest.strip_suffix(FIELD.as_bytes())?, digits))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sealed_line_is_one_object_and_opens_again() {
        let line = seal(r#"{"game":1}"#);
        let value: serde_json::Value = serde_json::from_str(&line).unwrap();
        assert_eq!(value["game"], 1);
        assert_eq!(open(line.as_bytes()).unwrap(), br#"{"game":1}"#);
    }

    #[test]
    fn a_line_without_a_checksum_is_taken_as_it_is() {
        assert_eq!(open(b"{\"game\":1}\n").unwrap(), br#"{"game":1}"#);
    }
}
