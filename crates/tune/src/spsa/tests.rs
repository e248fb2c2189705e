//! SPSA finds what wins, repeats itself to the bit, and refuses what cannot be tuned.

use super::*;

fn settings() -> Settings {
    Settings {
        evaluation: "material".to_owned(),
        nodes: 60,
        iterations: 4,
        pairs: 3,
        numbers: vec!["lmr_base".to_owned(), "null_base".to_owned()],
        ..Settings::default()
    }
}

fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("tabia-spsa-{name}-{}", std::process::id()));
    let _ = fs::remove_dir_all(&folder);
    folder
}

fn whole_run(name: &str, threads: usize, interrupted: bool) -> State {
    let folder = folder(name);
    let mut run = Run::open(&folder, "1", settings()).unwrap();
    if interrupted {
        let stop = Stop::new();
        run.run_to_end(threads, &stop, &mut |run| {
            if run.state().iterations == 2 {
                stop.stop();
            }
        })
        .unwrap();
        assert_eq!(run.state().iterations, 2, "what was finished before is kept, and nothing else");
        drop(run);
        run = Run::open(&folder, "1", settings()).unwrap();
        assert_eq!(run.state().iterations, 2);
    }
    run.run_to_end(threads, &Stop::new(), &mut |_| {}).unwrap();
    let state = run.state().clone();
    drop(run);
    fs::remove_dir_all(&folder).unwrap();
    state
}

#[test]
fn a_run_is_the_same_on_any_number_of_threads_and_after_an_interruption() {
    let plain = whole_run("plain", 1, false);
    assert_eq!(plain.iterations, 4);
    assert_eq!(plain.results.iter().sum::<u64>(), 4 * 3 * 2);
    assert_eq!(plain, whole_run("threads", 3, false));
    assert_eq!(plain, whole_run("interrupted", 2, true));
}

#[test]
fn numbers_go_where_games_are_won() {
    // A game in which whoever is nearer to a secret is likelier to win, as in chess whoever searches better.
    let folder = folder("secret");
    let requested = Settings { iterations: 400, step: 0.03, numbers: Vec::new(), ..settings() };
    let mut run = Run::open(&folder, "1", requested).unwrap();
    let declarations = run.declarations().to_vec();
    let range = |known: &Declaration| f64::from(known.max - known.min);
    let secret: Vec<f64> =
        declarations.iter().map(|known| f64::from(known.min) + 0.75 * range(known)).collect();
    let distance = |numbers: &[f64]| -> f64 {
        let apart = |((number, secret), known): ((&f64, &f64), &Declaration)| {
            ((number - secret) / range(known)).powi(2)
        };
        numbers.iter().zip(&secret).zip(&declarations).map(apart).sum()
    };
    let values = |params: &Params| -> Vec<f64> {
        declarations.iter().map(|known| f64::from(params.get(known.name).unwrap())).collect()
    };
    let mut random = seed::random(7);
    let before = distance(&run.state().numbers);
    for _ in 0..400 {
        let played = run.iterate(|_, [plus, minus], _| {
            let elo = 300.0 * (distance(&values(&minus)) - distance(&values(&plus)));
            let chance = 1.0 / (1.0 + 10f64.powf(-elo / 400.0));
            let won = (0..16).filter(|_| random.random_bool(chance)).count() as u64;
            Ok(Some([won, 0, 16 - won]))
        });
        assert!(played.unwrap());
    }
    let after = distance(&run.state().numbers);
    assert!(after < before / 2.0, "{before} before, {after} after");
    assert_eq!(run.state().trail.len(), 101);
    drop(run);
    fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn what_cannot_be_tuned_is_refused_with_the_reason() {
    let error = |change: fn(&mut Settings)| {
        let mut requested = settings();
        change(&mut requested);
        requested.declarations().unwrap_err().to_string()
    };
    assert!(error(|s| s.numbers = vec!["lmr_bse".to_owned()]).contains("did you mean \"lmr_base\"?"));
    assert!(error(|s| s.numbers.push("lmr_base".to_owned())).contains("named twice"));
    assert!(error(|s| s.pairs = 0).contains("pairs is 0, expected at least 1"));
    assert!(error(|s| s.change = 0.0).contains("change is 0, expected a share"));
    assert!(error(|s| s.evaluation = "nobody".to_owned()).contains("nobody"));
}

#[test]
fn a_broken_state_is_said_to_be_one() {
    let folder = folder("broken");
    drop(Run::open(&folder, "1", settings()).unwrap());
    fs::write(folder.join(STATE), "{}").unwrap();
    let error = Run::open(&folder, "1", settings()).unwrap_err().to_string();
    assert!(error.contains("state.json is damaged"), "{error}");
    fs::remove_dir_all(&folder).unwrap();
}
