//! Whether an external evaluator's answer can be used by a search. A single NaN or an order of moves that was misunderstood would
//! spoil a search without a trace, so everything that the .proto promises is checked.

use std::collections::HashMap;

use tabia_mcts::Evaluation;

use crate::messages::{self, Chances};

/// Tolerance for sums and for the range of values: networks compute with half precision too.
const TOLERANCE: f32 = 0.01;

/// Reads the evaluation of a position whose legal moves have these numbers; the priors are in their order. The error says what is
/// wrong with it.
pub fn read(answer: &messages::Evaluation, legal: &[u32]) -> Result<Evaluation, String> {
    if !(-1.0 - TOLERANCE..=1.0 + TOLERANCE).contains(&answer.value) {
        return Err(format!("the value is {}, expected -1 to 1", answer.value));
    }
    let draw = answer.chances.as_ref().map_or(Ok(0.0), |chances| read_chances(chances, answer.value))?;
    Ok(Evaluation { value: answer.value.clamp(-1.0, 1.0), draw, priors: read_policy(answer, legal)? })
}

/// The chance of a draw.
fn read_chances(chances: &Chances, value: f32) -> Result<f32, String> {
    let Chances { win, draw, loss } = *chances;
    for (name, chance) in [("win", win), ("draw", draw), ("loss", loss)] {
        if !(0.0..=f32::MAX).contains(&chance) {
            return Err(format!("the chance of a {name} is {chance}, expected 0 to 1"));
        }
    }
    let sum = win + draw + loss;
    if !(1.0 - TOLERANCE..=1.0 + TOLERANCE).contains(&sum) {
        return Err(format!("the chances sum to {sum}, expected 1"));
    }
    if (win - loss - value).abs() > 2.0 * TOLERANCE {
        let difference = win - loss;
        return Err(format!("the value is {value}, but win less loss is {difference}"));
    }
    Ok(draw)
}

/// The policy in the order of the legal moves.
fn read_policy(answer: &messages::Evaluation, legal: &[u32]) -> Result<Vec<f32>, String> {
    let messages::Evaluation { numbers, policy, .. } = answer;
    if policy.len() != legal.len() {
        return Err(format!(
            "the policy has {} shares, expected one for each of the {} legal moves",
            policy.len(),
            legal.len()
        ));
    }
    if !numbers.is_empty() && numbers.len() != policy.len() {
        return Err(format!(
            "`numbers` has length {} and `policy` {}, expected the same",
            numbers.len(),
            policy.len()
        ));
    }
    let name = |at: usize| numbers.get(at).or_else(|| legal.get(at)).copied().unwrap_or_default();
    if let Some(at) = policy.iter().position(|share| !(0.0..=f32::MAX).contains(share)) {
        return Err(format!("the share of move {} is {}, expected 0 to 1", name(at), policy[at]));
    }
    let sum: f32 = policy.iter().sum();
    if !(1.0 - TOLERANCE..=1.0 + TOLERANCE).contains(&sum) {
        return Err(format!("the policy sums to {sum}, expected 1"));
    }
    if numbers.is_empty() || numbers == legal {
        return Ok(policy.clone());
    }
    let mut shares: HashMap<u32, f32> = HashMap::with_capacity(numbers.len());
    for (number, share) in numbers.iter().zip(policy) {
        if shares.insert(*number, *share).is_some() {
            return Err(format!("move {number} is there twice"));
        }
    }
    legal
        .iter()
        .map(|number| {
            shares.get(number).copied().ok_or_else(|| {
                let illegal = numbers.iter().find(|number| !legal.contains(number));
                let instead =
                    illegal.map_or_else(String::new, |illegal| format!(", illegal move {illegal} is there"));
                format!("legal move {number} is missing{instead}")
            })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const LEGAL: [u32; 3] = [5, 9, 7];

    fn good() -> messages::Evaluation {
        messages::Evaluation { value: 0.25, policy: vec![0.5, 0.25, 0.25], ..Default::default() }
    }

    fn error(change: impl FnOnce(&mut messages::Evaluation)) -> String {
        let mut answer = good();
        change(&mut answer);
        read(&answer, &LEGAL).unwrap_err()
    }

    #[test]
    fn moves_may_be_in_any_order_or_missing() {
        let mut answer = good();
        assert_eq!(read(&answer, &LEGAL).unwrap().priors, [0.5, 0.25, 0.25]);
        answer.numbers = LEGAL.to_vec();
        assert_eq!(read(&answer, &LEGAL).unwrap().priors, [0.5, 0.25, 0.25]);
        answer.numbers = vec![7, 5, 9];
        assert_eq!(read(&answer, &LEGAL).unwrap().priors, [0.25, 0.25, 0.5]);
        answer.chances = Some(Chances { win: 0.5, draw: 0.25, loss: 0.25 });
        assert!((read(&answer, &LEGAL).unwrap().draw - 0.25).abs() < 1e-6);
    }

    #[test]
    fn every_fault_is_named() {
        assert_eq!(error(|answer| answer.value = f32::NAN), "the value is NaN, expected -1 to 1");
        assert_eq!(error(|answer| answer.value = f32::NEG_INFINITY), "the value is -inf, expected -1 to 1");
        assert_eq!(error(|answer| answer.value = 1.5), "the value is 1.5, expected -1 to 1");
        assert_eq!(
            error(|answer| answer.policy.truncate(2)),
            "the policy has 2 shares, expected one for each of the 3 legal moves"
        );
        assert_eq!(
            error(|answer| answer.numbers = vec![5]),
            "`numbers` has length 1 and `policy` 3, expected the same"
        );
        assert_eq!(
            error(|answer| answer.policy = vec![1.25, -0.25, 0.0]),
            "the share of move 9 is -0.25, expected 0 to 1"
        );
        assert_eq!(
            error(|answer| answer.policy = vec![f32::NAN, 0.5, 0.5]),
            "the share of move 5 is NaN, expected 0 to 1"
        );
        assert_eq!(
            error(|answer| answer.policy = vec![0.0, 0.0, f32::INFINITY]),
            "the share of move 7 is inf, expected 0 to 1"
        );
        assert_eq!(error(|answer| answer.policy = vec![f32::MAX; 3]), "the policy sums to inf, expected 1");
        assert_eq!(error(|answer| answer.policy = vec![0.0; 3]), "the policy sums to 0, expected 1");
        assert_eq!(error(|answer| answer.numbers = vec![5, 9, 9]), "move 9 is there twice");
        assert_eq!(
            error(|answer| answer.numbers = vec![5, 9, 8]),
            "legal move 7 is missing, illegal move 8 is there"
        );
        let chances = |win, draw, loss| error(|answer| answer.chances = Some(Chances { win, draw, loss }));
        assert_eq!(chances(1.25, -0.5, 0.25), "the chance of a draw is -0.5, expected 0 to 1");
        assert_eq!(chances(f32::NAN, 0.5, 0.25), "the chance of a win is NaN, expected 0 to 1");
        assert_eq!(chances(0.25, 0.25, 0.0), "the chances sum to 0.5, expected 1");
        assert_eq!(chances(0.25, 0.25, 0.5), "the value is 0.25, but win less loss is -0.25");
    }
}
