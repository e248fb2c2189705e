//! `tabia explain`: why a move is good or bad, or what the idea of a position is.

use std::io::{self, Write};
use std::process::ExitCode;

use shakmaty::{Move, Position};
use tabia_coach::messages::Label;
use tabia_coach::{Locale, Review, ReviewDocument, explain, text};
use tabia_core::{AgentSpec, ChessGame, Score};
use tabia_search::engine::tablebases::Tablebases;

use crate::failure::Usage;
use crate::limits::LimitArgs;
use crate::tables::TableArgs;
use crate::terminal::Paint;
use crate::{catalogue, interrupt, output, position};

/// Arguments of `tabia explain`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
The best move and the move asked about are searched to the same limit. A reason is told only if it was proved: material \
by playing the line, a mate by a full-width search, a motif by changing one thing on the board (the defender back, the \
pin released) and counting again. Bounded by nodes and on one thread, the same input gives the same text.

In JSON, scores are White's view in centipawns (mates beyond ±30000, with \"mate\" beside) and moves are UCI: \
{\"fen\",\"move\",\"verdict\",\"score\",\"best\":{\"move\",\"score\",\"line\"},\"refutation\":{\"line\"},\"reasons\":[{\"kind\",\"motif\"?, \
\"worth_cp\",\"pieces\",\"squares\",\"line\",\"evidence\"}],\"terms\":[{\"heading\",\"cp\"}],\"further_cp\",\"text\"}.

Examples:
  tabia explain 'r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3' Nd4
  tabia explain 'rnbqkbnr/pppp1ppp/8/4p3/5PP1/8/PPPPP2P/RNBQKBNR b KQkq - 0 2'
  tabia explain '8/8/8/8/8/3k4/3p4/3K4 b - - 0 1' --syzygy tables
  tabia explain '8/8/2K5/4p3/4Pk2/8/8/8 w - - 0 1' Kd5 --language de
  tabia explain startpos f3 --nodes 100000 --json")]
pub struct ExplainArgs {
    /// The position, quoted or not (`startpos` is the start of a game), and the move, as UCI or SAN; without a move, the
    /// best one is explained.
    #[arg(required = true, num_args = 1.., value_name = "FEN [MOVE]")]
    tokens: Vec<String>,
    /// The agent that analyses, as a spec.
    #[arg(long, value_name = "SPEC", default_value = "engine")]
    agent: AgentSpec,
    #[command(flatten)]
    limits: LimitArgs,
    #[command(flatten)]
    tables: TableArgs,
    /// The language of the text: en or de.
    #[arg(long, value_name = "CODE", default_value_t)]
    language: Locale,
    /// One JSON document instead of text.
    #[arg(long)]
    json: bool,
}

