//! `tabia agents`: who can play, and what can be set.

use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;

use comfy_table::{Cell, ContentArrangement, Table, TableComponent, presets};
use serde::Serialize;
use tabia_core::{AgentEntry, Catalogue, Game, OptionKind};

use crate::terminal::Paint;
use crate::{catalogue, output};

/// Columns of a table; wider ones are hard to read.
const TABLE_WIDTH: u16 = 100;

/// Arguments of `tabia agents`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
An agent is named by a spec: `name` or `name(key=value,…)`. Quote it: shells have their own use for parentheses.

Examples:
  tabia agents
  tabia agents --variant quantum
  tabia play --black 'alphabeta(depth=3,eval=material)'
  tabia agents --json | jq -r '.agents[].name'")]
pub struct AgentsArgs {
    /// Which game they play.
    #[arg(long, value_enum, default_value_t = Variant::Chess)]
    variant: Variant,
    /// One JSON document instead of text.
    #[arg(long)]
    json: bool,
}

/// The games there are agents for.
#[derive(Copy, Clone, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Variant {
    /// Chess and Chess960.
    Chess,
    /// Quantum chess.
    Quantum,
}

/// Lists the agents.
pub fn run(args: &AgentsArgs) -> anyhow::Result<ExitCode> {
    match args.variant {
        Variant::Chess => list(args, &catalogue::chess(), "chess"),
        Variant::Quantum => list(args, &catalogue::quantum(), "quantum"),
    }
}

fn list<G: Game>(
    args: &AgentsArgs,
    catalogue: &Catalogue<G>,
    game: &'static str,
) -> anyhow::Result<ExitCode> {
    let mut out = io::stdout().lock();
    if args.json {
        let agents = catalogue.entries().iter().map(|entry| AgentDocument::new(entry, game)).collect();
        drop(out);
        output::json(&Document { agents })?;
    } else if out.is_terminal() {
        let paint = Paint::for_stream(&out);
        for entry in catalogue.entries() {
            writeln!(out, "{}  {}\n{}\n", paint.bold(entry.name), entry.summary, table(entry))?;
        }
        let example = match args.variant {
            Variant::Chess => "alphabeta(depth=3)",
            Variant::Quantum => "mcts(simulations=200)",
        };
        let note = format!("As a spec: name(key=value,…), for example '{example}'.");
        writeln!(out, "{}", paint.dim(note))?;
    } else {
        for entry in catalogue.entries() {
            writeln!(out, "{}: {}", entry.name, entry.summary)?;
            for option in &entry.options {
                let default = or_unset(option.default);
                writeln!(out, "  {}={default}: {}; {}", option.key, option.help, option.kind)?;
            }
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn table<G: Game>(entry: &AgentEntry<G>) -> Table {
    let mut table = Table::new();
    table
        .load_preset(presets::UTF8_HORIZONTAL_ONLY)
        .remove_style(TableComponent::HorizontalLines)
        .remove_style(TableComponent::MiddleIntersections)
        .remove_style(TableComponent::LeftBorderIntersections)
        .remove_style(TableComponent::RightBorderIntersections)
        .set_content_arrangement(ContentArrangement::Dynamic)
        .set_width(TABLE_WIDTH)
        .set_header(["option", "default", "takes", "what it does"]);
    for option in &entry.options {
        let takes = short_kind(option.kind);
        table.add_row([
            Cell::new(option.key),
            Cell::new(or_unset(option.default)),
            Cell::new(takes),
            Cell::new(option.help),
        ]);
    }
    table
}

/// The kind in few words; a bound that only the type of the number sets is none.
fn short_kind(kind: OptionKind) -> String {
    match kind {
        OptionKind::Integer { min, max } if max == i64::MAX => format!("{min} or more"),
        OptionKind::Integer { min, max } => format!("{min} to {max}"),
        OptionKind::Real { min, max } => format!("{min} to {max}"),
        OptionKind::Choice(values) => values.join(", "),
        OptionKind::Switch | OptionKind::Subset(_) | OptionKind::Text => kind.to_string(),
    }
}

fn or_unset(default: &str) -> &str {
    if default.is_empty() { "(not set)" } else { default }
}

/// The JSON of all agents.
#[derive(Serialize)]
struct Document {
    agents: Vec<AgentDocument>,
}

#[derive(Serialize)]
struct AgentDocument {
    name: &'static str,
    game: &'static str,
    summary: &'static str,
    options: Vec<OptionDocument>,
}

#[derive(Serialize)]
struct OptionDocument {
    /// A key ending in `.` takes any suffix.
    key: &'static str,
    #[serde(flatten)]
    kind: KindDocument,
    default: Option<&'static str>,
    help: &'static str,
}

#[derive(Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
enum KindDocument {
    /// No `max` is no bound but that of the type, which is more than JavaScript can hold.
    Integer {
        min: i64,
        max: Option<i64>,
    },
    Real {
        min: f64,
        max: f64,
    },
    Switch,
    Choice {
        values: &'static [&'static str],
    },
    Text,
}

impl AgentDocument {
    fn new<G: Game>(entry: &AgentEntry<G>, game: &'static str) -> AgentDocument {
        let options = entry.options.iter().map(|option| OptionDocument {
            key: option.key,
            kind: option.kind.into(),
            default: (!option.default.is_empty()).then_some(option.default),
            help: option.help,
        });
        AgentDocument { name: entry.name, game, summary: entry.summary, options: options.collect() }
    }
}

impl From<OptionKind> for KindDocument {
    fn from(kind: OptionKind) -> KindDocument {
        match kind {
            OptionKind::Integer { min, max } => {
                KindDocument::Integer { min, max: (max != i64::MAX).then_some(max) }
            }
            OptionKind::Real { min, max } => KindDocument::Real { min, max },
            OptionKind::Switch => KindDocument::Switch,
            OptionKind::Choice(values) => KindDocument::Choice { values },
            OptionKind::Subset(_) | OptionKind::Text => KindDocument::Text,
        }
    }
}
