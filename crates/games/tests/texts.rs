//! Any text is read, or it is said why not.

use proptest::prelude::*;
use tabia_games::epd::Epd;
use tabia_games::replay;

const REPLAY: &str = r#"{"moves":["e2e4","e7e5","g1f3"],"result":"1-0","reason":"resignation","white":"a","black":"b",
"timestamp":"2024-01-15T14:30:00","variant":"chess","tags":[["Round","1"]],"thoughts":[{"score_cp":35,"depth":3},{"mate":-3},
{"comment":"x","glyphs":[4],"instead":["f1c4"],"opening":true,"clock_ms":1000}]}"#;

const EPD: &str = "r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - bm Qxf7# #1; am Nf3; id \"a \\\"b\\\"\"; c0 \"Qxf7=10, Nf3=2\"; hmvc 4;";

/// A text with some of its characters replaced.
fn spoiled(text: &str, changes: &[(usize, char)]) -> String {
    let mut chars: Vec<char> = text.chars().collect();
    for (at, c) in changes {
        let at = at % chars.len();
        chars[at] = *c;
    }
    chars.into_iter().collect()
}

fn changes() -> impl Strategy<Value = Vec<(usize, char)>> {
    let c = prop_oneof![any::<char>(), proptest::char::range(' ', '~'), Just('9'), Just('"'), Just('-')];
    proptest::collection::vec((any::<usize>(), c), 0..5)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_replay_is_read_as_it_was_written_or_refused_with_words(changes in changes()) {
        match replay::read(&spoiled(REPLAY, &changes)) {
            Ok(record) => prop_assert_eq!(replay::read(&replay::write(&record)).unwrap(), record),
            Err(error) => prop_assert!(!error.to_string().is_empty()),
        }
    }

    #[test]
    fn an_epd_line_is_read_or_refused_with_words(changes in changes(), word in ".{0,8}") {
        match Epd::read(&spoiled(EPD, &changes)) {
            Ok(epd) => {
                if let Err(error) = epd.read_move(&word) {
                    prop_assert!(!error.to_string().is_empty());
                }
            }
            Err(error) => prop_assert!(!error.to_string().is_empty()),
        }
    }
}
