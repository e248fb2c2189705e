//! Evolutions through the public interface: what repeats, what is refused, what is kept.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use tabia_core::{Catalogue, ChessGame, Stop};
use tabia_evolve::exam::{self, Candidate, ExamSettings};
use tabia_evolve::positions::{self, LabelledPosition};
use tabia_evolve::task::{GameTask, Opponent, TaskKind};
use tabia_evolve::{
    Evolution, Fitness, GameSettings, OpeningSettings, PositionSettings, SearchSettings, Settings, TableRule,
    Task, TaskExecutor, TaskResult, local_grid, read_weights,
};
use tabia_grid::{Grid, GridError, Ledger, Local, Verdict};

const VERSION: &str = "test";

fn agents() -> Catalogue<ChessGame> {
    let mut agents = Catalogue::default();
    agents.add(tabia_search::agents::entries(|path| fs::read_to_string(path)));
    agents
}

fn folder(name: &str) -> PathBuf {
    static NUMBER: AtomicUsize = AtomicUsize::new(0);
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}-{}-{number}", std::process::id()));
    let _ = fs::remove_dir_all(&path);
    path
}

/// Short games against a player that needs no time to think.
fn games(games: u32, rivals: u32, hall: u32) -> GameSettings {
    let opening = OpeningSettings { plies: 6, depth: 1, random_plies: 4, ..OpeningSettings::by("random") };
    GameSettings {
        opponent: "random".to_owned(),
        games,
        rivals,
        hall,
        opening,
        max_plies: 30,
        ..GameSettings::default()
    }
}

fn small(fitness: Fitness) -> Settings {
    Settings {
        population: 5,
        generations: 3,
        search: SearchSettings::plain(1, 0),
        fitness,
        ..Settings::default()
    }
}

/// Every file of a run, by name.
fn files(path: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(path).unwrap().map(Result::unwrap);
    entries.map(|entry| (entry.file_name().into_string().unwrap(), fs::read(entry.path()).unwrap())).collect()
}

#[track_caller]
fn assert_same(a: &Path, b: &Path) {
    let (a, b) = (files(a), files(b));
    assert_eq!(a.keys().collect::<Vec<_>>(), b.keys().collect::<Vec<_>>());
    for (name, bytes) in &a {
        assert!(bytes == &b[name], "{name} differs");
    }
}

fn evolve(path: &Path, settings: &Settings, threads: usize) {
    let agents = agents();
    let mut evolution = Evolution::start(path, settings.clone(), VERSION).unwrap();
    let outcome = evolution.run(&local_grid(threads, &agents), &Stop::new(), &mut |_| {}).unwrap();
    assert_eq!(outcome.unwrap().generations, settings.generations);
}

/// A grid that fails after some results, as one does whose machine is switched off.
struct Failing<'a> {
    left: Cell<usize>,
    grid: Local<'a, Task>,
}

impl Grid<Task> for Failing<'_> {
    fn run(&self, tasks: &[Task], stop: &Stop, ledger: &mut dyn Ledger<Task>) -> Result<(), GridError> {
        let mut cut = None;
        self.grid.run(tasks, stop, &mut |place: usize, done: TaskResult| {
            if self.left.get() == 0 {
                cut = Some(GridError::Failed { id: done.id, why: "power cut".to_owned() });
                return Verdict::Enough;
            }
            self.left.set(self.left.get() - 1);
            ledger.done(place, done)
        })?;
        cut.map_or(Ok(()), Err)
    }
}

#[test]
fn the_same_seed_gives_the_same_bytes_on_any_number_of_threads() {
    let settings = small(Fitness::Game(games(1, 1, 1)));
    let (one, three) = (folder("one"), folder("three"));
    evolve(&one, &settings, 1);
    evolve(&three, &settings, 3);
    assert_same(&one, &three);
    let other = folder("other");
    evolve(&other, &Settings { seed: 2, ..settings }, 1);
    assert_ne!(files(&one)["champion.json"], files(&other)["champion.json"]);
}

