//! An independent checker of claims: it knows shakmaty's rules and nothing of how the coach finds or proves anything.
//!
//! Every claim is verified from its own words: the line is played out with the rules of chess, pieces are counted on the
//! board, attacks are read off legal moves. What is wrong is said in a sentence; nothing is trusted.

use shakmaty::{Bitboard, Chess, Color, Move, Piece, Position, Role, Square};
use tabia_coach::proof::Check;
use tabia_coach::review::{Allowed, Branch, Claim, Counted, Reason};
use tabia_coach::structure::{Fact, Feature};
use tabia_coach::{Motif, Review, Theme};
use tabia_eval::field::FieldEval;
use tabia_eval::{Evaluate, View};

type Verdict = Result<(), String>;

fn ensure(holds: bool, what: &str) -> Verdict {
    if holds { Ok(()) } else { Err(what.to_owned()) }
}

/// Points as beginners count them.
fn points(role: Role) -> i32 {
    match role {
        Role::Pawn => 1,
        Role::Knight | Role::Bishop => 3,
        Role::Rook => 5,
        Role::Queen => 9,
        Role::King => 0,
    }
}

fn total(position: &Chess, color: Color) -> i32 {
    position
        .board()
        .iter()
        .filter(|(_, piece)| piece.color == color)
        .map(|(_, piece)| points(piece.role))
        .sum()
}

fn balance(position: &Chess, color: Color) -> i32 {
    total(position, color) - total(position, color.other())
}

/// All positions of a line, or which move is not legal.
fn replay(start: &Chess, moves: &[Move]) -> Result<Vec<Chess>, String> {
    let mut positions = vec![start.clone()];
    for (index, m) in moves.iter().enumerate() {
        let last = &positions[index];
        if !last.legal_moves().contains(m) {
            return Err(format!("half-move {} of the line is not legal", index + 1));
        }
        let mut next = last.clone();
        next.play_unchecked(*m);
        positions.push(next);
    }
    Ok(positions)
}

/// Every claim of a review that does not hold, with what is wrong.
pub fn failures(review: &Review, counted_from: &Chess) -> Vec<String> {
    let mut failed = Vec::new();
    for reason in &review.reasons {
        if let Err(what) = check(review, reason, counted_from) {
            failed.push(format!("{:?}: {what}", reason.claim));
        }
    }
    let sum: i32 = review.comparison.changes.iter().map(|change| change.cp).sum();
    let against = if review.verdict.is_bad() { review.best.end() } else { &review.position };
    let statically = |position: &Chess| {
        let score = FieldEval::default().evaluate(View::from(position)).raw();
        review.mover.fold_wb(score, -score)
    };
    if sum != statically(review.played.end()) - statically(against) {
        failed.push("the headings do not sum to the static difference".to_owned());
    }
    failed
}

