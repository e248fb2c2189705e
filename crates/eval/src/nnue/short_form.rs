//! Numbers of 16 bits of which most fit 8: a byte for each, then those that do not fit.

/// The byte that stands for a number that does not fit.
const ESCAPE: i8 = i8::MIN;

fn is_escape(byte: u8) -> bool {
    byte.cast_signed() == ESCAPE
}

/// How many bytes `count` numbers take; `None` if there are fewer than `count` bytes, which are too short to tell.
pub fn size(bytes: &[u8], count: usize) -> Option<usize> {
    let small = bytes.get(..count)?;
    Some(count + 2 * small.iter().filter(|byte| is_escape(**byte)).count())
}

/// `count` numbers, from as many bytes as they take.
pub fn read(bytes: &[u8], count: usize) -> Vec<i16> {
    let (small, escaped) = bytes.split_at(count);
    let mut escaped = escaped.as_chunks().0.iter().map(|two| i16::from_le_bytes(*two));
    let read = |byte: &u8| match byte.cast_signed() {
        ESCAPE => escaped.next().unwrap_or(ESCAPE.into()),
        number => number.into(),
    };
    small.iter().map(read).collect()
}

pub fn write(numbers: &[i16]) -> Vec<u8> {
    let fits = |number: i16| i8::try_from(number).ok().filter(|number| *number != ESCAPE);
    let mut bytes: Vec<u8> =
        numbers.iter().map(|number| fits(*number).unwrap_or(ESCAPE).cast_unsigned()).collect();
    let escaped = numbers.iter().filter(|number| fits(**number).is_none());
    bytes.extend(escaped.flat_map(|number| number.to_le_bytes()));
    bytes
}
