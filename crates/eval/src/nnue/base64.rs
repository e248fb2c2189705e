//! Base64 (RFC 4648), as files of weights have it: the standard alphabet, with padding. The build script decodes the
//! shipped network with it, too.

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
/// The value of a byte that is not in the alphabet.
const INVALID: u8 = u8::MAX;

const fn values() -> [u8; 256] {
    let mut values = [INVALID; 256];
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
            let character = ALPHABET[(word >> (18 - 6 * i) & 63) as usize];
            text.push(if i <= chunk.len() { character.into() } else { '=' });
        }
    }
    text
}

/// The bytes, or the index of the first byte that cannot be decoded.
pub fn decode(text: &str) -> Result<Vec<u8>, usize> {
    let characters = text.trim_end_matches('=').as_bytes();
    let mut bytes = Vec::with_capacity(characters.len() / 4 * 3 + 3);
    let (quads, rest) = characters.as_chunks::<4>();
    for (number, quad) in quads.iter().enumerate() {
        let [a, b, c, d] = quad.map(|character| VALUES[usize::from(character)]);
        // Values are below 64.
        if (a | b | c | d) >= 64 {
            return Err(4 * number + first_invalid(quad));
        }
        bytes.extend([a << 2 | b >> 4, b << 4 | c >> 2, c << 6 | d]);
    }
    let last = rest.iter().map(|character| VALUES[usize::from(*character)]).collect::<Vec<u8>>();
    if last.contains(&INVALID) {
        return Err(characters.len() - rest.len() + first_invalid(rest));
    }
    match last[..] {
        [a, b] => bytes.push(a << 2 | b >> 4),
        [a, b, c] => bytes.extend([a << 2 | b >> 4, b << 4 | c >> 2]),
        // A single character has six bits, less than a byte.
        [_] => return Err(characters.len() - 1),
        _ => {}
    }
    Ok(bytes)
}

/// The index of the first byte that is not in the alphabet.
fn first_invalid(characters: &[u8]) -> usize {
    characters.iter().position(|character| VALUES[usize::from(*character)] == INVALID).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_the_standard_ones() {
        for (bytes, text) in [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg==")]
        {
            assert_eq!(encode(bytes.as_bytes()), text);
            assert_eq!(decode(text).unwrap(), bytes.as_bytes());
        }
        let all: Vec<u8> = (0..=255).collect();
        assert_eq!(decode(&encode(&all)).unwrap(), all);
    }

    #[test]
    fn the_first_byte_that_cannot_be_decoded_is_named() {
        for (text, index) in [("?m9v", 0), ("Zm9vZm?v", 6), ("Zm9vZ?", 5), ("Zm9=Zm9v", 3), ("Zm9vZ", 4)] {
            assert_eq!(decode(text), Err(index), "{text}");
        }
    }
}
