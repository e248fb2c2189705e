//! Books and tables as files: what is written can be opened, and what cannot is named.

use std::fs;
use std::path::PathBuf;

use shakmaty::{Chess, Position};
use tabia_book::{Book, BookBuilder, BookMove, Tables};
use tabia_core::ChessGame;

/// An empty directory for one test.
fn directory(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("tabia-book-files").join(name);
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).unwrap();
    path
}

fn rook_ending() -> ChessGame {
    ChessGame::from_fen("8/8/8/8/8/4k3/8/R3K3 w - - 0 1").unwrap()
}

#[test]
fn a_book_written_to_a_file_opens_again() {
    let path = directory("book").join("book.bin");
    let position = Chess::default();
    let entry = BookMove { m: position.legal_moves()[3], weight: 9, learn: 1 };
    let mut builder = BookBuilder::new();
    builder.add(&position, entry).unwrap();
    builder.write(&path).unwrap();
    assert_eq!(Book::open(&path).unwrap().entries(&position), [entry]);
}

#[test]
fn a_book_that_cannot_be_opened_is_named_with_its_fault() {
    let directory = directory("bad-books");
    let missing = Book::open(directory.join("missing.bin")).unwrap_err().to_string();
    assert!(missing.starts_with("cannot read the book ") && missing.contains("missing.bin"), "{missing}");
    fs::write(directory.join("short.bin"), [0; 20]).unwrap();
    let short = Book::open(directory.join("short.bin")).unwrap_err().to_string();
    assert!(short.contains("short.bin is not a Polyglot book: it has 20 bytes"), "{short}");
    let folder = Book::open(&directory).unwrap_err().to_string();
    assert!(folder.contains("is not a regular file"), "{folder}");
}

#[cfg(unix)]
#[test]
fn a_device_that_never_ends_is_not_read() {
    let refused = Book::open("/dev/zero").unwrap_err().to_string();
    assert_eq!(refused, "/dev/zero is not a regular file, expected a Polyglot book");
}

#[test]
fn a_book_without_entries_is_not_written() {
    let path = directory("empty-book").join("book.bin");
    let refused = BookBuilder::new().write(&path).unwrap_err().to_string();
    assert!(
        refused.starts_with("there is no entry to write to ") && refused.contains("book.bin"),
        "{refused}"
    );
    assert!(!path.exists());
}

#[test]
fn a_table_directory_that_is_missing_is_named() {
    let present = directory("no-tables");
    let paths = std::env::join_paths([&present, &present.join("nowhere")]).unwrap().into_string().unwrap();
    let missing = Tables::open(&paths).unwrap_err().to_string();
    assert!(
        missing.starts_with("cannot list the table directory ") && missing.contains("nowhere"),
        "{missing}"
    );
}

#[test]
fn directories_without_a_table_are_an_error() {
    let path = directory("other-files");
    fs::write(path.join("README.txt"), "no table").unwrap();
    fs::create_dir(path.join("KQvK.rtbw")).unwrap();
    let none = Tables::open(path.to_str().unwrap()).unwrap_err().to_string();
    assert!(none.starts_with("there are no Syzygy tables"), "{none}");
    assert!(Tables::open("").unwrap_err().to_string().ends_with("in \"\""));
}

#[test]
fn a_table_of_impossible_size_is_named() {
    let path = directory("short-table");
    fs::write(path.join("KRvK.rtbw"), [0; 50]).unwrap();
    let short = Tables::open(path.to_str().unwrap()).unwrap_err().to_string();
    assert!(short.contains("KRvK.rtbw: unexpected file size"), "{short}");
}

#[test]
fn a_table_that_turns_out_to_be_none_gives_no_answer_and_is_reported() {
    let path = directory("garbage-table");
    for name in ["KRvK.rtbw", "KRvK.rtbz", "KQvK.rtbw"] {
        fs::write(path.join(name), [7; 80]).unwrap();
    }
    let tables = Tables::open(path.to_str().unwrap()).unwrap();
    assert_eq!((tables.wdl_count(), tables.dtz_count(), tables.max_pieces()), (2, 1, 3));
    assert_eq!(tables.fault(), None);
    let game = rook_ending();
    assert_eq!(tables.probe_wdl(game.position()), None);
    assert_eq!(tables.probe_wdl_after_zeroing(game.position()), None);
    assert_eq!(tables.probe_dtz(game.position()), None);
    assert_eq!(tables.rank_root_moves(&game), None);
    let fault = tables.fault().unwrap();
    assert!(fault.contains("KRvK") && fault.contains("magic"), "{fault}");
}

#[test]
fn tables_are_a_handle_that_threads_share() {
    fn assert_shareable<T: Clone + Send + Sync + 'static>() {}
    assert_shareable::<Tables>();
    assert_shareable::<Book>();
}
