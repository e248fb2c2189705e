//! Prometheus metrics of runs on the grid, read on each request, so that finished runs disappear.

use std::fmt::Write as _;

use super::Runs;
use super::document::{GridDocument, RunState};

/// A metric: its name, whether it is a counter, and its field.
type Figure = (&'static str, &'static str, fn(&GridDocument) -> f64);

const FIGURES: [Figure; 9] = [
    ("tabia_grid_workers", "gauge", |grid| grid.workers.len() as f64),
    ("tabia_grid_cores", "gauge", |grid| grid.workers.iter().map(|worker| worker.cores).sum::<u64>() as f64),
    ("tabia_grid_tasks", "gauge", |grid| grid.tasks as f64),
    ("tabia_grid_done", "gauge", |grid| grid.done as f64),
    ("tabia_grid_tasks_per_second", "gauge", |grid| grid.per_second),
    ("tabia_grid_redeliveries", "counter", |grid| grid.redeliveries as f64),
    ("tabia_grid_failures", "counter", |grid| grid.failures as f64),
    ("tabia_grid_rejected", "counter", |grid| grid.rejected as f64),
    ("tabia_grid_set_aside", "gauge", |grid| grid.set_aside.len() as f64),
];

/// The metrics of all active runs.
pub fn figures(runs: &Runs) -> String {
    let going: Vec<(String, GridDocument)> = runs
        .list()
        .unwrap_or_default()
        .into_iter()
        .filter(|run| run.state == RunState::Running)
        .filter_map(|run| Some((run.id, run.grid?)))
        .collect();
    lines(&going)
}

fn lines(runs: &[(String, GridDocument)]) -> String {
    let mut text = String::new();
    for (name, kind, of) in FIGURES.iter().filter(|_| !runs.is_empty()) {
        writeln!(text, "# TYPE {name} {kind}").expect("a String takes all text");
        for (run, grid) in runs {
            // No escaping needed: names of runs contain neither quotes nor backslashes.
            writeln!(text, "{name}{{run=\"{run}\"}} {}", of(grid)).expect("a String takes all text");
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_run_has_a_line_for_each_figure() {
        let grid = GridDocument { done: 7, per_second: 1.5, ..GridDocument::default() };
        let text = lines(&[("a".to_owned(), grid), ("b".to_owned(), GridDocument::default())]);
        assert!(
            text.contains(
                "# TYPE tabia_grid_done gauge\ntabia_grid_done{run=\"a\"} 7\ntabia_grid_done{run=\"b\"} 0\n"
            ),
            "{text}"
        );
        assert!(text.contains("tabia_grid_tasks_per_second{run=\"a\"} 1.5\n"), "{text}");
        assert_eq!(lines(&[]), "");
    }
}
