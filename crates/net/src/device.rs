//! Where networks are computed: on the CPU, or on one or several GPUs through PyTorch.
//!
//! | module | what |
//! | --- | --- |
//! | [`spec`] | devices as users name them |
//! | [`torch`] | PyTorch on one or several devices |
//! | `process`, `protocol` | a Python process, and what is said through its pipes |
//! | `check` | comparison with the CPU before PyTorch is used |
//! | [`pool`] | networks for players that name their weights themselves |
//!
//! CPU training is our own code ([`forward`](crate::forward), [`backward`](crate::backward)): no dependencies, and reproducible. A GPU
//! is used through Python processes with PyTorch, connected by pipes; nothing of it is needed to build Tabia. Its sums are rounded
//! differently from run to run, so training on it is not reproducible bit for bit.

mod check;
pub mod pool;
mod process;
mod protocol;
pub mod spec;
pub mod torch;

use std::sync::Arc;

use tabia_mcts::PolicyValue;
use tabia_quantum::QuantumGame;

use crate::backward::Losses;
use crate::error::NetError;
use crate::network::Network;
use crate::optimiser::Optimiser;
use crate::replay::DrawnSample;
use crate::settings::{Hyperparameters, Settings};
use crate::weights::Weights;
pub use pool::DevicePool;
pub use spec::{DeviceSpec, TorchDevice};
use torch::{Torch, TorchSettings};

/// Evaluates leaves; shared by threads.
pub type Evaluator = Arc<dyn PolicyValue<QuantumGame>>;

/// Which of the networks on a device is meant.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum NetworkRole {
    /// The one used in self-play.
    SelfPlay = 0,
    /// The one just trained.
    Candidate = 1,
}

/// A device for training and inference.
#[derive(Debug, Default)]
pub enum Device {
    #[default]
    Cpu,
    /// PyTorch.
    Torch(Box<Torch>),
}

impl Device {
    /// The device for a training with these settings. PyTorch's outputs and a gradient are first compared with the CPU's.
    pub fn open(
        spec: &DeviceSpec,
        python: &str,
        settings: &Settings,
        threads: usize,
    ) -> Result<Device, NetError> {
        let DeviceSpec::Torch(devices) = spec else { return Ok(Device::Cpu) };
        let torch = Torch::start(&TorchSettings {
            devices,
            python,
            architecture: settings.network,
            value_weight: settings.learning.value_weight,
            threads,
            bfloat16: false,
            processes: settings.learning.processes as usize,
            trains_apart: settings.learning.continuous > 0,
        })?;
        check::check_outputs(&torch, settings.network)?;
        check::check_gradient(&torch, settings, threads)?;
        Ok(Device::Torch(Box::new(torch)))
    }

    /// Name for display; `None` for the CPU.
    pub fn name(&self) -> Option<&str> {
        match self {
            Device::Cpu => None,
            Device::Torch(torch) => Some(torch.name()),
        }
    }

    /// Loads a network for inference; it replaces the previous one with the same role.
    pub fn evaluator(&self, weights: &Weights, role: NetworkRole) -> Result<Evaluator, NetError> {
        match self {
            // Self-play hardly ever repeats a position.
            Device::Cpu if role == NetworkRole::SelfPlay => {
                Ok(Arc::new(Network::new(weights).without_cache()))
            }
            Device::Cpu => Ok(Arc::new(Network::new(weights))),
            Device::Torch(torch) => Ok(Arc::new(torch.evaluator(weights, role)?)),
        }
    }

    /// Uploads the optimiser's state before the first steps.
    pub fn upload(&self, optimiser: &Optimiser) -> Result<(), NetError> {
        match self {
            Device::Cpu => Ok(()),
            Device::Torch(torch) => torch.upload(optimiser),
        }
    }

    /// One optimiser step; returns the losses before it, if known at once.
    pub fn step(
        &self,
        optimiser: &mut Optimiser,
        batch: &[DrawnSample<'_>],
        hyper: &Hyperparameters,
        rate: f32,
        threads: usize,
    ) -> Result<Losses, NetError> {
        match self {
            Device::Cpu => {
                let samples: Vec<_> = batch.iter().map(DrawnSample::unpack).collect();
                Ok(optimiser.step(&samples, hyper, rate, threads))
            }
            Device::Torch(torch) => {
                optimiser.steps += 1;
                torch.step(batch, hyper, rate)?;
                Ok(Losses::default())
            }
        }
    }

    /// Downloads the optimiser's state; returns the losses of all steps not reported before.
    pub fn download(&self, optimiser: &mut Optimiser) -> Result<Losses, NetError> {
        match self {
            Device::Cpu => Ok(Losses::default()),
            Device::Torch(torch) => torch.download(optimiser),
        }
    }

    /// Downloads the average of the weights, which plays; the rest of the state stays on the device. Returns the losses of all steps
    /// not reported before.
    pub fn download_average(&self, optimiser: &mut Optimiser) -> Result<Losses, NetError> {
        match self {
            Device::Cpu => Ok(Losses::default()),
            Device::Torch(torch) => torch.download_average(optimiser),
        }
    }

    /// Returns an error if the device failed since the last check; evaluations since then are invalid.
    pub fn check(&self) -> Result<(), NetError> {
        match self {
            Device::Cpu => Ok(()),
            Device::Torch(torch) => torch.check_alive(),
        }
    }
}
