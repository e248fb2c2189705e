//! A compact file format for games: the start position, then every move with its search score, two to three bytes per
//! move.
//!
//! ```text
//! file     "TABIA-GAMES/1" and three zero bytes, then games
//! game     length of the body (varint), body, FNV-1a checksum of the body (u32, little-endian)
//! body     flags        bits 0–1: the result (0 Black won, 1 drawn, 2 White won)
//!                       bit 2: a start position follows, else the game begins at move 1
//!                       bit 3: a score of the last position ends the body
//!          start        32 bytes, a record of `crate::sample` (only with bit 2)
//!          moves        how many there are (varint)
//!          opening      how many of them come first without a score (varint)
//!          each move    its index in the list of legal moves (u8), then, after the opening, its score
//!          last score   only with bit 3
//! score    the difference to the score before it (0 before the first), zigzag varint: centipawns, White's view;
//!          mates and endgame tables as [`Score::raw`] has them
//! ```
//!
//! Legal moves are listed by origin, then by destination (for castling: the rook's square), then by promotion (none,
//! knight, bishop, rook, queen). A varint has seven bits per byte, lowest first; the high bit says that more follow.
//! Zigzag maps 0, -1, 1, -2 … to 0, 1, 2, 3 ….
//!
//! There is no count of games: a truncated file is valid up to its last complete game, and the reader reports how many
//! bytes were left over.

use std::io::{self, Read, Write};

use shakmaty::{Chess, Move, Position, Role};
use tabia_core::Score;

use crate::sample::{self, GameResult, Sample, SampleError};

/// The first bytes of a file.
const MAGIC: &[u8; 16] = b"TABIA-GAMES/1\0\0\0";
const CHECKSUM: usize = 4;
/// Largest body: 65,535 moves of four bytes.
const LONGEST_BODY: u64 = 1 << 18;
const HAS_START: u8 = 1 << 2;
const HAS_LAST_SCORE: u8 = 1 << 3;

/// A game with the scores of its moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScoredGame {
    /// The start position; `None` for the standard one.
    pub start: Option<Sample>,
    pub moves: Vec<Move>,
    /// Number of moves at the start without a score: a random opening.
    pub opening: usize,
    /// Search score of each later move, White's view, as [`Score::raw`]; optionally one more for the last position.
    pub scores: Vec<i16>,
    pub result: GameResult,
}

/// Why a games file cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum GamesError {
    #[error(transparent)]
    Io(#[from] io::Error),
    #[error("this is not a games file: it starts with {found:?}, expected \"TABIA-GAMES/1\"")]
    Header { found: String },
    #[error("game {index} (byte {byte}): {cause}")]
    Game {
        /// Counted from 0.
        index: u64,
        /// Its offset in the file.
        byte: u64,
        cause: GameError,
    },
}

/// Why a game's bytes are invalid.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GameError {
    #[error("its checksum is {found:08x}, expected {expected:08x}: the game is damaged")]
    Checksum { found: u32, expected: u32 },
    #[error("its length is {0} bytes; a game has at most {LONGEST_BODY}")]
    Length(u64),
    #[error("its body does not end with its last move")]
    Body,
    #[error("its flags are {0:#04x}; the result is 0, 1 or 2, and bits 4 to 7 are zero")]
    Flags(u8),
    #[error("its start position: {0}")]
    Start(SampleError),
    #[error("its start position is not legal")]
    IllegalStart,
    #[error("half-move {ply} has index {index}, and there are {moves} legal moves")]
    Move {
        /// Counted from 1.
        ply: usize,
        index: u8,
        moves: usize,
    },
    #[error("half-move {ply} has a score that does not fit 16 bits")]
    Score {
        /// Counted from 1.
        ply: usize,
    },
}

impl ScoredGame {
    /// A single position with its score: a game without moves.
    pub fn from_sample(sample: &Sample) -> ScoredGame {
        ScoredGame {
            start: Some(Sample { score: 0, ..sample.clone() }),
            moves: Vec::new(),
            opening: 0,
            scores: vec![sample.score],
            result: sample.result,
        }
    }

    /// The start position and the plies before it; `None` if it is illegal.
    pub(crate) fn begin(&self) -> Option<(Chess, u16)> {
        match &self.start {
            None => Some((Chess::default(), 0)),
            Some(start) => Some((start.position()?, start.ply)),
        }
    }

