//! Plots of an evolution: fitness by generation, weights and tables before and after, ratings of champions.

use shakmaty::{Board, Color};
use tabia_draw::{Drawing, DumbbellChart, LineChart, Series};
use tabia_eval::Field;
use tabia_eval::chromosome::genome::{PRINCIPLES, TABLE_NAMES};
use tabia_eval::chromosome::phases::PHASE_NAMES;
use tabia_eval::chromosome::{Phases, Weights};

use crate::exam::Ratings;
use crate::history::{Generation, History};

/// A plot and its file name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plot {
    pub name: String,
    pub caption: String,
    pub svg: String,
}

impl Plot {
    fn new(name: &str, caption: impl Into<String>, svg: String) -> Plot {
        Plot { name: name.to_owned(), caption: caption.into(), svg }
    }
}

/// Fitness by generation, and how much a generation differs.
pub fn of_fitness(history: &History, subtitle: &str) -> Vec<Plot> {
    let points = |value: fn(&Generation) -> f64| -> Vec<(f64, f64, Option<f64>)> {
        history.generations.iter().map(|line| (f64::from(line.generation), value(line), None)).collect()
    };
    let (best, mean, worst) = (points(|line| line.best), points(|line| line.mean), points(|line| line.worst));
    let curves = [
        Series { name: "best", points: &best },
        Series { name: "mean", points: &mean },
        Series { name: "worst", points: &worst },
    ];
    let across = "generation";
    let fitness = LineChart { title: "Fitness by generation", subtitle, across, curves: &curves }.svg();
    let (diversity, mutation) = (points(|line| line.diversity), points(|line| line.mutation));
    let curves = [
        Series { name: "diversity: the mean deviation of a gene, in pawns", points: &diversity },
        Series { name: "how far a gene may mutate", points: &mutation },
    ];
    let diversity = LineChart { title: "Diversity by generation", subtitle, across, curves: &curves }.svg();
    vec![
        Plot::new("fitness.svg", "Fitness by generation: best, mean and worst.", fitness),
        Plot::new("diversity.svg", "How much chromosomes of a generation differ.", diversity),
    ]
}

/// The eighteen weights and the six tables, before and after; of three phases, each.
pub fn of_weights(before: &Phases, after: &Phases, subtitle: &str) -> Vec<Plot> {
    let sets = after.sets().len();
    let mut plots = Vec::new();
    for (phase, now) in after.sets().iter().enumerate() {
        let then = before.sets().get(phase).unwrap_or(&before.sets()[0]);
        let (ending, when) = match sets {
            1 => (String::new(), String::new()),
            _ => (format!("-{}", PHASE_NAMES[phase]), format!(" in the {}", PHASE_NAMES[phase])),
        };
        let rows: Vec<(String, f64, f64)> = PRINCIPLES
            .iter()
            .zip(then.scalars().iter().zip(now.scalars()))
            .map(|(principle, (then, now))| (principle.name.replace('_', " "), *then, *now))
            .collect();
        let title = format!("Weights before and after{when}, in pawns");
        plots.push(Plot::new(
            &format!("weights{ending}.svg"),
            format!("The eighteen principles before and after{when}."),
            DumbbellChart { title: &title, subtitle, rows: &rows }.svg(),
        ));
        plots.push(Plot::new(
            &format!("tables{ending}.svg"),
            format!("The six tables before and after{when}."),
            tables(then, now, &format!("Tables before and after{when}, in pawns"), subtitle),
        ));
    }
    plots
}

fn tables(before: &Weights, after: &Weights, title: &str, subtitle: &str) -> String {
    let field = |name: &str, when: &str, table: &[f64; 64]| Field {
        name: format!("{name}, {when}"),
        unit: "pawns".to_owned(),
        values: std::array::from_fn(|row| std::array::from_fn(|column| table[8 * row + column])),
    };
    let fields: Vec<Field> = TABLE_NAMES
        .iter()
        .zip(before.tables().iter().zip(after.tables()))
        .flat_map(|(name, (before, after))| [field(name, "before", before), field(name, "after", after)])
        .collect();
    let fields: Vec<&Field> = fields.iter().collect();
    let board = Board::empty();
    Drawing { title, note: "", subtitle, board: &board, turn: Color::White, fields: &fields, figures: true }
        .svg()
}

pub fn of_ratings(ratings: &Ratings) -> Plot {
    let points: Vec<(f64, f64, Option<f64>)> = ratings
        .ratings
        .iter()
        .filter_map(|rating| {
            Some((f64::from(rating.generation), rating.result.elo?, rating.result.elo_error_95))
        })
        .collect();
    let settings = &ratings.settings;
    let subtitle = format!(
        "{} games each at depth {}, against {} at depth {}; bars are 95%",
        settings.games, settings.search.depth, settings.against.opponent, settings.against.opponent_depth
    );
    let curves = [Series { name: "Elo of the champion against its opponent", points: &points }];
    let svg = LineChart {
        title: "Champions by generation",
        subtitle: &subtitle,
        across: "generation",
        curves: &curves,
    }
    .svg();
    Plot::new("ratings.svg", "What champions are worth against the opponent.", svg)
}
