//! Networks on a device for players that name their weights themselves: agents of a match, networks that are rated or served.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError, Weak};

use tabia_core::Stop;
use tabia_mcts::{Evaluation, PolicyValue};
use tabia_quantum::{Action, QuantumGame};

use super::check;
use super::spec::{DeviceSpec, TorchDevice};
use super::torch::{Torch, TorchEvaluator, TorchSettings};
use super::{Evaluator, NetError};
use crate::architecture::Architecture;
use crate::network::Network;
use crate::weights::Weights;

/// Loads networks onto a device. PyTorch is started with the first network of each architecture, and its outputs are compared with the
/// CPU's; equal weights are loaded once. Processes that have ended are started again for the next network.
pub struct DevicePool {
    spec: DeviceSpec,
    python: String,
    threads: usize,
    on_failure: Arc<OnFailure>,
    loaded: Mutex<Loaded>,
}

#[derive(Default)]
struct Loaded {
    /// The processes of each architecture.
    started: Vec<(Architecture, Torch)>,
    /// Networks in use, by the checksum of their weights.
    networks: HashMap<String, Weak<dyn PolicyValue<QuantumGame>>>,
}

/// The first failure of a device, and the flag that it raises.
#[derive(Default)]
struct OnFailure {
    why: OnceLock<String>,
    stop: Option<Stop>,
}

impl DevicePool {
    /// A pool whose networks are asked by this many threads; `python` is the interpreter that has PyTorch.
    pub fn new(spec: DeviceSpec, python: &str, threads: usize) -> DevicePool {
        let (on_failure, loaded) = (Arc::default(), Mutex::default());
        DevicePool { spec, python: python.to_owned(), threads, on_failure, loaded }
    }

    /// Raises this flag when a device fails: a game that needs it is then abandoned, and not lost.
    #[must_use]
    pub fn stopping(mut self, stop: Stop) -> DevicePool {
        self.on_failure = Arc::new(OnFailure { why: OnceLock::new(), stop: Some(stop) });
        self
    }

    /// Why a device failed, if one has.
    pub fn failure(&self) -> Option<NetError> {
        self.on_failure.why.get().cloned().map(NetError::Evaluator)
    }

    /// Loads a network.
    pub fn evaluator(&self, weights: &Weights) -> Result<Evaluator, NetError> {
        let DeviceSpec::Torch(devices) = &self.spec else { return Ok(Arc::new(Network::new(weights))) };
        // One after another: networks of the same architecture share their processes.
        let mut loaded = self.loaded.lock().unwrap_or_else(PoisonError::into_inner);
        let Loaded { started, networks } = &mut *loaded;
        started.retain(|(_, torch)| torch.check_alive().is_ok());
        let known = started.iter().position(|(known, _)| *known == weights.architecture);
        let at = if let Some(at) = known {
            at
        } else {
            started.push((weights.architecture, self.start(devices, weights.architecture)?));
            started.len() - 1
        };
        let checksum = weights.checksum();
        let known = networks.get(&checksum).and_then(Weak::upgrade);
        if let Some(known) = known.filter(|known| known.failure().is_none()) {
            return Ok(known);
        }
        let network =
            Watched { network: started[at].1.load(weights)?, on_failure: Arc::clone(&self.on_failure) };
        let network: Evaluator = Arc::new(network);
        networks.insert(checksum, Arc::downgrade(&network));
        Ok(network)
    }

    fn start(&self, devices: &[TorchDevice], architecture: Architecture) -> Result<Torch, NetError> {
        let (python, threads) = (self.python.as_str(), self.threads);
        let settings = TorchSettings {
            devices,
            python,
            architecture,
            value_weight: 1.0,
            threads,
            bfloat16: false,
            processes: 0,
            trains_apart: false,
        };
        let torch = Torch::start(&settings)?;
        check::check_outputs(&torch, architecture)?;
        Ok(torch)
    }

    /// Names of the devices in use; `None` for the CPU, or before the first network.
    pub fn name(&self) -> Option<String> {
        let loaded = self.loaded.lock().unwrap_or_else(PoisonError::into_inner);
        loaded.started.first().map(|(_, torch)| torch.name().to_owned())
    }
}

/// A network whose failure is told to its pool.
struct Watched {
    network: TorchEvaluator,
    on_failure: Arc<OnFailure>,
}

impl PolicyValue<QuantumGame> for Watched {
    fn infer(&self, leaves: &[QuantumGame], actions: &[Vec<Action>], out: &mut Vec<Evaluation>) {
        self.network.infer(leaves, actions, out);
        if let Some(why) = self.network.failure() {
            let _ = self.on_failure.why.set(why);
            if let Some(stop) = &self.on_failure.stop {
                stop.stop();
            }
        }
    }

    fn failure(&self) -> Option<String> {
        self.network.failure()
    }
}
