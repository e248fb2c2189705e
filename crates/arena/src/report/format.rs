//! Formatting of numbers and names in reports.

use std::fmt;

use tabia_draw::Escaped;

/// The typographic minus sign.
const MINUS: char = '−';
/// Placeholder for an unknown value.
pub(super) const UNKNOWN: &str = "—";

/// A signed number: `+12.3`, `−4.0`, `0.0`, `+∞`.
pub(super) fn signed(value: f64, decimals: usize) -> String {
    let text = if value.is_infinite() { "∞".to_owned() } else { format!("{:.decimals$}", value.abs()) };
    let is_zero = text.chars().all(|c| c == '0' || c == '.');
    match value {
        _ if is_zero => text,
        _ if value > 0.0 => format!("+{text}"),
        _ => format!("{MINUS}{text}"),
    }
}

/// `+12.3`, or a dash where it is unknown.
pub(super) fn elo(value: Option<f64>) -> String {
    value.map_or_else(|| UNKNOWN.to_owned(), |value| signed(value, 1))
}

/// An absolute rating, `2512.0`, or one relative to the mean, `+12.0`.
pub(super) fn rating(value: f64, is_absolute: bool) -> String {
    let text = signed(value, 1);
    if is_absolute { text.trim_start_matches('+').to_owned() } else { text }
}

/// `4.5`, or a dash where it is unknown.
pub(super) fn error(value: Option<f64>) -> String {
    value.map_or_else(|| UNKNOWN.to_owned(), |value| format!("{value:.1}"))
}

/// `+12.3 ± 4.5`.
pub(super) fn elo_with_error(value: Option<f64>, by: Option<f64>) -> String {
    match by {
        Some(_) => format!("{} ± {}", elo(value), error(by)),
        None => elo(value),
    }
}

/// Two decimals: `2.94`, `−0.31`.
pub(super) fn decimal(value: f64) -> String {
    signed(value, 2).trim_start_matches('+').to_owned()
}

/// An Elo hypothesis: `5`, `−1.75`.
pub(super) fn plain(value: f64) -> String {
    format!("{value}").replace('-', &MINUS.to_string())
}

/// A probability, never rounded to 0 or 1: `54.3%`, `>99.9%`, `<0.1%`.
pub(super) fn likelihood(chance: Option<f64>) -> String {
    match chance {
        Some(chance) if chance > 0.9995 => ">99.9%".to_owned(),
        Some(chance) if chance < 0.0005 => "<0.1%".to_owned(),
        chance => percent(chance),
    }
}

/// `54.3%`, or a dash where it is unknown.
pub(super) fn percent(share: Option<f64>) -> String {
    share.map_or_else(|| UNKNOWN.to_owned(), |share| format!("{:.1}%", 100.0 * share))
}

/// `26.5`, `27`.
pub(super) fn points(points: f64) -> String {
    format!("{points}")
}

/// A number of pairs or games with spaces between thousands: `12 345`.
pub(super) fn count(count: u64) -> String {
    let digits = count.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            // Narrow, and no place to break a line.
            text.push('\u{202f}');
        }
        text.push(digit);
    }
    text
}

/// Text cut to a number of characters, with an ellipsis if it was longer.
pub(super) fn cut(text: &str, max: usize) -> String {
    if text.chars().count() <= max {
        text.to_owned()
    } else {
        text.chars().take(max.saturating_sub(1)).chain(['…']).collect()
    }
}

/// Escaped text with line-break opportunities after the commas and brackets of an agent spec.
pub(super) struct Breakable<'a>(pub(super) &'a str);

impl fmt::Display for Breakable<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for part in self.0.split_inclusive([',', '(', '/']) {
            let may_break = part.ends_with([',', '(', '/']);
            write!(f, "{}{}", Escaped(part), if may_break { "<wbr>" } else { "" })?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_read_as_in_print() {
        assert_eq!(
            [signed(12.34, 1), signed(-4.0, 1), signed(-0.01, 1), signed(f64::NEG_INFINITY, 1)],
            ["+12.3", "−4.0", "0.0", "−∞"]
        );
        assert_eq!(
            [rating(2512.0, true), rating(-3.0, true), rating(12.0, false)],
            ["2512.0", "−3.0", "+12.0"]
        );
        assert_eq!(elo_with_error(Some(3.0), Some(1.25)), "+3.0 ± 1.2");
        assert_eq!(elo_with_error(Some(f64::INFINITY), None), "+∞");
        assert_eq!([elo(None), percent(None), percent(Some(0.5))], ["—", "—", "50.0%"]);
        assert_eq!(
            [count(7), count(12_345), count(1_234_567)],
            ["7", "12\u{202f}345", "1\u{202f}234\u{202f}567"]
        );
        assert_eq!(
            [decimal(2.944), decimal(-0.311), plain(-1.75), plain(5.0)],
            ["2.94", "−0.31", "−1.75", "5"]
        );
        assert_eq!(
            [likelihood(Some(0.9999)), likelihood(Some(0.0)), likelihood(Some(0.5))],
            [">99.9%", "<0.1%", "50.0%"]
        );
        assert_eq!([points(26.5), points(27.0)], ["26.5", "27"]);
    }

    #[test]
    fn names_are_cut_by_characters() {
        assert_eq!([cut("Żubr", 4), cut("Żubrówka", 4)], ["Żubr", "Żub…"]);
    }

    #[test]
    fn a_spec_may_be_broken_after_its_commas_and_brackets() {
        assert_eq!(Breakable("a(b,<c>)").to_string(), "a(<wbr>b,<wbr>&lt;c&gt;)");
    }
}
