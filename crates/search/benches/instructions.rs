//! What the parts of the strong search cost, in instructions.
//!
//! Instructions are counted by valgrind, so a count is the same on a busy machine and on an idle one, and a
//! change of one per cent can be seen. What they cannot see, waiting for memory above all, the wall clock must
//! tell: `tabia bench`, and the benchmark `position` beside this one.
//!
//! Each benchmark goes once over the positions of `tabia bench` and their successors; how many moves, positions or
//! nodes that makes is printed first, so that a count can be divided by it. shakmaty does the same work beside the
//! engine's position where it can. How to run it, and what came out: `docs/benchmarks.md`.

#![allow(missing_docs, reason = "the harness's macros make public items without a word")]

use std::hint::black_box;

use gungraun::{library_benchmark, library_benchmark_group};
use shakmaty::{Chess, EnPassantMode, Move, Position as _, zobrist::Zobrist64};
use tabia_core::{ChessGame, Limits, Stop};
use tabia_eval::axiomx::Axiomx;
use tabia_eval::axiomx_speed::AxiomxSpeed;
use tabia_eval::axon::Axon;
use tabia_eval::chromosome::Chromosome;
use tabia_eval::simple::{Aggressive, MatMob, Material};
use tabia_eval::{Evaluate, pst::Pst};
use tabia_search::bench::POSITIONS;
use tabia_search::classic::{self, Classic};
use tabia_search::engine::moves::{Move as PackedMove, MoveList};
use tabia_search::engine::position::Position;
use tabia_search::engine::{Engine, Settings};

/// Depth of the searches: deep enough for every kind of pruning, and a second or two under valgrind.
const SEARCH_DEPTH: u32 = 8;

const OPENING: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const MIDDLEGAME: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 10";
const ENDGAME: &str = "8/8/1p1r1k2/p1pPN1p1/P3KnP1/1P6/8/3R4 b - - 0 42";

// What the benchmarks work on. All of it is leaked, so that none of them counts the freeing of it.

fn chesses() -> &'static [Chess] {
    let mut chesses: Vec<Chess> = POSITIONS.iter().map(|fen| game(fen).position().clone()).collect();
    for index in 0..chesses.len() {
        for m in chesses[index].legal_moves() {
            let mut next = chesses[index].clone();
            next.play_unchecked(m);
            chesses.push(next);
        }
    }
    chesses.leak()
}

fn positions() -> &'static [Position] {
    chesses().iter().map(Position::new).collect::<Vec<_>>().leak()
}

type Moves<P, M> = &'static [(P, Vec<M>)];

fn shakmaty_moves() -> Moves<Chess, Move> {
    chesses().iter().map(|chess| (chess.clone(), chess.legal_moves().to_vec())).collect::<Vec<_>>().leak()
}

fn engine_moves() -> Moves<Position, PackedMove> {
    listed(Position::generate_all)
}

fn captures() -> Moves<Position, PackedMove> {
    let mut captures = listed(Position::generate_noisy).to_vec();
    for (position, moves) in &mut captures {
        moves.retain(|mv| position.is_capture(*mv));
    }
    captures.leak()
}

fn listed(generate: fn(&Position, &mut MoveList)) -> Moves<Position, PackedMove> {
    let moves = |position: &Position| {
        let mut list = MoveList::new();
        generate(position, &mut list);
        list.iter().map(|scored| scored.mv).collect()
    };
    positions().iter().map(|position| (position.clone(), moves(position))).collect::<Vec<_>>().leak()
}

fn game(fen: &str) -> ChessGame {
    ChessGame::from_fen(fen).expect("the benchmarks' positions are legal")
}

fn search_of<E: Evaluate>(fen: &str, evaluation: E) -> (Engine<E>, ChessGame) {
    let settings = Settings { hash_mb: 1, ..Settings::default() };
    (Engine::new(evaluation, settings), game(fen))
}

