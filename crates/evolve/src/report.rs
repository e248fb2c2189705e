//! The HTML report of a run: plots, tables and settings in one self-contained file.

use std::fmt::Write as _;
use std::path::Path;

use tabia_draw::Escaped;
use tabia_eval::chromosome::Phases;
use tabia_run::atomic_file;

use crate::error::EvolveError;
use crate::exam::{self, EXAM, ExamResults, RATINGS, Ratings, SEED_FIGURES};
use crate::files::{champion_name, read_settings, read_weights};
use crate::history::{Generation, History};
use crate::plots::{self, Plot};
use crate::settings::Settings;

const PAGE: &str = "report.html";
/// Rows of the table of generations; of more generations, evenly spaced ones are listed.
const ROWS: usize = 40;

/// Writes the plots and the report of a run, finished or not; returns the names of the files.
pub fn report(path: &Path) -> Result<Vec<String>, EvolveError> {
    let (settings, manifest) = read_settings(path)?;
    let count =
        (0..settings.generations).take_while(|g| path.join(champion_name(*g)).exists()).count() as u32;
    if count == 0 {
        return Err(EvolveError::malformed(path, "no generation has been measured yet"));
    }
    let history = History::read(&path.join("metrics.jsonl"), count)?;
    let champion = read_weights(&path.join(champion_name(count - 1)))?;
    let before = match &settings.founder {
        Some(founder) => read_weights(Path::new(&founder.path)).unwrap_or_default(),
        None => Phases::default(),
    };
    let subtitle = format!(
        "population {}, {count} of {} generations, seed {}",
        settings.population, settings.generations, settings.seed
    );
    let mut plots = plots::of_fitness(&history, &subtitle);
    let ratings: Option<Ratings> = exam::load(path, RATINGS)?;
    plots.extend(ratings.as_ref().map(plots::of_ratings));
    let since = if settings.founder.is_some() {
        "before: the founder"
    } else {
        "before: the middle of the first generation"
    };
    plots.extend(plots::of_weights(&before, &champion, &format!("{subtitle}; {since}")));
    let exam: Option<ExamResults> = exam::load(path, EXAM)?;
    let page = page(&settings, &manifest.version, &history, &plots, exam.as_ref());
    let mut written = Vec::new();
    let files = plots.iter().map(|plot| (plot.name.as_str(), &plot.svg)).chain([(PAGE, &page)]);
    for (name, text) in files {
        let file = path.join(name);
        atomic_file::write_bytes(&file, text.as_bytes()).map_err(EvolveError::file("write", &file))?;
        written.push(name.to_owned());
    }
    Ok(written)
}

fn page(
    settings: &Settings,
    version: &str,
    history: &History,
    plots: &[Plot],
    exam: Option<&ExamResults>,
) -> String {
    let mut page = String::new();
    let mut add = |text: &str| page.push_str(text);
    add("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
    add(
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>Evolution</title>\n<style>\n",
    );
    add(include_str!("report.css"));
    add("</style>\n</head>\n<body>\n<header>\n<h1>Evolution</h1>\n");
    if let (Some(first), Some(last)) = (history.generations.first(), history.generations.last()) {
        add(&format!(
            "<p>{} chromosomes, {} generations. Mean fitness {:.1} in the first and {:.1} in the last; the last champion has {:.1}.</p>\n",
            settings.population,
            history.generations.len(),
            first.mean,
            last.mean,
            last.best
        ));
    }
    add("</header>\n<main>\n");
    if let Some(exam) = exam {
        add(&exam_table(exam));
    }
    for plot in plots {
        add(&format!(
            "<figure>\n{}<figcaption>{}</figcaption>\n</figure>\n",
            plot.svg,
            Escaped(&plot.caption)
        ));
    }
    add(&generations_table(&history.generations));
    add(&settings_table(settings, version));
    add("</main>\n</body>\n</html>\n");
    page
}

/// Games against the opponent, with the seed's figures beside those of the same name.
fn exam_table(exam: &ExamResults) -> String {
    let mut text = format!(
        "<section>\n<h2>Against {} at depth {}</h2>\n<p>{} games each at depth {}, from middlegames, every opening with both colours.</p>\n<table>\n\
         <tr><th>chromosome</th><th>won</th><th>drawn</th><th>lost</th><th>points</th><th>Elo</th><th>the seed's</th></tr>\n",
        Escaped(&exam.settings.against.opponent),
        exam.settings.against.opponent_depth,
        exam.settings.games,
        exam.settings.search.depth
    );
    for result in &exam.results {
        let seeds = SEED_FIGURES.iter().find(|(name, _, _)| *name == result.name);
        let seeds = seeds.map_or(String::new(), |(_, won, lost)| format!("{won}–{lost}"));
        let elo = match (result.elo, result.elo_error_95) {
            (Some(elo), Some(error)) => format!("{elo:+.0} ± {error:.0}"),
            _ => "–".to_owned(),
        };
        writeln!(
            text,
            "<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{:.1}%</td><td>{elo}</td><td>{seeds}</td></tr>",
            Escaped(&result.name),
            result.wins,
            result.draws,
            result.losses,
            result.percent
        )
        .expect("a String takes all text");
    }
    text + "</table>\n</section>\n"
}

fn generations_table(generations: &[Generation]) -> String {
    let mut text = "<section>\n<h2>Generations</h2>\n<table>\n<tr><th>generation</th><th>best</th><th>mean</th><th>worst</th><th>diversity</th><th>won</th><th>drawn</th><th>lost</th></tr>\n".to_owned();
    let step = generations.len().div_ceil(ROWS).max(1);
    let last = generations.len().saturating_sub(1);
    for (place, line) in generations.iter().enumerate() {
        if !place.is_multiple_of(step) && place != last {
            continue;
        }
        let count = |count: Option<u32>| count.map_or("–".to_owned(), |count| count.to_string());
        writeln!(
            text,
            "<tr><td>{}</td><td>{:.1}</td><td>{:.1}</td><td>{:.1}</td><td>{:.3}</td><td>{}</td><td>{}</td><td>{}</td></tr>",
            line.generation,
            line.best,
            line.mean,
            line.worst,
            line.diversity,
            count(line.wins),
            count(line.draws),
            count(line.losses)
        )
        .expect("a String takes all text");
    }
    text + "</table>\n</section>\n"
}

fn settings_table(settings: &Settings, version: &str) -> String {
    let mut text = format!(
        "<section>\n<h2>Settings</h2>\n<table>\n<tr><td>version</td><td>{}</td></tr>\n",
        Escaped(version)
    );
    let value = serde_json::to_value(settings).expect("settings can be written");
    let mut rows = Vec::new();
    flatten("", &value, &mut rows);
    for (name, value) in rows {
        writeln!(text, "<tr><td>{}</td><td>{}</td></tr>", Escaped(&name), Escaped(&value))
            .expect("a String takes all text");
    }
    text + "</table>\n</section>\n"
}

/// Settings within settings, as `fitness.game.depth`.
fn flatten(name: &str, value: &serde_json::Value, rows: &mut Vec<(String, String)>) {
    match value {
        serde_json::Value::Object(entries) => {
            for (key, value) in entries {
                let name = if name.is_empty() { key.clone() } else { format!("{name}.{key}") };
                flatten(&name, value, rows);
            }
        }
        serde_json::Value::String(text) => rows.push((name.to_owned(), text.clone())),
        other => rows.push((name.to_owned(), other.to_string())),
    }
}
