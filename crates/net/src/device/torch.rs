//! PyTorch on one or several devices, for inference and training.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use serde_json::json;
use tabia_mcts::{Evaluation, PolicyValue};
use tabia_quantum::{Action, QuantumGame};

use super::process::{Connection, Priority, Process, Starting};
use super::protocol::{self, BatchSize, Positions};
use super::spec::TorchDevice;
use super::{Losses, NetError, NetworkRole};
use crate::architecture::{Architecture, Role};
use crate::encoding::{self, EncodedPosition};
use crate::forward::softmax;
use crate::optimiser::{GHOST_BATCH, Optimiser};
use crate::replay::DrawnSample;
use crate::settings::Hyperparameters;
use crate::weights::Weights;

/// Self-play threads per process.
const THREADS_PER_PROCESS: usize = 16;
const MAX_PROCESSES: usize = 4;

/// How PyTorch is started.
#[derive(Clone, Debug)]
pub struct TorchSettings<'a> {
    /// Devices that share the work; at least one.
    pub devices: &'a [TorchDevice],
    /// The interpreter.
    pub python: &'a str,
    pub architecture: Architecture,
    /// Weight of the value loss in training.
    pub value_weight: f32,
    /// Threads that ask for evaluations.
    pub threads: usize,
    /// Train in bfloat16 even on the CPU, as on a GPU.
    pub bfloat16: bool,
    /// Processes per device that evaluate; 0 leaves it to the number of threads.
    pub processes: usize,
    /// Train in a process of its own. A process does one thing after another: evaluations would wait for all steps sent before them.
    pub trains_apart: bool,
}

/// Python processes: all of them evaluate, and the first one of each device trains, if no other process does. There are several per
/// device, because one process is busy with Python's overhead before the GPU is busy.
pub struct Torch {
    processes: Arc<Vec<Process>>,
    /// Indices of the first process of each device.
    first_processes: Vec<usize>,
    /// Processes that train and do nothing else, one per device, or none.
    trainers_apart: Vec<Process>,
    /// The devices as users name them.
    devices: String,
    name: String,
    slots: Arc<Slots>,
}

impl std::fmt::Debug for Torch {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Torch({})", self.name())
    }
}

impl Torch {
    /// Starts the processes and waits until they are ready.
    pub fn start(settings: &TorchSettings<'_>) -> Result<Torch, NetError> {
        let parameters = settings.architecture.parameters();
        let parameters: Vec<_> = parameters
            .iter()
            .map(|parameter| json!({"name": parameter.name, "shape": parameter.shape, "role": role(parameter.role)}))
            .collect();
        let threads = settings.threads.div_ceil(settings.devices.len().max(1));
        let request = |device: TorchDevice| {
            json!({
                "device": device.to_string(),
                "architecture": settings.architecture,
                "parameters": parameters,
                "threads": threads,
                "value_weight": settings.value_weight,
                "ghost_batch": GHOST_BATCH,
                "bfloat16": settings.bfloat16,
            })
            .to_string()
        };
        let (mut starting, mut apart) = (Vec::new(), Vec::new());
        let mut first_processes = Vec::new();
        for device in settings.devices {
            first_processes.push(starting.len());
            let count = match device {
                _ if settings.processes > 0 => settings.processes,
                TorchDevice::Cuda(_) => threads.div_ceil(THREADS_PER_PROCESS).clamp(1, MAX_PROCESSES),
                TorchDevice::Any => 1,
            };
            let spawn = |priority| Process::spawn(settings.python, *device, &request(*device), priority);
            for _ in 0..count {
                starting.push(spawn(Priority::Normal)?);
            }
            if settings.trains_apart {
                apart.push(spawn(Priority::Low)?);
            }
        }
        let ready = |starting: Vec<Starting>| {
            let ready = |(process, hello): Starting| process.wait_until_ready(settings.python, &hello);
            starting.into_iter().map(ready).collect::<Result<Vec<Process>, _>>()
        };
        let (processes, trainers_apart) = (ready(starting)?, ready(apart)?);
        let names: Vec<&str> = first_processes.iter().map(|first| processes[*first].name.as_str()).collect();
        let devices: Vec<String> = settings.devices.iter().map(ToString::to_string).collect();
        Ok(Torch {
            name: names.join(", "),
            devices: devices.join(","),
            first_processes,
            trainers_apart,
            processes: Arc::new(processes),
            slots: Arc::default(),
        })
    }