/// Searches, and gives the engine back so that taking it down is not counted.
fn search_to_depth<E: Evaluate>((mut engine, game): (Engine<E>, ChessGame)) -> (Engine<E>, u64) {
    let found = engine.search(&game, &Limits::depth(SEARCH_DEPTH), &Stop::new(), &mut |_| {});
    (engine, found.map_or(0, |found| found.nodes))
}

fn textbook_of<E: Evaluate>(evaluation: E, settings: classic::Settings) -> (Classic<E>, Vec<ChessGame>) {
    (Classic::new(evaluation, settings), POSITIONS.iter().map(|fen| game(fen)).collect())
}

/// The textbook search over all positions, each afresh; it and they are given back for the same reason.
fn search_by_textbook<E: Evaluate>(
    (mut search, games): (Classic<E>, Vec<ChessGame>),
) -> (Classic<E>, Vec<ChessGame>, u64) {
    let mut nodes = 0;
    for game in &games {
        search.forget();
        let found = search.search(game, &Limits::default(), &Stop::new(), &mut |_| {});
        nodes += found.map_or(0, |found| found.counts.all_nodes());
    }
    (search, games, nodes)
}

#[library_benchmark]
#[bench::all(setup = engine_moves)]
fn make_by_engine(moves: Moves<Position, PackedMove>) -> u64 {
    let mut keys = 0;
    for (position, moves) in moves {
        for mv in moves {
            keys ^= black_box(position.after(*mv)).key();
        }
    }
    keys
}

// The whole price of a successor that a table can be asked about: a copy, the move, the hash.
#[library_benchmark]
#[bench::all(setup = shakmaty_moves)]
fn make_by_shakmaty(moves: Moves<Chess, Move>) -> u64 {
    let mut keys = 0;
    for (chess, moves) in moves {
        for m in moves {
            let mut next = chess.clone();
            next.play_unchecked(*m);
            keys ^= black_box(next).zobrist_hash::<Zobrist64>(EnPassantMode::Legal).0;
        }
    }
    keys
}

#[library_benchmark]
#[bench::noisy(args = (Position::generate_noisy), setup = with_positions)]
#[bench::quiet(args = (Position::generate_quiet), setup = with_positions)]
#[bench::all(args = (Position::generate_all), setup = with_positions)]
fn list_by_engine((positions, generate): (&[Position], Generate)) -> usize {
    positions
        .iter()
        .map(|position| {
            let mut list = MoveList::new();
            generate(position, &mut list);
            black_box(&list).len()
        })
        .sum()
}

type Generate = fn(&Position, &mut MoveList);

fn with_positions(generate: Generate) -> (&'static [Position], Generate) {
    (positions(), generate)
}

#[library_benchmark]
#[bench::all(setup = chesses)]
fn list_by_shakmaty(chesses: &[Chess]) -> usize {
    chesses.iter().map(|chess| black_box(chess.legal_moves()).len()).sum()
}

#[library_benchmark]
#[bench::material(args = (Material), setup = beside_positions)]
#[bench::mat_mob(args = (MatMob), setup = beside_positions)]
#[bench::aggressive(args = (Aggressive), setup = beside_positions)]
#[bench::axiomx_speed(args = (AxiomxSpeed), setup = beside_positions)]
#[bench::axiomx(args = (Axiomx::default()), setup = beside_positions)]
#[bench::axon(args = (Axon::default()), setup = beside_positions)]
#[bench::chromosome(args = (Chromosome::default()), setup = beside_positions)]
#[bench::pst(args = (Pst), setup = beside_positions)]
fn evaluate<E: Evaluate>((positions, mut evaluation): (&[Position], E)) -> i32 {
    positions.iter().map(|position| black_box(evaluation.evaluate(black_box(position).view())).raw()).sum()
}

fn beside_positions<E: Evaluate>(evaluation: E) -> (&'static [Position], E) {
    (positions(), evaluation)
}

