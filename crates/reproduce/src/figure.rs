//! A figure: the seed's value, ours, and how they compare.

use serde::{Deserialize, Serialize};

/// Relative difference up to which values count as equal.
const NEAR: f64 = 0.1;
/// Student's t for 95% with one to nine degrees of freedom.
const STUDENTS_T: [f64; 9] = [12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262];
/// Placeholder for unknown values in tables.
const UNKNOWN: &str = "—";

/// A seed's value: a number or a range.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Claim {
    /// As the seed writes it.
    pub text: String,
    pub low: f64,
    pub high: f64,
}

/// How a measurement compares with what a seed says.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// Equal within 10% or within its own error.
    AsTheSeedSays,
    Better,
    Worse,
    /// Different, where neither direction is better.
    Different,
    /// Measured with other settings than the seed's, or with opponents that cannot tell: no verdict.
    OtherSettings,
    /// The seed gives no number to compare with.
    TheSeedGivesNone,
    NotMeasured,
}

impl Verdict {
    /// All verdicts, in the order of reports.
    pub const ALL: [Verdict; 7] = [
        Verdict::AsTheSeedSays,
        Verdict::Better,
        Verdict::Worse,
        Verdict::Different,
        Verdict::OtherSettings,
        Verdict::TheSeedGivesNone,
        Verdict::NotMeasured,
    ];

    pub const fn label(self) -> &'static str {
        match self {
            Verdict::AsTheSeedSays => "as the seed says",
            Verdict::Better => "better",
            Verdict::Worse => "worse",
            Verdict::Different => "different",
            Verdict::OtherSettings => "other settings, no verdict",
            Verdict::TheSeedGivesNone => "the seed gives none",
            Verdict::NotMeasured => "not measured",
        }
    }
}

/// Which way is better.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Better {
    More,
    Less,
    Neither,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Figure {
    pub what: String,
    /// Its unit; may be empty.
    pub unit: String,
    /// What the seed says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<Claim>,
    /// What it is here.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ours: Option<f64>,
    /// Half-width of its 95% confidence interval.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<f64>,
    /// Ours over the seed's, or over the nearer end of its range.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ratio: Option<f64>,
    pub verdict: Verdict,
    /// Whether it depends on the machine; all other figures are reproducible.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub timed: bool,
}

impl Figure {
    /// A figure without a measurement.
    pub fn new(what: impl Into<String>, unit: &str) -> Figure {
        Figure {
            what: what.into(),
            unit: unit.to_owned(),
            seed: None,
            ours: None,
            error: None,
            ratio: None,
            verdict: Verdict::NotMeasured,
            timed: false,
        }
    }

    /// Sets the seed's value and its notation.
    #[must_use]
    pub fn seed(self, value: f64, text: &str) -> Figure {
        self.seed_range([value, value], text)
    }

    /// Sets the seed's range and its notation.
    #[must_use]
    pub fn seed_range(mut self, [low, high]: [f64; 2], text: &str) -> Figure {
        self.seed = Some(Claim { text: text.to_owned(), low, high });
        self
    }

    /// What it is here.
    #[must_use]
    pub fn ours(mut self, value: f64) -> Figure {
        self.ours = value.is_finite().then_some(value);
        self
    }

    /// Sets the half-width of the 95% confidence interval, if known.
    #[must_use]
    pub fn error(mut self, error: Option<f64>) -> Figure {
        self.error = error.filter(|error| error.is_finite());
        self
    }

    /// The mean of values measured independently, with its error by Student's t where there are several.
    #[must_use]
    pub fn mean_of(self, values: &[f64]) -> Figure {
        let count = values.len() as f64;
        let mean = values.iter().sum::<f64>() / count;
        let variance = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / (count - 1.0);
        let error = STUDENTS_T.get(values.len().wrapping_sub(2)).map(|t| t * (variance / count).sqrt());
        self.ours(mean).error(error)
    }

    /// Marks it as dependent on the machine.
    #[must_use]
    pub fn timed(mut self) -> Figure {
        self.timed = true;
        self
    }

    #[must_use]
    pub fn more_is_better(self) -> Figure {
        self.judged(Better::More)
    }

    #[must_use]
    pub fn less_is_better(self) -> Figure {
        self.judged(Better::Less)
    }

    /// Neither is better; they are the same, or they are not.
    #[must_use]
    pub fn compared(self) -> Figure {
        self.judged(Better::Neither)
    }

    /// Takes verdict and ratio away, unless the settings were the seed's.
    #[must_use]
    pub fn with_seeds_settings(mut self, same: bool) -> Figure {
        if !same && self.seed.is_some() && self.ours.is_some() {
            (self.verdict, self.ratio) = (Verdict::OtherSettings, None);
        }
        self
    }

    fn judged(mut self, better: Better) -> Figure {
        let Some(ours) = self.ours else { return self };
        let Some(Claim { low, high, .. }) = self.seed else {
            self.verdict = Verdict::TheSeedGivesNone;
            return self;
        };
        let nearest = ours.clamp(low, high);
        self.ratio = (nearest != 0.0).then_some(ours / nearest);
        let allowed = (NEAR * nearest.abs()).max(self.error.unwrap_or(0.0));
        self.verdict = match better {
            _ if (ours - nearest).abs() <= allowed => Verdict::AsTheSeedSays,
            Better::Neither => Verdict::Different,
            Better::More if ours > nearest => Verdict::Better,
            Better::Less if ours < nearest => Verdict::Better,
            Better::More | Better::Less => Verdict::Worse,
        };
        self
    }