    /// The processes that train, one per device.
    fn trainers(&self) -> impl Iterator<Item = &Connection> {
        let is_apart = !self.trainers_apart.is_empty();
        let evaluating = self.first_processes.iter().map(|first| &self.processes[*first]);
        let trainers = evaluating.filter(move |_| !is_apart).chain(&self.trainers_apart);
        trainers.map(|process| &*process.connection)
    }

    /// Names of the devices.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Number of processes that evaluate.
    pub fn process_count(&self) -> usize {
        self.processes.len()
    }

    /// Returns an error if a process has ended.
    pub fn check_alive(&self) -> Result<(), NetError> {
        let mut processes = self.processes.iter().chain(&self.trainers_apart);
        processes.find_map(|process| process.connection.failure()).map_or(Ok(()), Err)
    }

    pub(super) fn error(&self, why: &str) -> NetError {
        NetError::Torch { device: self.devices.clone(), why: why.to_owned() }
    }

    /// Loads a network for inference; it replaces the previous one with the same role.
    pub fn evaluator(&self, weights: &Weights, role: NetworkRole) -> Result<TorchEvaluator, NetError> {
        self.load_into(weights, role as u32, None)
    }

    /// Loads a network for inference beside those that are there.
    pub fn load(&self, weights: &Weights) -> Result<TorchEvaluator, NetError> {
        let slot = Slots::take(&self.slots);
        self.load_into(weights, slot.number, Some(slot))
    }

    fn load_into(
        &self,
        weights: &Weights,
        network: u32,
        slot: Option<Slot>,
    ) -> Result<TorchEvaluator, NetError> {
        let frame = protocol::load_request(network, weights);
        self.processes.iter().try_for_each(|process| process.connection.send(&frame))?;
        let processes = Arc::clone(&self.processes);
        Ok(TorchEvaluator { processes, network, _slot: slot, next: AtomicUsize::new(0) })
    }

    /// Uploads the optimiser's state.
    pub fn upload(&self, optimiser: &Optimiser) -> Result<(), NetError> {
        let Optimiser { weights, averaged, first_moment, second_moment, steps } = optimiser;
        let state = [weights, averaged, first_moment, second_moment];
        let frame = protocol::load_optimiser_request(*steps, state);
        self.trainers().try_for_each(|trainer| trainer.send(&frame))
    }