#[library_benchmark]
#[bench::captures(setup = captures)]
fn see(captures: Moves<Position, PackedMove>) -> usize {
    captures
        .iter()
        .map(|(position, moves)| moves.iter().filter(|mv| position.see_at_least(black_box(**mv), 0)).count())
        .sum()
}

#[library_benchmark]
#[bench::opening(args = (OPENING, Pst), setup = search_of)]
#[bench::middlegame(args = (MIDDLEGAME, Pst), setup = search_of)]
#[bench::endgame(args = (ENDGAME, Pst), setup = search_of)]
#[bench::opening_axon(args = (OPENING, Axon::default()), setup = search_of)]
#[bench::middlegame_axon(args = (MIDDLEGAME, Axon::default()), setup = search_of)]
#[bench::endgame_axon(args = (ENDGAME, Axon::default()), setup = search_of)]
fn search<E: Evaluate>(search: (Engine<E>, ChessGame)) -> (Engine<E>, u64) {
    search_to_depth(search)
}

#[library_benchmark]
#[bench::axiomx_speed(args = (AxiomxSpeed, classic::Settings::AXIOMX_SPEED), setup = textbook_of)]
#[bench::axiomx(args = (Axiomx::default(), classic::Settings::AXIOMX), setup = textbook_of)]
#[bench::alphabeta(args = (MatMob, classic::Settings::ALPHABETA), setup = textbook_of)]
fn textbook<E: Evaluate>(search: (Classic<E>, Vec<ChessGame>)) -> (Classic<E>, Vec<ChessGame>, u64) {
    search_by_textbook(search)
}

library_benchmark_group!(name = make_move, benchmarks = [make_by_engine, make_by_shakmaty]);
library_benchmark_group!(name = move_generation, benchmarks = [list_by_engine, list_by_shakmaty]);
library_benchmark_group!(name = evaluation, benchmarks = [evaluate]);
library_benchmark_group!(name = exchanges, benchmarks = [see]);
library_benchmark_group!(name = searches, benchmarks = [search, textbook]);

/// gungraun's own `main`, under another name.
mod harness {
    use super::{evaluation, exchanges, make_move, move_generation, searches};

    gungraun::main!(library_benchmark_groups = make_move, move_generation, evaluation, exchanges, searches);

    pub fn run() {
        main();
    }
}

/// `cargo test --all-targets` runs this too, and must not need valgrind: only what `cargo bench` says counts, and
/// what the harness says to itself.
fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let inside = arguments.first().is_some_and(|first| first == "--gungraun-run");
    if inside || arguments.iter().any(|argument| argument == "--bench") {
        if !inside {
            print_counts();
        }
        harness::run();
    }
}

/// How often each benchmark does what it is named for.
fn print_counts() {
    let sum = |moves: Moves<Position, PackedMove>| moves.iter().map(|(_, moves)| moves.len()).sum::<usize>();
    println!("{:>8} moves made", sum(engine_moves()));
    println!("{:>8} positions listed, and evaluated", positions().len());
    println!("{:>8} captures weighed", sum(captures()));
    for (name, fen) in [("opening", OPENING), ("middlegame", MIDDLEGAME), ("endgame", ENDGAME)] {
        println!("{:>8} nodes searched, {name}", search_to_depth(search_of(fen, Pst)).1);
        println!("{:>8} nodes searched, {name}, axon", search_to_depth(search_of(fen, Axon::default())).1);
    }
    let speed = search_by_textbook(textbook_of(AxiomxSpeed, classic::Settings::AXIOMX_SPEED)).2;
    let axiomx = search_by_textbook(textbook_of(Axiomx::default(), classic::Settings::AXIOMX)).2;
    let alphabeta = search_by_textbook(textbook_of(MatMob, classic::Settings::ALPHABETA)).2;
    println!("{speed:>8} nodes of the textbook search, axiomx-speed");
    println!("{axiomx:>8} nodes of the textbook search, axiomx");
    println!("{alphabeta:>8} nodes of the textbook search, alphabeta");
}
