//! The learning curve of a training run: losses, time and strength by generation (§6, §8.2).

use std::fs;
use std::path::Path;

use tabia_draw::{LineChart, Series};
use tabia_net::metrics::GenerationMetrics;
use tabia_net::rating::{RATINGS, Rating, Ratings, Standing};
use tabia_net::settings::Preset;
use tabia_net::training::METRICS;
use tabia_net::{Architecture, Settings, Training};

use crate::context::{Interruptible, StepContext};
use crate::error::ReproduceError;
use crate::figure::Figure;
use crate::step::{Findings, Plot};

/// The log of a training of seed 004's own network, as in `metrics.jsonl` but with the stage that each line belongs to. docs/training.md
/// describes it.
const SEED_LOG: &str = include_str!("seed.jsonl");
/// Matches of its networks among themselves, as in `ratings.json`.
const SEED_RATINGS: &str = include_str!("seed-ratings.json");

/// A training whose curve is drawn.
struct Curve {
    /// Where it is from.
    source: String,
    log: String,
    ratings: Ratings,
    /// Its network, as far as known.
    network: String,
    /// Whether its generations are the seed's.
    has_seeds_settings: bool,
}

impl Curve {
    /// That of seed 004's own network, as trained for this program.
    fn own() -> Result<Curve, ReproduceError> {
        let ratings = Ratings::from_text(SEED_RATINGS, Path::new("the ratings of seed 004's network"));
        Ok(Curve {
            source: "the log of a training of the seed's network (`crates/reproduce/src/quantum/seed.jsonl`, described in docs/training.md)".to_owned(),
            log: SEED_LOG.to_owned(),
            ratings: ratings.map_err(|error| ReproduceError::Settings(error.to_string()))?,
            network: Architecture::SEED.to_string(),
            // More games and fewer simulations and steps a generation.
            has_seeds_settings: false,
        })
    }

    /// That of a training's directory.
    fn of(path: &Path) -> Result<Curve, ReproduceError> {
        let file = path.join(METRICS);
        let log = fs::read_to_string(&file).map_err(ReproduceError::file("read", &file))?;
        let ratings = Ratings::read(&path.join(RATINGS));
        // The curve can be read without the settings; then nothing is known of the network.
        let settings = Training::settings_of(path).ok();
        Ok(Curve {
            source: format!("`{}`", file.display()),
            log,
            ratings: ratings.map_err(|error| ReproduceError::Settings(error.to_string()))?,
            network: settings.map_or("unknown".to_owned(), |settings| settings.network.to_string()),
            has_seeds_settings: settings.as_ref().is_some_and(has_seeds_settings),
        })
    }

