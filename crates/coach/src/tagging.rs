//! Agreement of our motifs with puzzle labels: precision, recall and F1 per theme.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::motif::{self, Theme};
use crate::puzzle::Puzzle;

/// Agreement on one theme.
#[derive(Copy, Clone, Debug, Default, PartialEq, Serialize)]
pub struct Agreement {
    /// Puzzles that carry the label.
    pub tagged: usize,
    /// Puzzles in which we find the motif.
    pub found: usize,
    /// Both.
    pub both: usize,
    /// The share of what we find that is labelled so.
    pub precision: f64,
    /// The share of what is labelled so that we find.
    pub recall: f64,
    /// The harmonic mean of precision and recall.
    pub f1: f64,
}

impl Agreement {
    fn finish(&mut self) {
        let share = |of: usize| if of == 0 { 0.0 } else { self.both as f64 / of as f64 };
        (self.precision, self.recall) = (share(self.found), share(self.tagged));
        let total = self.tagged + self.found;
        self.f1 = if total == 0 { 0.0 } else { 2.0 * self.both as f64 / total as f64 };
    }
}

/// A puzzle on whose label we disagree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Disagreement {
    /// The puzzle's place among those given.
    pub puzzle: usize,
    /// The theme.
    pub theme: Theme,
    /// Whether it is labelled and we do not find it; else we find it and it is not labelled.
    pub missed: bool,
}

/// Agreement over many puzzles.
#[derive(Clone, Debug, Default)]
pub struct Tagging {
    /// How many puzzles.
    pub puzzles: usize,
    /// By theme.
    pub themes: BTreeMap<Theme, Agreement>,
    /// Where we disagree.
    pub disagreements: Vec<Disagreement>,
}

/// Finds the motifs of puzzles and compares them with their labels.
pub fn compare(puzzles: &[Puzzle]) -> Tagging {
    let mut tagging = Tagging {
        puzzles: puzzles.len(),
        themes: Theme::ALL
            .iter()
            .filter(|theme| theme.is_label())
            .map(|theme| (*theme, Agreement::default()))
            .collect(),
        disagreements: Vec::new(),
    };
    for (index, puzzle) in puzzles.iter().enumerate() {
        let found = motif::find(&puzzle.line);
        for (theme, agreement) in &mut tagging.themes {
            let tagged = puzzle.themes.iter().any(|name| name == theme.name());
            let ours = found.iter().any(|motif| motif.theme == *theme);
            agreement.tagged += usize::from(tagged);
            agreement.found += usize::from(ours);
            agreement.both += usize::from(tagged && ours);
            if tagged != ours {
                tagging.disagreements.push(Disagreement { puzzle: index, theme: *theme, missed: tagged });
            }
        }
    }
    tagging.themes.values_mut().for_each(Agreement::finish);
    tagging
}