fn check(review: &Review, reason: &Reason, counted_from: &Chess) -> Verdict {
    let start = match reason.branch {
        Branch::Passed => {
            review.position.clone().swap_turn().map_err(|_| "passing is illegal here".to_owned())?
        }
        Branch::Played | Branch::Best => review.position.clone(),
    };
    let positions = replay(&start, &reason.line)?;
    let end = positions.last().ok_or("no position")?;
    match &reason.claim {
        Claim::Mate { winner, moves, pattern } => {
            mate(&positions, &reason.line, *winner, *moves, reason.evidence.check)?;
            pattern.map_or(Ok(()), |pattern| named_mate(end, *winner, pattern))
        }
        Claim::Material { side, balance: claimed, counted } => {
            let start = match counted {
                Counted::Start => &review.position,
                Counted::BeforeCapture => counted_from,
            };
            let change = balance(end, *side) - balance(start, *side);
            ensure(change == claimed.net, "the material on the board is another")?;
            let sum = |roles: &[Role]| roles.iter().map(|role| points(*role)).sum::<i32>();
            let made = |roles: &[Role]| roles.iter().map(|role| points(*role) - 1).sum::<i32>();
            let listed =
                sum(&claimed.won) - sum(&claimed.lost) + made(&claimed.promoted) - made(&claimed.conceded);
            ensure(listed == change, "the pieces named do not add up")?;
            ensure(!end.is_check(), "the line ends in check")?;
            ensure(best_capture(end, 6) <= 0, "the line ends in the middle of an exchange")
        }
        Claim::Draw { end: how } => match how {
            tabia_coach::outcome::End::Stalemate => ensure(end.is_stalemate(), "it is no stalemate"),
            tabia_coach::outcome::End::InsufficientMaterial => {
                ensure(end.is_insufficient_material(), "somebody can still mate")
            }
            tabia_coach::outcome::End::PerpetualCheck(by) => {
                let first = positions.iter().skip(1).find(|position| position.is_check());
                let first = first.ok_or("no check is given")?;
                ensure(first.turn() != *by, "the other side gives check")?;
                ensure(checks_for_ever(first, 8), "the checks end")
            }
            tabia_coach::outcome::End::Repetition => {
                let earlier = &positions[..positions.len() - 1];
                let same = |other: &Chess| other.board() == end.board() && other.turn() == end.turn();
                ensure(earlier.iter().any(same), "no position is repeated")
            }
            _ => Err("that is no draw".to_owned()),
        },
        Claim::WrongBishop { side, corner } => wrong_bishop(end, *side, *corner),
        Claim::Tablebase { result, instead } => {
            // The tables are the authority; what can be checked is that they say something about the verdict.
            let worse = instead.is_none_or(|instead| *result < instead);
            let better = instead.is_some_and(|instead| *result > instead);
            ensure(
                if review.verdict.is_bad() { worse } else { better },
                "the result does not fit the verdict",
            )
        }
        Claim::Motif { by, motif } => {
            motif_holds(&positions, &reason.line, *by, motif, reason.evidence.check)
        }
        Claim::Sacrifice { role, square } => {
            let taken = reason.line.iter().zip(&positions).any(|(m, before)| {
                before.turn() != review.mover
                    && m.to() == *square
                    && before.board().piece_at(*square) == Some(Piece { color: review.mover, role: *role })
            });
            ensure(taken, "the piece is not taken there")?;
            let down = balance(end, review.mover) - balance(&review.position, review.mover);
            ensure(down <= -2, "nothing is given up")
        }
        Claim::Threat { first, balance: claimed, mate, .. } => {
            ensure(reason.line.first() == Some(first), "the threat is not the first move of its line")?;
            if mate.is_some() {
                return ensure(end.is_checkmate(), "the threat does not mate");
            }
            let side = start.turn();
            ensure(
                balance(end, side) - balance(&start, side) == claimed.net,
                "the threat wins something else",
            )?;
            ensure(claimed.net > 0, "the threat wins nothing")
        }
        Claim::Allows { how, square } => {
            let [moved, reply] = reason.line.as_slice() else { return Err("there is no reply".to_owned()) };
            let before = &review.position;
            let (from, taker) = (moved.from().ok_or("a drop")?, reply.from().ok_or("a drop")?);
            ensure(
                reply.to() == *square && reply.is_capture() && moved.to() != *square,
                "nothing is allowed",
            )?;
            ensure(exchange_on(&positions[1], *reply) > 0, "the capture does not pay")?;
            match how {
                Allowed::Unguarded => {
                    ensure(attacks(before, from, *square), "it did not guard the square before")?;
                    ensure(!attacks(&positions[1], moved.to(), *square), "it guards the square still")?;
                    let passed =
                        before.clone().swap_turn().map_err(|_| "passing is illegal here".to_owned())?;
                    ensure(exchange_on(&passed, *reply) <= 0, "the capture paid before")
                }
                Allowed::Opened => {
                    ensure(!attacks(before, taker, *square), "it was attacked before")?;
                    ensure(shakmaty::attacks::between(taker, *square).contains(from), "nothing is opened")
                }
            }
        }
        Claim::FollowUpFails => {
            let [moved, reply, check, _] = reason.line.as_slice() else {
                return Err("there is no check and reply".to_owned());
            };
            ensure(reply.is_capture() && reply.to() == moved.to(), "no piece is given")?;
            ensure(positions[3].is_check() && check.from().is_some(), "it is no check")?;
            let (before, after) =
                (balance(&review.position, review.mover), balance(&positions[2], review.mover));
            ensure(after < before, "nothing is given up")
        }
        Claim::Zugzwang => {
            let (moving, passing) = (reason.evidence.actual_cp, reason.evidence.counterfactual_cp);
            ensure(!positions[1].is_check() && moving - passing >= 100, "passing would not help")
        }
        Claim::Positional(change) => {
            let known = review.comparison.changes.contains(change);
            ensure(known, "the heading is not part of the comparison")?;
            let against = if review.verdict.is_bad() { review.best.end() } else { &review.position };
            change.fact.map_or(Ok(()), |fact| fact_holds(fact, review.played.end(), against))
        }
    }
}