    /// Networks that played one another, by generation, with the number of games of a pair and of simulations.
    fn standings(&self) -> Result<Option<(Vec<Standing>, u32, u32)>, ReproduceError> {
        // Only matches of the same kind go together: those of the last one.
        let among = |rating: &&Rating| rating.opponent_generation.is_some();
        let Some(last) = self.ratings.ratings.iter().rfind(among) else { return Ok(None) };
        let kind = |rating: &Rating| (rating.games, rating.simulations, rating.seed);
        let same = self.ratings.ratings.iter().filter(among).filter(|rating| kind(rating) == kind(last));
        let matches = Ratings { ratings: same.cloned().collect() };
        let standings = matches.among().map_err(|error| ReproduceError::Settings(error.to_string()))?;
        Ok(Some((standings, last.games, last.simulations)))
    }
}

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
    let curve = work.inputs.training.as_deref().map_or_else(Curve::own, Curve::of)?;
    let generations = read(&curve.log);
    let learned = || generations.iter().filter(|line| line.has_learned());
    let (Some(first), Some(last)) = (learned().next(), learned().next_back()) else {
        return Err(ReproduceError::Settings(format!(
            "{} has no line of a training; `tabia quantum train` writes them",
            curve.source
        )));
    };
    let number = generations.len() as f64;
    let loss = |what: &str, value: f64| Figure::new(what, "").ours(value).less_is_better();
    let mut figures = vec![
        Figure::new("generations", "")
            .seed_range([300.0, 500.0], "300–500")
            .ours(number)
            .compared()
            .with_seeds_settings(curve.has_seeds_settings),
        Figure::new("time of a generation", "s")
            .seed_range([180.0, 480.0], "3–8 min on a T4")
            .ours(generations.last().map_or(f64::NAN, |line| line.seconds) / number)
            .less_is_better()
            .with_seeds_settings(curve.has_seeds_settings),
        loss("loss of the policy, first generation", first.policy_loss),
        loss("loss of the policy, last generation", last.policy_loss),
        loss("loss of the value, first generation", first.value_loss),
        loss("loss of the value, last generation", last.value_loss),
    ];
    let rated = generations.iter().rev().find(|line| !line.scores.is_empty());
    figures.extend(rated.into_iter().flat_map(|line| &line.scores).map(|(opponent, score)| {
        Figure::new(format!("last score against {opponent}"), "%").ours(100.0 * score).more_is_better()
    }));
    let losses = |of: fn(&GenerationMetrics) -> f64| {
        // A training in several stages may number generations from 1 in each.
        let numbered = (1..).zip(&generations).filter(|(_, line)| line.has_learned());
        numbered.map(|(at, line)| (f64::from(at), of(line))).collect()
    };
    let mut pictures = vec![Plot::curves(
        "quantum-learning",
        "Losses by generation",
        "generation",
        &[
            ("policy", losses(|line| line.policy_loss)),
            ("the least it can be", losses(|line| line.policy_entropy)),
            ("value", losses(|line| line.value_loss)),
        ],
    )];
    if let Some((standings, games, simulations)) = curve.standings()? {
        let points: Vec<_> = standings.iter().filter_map(Standing::point).collect();
        figures.extend(points.iter().map(|(generation, elo, error)| {
            Figure::new(format!("Elo of generation {generation} among these"), "")
                .ours(elo.round())
                .error(error.map(f64::round))
                .more_is_better()
        }));
        let caption = "Elo by generation";
        let subtitle = format!(
            "{games} games of each pair at {simulations} simulations; 95% intervals relative to the mean of all"
        );
        let curves = [Series { name: "Elo", points: &points }];
        let svg =
            LineChart { title: caption, subtitle: &subtitle, across: "generation", curves: &curves }.svg();
        pictures.push(Plot { name: "quantum-strength".to_owned(), caption: caption.to_owned(), svg });
    }
    Ok(Some(Findings {
        how: format!(
            "From {}: {number} generations. The network: {}. `--training RUN_DIR` takes those of another training.",
            curve.source, curve.network
        ),
        figures,
        notes: vec![
            "The seed logs these losses and prints none of them. Its 300–500 generations are of a network of 22 million parameters, each of 100 games with 200 \
             simulations a move and 200 gradient steps. Generations of another network, or with other numbers of these, have no verdict."
                .to_owned(),
        ],
        pictures,
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
    use serde_json::json;
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
            let line = GenerationMetrics {
                generation,
                loss: policy_loss,
                policy_loss,
                scores,
                ..GenerationMetrics::default()
            };
            serde_json::to_string(&line).unwrap()
        };
        let lines = [line(1, 8.5, &[]), "{\"games\":5}".to_owned(), line(2, 7.5, &[("greedy", 0.75)])];
        let text = lines.join("\n") + "\n{\"generation\":3,\"lo";
        let folder = Folder::new();
        fs::write(folder.0.join(METRICS), text).unwrap();
        let figures = found_in(&folder).figures;
        assert_eq!((figures[0].ours, figures[2].ours, figures[3].ours), (Some(2.0), Some(8.5), Some(7.5)));
        assert_eq!((figures[6].what.as_str(), figures[6].ours), ("last score against greedy", Some(75.0)));
        assert_eq!(figures[0].verdict, Verdict::OtherSettings, "nothing is known of the network");
    }

    #[test]
    fn only_generations_of_the_seeds_network_and_schedule_are_compared_with_the_seeds() {
        let seed = Preset::Seed.settings();
        let mut larger = seed;
        larger.learning.games = 100_000;
        let folder = Folder::new();
        let line = |generation| {
            let line = GenerationMetrics { generation, loss: 2.0, ..GenerationMetrics::default() };
            serde_json::to_string(&line).unwrap()
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
    fn without_a_training_it_is_that_of_the_seeds_own_network() {
        let findings = testing::work(Extent::Taste, run).unwrap().unwrap();
        let ours = |what: &str| {
            let figure = findings.figures.iter().find(|figure| figure.what == what);
            figure.and_then(|figure| figure.ours).unwrap_or_else(|| panic!("no figure \"{what}\""))
        };
        let generations = SEED_LOG.lines().count();
        assert_eq!(findings.figures[0].ours, Some(generations as f64), "every line is read");
        assert_eq!(findings.figures[0].verdict, Verdict::OtherSettings, "generations are smaller");
        assert!(ours("loss of the policy, last generation") < ours("loss of the policy, first generation"));
        let (early, late) =
            (ours("Elo of generation 50 among these"), ours("Elo of generation 308 among these"));
        assert!(early < late, "it learned: {early} {late}");
        assert_eq!(findings.pictures.len(), 2);
    }

    #[test]
    fn ratings_beside_a_training_are_drawn_and_those_of_other_matches_left_out() {
        let folder = Folder::new();
        let line = GenerationMetrics { generation: 1, loss: 2.0, ..GenerationMetrics::default() };
        fs::write(folder.0.join(METRICS), serde_json::to_string(&line).unwrap()).unwrap();
        let played = |network: &str,
                      opponent: &str,
                      opponent_generation: Option<u32>,
                      games: u64,
                      wins: u64| {
            let rating = json!({
                "generation": 1, "network": network, "opponent": opponent, "opponent_generation": opponent_generation, "games": games, "simulations": 8, "seed": 1,
                "wins": wins, "draws": 0, "losses": games - wins, "pentanomial": [0, 0, 0, 0, 0],
            });
            serde_json::from_value::<Rating>(rating).unwrap()
        };
        let file = folder.0.join(RATINGS);
        let mut ratings = Ratings { ratings: vec![played("a", "random", None, 10, 9)] };
        ratings.write(&file).unwrap();
        assert_eq!(found_in(&folder).pictures.len(), 1, "agents are no generations");
        ratings.ratings.push(played("a", "b", Some(2), 4, 4));
        ratings.ratings.push(played("a", "c", Some(3), 10, 4));
        ratings.write(&file).unwrap();
        let findings = found_in(&folder);
        let elo: Vec<&str> = findings.figures.iter().map(|figure| figure.what.as_str()).skip(6).collect();
        assert_eq!(elo, ["Elo of generation 1 among these", "Elo of generation 3 among these"]);
        fs::write(&file, "{}").unwrap();
        let inputs = Inputs { training: Some(folder.0.clone()), ..Inputs::default() };
        let error = testing::work(Extent::Taste, |work| {
            run(&mut StepContext { inputs: &inputs, tell: &mut |_, _| {}, ..*work })
        });
        assert!(error.unwrap_err().to_string().contains("holds no ratings"));
    }
}
