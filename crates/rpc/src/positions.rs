//! `EvaluatePosition`: network outputs for positions, without a search.

use std::thread;

use tabia_core::{Game, Turn};
use tabia_mcts::PolicyValue;
use tabia_net::Architecture;
use tabia_net::architecture::ValueHead;
use tabia_net::encoding::{self, EncodedPosition, INPUT_SIZE};
use tabia_net::forward::{Workspace, softmax};
use tabia_quantum::{Action, QuantumGame};
use tonic::Status;

use crate::messages::{Chances, Evaluation};
use crate::network::LoadedNetwork;

/// Largest number of positions per call.
pub const MAX_POSITIONS: usize = 512;
const POSITIONS_PER_THREAD: usize = 8;

/// Number of threads for this many positions.
pub fn threads_for(positions: usize, threads: usize) -> usize {
    positions.div_ceil(POSITIONS_PER_THREAD).clamp(1, threads)
}

/// Evaluates positions in their order; the error names the first invalid one, or says why the device cannot be used.
pub fn evaluate(
    positions: &[String],
    loaded: &LoadedNetwork,
    threads: usize,
) -> Result<Vec<Evaluation>, Status> {
    let invalid = |at: usize, why: &str| Status::invalid_argument(format!("position {}: {why}", at + 1));
    let games = positions
        .iter()
        .enumerate()
        .map(|(at, text)| read(text).map_err(|why| invalid(at, &why)))
        .collect::<Result<Vec<QuantumGame>, Status>>()?;
    if let Some(device) = &loaded.on_device {
        return evaluate_on(&games, &**device, loaded.weights.architecture);
    }
    let share = games.len().div_ceil(threads).max(1);
    Ok(thread::scope(|scope| {
        let parts: Vec<_> =
            games.chunks(share).map(|part| scope.spawn(move || evaluate_part(part, loaded))).collect();
        parts
            .into_iter()
            .flat_map(|part| part.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
            .collect()
    }))
}

/// Evaluates positions on a device, in one batch.
fn evaluate_on(
    games: &[QuantumGame],
    device: &dyn PolicyValue<QuantumGame>,
    architecture: Architecture,
) -> Result<Vec<Evaluation>, Status> {
    let list = |game: &QuantumGame| {
        let mut actions = Vec::new();
        game.actions(&mut actions);
        actions
    };
    let actions: Vec<Vec<Action>> = games.iter().map(list).collect();
    let mut out = Vec::new();
    device.infer(games, &actions, &mut out);
    if let Some(why) = device.failure() {
        return Err(Status::unavailable(why));
    }
    let has_draws = architecture.value == ValueHead::Wdl;
    let evaluation =
        |((game, actions), evaluated): ((&QuantumGame, &Vec<Action>), tabia_mcts::Evaluation)| {
            let [win, draw, loss] = evaluated.estimate().wdl().map(|chance| chance as f32);
            let number = |action: &Action| encoding::policy_index(*action, game.side_to_move()) as u32;
            Evaluation {
                value: evaluated.value,
                chances: has_draws.then_some(Chances { win, draw, loss }),
                moves: actions.iter().map(ToString::to_string).collect(),
                numbers: actions.iter().map(number).collect(),
                policy: evaluated.priors,
            }
        };
    Ok(games.iter().zip(&actions).zip(out).map(evaluation).collect())
}

fn read(text: &str) -> Result<QuantumGame, String> {
    let game: QuantumGame = text.parse().map_err(|error| format!("{error}"))?;
    match game.turn() {
        Turn::Player(_) => Ok(game),
        Turn::Over(_) => Err("the game is over, no side is to move".to_owned()),
        Turn::Chance => Err("a measurement is pending, no side is to move".to_owned()),
    }
}

fn evaluate_part(games: &[QuantumGame], loaded: &LoadedNetwork) -> Vec<Evaluation> {
    let (mut input, mut workspace, mut actions) = (vec![0.0; INPUT_SIZE], Workspace::default(), Vec::new());
    let mut evaluate = |game: &QuantumGame| {
        EncodedPosition::new(game).write(false, &mut input);
        game.actions(&mut actions);
        let numbers: Vec<usize> =
            actions.iter().map(|action| encoding::policy_index(*action, game.side_to_move())).collect();
        let mut output = loaded.folded.forward(&input, &numbers, &mut workspace);
        softmax(&mut output.logits);
        Evaluation {
            value: output.value,
            chances: output.wdl.map(|[win, draw, loss]| Chances { win, draw, loss }),
            moves: actions.iter().map(ToString::to_string).collect(),
            numbers: numbers.iter().map(|number| *number as u32).collect(),
            policy: output.logits,
        }
    };
    games.iter().map(&mut evaluate).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::network::NetworkHandle;
    use tabia_net::{Architecture, Network, Weights};

    #[test]
    fn positions_are_evaluated_in_their_order_with_any_number_of_threads() {
        let loaded = NetworkHandle::new(Weights::initial(Architecture::new(16, 1), 4)).current();
        let mut game = QuantumGame::default();
        let mut positions = Vec::new();
        for m in ["e2e4", "e7e5", "g1f3", "b8c6"] {
            positions.push(game.to_string());
            game.play(m.parse().unwrap(), &mut tabia_core::seed::random(1)).unwrap();
        }
        let one = evaluate(&positions, &loaded, 1).unwrap();
        assert_eq!(one, evaluate(&positions, &loaded, 3).unwrap());
        let network = Network::new(&loaded.weights);
        for (text, said) in positions.iter().zip(&one) {
            let (game, mut actions) = (text.parse::<QuantumGame>().unwrap(), Vec::new());
            game.actions(&mut actions);
            let verdict = network.evaluate(&game, &actions);
            assert_eq!((said.value, &said.policy), (verdict.value, &verdict.priors));
            let chances = said.chances.unwrap();
            assert!((chances.win + chances.draw + chances.loss - 1.0).abs() < 1e-5);
            assert!((chances.win - chances.loss - said.value).abs() < 1e-6);
            assert_eq!(said.moves.len(), said.numbers.len());
        }
        assert!(one[1].moves.contains(&"e7e5".to_owned()), "moves are written from the board's view");
    }

    #[test]
    fn an_invalid_position_is_named() {
        let loaded = NetworkHandle::new(Weights::initial(Architecture::new(16, 1), 4)).current();
        let start = QuantumGame::default().to_string();
        let error = |text: &str| {
            let refused = evaluate(&[start.clone(), text.to_owned()], &loaded, 1);
            refused.unwrap_err().message().to_owned()
        };
        assert!(error("nonsense").starts_with("position 2: "), "{}", error("nonsense"));
        assert!(error("").contains("position 2: the position is empty"));
    }
}
