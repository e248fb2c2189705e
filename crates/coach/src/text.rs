//! Which sentences a review is told in: one to three, from its weightiest reasons.

use shakmaty::{Chess, Color, Move, Position, Role};
use tabia_core::Score;
use tabia_core::chances::Mark;

use crate::heading::Heading;
use crate::line::{Line, Ply};
use crate::messages::{
    BestStanding, English, Gain, Language, MotifFacts, PlacedPiece, Sentence, Taken, TermChange, WhiteScore,
};
use crate::motif::{Motif, Theme};
use crate::outcome::End;
use crate::proof::Check;
use crate::review::{Allowed, Answer, Branch, Claim, Reason, Review};
use crate::verdict::{self, Verdict};

/// Sentences at most.
const SENTENCES: usize = 3;
/// Headings told at most.
const HEADINGS: usize = 2;
/// Half-moves of a line that are written out.
const LINE_PLIES: usize = 12;
/// Up to this a position counts as balanced, in centipawns.
const BALANCED_CP: i32 = 60;
/// Material that changes hands after more half-moves than this does so in the long run.
const FORCED_PLIES: usize = 8;
/// From this score on a position is won whatever the details, in centipawns.
const WON_CP: i32 = 500;
/// From this score on a worse move still wins, in centipawns.
const STILL_WON_CP: i32 = 350;
/// Beyond this a position is lost and not only worse, in centipawns.
const LOST_CP: i32 = 250;
/// Headings are told where they make up at least this share of what is lost, in per cent.
const TOLD_PERCENT: i32 = 30;
/// A heading's leading term is named where it makes up this share of it, in per cent.
const LEADING_PERCENT: i32 = 50;

/// The text of a review. `asked` is whether a move was asked about, or only the position.
pub fn text(review: &Review, asked: bool) -> String {
    text_in(&English, review, asked)
}

/// The text of a review in a language.
pub fn text_in(language: &dyn Language, review: &Review, asked: bool) -> String {
    let told = sentences(review, asked);
    told.iter().map(|sentence| language.sentence(sentence)).collect::<Vec<_>>().join(" ")
}

/// The sentences of a review.
pub fn sentences(review: &Review, asked: bool) -> Vec<Sentence> {
    let mut told = if review.verdict.is_bad() { bad(review) } else { good(review, asked) };
    told.truncate(SENTENCES);
    told
}

/// A move with its number: `17...Bxh2+`.
pub(crate) fn written(ply: &Ply) -> String {
    let number = ply.before.fullmoves();
    let dots = if ply.mover() == Color::White { "." } else { "..." };
    format!("{number}{dots}{}", ply.san())
}

/// Moves with their numbers: `17...Bxh2+ 18.Kxh2 Qh4+`.
pub fn line(start: &Chess, moves: &[Move]) -> String {
    let line = Line::legal_part(start, &moves[..moves.len().min(LINE_PLIES)]);
    let words = line.plies().iter().enumerate().map(|(index, ply)| match ply.mover() {
        Color::Black if index > 0 => ply.san(),
        _ => written(ply),
    });
    let mut text = words.collect::<Vec<_>>().join(" ");
    if moves.len() > LINE_PLIES {
        text.push_str(" …");
    }
    text
}

/// A mover's score, counted before its move, in White's view.
pub fn score(language: &dyn Language, value: Score, mover: Color) -> String {
    language.score(WhiteScore::of(value, mover))
}

/// The line of a branch after its first move, or with it.
fn rest(review: &Review, reason: &Reason, skip: usize) -> String {
    match (skip, reason.line.get(skip..)) {
        (0, _) | (_, None | Some([])) => line(&review.position, &reason.line),
        (_, Some(moves)) => {
            let mut after = review.position.clone();
            reason.line[..skip].iter().for_each(|m| after.play_unchecked(*m));
            line(&after, moves)
        }
    }
}

/// What follows the first move of a line, if something does.
fn continuation(review: &Review, reason: &Reason) -> Option<String> {
    (reason.line.len() > 1).then(|| rest(review, reason, 1))
}

