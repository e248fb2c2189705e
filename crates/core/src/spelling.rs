//! "Did you mean": the right word nearest to a wrong one.

/// The candidate most like `word`, if any is like it at all.
///
/// ```
/// use tabia_core::spelling::nearest;
///
/// assert_eq!(nearest("dpeth", ["depth", "eval"]), Some("depth"));
/// ```
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let word = word.to_lowercase();
    candidates
        .into_iter()
        .map(|candidate| (strsim::jaro_winkler(&word, &candidate.to_lowercase()), candidate))
        .filter(|(likeness, _)| *likeness > 0.7)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, candidate)| candidate)
}

/// `; did you mean "depth"?`, or nothing.
pub fn hint<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> String {
    nearest(word, candidates).map(|near| format!("; did you mean \"{near}\"?")).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_of_the_finger_is_recognised() {
        assert_eq!(nearest("alphabta", ["random", "alphabeta", "engine"]), Some("alphabeta"));
        assert_eq!(nearest("Dpeth", ["depth", "eval"]), Some("depth"));
        assert_eq!(nearest("zzz", ["depth", "eval"]), None);
    }
}