    /// One step. One device is not waited for. Several each compute the gradient of a part of the batch; the sum is the gradient of the
    /// batch, and each makes the same step with it (data parallel training).
    pub fn step(
        &self,
        batch: &[DrawnSample<'_>],
        hyper: &Hyperparameters,
        rate: f32,
    ) -> Result<(), NetError> {
        let mut parts: Vec<Positions> = Vec::new();
        for part in parts_of(batch, self.first_processes.len()) {
            let mut positions = Positions::default();
            for drawn in part {
                positions.add_sample(drawn);
            }
            parts.push(positions);
        }
        if let [whole] = &parts[..] {
            return self.trainers().try_for_each(|trainer| trainer.send(&whole.step_request(hyper, rate)));
        }
        let size = BatchSize::sum(&parts);
        let responses = self
            .trainers()
            .zip(&parts)
            .map(|(trainer, part)| trainer.begin(|id| part.gradient_request(id, hyper, size)))
            .collect::<Result<Vec<_>, _>>()?;
        let mut gradient: Vec<f32> = Vec::new();
        for response in responses {
            let bytes = response.wait()?;
            let numbers = protocol::parse_f32s(&bytes);
            if gradient.is_empty() {
                gradient.extend(numbers);
            } else if gradient.len() * size_of::<f32>() == bytes.len() {
                gradient.iter_mut().zip(numbers).for_each(|(sum, number)| *sum += number);
            } else {
                return Err(self.error("the devices sent gradients of different sizes"));
            }
        }
        let frame = protocol::apply_request(hyper, rate, &gradient);
        self.trainers().try_for_each(|trainer| trainer.send(&frame))
    }

    /// Downloads the optimiser's state; returns the losses since they were last asked for.
    pub fn download(&self, optimiser: &mut Optimiser) -> Result<Losses, NetError> {
        let Optimiser { weights, averaged, first_moment, second_moment, steps } = optimiser;
        let mut parts = [weights, averaged, first_moment, second_moment];
        self.fetch(protocol::fetch_optimiser_request, steps, &mut parts)
    }

    /// Downloads the average of the weights alone, a quarter of the state; returns the losses since they were last asked for.
    pub fn download_average(&self, optimiser: &mut Optimiser) -> Result<Losses, NetError> {
        let Optimiser { averaged, steps, .. } = optimiser;
        self.fetch(protocol::fetch_average_request, steps, &mut [averaged])
    }

    fn fetch(
        &self,
        request: fn(u32) -> Vec<u8>,
        steps: &mut u64,
        parts: &mut [&mut Weights],
    ) -> Result<Losses, NetError> {
        let responses =
            self.trainers().map(|trainer| trainer.begin(request)).collect::<Result<Vec<_>, _>>()?;
        let mut losses = Losses::default();
        for (at, response) in responses.into_iter().enumerate() {
            let bytes = response.wait()?;
            // All have the same state; the losses are those of each one's part.
            let parsed = if at == 0 {
                protocol::parse_optimiser(&bytes, parts)
            } else {
                protocol::parse_losses(&bytes).map(|(steps, losses, _)| (steps, losses))
            };
            let (done, of_part) =
                parsed.ok_or_else(|| self.error("it sent other tensors than it received"))?;
            *steps = done;
            losses.add(&of_part);
        }
        if parts.iter().all(|part| part.parameters.iter().flatten().all(|number| number.is_finite())) {
            Ok(losses)
        } else {
            Err(self.error("a weight is not finite; try a smaller learning rate (--set rate=…)"))
        }
    }
}

/// Divides a batch among devices. Normalisation is over ghost batches, so each has whole ones, and the result is that of one device;
/// the last has what is left.
fn parts_of<'a, 'b>(batch: &'a [DrawnSample<'b>], devices: usize) -> Vec<&'a [DrawnSample<'b>]> {
    let ghosts = batch.len().div_ceil(GHOST_BATCH);
    let start = |device: usize| (ghosts * device / devices * GHOST_BATCH).min(batch.len());
    (0..devices).map(|device| &batch[start(device)..start(device + 1)]).collect()
}

/// Numbers of the networks in a process; the first are those of the [roles](NetworkRole).
#[derive(Debug, Default)]
struct Slots {
    /// Whether each is in use.
    used: Mutex<Vec<bool>>,
}

/// A number that is free again when this is dropped.
#[derive(Debug)]
struct Slot {
    number: u32,
    slots: Arc<Slots>,
}

const FIRST_SLOT: u32 = NetworkRole::Candidate as u32 + 1;

impl Slots {
    fn take(slots: &Arc<Slots>) -> Slot {
        let mut used = slots.used.lock().unwrap_or_else(PoisonError::into_inner);
        let free = used.iter().position(|used| !used).unwrap_or(used.len());
        if free == used.len() {
            used.push(true);
        } else {
            used[free] = true;
        }
        Slot { number: FIRST_SLOT + free as u32, slots: Arc::clone(slots) }
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        let mut used = self.slots.used.lock().unwrap_or_else(PoisonError::into_inner);
        used[(self.number - FIRST_SLOT) as usize] = false;
    }
}

