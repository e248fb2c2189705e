//! Number formatting for legends and squares.

/// The typographic minus sign; a hyphen is too short beside a plus.
const MINUS: char = '−';

/// At most three decimals, without trailing zeros.
pub fn short(value: f64) -> String {
    let text = format!("{:.3}", value.abs());
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if value < 0.0 && text != "0" { format!("{MINUS}{text}") } else { text.to_owned() }
}

/// With an explicit sign, except for zero.
pub fn signed(value: f64) -> String {
    if value > 0.0 { format!("+{}", short(value)) } else { short(value) }
}

/// For a square, on a scale that ends at `limit`: two or three digits.
pub fn on_square(value: f64, limit: f64) -> String {
    let decimals = match limit {
        _ if limit >= 20.0 => 0,
        _ if limit >= 2.0 => 1,
        _ => 2,
    };
    let power = 10f64.powi(decimals);
    // Adding zero turns negative zero into zero.
    short((value * power).round() / power + 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short_and_signed_as_in_print() {
        assert_eq!([short(120.0), short(0.3), short(-1.25), short(-0.0001)], ["120", "0.3", "−1.25", "0"]);
        assert_eq!([signed(2.5), signed(0.0), signed(-7.0)], ["+2.5", "0", "−7"]);
    }

    #[test]
    fn squares_get_no_more_digits_than_their_scale_needs() {
        assert_eq!(
            [on_square(57.61, 60.0), on_square(-3.26, 5.0), on_square(0.456, 1.0), on_square(-0.001, 1.0)],
            ["58", "−3.3", "0.46", "0"]
        );
    }
}
