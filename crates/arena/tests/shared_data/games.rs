//! Game files, whole and broken.

use std::fs;

use tabia_games::pgn;

use super::data;

/// Where we and python-chess differ: games, moves and faults as we count them, and why.
///
/// A game with a fault is no record: python-chess keeps its moves up to the fault.
const OTHERWISE: [(&str, [usize; 3], &str); 20] = [
    ("fastchess/test_invalid", [2, 16, 1], "Ka1"),
    ("mliebelt/sampleGameThrow", [1, 0, 1], "\"Sf3\" is not a move"), // It reads f3.
    ("pgn-extract/nested-comment", [1, 0, 1], "\"which\" is not a move"), // Comments do not nest; it reads `b` moves.
    ("pgn-extract/test-allownullmoves", [2, 0, 2], "null move"),
    ("pgn-extract/test-fuzzydepth", [1, 0, 1], "comes after the result"),
    ("pgn-extract/test-nobadresults", [9, 9, 0], ""), // Tags begin a game without an empty line before them.
    ("pychess/badpgn", [1, 0, 1], "is not a move"),
    ("python-chess/anastasian-lewis", [1, 0, 1], "null move"),
    ("python-chess/antichess-programfox", [2, 0, 2], "variant"),
    ("python-chess/knightvuillaume-jannlee-zh-lichess", [1, 0, 1], "variant"),
    ("python-chess/saturs-jannlee-zh-lichess", [1, 0, 1], "variant"),
    ("synthetic/ambiguous_san", [1, 0, 1], "Nb5"),
    ("synthetic/bad_fen_tag", [1, 0, 1], "White has no king"), // It plays on without kings.
    ("synthetic/binary_garbage", [1, 0, 1], "is not a move"),
    ("synthetic/cr_only", [1, 4, 0], ""),
    ("synthetic/figurine", [1, 5, 0], ""), // It reads no figurines.
    ("synthetic/illegal_move", [2, 2, 1], "Ke3"),
    ("synthetic/null_moves", [1, 0, 1], "null move"),
    ("synthetic/tags_one_line", [2, 3, 0], ""),
    ("synthetic/unterminated_comment", [2, 2, 0], ""), // It ends before the next tags.
];

/// Where the difference is in the faults alone: an open side line is none to us; UTF-16 is one.
const FAULTS_ALONE: [(&str, usize); 2] = [("synthetic/unterminated_rav", 0), ("synthetic/utf16le_bom", 1)];

#[test]
#[ignore = "needs public data: make test-data"]
fn broken_files_are_read_as_python_chess_reads_them_or_it_is_known_why_not() {
    let table = fs::read_to_string(data("torture/pgn/EXPECTED_python-chess.tsv")).unwrap();
    let (mut files, mut otherwise) = (0, 0);
    for row in table.lines().skip(1) {
        let mut cells = row.split('\t');
        let file = cells.next().unwrap();
        let theirs: Vec<usize> = cells.skip(2).take(3).map(|cell| cell.parse().unwrap()).collect();
        let (games, faults) = pgn::read_all(data("torture").join(file), false).unwrap();
        let plies: usize = games.iter().map(|game| game.plies.len()).sum();
        let ours = [games.len() + faults.len(), plies, faults.len()];
        let name = file.trim_start_matches("pgn/").trim_end_matches(".pgn");
        let fault = faults.first().map(ToString::to_string).unwrap_or_default();
        let mut expected = [theirs[0], theirs[1], theirs[2]];
        if let Some((_, known, why)) = OTHERWISE.iter().find(|(known, ..)| *known == name) {
            otherwise += 1;
            expected = *known;
            assert!(fault.contains(why), "{file}: {fault}");
        }
        if let Some((_, known)) = FAULTS_ALONE.iter().find(|(known, _)| *known == name) {
            otherwise += 1;
            expected[2] = *known;
        }
        assert_eq!(ours, expected, "{file} (games, moves, faults): {fault}");
        files += 1;
    }
    assert_eq!((files, otherwise), (155, OTHERWISE.len() + FAULTS_ALONE.len()));
}

#[test]
#[ignore = "needs public data: make test-data"]
fn lichess_games_are_read_with_clocks_and_evaluations() {
    let (games, faults) = pgn::read_all(data("games_lichess/lichess_db_1000k.pgn"), false).unwrap();
    // The file is cut off within its last game.
    assert!(games.len() + faults.len() == 438 && faults.len() <= 1, "{} {faults:?}", games.len());
    let plies = || games.iter().flat_map(|game| &game.plies);
    let (clocks, scores) = (
        plies().filter(|ply| ply.clock_ms.is_some()).count(),
        plies().filter(|ply| ply.score.is_some()).count(),
    );
    assert!(clocks > 20_000 && scores > 1_000, "{clocks} {scores}");
    for game in &games {
        let again = pgn::read_text(&pgn::write(game).unwrap()).unwrap();
        assert_eq!(again.as_slice(), std::slice::from_ref(game));
    }
}

#[test]
#[ignore = "needs public data: make test-data"]
fn all_master_games_are_read() {
    let mut moves = 0;
    for (file, expected) in
        [("games_gm/twic_gm2550_dev.pgn", 20_000), ("games_gm/twic_supergm2700_dev.pgn", 5_400)]
    {
        let mut count = 0;
        for game in pgn::open(data(file)).unwrap() {
            moves += game.unwrap().plies.len();
            count += 1;
        }
        assert_eq!(count, expected, "{file}");
    }
    assert!(moves > 1_000_000, "{moves}");
}

/// Files whose games are compared: everything that ends in `.pgn`.
fn pgn_files(folder: &std::path::Path, found: &mut Vec<std::path::PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            pgn_files(&path, found);
        } else if path.extension().is_some_and(|ending| ending == "pgn") {
            found.push(path);
        }
    }
}

#[test]
#[ignore = "needs public data: make test-data"]
fn every_game_is_read_written_and_read_again_as_the_same_tree() {
    let mut files = Vec::new();
    for folder in ["games_gm", "games_lichess", "torture/pgn"] {
        pgn_files(&data(folder), &mut files);
    }
    files.sort();
    let (mut games, mut moves, mut variations) = (0, 0, 0);
    for path in &files {
        for read in pgn::open_trees(path).unwrap() {
            let Ok(read) = read else { continue };
            let text = pgn::write_tree(&read.tree);
            let mut again = pgn::Trees::new(text.as_bytes(), "again");
            let first =
                again.next().unwrap().unwrap_or_else(|fault| panic!("{}: {fault}\n{text}", path.display()));
            // A null move in the main line is kept, and told again.
            let told = first.faults.iter().all(|fault| fault.why.contains("null move"));
            assert!(told, "{}: {:?}", path.display(), first.faults);
            assert!(first.tree == read.tree, "{}:\n{text}", path.display());
            assert!(again.next().is_none(), "{}: two games of one\n{text}", path.display());
            games += 1;
            moves += read.tree.len();
            variations += read.tree.len() - read.tree.main_line().count();
        }
    }
    println!("{} files, {games} games, {moves} moves, of them {variations} in variations", files.len());
    assert!(games > 25_000 && variations > 9_000, "{games} games, {variations} moves in variations");
}