/// A network in the Python processes. When a process has ended, evaluations are neutral and its failure is set, so that callers
/// discard them ([`PolicyValue::failure`]).
pub struct TorchEvaluator {
    processes: Arc<Vec<Process>>,
    network: u32,
    _slot: Option<Slot>,
    /// Round-robin counter over the connections.
    next: AtomicUsize,
}

impl TorchEvaluator {
    fn evaluations(
        &self,
        connection: &Connection,
        leaves: &[QuantumGame],
        actions: &[Vec<Action>],
        out: &mut Vec<Evaluation>,
    ) -> Option<()> {
        let mut positions = Positions::default();
        for (game, actions) in leaves.iter().zip(actions) {
            let turn = game.side_to_move();
            let moves = actions.iter().map(|action| encoding::policy_index(*action, turn) as u16);
            positions.add(&EncodedPosition::new(game), false, moves);
        }
        let bytes = connection.request(|id| positions.infer_request(id, self.network)).ok()?;
        let rows = positions.rows();
        let mut outputs = protocol::parse_f32s(&bytes);
        let values: Vec<f32> = outputs.by_ref().take(2 * rows).collect();
        for (value, moves) in values.chunks_exact(2).zip(positions.move_counts()) {
            let mut priors: Vec<f32> = outputs.by_ref().take(usize::from(*moves)).collect();
            softmax(&mut priors);
            out.push(Evaluation { value: value[0], draw: value[1], priors });
        }
        (out.len() == leaves.len()).then_some(())
    }
}

impl PolicyValue<QuantumGame> for TorchEvaluator {
    fn infer(&self, leaves: &[QuantumGame], actions: &[Vec<Action>], out: &mut Vec<Evaluation>) {
        out.clear();
        if leaves.is_empty() {
            return;
        }
        let turn = self.next.fetch_add(1, Ordering::Relaxed) % self.processes.len();
        let connection = &self.processes[turn].connection;
        if self.evaluations(connection, leaves, actions, out).is_none() {
            connection.fail("it sent fewer outputs than there were positions".to_owned());
            out.clear();
            out.extend(
                actions
                    .iter()
                    .map(|actions| Evaluation { priors: vec![1.0; actions.len()], ..Evaluation::default() }),
            );
        }
    }

    fn failure(&self) -> Option<String> {
        self.processes.iter().find_map(|process| process.connection.failure()).map(|error| error.to_string())
    }
}

fn role(role: Role) -> &'static str {
    match role {
        Role::Weight(_) => "weight",
        Role::Bias => "bias",
        Role::Scale => "scale",
        Role::Mean => "mean",
        Role::Variance => "variance",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::PackedSample;

    #[test]
    fn a_batch_is_divided_into_whole_ghost_batches() {
        let sample = PackedSample {
            position: EncodedPosition::new(&QuantumGame::default()),
            moves: Box::default(),
            wdl: [0.0, 1.0, 0.0],
        };
        let sizes = |samples: usize, devices: usize| {
            let batch: Vec<DrawnSample<'_>> =
                (0..samples).map(|_| DrawnSample { sample: &sample, mirror: false }).collect();
            parts_of(&batch, devices).into_iter().map(<[_]>::len).collect::<Vec<_>>()
        };
        assert_eq!(sizes(2048, 2), [1024, 1024]);
        assert_eq!(sizes(160, 2), [64, 96], "the rest is at the end");
        assert_eq!(sizes(256, 3), [64, 64, 128]);
        assert_eq!(sizes(64, 2), [0, 64], "one of them has nothing to do");
        assert_eq!(sizes(10, 1), [10]);
    }

    #[test]
    fn the_number_of_a_network_is_free_again_when_it_is_gone() {
        let slots = Arc::<Slots>::default();
        let (first, second) = (Slots::take(&slots), Slots::take(&slots));
        assert_eq!((first.number, second.number), (2, 3));
        drop(first);
        assert_eq!(Slots::take(&slots).number, 2);
        assert_eq!(second.number, 3);
    }
}