fn bad(review: &Review) -> Vec<Sentence> {
    let played = review.played.line.ply(0).map(written).unwrap_or_default();
    let best = review.best.line.ply(0).map(written).unwrap_or_default();
    let mark = verdict::mark(review.best.score, review.played.score);
    let (from, to) =
        (WhiteScore::of(review.best.score, review.mover), WhiteScore::of(review.played.score, review.mover));
    let outcomes = || review.reasons.iter().filter(|reason| reason.kind() == "outcome");
    // That the win becomes a draw says more than what else was there.
    let outcome = outcomes().find(|reason| is_known_draw(reason, review)).or_else(|| outcomes().next());
    let mut told = Vec::new();
    let mut of_best = false;
    match outcome.map(|reason| (reason, &reason.claim)) {
        Some((reason, Claim::Mate { moves, .. })) if reason.branch == Branch::Played => {
            let line = rest(review, reason, 1);
            let proved = reason.evidence.check == Check::FullWidthMate;
            told.push(Sentence::AllowsMate { played, mark, moves: *moves, line, proved });
        }
        Some((reason, Claim::Mate { moves, .. })) => {
            of_best = true;
            let line = continuation(review, reason);
            told.push(Sentence::MissesMate { played, mark, best: best.clone(), moves: *moves, line });
        }
        Some((reason, Claim::Material { balance, .. })) if reason.branch == Branch::Played => {
            let line = rest(review, reason, 1);
            let is_long = reason.line.len() > FORCED_PLIES;
            told.push(Sentence::Loses { played, mark, balance: balance.clone(), line, is_long });
        }
        Some((reason, Claim::Material { .. })) if review.best_recaptures => {
            of_best = true;
            let line = continuation(review, reason);
            told.push(Sentence::MissesRecapture { played, mark, best: best.clone(), line });
        }
        Some((reason, Claim::Material { balance, .. })) => {
            of_best = true;
            let (line, balance) = (continuation(review, reason), balance.clone());
            let is_long = reason.line.len() > FORCED_PLIES;
            told.push(Sentence::Misses { played, mark, best: best.clone(), balance, line, is_long });
        }
        Some((reason, Claim::Draw { end })) if reason.branch == Branch::Best => {
            of_best = true;
            let (line, end) = (rest(review, reason, 1), end.clone());
            told.push(Sentence::MissesDraw { played, mark, best: best.clone(), end, line });
        }
        Some((reason, Claim::Draw { end })) if review.best.score > Score::cp(BALANCED_CP) => {
            told.push(Sentence::LetsSlip { played, mark, end: end.clone(), line: rest(review, reason, 1) });
        }
        Some((reason, Claim::Tablebase { result, instead })) => {
            let (result, instead, line) = (*result, *instead, rest(review, reason, 0));
            told.push(Sentence::Table { played, mark, result, instead, line });
        }
        Some((reason, Claim::WrongBishop { corner, side })) if *side == review.mover => {
            told.push(Sentence::WrongBishop { played, mark, corner: *corner, line: rest(review, reason, 0) });
        }
        _ if review.played.score.raw() >= STILL_WON_CP && !review.best.score.is_mate() => {
            told.push(Sentence::StillWins { played, mark, best, from, to });
            return told;
        }
        _ => {
            let changes = telling_changes(review);
            let is_explained = ignores_threat(review) || !told_motifs(review, Branch::Played).is_empty();
            if changes.is_empty() && !is_explained {
                told.push(Sentence::Beyond { played, mark, verdict: review.verdict, from, to });
            } else {
                told.push(Sentence::Judged { played, mark, verdict: review.verdict, from, to });
                if !changes.is_empty() {
                    let told_cp: i32 = changes.iter().map(|change| change.cp).sum();
                    let drop = review.best.score.raw() - review.played.score.raw();
                    let is_all = told_cp * 2 >= drop;
                    told.push(Sentence::Costs { changes, is_all });
                }
            }
        }
    }
    let branch = if of_best { Branch::Best } else { Branch::Played };
    told.extend(told_motifs(review, branch).into_iter().take(1));
    if !of_best {
        told.extend(allowed(review));
        told.extend(failed_follow_up(review));
        // What was threatened was no draw.
        let is_drawn = outcome.is_some_and(|reason| matches!(reason.claim, Claim::Draw { .. }));
        if ignores_threat(review) && !is_drawn {
            // The line that refutes the move was told, or not.
            let is_told = outcome.is_some_and(|reason| reason.branch == Branch::Played);
            let threat = review.played.line.ply(1).filter(|_| !is_told).map(written);
            told.push(Sentence::IgnoresThreat { threat });
        }
        told.truncate(SENTENCES - 1);
        told.push(Sentence::BestWas {
            best,
            takes: taken_instead(review),
            score: WhiteScore::of(review.best.score, review.mover),
            standing: standing(review.best.score),
            is_only: is_only_defence(review),
        });
    }
    told
}