#[test]
fn an_evolution_that_was_cut_off_anywhere_ends_as_if_it_had_not_been() {
    let settings = small(Fitness::Game(games(1, 0, 1)));
    let whole = folder("whole");
    evolve(&whole, &settings, 2);
    let agents = agents();
    // In the first generation, at its end, in the second, in the last.
    for results in [0, 3, 10, 14, 29] {
        let path = folder("cut");
        let cut = Failing { left: Cell::new(results), grid: local_grid(2, &agents) };
        let mut evolution = Evolution::start(&path, settings.clone(), VERSION).unwrap();
        evolution.run(&cut, &Stop::new(), &mut |_| {}).unwrap_err();
        drop(evolution);
        // The line that was being written.
        let journal = path.join("tasks.jsonl");
        let mut text = fs::read(&journal).unwrap();
        text.extend(b"{\"id\":\"g0-i");
        fs::write(&journal, text).unwrap();
        let mut evolution = Evolution::resume(&path, settings.clone(), VERSION).unwrap();
        evolution.run(&local_grid(1, &agents), &Stop::new(), &mut |_| {}).unwrap().unwrap();
        drop(evolution);
        assert_same(&whole, &path);
    }
}

#[test]
fn a_stopped_evolution_says_so_and_a_finished_one_stays_finished() {
    let settings = small(Fitness::Game(games(1, 0, 0)));
    let (path, agents, stop) = (folder("stopped"), agents(), Stop::new());
    let grid = local_grid(1, &agents);
    let mut evolution = Evolution::start(&path, settings.clone(), VERSION).unwrap();
    let stopped = evolution.run(&grid, &stop, &mut |progress| {
        if progress.generation == 1 {
            stop.stop();
        }
    });
    assert_eq!(stopped.unwrap(), None);
    drop(evolution);
    assert!(path.join("champion-0000.json").exists() && !path.join("result.json").exists());
    for _ in 0..2 {
        let mut evolution = Evolution::resume(&path, settings.clone(), VERSION).unwrap();
        assert!(evolution.run(&grid, &Stop::new(), &mut |_| {}).unwrap().is_some());
    }
    let whole = folder("unstopped");
    evolve(&whole, &settings, 1);
    assert_same(&whole, &path);
}

#[test]
fn a_run_is_not_taken_up_with_other_settings_or_by_two_at_once() {
    let settings = small(Fitness::Game(games(1, 0, 0)));
    let path = folder("other-settings");
    let evolution = Evolution::start(&path, settings.clone(), VERSION).unwrap();
    let said = |settings: &Settings, version| {
        Evolution::resume(&path, settings.clone(), version).unwrap_err().to_string()
    };
    let changed = Settings { population: 6, fitness: Fitness::Game(games(2, 0, 0)), ..settings.clone() };
    let text = said(&changed, VERSION);
    assert!(text.contains("population is 5 there and 6 here"), "{text}");
    assert!(text.contains("fitness.game.games is 1 there and 2 here"), "{text}");
    assert!(said(&settings, "newer").contains("version is \"test\" there and \"newer\" here"));
    assert!(said(&settings, VERSION).contains("another process"));
    let text = Evolution::start(&path, settings, VERSION).unwrap_err().to_string();
    assert!(text.contains("already holds a run"), "{text}");
    drop(evolution);
}

#[test]
fn what_cannot_be_meant_is_refused_with_the_reason() {
    let base = small(Fitness::Game(games(1, 0, 0)));
    let positions = |sample| {
        Fitness::Positions(PositionSettings {
            source: "x".to_owned(),
            count: 10,
            sha256: String::new(),
            sample,
        })
    };
    for (settings, reason) in [
        (Settings { population: 1, ..base.clone() }, "population of 1 cannot breed"),
        (Settings { population: 0, ..base.clone() }, "population of 0"),
        (Settings { generations: 0, ..base.clone() }, "no generation"),
        (Settings { elites: 5, ..base.clone() }, "5 elites leave no room"),
        (Settings { tournament: 1.5, ..base.clone() }, "tournament is a share"),
        (Settings { mutation_rate: f64::NAN, ..base.clone() }, "mutation rate is a share"),
        (Settings { mutation_strength: -1.0, ..base.clone() }, "mutation strength"),
        (Settings { search: SearchSettings::plain(0, 0), ..base.clone() }, "1 to 8 plies"),
        (Settings { fitness: Fitness::Game(games(0, 0, 0)), ..base.clone() }, "needs a game"),
        (Settings { fitness: Fitness::Game(games(0, 5, 0)), ..base.clone() }, "more rivals"),
        (Settings { fitness: positions(0), ..base.clone() }, "0 positions cannot be drawn"),
        (Settings { fitness: positions(11), ..base }, "11 positions cannot be drawn from the 10"),
    ] {
        let path = folder("refused");
        let text = Evolution::start(&path, settings, VERSION).unwrap_err().to_string();
        assert!(text.contains(reason), "{text}");
        assert!(!path.exists(), "nothing was made");
    }
}

