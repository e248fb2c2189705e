//! The learning curve of a training that somebody names: its losses by generation (§6, §8.2).

use std::fs;

use serde_json::Value;

use crate::error::ReproduceError;
use crate::figure::Figure;
use crate::step::{Findings, Picture};
use crate::work::{Done, Work};

/// What a training writes down as it goes.
const METRICS: &str = "metrics.jsonl";

/// Losses of a generation.
#[derive(Copy, Clone, Debug, PartialEq)]
struct Generation {
    number: f64,
    policy: f64,
    value: f64,
}

/// Reads the curve, if there is a training.
pub fn run(work: &mut Work<'_>) -> Done<Findings> {
    let Some(path) = &work.inputs.training else {
        return Ok(Some(Findings {
            how: "From the losses of a training (`--training RUN_DIR`); none was named.".to_owned(),
            figures: vec![
                Figure::new("loss of the policy, last generation", "").less_is_better(),
                Figure::new("loss of the value, last generation", "").less_is_better(),
            ],
            notes: vec!["The seed logs these losses and prints none of them.".to_owned()],
            ..Findings::default()
        }));
    };
    let file = path.join(METRICS);
    let text = fs::read_to_string(&file).map_err(ReproduceError::file("read", &file))?;
    let generations = read(&text);
    let (Some(first), Some(last)) = (generations.first(), generations.last()) else {
        return Err(ReproduceError::Settings(format!(
            "{} has no line with \"generation\" and \"loss\": {{\"policy\", \"value\"}}",
            file.display()
        )));
    };
    let loss = |what: &str, value: f64| Figure::new(what, "").ours(value).less_is_better();
    let curve = |of: fn(&Generation) -> f64| generations.iter().map(|line| (line.number, of(line))).collect();
    Ok(Some(Findings {
        how: format!("From `{}`: {} generations.", file.display(), generations.len()),
        figures: vec![
            Figure::new("generations", "")
                .seed_range([300.0, 500.0], "300–500")
                .ours(generations.len() as f64)
                .compared(),
            loss("loss of the policy, first generation", first.policy),
            loss("loss of the policy, last generation", last.policy),
            loss("loss of the value, first generation", first.value),
            loss("loss of the value, last generation", last.value),
        ],
        notes: vec!["The seed logs these losses and prints none of them.".to_owned()],
        pictures: vec![Picture::curves(
            "quantum-learning",
            "Losses by generation",
            "generation",
            &[("policy", curve(|line| line.policy)), ("value", curve(|line| line.value))],
        )],
    }))
}

/// Lines that have losses; others are somebody else's, or not whole yet.
fn read(text: &str) -> Vec<Generation> {
    text.lines()
        .filter_map(|line| {
            let line: Value = serde_json::from_str(line).ok()?;
            let loss = |name: &str| line["loss"][name].as_f64();
            Some(Generation {
                number: line["generation"].as_f64()?,
                policy: loss("policy")?,
                value: loss("value")?,
            })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figure::Verdict;
    use crate::testing::{self, Folder};
    use crate::work::{Extent, Inputs};

    #[test]
    fn a_curve_is_read_and_what_is_none_of_it_is_left_out() {
        let text = "{\"generation\":0,\"loss\":{\"policy\":8.5,\"value\":1.0}}\n{\"generation\":1,\"games\":5}\n\
                    {\"generation\":2,\"loss\":{\"policy\":7.5,\"value\":0.9},\"games\":5}\n{\"generation\":3,\"lo";
        let folder = Folder::new();
        fs::write(folder.0.join(METRICS), text).unwrap();
        let inputs = Inputs { training: Some(folder.0.clone()), ..Inputs::default() };
        let findings = testing::work(Extent::Taste, |work| {
            let mut work = Work { inputs: &inputs, tell: &mut |_, _| {}, ..*work };
            run(&mut work)
        });
        let figures = findings.unwrap().unwrap().figures;
        assert_eq!((figures[0].ours, figures[1].ours, figures[2].ours), (Some(2.0), Some(8.5), Some(7.5)));
    }

    #[test]
    fn without_a_training_nothing_is_measured() {
        let findings = testing::work(Extent::Taste, run).unwrap().unwrap();
        assert!(findings.figures.iter().all(|figure| figure.verdict == Verdict::NotMeasured));
    }
}