    /// The training positions: with a score that is not a mate, from `first_ply` on, not in check, and with a move that
    /// neither captures nor promotes. A last score without a move is taken as it is.
    pub fn samples(&self, first_ply: u16) -> Vec<Sample> {
        self.samples_scored(first_ply, &self.scores)
    }

    /// The same positions, with λ-returns as scores: a position's target is its own score and, with weight `lambda`, the
    /// target of the position after it (TD(λ)). What is averaged are win probabilities.
    pub fn samples_with_lambda(&self, first_ply: u16, lambda: f64) -> Vec<Sample> {
        if lambda == 0.0 {
            return self.samples(first_ply);
        }
        self.samples_scored(first_ply, &lambda_returns(&self.scores, lambda))
    }

    /// The training positions by the game's own scores, labelled with others.
    fn samples_scored(&self, first_ply: u16, labels: &[i16]) -> Vec<Sample> {
        let Some((mut position, start)) = self.begin() else { return Vec::new() };
        let mut samples = Vec::new();
        for index in 0..=self.moves.len() {
            let played = self.moves.get(index);
            let ply = start.saturating_add(index as u16);
            let quiet = played.is_none_or(|m| {
                !position.is_check() && !m.is_capture() && !m.is_promotion() && ply >= first_ply
            });
            let scored = index.checked_sub(self.opening);
            if let Some((&score, &label)) = scored.and_then(|at| self.scores.get(at).zip(labels.get(at)))
                && quiet
                && !Score::from_raw(score.into()).is_decisive()
            {
                samples.push(Sample::new(&position, label, self.result, ply));
            }
            if let Some(played) = played {
                position.play_unchecked(*played);
            }
        }
        samples
    }

    /// Appends the game to a file's bytes; returns false, and appends nothing, if its start or a move is illegal.
    pub fn write(&self, bytes: &mut Vec<u8>) -> bool {
        let Some((mut position, _)) = self.begin() else { return false };
        let last_score = self.scores.len() + self.opening > self.moves.len();
        let flag = |bit, set| if set { bit } else { 0 };
        let mut body = vec![
            self.result as u8 | flag(HAS_START, self.start.is_some()) | flag(HAS_LAST_SCORE, last_score),
        ];
        if let Some(start) = &self.start {
            body.extend(start.to_bytes());
        }
        write_varint(&mut body, self.moves.len() as u64);
        write_varint(&mut body, self.opening as u64);
        let mut before = 0;
        for index in 0..=self.moves.len() {
            if let Some(played) = self.moves.get(index) {
                let Some(found) = listed(&position).iter().position(|m| m == played) else { return false };
                body.push(found as u8);
                position.play_unchecked(*played);
            }
            if let Some(scored) = index.checked_sub(self.opening)
                && (index < self.moves.len() || last_score)
            {
                let Some(&score) = self.scores.get(scored) else { return false };
                write_varint(&mut body, zigzag(i64::from(score) - i64::from(before)));
                before = score;
            }
        }
        write_varint(bytes, body.len() as u64);
        bytes.extend(&body);
        bytes.extend(checksum(&body).to_le_bytes());
        true
    }

    fn read(body: &[u8]) -> Result<ScoredGame, GameError> {
        let mut rest = body;
        let [flags] = *take(&mut rest, 1)? else { return Err(GameError::Body) };
        let result = match flags & 3 {
            0 => GameResult::Loss,
            1 => GameResult::Draw,
            2 => GameResult::Win,
            _ => return Err(GameError::Flags(flags)),
        };
        if flags >> 4 != 0 {
            return Err(GameError::Flags(flags));
        }
        let start = if flags & HAS_START == 0 {
            None
        } else {
            let mut record = [0; sample::BYTES];
            record.copy_from_slice(take(&mut rest, sample::BYTES)?);
            Some(Sample::from_bytes(&record).map_err(GameError::Start)?)
        };
        let (count, opening) = (read_varint(&mut rest)? as usize, read_varint(&mut rest)? as usize);
        let mut game = ScoredGame { start, moves: Vec::new(), opening, scores: Vec::new(), result };
        let (mut position, _) = game.begin().ok_or(GameError::IllegalStart)?;
        if count > rest.len() || opening > count {
            return Err(GameError::Body);
        }
        let mut score = 0_i64;
        for index in 0..=count {
            if index < count {
                let [chosen] = *take(&mut rest, 1)? else { return Err(GameError::Body) };
                let moves = listed(&position);
                let played = *moves.get(usize::from(chosen)).ok_or(GameError::Move {
                    ply: index + 1,
                    index: chosen,
                    moves: moves.len(),
                })?;
                game.moves.push(played);
                position.play_unchecked(played);
            }
            if index >= opening && (index < count || flags & HAS_LAST_SCORE != 0) {
                score = score.saturating_add(unzigzag(read_varint(&mut rest)?));
                game.scores.push(i16::try_from(score).map_err(|_| GameError::Score { ply: index + 1 })?);
            }
        }
        if rest.is_empty() { Ok(game) } else { Err(GameError::Body) }
    }
}

