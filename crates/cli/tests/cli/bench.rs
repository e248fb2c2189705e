//! `tabia bench`.

use super::{Run, tabia};

/// The nodes of the last line, which is exactly `<nodes> nodes <nps> nps`.
fn signature(run: &Run) -> u64 {
    let words: Vec<&str> = run.last_line().split(' ').collect();
    let [nodes, "nodes", nps, "nps"] = words[..] else { panic!("{}", run.last_line()) };
    assert!(nps.parse::<u64>().is_ok(), "{nps}");
    nodes.parse().unwrap()
}

#[test]
fn the_same_build_gives_the_same_signature() {
    let bench = |extra: &[&str]| tabia(&[&["bench", "--depth", "4"], extra].concat());
    let (first, second) = (bench(&[]), bench(&[]));
    assert_eq!((first.code, signature(&first)), (0, signature(&second)));
    assert!(signature(&first) > 1_000, "{}", first.stdout);
    assert_eq!(first.stderr.lines().count(), 24, "a line a position");
    assert_ne!(signature(&bench(&["--eval", "material"])), signature(&first));
}