#[test]
fn a_task_that_was_written_down_has_the_same_result() {
    let agents = agents();
    let genes = tabia_eval::chromosome::Phases::default().to_flat();
    let GameSettings { opening, .. } = games(1, 0, 0);
    let game = |rival| {
        TaskKind::Game(GameTask {
            seed: 7,
            opening: opening.clone(),
            white: false,
            opponent: rival,
            max_plies: 60,
        })
    };
    let list = positions::read(positions::BUILT_IN, 0).unwrap();
    for work in [
        game(Opponent::Agent { spec: "random".to_owned(), depth: 1 }),
        game(Opponent::Chromosome(genes.iter().map(|gene| gene / 3.0).collect())),
        TaskKind::Positions(positions::sample(&list, 5, 1)),
        TaskKind::Mentor(positions::sample(&list, 5, 1)),
    ] {
        let search = SearchSettings::plain(1, 2);
        let task = Task { id: "t".to_owned(), genes: genes.clone(), search, kind: work };
        let copy: Task = serde_json::from_str(&serde_json::to_string(&task).unwrap()).unwrap();
        assert_eq!(copy, task);
        let stop = Stop::new();
        let mut worker = TaskExecutor::new(&agents);
        let done = worker.perform(&task, &stop).unwrap().unwrap();
        assert_eq!(
            worker.perform(&copy, &stop).unwrap(),
            Some(done.clone()),
            "by one who has done it before"
        );
        assert_eq!(TaskExecutor::new(&agents).perform(&copy, &stop).unwrap(), Some(done), "by another");
    }
}

#[test]
fn an_opponent_that_cannot_play_ends_it_by_name() {
    let settings = small(Fitness::Game(GameSettings { opponent: "nobody".to_owned(), ..games(1, 0, 0) }));
    let agents = agents();
    let mut evolution = Evolution::start(&folder("nobody"), settings, VERSION).unwrap();
    let text = evolution.run(&local_grid(2, &agents), &Stop::new(), &mut |_| {}).unwrap_err().to_string();
    assert!(text.contains("nobody"), "{text}");
}

fn by_positions(kind: fn(PositionSettings) -> Fitness, sample: usize) -> Fitness {
    let source = positions::BUILT_IN.to_owned();
    let list = positions::read(&source, 1).unwrap();
    kind(PositionSettings { source, count: list.len(), sha256: positions::fingerprint(&list), sample })
}

#[test]
fn evolution_finds_what_a_mentor_thinks() {
    for (phases, tables) in [(false, TableRule::Free), (true, TableRule::Shape)] {
        let fitness = by_positions(Fitness::Mentor, 60);
        let settings = Settings { population: 24, generations: 12, phases, tables, ..small(fitness) };
        let path = folder("mentor");
        let agents = agents();
        let mut evolution = Evolution::start(&path, settings, VERSION).unwrap();
        let outcome = evolution.run(&local_grid(2, &agents), &Stop::new(), &mut |_| {}).unwrap().unwrap();
        assert!(outcome.mean > outcome.first[1] + 20.0, "{outcome:?}");
        let champion = read_weights(&path.join("champion.json")).unwrap();
        assert_eq!(champion.sets().len(), if phases { 3 } else { 1 });
    }
}

