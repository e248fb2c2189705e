//! Games gone over by the real search.

use super::*;
use tabia_core::{Agent, AgentSpec, Catalogue, ChessGame, Limits, Stop};
use tabia_games::pgn;
use tabia_games::record::GameRecord;
use tabia_games::tree::GameTree;

fn engine() -> Box<dyn Agent<ChessGame>> {
    let mut catalogue = Catalogue::default();
    catalogue.add(tabia_search::agents::entries(|path| std::fs::read_to_string(path)));
    catalogue.build(&"engine(hash=1)".parse::<AgentSpec>().unwrap()).unwrap()
}

fn game(text: &str) -> GameRecord {
    pgn::read_text(text).unwrap().remove(0)
}

fn analysed(text: &str) -> GameAnalysis {
    let mut told = Vec::new();
    let analysis = analyse(&game(text), engine().as_mut(), &Limits::depth(6), &Stop::new(), |done, all| {
        told.push((done, all));
    })
    .unwrap();
    assert_eq!(told.last(), Some(&(analysis.moves.len() + 1, analysis.moves.len() + 1)));
    analysis
}

const FOOL: &str = "1. f3 e5 2. g4 Qh4# 0-1";

#[test]
fn the_move_that_loses_is_a_blunder_and_the_mate_is_best() {
    let analysis = analysed(FOOL);
    assert_eq!(analysis.moves[2].mark(), Some(Mark::Blunder));
    assert_eq!(analysis.moves[2].after, Score::mated_in_plies(2));
    assert!(!analysis.moves[2].is_best());
    let mate = &analysis.moves[3];
    assert_eq!(
        (mate.mark(), mate.before, mate.after),
        (None, Score::mate_in_plies(1), Score::mate_in_plies(1))
    );
    assert_eq!(analysis.count(Color::White, Mark::Blunder), 1);
    assert_eq!(analysis.count(Color::Black, Mark::Blunder), 0);
    let (accuracy, loss) = (analysis.accuracy(), analysis.average_cp_loss());
    assert!(accuracy.white.unwrap() < accuracy.black.unwrap(), "{accuracy:?}");
    assert!(loss.white.unwrap() > 300.0 && loss.black.unwrap() < 50.0, "{loss:?}");
    assert_eq!(analysis.opening.map(|(ply, opening)| (ply, opening.eco)), Some((4, "A00")));
    let chances = analysis.white_chances();
    assert!(chances.len() == 5 && chances[4] < 3.0 && chances[0] > 40.0, "{chances:?}");
}

#[test]
fn an_annotated_game_says_what_was_better_and_is_read_back() {
    let tree = GameTree::of_record(&game(FOOL)).unwrap();
    let reviewed = Reviewed { analysis: analysed(FOOL), reviews: Vec::new() };
    let tree = annotate(&tree, &reviewed, "tabia engine", tabia_coach::Locale::En);
    let annotated = tree.record();
    let blunder = &annotated.plies[2];
    assert_eq!(blunder.glyphs, [4]);
    let said = blunder.comment.clone().unwrap();
    assert!(said.starts_with("Blunder. ") && said.ends_with(" was best."), "{said}");
    assert!(!blunder.instead.is_empty() && blunder.instead[0] != "g2g4");
    assert_eq!(annotated.tag("ECO"), Some("A00"));
    let text = pgn::write_tree(&tree);
    assert!(text.contains("[%eval #-1]") && text.contains("2. g4 $4"), "{text}");
    let read = pgn::Trees::new(text.as_bytes(), "x.pgn").next().unwrap().unwrap();
    assert_eq!(read.tree, tree);
    // A second time nothing is added.
    assert_eq!(annotate(&tree, &reviewed, "tabia engine", tabia_coach::Locale::En), tree);
}

#[test]
fn an_annotated_game_keeps_the_variations_that_were_there() {
    let text =
        "{ A trap. } 1. f3 { [%cal Bf2f3] weak } (1. e4 e5 (1... c5 { Sicilian })) 1... e5 2. g4 Qh4# 0-1";
    let tree = pgn::Trees::new(text.as_bytes(), "x.pgn").next().unwrap().unwrap().tree;
    let (mut agent, mut second, stop) = (engine(), engine(), Stop::new());
    let mut prover = tabia_coach::AgentProver::new(second.as_mut(), Limits::nodes(500), &stop, 10_000);
    let reviewed =
        analyse_and_review(&tree.record(), agent.as_mut(), &mut prover, &Limits::depth(5), &stop, |_| {})
            .unwrap();
    assert!(reviewed.reviews[2].is_some() && reviewed.reviews[3].is_none());
    let text = pgn::write_tree(&annotate(&tree, &reviewed, "tabia engine", tabia_coach::Locale::En));
    let flat = text.split_whitespace().collect::<Vec<_>>().join(" ");
    for kept in ["{ A trap. }", "[%cal Bf2f3", "weak", "(1. e4 e5 (1... c5 { Sicilian }))"] {
        assert!(flat.contains(kept), "{kept}:\n{text}");
    }
    assert!(flat.contains("Rd8h4"), "the refutation is drawn: {flat}");
    assert!(flat.contains("2.g4?? allows mate in 1: 2...Qh4#."), "{flat}");
}

#[test]
fn a_game_that_went_on_after_a_draw_is_gone_over_to_its_end() {
    let analysis = analysed("1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 5. e4 e5 *");
    assert_eq!(analysis.moves.len(), 10);
    assert_eq!((analysis.moves[8].before, analysis.moves[8].mark()), (Score::DRAW, None));
}

#[test]
fn what_was_done_before_an_interrupt_is_kept() {
    let stop = Stop::new();
    let analysis = analyse(&game(FOOL), engine().as_mut(), &Limits::depth(4), &stop, |done, _| {
        if done == 3 {
            stop.stop();
        }
    })
    .unwrap();
    assert!(analysis.interrupted && analysis.moves.len() == 2, "{}", analysis.moves.len());
    let nothing = analyse(&game(FOOL), engine().as_mut(), &Limits::depth(4), &stop, |_, _| {}).unwrap();
    assert!(nothing.moves.is_empty() && nothing.white_chances().is_empty());
    assert_eq!(nothing.accuracy().white, None);
}

#[test]
fn a_broken_record_is_refused() {
    let mut record = game(FOOL);
    record.plies.swap(0, 1);
    let error = analyse(&record, engine().as_mut(), &Limits::depth(1), &Stop::new(), |_, _| {}).unwrap_err();
    assert!(error.to_string().starts_with("half-move 1: "), "{error}");
}
