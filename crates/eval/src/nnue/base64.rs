//! Base64, as files of weights have it: the usual alphabet, with padding. The build script decodes the shipped network
//! with it, too.

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
/// The value of a byte that is no letter.
const NONE: u8 = u8::MAX;

const fn values() -> [u8; 256] {
    let mut values = [NONE; 256];
    let mut value = 0;
    while value < ALPHABET.len() {
        values[ALPHABET[value] as usize] = value as u8;
        value += 1;
    }
    values
}

const VALUES: [u8; 256] = values();

pub fn encode(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let byte = |i: usize| u32::from(chunk.get(i).copied().unwrap_or(0));
        let word = byte(0) << 16 | byte(1) << 8 | byte(2);
        for i in 0..4 {
            let letter = ALPHABET[(word >> (18 - 6 * i) & 63) as usize];
            text.push(if i <= chunk.len() { letter.into() } else { '=' });
        }
    }
    text
}

/// The bytes, or the place of the first letter that is none.
pub fn decode(text: &str) -> Result<Vec<u8>, usize> {
    let letters = text.trim_end_matches('=').as_bytes();
    let mut bytes = Vec::with_capacity(letters.len() / 4 * 3 + 3);
    let (fours, rest) = letters.as_chunks::<4>();
    for (number, four) in fours.iter().enumerate() {
        let [a, b, c, d] = four.map(|letter| VALUES[usize::from(letter)]);
        // Values are below 64.
        if (a | b | c | d) >= 64 {
            return Err(4 * number + first_other(four));
        }
        bytes.extend([a << 2 | b >> 4, b << 4 | c >> 2, c << 6 | d]);
    }
    let last = rest.iter().map(|letter| VALUES[usize::from(*letter)]).collect::<Vec<u8>>();
    if last.contains(&NONE) {
        return Err(letters.len() - rest.len() + first_other(rest));
    }
    match last[..] {
        [a, b] => bytes.push(a << 2 | b >> 4),
        [a, b, c] => bytes.extend([a << 2 | b >> 4, b << 4 | c >> 2]),
        // Six bits are no byte.
        [_] => return Err(letters.len() - 1),
        _ => {}
    }
    Ok(bytes)
}

fn first_other(letters: &[u8]) -> usize {
    letters.iter().position(|letter| VALUES[usize::from(*letter)] == NONE).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_the_usual_ones() {
        for (bytes, text) in [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg==")]
        {
            assert_eq!(encode(bytes.as_bytes()), text);
            assert_eq!(decode(text).unwrap(), bytes.as_bytes());
        }
        let all: Vec<u8> = (0..=255).collect();
        assert_eq!(decode(&encode(&all)).unwrap(), all);
    }

    #[test]
    fn the_first_letter_that_is_none_is_named() {
        for (text, place) in [("?m9v", 0), ("Zm9vZm?v", 6), ("Zm9vZ?", 5), ("Zm9=Zm9v", 3), ("Zm9vZ", 4)] {
            assert_eq!(decode(text), Err(place), "{text}");
        }
    }
}
