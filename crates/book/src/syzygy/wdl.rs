//! The five results of a tablebase.

use std::ops::Neg;

use shakmaty_syzygy::Wdl;

/// The result with best play for the side to move; a better result is greater.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TableWdl {
    Loss,
    /// A blessed loss: lost, but drawn by the fifty-move rule.
    BlessedLoss,
    Draw,
    /// A cursed win: won, but drawn by the fifty-move rule.
    CursedWin,
    Win,
}

impl From<Wdl> for TableWdl {
    fn from(wdl: Wdl) -> TableWdl {
        match wdl {
            Wdl::Loss => TableWdl::Loss,
            Wdl::BlessedLoss => TableWdl::BlessedLoss,
            Wdl::Draw => TableWdl::Draw,
            Wdl::CursedWin => TableWdl::CursedWin,
            Wdl::Win => TableWdl::Win,
        }
    }
}

impl Neg for TableWdl {
    type Output = TableWdl;

    /// The same result for the other side.
    fn neg(self) -> TableWdl {
        match self {
            TableWdl::Loss => TableWdl::Win,
            TableWdl::BlessedLoss => TableWdl::CursedWin,
            TableWdl::Draw => TableWdl::Draw,
            TableWdl::CursedWin => TableWdl::BlessedLoss,
            TableWdl::Win => TableWdl::Loss,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_ordered_and_mirrored_as_the_tables_have_them() {
        let all = [Wdl::Loss, Wdl::BlessedLoss, Wdl::Draw, Wdl::CursedWin, Wdl::Win];
        assert!(all.map(TableWdl::from).is_sorted_by(|a, b| a < b));
        for wdl in all {
            assert_eq!(TableWdl::from(-wdl), -TableWdl::from(wdl));
        }
    }
}
