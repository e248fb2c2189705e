//! An evolution on one page: pictures, figures and settings, in a document that needs no other file.

use std::fmt::Write as _;
use std::path::Path;

use tabia_eval::chromosome::Phases;
use tabia_run::atomic_file;

use crate::chronicle::{Chronicle, Generation};
use crate::error::EvolveError;
use crate::exam::{self, EXAM, Marks, RATINGS, Ratings, SEED_FIGURES};
use crate::files::{champion_name, read_weights};
use crate::pictures::{self, Picture};
use crate::run::Evolution;
use crate::settings::Settings;

const PAGE: &str = "report.html";
/// So many generations are listed; of more, evenly spaced ones.
const ROWS: usize = 40;

/// Draws the pictures of a run and writes its page; which files it wrote. A run that goes on is shown as far as it has come.
pub fn report(path: &Path) -> Result<Vec<String>, EvolveError> {
    let (settings, manifest) = Evolution::settings_of(path)?;
    let count =
        (0..settings.generations).take_while(|g| path.join(champion_name(*g)).exists()).count() as u32;
    if count == 0 {
        return Err(EvolveError::broken(path, "no generation has been measured yet"));
    }
    let chronicle = Chronicle::read(&path.join("metrics.jsonl"), count)?;
    let champion = read_weights(&path.join(champion_name(count - 1)))?;
    let before = match &settings.founder {
        Some(founder) => read_weights(Path::new(&founder.path)).unwrap_or_default(),
        None => Phases::default(),
    };
    let subtitle = format!(
        "population {}, {count} of {} generations, seed {}",
        settings.population, settings.generations, settings.seed
    );
    let mut pictures = pictures::of_fitness(&chronicle, &subtitle);
    let ratings: Option<Ratings> = exam::load(path, RATINGS)?;
    pictures.extend(ratings.as_ref().map(pictures::of_ratings));
    let since = if settings.founder.is_some() {
        "before: the founder"
    } else {
        "before: the middle of the first generation"
    };
    pictures.extend(pictures::of_weights(&before, &champion, &format!("{subtitle}; {since}")));
    let exam: Option<Marks> = exam::load(path, EXAM)?;
    let page = page(&settings, &manifest.version, &chronicle, &pictures, exam.as_ref());
    let mut written = Vec::new();
    let files = pictures.iter().map(|picture| (picture.name.as_str(), &picture.svg)).chain([(PAGE, &page)]);
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
    chronicle: &Chronicle,
    pictures: &[Picture],
    exam: Option<&Marks>,
) -> String {
    let mut page = String::new();
    let mut add = |text: &str| page.push_str(text);
    add("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
    add(
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>Evolution</title>\n<style>\n",
    );
    add(include_str!("report.css"));
    add("</style>\n</head>\n<body>\n<header>\n<h1>Evolution</h1>\n");
    if let (Some(first), Some(last)) = (chronicle.generations.first(), chronicle.generations.last()) {
        add(&format!(
            "<p>{} chromosomes, {} generations. Mean fitness {:.1} in the first and {:.1} in the last; the last champion has {:.1}.</p>\n",
            settings.population,
            chronicle.generations.len(),
            first.mean,
            last.mean,
            last.best
        ));
    }
    add("</header>\n<main>\n");
    if let Some(exam) = exam {
        add(&exam_table(exam));
    }
    for picture in pictures {
        add(&format!(
            "<figure>\n{}<figcaption>{}</figcaption>\n</figure>\n",
            picture.svg,
            escaped(&picture.caption)
        ));
    }
    add(&generations_table(&chronicle.generations));
    add(&settings_table(settings, version));
    add("</main>\n</body>\n</html>\n");
    page
}

/// Games against the opponent, with the seed's figures beside those of the same name.
fn exam_table(exam: &Marks) -> String {
    let mut text = format!(
        "<section>\n<h2>Against {} at depth {}</h2>\n<p>{} games each at depth {}, from middlegames, every opening with both colours.</p>\n<table>\n\
         <tr><th>chromosome</th><th>won</th><th>drawn</th><th>lost</th><th>points</th><th>Elo</th><th>the seed's</th></tr>\n",
        escaped(&exam.settings.against.opponent),
        exam.settings.against.opponent_depth,
        exam.settings.games,
        exam.settings.search.depth
    );
    for mark in &exam.marks {
        let seeds = SEED_FIGURES.iter().find(|(name, _, _)| *name == mark.name);
        let seeds = seeds.map_or(String::new(), |(_, won, lost)| format!("{won}–{lost}"));
        let elo = match (mark.elo, mark.elo_error_95) {
            (Some(elo), Some(error)) => format!("{elo:+.0} ± {error:.0}"),
            _ => "–".to_owned(),
        };
        writeln!(
            text,
            "<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{:.1}%</td><td>{elo}</td><td>{seeds}</td></tr>",
            escaped(&mark.name),
            mark.wins,
            mark.draws,
            mark.losses,
            mark.percent
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
        escaped(version)
    );
    let value = serde_json::to_value(settings).expect("settings can be written");
    let mut rows = Vec::new();
    flatten("", &value, &mut rows);
    for (name, value) in rows {
        writeln!(text, "<tr><td>{}</td><td>{}</td></tr>", escaped(&name), escaped(&value))
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

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