/// The legal moves in the order of the format.
fn listed(position: &Chess) -> shakmaty::MoveList {
    let mut moves = position.legal_moves();
    moves.sort_unstable_by_key(|m| {
        let promotion = m.promotion().map_or(0, |role: Role| role as u8);
        (m.from().map_or(0, |from| from as u8), m.to() as u8, promotion)
    });
    moves
}

pub fn write_header(out: &mut impl Write) -> io::Result<()> {
    out.write_all(MAGIC)
}

/// Whether a file with these first bytes is a games file.
pub fn is_games(start: &[u8]) -> bool {
    start.starts_with(MAGIC)
}

/// Reads games one at a time.
pub struct Reader<R> {
    from: R,
    index: u64,
    byte: u64,
    cut: u64,
}

impl<R: Read> Reader<R> {
    pub fn new(mut from: R) -> Result<Reader<R>, GamesError> {
        let mut header = Vec::new();
        from.by_ref().take(MAGIC.len() as u64).read_to_end(&mut header)?;
        if header != MAGIC {
            let found = String::from_utf8_lossy(&header).trim_end_matches('\0').to_owned();
            return Err(GamesError::Header { found });
        }
        Ok(Reader { from, index: 0, byte: MAGIC.len() as u64, cut: 0 })
    }

    /// Bytes after the last complete game, at the end of the file: not 0 if it was truncated.
    pub fn leftover_bytes(&self) -> u64 {
        self.cut
    }

    fn read(&mut self) -> Result<Option<ScoredGame>, GamesError> {
        let failed = |index, byte, cause| Err(GamesError::Game { index, byte, cause });
        let (mut length, mut length_bytes) = (0_u64, 0);
        loop {
            let mut next = Vec::new();
            self.from.by_ref().take(1).read_to_end(&mut next)?;
            let Some(byte) = next.first() else {
                self.cut = length_bytes;
                return Ok(None);
            };
            length |= u64::from(byte & 0x7f) << (7 * length_bytes);
            length_bytes += 1;
            if length > LONGEST_BODY || length_bytes > 4 {
                return failed(self.index, self.byte, GameError::Length(length));
            }
            if byte & 0x80 == 0 {
                break;
            }
        }
        let mut bytes = Vec::new();
        self.from.by_ref().take(length + CHECKSUM as u64).read_to_end(&mut bytes)?;
        if (bytes.len() as u64) < length + CHECKSUM as u64 {
            self.cut = length_bytes + bytes.len() as u64;
            return Ok(None);
        }
        let (body, check) = bytes.split_at(length as usize);
        let expected = check.iter().rev().fold(0, |sum, byte| sum << 8 | u32::from(*byte));
        let found = checksum(body);
        let (index, byte) = (self.index, self.byte);
        self.index += 1;
        self.byte += length_bytes + bytes.len() as u64;
        if found != expected {
            return failed(index, byte, GameError::Checksum { found, expected });
        }
        ScoredGame::read(body).map(Some).or_else(|cause| failed(index, byte, cause))
    }
}

impl<R: Read> Iterator for Reader<R> {
    type Item = Result<ScoredGame, GamesError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.read().transpose()
    }
}

fn take<'a>(rest: &mut &'a [u8], count: usize) -> Result<&'a [u8], GameError> {
    let (taken, left) = rest.split_at_checked(count).ok_or(GameError::Body)?;
    *rest = left;
    Ok(taken)
}

/// Centipawns whose win probability is e times as likely as not; only averages of scores use it.
const LOGISTIC_SCALE: f64 = 250.0;
/// The largest λ-return, in centipawns.
const LARGEST_RETURN: f64 = 3_000.0;

