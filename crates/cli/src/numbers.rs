//! Numbers as people type them, and what is said about one that cannot be used.

use std::error::Error;
use std::num::IntErrorKind;
use std::ops::{Bound, RangeBounds};

use tabia_core::wording;

/// What is said about a number beyond what fits in a machine word.
const TOO_LARGE: &str = "expected a smaller number";

/// A parser of whole numbers of a range, for `value_parser`.
pub fn integer<T>(
    range: impl RangeBounds<u64>,
) -> impl Fn(&str) -> Result<T, String> + Clone + Send + Sync + 'static
where
    T: TryFrom<u64>,
{
    let min = match range.start_bound() {
        Bound::Included(min) => *min,
        Bound::Excluded(below) => *below + 1,
        Bound::Unbounded => 0,
    };
    let max = match range.end_bound() {
        Bound::Included(max) => Some(*max),
        Bound::Excluded(above) => Some(*above - 1),
        Bound::Unbounded => None,
    };
    move |text: &str| {
        let number = match text.parse::<u64>() {
            Ok(number) if number >= min && max.is_none_or(|max| number <= max) => number,
            Err(error) if max.is_none() && *error.kind() == IntErrorKind::PosOverflow => {
                return Err(TOO_LARGE.to_owned());
            }
            _ => return Err(expected(min, max)),
        };
        T::try_from(number).map_err(|_| TOO_LARGE.to_owned())
    }
}

fn expected(min: u64, max: Option<u64>) -> String {
    match max {
        // As good as no bound: nobody types such a number.
        Some(max) if max < i64::MAX as u64 => format!("expected a whole number from {min} to {max}"),
        _ => format!("expected a whole number from {min}"),
    }
}

/// What is wrong with a number that the standard library or clap refused, in a person's words.
pub fn in_words(error: &(dyn Error + 'static)) -> Option<String> {
    let said = error.to_string();
    if let Some(expected) = wording::parse_fault(&said, "") {
        return Some(format!("expected {expected}"));
    }
    // clap's parser of numbers without a range: `300 is not in 0..=255`.
    let (min, max) = said.split_once(" is not in ")?.1.split_once("..=")?;
    Some(format!("expected a whole number from {min} to {max}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_of_a_range_is_read_and_any_other_is_told_the_range() {
        let depth = integer::<u32>(1..=250);
        assert_eq!((depth("1"), depth("250")), (Ok(1), Ok(250)));
        for wrong in ["0", "251", "-1", "x", "", "1.5", "99999999999999999999"] {
            assert_eq!(depth(wrong), Err("expected a whole number from 1 to 250".to_owned()), "{wrong}");
        }
        let nodes = integer::<u32>(1..);
        assert_eq!(nodes("0"), Err("expected a whole number from 1".to_owned()));
        for large in ["4294967296", "99999999999999999999"] {
            assert_eq!(nodes(large), Err(TOO_LARGE.to_owned()), "{large}");
        }
        assert_eq!(integer::<u64>(..=i64::MAX as u64)("x"), Err("expected a whole number from 0".to_owned()));
    }

    #[test]
    fn other_faults_of_numbers_are_told_in_words() {
        let of = |error: &(dyn Error + 'static)| in_words(error);
        let text = |text: &str| Some(text.to_owned());
        assert_eq!(of(&"x".parse::<u8>().unwrap_err()), text("expected a whole number"));
        assert_eq!(of(&"300".parse::<u8>().unwrap_err()), text(TOO_LARGE));
        assert_eq!(
            of(&"0".parse::<std::num::NonZero<u8>>().unwrap_err()),
            text("expected a whole number from 1")
        );
        assert_eq!(of(&"x".parse::<f64>().unwrap_err()), text("expected a number such as 0.05"));
        let clap: Box<dyn Error> = "300 is not in 0..=255".into();
        assert_eq!(of(&*clap), text("expected a whole number from 0 to 255"));
        assert_eq!(of(&std::fmt::Error), None);
    }
}