/// A feature of the one position that the other has not, looked at square by square.
fn fact_holds(fact: Fact, first: &Chess, second: &Chess) -> Verdict {
    let (here, there) = if fact.is_gained { (first, second) } else { (second, first) };
    ensure(has(here, fact.side, fact.feature, fact.square), "the board does not show it")?;
    let elsewhere = Square::ALL.into_iter().filter(|square| square.file() == fact.square.file());
    let known = elsewhere.into_iter().any(|square| has(there, fact.side, fact.feature, square));
    ensure(!known, "it was there already")
}

fn has(position: &Chess, side: Color, feature: Feature, square: Square) -> bool {
    let board = position.board();
    let rank = |square: Square| side.fold_wb(square.rank().to_u32(), 7 - square.rank().to_u32());
    let step = |other: Square| square.file().to_u32().abs_diff(other.file().to_u32());
    let pawns = |color: Color| {
        Square::ALL.into_iter().filter(move |at| board.piece_at(*at) == Some(Role::Pawn.of(color)))
    };
    let role = match feature {
        Feature::Outpost(role) => role,
        Feature::OpenFile => Role::Rook,
        _ => Role::Pawn,
    };
    if board.piece_at(square) != Some(role.of(side)) {
        return false;
    }
    match feature {
        Feature::Isolated => pawns(side).all(|other| step(other) != 1),
        Feature::Doubled => pawns(side).any(|other| step(other) == 0 && rank(other) < rank(square)),
        Feature::Backward => {
            pawns(side).any(|other| step(other) == 1)
                && pawns(side).all(|other| step(other) != 1 || rank(other) > rank(square))
                && pawns(side.other()).any(|other| step(other) == 1 && rank(other) == rank(square) + 2)
        }
        Feature::Passed => {
            pawns(side.other()).all(|other| step(other) > 1 || rank(other) <= rank(square))
                && pawns(side).all(|other| step(other) != 0 || rank(other) <= rank(square))
        }
        Feature::Outpost(_) => {
            (3..=5).contains(&rank(square))
                && pawns(side).any(|other| step(other) == 1 && rank(other) + 1 == rank(square))
                && pawns(side.other()).all(|other| step(other) != 1 || rank(other) <= rank(square))
        }
        Feature::OpenFile => pawns(side).chain(pawns(side.other())).all(|other| step(other) != 0),
    }
}

/// Whether every reply allows another check, so many times in a row: breadth first over the replies, without looking for
/// repetitions. Not a proof that it goes on for ever, but a refutation where it does not.
fn checks_for_ever(checked: &Chess, checks: u32) -> bool {
    if checks == 0 {
        return true;
    }
    checked.legal_moves().into_iter().all(|reply| {
        let mut after = checked.clone();
        after.play_unchecked(reply);
        after.legal_moves().into_iter().any(|m| {
            let mut next = after.clone();
            next.play_unchecked(m);
            next.is_check() && checks_for_ever(&next, checks - 1)
        })
    })
}

