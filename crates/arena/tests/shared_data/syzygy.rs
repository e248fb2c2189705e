//! Tablebases of the agent `engine`, in a match on this machine and on a worker.

use std::path::{Path, PathBuf};
use std::time::Duration;

use shakmaty::Color;
use tabia_arena::driver::{Launcher, PlayerFactory};
use tabia_arena::tournament::chess::openings::fingerprint;
use tabia_arena::tournament::chess::{
    ChessMatch, Concurrency, Entrant, MatchExecutor, OpeningSettings, Order, Origin, Settings, TimeControl,
    tablebases,
};
use tabia_arena::tournament::{Format, GameTask};
use tabia_core::{Catalogue, Outcome, Reason, Stop};
use tabia_games::GameRecord;
use tabia_games::openings::{Opening, Openings};
use tabia_grid::{Executor, SharedFiles};
use tabia_search::agents::{self, AgentFiles};

use super::data;

/// Bishop and knight against a bare king: 33 moves to mate, which no search of one ply finds.
const BISHOP_AND_KNIGHT: &str = "7k/8/8/8/8/8/1N6/KB6 w - - 0 1";

fn tables() -> String {
    data("syzygy/3-4").display().to_string()
}

fn opening() -> Openings {
    let opening = Opening { start: Some(BISHOP_AND_KNIGHT.to_owned()), ..Opening::default() };
    Openings::of(vec![opening]).unwrap()
}

/// Two games between an engine with tablebases and the same engine without, each with White once.
fn settings() -> Settings {
    let entrant = |name: &str, spec: String| Entrant {
        name: name.to_owned(),
        spec,
        time_control: TimeControl::Own,
        anchor: None,
    };
    Settings {
        seed: 1,
        format: Format::RoundRobin,
        games: 2,
        ponder: false,
        margin_ms: 0,
        stall_ms: 600_000,
        max_moves: Some(200),
        syzygy: None,
        draw: None,
        resign: None,
        openings: OpeningSettings {
            source: "test".to_owned(),
            order: Order::Sequential,
            plies: None,
            count: 1,
            sha256: fingerprint(&opening()),
        },
        sprt: None,
        agents: vec![
            entrant("tables", format!("engine(depth=1,hash=1,syzygy={})", tables())),
            entrant("none", "engine(depth=1,hash=1)".to_owned()),
        ],
    }
}

fn factory(files: AgentFiles) -> PlayerFactory {
    let mut catalogue = Catalogue::default();
    catalogue.add(agents::entries_with(files));
    PlayerFactory::new(catalogue, Launcher::plain(), false, Duration::from_mins(10))
}

fn files() -> AgentFiles {
    AgentFiles::new(|path| std::fs::read_to_string(path))
}

fn chess_match() -> ChessMatch {
    ChessMatch::new(settings(), factory(files()), &opening(), None, &Origin::default()).unwrap()
}

/// With tablebases White mates; without, the king escapes.
fn check(with_tables: &GameRecord, without: &GameRecord) {
    assert_eq!((with_tables.white.as_str(), without.white.as_str()), ("tables", "none"));
    assert_eq!(with_tables.outcome, Some(Outcome::win(Color::White, Reason::Checkmate)));
    assert_eq!(without.outcome.unwrap().winner, None);
}

#[test]
#[ignore = "needs public data: make test-data"]
fn an_engine_with_tablebases_mates_where_one_without_does_not() {
    let mut records = Vec::new();
    let concurrency = Concurrency { workers: 1, pinned: false };
    let played = chess_match().play(concurrency, None, &Stop::new(), &mut |progress| {
        records.extend(progress.ended.map(|(pairing, record)| (pairing.game, record.clone())));
    });
    assert_eq!(played.unwrap().result.games_played, 2);
    records.sort_by_key(|(game, _)| *game);
    check(&records[0].1, &records[1].1);
}

/// A directory with links to some of the tables.
fn linked(name: &str, keep: impl Fn(&Path) -> bool) -> PathBuf {
    let directory = std::env::temp_dir().join(format!("tabia-syzygy-{}-{name}", std::process::id()));
    let _ = std::fs::remove_dir_all(&directory);
    std::fs::create_dir(&directory).unwrap();
    for file in std::fs::read_dir(data("syzygy/3-4")).unwrap().map(|entry| entry.unwrap().path()) {
        if keep(&file) {
            let file = std::fs::canonicalize(file).unwrap();
            std::os::unix::fs::symlink(&file, directory.join(file.file_name().unwrap())).unwrap();
        }
    }
    directory
}

fn worker(shared: &SharedFiles, own: &Path) -> Result<MatchExecutor, String> {
    let own = own.display().to_string();
    let (lists, directories) = (shared.clone(), own.clone());
    let open = move |paths: &str| tablebases::open_shared(&lists, Some(&directories), paths);
    MatchExecutor::new(shared, Some(&own), |_| factory(files().with_tables(std::sync::Arc::new(open))))
}

#[test]
#[ignore = "needs public data: make test-data"]
fn a_worker_uses_its_own_copy_of_the_tablebases_that_a_match_names() {
    let shared = tablebases::share_list(chess_match().shared(), &tables()).unwrap();
    let own = linked("all", |_| true);
    let mut worker = worker(&shared, &own).unwrap();
    let mut play = |game| worker.perform(&GameTask { game }, &Stop::new()).unwrap().unwrap().record;
    check(&play(0), &play(1));
    std::fs::remove_dir_all(own).unwrap();
}

#[test]
#[ignore = "needs public data: make test-data"]
fn a_worker_with_other_tablebases_refuses_the_match() {
    let shared = tablebases::share_list(chess_match().shared(), &tables()).unwrap();
    let own = linked("some", |file| !file.to_string_lossy().contains("KBNvK"));
    let error = worker(&shared, &own).err().unwrap();
    assert!(error.contains("2 are missing and 0 too many, such as KBNvK.rtbw"), "{error}");
    std::fs::remove_dir_all(own).unwrap();
}
