//! `--device` and `--python`: where networks are computed.

use std::sync::Arc;

use tabia_core::Stop;
use tabia_net::agents::Load;
use tabia_net::device::{DevicePool, DeviceSpec};

/// Arguments of commands that compute with networks.
#[derive(Clone, Debug, clap::Args)]
pub struct DeviceArgs {
    /// Where networks are computed: cpu, by our own arithmetic; cuda or cuda:N, an NVIDIA GPU through PyTorch; torch, PyTorch on whatever it finds; or several, as cuda:0,cuda:1.
    #[arg(long, value_name = "DEVICE", default_value = "cpu", value_parser = str::parse::<DeviceSpec>)]
    pub device: DeviceSpec,
    /// The Python that has PyTorch, for every device but cpu.
    #[arg(long, value_name = "PROGRAM", default_value = "python3")]
    pub python: String,
}

impl DeviceArgs {
    /// Networks on this device, asked by so many threads. A device that fails raises the flag.
    pub fn pool(&self, threads: usize, stop: Stop) -> Arc<DevicePool> {
        Arc::new(DevicePool::new(self.device.clone(), &self.python, threads).stopping(stop))
    }
}

/// Loads the networks of agents into a pool.
pub fn load_into(pool: &Arc<DevicePool>) -> Load {
    let pool = Arc::clone(pool);
    Box::new(move |weights| pool.evaluator(weights).map_err(|error| error.to_string()))
}

/// Says on which device networks are computed, if it is not this program.
pub fn announce(pool: &DevicePool) {
    if let Some(name) = pool.name() {
        eprintln!("{name}; its answers are ours");
    }
}
