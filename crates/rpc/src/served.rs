//! The network that is served, and how another takes its place while others play on with the old one.

use std::path::Path;
use std::sync::{Arc, PoisonError, RwLock};

use tabia_net::forward::Folded;
use tabia_net::{NetError, Weights, onnx};

use crate::messages::File;

/// What a file that was sent is called when something is wrong with it.
const SENT: &str = "the file that was sent";

/// A network, ready to answer.
pub struct Loaded {
    /// Its numbers.
    pub weights: Weights,
    /// The same, ready for single positions.
    pub folded: Folded,
    /// Which it is: the server begins with 1.
    pub version: u64,
}

impl Loaded {
    fn new(weights: Weights, version: u64) -> Loaded {
        Loaded { folded: Folded::new(&weights), weights, version }
    }
}

/// The network that is served now.
pub struct Served {
    current: RwLock<Arc<Loaded>>,
}

impl Served {
    /// Begins with these weights.
    pub fn new(weights: Weights) -> Served {
        Served { current: RwLock::new(Arc::new(Loaded::new(weights, 1))) }
    }

    /// The network as it is now. Whoever has it keeps it.
    pub fn current(&self) -> Arc<Loaded> {
        self.current.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Takes a file for the network from now on, if it is whole and of the same shape or any will do.
    pub fn load(&self, file: &File, any_shape: bool) -> Result<Arc<Loaded>, NetError> {
        let path = Path::new(SENT);
        let weights = match file {
            File::Safetensors(bytes) => {
                Weights::from_bytes_like(bytes, self.current().weights.architecture, path)?
            }
            File::Onnx(bytes) => onnx::read(bytes, path)?,
        };
        let mut loaded = Loaded::new(weights, 0);
        let mut current = self.current.write().unwrap_or_else(PoisonError::into_inner);
        if !any_shape {
            loaded.weights.check_like(current.weights.architecture, path)?;
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
        let like = Architecture::ours(16, 1);
        let served = Served::new(Weights::fresh(like, 1));
        let old = served.current();
        let new = Weights::fresh(like, 2);
        let bytes = new.to_tensors().to_bytes();

        let cut = File::Safetensors(bytes[..bytes.len() / 2].to_vec());
        assert!(served.load(&cut, false).err().unwrap().to_string().contains("it ends within"));
        let other = Weights::fresh(Architecture::ours(32, 1), 2);
        let other = File::Safetensors(other.to_tensors().to_bytes());
        let text = served.load(&other, false).err().unwrap().to_string();
        let expected = "the file that was sent: tensor \"input.conv.weight\" is [32, 28, 3, 3], this network's is [16, 28, 3, 3]";
        assert_eq!(text, expected);
        let other_onnx = File::Onnx(onnx::export(&Weights::fresh(Architecture::ours(16, 2), 2)));
        let text = served.load(&other_onnx, false).err().unwrap().to_string();
        assert!(
            text.contains("tensor \"block1.first.conv.weight\" is [16, 16, 3, 3], this network's is missing")
        );
        assert_eq!((served.current().version, &served.current().weights), (1, &old.weights));

        assert_eq!(served.load(&File::Safetensors(bytes), false).unwrap().version, 2);
        assert_eq!(served.current().weights, new);
        assert_eq!(served.load(&File::Onnx(onnx::export(&new)), false).unwrap().version, 3);
        assert_eq!(served.load(&other, true).unwrap().weights.architecture, Architecture::ours(32, 1));
        assert_eq!(old.version, 1, "who began with the old ones still has them");
    }
}
