//! What to trade: pieces when ahead, pawns when behind.

use super::*;

/// Material and trades of a position, position aside.
fn material(fen: &str) -> i32 {
    let explanation = explained(&Axon::default(), fen);
    let material: i32 = explanation.terms[..5].iter().map(|term| term.centipawns).sum();
    material + sum_of(&explanation, &[Part::Trade])
}

#[test]
fn who_is_ahead_gains_by_trading_pieces() {
    let before = material("r3k3/ppp5/8/8/8/8/PPP5/RN2K3 w - - 0 1");
    let rooks_traded = material("4k3/ppp5/8/8/8/8/PPP5/1N2K3 w - - 0 1");
    assert!(rooks_traded > before, "{rooks_traded} {before}");
}

#[test]
fn who_is_ahead_loses_by_trading_pawns() {
    let before = material("r3k3/ppp5/8/8/8/8/PPP5/RN2K3 w - - 0 1");
    let pawns_traded = material("r3k3/8/8/8/8/8/8/RN2K3 w - - 0 1");
    let one_pawn_traded = material("r3k3/pp6/8/8/8/8/PP6/RN2K3 w - - 0 1");
    assert!(one_pawn_traded < before && pawns_traded < one_pawn_traded);
}

#[test]
fn at_equality_nothing_changes_by_trading() {
    for fen in [
        "r3k3/ppp5/8/8/8/8/PPP5/R3K3 w - - 0 1",
        "4k3/ppp5/8/8/8/8/PPP5/4K3 w - - 0 1",
        "r3k3/8/8/8/8/8/8/R3K3 w - - 0 1",
    ] {
        assert_eq!(material(fen), 0);
    }
}

#[test]
fn an_advantage_without_pawns_is_little_but_stays_one() {
    let with_a_pawn = material("4k1b1/8/8/8/8/8/P7/R3K3 w - - 0 1");
    let without = material("4k1b1/8/8/8/8/8/8/R3K3 w - - 0 1");
    assert!(without > 0 && without < with_a_pawn / 3, "{without} {with_a_pawn}");
    assert!(material("4k3/8/8/8/8/8/8/R3K3 w - - 0 1") > 450, "a rook against nothing wins");
}

#[test]
fn at_the_far_end_of_every_range_an_advantage_keeps_its_sign() {
    let least = Weight::TradePawnless.declaration().min - 4 * Weight::TradePawns.declaration().max;
    assert!(100 + least > 0);
    let mut weights = Weights::default();
    weights.set("trade_pawnless", Weight::TradePawnless.declaration().min).unwrap();
    weights.set("trade_pawns", Weight::TradePawns.declaration().max).unwrap();
    weights.set("trade_pieces", 0).unwrap();
    let axon = Axon::with_weights(Options::default(), weights);
    let explanation = explained(&axon, "r2bk3/8/8/8/8/8/8/RR2K3 w - - 0 1");
    assert_eq!(200 + sum_of(&explanation, &[Part::Trade]), 200 * (100 + least) / 100);
}
