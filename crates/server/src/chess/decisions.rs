//! What people decide beside their moves: taking back, giving up, agreeing to a draw.

use shakmaty::Color;
use tabia_core::{Outcome, Reason};

use super::error::ChessError;
use super::event::EventKind;
use super::state::ChessGameState;
use crate::sessions::side::Side;

impl ChessGameState {
    /// Takes back a person's last move, and the agent's reply to it if there was one.
    pub fn undo(&mut self) -> Result<usize, ChessError> {
        if let Some(outcome) = self.outcome
            && matches!(
                outcome.reason,
                Reason::Resignation | Reason::Agreement | Reason::TimeForfeit | Reason::Fault
            )
        {
            return Err(ChessError::NotUndoable(outcome.reason));
        }
        let last_human = self
            .moves
            .iter()
            .rposition(|played| self.setup.player(played.side.into()).is_human())
            .ok_or(ChessError::NothingToUndo)?;
        let plies = self.moves.len() - last_human;
        self.moves.truncate(last_human);
        self.openings.retain(|(ply, _)| *ply <= last_human);
        for _ in 0..plies {
            self.game.undo();
        }
        self.outcome = None;
        self.draw_offer = None;
        self.evaluation = None;
        self.restore_clock();
        self.start_turn();
        self.push_event(EventKind::Undone, |event| event.plies = Some(plies));
        self.position_version = self.version;
        Ok(plies)
    }

    /// A person gives up.
    pub fn resign(&mut self, side: Option<Side>) -> Result<(), ChessError> {
        self.ensure_ongoing()?;
        let loser = self.person(side)?;
        self.end(Outcome::win(loser.other(), Reason::Resignation), Some(loser), None);
        Ok(())
    }

    /// A person offers a draw. `agent_agrees` answers for an agent on the other side.
    pub fn offer_draw(
        &mut self,
        side: Option<Side>,
        agent_agrees: impl FnOnce(&ChessGameState, Color) -> bool,
    ) -> Result<(), ChessError> {
        self.ensure_ongoing()?;
        let by = self.person(side)?;
        let other = by.other();
        if self.draw_offer == Some(other) {
            return self.answer_draw(Some(by.into()), true);
        }
        if self.draw_offer == Some(by) {
            return Err(ChessError::OfferedAlready);
        }
        self.draw_offer = Some(by);
        self.push_event(EventKind::DrawOffered, |event| event.by = Some(by.into()));
        if !self.setup.player(other).is_human() {
            let agreed = agent_agrees(self, other);
            self.settle_draw(other, agreed);
        }
        Ok(())
    }

    /// A person answers an offer.
    pub fn answer_draw(&mut self, side: Option<Side>, agreed: bool) -> Result<(), ChessError> {
        self.ensure_ongoing()?;
        let offered_by = self.draw_offer.ok_or(ChessError::NoOffer)?;
        let by = offered_by.other();
        if side.is_some_and(|side| Color::from(side) != by) {
            return Err(ChessError::NoOffer);
        }
        self.settle_draw(by, agreed);
        Ok(())
    }

    fn settle_draw(&mut self, by: Color, agreed: bool) {
        self.draw_offer = None;
        if agreed {
            self.end(Outcome::draw(Reason::Agreement), Some(by), None);
        } else {
            self.push_event(EventKind::DrawDeclined, |event| event.by = Some(by.into()));
        }
    }

    /// Which person is meant.
    fn person(&self, side: Option<Side>) -> Result<Color, ChessError> {
        let human = |color: Color| self.setup.player(color).is_human();
        match (side, human(Color::White), human(Color::Black)) {
            (Some(side), ..) if human(side.into()) => Ok(side.into()),
            (Some(side), ..) => Err(ChessError::AgentSide(side)),
            (None, true, false) => Ok(Color::White),
            (None, false, true) => Ok(Color::Black),
            (None, true, true) => Err(ChessError::AmbiguousSide),
            (None, false, false) => Err(ChessError::NoHuman),
        }
    }
}