/// What the side to move can win by captures, counted independently: plain minimax over legal captures, and over all
/// moves where a check must be answered.
fn best_capture(position: &Chess, depth: u32) -> i32 {
    if depth == 0 {
        return 0;
    }
    let check = position.is_check();
    let moves = position.legal_moves().into_iter();
    let gains = moves.filter(|m| check || m.is_capture() || m.promotion() == Some(Role::Queen)).map(|m| {
        let mut next = position.clone();
        next.play_unchecked(m);
        let won = m.capture().map_or(0, points) + m.promotion().map_or(0, |role| points(role) - 1);
        won - best_capture(&next, depth - 1)
    });
    match (gains.max(), check) {
        (Some(best), true) => best,
        (None, true) => -100,
        (best, false) => best.unwrap_or(0).max(0),
    }
}

/// Whether the side to move mates in so many moves: plain full-width search.
fn mates(position: &Chess, moves: u32) -> bool {
    position.legal_moves().into_iter().any(|m| {
        let mut next = position.clone();
        next.play_unchecked(m);
        if moves == 1 && !next.is_check() {
            return false;
        }
        is_mated(&next, moves - 1)
    })
}

fn is_mated(position: &Chess, moves: u32) -> bool {
    let replies = position.legal_moves();
    if replies.is_empty() {
        return position.is_check();
    }
    moves > 0
        && replies.into_iter().all(|reply| {
            let mut next = position.clone();
            next.play_unchecked(reply);
            mates(&next, moves)
        })
}

/// What a capture brings when both sides take back on its square as long as it pays, by legal moves.
fn exchange_on(position: &Chess, capture: Move) -> i32 {
    let mut after = position.clone();
    after.play_unchecked(capture);
    let answers = after.legal_moves().into_iter().filter(|m| m.is_capture() && m.to() == capture.to());
    let best = answers.map(|answer| exchange_on(&after, answer)).max().unwrap_or(0).max(0);
    capture.capture().map_or(0, points) - best
}

fn mate(positions: &[Chess], line: &[Move], winner: Color, moves: u32, check: Check) -> Verdict {
    let end = positions.last().ok_or("no position")?;
    let line_mates = end.is_checkmate() && end.turn() != winner;
    // Longer mates are believed if the line shows them to the end: trying everything would take too long here.
    let exhaustive = check == Check::FullWidthMate && moves <= 2;
    if !exhaustive {
        return ensure(line_mates || check == Check::FullWidthMate, "the line does not mate");
    }
    let first = positions.get(1).ok_or("the line is empty")?;
    let forced = if line.is_empty() {
        false
    } else if positions[0].turn() == winner {
        is_mated(first, moves - 1)
    } else {
        mates(first, moves)
    };
    ensure(forced, "the mate is not forced")
}

fn named_mate(end: &Chess, winner: Color, pattern: Theme) -> Verdict {
    ensure(end.is_checkmate(), "it is no mate")?;
    let board = end.board();
    let king = board.king_of(winner.other()).ok_or("no king")?;
    let around = shakmaty::attacks::king_attacks(king);
    let own = board.by_color(winner.other());
    let checkers = end.checkers();
    let checker_is = |role: Role| (checkers & board.by_role(role)).any();
    match pattern {
        Theme::SmotheredMate => ensure(
            checker_is(Role::Knight) && around.is_subset(own),
            "the king is not smothered by its own pieces",
        ),
        Theme::BackRankMate => {
            let rank = king.rank();
            let along = checkers.into_iter().any(|square| square.rank() == rank);
            let home = winner.fold_wb(shakmaty::Rank::Eighth, shakmaty::Rank::First);
            ensure(along && rank == home, "it is no mate along the back rank")
        }
        Theme::ArabianMate | Theme::HookMate => ensure(
            checker_is(Role::Rook) && (board.by_color(winner) & board.knights()).any(),
            "no rook and knight",
        ),
        Theme::AnastasiaMate => {
            ensure((board.by_color(winner) & board.knights()).any(), "there is no knight")
        }
        Theme::BodenMate | Theme::DoubleBishopMate => {
            ensure(checker_is(Role::Bishop), "no bishop gives check")
        }
        Theme::DovetailMate => ensure(checker_is(Role::Queen), "no queen gives check"),
        _ => Err("that is no pattern of mate".to_owned()),
    }
}