/// λ-returns of a game's scores, in centipawns from the same side.
fn lambda_returns(scores: &[i16], lambda: f64) -> Vec<i16> {
    let mut later = None;
    let mut returns: Vec<i16> = scores
        .iter()
        .rev()
        .map(|&score| {
            let now = 1.0 / (1.0 + (-f64::from(score) / LOGISTIC_SCALE).exp());
            let blended = later.map_or(now, |later| (1.0 - lambda) * now + lambda * later);
            later = Some(blended);
            let centipawns = LOGISTIC_SCALE * (blended / (1.0 - blended)).ln();
            centipawns.clamp(-LARGEST_RETURN, LARGEST_RETURN).round() as i16
        })
        .collect();
    returns.reverse();
    returns
}

fn write_varint(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

fn read_varint(rest: &mut &[u8]) -> Result<u64, GameError> {
    let mut number = 0;
    for shift in (0..35).step_by(7) {
        let byte = take(rest, 1)?[0];
        number |= u64::from(byte & 0x7f) << shift;
        if byte & 0x80 == 0 {
            return Ok(number);
        }
    }
    Err(GameError::Body)
}

fn zigzag(number: i64) -> u64 {
    (number << 1 ^ number >> 63) as u64
}

fn unzigzag(number: u64) -> i64 {
    (number >> 1) as i64 ^ -((number & 1) as i64)
}

/// FNV-1a.
fn checksum(bytes: &[u8]) -> u32 {
    bytes.iter().fold(0x811c_9dc5, |sum: u32, byte| (sum ^ u32::from(*byte)).wrapping_mul(0x0100_0193))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use tabia_core::seed::derive;
    use tabia_eval::testing;

    fn any_game(seed: u64) -> ScoredGame {
        let start = seed
            .is_multiple_of(3)
            .then(|| Sample::new(&testing::random_position(seed), 0, GameResult::Draw, 40));
        let mut position = start.as_ref().map_or_else(Chess::default, |start| start.position().unwrap());
        let mut game = ScoredGame {
            start,
            moves: Vec::new(),
            opening: (seed % 9) as usize,
            scores: Vec::new(),
            result: [GameResult::Loss, GameResult::Draw, GameResult::Win][(seed / 3 % 3) as usize],
        };
        for ply in 0..derive(seed, 1) % 120 {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            let draw = derive(seed, ply + 2);
            let played = moves[(draw % moves.len() as u64) as usize];
            if game.moves.len() >= game.opening {
                game.scores.push((draw >> 32) as i16 >> (draw >> 60));
            }
            game.moves.push(played);
            position.play_unchecked(played);
        }
        game.opening = game.opening.min(game.moves.len());
        if seed.is_multiple_of(5) {
            game.scores.push(77);
        }
        game
    }

    fn file(seeds: std::ops::Range<u64>) -> (Vec<ScoredGame>, Vec<u8>) {
        let games: Vec<ScoredGame> = seeds.map(any_game).collect();
        let mut bytes = Vec::new();
        write_header(&mut bytes).unwrap();
        for game in &games {
            assert!(game.write(&mut bytes));
        }
        (games, bytes)
    }

    proptest! {
        #[test]
        fn games_are_read_as_they_were_written(seed in 0..u64::MAX - 8) {
            let (games, bytes) = file(seed..seed + 4);
            let mut reader = Reader::new(&bytes[..]).unwrap();
            let read: Vec<ScoredGame> = reader.by_ref().map(Result::unwrap).collect();
            prop_assert_eq!(read, games);
            prop_assert_eq!(reader.leftover_bytes(), 0);
        }

        #[test]
        fn a_file_cut_short_loses_its_last_game_and_says_so(seed in 0..u64::MAX - 8, cut: u64) {
            let (games, bytes) = file(seed..seed + 3);
            let (_, shorter) = file(seed..seed + 2);
            let cut = shorter.len() + 1 + (cut % (bytes.len() - shorter.len() - 1) as u64) as usize;
            let mut reader = Reader::new(&bytes[..cut]).unwrap();
            let read: Vec<ScoredGame> = reader.by_ref().map(Result::unwrap).collect();
            prop_assert_eq!(&read[..], &games[..2]);
            prop_assert_eq!(reader.leftover_bytes(), (cut - shorter.len()) as u64);
        }

        #[test]
        fn a_changed_byte_of_a_body_is_noticed(seed: u64, at: usize, change in 1u8..) {
            let (_, bytes) = file(seed..seed.saturating_add(1));
            prop_assume!(bytes.len() > MAGIC.len());
            let length = 1 + usize::from(bytes[MAGIC.len()] >= 0x80);
            let mut changed = bytes;
            let first = MAGIC.len() + length;
            let at = first + at % (changed.len() - first);
            changed[at] ^= change;
            let error = Reader::new(&changed[..]).unwrap().next().unwrap().unwrap_err();
            let noticed = matches!(error, GamesError::Game { index: 0, cause: GameError::Checksum { .. }, .. });
            prop_assert!(noticed, "{}", error);
        }

        #[test]
        fn samples_are_the_quiet_positions(seed: u64) {
            let game = any_game(seed);
            for sample in game.samples(16) {
                prop_assert!(!Score::from_raw(sample.score.into()).is_decisive());
                let last = game.moves.len() + game.start.as_ref().map_or(0, |start| usize::from(start.ply));
                if usize::from(sample.ply) < last {
                    prop_assert!(sample.ply >= 16);
                    prop_assert!(!sample.position().unwrap().is_check());
                }
            }
        }

        #[test]
        fn a_sample_travels_as_a_game(seed: u64, score in -2_000i16..2_000) {
            let sample = Sample::new(&testing::random_position(seed), score, GameResult::Win, 30);
            let mut bytes = MAGIC.to_vec();
            prop_assert!(ScoredGame::from_sample(&sample).write(&mut bytes));
            let game = Reader::new(&bytes[..]).unwrap().next().unwrap().unwrap();
            prop_assert_eq!(game.samples(16), [sample]);
        }
    }

    #[test]
    fn later_scores_count_less_and_less() {
        assert_eq!(lambda_returns(&[30, -40, 250], 0.0), [30, -40, 250]);
        let level = lambda_returns(&[100; 20], 0.8);
        assert_eq!(level, [100; 20]);
        // The last score stands for itself; before it, its share is 0.5, then 0.25.
        let late = lambda_returns(&[0, 0, 250], 0.5);
        assert_eq!(late[2], 250);
        assert!(late[0] > 0 && late[0] < late[1] && late[1] < 125, "{late:?}");
        // Mates are certain, and nothing is beyond what is clamped.
        assert_eq!(lambda_returns(&[0, 31_000, -31_000], 0.0), [0, 3_000, -3_000]);
    }

    #[test]
    fn another_kind_of_file_is_refused() {
        let error = Reader::new(&b"TABIA-SAMPLES/1\0"[..]).err().unwrap().to_string();
        assert!(error.contains("TABIA-SAMPLES/1") && error.contains("TABIA-GAMES/1"), "{error}");
        assert!(Reader::new(&b"TAB"[..]).err().unwrap().to_string().contains("TAB"));
    }

    #[test]
    fn what_is_wrong_with_a_game_is_named() {
        let wrong = |body: &[u8]| ScoredGame::read(body).unwrap_err();
        assert_eq!(wrong(&[3, 0, 0]), GameError::Flags(3));
        assert_eq!(wrong(&[0x21, 0, 0]), GameError::Flags(0x21));
        assert_eq!(wrong(&[1, 1, 1, 20]), GameError::Move { ply: 1, index: 20, moves: 20 });
        assert_eq!(wrong(&[1, 1, 1, 19, 0]), GameError::Body);
        assert_eq!(wrong(&[1, 2, 0, 19]), GameError::Body);
        assert_eq!(wrong(&[1, 1, 0, 19, 0xff, 0xff, 0xff, 1]), GameError::Score { ply: 1 });
    }

    #[test]
    fn a_move_takes_two_to_three_bytes() {
        let mut position = Chess::default();
        let mut game = ScoredGame {
            start: None,
            moves: Vec::new(),
            opening: 0,
            scores: Vec::new(),
            result: GameResult::Draw,
        };
        for ply in 0..100_i16 {
            let moves = position.legal_moves();
            let played = moves[ply as usize % moves.len()];
            game.moves.push(played);
            game.scores.push(ply * 37 % 160 - 80);
            position.play_unchecked(played);
        }
        let mut bytes = Vec::new();
        assert!(game.write(&mut bytes));
        assert!((200..=310).contains(&bytes.len()), "{}", bytes.len());
    }
}
