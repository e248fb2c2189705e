//! Kernels and fields, against numbers worked out by hand from seed 000 §3.1 to §3.3 and §10.

use super::*;

/// Within the fixed point's half unit.
fn assert_near(found: f64, expected: f64) {
    assert!((found - expected).abs() <= 0.5 / 20_000.0 + 1e-12, "{found} is not {expected}");
}

fn rows(text: [&str; 8]) -> [[f64; 8]; 8] {
    text.map(|row| {
        let weights: Vec<f64> =
            row.split_whitespace().map(|x| if x == "." { 0.0 } else { x.parse().unwrap() }).collect();
        weights.try_into().unwrap()
    })
}

#[test]
fn a_knight_in_the_centre_has_the_whole_printed_kernel() {
    let found = field(&Axiomx::default(), "k7/8/8/8/3N4/8/8/7K w - - 0 1", "white knight influence");
    let expected = rows([
        ". . . . . . . .",
        ". . . . . . . .",
        ". . 3 . 3 . . .",
        ". 3 . . . 3 . .",
        ". . . 10 . . . .",
        ". 3 . . . 3 . .",
        ". . 3 . 3 . . .",
        ". . . . . . . .",
    ]);
    assert_eq!(found, expected);
}

#[test]
fn a_kernel_ends_at_the_edge_of_the_board() {
    let found = field(&Axiomx::default(), "k7/8/8/8/8/8/8/N6K w - - 0 1", "white knight influence");
    let mut expected = [[0.0; 8]; 8];
    (expected[7][0], expected[5][1], expected[6][2]) = (10.0, 3.0, 3.0);
    assert_eq!(found, expected);
}

#[test]
fn in_the_code_a_knight_has_sixes_and_no_centre() {
    let found = field(&with(Kernels::Code), "k7/8/8/8/8/8/8/N6K w - - 0 1", "white knight influence");
    let mut expected = [[0.0; 8]; 8];
    (expected[5][1], expected[6][2]) = (6.0, 6.0);
    assert_eq!(found, expected);
}

#[test]
fn a_white_pawn_looks_up_the_board() {
    let found = field(&Axiomx::default(), "k7/8/8/8/3P4/8/8/7K w - - 0 1", "white pawn influence");
    let mut expected = [[0.0; 8]; 8];
    expected[3][2..5].copy_from_slice(&[2.0, 4.0, 2.0]);
    expected[4][3] = 5.0;
    assert_eq!(found, expected);
}

#[test]
fn a_black_pawn_looks_down_the_board() {
    let found = field(&Axiomx::default(), "k7/8/8/3p4/8/8/8/7K w - - 0 1", "black pawn influence");
    let mut expected = [[0.0; 8]; 8];
    expected[3][3] = 5.0;
    expected[4][2..5].copy_from_slice(&[2.0, 4.0, 2.0]);
    assert_eq!(found, expected);
}

#[test]
fn a_pawn_on_the_edge_has_one_diagonal() {
    let found = field(&Axiomx::default(), "k7/8/8/8/7P/8/8/7K w - - 0 1", "white pawn influence");
    let mut expected = [[0.0; 8]; 8];
    (expected[3][6], expected[3][7], expected[4][7]) = (2.0, 4.0, 5.0);
    assert_eq!(found, expected);
}

#[test]
fn a_blocked_pawn_pushes_in_the_text_and_not_in_the_code() {
    let fen = "k7/8/8/3p4/3P4/8/8/7K w - - 0 1";
    let text = field(&Axiomx::default(), fen, "white pawn influence");
    assert_eq!((text[3], text[4][3]), ([0.0, 0.0, 2.0, 4.0, 2.0, 0.0, 0.0, 0.0], 5.0));
    let code = field(&with(Kernels::Code), fen, "white pawn influence");
    assert_eq!((code[3], code[4][3]), ([0.0, 0.0, 4.0, 0.0, 4.0, 0.0, 0.0, 0.0], 0.0));
    let free = field(&with(Kernels::Code), "k7/8/8/8/3P4/8/8/7K w - - 0 1", "white pawn influence");
    assert_eq!(free[3][3], 2.0);
}

#[test]
fn rooks_decay_along_lines_and_stop_at_the_first_piece_which_still_counts() {
    let found = field(&Axiomx::default(), "k7/8/8/8/R2p2p1/8/P7/7K b - - 0 1", "white rook influence");
    // Along the fourth rank: 7·0.8, 7·0.8², 7·0.8³ on the pawn, nothing beyond.
    for (column, expected) in [0.0, 5.6, 4.48, 3.584, 0.0, 0.0, 0.0, 0.0].into_iter().enumerate() {
        assert_near(found[4][column], expected);
    }
    // Up the a-file to the king on a8; down it to the own pawn on a2.
    for (row, expected) in [2.8672, 3.584, 4.48, 5.6, 0.0, 5.6, 4.48, 0.0].into_iter().enumerate() {
        assert_near(found[row][0], expected);
    }
}

