//! Explains a score: a term for every kind of piece, a term for every weight, and one for what was clamped.
//!
//! Terms come from the same amounts as the score. A part is truncated to centipawns once, so a term within it gets the
//! difference between the truncated running totals before and after it. What the positional limit (or the bound of the
//! score) takes away is the term "limit".

use shakmaty::{Board, ByColor, Color, Role, Square};
use tabia_core::Score;

use super::perspective::Side;
use super::tally::Tally;
use super::weights::{Part, QUANTISATION, Unit, Weight};
use super::{Axon, count_with, draws, king, material, matrices};
use crate::explain::{Explanation, Field, Term};
use crate::view::View;

pub(super) fn explain(axon: &Axon, view: View<'_>) -> Explanation {
    let mut mobility = [[0.0; 8]; 8];
    let (_, tally) = count_with(view, |color, square, reach| {
        let squares = reach.safe.count() as f64;
        *at(&mut mobility, square) = color.fold_wb(squares, -squares);
    });
    let fields = fields(axon, view.board, &mobility);
    if draws::is_draw(view) {
        let score = axon.draw_score();
        return Explanation { score, terms: vec![draw(axon, score)], fields };
    }

    let mut terms = material_terms(view.board);
    let material = sum(&terms);
    part_terms(axon, &tally, &[Part::Trade], &mut terms);
    part_terms(axon, &tally, &[Part::Attack, Part::Position], &mut terms);
    part_terms(axon, &tally, &[Part::Promotion], &mut terms);
    let score = axon.parts(material, &tally).score();
    terms.push(limit(score.raw() - sum(&terms)));
    Explanation { score, terms, fields }
}

fn sum(terms: &[Term]) -> i32 {
    terms.iter().map(|term| term.centipawns).sum()
}

/// The one term of Table II: the value of a draw to each side.
fn draw(axon: &Axon, score: Score) -> Term {
    let worth_to = |color| {
        if axon.options.engine_side == Some(color) { f64::from(-axon.options.contempt) } else { 0.0 }
    };
    Term {
        name: "theoretical draw".to_owned(),
        white: worth_to(Color::White),
        black: worth_to(Color::Black),
        weight: 1.0,
        centipawns: score.raw(),
    }
}

fn material_terms(board: &Board) -> Vec<Term> {
    const ARMY: [(Role, &str); 5] = [
        (Role::Pawn, "pawns"),
        (Role::Knight, "knights"),
        (Role::Bishop, "bishops"),
        (Role::Rook, "rooks"),
        (Role::Queen, "queens"),
    ];
    ARMY.into_iter()
        .map(|(role, name)| {
            let ByColor { white, black } =
                ByColor::new_with(|color| (board.by_role(role) & board.by_color(color)).count() as i32);
            Term {
                name: name.to_owned(),
                white: white.into(),
                black: black.into(),
                weight: material::value(role).into(),
                centipawns: (white - black) * material::value(role),
            }
        })
        .collect()
}

/// The terms of parts that are truncated to centipawns together.
fn part_terms(axon: &Axon, tally: &Tally, parts: &[Part], terms: &mut Vec<Term>) {
    let mut total = 0;
    let of_parts = Weight::ALL.into_iter().filter(|weight| parts.contains(&weight.declaration().part));
    for weight in of_parts {
        let unit = weight.declaration().unit;
        let quantised = axon.scales.quantised[weight as usize];
        let [white, black] = Color::ALL.map(|color| tally.amount(color, weight));
        let before = total / QUANTISATION;
        total += (white - black) * quantised;
        terms.push(Term {
            name: weight.declaration().name.replace('_', " "),
            white: read(white, unit),
            black: read(black, unit),
            weight: f64::from(quantised * unit.share()) / f64::from(QUANTISATION),
            centipawns: total / QUANTISATION - before,
        });
    }
}

/// An amount in readable units: shares as fractions.
fn read(amount: i32, unit: Unit) -> f64 {
    f64::from(amount) / f64::from(unit.share())
}

fn limit(rest: i32) -> Term {
    Term {
        name: "limit".to_owned(),
        white: rest.max(0).into(),
        black: (-rest).max(0).into(),
        weight: 1.0,
        centipawns: rest,
    }
}

type Values = [[f64; 8]; 8];

fn at(values: &mut Values, square: Square) -> &mut f64 {
    &mut values[7 - square.rank() as usize][square.file() as usize]
}

fn fields(axon: &Axon, board: &Board, mobility: &Values) -> Vec<Field> {
    let control = ByColor::new_with(|color| control(board, color));
    let zones = king_zones(board, &control);
    let field =
        |name: &str, unit: &str, values| Field { name: name.to_owned(), unit: unit.to_owned(), values };
    vec![
        field("white control", "attackers", control.white),
        field("black control", "attackers", control.black),
        field("mobility", "squares", *mobility),
        field("king zones", "attackers", zones),
        field("placement", "centipawns", placement(axon, board)),
    ]
}

/// How many pieces of a side attack each square.
fn control(board: &Board, color: Color) -> Values {
    let mut values = [[0.0; 8]; 8];
    for square in Square::ALL {
        let attackers = board.attacks_to(square, color, board.occupied());
        *at(&mut values, square) = attackers.count() as f64;
    }
    values
}

/// On the squares around each king, how many pieces attack them: Black's king positive (White attacks), White's negative.
fn king_zones(board: &Board, control: &ByColor<Values>) -> Values {
    let mut values = [[0.0; 8]; 8];
    for color in Color::ALL {
        for square in king::zone(!color, Side::of(board, !color).king) {
            let mut attackers = *control.get(color);
            *at(&mut values, square) += color.fold_wb(1.0, -1.0) * *at(&mut attackers, square);
        }
    }
    values
}

/// The piece-square value of each piece, White's positive; the kings' depend on the game stage and are left out.
fn placement(axon: &Axon, board: &Board) -> Values {
    let mut values = [[0.0; 8]; 8];
    for (square, piece) in board {
        if piece.role == Role::King {
            continue;
        }
        let own = piece.color.fold_wb(square, square.flip_vertical());
        let weight =
            f64::from(axon.scales.quantised[matrices::weight(piece.role) as usize]) / f64::from(QUANTISATION);
        let worth = f64::from(matrices::of(piece.role, own)) * weight;
        *at(&mut values, square) = piece.color.fold_wb(worth, -worth);
    }
    values
}