/// Explains a move.
pub fn run(args: &ExplainArgs) -> anyhow::Result<ExitCode> {
    let (game, requested) = read(&args.tokens)?;
    if game.position().legal_moves().is_empty() {
        let outcome = game.outcome().map(|outcome| outcome.to_string()).unwrap_or_default();
        return Err(Usage(format!("there is no move to explain: the game is over, {outcome}")).into());
    }
    let catalogue = catalogue::chess();
    let (entry, options) = catalogue::check(&catalogue, &args.agent)?;
    let limits = args.limits.or_nodes(&options, explain::NODES);
    let mut agent = (entry.build)(&options).map_err(|error| catalogue::refused::<ChessGame>(&error))?;
    let stop = interrupt::stop_flag()?;
    let tables = args.tables.open()?;
    let tables = tables.as_ref().map(|tables| -> &dyn Tablebases { tables });
    let review = explain::explain(agent.as_mut(), game.position(), requested, &limits, tables, &stop)?;
    if args.json {
        output::json(&ReviewDocument::new(&review, requested.is_some(), args.language))?;
    } else {
        write(&mut io::stdout().lock(), &review, requested.is_some(), args.language)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// A position and perhaps a move, as words of the command line. A FEN has two to six fields; the move comes after it.
fn read(tokens: &[String]) -> Result<(ChessGame, Option<Move>), Usage> {
    let tokens: Vec<&str> = tokens.iter().flat_map(|word| word.split_whitespace()).collect();
    let whole = position::read(&tokens.join(" "), false);
    let (last, fen) = match tokens.split_last() {
        Some((last, fen)) if whole.is_err() && !fen.is_empty() => (last, fen),
        _ => return Ok((whole?, None)),
    };
    if fen.first() == Some(&position::START) && fen.len() > 1 {
        let why = format!(
            "\"{}\" is more than one move; one move at most follows the position",
            tokens[1..].join(" ")
        );
        return Err(Usage(why));
    }
    // The error is about the position if it is invalid without the last token, too.
    let game = position::read(&fen.join(" "), false)?;
    let m = game.read_move(last).map_err(|error| Usage(error.to_string()))?;
    Ok((game, Some(m)))
}

fn write(out: &mut impl Write, review: &Review, requested: bool, locale: Locale) -> io::Result<()> {
    let language = locale.language();
    let label = |label: Label| language.label(label);
    let paint = Paint::for_stream(&io::stdout());
    writeln!(out, "{}", paint.bold(text::text_in(language, review, requested)))?;
    let score = |value: Score| text::score(language, value, review.mover);
    let moves =
        |explored: &tabia_coach::review::Explored| text::line(&review.position, &explored.shown_moves());
    writeln!(out)?;
    writeln!(out, "{:<9}{}", label(Label::Verdict), label(Label::VerdictName(review.verdict)))?;
    let mut line = |name, explored: &tabia_coach::review::Explored| {
        writeln!(out, "{:<9}{:>7}  {}", label(name), score(explored.score), moves(explored))
    };
    if !review.is_best() {
        line(Label::Played, &review.played)?;
    }
    line(Label::Best, &review.best)?;
    if !review.reasons.is_empty() {
        let [reason, motif, worth, proof] =
            [Label::Reason, Label::Motif, Label::Worth, Label::Proof].map(label);
        let head = format!("{reason:<12} {motif:<18} {worth:>9}  {proof}");
        writeln!(out, "\n{}", paint.style("4", head))?;
    }
    for reason in &review.reasons {
        writeln!(
            out,
            "{:<12} {:<18} {:>9}  {}",
            label(Label::Kind(reason.kind())),
            reason.motif().unwrap_or("-"),
            language.worth(reason.worth_cp, reason.mate()),
            language.proof(&reason.evidence, reason.mate()),
        )?;
    }
    if !review.comparison.changes.is_empty() {
        let change = if review.verdict.is_bad() { Label::AgainstBest } else { Label::ByLine };
        let head = format!("{:<28} {:>7}", label(change), label(Label::White));
        writeln!(out, "\n{}", paint.style("4", head))?;
        let sign = review.mover.fold_wb(1, -1);
        for change in &review.comparison.changes {
            let cp = f64::from(sign * change.cp) / 100.0;
            writeln!(out, "{:<28} {cp:>+7.2}", label(Label::Heading(change.heading)))?;
        }
        if let Some(further) = review.further_cp {
            let further = f64::from(sign * further) / 100.0;
            writeln!(out, "{:<28} {further:>+7.2}", label(Label::Further))?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(text: &str) -> Vec<String> {
        text.split(' ').map(str::to_owned).collect()
    }

    #[test]
    fn a_move_may_follow_the_position() {
        let (game, m) = read(&tokens("startpos e4")).unwrap();
        assert_eq!(m.map(|m| game.write_move(m)).as_deref(), Some("e2e4"));
        assert_eq!(read(&tokens("startpos")).unwrap().1, None);
        let (_, m) = read(&tokens("8/8/8/4k3/8/8/4PK2/8 w - - 0 1 e2e4")).unwrap();
        assert!(m.is_some());
        let (_, m) = read(&tokens("8/8/8/4k3/8/8/4PK2/8 w - - 0 1")).unwrap();
        assert!(m.is_none());
    }

    #[test]
    fn bad_input_is_named() {
        let error = read(&tokens("startpos e4 e5")).unwrap_err().to_string();
        assert!(error.contains("one move at most follows the position"), "{error}");
        let error = read(&tokens("good.pgn")).unwrap_err().to_string();
        assert!(error.contains("`tabia analyze good.pgn`"), "{error}");
        let error = read(&tokens("startpos Ke5")).unwrap_err().to_string();
        assert!(error.contains("\"Ke5\" is not legal"), "{error}");
        let error = read(&tokens("8/8/9/8/8/8/8/8 w - - 0 1 e4")).unwrap_err().to_string();
        assert!(error.contains("not a valid position"), "{error}");
    }
}
