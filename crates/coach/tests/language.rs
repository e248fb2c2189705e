//! Every word that a player reads comes from the message catalogue, so that a second language can be added.

mod common;

use common::{after, explain, fen};
use tabia_coach::messages::{English, Hint, Label, Language, Sentence, WhiteScore};
use tabia_coach::proof::Evidence;
use tabia_coach::text;

/// A language of one word.
struct Cuckoo;

impl Language for Cuckoo {
    fn sentence(&self, _: &Sentence) -> String {
        "Cuckoo.".to_owned()
    }

    fn hint(&self, _: &Hint) -> String {
        "Cuckoo?".to_owned()
    }

    fn score(&self, _: WhiteScore) -> String {
        "cuckoo".to_owned()
    }

    fn worth(&self, _: i32, _: Option<u32>) -> String {
        "cuckoo".to_owned()
    }

    fn proof(&self, _: &Evidence, _: Option<u32>) -> String {
        "cuckoo".to_owned()
    }

    fn label(&self, _: Label) -> &'static str {
        "cuckoo"
    }
}

#[test]
fn a_text_has_no_word_that_its_language_did_not_give() {
    let positions = [
        (after("e4 e5 Nf3 Nc6 Bc4 Nd4"), Some("Nxe5")),
        (after("e4 e5 Nf3 d6 Bc4 Bg4 Nc3 h6"), None),
        (fen("8/8/2K5/4p3/4Pk2/8/8/8 w - - 0 1"), Some("Kd5")),
    ];
    for (position, asked) in positions {
        let review = explain(&position, asked, 20_000);
        let said = text::text_in(&Cuckoo, &review, asked.is_some());
        assert!(said.split(' ').all(|word| word == "Cuckoo."), "{said}");
        let count = text::sentences(&review, asked.is_some()).len();
        assert_eq!(said.split(' ').count(), count);
        assert!((1..=3).contains(&count), "{said}");
        assert_eq!(text::text_in(&English, &review, true), text::text(&review, true));
    }
}

/// The text of a source file without comments, test modules and the messages of errors.
fn code(text: &str) -> String {
    let own = text.split("#[cfg(test)]").next().unwrap_or_default();
    let is_code = |line: &&str| !line.trim_start().starts_with("//") && !line.contains("#[error");
    own.lines().filter(is_code).collect::<Vec<_>>().join("\n")
}

#[test]
fn sentences_stand_in_the_catalogue_and_nowhere_else() {
    let mut folders = vec![std::path::PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/src"))];
    let mut files = 0;
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            if path.is_dir() && name != "messages" {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs")
                && name != "messages.rs"
                && path.is_file()
            {
                files += 1;
                let code = code(&std::fs::read_to_string(&path).unwrap());
                // Every other part between quotes is a text.
                for text in code.split('"').skip(1).step_by(2) {
                    let is_sentence = text.contains(' ') && text.ends_with(['.', '?', '!']);
                    assert!(!is_sentence, "{}: \"{text}\"", path.display());
                }
            }
        }
    }
    assert!(files > 20, "{files}");
}