    /// What the seed says, as a cell of a table.
    pub fn seed_text(&self) -> String {
        self.seed.as_ref().map_or(UNKNOWN.to_owned(), |claim| claim.text.clone())
    }

    /// What it is here, as a cell of a table.
    pub fn ours_text(&self) -> String {
        let Some(ours) = self.ours else { return UNKNOWN.to_owned() };
        let error = self.error.map(|error| format!(" ± {}", number(error))).unwrap_or_default();
        let space = if self.unit.is_empty() || self.unit == "%" { "" } else { " " };
        format!("{}{error}{space}{}", number(ours), self.unit)
    }

    /// The ratio, as a cell of a table.
    pub fn ratio_text(&self) -> String {
        self.ratio.map_or(UNKNOWN.to_owned(), number)
    }
}

/// A number in three or four digits, thousands apart: `42,875`, `12.5`, `0.0432`.
pub fn number(value: f64) -> String {
    let size = value.abs();
    let decimals = match size {
        _ if size >= 1000.0 || size.fract() < f64::EPSILON => 0,
        _ if size >= 100.0 => 1,
        _ if size >= 1.0 => 2,
        _ => 2 + (-size.log10()).ceil().clamp(0.0, 6.0) as usize,
    };
    let text = format!("{size:.decimals$}");
    let text = match text.split_once('.') {
        Some((whole, rest)) => {
            let rest = rest.trim_end_matches('0');
            if rest.is_empty() { grouped(whole) } else { format!("{}.{rest}", grouped(whole)) }
        }
        None => grouped(&text),
    };
    if value < 0.0 && text != "0" { format!("−{text}") } else { text }
}

fn grouped(digits: &str) -> String {
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_within_a_tenth_or_its_error_is_the_same() {
        let figure = |ours: f64, error| Figure::new("x", "%").seed(50.0, "50%").ours(ours).error(error);
        assert_eq!(figure(54.0, None).more_is_better().verdict, Verdict::AsTheSeedSays);
        assert_eq!(figure(60.0, Some(11.0)).more_is_better().verdict, Verdict::AsTheSeedSays);
        assert_eq!(figure(60.0, None).more_is_better().verdict, Verdict::Better);
        assert_eq!(figure(60.0, None).less_is_better().verdict, Verdict::Worse);
        assert_eq!(figure(40.0, None).compared().verdict, Verdict::Different);
        assert_eq!(figure(60.0, None).compared().ratio, Some(1.2));
    }

    #[test]
    fn a_range_is_compared_with_its_nearer_end() {
        let figure = |ours: f64| Figure::new("x", "ms").seed_range([100.0, 150.0], "100–150").ours(ours);
        assert_eq!(figure(120.0).less_is_better().verdict, Verdict::AsTheSeedSays);
        assert_eq!(figure(120.0).less_is_better().ratio, Some(1.0));
        assert_eq!(figure(2.0).less_is_better().ratio, Some(0.02));
        assert_eq!(figure(300.0).less_is_better().ratio, Some(2.0));
    }

    #[test]
    fn what_is_missing_is_said() {
        assert_eq!(Figure::new("x", "").ours(1.0).compared().verdict, Verdict::TheSeedGivesNone);
        let missing = Figure::new("x", "").seed(1.0, "1").compared();
        assert_eq!(
            (missing.verdict, missing.ours_text(), missing.ratio_text()),
            (Verdict::NotMeasured, "—".to_owned(), "—".to_owned())
        );
        assert_eq!(Figure::new("x", "").ours(f64::NAN).compared().verdict, Verdict::NotMeasured);
    }

    #[test]
    fn other_settings_than_the_seeds_give_no_verdict() {
        let figure = Figure::new("x", "%").seed(50.0, "50%").ours(90.0).more_is_better();
        assert_eq!(figure.clone().with_seeds_settings(true), figure);
        let other = figure.with_seeds_settings(false);
        assert_eq!((other.verdict, other.ratio, other.ours), (Verdict::OtherSettings, None, Some(90.0)));
        let none = Figure::new("x", "").ours(1.0).compared().with_seeds_settings(false);
        assert_eq!(none.verdict, Verdict::TheSeedGivesNone);
        let missing = Figure::new("x", "").seed(1.0, "1").with_seeds_settings(false);
        assert_eq!(missing.verdict, Verdict::NotMeasured);
    }

    #[test]
    fn numbers_have_as_many_digits_as_they_need() {
        for (value, text) in [
            (42_875.0, "42,875"),
            (1_234_567.8, "1,234,568"),
            (123.45, "123.5"),
            (12.5, "12.5"),
            (3.0, "3"),
            (0.0432, "0.0432"),
            (0.5, "0.5"),
            (0.0, "0"),
            (-70.25, "−70.25"),
        ] {
            assert_eq!(number(value), text, "{value}");
        }
    }

    #[test]
    fn a_mean_has_an_error_where_there_are_several_values() {
        let figure = Figure::new("points", "%").mean_of(&[30.0, 32.0, 34.0]);
        assert_eq!(figure.ours, Some(32.0));
        // 4.303 times 2 over the square root of 3.
        assert!((figure.error.unwrap() - 4.968).abs() < 1e-3);
        let one = Figure::new("points", "%").mean_of(&[30.0]);
        assert_eq!((one.ours, one.error), (Some(30.0), None));
    }
}