#[test]
fn bishops_decay_along_diagonals() {
    let found = field(&Axiomx::default(), "7k/8/8/8/8/8/8/B6K b - - 0 1", "white bishop influence");
    for (distance, expected) in
        [3.5, 2.45, 1.715, 1.2005, 0.84035, 0.588_245, 0.411_771_5].into_iter().enumerate()
    {
        assert_near(found[6 - distance][1 + distance], expected);
    }
    let total: f64 = found.iter().flatten().sum();
    assert!((total - 10.705_866_5).abs() < 1e-3, "{total}");
}

#[test]
fn queens_decay_along_both() {
    let found = field(&Axiomx::default(), "7k/8/8/3Q4/8/8/8/7K w - - 0 1", "white queen influence");
    assert_near(found[3][4], 9.0);
    assert_near(found[3][7], 6.561);
    assert_near(found[0][0], 7.29);
    assert_near(found[4][4], 9.0);
    assert_near(found[7][3], 6.561);
    assert_eq!(found[3][3], 0.0, "a slider has nothing on its own square");
    assert_eq!(found[5][4], 0.0);
}

#[test]
fn in_the_code_the_first_step_does_not_decay() {
    let rook = field(&with(Kernels::Code), "k7/8/8/8/R2p4/8/8/7K b - - 0 1", "white rook influence");
    for (column, expected) in [0.0, 7.0, 5.6, 4.48, 0.0].into_iter().enumerate() {
        assert_near(rook[4][column], expected);
    }
    let bishop = field(&with(Kernels::Code), "7k/8/8/8/8/8/8/B6K b - - 0 1", "white bishop influence");
    assert_near(bishop[6][1], 5.0);
    assert_near(bishop[5][2], 3.5);
    let queen = field(&with(Kernels::Code), "7k/8/8/3Q4/8/8/8/7K w - - 0 1", "white queen influence");
    assert_near(queen[3][4], 10.0);
    assert_near(queen[3][7], 7.29);
}

#[test]
fn a_king_has_eight_on_its_neighbours() {
    let found = field(&Axiomx::default(), "k7/8/8/8/8/8/8/7K w - - 0 1", "white king influence");
    let mut expected = [[0.0; 8]; 8];
    (expected[6][6], expected[6][7], expected[7][6]) = (8.0, 8.0, 8.0);
    assert_eq!(found, expected);
}

#[test]
fn attack_sums_roles_and_defence_is_three_times_attack_under_own_pieces() {
    // The knight on d4 and the pawn on e2 that it defends; the king is far.
    let fen = "k7/8/8/8/3N4/8/4P3/7K w - - 0 1";
    let attack = field(&Axiomx::default(), fen, "white attack");
    let defence = field(&Axiomx::default(), fen, "white defence");
    assert_eq!((attack[6][4], defence[6][4]), (3.0 + 5.0, 3.0 * 8.0), "the pawn on e2");
    assert_eq!((attack[4][3], defence[4][3]), (10.0, 30.0), "the knight on d4");
    assert_eq!((attack[5][4], defence[5][4]), (4.0, 4.0), "e3 is empty");
    assert_eq!((attack[2][2], defence[2][2]), (3.0, 3.0), "c6 is empty");
}

#[test]
fn control_is_white_attack_and_defence_less_black() {
    // e5: White's knight on d3 attacks an own pawn there, Black's pawn on d6 attacks it too.
    let fen = "k7/8/3p4/4P3/8/3N4/8/7K w - - 0 1";
    let control = field(&Axiomx::default(), fen, "control");
    assert_eq!(control[3][4], (3.0 + 5.0) * 4.0 - 2.0 * 2.0, "e5");
    // d6: Black's own 5, White's diagonal 2.
    assert_eq!(control[2][3], 2.0 * 2.0 - 5.0 * 4.0, "d6");
}

#[test]
fn the_field_for_a_search_is_the_control_that_is_shown() {
    let position = testing::random_position(7);
    let view = View::from(&position);
    let control = Axiomx::default().control(view);
    let explanation = Axiomx::default().explain(view);
    let shown = &explanation.fields[4];
    assert_eq!(shown.name, "control");
    for square in shakmaty::Square::ALL {
        let (row, column) = (7 - square.rank() as usize, square.file() as usize);
        assert_eq!(influences(control.at(square)), shown.values[row][column]);
    }
}

#[test]
fn moving_to_where_one_has_more_control_is_a_gain() {
    use shakmaty::Square::{A1, D4, E2};
    let position = testing::position("k7/8/8/8/3N4/8/4P3/7K w - - 0 1");
    let control = Axiomx::default().control(View::from(&position));
    // d4 has 40, e2 32, a1 nothing.
    assert_eq!(control.gain(Color::White, A1, E2), kernel::fixed(32.0));
    assert_eq!(control.gain(Color::White, D4, E2), kernel::fixed(-8.0));
    assert_eq!(control.gain(Color::Black, D4, E2), kernel::fixed(8.0));
}

