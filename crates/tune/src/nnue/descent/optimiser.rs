//! The AdamW optimiser (Loshchilov and Hutter, 2019), and the state of a training on disk.

use std::fs;
use std::path::Path;

use tabia_eval::nnue::{Network, Shape};
use tabia_run::atomic_file;

use super::parameters::Layout;
use crate::nnue::NnueError;

/// AdamW's usual constants.
const BETA1: f32 = 0.9;
const BETA2: f32 = 0.999;
const EPSILON: f32 = 1e-8;
const MAGIC: &[u8; 16] = b"TABIA-NNUE-ST/1\0";

/// The complete state after an epoch.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct State {
    pub layout: Layout,
    pub epoch: u32,
    steps: u64,
    pub best: f64,
    pub parameters: Vec<f32>,
    first: Vec<f32>,
    second: Vec<f32>,
}

impl State {
    /// The initial state: random, or of a network with the same shape, or of one with one king bucket and as many
    /// hidden units.
    pub fn new(shape: &Shape, seed: u64, from: Option<&Network>) -> State {
        let layout = Layout::of(shape);
        let parameters = from.map_or_else(|| layout.random(seed), |network| layout.dequantise(network));
        let (first, second) = (vec![0.0; layout.count], vec![0.0; layout.count]);
        State { layout, epoch: 0, steps: 0, best: f64::INFINITY, parameters, first, second }
    }

    /// One step against a gradient.
    pub fn step(&mut self, gradient: &[f32], rate: f32, decay: f32) {
        self.steps += 1;
        let steps = self.steps as f64;
        let unbias1 = (1.0 - f64::from(BETA1).powf(steps)) as f32;
        let unbias2 = (1.0 - f64::from(BETA2).powf(steps)) as f32;
        let all = self.parameters.iter_mut().zip(gradient).zip(&mut self.first).zip(&mut self.second);
        for (((parameter, gradient), first), second) in all {
            *first = BETA1 * *first + (1.0 - BETA1) * gradient;
            *second = BETA2 * *second + (1.0 - BETA2) * gradient * gradient;
            let step = (*first / unbias1) / ((*second / unbias2).sqrt() + EPSILON);
            *parameter -= rate * (decay * *parameter + step);
        }
        self.layout.clip(&mut self.parameters);
    }

    /// Quantised weights.
    pub fn network(&self, shape: &Shape, note: String) -> Network {
        self.layout.quantise(&self.parameters, shape, note)
    }

    pub fn write(&self, path: &Path) -> Result<(), NnueError> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend(self.epoch.to_le_bytes());
        bytes.extend(self.steps.to_le_bytes());
        bytes.extend(self.best.to_le_bytes());
        for list in [&self.parameters, &self.first, &self.second] {
            bytes.extend(list.iter().flat_map(|number| number.to_le_bytes()));
        }
        let failed = |cause: std::io::Error| NnueError::File {
            path: path.display().to_string(),
            cause: cause.to_string(),
        };
        atomic_file::write_bytes(path, &bytes).map_err(failed)
    }

    /// The saved state, if there is one.
    pub fn read(path: &Path, layout: Layout) -> Result<Option<State>, NnueError> {
        if !path.exists() {
            return Ok(None);
        }
        let failed = |cause: String| NnueError::File { path: path.display().to_string(), cause };
        let bytes = fs::read(path).map_err(|cause| failed(cause.to_string()))?;
        let expected = MAGIC.len() + 20 + 3 * 4 * layout.count;
        if bytes.len() != expected || !bytes.starts_with(MAGIC) {
            return Err(failed(format!(
                "not a state of this training: {} bytes, expected {expected}",
                bytes.len()
            )));
        }
        let mut rest = &bytes[MAGIC.len()..];
        let (epoch, steps, best) = (take(&mut rest), take(&mut rest), take(&mut rest));
        let mut list = || (0..layout.count).map(|_| f32::from_le_bytes(take(&mut rest))).collect();
        Ok(Some(State {
            layout,
            epoch: u32::from_le_bytes(epoch),
            steps: u64::from_le_bytes(steps),
            best: f64::from_le_bytes(best),
            parameters: list(),
            first: list(),
            second: list(),
        }))
    }
}

/// The next bytes; the length was checked.
fn take<const N: usize>(rest: &mut &[u8]) -> [u8; N] {
    let (taken, left) = rest.split_at(N);
    *rest = left;
    std::array::from_fn(|i| taken[i])
}
