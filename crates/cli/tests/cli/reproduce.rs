//! `tabia reproduce`.

use crate::{folder, tabia_in};

#[test]
fn a_taste_leaves_a_report_and_is_not_done_twice() {
    let folder = folder("reproduce");
    let arguments = ["reproduce", "quantum", "--taste", "-o", "run", "--threads", "2", "--json"];
    let run = tabia_in(&folder, &arguments, "");
    assert_eq!(run.code, 0, "{}", run.stderr);
    let report = run.json();
    assert_eq!(report["records"].as_array().unwrap().len(), 4);
    let planes = &report["records"][1]["figures"][0];
    assert_eq!(
        (&planes["what"], &planes["ours"], &planes["verdict"]),
        (&"planes".into(), &28.0.into(), &"as-the-seed-says".into())
    );
    for name in ["report.md", "report.html", "report.json", "result.json", "metrics.jsonl"] {
        assert!(folder.join("run").join(name).is_file(), "{name}");
    }
    let again = tabia_in(&folder, &arguments, "");
    assert_eq!(again.code, 0, "{}", again.stderr);
    assert!(again.stderr.contains("4 steps, 4 of them done before"), "{}", again.stderr);
    assert_eq!(again.json()["records"], report["records"]);
}

#[test]
fn what_cannot_be_meant_is_refused() {
    let folder = folder("reproduce-refused");
    for (arguments, words) in [
        (&["reproduce", "axiom"][..], "axiomx"),
        (&["reproduce", "axiomx", "--games", "none.pgn"], "there is no file none.pgn"),
        (&["reproduce", "quantum", "--training", "none"], "there is no run in none"),
        (&["reproduce", "quantum", "--taste", "--quick"], "--quick"),
    ] {
        let run = tabia_in(&folder, arguments, "");
        assert_eq!(run.code, 2, "{arguments:?}: {}", run.stderr);
        assert!(run.stderr.contains(words), "{arguments:?}: {}", run.stderr);
    }
    let taste = ["reproduce", "quantum", "--taste", "-o", "run"];
    assert_eq!(tabia_in(&folder, &taste, "").code, 0);
    let other = tabia_in(&folder, &["reproduce", "quantum", "--quick", "-o", "run"], "");
    assert_eq!(other.code, 2, "{}", other.stderr);
    assert!(other.stderr.contains("extent is \"taste\" there and \"quick\" here"), "{}", other.stderr);
}