/// What a mover's score means.
fn standing(score: Score) -> BestStanding {
    match score.raw() {
        _ if score.is_mate() && score > Score::DRAW => BestStanding::Mates,
        _ if score.is_mate() => BestStanding::LastsLonger,
        cp if cp >= WON_CP => BestStanding::Wins,
        cp if cp > BALANCED_CP => BestStanding::Advantage,
        cp if cp >= -BALANCED_CP => BestStanding::Balance,
        cp if cp > -LOST_CP => BestStanding::Damage,
        _ => BestStanding::Resistance,
    }
}

fn is_only_defence(review: &Review) -> bool {
    review.reasons.iter().any(|reason| {
        let claim = &reason.claim;
        matches!(claim, Claim::Motif { motif, .. } if motif.theme == Theme::DefensiveMove)
            && reason.branch == Branch::Best
    })
}

/// How the played move makes the capture that follows possible.
fn allowed(review: &Review) -> Option<Sentence> {
    let (moved, reply) = (review.played.line.ply(0)?, review.played.line.ply(1)?);
    review.reasons.iter().find_map(|reason| match reason.claim {
        Claim::Allows { how: Allowed::Unguarded, square } => {
            Some(Sentence::Unguards { piece: moved.played.role(), square })
        }
        Claim::Allows { how: Allowed::Opened, square } => Some(Sentence::OpensLine {
            attacker: PlacedPiece { role: reply.played.role(), square: reply.from() },
            target: PlacedPiece { role: reply.taken_on_destination()?, square },
        }),
        _ => None,
    })
}

/// The check that was hoped for, and what it is met by.
fn failed_follow_up(review: &Review) -> Option<Sentence> {
    let reason = review.reasons.iter().find(|reason| reason.claim == Claim::FollowUpFails)?;
    let line = Line::new(&review.position, &reason.line).ok()?;
    Some(Sentence::FollowUpFails { check: written(line.ply(2)?), reply: written(line.ply(3)?) })
}

/// The played line ends in stalemate, or with a bishop of the mover's that does not control the corner.
fn is_known_draw(reason: &Reason, review: &Review) -> bool {
    let is_draw = match reason.claim {
        Claim::Draw { end: End::Stalemate } => true,
        Claim::WrongBishop { side, .. } => side == review.mover,
        _ => false,
    };
    is_draw && reason.branch == Branch::Played
}

fn good(review: &Review, asked: bool) -> Vec<Sentence> {
    let played = review.played.line.ply(0).map(written).unwrap_or_default();
    let verdict = review.verdict;
    let threat = review.reasons.iter().find(|reason| matches!(reason.claim, Claim::Threat { .. }));
    let outcome = review.reasons.iter().find(|reason| reason.kind() == "outcome");
    let mut told = Vec::new();
    match outcome.map(|reason| (reason, &reason.claim)) {
        Some((reason, Claim::Mate { moves, .. })) => {
            let proved = reason.evidence.check == Check::FullWidthMate;
            let line = rest(review, reason, 1);
            told.push(Sentence::ForcesMate { played, verdict, moves: *moves, line, proved });
        }
        Some((reason, Claim::Material { balance, .. })) => {
            let line = continuation(review, reason);
            told.push(Sentence::Wins { played, verdict, balance: balance.clone(), line });
        }
        Some((_, Claim::Tablebase { result, instead })) => {
            told.push(Sentence::TableKeeps { played, verdict, result: *result, instead: *instead });
        }
        Some((reason, Claim::Draw { end })) if review.best.score.raw().abs() <= BALANCED_CP => {
            told.push(Sentence::Draws { played, verdict, end: end.clone(), line: rest(review, reason, 1) });
        }
        Some((reason, Claim::WrongBishop { corner, side })) if *side != review.mover => {
            let line = rest(review, reason, 0);
            told.push(Sentence::DrawsWrongBishop { played, verdict, corner: *corner, line });
        }
        _ => {
            let better = (!review.is_best()).then(|| review.best.line.ply(0).map(written)).flatten();
            let score = WhiteScore::of(review.played.score, review.mover);
            told.push(Sentence::IsGood { played, verdict, score, better });
        }
    }
    let sacrifice = review.reasons.iter().find_map(|reason| match reason.claim {
        Claim::Sacrifice { role, square } => Some(Sentence::Sacrifices { role, square }),
        _ => None,
    });
    told.extend(sacrifice);
    if review.reasons.iter().any(|reason| reason.claim == Claim::Zugzwang) {
        told.push(Sentence::Zugzwang { side: review.mover.other() });
    }
    told.extend(told_motifs(review, Branch::Played).into_iter().take(1));
    let mates = outcome.is_some_and(|reason| matches!(reason.claim, Claim::Mate { .. }));
    // Parrying a small threat is beside the point of a move that wins more.
    let gained = outcome.map_or(0, |reason| reason.worth_cp);
    if let Some(reason) = threat.filter(|threat| !mates && threat.worth_cp >= gained) {
        told.truncate(SENTENCES - 1);
        told.extend(threat_told(review, reason, asked));
    }
    let changes = changes(review);
    if told.len() < SENTENCES && !changes.is_empty() && outcome.is_none() {
        told.push(Sentence::Improves { changes });
    }
    told
}

