//! The learning curve of a given training run, or of the bundled network: losses by generation (§6, §8.2).

use std::fs;

use tabia_net::metrics::GenerationMetrics;
use tabia_net::settings::Preset;
use tabia_net::training::METRICS;
use tabia_net::{Settings, Training, shipped};

use crate::context::{Interruptible, StepContext};
use crate::error::ReproduceError;
use crate::figure::Figure;
use crate::step::{Findings, Plot};

/// Whether generations are the seed's: of its network, and with its number of games, simulations and steps.
fn has_seeds_settings(settings: &Settings) -> bool {
    let schedule = |settings: &Settings| {
        let learning = settings.learning;
        (learning.games, learning.simulations, learning.steps)
    };
    let seed = Preset::Seed.settings();
    settings.network == seed.network && schedule(settings) == schedule(&seed)
}

/// Reads the curve.
pub fn run(work: &mut StepContext<'_>) -> Interruptible<Findings> {
    let (source, text, network, same) = if let Some(path) = &work.inputs.training {
        let file = path.join(METRICS);
        let text = fs::read_to_string(&file).map_err(ReproduceError::file("read", &file))?;
        // The curve can be read without the settings; then nothing is known of the network.
        let settings = Training::settings_of(path).ok();
        let network = settings.map_or("unknown".to_owned(), |settings| settings.network.to_string());
        (format!("`{}`", file.display()), text, network, settings.as_ref().is_some_and(has_seeds_settings))
    } else {
        let source = "the log of the network that comes with Tabia (`crates/net/weights/shipped.jsonl`)";
        let own = shipped::weights().map_err(|error| ReproduceError::Settings(error.to_string()))?;
        (source.to_owned(), shipped::LOG.to_owned(), own.architecture.to_string(), false)
    };
    let generations = read(&text);
    let (Some(first), Some(last)) = (generations.first(), generations.last()) else {
        return Err(ReproduceError::Settings(format!(
            "{source} has no line of a training; `tabia quantum train` writes them"
        )));
    };
    let loss = |what: &str, value: f64| Figure::new(what, "").ours(value).less_is_better();
    // A training in several stages numbers generations from 1 in each.
    let curve = |of: fn(&GenerationMetrics) -> f64| {
        (1..).zip(&generations).map(|(at, line)| (f64::from(at), of(line))).collect()
    };
    let rated = generations.iter().rev().find(|line| !line.scores.is_empty());
    let scores = rated.map(|line| line.scores.clone()).unwrap_or_default();
    let scores = scores.iter().map(|(opponent, score)| {
        Figure::new(format!("last score against {opponent}"), "%").ours(100.0 * score).more_is_better()
    });
    Ok(Some(Findings {
        how: format!(
            "From {source}: {} generations. The network: {network}. `--training RUN_DIR` takes those of another training.",
            generations.len()
        ),
        figures: [
            Figure::new("generations", "")
                .seed_range([300.0, 500.0], "300–500")
                .ours(generations.len() as f64)
                .compared()
                .with_seeds_settings(same),
            loss("loss of the policy, first generation", first.policy_loss),
            loss("loss of the policy, last generation", last.policy_loss),
            loss("loss of the value, first generation", first.value_loss),
            loss("loss of the value, last generation", last.value_loss),
        ]
        .into_iter()
        .chain(scores)
        .collect(),
        notes: vec![
            "The seed logs these losses and prints none of them. Its 300–500 generations are of a network of 22 million parameters, each of 100 games with 200 \
             simulations a move and 200 gradient steps. Generations of another network, or with other numbers of these, have no verdict."
                .to_owned(),
        ],
        pictures: vec![Plot::curves(
            "quantum-learning",
            "Losses by generation",
            "generation",
            &[
                ("policy", curve(|line| line.policy_loss)),
                ("the least it can be", curve(|line| line.policy_entropy)),
                ("value", curve(|line| line.value_loss)),
            ],
        )],
    }))
}

/// Lines of a training; other and incomplete lines are skipped.
fn read(text: &str) -> Vec<GenerationMetrics> {
    text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::context::{Extent, Inputs};
    use crate::figure::Verdict;
    use crate::testing::{self, Folder};
    use tabia_net::settings::KIND;
    use tabia_run::Manifest;

    /// What is found in the directory of a training.
    fn found_in(folder: &Folder) -> Findings {
        let inputs = Inputs { training: Some(folder.0.clone()), ..Inputs::default() };
        let findings = testing::work(Extent::Taste, |work| {
            let mut work = StepContext { inputs: &inputs, tell: &mut |_, _| {}, ..*work };
            run(&mut work)
        });
        findings.unwrap().unwrap()
    }

    #[test]
    fn a_curve_is_read_and_what_is_none_of_it_is_left_out() {
        let line = |generation, policy_loss, scores: &[(&str, f64)]| {
            let scores = scores.iter().map(|(name, score)| ((*name).to_owned(), *score)).collect();
            let line = GenerationMetrics { generation, policy_loss, scores, ..GenerationMetrics::default() };
            serde_json::to_string(&line).unwrap()
        };
        let lines = [line(1, 8.5, &[]), "{\"games\":5}".to_owned(), line(2, 7.5, &[("greedy", 0.75)])];
        let text = lines.join("\n") + "\n{\"generation\":3,\"lo";
        let folder = Folder::new();
        fs::write(folder.0.join(METRICS), text).unwrap();
        let figures = found_in(&folder).figures;
        assert_eq!((figures[0].ours, figures[1].ours, figures[2].ours), (Some(2.0), Some(8.5), Some(7.5)));
        assert_eq!((figures[5].what.as_str(), figures[5].ours), ("last score against greedy", Some(75.0)));
        assert_eq!(figures[0].verdict, Verdict::OtherSettings, "nothing is known of the network");
    }

    #[test]
    fn only_generations_of_the_seeds_network_and_schedule_are_compared_with_the_seeds() {
        let seed = Preset::Seed.settings();
        let mut larger = seed;
        larger.learning.games = 100_000;
        let folder = Folder::new();
        let line = |generation| {
            serde_json::to_string(&GenerationMetrics { generation, ..GenerationMetrics::default() }).unwrap()
        };
        let lines: Vec<String> = (1..=320).map(line).collect();
        fs::write(folder.0.join(METRICS), lines.join("\n")).unwrap();
        for (settings, verdict) in [
            (seed, Verdict::AsTheSeedSays),
            (larger, Verdict::OtherSettings),
            (Preset::Small.settings(), Verdict::OtherSettings),
        ] {
            let manifest = Manifest::new(KIND, "1.0", None, &settings).unwrap().write().unwrap();
            fs::write(folder.0.join("manifest.toml"), manifest).unwrap();
            let findings = found_in(&folder);
            assert_eq!(findings.figures[0].verdict, verdict, "{}", findings.how);
            assert!(findings.how.contains(&settings.network.to_string()), "{}", findings.how);
        }
    }

    #[test]
    fn without_a_training_it_is_that_of_the_shipped_network() {
        let findings = testing::work(Extent::Taste, run).unwrap().unwrap();
        let generations = shipped::LOG.lines().count();
        assert_eq!(findings.figures[0].ours, Some(generations as f64), "every line is read");
        assert_eq!(findings.figures[0].verdict, Verdict::OtherSettings, "it is another network");
        assert!(findings.figures[2].ours < findings.figures[1].ours, "it learned");
    }
}
