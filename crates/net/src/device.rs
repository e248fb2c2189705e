//! Where a network's arithmetic is done while it learns: on this machine's processors, or on a GPU.
//!
//! The processors' arithmetic is our own ([`forward`](crate::forward), [`backward`](crate::backward)): nothing to install, and the same bytes everywhere. A GPU is reached through PyTorch,
//! which those who have one have too: a Python process answers and learns, and we talk to it through pipes. Nothing about it is needed to build Tabia.
//! Its sums are rounded differently from run to run, so a training on it cannot be repeated bit for bit.

mod frames;
mod torch;

use std::sync::Arc;

use tabia_mcts::PolicyValue;
use tabia_quantum::QuantumGame;

use crate::backward::Losses;
use crate::error::NetError;
use crate::network::Network;
use crate::optimiser::Optimiser;
use crate::replay::Pick;
use crate::settings::{Knobs, Settings};
use crate::weights::Weights;
pub use torch::{Torch, TorchKind};

/// One who values leaves, shared by threads.
pub type Player = Arc<dyn PolicyValue<QuantumGame>>;

/// Who a network is on a device that has several.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Seat {
    /// It plays against itself.
    SelfPlay = 0,
    /// It was just learned.
    New = 1,
}

/// Where the arithmetic is done.
#[derive(Debug, Default)]
pub enum Device {
    /// This machine's processors.
    #[default]
    Processor,
    /// PyTorch.
    Torch(Box<Torch>),
}

impl Device {
    /// PyTorch for a training with these settings; it is checked against our own arithmetic before anything else.
    pub fn torch(
        kind: TorchKind,
        python: &str,
        settings: &Settings,
        threads: usize,
    ) -> Result<Device, NetError> {
        let torch = Torch::start(kind, python, settings, threads)?;
        torch.check(settings.network)?;
        Ok(Device::Torch(Box::new(torch)))
    }

    /// What it is, for people; nothing where that needs no words.
    pub fn name(&self) -> Option<&str> {
        match self {
            Device::Processor => None,
            Device::Torch(torch) => Some(torch.name()),
        }
    }

    /// A network that plays. One that takes the same seat later takes its place.
    pub fn player(&self, weights: &Weights, seat: Seat) -> Result<Player, NetError> {
        match self {
            // Self-play hardly ever asks twice.
            Device::Processor if seat == Seat::SelfPlay => Ok(Arc::new(Network::new(weights).forgetful())),
            Device::Processor => Ok(Arc::new(Network::new(weights))),
            Device::Torch(torch) => Ok(Arc::new(torch.player(weights, seat)?)),
        }
    }

    /// Takes what is learned to where the steps are made.
    pub fn begin(&self, optimiser: &Optimiser) -> Result<(), NetError> {
        match self {
            Device::Processor => Ok(()),
            Device::Torch(torch) => torch.begin(optimiser),
        }
    }

    /// One step; how wrong the answers were before it, where that is known at once.
    pub fn step(
        &self,
        optimiser: &mut Optimiser,
        picks: &[Pick<'_>],
        knobs: &Knobs,
        rate: f32,
        threads: usize,
    ) -> Result<Losses, NetError> {
        match self {
            Device::Processor => {
                let lessons: Vec<_> = picks.iter().map(Pick::lesson).collect();
                Ok(optimiser.step(&lessons, knobs, rate, threads))
            }
            Device::Torch(torch) => {
                optimiser.steps += 1;
                torch.step(picks, knobs, rate)?;
                Ok(Losses::default())
            }
        }
    }

    /// Brings what was learned back; how wrong the answers were that were not told before.
    pub fn end(&self, optimiser: &mut Optimiser) -> Result<Losses, NetError> {
        match self {
            Device::Processor => Ok(Losses::default()),
            Device::Torch(torch) => torch.end(optimiser),
        }
    }

    /// Whether everything that was answered until now can be believed.
    pub fn check(&self) -> Result<(), NetError> {
        match self {
            Device::Processor => Ok(()),
            Device::Torch(torch) => torch.fault(),
        }
    }
}
