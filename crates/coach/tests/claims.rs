//! Claims that lichess has no label for, on positions made for them: what is found, what is proved, and what is not.

use shakmaty::{Chess, Move};
use tabia_coach::line::Line;
use tabia_coach::prover::{Prover, Searched};
use tabia_coach::{Motif, Subject, Theme, motif, proof, review, text};
use tabia_core::{ChessGame, Game, Score};
use tabia_search::engine::tablebases::TablebaseResult;

/// A prover that searches nothing, with tables that know what they are told.
#[derive(Default)]
struct Tables(Vec<(Move, TablebaseResult)>);

impl Prover for Tables {
    fn search(&mut self, _: &Chess) -> Option<Searched> {
        None
    }

    fn search_among(&mut self, _: &Chess, moves: &[Move]) -> Option<Searched> {
        moves.first().map(|m| Searched { score: Score::DRAW, line: vec![*m] })
    }

    fn mates(&mut self, _: &Chess, _: u32) -> Option<bool> {
        None
    }

    fn table_moves(&mut self, _: &Chess) -> Option<Vec<(Move, TablebaseResult)>> {
        (!self.0.is_empty()).then(|| self.0.clone())
    }
}

fn fen(text: &str) -> Chess {
    ChessGame::from_fen(text).unwrap().position().clone()
}

fn line(start: &Chess, moves: &str) -> Line {
    let mut game = ChessGame::from_position(start.clone(), shakmaty::CastlingMode::Standard);
    for text in moves.split_whitespace() {
        let m = game.read_move(text).unwrap();
        game.apply(m);
    }
    Line::new(start, game.moves()).unwrap()
}

/// The motifs of a theme that pass their proof.
fn proved(start: &Chess, moves: &str, theme: Theme) -> Vec<Motif> {
    let line = line(start, moves);
    let found = motif::find_unlabelled(&line).into_iter().filter(|motif| motif.theme == theme);
    found.filter(|motif| proof::prove(motif, &line, &mut Tables::default()).is_some()).collect()
}

#[test]
fn an_overloaded_defender_guards_two_things_at_once() {
    // The king's rook alone guards both the knight on e8 and the bishop on f5.
    let position = fen("4nr1k/6pp/8/5b2/8/8/8/K3RR2 w - - 0 1");
    let found = proved(&position, "Rxe8 Rxe8 Rxf5", Theme::Overloading);
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].targets.iter().map(ToString::to_string).collect::<Vec<_>>(), ["f8", "e8", "f5"]);
    // With a second guard of the bishop, nothing is overloaded.
    let guarded = fen("4nr1k/6pp/6p1/5b2/8/8/8/K3RR2 w - - 0 1");
    assert!(proved(&guarded, "Rxe8 Rxe8 Rxf5 gxf5", Theme::Overloading).is_empty());
    // With a second guard of the knight, the first rook need not take back.
    let other = fen("r3nr1k/6pp/8/5b2/8/8/8/4RR1K w - - 0 1");
    assert!(proved(&other, "Rxe8 Raxe8 Rxf5", Theme::Overloading).is_empty());
}

#[test]
fn a_piece_pinned_to_the_queen_is_lost_if_leaving_would_cost_the_queen() {
    // The knight on f6 stands before the queen on d8; the pawn takes it.
    let position = fen("3qk3/4p3/5n2/8/4P3/8/1B6/4K2B w - - 0 1");
    assert!(proved(&position, "Bxf6 exf6", Theme::RelativePin).is_empty(), "it is only exchanged");
    let position = fen("3q2k1/5p1p/5n2/4P3/7B/8/8/6K1 w - - 0 1");
    let found = proved(&position, "Kg2 Kg7 exf6", Theme::RelativePin);
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0].targets.iter().map(ToString::to_string).collect::<Vec<_>>(), ["f6", "d8"]);
    // Without the queen behind it the knight could simply leave.
    let free = fen("1q4k1/5p1p/5n2/4P3/7B/8/8/6K1 w - - 0 1");
    assert!(proved(&free, "Kg2 Kg7 exf6", Theme::RelativePin).is_empty());
}

#[test]
fn a_line_that_does_not_fit_is_named_and_followed_as_far_as_it_goes() {
    let position = Chess::default();
    let game = ChessGame::default();
    let m = |text: &str| game.read_move(text).unwrap();
    let searched = |line: Vec<Move>| Searched { score: Score::DRAW, line };
    let of = |best: &Searched| {
        let subject = Subject { position: &position, before: None, best, played: best, thorough: false };
        review(&subject, &mut Tables::default())
    };
    let reviewed = of(&searched(vec![m("e4"), m("d4")])).unwrap();
    assert_eq!(reviewed.best.line.plies().len(), 1);
    let faults = reviewed.faults();
    assert!(
        faults[0].starts_with("the line of the best move: half-move 2 of the line, d2d4, is not legal in")
    );
    assert_eq!(faults.len(), 1);
    let mut later = ChessGame::default();
    later.apply(m("e4"));
    let error = of(&searched(vec![later.read_move("e5").unwrap()])).unwrap_err().to_string();
    assert!(error.starts_with("half-move 1 of the line, e7e5, is not legal in rnbqkbnr/"), "{error}");
    let error = of(&searched(Vec::new())).unwrap_err().to_string();
    assert!(error.contains("is empty"), "{error}");
}

#[test]
fn endgame_tables_say_what_a_move_throws_away() {
    // Only 1.Kb6 wins; the tables know, the search does not.
    let position = fen("k7/8/1K6/1P6/8/8/8/8 w - - 0 1");
    let game = ChessGame::from_position(position.clone(), shakmaty::CastlingMode::Standard);
    let (good, bad) = (game.read_move("Ka6").unwrap(), game.read_move("Kc7").unwrap());
    let searched = |m| Searched { score: Score::cp(300), line: vec![m] };
    let mut tables = Tables(vec![(bad, TablebaseResult::Draw), (good, TablebaseResult::Win)]);
    let subject = Subject {
        position: &position,
        before: None,
        best: &searched(bad),
        played: &searched(bad),
        thorough: false,
    };
    let reviewed = review(&subject, &mut tables).unwrap();
    assert!(reviewed.verdict.is_bad(), "{:?}", reviewed.verdict);
    let said = text::text(&reviewed, true);
    assert!(
        said.starts_with("1.Kc7?? throws the win away: the ending is drawn, by the endgame tables. 1.Ka6"),
        "{said}"
    );
    let subject = Subject { played: &searched(good), best: &searched(good), ..subject };
    let said = text::text(&review(&subject, &mut tables).unwrap(), true);
    assert_eq!(said, "1.Ka6 wins, by the endgame tables; other moves only draw.");
}
