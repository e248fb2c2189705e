//! Public puzzles and games, where the laboratory's data is at hand.
//!
//! The folder is `$TABIA_DATA`, or `shared/data` beside the workspace. It is too large for the repository, so
//! these tests are ignored unless asked for (`make test-data`); then a missing file fails the test that needs it.

mod common;

use std::collections::BTreeMap;
use std::path::PathBuf;

use shakmaty::{Chess, Move, Position};
use tabia_coach::game::{AnalysedMove, Reviewer};
use tabia_coach::prover::{Searched, ask};
use tabia_coach::{AgentProver, Review, Verdict, motif, puzzle, tagging, text};
use tabia_core::{Agent, ChessGame, Limits, Score, Stop};

use common::checker;

fn data(path: &str) -> PathBuf {
    let root = std::env::var_os("TABIA_DATA").map_or_else(
        || PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data")),
        PathBuf::from,
    );
    let path = root.join(path);
    assert!(path.exists(), "{} is missing; set TABIA_DATA to the folder that has it", path.display());
    path
}

#[test]
#[ignore = "needs public data: make test-data"]
fn motifs_agree_with_the_labels_of_lichess() {
    let text = std::fs::read_to_string(data("puzzles/lichess_dev.csv")).unwrap();
    let (puzzles, faults) = puzzle::read(&text).unwrap();
    assert!(faults.is_empty(), "{:?}", faults.first());
    let tagging = tagging::compare(&puzzles);
    for (theme, agreement) in &tagging.themes {
        println!("{:<18} {:.3} {agreement:?}", theme.name(), agreement.f1);
    }
    // With TABIA_DIFFER, puzzles on whose labels we disagree.
    for name in std::env::var("TABIA_DIFFER").unwrap_or_default().split(' ') {
        for difference in tagging.disagreements.iter().filter(|one| one.theme.name() == name).take(12) {
            let puzzle = &puzzles[difference.puzzle];
            let moves: Vec<Move> = puzzle.line.plies().iter().map(|ply| ply.played).collect();
            let start = &puzzle.line.plies()[0].before;
            let found: Vec<&str> = motif::find(&puzzle.line).iter().map(|motif| motif.theme.name()).collect();
            let side = if difference.missed { "missed" } else { "extra" };
            let (fen, line) = (tabia_core::chess::fen_of(start), text::line(start, &moves));
            println!("{name} {side} {} {fen}\n  {line}\n  {:?}\n  {found:?}", puzzle.id, puzzle.themes);
        }
    }
    let below: Vec<String> = tagging
        .themes
        .iter()
        .filter_map(|(theme, agreement)| {
            let goal = f64::from(theme.goal_percent()?) / 100.0;
            (agreement.f1 < goal).then(|| format!("{theme}: {:.3} of {goal:.2}", agreement.f1))
        })
        .collect();
    assert!(below.is_empty(), "{below:?}");
}

/// The moves of the games of a PGN file that begin at the start, as far as they can be read: words without comments,
/// variations and numbers.
fn games(file: &str) -> Vec<Vec<Move>> {
    let mut found = Vec::new();
    for part in file.split("[Event ").skip(1) {
        let is_tag = |line: &&str| line.starts_with('[') || line.starts_with('"');
        let moves = part.lines().filter(|line| !is_tag(line)).collect::<Vec<_>>().join(" ");
        let mut plain = String::new();
        let mut depth = 0;
        for letter in moves.chars() {
            match letter {
                '{' | '(' => depth += 1,
                '}' | ')' => depth -= 1,
                _ if depth == 0 => plain.push(letter),
                _ => {}
            }
        }
        let mut position = Chess::default();
        let mut played = Vec::new();
        for word in plain.split_whitespace() {
            let word = word.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
            let Ok(san) = word.trim_end_matches(['?', '!']).parse::<shakmaty::san::SanPlus>() else {
                continue;
            };
            let Ok(m) = san.san.to_move(&position) else { break };
            position.play_unchecked(m);
            played.push(m);
        }
        if played.len() > 10 {
            found.push(played);
        }
    }
    found
}

/// Every position of a game searched; the score is that of the side to move.
fn analyse(agent: &mut dyn Agent<ChessGame>, moves: &[Move], limits: &Limits, stop: &Stop) -> Vec<Searched> {
    agent.new_game();
    let mut position = Chess::default();
    let mut found = Vec::new();
    for index in 0..=moves.len() {
        let over = if position.is_checkmate() { Score::mated_in_plies(0) } else { Score::DRAW };
        let over = Searched { score: over, line: Vec::new() };
        found.push(ask(agent, &position, &[], limits, stop).unwrap_or(over));
        if let Some(m) = moves.get(index) {
            position.play_unchecked(*m);
        }
    }
    found
}

fn analysed<'a>(moves: &[Move], searched: &'a [Searched]) -> Vec<AnalysedMove<'a>> {
    let after = |score: Score| match score.plies_to_mate() {
        Some(plies) if plies > 0 => Score::mated_in_plies(plies as u16 + 1),
        Some(plies) => Score::mate_in_plies(plies.unsigned_abs() as u16 + 1),
        None => -score,
    };
    moves
        .iter()
        .zip(searched.windows(2))
        .map(|(played, pair)| {
            let (before, after) = (pair[0].score, after(pair[1].score));
            let is_best = pair[0].line.first() == Some(played);
            let is_mistake = !pair[0].line.is_empty() && Verdict::of(before, after, is_best).is_bad();
            AnalysedMove {
                played: *played,
                before,
                after,
                line: &pair[0].line,
                reply: &pair[1].line,
                is_mistake,
            }
        })
        .collect()
}