/// What the best move takes, where the played one takes nothing.
fn taken_instead(review: &Review) -> Option<Taken> {
    let first = review.best.line.ply(0).filter(|_| !review.played.first().is_capture())?;
    let piece = PlacedPiece { role: first.taken_on_destination()?, square: first.to() };
    let is_recaptured =
        review.best.line.ply(1).is_some_and(|reply| reply.to() == first.to() && reply.is_capture());
    let exchanged = Taken::Exchanged { own: first.role(), piece };
    Some(if is_recaptured { exchanged } else { Taken::Won(piece) })
}

/// The headings that a bad move loses in, if they tell enough of the loss. How the pieces work together tells a player
/// nothing by itself.
fn telling_changes(review: &Review) -> Vec<TermChange> {
    let changes = changes(review);
    let told: i32 = changes.iter().map(|change| change.cp).sum();
    let lost = review.best.score.raw() - review.played.score.raw();
    let is_enough = told * 100 >= lost * TOLD_PERCENT
        && changes.iter().any(|change| change.heading != Heading::Coordination);
    if is_enough { changes } else { Vec::new() }
}

fn ignores_threat(review: &Review) -> bool {
    review.reasons.iter().any(|reason| matches!(reason.claim, Claim::Threat { answer: Answer::Ignores, .. }))
}

fn threat_told(review: &Review, reason: &Reason, asked: bool) -> Option<Sentence> {
    let Claim::Threat { first, balance, mate, answer } = &reason.claim else { return None };
    let passed = review.position.clone().swap_turn().ok()?;
    // Written as the reply to the move that is asked about.
    let san = shakmaty::san::SanPlus::from_move(passed, *first);
    let number = review.position.fullmoves().get() + u32::from(review.mover == Color::Black);
    let threat = format!("{number}{}{san}", if review.mover == Color::White { "..." } else { "." });
    let gain = mate.map_or_else(|| Gain::Material(balance.clone()), Gain::Mate);
    match answer {
        Answer::Parries if asked => Some(Sentence::ParriesThreat { threat, gain }),
        Answer::Parries | Answer::Open => {
            Some(Sentence::Threatens { side: review.mover.other(), threat, gain })
        }
        Answer::Ignores => None,
    }
}

/// The weightiest headings.
fn changes(review: &Review) -> Vec<TermChange> {
    let mut changes: Vec<_> = review
        .reasons
        .iter()
        .filter_map(|reason| match &reason.claim {
            Claim::Positional(change) => Some(change),
            _ => None,
        })
        .collect();
    // How the pieces work together says little to a player: it is told last.
    changes.sort_by_key(|change| (change.heading == Heading::Coordination, -change.cp.abs()));
    changes
        .into_iter()
        .take(HEADINGS)
        .map(|change| TermChange {
            heading: change.heading,
            cp: change.cp.abs(),
            leading: change
                .leading
                .as_ref()
                .filter(|(_, cp)| cp.abs() * 100 >= change.cp.abs() * LEADING_PERCENT)
                .map(|(name, _)| name.clone()),
            fact: change.fact,
        })
        .collect()
}

/// The motifs of a branch, the most telling first; mates with a name last.
fn told_motifs(review: &Review, branch: Branch) -> Vec<Sentence> {
    let of = |reason: &&Reason| reason.branch == branch;
    let mut told: Vec<(u8, Sentence)> = Vec::new();
    for reason in review.reasons.iter().filter(of) {
        match &reason.claim {
            Claim::Motif { by, motif } if is_beside_the_point(review, reason, *by, motif) => {}
            Claim::Motif { motif, .. } => {
                if let Some(sentence) = motif_told(review, motif, reason) {
                    told.push((telling(motif.theme), sentence));
                }
            }
            Claim::Mate { pattern: Some(theme), .. } => {
                told.push((0, Sentence::MatePattern { theme: *theme }));
            }
            _ => {}
        }
    }
    told.sort_by_key(|(telling, _)| *telling);
    told.into_iter().map(|(_, sentence)| sentence).collect()
}

