//! The inputs: a piece on a square, as one side sees it, in a bucket of its king's squares.

use shakmaty::{Board, Color, Piece, Square};

/// Inputs of a bucket: own and enemy, six kinds of pieces, 64 squares.
pub const INPUTS: usize = 768;

/// Squares of a king as its own side sees them, files e to h.
pub const KING_SQUARES: usize = 32;

/// Which input weights a side uses, by the square of its own king: a table of weights for each bucket.
///
/// Squares are those of a king that was mirrored to files e to h: e1, f1, g1, h1, e2 and so on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KingBuckets {
    /// By square; those of files a to d are not used.
    buckets: [u8; 64],
    count: usize,
}

/// One bucket.
impl Default for KingBuckets {
    fn default() -> KingBuckets {
        KingBuckets { buckets: [0; 64], count: 1 }
    }
}

impl KingBuckets {
    /// Numbers of buckets that have a standard layout.
    pub const STANDARD: [usize; 3] = [1, 4, 8];

    /// The standard layout of `count` buckets, if there is one. As in other engines they are fine where kings are
    /// most of the time, on the first two ranks, and coarse elsewhere.
    pub fn standard(count: usize) -> Option<KingBuckets> {
        #[rustfmt::skip]
        const FOUR: [u8; 8 * 4] = [
            1, 1, 0, 0,
            2, 2, 2, 2,
            3, 3, 3, 3,
            3, 3, 3, 3,
            3, 3, 3, 3,
            3, 3, 3, 3,
            3, 3, 3, 3,
            3, 3, 3, 3,
        ];
        #[rustfmt::skip]
        const EIGHT: [u8; 8 * 4] = [
            3, 2, 1, 0,
            5, 5, 4, 4,
            6, 6, 6, 6,
            6, 6, 6, 6,
            7, 7, 7, 7,
            7, 7, 7, 7,
            7, 7, 7, 7,
            7, 7, 7, 7,
        ];
        match count {
            1 => Some(KingBuckets::default()),
            4 => KingBuckets::from_table(&FOUR),
            8 => KingBuckets::from_table(&EIGHT),
            _ => None,
        }
    }

    /// From the buckets of e1, f1, g1, h1, e2 and so on; none if they are not 32, or if a number below the largest is
    /// missing.
    pub fn from_table(table: &[u8]) -> Option<KingBuckets> {
        let count = usize::from(*table.iter().max()?) + 1;
        let is_used = |bucket: usize| table.iter().any(|used| usize::from(*used) == bucket);
        if table.len() != KING_SQUARES || !(0..count).all(is_used) {
            return None;
        }
        let mut buckets = [0; 64];
        for (index, bucket) in table.iter().enumerate() {
            buckets[index / 4 * 8 + 4 + index % 4] = *bucket;
        }
        Some(KingBuckets { buckets, count })
    }

    /// The buckets of e1, f1, g1, h1, e2 and so on.
    pub fn table(&self) -> [u8; KING_SQUARES] {
        std::array::from_fn(|index| self.buckets[index / 4 * 8 + 4 + index % 4])
    }

    /// How many buckets there are.
    pub fn count(&self) -> usize {
        self.count
    }

    /// How a side sees a board.
    #[inline]
    pub fn perspective(&self, board: &Board, side: Color) -> Perspective {
        let king = (board.kings() & board.by_color(side)).first().unwrap_or(Square::E1);
        let mirror = if (king as u8) & 7 < 4 { 7 } else { 0 };
        let flip = side.fold_wb(0, 56) | mirror;
        Perspective { flip, bucket: self.buckets[usize::from((king as u8 ^ flip) & 63)] }
    }
}

/// How a side sees a board, given by the square of its own king.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Perspective {
    /// What squares are exclusive-or'ed with: ranks are counted from the side's own first rank, and files are mirrored
    /// where its king stands on files a to d.
    pub flip: u8,
    pub bucket: u8,
}

impl Perspective {
    /// The first input of the bucket.
    #[inline]
    pub fn first_input(self) -> usize {
        usize::from(self.bucket) * INPUTS
    }

    /// The input of a piece on a square, in the bucket.
    #[inline]
    pub fn index(self, side: Color, piece: Piece, square: Square) -> usize {
        self.first_input() + index(side, self.flip, piece, square)
    }

    #[inline]
    pub fn is_mirrored(self) -> bool {
        self.flip & 7 != 0
    }
}

/// The input of a piece on a square, among those of its bucket.
#[inline]
pub fn index(side: Color, flip: u8, piece: Piece, square: Square) -> usize {
    let enemy = usize::from(piece.color != side);
    (enemy * 6 + piece.role as usize - 1) * 64 + usize::from(square as u8 ^ flip)
}

/// How a side sees inputs that are given as White sees them with its king on files e to h.
#[derive(Copy, Clone, Debug)]
pub struct Seen {
    pub side: Color,
    pub flip: u8,
}

impl Seen {
    #[inline]
    pub fn index(self, input: u16) -> usize {
        const COLOR: usize = INPUTS / 2;
        let flipped = usize::from(input ^ u16::from(self.flip));
        match self.side {
            Color::White => flipped,
            Color::Black if flipped < COLOR => flipped + COLOR,
            Color::Black => flipped - COLOR,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing;
    use shakmaty::Position;

    #[test]
    fn buckets_follow_the_own_king_seen_from_its_own_side() {
        let bucket = |fen: &str, side: Color, count: usize| {
            let position = testing::position(fen);
            KingBuckets::standard(count).unwrap().perspective(position.board(), side).bucket
        };
        let castled = "1kr5/8/8/8/8/8/8/5RK1 w - - 0 1";
        assert_eq!([Color::White, Color::Black].map(|side| bucket(castled, side, 4)), [0, 0]);
        assert_eq!([Color::White, Color::Black].map(|side| bucket(castled, side, 8)), [1, 1]);
        let others = "8/3k4/8/8/8/4K3/8/8 w - - 0 1";
        assert_eq!([Color::White, Color::Black].map(|side| bucket(others, side, 4)), [3, 2]);
        assert_eq!([Color::White, Color::Black].map(|side| bucket(others, side, 8)), [6, 5]);
        assert_eq!([Color::White, Color::Black].map(|side| bucket(others, side, 1)), [0, 0]);
    }

    #[test]
    fn tables_name_every_bucket() {
        for count in KingBuckets::STANDARD {
            let layout = KingBuckets::standard(count).unwrap();
            assert_eq!(layout.count(), count);
            assert_eq!(KingBuckets::from_table(&layout.table()), Some(layout));
        }
        assert_eq!(KingBuckets::standard(3), None);
        assert_eq!(KingBuckets::from_table(&[0; 31]), None);
        assert_eq!(KingBuckets::from_table(&[]), None);
        let mut table = [0; 32];
        table[7] = 2;
        assert_eq!(KingBuckets::from_table(&table), None);
        table[8] = 1;
        assert_eq!(KingBuckets::from_table(&table).unwrap().count(), 3);
    }
}