/// Mistakes that were reviewed, and what the independent checker says of the claims.
#[derive(Default)]
struct Tally {
    mistakes: usize,
    claims: usize,
    proved: usize,
    kinds: BTreeMap<String, usize>,
    failures: Vec<String>,
}

impl Tally {
    /// Verifies a review. Material may be counted from before the opponent's last capture.
    fn verify(&mut self, review: &Review, counted_from: &Chess) {
        let (fen, said) = (tabia_core::chess::fen_of(&review.position), text::text(review, true));
        self.mistakes += 1;
        self.claims += review.reasons.len();
        self.proved += usize::from(!review.reasons.is_empty());
        for reason in &review.reasons {
            let what = reason.motif().or(reason.answer()).unwrap_or_default();
            *self.kinds.entry(format!("{} {what}", reason.kind())).or_default() += 1;
        }
        for failure in checker::failures(review, counted_from) {
            self.failures.push(format!("{fen}\n  {said}\n  {failure}"));
        }
        if std::env::var_os("TABIA_TEXTS").is_some() {
            println!("text\t{fen}\t{said}");
        }
    }

    fn finish(&self) {
        let Tally { mistakes, claims, proved, kinds, failures } = self;
        println!(
            "{mistakes} mistakes, {claims} claims, {} refuted, {proved} mistakes with a proved reason",
            failures.len()
        );
        println!("{kinds:#?}");
        let shown = failures[..failures.len().min(10)].join("\n");
        assert!(failures.is_empty(), "{} of {claims} claims fail:\n{shown}", failures.len());
        assert!(proved * 10 >= mistakes * 9, "{proved} of {mistakes} mistakes have a proved reason");
    }
}

/// A number from the environment.
fn number(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

/// Every claim about the mistakes of real games is verified by the independent checker. `TABIA_MISTAKES` says how many
/// mistakes (60 without it), `TABIA_SKIP` how many games are left out before, `TABIA_NODES` the nodes for each position,
/// `TABIA_GAMES` the file. With `TABIA_TEXTS`, every text is printed.
#[test]
#[ignore = "needs public data: make test-data"]
fn claims_about_mistakes_of_real_games_hold() {
    let (wanted, nodes) = (number("TABIA_MISTAKES", 60) as usize, number("TABIA_NODES", 3_000));
    let stop = Stop::new();
    let (mut agent, mut second) = (common::engine(), common::engine());
    let mut tally = Tally::default();
    let name =
        std::env::var("TABIA_GAMES").unwrap_or_else(|_| "games_lichess/lichess_db_1000k.pgn".to_owned());
    let file = std::fs::read_to_string(data(&name)).unwrap();
    for moves in games(&file).into_iter().skip(number("TABIA_SKIP", 0) as usize) {
        let searched = analyse(agent.as_mut(), &moves, &Limits::nodes(nodes), &stop);
        let mut prover = AgentProver::new(second.as_mut(), Limits::nodes(nodes / 4), &stop, 50_000);
        let mut reviewer = Reviewer::new(&Chess::default());
        let mut position = Chess::default();
        let mut before: Option<(Chess, bool)> = None;
        for analysed in analysed(&moves, &searched) {
            if let Some(review) = reviewer.next(&analysed, &mut prover) {
                let counted_from = match &before {
                    Some((earlier, true)) => earlier,
                    _ => &position,
                };
                tally.verify(&review, counted_from);
            }
            before = Some((position.clone(), analysed.played.is_capture()));
            position.play_unchecked(analysed.played);
        }
        if tally.mistakes >= wanted {
            break;
        }
    }
    tally.finish();
}

/// The first move of a lichess puzzle is a mistake of a real game, and the solution punishes it. `TABIA_PUZZLES` says how
/// many puzzles (60 without it), taken from all over the file; `TABIA_NODES` the nodes for each position.
#[test]
#[ignore = "needs public data: make test-data"]
fn claims_about_mistakes_that_became_puzzles_hold() {
    let (wanted, nodes) = (number("TABIA_PUZZLES", 60) as usize, number("TABIA_NODES", 3_000));
    let stop = Stop::new();
    let (mut agent, mut second) = (common::engine(), common::engine());
    let mut tally = Tally::default();
    let file = std::fs::read_to_string(data("puzzles/lichess_dev.csv")).unwrap();
    let (puzzles, _) = puzzle::read(&file).unwrap();
    for puzzle in puzzles.iter().step_by((puzzles.len() / wanted.max(1)).max(1)) {
        let Some(mistake) = puzzle.line.ply(0) else { continue };
        let mut search = |position: &Chess| {
            agent.new_game();
            ask(agent.as_mut(), position, &[], &Limits::nodes(nodes), &stop)
        };
        let (Some(best), Some(reply)) = (search(&mistake.before), search(&mistake.after)) else { continue };
        let searched = [best, reply];
        second.new_game();
        let mut prover = AgentProver::new(second.as_mut(), Limits::nodes(nodes / 4), &stop, 50_000);
        for analysed in analysed(&[mistake.played], &searched) {
            let review = Reviewer::new(&mistake.before).next(&analysed, &mut prover);
            if let Some(review) = review {
                tally.verify(&review, &mistake.before);
            }
        }
    }
    tally.finish();
}
