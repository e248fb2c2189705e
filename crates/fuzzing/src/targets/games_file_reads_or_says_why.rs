//! Any bytes are a file of games for training (`.games`) or an error with words in it. A game that was read survives being
//! written, and its positions are samples.
//!
//! Every game has a checksum, which a changed byte breaks. So the bytes are tried as they are, and then as the body of a game
//! with the right length and checksum.

use tabia_tune::games::{Reader, ScoredGame, write_header};

/// The longest body that the format allows.
const LONGEST_BODY: usize = 1 << 18;

/// Reads the input; panics where what must hold does not.
pub fn check(bytes: &[u8]) {
    check_file(bytes);
    check_file(&as_body(bytes));
}

/// A file of one game with this body.
fn as_body(body: &[u8]) -> Vec<u8> {
    let body = &body[..body.len().min(LONGEST_BODY)];
    let mut file = Vec::new();
    write_header(&mut file).expect("a vector takes everything");
    let mut length = body.len();
    while length >= 0x80 {
        file.push(length as u8 | 0x80);
        length >>= 7;
    }
    file.push(length as u8);
    file.extend(body);
    // FNV-1a.
    let checksum =
        body.iter().fold(0x811c_9dc5, |sum: u32, byte| (sum ^ u32::from(*byte)).wrapping_mul(0x0100_0193));
    file.extend(checksum.to_le_bytes());
    file
}

fn check_file(bytes: &[u8]) {
    let mut reader = match Reader::new(bytes) {
        Ok(reader) => reader,
        Err(error) => {
            assert!(!error.to_string().is_empty());
            return;
        }
    };
    for game in reader.by_ref() {
        match game {
            Ok(game) => survives(&game),
            Err(error) => assert!(!error.to_string().is_empty()),
        }
    }
    assert!(reader.leftover_bytes() <= bytes.len() as u64);
}

fn survives(game: &ScoredGame) {
    let positions = game.samples(0).len();
    assert!(positions <= game.moves.len() + 1);
    assert_eq!(game.samples_with_lambda(0, 0.5).len(), positions);
    let mut file = Vec::new();
    write_header(&mut file).expect("a vector takes everything");
    assert!(game.write(&mut file), "a game that was read is legal");
    let again: Vec<ScoredGame> = Reader::new(&file[..])
        .expect("what was written is read")
        .map(|game| game.expect("what was written is read"))
        .collect();
    assert_eq!(again.as_slice(), std::slice::from_ref(game));
}