#[test]
fn right_moves_are_what_positions_count() {
    let mate = LabelledPosition {
        fen: "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1".to_owned(),
        moves: vec![("a1a8".to_owned(), 3), ("a1a7".to_owned(), 1)],
        score_cp: None,
    };
    let lost = LabelledPosition { moves: vec![("g1h1".to_owned(), 1)], ..mate.clone() };
    let agents = agents();
    let share = |list: Vec<LabelledPosition>| {
        let genes = tabia_eval::chromosome::Phases::default().to_flat();
        let search = SearchSettings::plain(1, 0);
        let task = Task { id: "t".to_owned(), genes, search, kind: TaskKind::Positions(list) };
        TaskExecutor::new(&agents).perform(&task, &Stop::new()).unwrap().unwrap().fitness
    };
    assert!((share(vec![mate.clone()]) - 1000.0).abs() < 1e-9);
    assert!((share(vec![mate, lost]) - 750.0).abs() < 1e-9);
}

#[test]
fn games_of_masters_and_suites_are_sources_of_positions() {
    let path = folder("sources");
    fs::create_dir_all(&path).unwrap();
    let moves = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O 9. h3 Nb8 10. d4 Nbd7 \
                 11. Nbd2 Bb7 12. Bc2 Re8 13. Nf1 Bf8 14. Ng3 g6 15. a4 c5 16. d5 c4 *";
    let pgn = path.join("games.pgn");
    fs::write(&pgn, format!("[White \"A\"]\n\n{moves}\n\n[White \"B\"]\n\n1. e4 e5 *\n")).unwrap();
    let found = positions::read(pgn.to_str().unwrap(), 1).unwrap();
    assert_eq!(found.len(), 1, "a game too short gives none");
    let game = ChessGame::from_fen(&found[0].fen).unwrap();
    assert!(game.read_move(&found[0].moves[0].0).is_ok());
    assert_eq!(positions::read(pgn.to_str().unwrap(), 1).unwrap(), found);

    let epd = path.join("suite.epd");
    let line = "6k1/5ppp/8/8/8/8/8/R5K1 w - -";
    fs::write(&epd, format!("{line} bm Ra8#; id \"one\";\n{line} ce 300;\n{line} id \"nothing known\";\n"))
        .unwrap();
    let found = positions::read(epd.to_str().unwrap(), 1).unwrap();
    assert_eq!(found.len(), 2);
    assert_eq!(found[0].moves, [("a1a8".to_owned(), 1)]);
    assert_eq!(found[1].score_cp, Some(300));
    let missing = positions::read("nowhere.epd", 1).unwrap_err().to_string();
    assert!(missing.contains("nowhere.epd"), "{missing}");
}

#[test]
fn the_built_in_positions_are_legal_quiet_and_labelled() {
    let list = positions::read(positions::BUILT_IN, 0).unwrap();
    assert!(list.len() >= 200, "{}", list.len());
    for position in &list {
        let game = ChessGame::from_fen(&position.fen).unwrap();
        let best = game.read_move(&position.moves[0].0).unwrap();
        assert!(!best.is_capture() && position.score_cp.is_some(), "{}", position.fen);
    }
}

#[test]
fn an_exam_counts_every_game_and_wants_pairs() {
    let agents = agents();
    let grid = local_grid(2, &agents);
    let candidate =
        Candidate { name: "centre".to_owned(), genes: tabia_eval::chromosome::Phases::default().to_flat() };
    let settings = |games| ExamSettings {
        games,
        search: SearchSettings::plain(1, 0),
        seed: 3,
        against: GameSettings { max_plies: 60, ..self::games(1, 0, 0) },
    };
    let examine = |games| {
        exam::examine(
            &grid,
            &[candidate.clone(), candidate.clone()],
            &settings(games),
            &Stop::new(),
            &mut |_, _| {},
        )
    };
    let marks = examine(4).unwrap().unwrap();
    assert_eq!(marks.len(), 2);
    assert_eq!(marks[0], marks[1], "the same chromosome in the same games");
    assert_eq!(marks[0].wins + marks[0].draws + marks[0].losses, 4);
    for odd in [0, 3] {
        assert!(examine(odd).unwrap_err().to_string().contains("even number"));
    }
}
