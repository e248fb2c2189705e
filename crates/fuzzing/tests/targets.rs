//! Every target with its seeds and some hundred inputs made from them: what a fuzzer would find at once.

use tabia_fuzzing::mutation::Mutator;
use tabia_fuzzing::targets::TARGETS;

const INPUTS: usize = 300;

#[test]
fn every_target_holds_for_its_seeds_and_what_is_made_of_them() {
    for target in TARGETS {
        let mut mutator = Mutator::new(target.name, 1);
        for seed in mutator.seeds() {
            (target.check)(seed);
        }
        for _ in 0..INPUTS {
            (target.check)(&mutator.next_input());
        }
    }
}

#[test]
fn every_target_has_seeds_and_a_program() {
    let fuzz = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz");
    for target in TARGETS {
        assert!(Mutator::new(target.name, 1).seeds().len() > 1, "{}", target.name);
        assert!(fuzz.join("fuzz_targets").join(format!("{}.rs", target.name)).is_file(), "{}", target.name);
    }
}