fn wrong_bishop(end: &Chess, side: Color, corner: Square) -> Verdict {
    let board = end.board();
    let own = board.by_color(side);
    let bishops = own & board.bishops();
    let pawns = own & board.pawns();
    ensure(board.by_color(side.other()).count() == 1, "the defender has more than a king")?;
    ensure(own.count() == 1 + bishops.count() + pawns.count(), "there are other pieces")?;
    ensure(
        pawns.any() && pawns.into_iter().all(|pawn| pawn.file() == corner.file()),
        "the pawns promote elsewhere",
    )?;
    ensure(
        bishops.into_iter().all(|bishop| bishop.is_light() != corner.is_light()),
        "the bishop controls the corner",
    )?;
    let king = board.king_of(side.other()).ok_or("no king")?;
    ensure(king.distance(corner) <= 1, "the king is not in the corner")
}

/// Whether the piece on a square may take on another, by the rules alone.
fn attacks(position: &Chess, from: Square, to: Square) -> bool {
    position.board().attacks_from(from).contains(to)
}

fn motif_holds(positions: &[Chess], line: &[Move], by: Color, motif: &Motif, check: Check) -> Verdict {
    let index = motif.ply;
    let (Some(before), Some(after), Some(m)) =
        (positions.get(index), positions.get(index + 1), line.get(index))
    else {
        return Err("the motif lies beyond the line".to_owned());
    };
    // An interference may be the opponent's own move.
    let own_move = before.turn() == by;
    ensure(own_move || motif.theme == Theme::Interference, "it is not the player's move")?;
    let enemy = |position: &Chess, square: Square| position.board().color_at(square) == Some(by.other());
    let next = || line.get(index + 2).ok_or("nothing follows".to_owned());
    let target = |at: usize| motif.targets.get(at).copied().ok_or("it has no target".to_owned());
    match motif.theme {
        Theme::Fork => {
            ensure(motif.targets.len() >= 2, "a fork has two targets")?;
            for square in &motif.targets {
                ensure(
                    enemy(after, *square) && attacks(after, motif.actor, *square),
                    "a target is not attacked",
                )?;
            }
            if check == Check::WonInLine {
                let taken = line.iter().zip(positions).skip(index + 1).any(|(later, position)| {
                    position.turn() == by
                        && later.from() == Some(motif.actor)
                        && motif.targets.contains(&later.to())
                });
                return ensure(taken, "no target is taken");
            }
            for reply in after.legal_moves() {
                let mut next = after.clone();
                next.play_unchecked(reply);
                let change = balance(&next, by) - balance(after, by);
                ensure(best_capture(&next, 6) + change > 0, "a reply loses nothing")?;
                let takes = next.legal_moves().into_iter().any(|later| {
                    later.from() == Some(motif.actor)
                        && later.is_capture()
                        && motif.targets.contains(&later.to())
                });
                ensure(takes, "after a reply no target can be taken")?;
            }
            Ok(())
        }
        Theme::HangingPiece => {
            let taken = before.board().piece_at(m.to()).ok_or("nothing is taken")?;
            ensure(taken.color != by && taken.role != Role::Pawn, "no piece is taken")?;
            let recaptures =
                after.legal_moves().into_iter().any(|reply| reply.to() == m.to() && reply.is_capture());
            ensure(!recaptures, "the piece was defended")
        }
        Theme::Pin => {
            let square = target(0)?;
            let king = after.board().king_of(by.other()).ok_or("no king")?;
            // Without the piece, somebody attacks the king along its line.
            let mut without = after.board().clone();
            without.discard_piece_at(square);
            let through = without.attacks_to(king, by, without.occupied())
                & !after.board().attacks_to(king, by, after.board().occupied());
            ensure(enemy(after, square) && through.any(), "the piece is not pinned")?;
            let pinner = through.first().ok_or("no pinner")?;
            let line = shakmaty::attacks::ray(king, pinner);
            let leaves =
                after.legal_moves().into_iter().any(|m| m.from() == Some(square) && !line.contains(m.to()));
            ensure(!leaves, "the pinned piece may leave its line")
        }
        Theme::Skewer => {
            let (front, back, taking) = (target(0)?, target(1)?, next()?);
            ensure(attacks(after, motif.actor, front), "the piece in front is not attacked")?;
            ensure(
                shakmaty::attacks::between(motif.actor, back).contains(front),
                "the pieces are not in line",
            )?;
            ensure(taking.from() == Some(motif.actor) && taking.to() == back, "the piece behind is not taken")
        }
        Theme::DiscoveredAttack => {
            let square = target(0)?;
            ensure(m.from() != Some(motif.actor), "the attacker itself moved")?;
            ensure(attacks(after, motif.actor, square) && enemy(after, square), "nothing is attacked")?;
            ensure(!attacks(before, motif.actor, square), "it was attacked before")
        }
        Theme::DoubleCheck => ensure(after.checkers().count() == 2, "it is no double check"),
        Theme::RelativePin => {
            let (front, back) = (target(0)?, target(1)?);
            ensure(enemy(after, front) && enemy(after, back), "there are no two pieces")?;
            ensure(attacks(after, motif.actor, front), "the piece is not attacked")?;
            let mut without = after.board().clone();
            without.discard_piece_at(front);
            ensure(without.attacks_from(motif.actor).contains(back), "nothing stands behind it")?;
            let roles = [front, back].map(|square| after.board().role_at(square).map_or(0, points));
            ensure(roles[0] < roles[1], "what stands behind is worth less")?;
            let taken =
                line.iter().zip(positions).skip(index + 1).any(|(later, position)| {
                    position.turn() == by && later.to() == front && later.is_capture()
                });
            ensure(taken, "the pinned piece is not taken")
        }
        Theme::Overloading => {
            let (defender, one, other) = (target(0)?, target(1)?, target(2)?);
            let reply = line.get(index + 1).ok_or("there is no reply")?;
            ensure(m.to() == one && m.is_capture(), "nothing is taken first")?;
            ensure(reply.from() == Some(defender) && reply.to() == one, "another piece takes back")?;
            ensure(next()?.to() == other && next()?.is_capture(), "nothing is taken then")?;
            let guards = |square| attacks(before, defender, square);
            ensure(guards(one) && guards(other), "the defender does not guard both")?;
            let recaptures = positions.get(index + 3).ok_or("nothing follows")?;
            let answer = recaptures
                .legal_moves()
                .into_iter()
                .any(|reply| reply.from() == Some(one) && reply.to() == other);
            ensure(!answer, "the defender still guards the other")
        }
        Theme::TrappedPiece => {
            let square = target(0)?;
            ensure(enemy(after, square), "there is no piece")?;
            let piece = after.board().role_at(square).ok_or("there is no piece")?;
            let attacked =
                |position: &Chess, on| position.board().attacks_to(on, by, position.board().occupied()).any();
            ensure(attacked(after, square), "the piece is not attacked")?;
            for m in after.legal_moves().into_iter().filter(|m| m.from() == Some(square)) {
                let mut next = after.clone();
                next.play_unchecked(m);
                let paid = m.capture().map_or(0, points) >= points(piece);
                ensure(!paid && attacked(&next, m.to()), "the piece has a safe square")?;
            }
            Ok(())
        }
        Theme::CapturingDefender => {
            let defended = target(1)?;
            ensure(enemy(before, m.to()) && attacks(before, m.to(), defended), "no defender is taken")?;
            ensure(next()?.to() == defended, "what it defended is not taken")
        }
        Theme::Deflection => {
            let (from, square) = (target(0)?, target(1)?);
            let reply = line.get(index + 1).ok_or("there is no reply")?;
            ensure(reply.from() == Some(from), "another piece is deflected")?;
            ensure(next()?.to() == square, "nothing happens on the square it guarded")
        }
        Theme::Attraction => {
            let reply = line.get(index + 1).ok_or("there is no reply")?;
            let (lured, attacker) = (target(0)?, next()?);
            let later = positions.get(index + 3).ok_or("nothing follows")?;
            ensure(reply.to() == lured && reply.to() == m.to(), "nothing is lured there")?;
            let to = match attacker {
                Move::Castle { .. } => return Err("castling attacks nothing".to_owned()),
                m => m.to(),
            };
            ensure(attacks(later, to, lured), "the lured piece is not attacked")
        }
        Theme::Interference => {
            let (defender, square) = (target(0)?, target(1)?);
            ensure(attacks(before, defender, square), "the piece did not defend")?;
            ensure(!attacks(after, defender, square), "the piece still defends")
        }
        Theme::Clearance => {
            let later = next()?;
            let from = later.from().ok_or("a drop")?;
            let path = shakmaty::attacks::between(from, later.to()) | Bitboard::from_square(later.to());
            ensure(m.from().is_some_and(|from| path.contains(from)), "no way is cleared")
        }
        Theme::XRayAttack => {
            let earlier = &line[index - 1];
            ensure(earlier.to() == m.to() && m.is_capture(), "nothing is taken back")?;
            let from = m.from().ok_or("a drop")?;
            let path = shakmaty::attacks::between(from, m.to());
            ensure(earlier.from().is_some_and(|from| path.contains(from)), "nothing stood between")
        }
        Theme::Intermezzo => {
            let square = target(0)?;
            let later = next()?;
            ensure(later.to() == square && m.to() != square, "nothing comes in between")?;
            ensure(before.legal_moves().contains(later), "taking at once was not possible")
        }
        Theme::UnderPromotion => {
            ensure(m.promotion().is_some_and(|role| role != Role::Queen), "it is no under-promotion")
        }
        Theme::Promotion => {
            let end = positions.last().ok_or("no position")?;
            ensure(m.promotion().is_some(), "no pawn promotes")?;
            ensure(balance(end, by) > balance(before, by), "the promotion wins nothing")
        }
        Theme::AdvancedPawn => {
            let rank = by.fold_wb(m.to().rank().to_u32(), 7 - m.to().rank().to_u32());
            ensure(m.role() == Role::Pawn && rank >= 6, "no pawn comes to the seventh rank")
        }
        Theme::ExposedKing => {
            let first = if positions[0].turn() == by { &positions[0] } else { &positions[1] };
            let king = first.board().king_of(by.other()).ok_or("no king")?;
            ensure(target(0)? == king, "the king stands elsewhere")?;
            let backwards = by.other().fold_wb(-1, 1);
            let pawns = first.board().by_color(by.other()) & first.board().pawns();
            let near = (shakmaty::attacks::king_attacks(king) & pawns).into_iter();
            let mut before_it = near.filter(|pawn| Some(pawn.rank()) != king.rank().offset(backwards));
            ensure(before_it.next().is_none(), "a pawn stands before the king")
        }
        Theme::QuietMove => {
            ensure(!m.is_capture() && !after.is_check(), "the move is not quiet")?;
            let forcing = before.legal_moves().into_iter().any(shakmaty::Move::is_capture);
            let checks = before.legal_moves().into_iter().any(|m| {
                let mut next = before.clone();
                next.play_unchecked(m);
                next.is_check()
            });
            ensure(forcing || checks, "there is neither check nor capture")
        }
        Theme::DefensiveMove => {
            ensure(check == Check::Searched && index == 0, "it was not searched")?;
            ensure(before.legal_moves().len() > 1, "there is no other move")
        }
        _ => Err("no claim is made of this motif".to_owned()),
    }
}