#[test]
fn square_weights_are_the_printed_matrix_with_ones_in_its_last_row() {
    for square in shakmaty::Square::ALL {
        let printed = plain::W[7 - square.rank() as usize][square.file() as usize];
        assert_eq!(f64::from(control::SQUARE_WEIGHTS[usize::from(square)]), printed, "{square}");
    }
    assert_eq!(plain::W[7], [1.0; 8]);
}

#[test]
fn the_tensor_has_twelve_kinds_of_pieces_and_occupancy() {
    let position = testing::position("r3k3/8/8/8/8/8/4P3/4K2Q b q - 0 1");
    let tensor = tensor(View::from(&position));
    let ones: Vec<(usize, usize, usize)> = (0..8 * 8 * CHANNELS)
        .map(|i| (i / CHANNELS / 8, i / CHANNELS % 8, i % CHANNELS))
        .filter(|&(row, column, channel)| tensor[row][column][channel] == 1.0)
        .collect();
    let pieces = [(0, 0, 9), (0, 4, 11), (6, 4, 0), (7, 4, 5), (7, 7, 4)];
    let expected: Vec<_> = pieces.iter().flat_map(|&(r, c, channel)| [(r, c, channel), (r, c, 12)]).collect();
    assert_eq!(ones, expected);
    assert_eq!(tensor.as_flattened().as_flattened().iter().sum::<f32>(), 10.0, "all else is zero");
}

#[test]
fn seventeen_fields_are_shown() {
    let explanation = explanation(&Axiomx::default(), "k7/8/8/8/8/8/8/7K w - - 0 1");
    let names: Vec<&str> = explanation.fields.iter().map(|field| field.name.as_str()).collect();
    assert_eq!(names[..5], ["white attack", "black attack", "white defence", "black defence", "control"]);
    assert_eq!((names[5], names[16], names.len()), ("white pawn influence", "black king influence", 17));
    assert!(explanation.fields.iter().all(|field| field.unit == "influence"));
}

#[test]
fn multiscale_leaves_neighbours_and_fades_what_is_far() {
    let options = Options { multiscale: Some(Scales::default()), ..Options::default() };
    let fen = "k7/8/8/8/8/8/8/RN5K b - - 0 1";
    let rook = field(&Axiomx::new(&options), fen, "white rook influence");
    for (row, expected) in
        [0.0, 0.0, 0.0, 0.25 * 2.8672, 0.5 * 3.584, 0.75 * 4.48, 5.6].into_iter().enumerate()
    {
        assert_near(rook[row][0], expected);
    }
    let knight = field(&Axiomx::new(&options), fen, "white knight influence");
    assert_eq!((knight[7][1], knight[5][0]), (10.0, 0.75 * 3.0), "a jump is two steps away");
    let only_near = Options { multiscale: "3".parse().ok(), ..Options::default() };
    let knight = field(&Axiomx::new(&only_near), fen, "white knight influence");
    assert_eq!(knight.iter().flatten().sum::<f64>(), 10.0, "and outside a kernel of three");
}

#[test]
fn with_phase_a_king_is_a_target_early_and_active_late() {
    let options = Options { phase: true, ..Options::default() };
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let early = field(&Axiomx::new(&options), start, "white king influence");
    assert_eq!((early[7][4], early[6][4], early[5][4]), (-10.0, 4.0, 0.0));
    let late = field(&Axiomx::new(&options), "k7/8/8/8/4K3/8/8/8 w - - 0 1", "white king influence");
    assert_eq!((late[4][4], late[3][4], late[2][4], late[1][4]), (5.0, 8.0, 4.0, 0.0));
    // Two queens are a third of all: two thirds of the way from -10 to 5.
    let between = field(&Axiomx::new(&options), "kq6/8/8/8/4K3/8/8/7Q w - - 0 1", "white king influence");
    assert_eq!(between[4][4], 0.0);
    assert_near(between[3][4], 4.0 / 3.0 + 8.0 * 2.0 / 3.0);
}

#[test]
fn with_phase_pawns_and_lines_count_more_when_pieces_are_gone() {
    let options = Options { phase: true, ..Options::default() };
    let late = field(&Axiomx::new(&options), "k7/8/8/8/3P4/8/8/7K w - - 0 1", "white pawn influence");
    assert_eq!((late[3][3], late[3][2], late[4][3]), (8.0, 2.0, 5.0));
    // One rook of 24: 22/24 of the endgame's 7·0.9, the rest of 7·0.8.
    let rook = field(&Axiomx::new(&options), "k7/8/8/8/R7/8/8/7K b - - 0 1", "white rook influence");
    assert!((rook[4][1] - (22.0 * 6.3 + 2.0 * 5.6) / 24.0).abs() < 1e-4);
}
