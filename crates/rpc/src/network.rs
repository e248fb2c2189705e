//! The served network, which can be replaced while running calls keep the old one.

use std::path::Path;
use std::sync::{Arc, PoisonError, RwLock};

use tabia_net::agents::Load;
use tabia_net::device::Evaluator;
use tabia_net::forward::FoldedNetwork;
use tabia_net::{NetError, Weights, onnx};

use crate::messages::File;

/// Name of a received file in error messages.
const SENT_FILE: &str = "the received file";

pub struct LoadedNetwork {
    pub weights: Weights,
    /// The same, prepared for inference on the CPU.
    pub folded: FoldedNetwork,
    /// The same on a device, if that is where it is computed.
    pub on_device: Option<Evaluator>,
    /// Version, from 1; each load increments it.
    pub version: u64,
}

impl LoadedNetwork {
    fn new(weights: Weights, version: u64) -> LoadedNetwork {
        LoadedNetwork { folded: FoldedNetwork::new(&weights), weights, on_device: None, version }
    }
}

/// Handle to the served network.
pub struct NetworkHandle {
    current: RwLock<Arc<LoadedNetwork>>,
    /// Loads a network onto the device; `None` is the CPU.
    device: Option<Load>,
}

impl NetworkHandle {
    /// A handle with these weights as version 1.
    pub fn new(weights: Weights) -> NetworkHandle {
        NetworkHandle { current: RwLock::new(Arc::new(LoadedNetwork::new(weights, 1))), device: None }
    }

    /// A handle with these weights as version 1, and all networks on a device.
    pub fn on_device(weights: Weights, device: Load) -> Result<NetworkHandle, NetError> {
        let mut loaded = LoadedNetwork::new(weights, 1);
        loaded.on_device = Some(device(&loaded.weights).map_err(NetError::Evaluator)?);
        Ok(NetworkHandle { current: RwLock::new(Arc::new(loaded)), device: Some(device) })
    }

    /// The current network; it stays valid after a replacement.
    pub fn current(&self) -> Arc<LoadedNetwork> {
        self.current.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Replaces the network, if the file is valid and of the same architecture (or `any_shape`).
    pub fn load(&self, file: &File, any_shape: bool) -> Result<Arc<LoadedNetwork>, NetError> {
        let path = Path::new(SENT_FILE);
        let weights = match file {
            File::Safetensors(bytes) => {
                Weights::from_bytes_or(bytes, self.current().weights.architecture, path)?
            }
            File::Onnx(bytes) => onnx::read(bytes, path)?,
        };
        let mut loaded = LoadedNetwork::new(weights, 0);
        if !any_shape {
            loaded.weights.check_architecture(self.current().weights.architecture, path)?;
        }
        if let Some(device) = &self.device {
            loaded.on_device = Some(device(&loaded.weights).map_err(NetError::Evaluator)?);
        }
        let mut current = self.current.write().unwrap_or_else(PoisonError::into_inner);
        // Another call may have loaded a network of another shape in the meantime.
        if !any_shape {
            loaded.weights.check_architecture(current.weights.architecture, path)?;
        }
        loaded.version = current.version + 1;
        *current = Arc::new(loaded);
        Ok(current.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabia_net::Architecture;

    #[test]
    fn weights_are_replaced_and_bad_ones_refused() {
        let like = Architecture::new(16, 1);
        let served = NetworkHandle::new(Weights::initial(like, 1));
        let old = served.current();
        let new = Weights::initial(like, 2);
        let bytes = new.to_file().to_bytes();

        let cut = File::Safetensors(bytes[..bytes.len() / 2].to_vec());
        assert!(served.load(&cut, false).err().unwrap().to_string().contains("it is truncated"));
        let other = Weights::initial(Architecture::new(32, 1), 2);
        let other = File::Safetensors(other.to_file().to_bytes());
        let text = served.load(&other, false).err().unwrap().to_string();
        let expected = "the received file: tensor \"input.conv.weight\" is [32, 28, 3, 3], this network's is [16, 28, 3, 3]";
        assert_eq!(text, expected);
        let other_onnx = File::Onnx(onnx::export(&Weights::initial(Architecture::new(16, 2), 2)));
        let text = served.load(&other_onnx, false).err().unwrap().to_string();
        assert!(
            text.contains("tensor \"block1.first.conv.weight\" is [16, 16, 3, 3], this network's is missing")
        );
        // A file of another program, without metadata: what is too much is of another shape too.
        let mut larger = Weights::initial(Architecture::new(16, 2), 2).to_file();
        larger.metadata.clear();
        let error = served.load(&File::Safetensors(larger.to_bytes()), false).err().unwrap();
        assert!(matches!(error, NetError::Shape { .. }), "{error}");
        assert!(
            error
                .to_string()
                .contains("\"block1.first.conv.weight\" is [16, 16, 3, 3], this network's is missing")
        );
        assert_eq!((served.current().version, &served.current().weights), (1, &old.weights));

        assert_eq!(served.load(&File::Safetensors(bytes), false).unwrap().version, 2);
        assert_eq!(served.current().weights, new);
        assert_eq!(served.load(&File::Onnx(onnx::export(&new)), false).unwrap().version, 3);
        assert_eq!(served.load(&other, true).unwrap().weights.architecture, Architecture::new(32, 1));
        assert_eq!(old.version, 1, "running calls keep the old weights");
    }
}
