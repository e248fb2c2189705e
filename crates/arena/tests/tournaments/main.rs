//! Matches from end to end: agents of ours, engines that misbehave in every way we know, and what is left behind.

mod faults;
mod live;
mod repeating;

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use tabia_arena::driver::{Launcher, PlayerFactory, entries};
use tabia_arena::tournament::chess::chess_match::FinishedMatch;
use tabia_arena::tournament::chess::openings::fingerprint;
use tabia_arena::tournament::chess::{
    ChessMatch, Concurrency, Entrant, OpeningSettings, Order, Origin, Settings,
};
use tabia_arena::tournament::{Format, Progress, TournamentError};
use tabia_core::{Agent, AgentEntry, AgentError, Catalogue, ChessGame, Limits, SearchInfo, Stop};
use tabia_games::GameRecord;
use tabia_games::openings::Openings;
use tabia_games::pgn;
use tabia_run::RunDirectory;

const CONCURRENCY: Concurrency = Concurrency { workers: 4, pinned: false };

/// A directory of this test run's own.
fn directory(name: &str) -> PathBuf {
    static COUNT: AtomicUsize = AtomicUsize::new(0);
    let number = COUNT.fetch_add(1, Ordering::Relaxed);
    let path = std::env::temp_dir().join(format!("tabia-tournament-{}-{number}-{name}", std::process::id()));
    let _ = std::fs::remove_dir_all(&path);
    path
}

/// An agent with a fault.
struct Broken;

impl Agent<ChessGame> for Broken {
    fn choose(
        &mut self,
        _: &ChessGame,
        _: &Limits,
        _: &Stop,
        _: &mut dyn FnMut(&SearchInfo<shakmaty::Move>),
    ) -> Result<shakmaty::Move, AgentError> {
        panic!("a fault on purpose")
    }
}

fn catalogue() -> Catalogue<ChessGame> {
    let mut catalogue = Catalogue::default();
    catalogue.add(tabia_search::agents::entries(|path| std::fs::read_to_string(path)));
    catalogue.add(entries::entries(&Launcher::plain()));
    catalogue.add([AgentEntry {
        name: "broken",
        summary: "panics",
        options: Vec::new(),
        build: Box::new(|_| Ok(Box::new(Broken))),
    }]);
    catalogue
}

/// A match of these agents, each `name=spec` or a spec, with this limit.
fn settings(agents: &[&str], time_control: &str, games: usize, openings: &Openings) -> Settings {
    let entrant = |text: &&str| {
        let split = text.find('=').filter(|at| text.find('(').is_none_or(|paren| *at < paren));
        let (name, spec) = split.map_or((*text, *text), |at| (&text[..at], &text[at + 1..]));
        Entrant {
            name: name.to_owned(),
            spec: spec.to_owned(),
            time_control: time_control.parse().unwrap(),
            anchor: None,
        }
    };
    Settings {
        seed: 7,
        format: Format::RoundRobin,
        games,
        ponder: false,
        margin_ms: 0,
        // Longer than any machine is busy: only a test of silence waits for it, with a limit of its own.
        stall_ms: 600_000,
        max_moves: Some(200),
        syzygy: None,
        draw: None,
        resign: None,
        openings: OpeningSettings {
            source: "test".to_owned(),
            order: Order::Random,
            plies: None,
            count: openings.len(),
            sha256: fingerprint(openings),
        },
        sprt: None,
        agents: agents.iter().map(entrant).collect(),
    }
}

fn factory(settings: &Settings) -> PlayerFactory {
    PlayerFactory::new(
        catalogue(),
        Launcher::plain(),
        settings.ponder,
        Duration::from_millis(settings.stall_ms),
    )
}

fn chess_match(
    settings: &Settings,
    openings: &Openings,
    run: Option<&Path>,
) -> Result<ChessMatch, TournamentError> {
    let origin = Origin { version: "test".to_owned(), date: Some("2024.01.15".to_owned()) };
    ChessMatch::new(settings.clone(), factory(settings), openings, run, &origin)
}

fn resumed(
    settings: &Settings,
    openings: &Openings,
    run: &Path,
    version: &str,
) -> Result<ChessMatch, TournamentError> {
    let (directory, manifest) = RunDirectory::open(run)?;
    let origin = Origin { version: version.to_owned(), date: None };
    ChessMatch::resume(directory, &manifest, settings.clone(), factory(settings), openings, &origin)
}

/// Plays to the end, and gives all records beside the result.
fn play(chess_match: ChessMatch, concurrency: Concurrency) -> (FinishedMatch, Vec<GameRecord>) {
    let mut records = Vec::new();
    let played = chess_match
        .play(concurrency, None, &Stop::new(), &mut |progress: &Progress<'_>| {
            records.extend(progress.ended.map(|(_, record)| record.clone()));
        })
        .unwrap();
    (played, records)
}

#[test]
fn two_agents_play_every_opening_with_both_colours() {
    let openings = Openings::built_in();
    let file = directory("pair.pgn");
    let settings = settings(&["random", "b=random(seed=3)"], "own", 12, &openings);
    let chess_match = chess_match(&settings, &openings, None).unwrap().with_pgn(Some(file.clone()));
    let (played, records) = play(chess_match, CONCURRENCY);
    assert_eq!((played.result.games_played, records.len()), (12, 12));
    assert_eq!(played.result.summary.games, 12);
    assert_eq!(played.result.summary.pentanomial.iter().sum::<u64>(), 6);
    assert_eq!(played.result.ending, "complete");

    let (games, faults) = pgn::read_all(&file, false).unwrap();
    assert!(faults.is_empty(), "{faults:?}");
    assert_eq!(games.len(), 12);
    for pair in games.chunks(2) {
        assert_eq!((&pair[0].white, &pair[0].black), (&pair[1].black, &pair[1].white));
        assert_eq!(pair[0].tag("Opening"), pair[1].tag("Opening"));
        assert!(pair[0].tag("Opening").is_some());
        assert_ne!(pair[0].plies, pair[1].plies, "random players differ from game to game");
    }
}

#[test]
fn everybody_meets_everybody_and_is_rated() {
    let openings = Openings::built_in();
    let agents = ["alphabeta(depth=1)", "random", "c=random(seed=9)"];
    let settings = settings(&agents, "own", 4, &openings);
    let (played, _) = play(chess_match(&settings, &openings, None).unwrap(), CONCURRENCY);
    assert_eq!(played.result.crosstable.len(), 3);
    assert_eq!(played.result.games_played, 12);
    assert_eq!(played.result.summary.games, 8, "seen by the first, over all its games");
    assert_eq!(played.result.ratings.players.len(), 3);
}

#[test]
fn settings_that_cannot_be_are_refused() {
    let openings = Openings::standard_start();
    let refused = |settings: &Settings| chess_match(settings, &openings, None).err().unwrap().to_string();
    let good = settings(&["random", "b=random"], "own", 2, &openings);
    assert!(refused(&Settings { games: 0, ..good.clone() }).contains("no games"));
    assert!(refused(&Settings { ponder: true, ..good.clone() }).contains("needs a clock"));
    assert!(refused(&settings(&["random"], "own", 2, &openings)).contains("two agents"));
    assert!(refused(&settings(&["random", "random"], "own", 2, &openings)).contains("called \"random\""));
    assert!(refused(&settings(&["random", "randum"], "own", 2, &openings)).contains("did you mean"));
    assert!(
        refused(&Settings { syzygy: Some("/no/such/place".to_owned()), ..good }).contains("/no/such/place")
    );
}
