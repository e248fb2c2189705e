//! Numbers of 16 bits of which most fit 8: a byte for each, then those that do not fit.

/// What a number that does not fit is written as.
const ELSEWHERE: i8 = i8::MIN;

fn is_elsewhere(byte: u8) -> bool {
    byte.cast_signed() == ELSEWHERE
}

/// How many bytes so many numbers take; none if there are too few to tell.
pub fn size(bytes: &[u8], count: usize) -> Option<usize> {
    let small = bytes.get(..count)?;
    Some(count + 2 * small.iter().filter(|byte| is_elsewhere(**byte)).count())
}

/// So many numbers, from as many bytes as they take.
pub fn read(bytes: &[u8], count: usize) -> Vec<i16> {
    let (small, elsewhere) = bytes.split_at(count);
    let mut elsewhere = elsewhere.as_chunks().0.iter().map(|two| i16::from_le_bytes(*two));
    let read = |byte: &u8| match byte.cast_signed() {
        ELSEWHERE => elsewhere.next().unwrap_or(ELSEWHERE.into()),
        number => number.into(),
    };
    small.iter().map(read).collect()
}

pub fn write(numbers: &[i16]) -> Vec<u8> {
    let fits = |number: i16| i8::try_from(number).ok().filter(|number| *number != ELSEWHERE);
    let mut bytes: Vec<u8> =
        numbers.iter().map(|number| fits(*number).unwrap_or(ELSEWHERE).cast_unsigned()).collect();
    let elsewhere = numbers.iter().filter(|number| fits(**number).is_none());
    bytes.extend(elsewhere.flat_map(|number| number.to_le_bytes()));
    bytes
}