/// A motif that is true and yet explains nothing: a move of the other side, or an undefended piece that is given back
/// while something else is lost.
fn is_beside_the_point(review: &Review, reason: &Reason, by: Color, motif: &Motif) -> bool {
    let Ok(line) = Line::new(&review.position, &reason.line) else { return true };
    let Some(ply) = line.ply(motif.ply) else { return true };
    if ply.mover() != by {
        return true;
    }
    let taken = ply.taken_on_destination().filter(|_| motif.theme == Theme::HangingPiece);
    // That a piece is lost where it has just gone needs no word.
    let just_moved = motif.ply.checked_sub(1).and_then(|index| line.ply(index));
    if taken.is_some() && just_moved.is_some_and(|before| before.to() == ply.to()) {
        return true;
    }
    taken.is_some_and(|taken| {
        review.reasons.iter().any(|other| match &other.claim {
            Claim::Material { balance, .. } if other.branch == reason.branch => {
                let lost = if by == review.mover { &balance.won } else { &balance.lost };
                !lost.contains(&taken)
            }
            _ => false,
        })
    })
}

/// Which of several motifs is told: the more particular first.
const fn telling(theme: Theme) -> u8 {
    match theme {
        Theme::UnderPromotion
        | Theme::Interference
        | Theme::Attraction
        | Theme::Overloading
        | Theme::Deflection => 1,
        Theme::CapturingDefender | Theme::Intermezzo | Theme::XRayAttack | Theme::Skewer => 2,
        Theme::Fork | Theme::TrappedPiece | Theme::DoubleCheck => 3,
        Theme::DiscoveredAttack | Theme::Clearance | Theme::QuietMove => 4,
        Theme::Pin | Theme::RelativePin => 5,
        Theme::AdvancedPawn | Theme::ExposedKing => 6,
        _ => 7,
    }
}

fn motif_told(review: &Review, motif: &Motif, reason: &Reason) -> Option<Sentence> {
    let line = Line::new(&review.position, &reason.line).ok()?;
    let ply = line.ply(motif.ply)?;
    let standing =
        |position: &Chess, square| position.board().role_at(square).map(|role| PlacedPiece { role, square });
    // Pieces as they stand once the move is made; a defender that was just taken, before it.
    let after = |square| standing(&ply.after, square);
    let (targets, square): (Vec<PlacedPiece>, _) = match motif.theme {
        Theme::HangingPiece => (standing(&ply.before, motif.actor).into_iter().collect(), None),
        Theme::CapturingDefender => (Vec::new(), motif.targets.get(1).copied()),
        Theme::Deflection | Theme::Interference => {
            let piece = motif.targets.first().and_then(|square| after(*square));
            (piece.into_iter().collect(), motif.targets.get(1).copied())
        }
        Theme::Overloading => {
            // As they stood before: the defender and both squares that it guards.
            (motif.targets.iter().filter_map(|square| standing(&ply.before, *square)).collect(), None)
        }
        Theme::Attraction => {
            let lured = line.ply(motif.ply + 1)?;
            let piece = PlacedPiece { role: lured.role(), square: lured.from() };
            (vec![piece], motif.targets.first().copied())
        }
        Theme::Intermezzo => (Vec::new(), motif.targets.first().copied()),
        _ => (motif.targets.iter().filter_map(|square| after(*square)).collect(), None),
    };
    let actor = match motif.theme {
        // The outcome says what became of the pawn.
        Theme::Promotion => return None,
        Theme::AdvancedPawn => Some(PlacedPiece { role: Role::Pawn, square: ply.from() }),
        _ => after(motif.actor),
    };
    Some(Sentence::Motif(MotifFacts {
        theme: motif.theme,
        shown_by: written(ply),
        next: line.ply(motif.ply + 2).map(written),
        actor,
        targets,
        square,
        escape: reason.evidence.actual_cp > 0,
        is_played: motif.ply == 0 && reason.branch == Branch::Played,
        instead: (reason.evidence.check == Check::Searched)
            .then(|| WhiteScore::of(Score::from_raw(reason.evidence.counterfactual_cp), ply.mover())),
    }))
}

/// The mark beside the move in PGN, by its verdict.
pub const fn glyph(review: &Review) -> Option<u8> {
    match review.verdict {
        Verdict::Brilliant => Some(3),
        Verdict::OnlyMove => Some(1),
        _ => None,
    }
}

/// The mark of a move that lost something.
pub fn mark(review: &Review) -> Option<Mark> {
    if review.verdict.is_bad() { verdict::mark(review.best.score, review.played.score) } else { None }
}
