//! Trees and records: a record is a tree's main line, with the first variation of each move.

use tabia_core::{ChessGame, Game, Outcome};

use super::{GameTree, Played};
use crate::pgn::{WriteError, commands, ending, is_kept_tag, on_one_line, read_comment, record_tags};
use crate::record::{GameRecord, Ply, RecordError, Variant};

impl GameTree {
    /// The record of the main line. Of variations it keeps the first one of each move.
    pub fn record(&self) -> GameRecord {
        let mut game = ChessGame::from_position(self.start().clone(), self.mode());
        let mut record = GameRecord::of_game(&game);
        for id in self.main_line() {
            let node = self.node(id);
            let Some(Played::Move(m)) = node.played() else { break };
            let mut ply = Ply { glyphs: node.glyphs.clone(), ..Ply::of(game.write_move(m)) };
            for comment in &node.comments {
                read_comment(comment, node.mover(), &mut ply);
            }
            let variation = node.parent().and_then(|parent| self.node(parent).children().get(1).copied());
            if let Some(first) = variation {
                let line = std::iter::once(first).chain(self.line_from(first));
                let moves = line.map_while(|id| match self.node(id).played() {
                    Some(Played::Move(m)) => Some(game.write_move(m)),
                    _ => None,
                });
                ply.instead = moves.collect();
            }
            record.plies.push(ply);
            game.apply(m);
        }
        let known = |name: &str| self.tag(name).filter(|value| !ending::is_placeholder(value));
        record.outcome = self
            .result
            .map(|result| ending::outcome(result, self.tag("Reason"), self.tag("Termination"), &game));
        known("White").unwrap_or_default().clone_into(&mut record.white);
        known("Black").unwrap_or_default().clone_into(&mut record.black);
        record.detail = self.tag("Detail").map(str::to_owned);
        for (name, value) in &self.tags {
            // Of tags with the same name the first one counts.
            if is_kept_tag(name, value) && record.tag(name).is_none() {
                record.tags.push((name.clone(), value.clone()));
            }
        }
        record
    }

    /// The tree of a record: one line, and one variation where the record has one.
    pub fn of_record(record: &GameRecord) -> Result<GameTree, WriteError> {
        if record.variant == Variant::Quantum {
            return Err(WriteError::Quantum);
        }
        let mut game = record.opening_position()?;
        let mut tree = GameTree::new(&game);
        let mut at = GameTree::ROOT;
        for (index, ply) in record.plies.iter().enumerate() {
            let m = game
                .read_move(&ply.action)
                .map_err(|fault| RecordError::Move { number: index + 1, fault })?;
            let mover = game.side_to_move();
            let next = tree.push(at, game.position(), Played::Move(m));
            let node = tree.node_mut(next);
            node.glyphs.clone_from(&ply.glyphs);
            let said = on_one_line(ply.comment.as_deref().unwrap_or_default());
            let parts = commands(ply, mover).into_iter().chain((!said.is_empty()).then_some(said));
            let comment = parts.collect::<Vec<_>>().join(" ");
            node.comments.extend((!comment.is_empty()).then_some(comment));
            let mut line = ChessGame::from_position(game.position().clone(), game.mode());
            for text in &ply.instead {
                let Ok(m) = line.read_move(text) else { break };
                line.apply(m);
            }
            tree.add_line_in(at, game.position().clone(), line.moves());
            game.apply(m);
            at = next;
        }
        tree.result = record.outcome.and_then(|outcome| ending::result(Outcome::as_pgn(outcome)));
        tree.tags = record_tags(record);
        Ok(tree)
    }
}
