//! An analysis written into its game.

use shakmaty::san::SanPlus;
use shakmaty::{Chess, Position};
use tabia_coach::document::{Ink, arrows, squares};
use tabia_coach::messages::{Language, Sentence};
use tabia_coach::{Locale, Review, text};
use tabia_core::Score;
use tabia_games::pgn;
use tabia_games::tree::{GameTree, NodeId, Played};

use super::{Mark, MoveAnalysis, Reviewed};

/// Half-moves of a better line that are written down.
const LINE_PLIES: usize = 10;
/// What lichess calls the colour of highlighted squares: yellow.
const SQUARE_COLOUR: char = 'Y';

/// The game with scores after its moves, marks, texts, arrows, better lines and the opening's name. `annotator` says who
/// judged, `locale` in which language the texts are. What the game said of scores before is replaced; everything else that
/// was there stays.
pub fn annotate(tree: &GameTree, reviewed: &Reviewed, annotator: &str, locale: Locale) -> GameTree {
    let mut tree = tree.clone();
    let Reviewed { analysis, reviews } = reviewed;
    let nodes: Vec<NodeId> = tree.main_line().collect();
    let mut position = tree.start().clone();
    for (index, (id, judged)) in nodes.into_iter().zip(&analysis.moves).enumerate() {
        let review = reviews.get(index).and_then(Option::as_ref);
        annotate_move(&mut tree, id, &position, judged, review, locale.language());
        position.play_unchecked(judged.played);
    }
    if let Some((_, opening)) = analysis.opening {
        tree.set_tag("ECO", opening.eco);
        tree.set_tag("Opening", opening.name);
    }
    tree.set_tag("Annotator", annotator);
    let accuracy = analysis.accuracy();
    for (name, accuracy) in [("WhiteAccuracy", accuracy.white), ("BlackAccuracy", accuracy.black)] {
        if let Some(accuracy) = accuracy {
            tree.set_tag(name, format!("{accuracy:.1}"));
        }
    }
    tree
}

fn annotate_move(
    tree: &mut GameTree,
    id: NodeId,
    position: &Chess,
    judged: &MoveAnalysis,
    review: Option<&Review>,
    language: &dyn Language,
) {
    let mark = judged.mark();
    let said = mark.map(|mark| {
        review.map_or_else(
            || language.sentence(&marked(position, judged, mark)),
            |review| text::text_in(language, review, true),
        )
    });
    let node = tree.node_mut(id);
    node.glyphs.retain(|glyph| Mark::ALL.iter().all(|mark| mark.nag() != *glyph));
    if let Some(mark) = mark {
        node.glyphs.insert(0, mark.nag());
    }
    let with_earlier = |name: &str, ours: Vec<String>| {
        let mut all = pgn::command_values(&node.comments, name);
        for one in ours {
            if !all.contains(&one) {
                all.push(one);
            }
        }
        all.join(",")
    };
    let commands = [
        ("eval", pgn::eval_value(judged.after, judged.mover).unwrap_or_default()),
        // What an engine reported belonged to the score that is replaced.
        ("depth", String::new()),
        ("nodes", String::new()),
        ("csl", with_earlier("csl", review.map(highlighted).unwrap_or_default())),
        ("cal", with_earlier("cal", review.map(drawn).unwrap_or_default())),
    ];
    pgn::set_commands(&mut node.comments, &commands, said.as_deref());
    let (Some(best), Some(parent), true) = (judged.line.first(), node.parent(), mark.is_some()) else {
        return;
    };
    let is_there = |child: &NodeId| tree.node(*child).played() == Some(Played::Move(*best));
    if !tree.node(parent).children().iter().any(is_there) {
        tree.add_line(parent, &judged.line[..judged.line.len().min(LINE_PLIES)]);
    }
}

/// Squares as `[%csl]` has them: `Yd5`.
fn highlighted(review: &Review) -> Vec<String> {
    squares(review).into_iter().map(|square| format!("{SQUARE_COLOUR}{square}")).collect()
}

/// Arrows as `[%cal]` has them: `Ge2e4`.
fn drawn(review: &Review) -> Vec<String> {
    let letter = |ink| match ink {
        Ink::Green => 'G',
        Ink::Red => 'R',
    };
    arrows(review).into_iter().map(|(from, to, ink)| format!("{}{from}{to}", letter(ink))).collect()
}

/// `Blunder. Nf3 was best.`
fn marked(position: &Chess, judged: &MoveAnalysis, mark: Mark) -> Sentence {
    let best = judged.line.first().map(|best| SanPlus::from_move(position.clone(), *best).to_string());
    let mates = judged.before.is_mate() && judged.before > Score::DRAW && !judged.after.is_mate();
    Sentence::Marked { mark, best, mates }
}
