//! The numbers of a network: fresh from a seed, or from a file.

use std::path::Path;

use rand::Rng;
use tabia_core::seed;

use crate::architecture::{Architecture, Role, Slot};
use crate::error::NetError;
use crate::tensors::{Tensor, Tensors};

const ARCHITECTURE: &str = "architecture";

/// A network's numbers, slot by slot.
#[derive(Clone, Debug, PartialEq)]
pub struct Weights {
    /// The network's shape.
    pub architecture: Architecture,
    /// The tensors in the order of [`Architecture::slots`].
    pub slots: Vec<Vec<f32>>,
}

impl Weights {
    /// Before anything is learned. The second convolution of a block begins with a factor of zero, so that a block begins as its shortcut.
    pub fn fresh(architecture: Architecture, seed: u64) -> Weights {
        let begin = |(number, slot): (usize, &Slot)| match slot.role {
            Role::Weight(inputs) => {
                let mut random = seed::random(seed::derive(seed, number as u64));
                // He's rule: as much variance goes out as came in; the last layers begin small.
                let last = slot.name.starts_with("policy") && !slot.name.contains("conv")
                    || slot.name.starts_with("value.out");
                let spread = (6.0 / inputs as f32).sqrt() * if last { 0.1 } else { 1.0 };
                (0..slot.len()).map(|_| random.random_range(-spread..spread)).collect()
            }
            Role::Bias | Role::Mean => vec![0.0; slot.len()],
            Role::Scale if slot.name.contains(".second.") => vec![0.0; slot.len()],
            Role::Scale | Role::Variance => vec![1.0; slot.len()],
        };
        Weights { architecture, slots: architecture.slots().iter().enumerate().map(begin).collect() }
    }

    /// Zeros of the same shape.
    #[must_use]
    pub fn zeros(&self) -> Weights {
        Weights {
            architecture: self.architecture,
            slots: self.slots.iter().map(|slot| vec![0.0; slot.len()]).collect(),
        }
    }

    /// Puts the tensors among others, their names prefixed.
    pub fn put(&self, tensors: &mut Tensors, prefix: &str) {
        for (slot, numbers) in self.architecture.slots().into_iter().zip(&self.slots) {
            let tensor = Tensor { shape: slot.shape, numbers: numbers.clone() };
            tensors.tensors.insert(format!("{prefix}{}", slot.name), tensor);
        }
    }

    /// Takes the tensors of an architecture from among others. What is missing or of another shape is named.
    pub fn take(
        architecture: Architecture,
        tensors: &mut Tensors,
        prefix: &str,
        path: &Path,
    ) -> Result<Weights, NetError> {
        let mut take = |slot: Slot| {
            let name = format!("{prefix}{}", slot.name);
            match tensors.tensors.remove(&name) {
                Some(tensor) if tensor.shape == slot.shape => Ok(tensor.numbers),
                other => Err(NetError::Shape {
                    path: path.to_owned(),
                    tensor: name,
                    found: other.map_or_else(|| "missing".to_owned(), |tensor| format!("{:?}", tensor.shape)),
                    expected: format!("{:?}", slot.shape),
                }),
            }
        };
        let slots = architecture.slots().into_iter().map(&mut take).collect::<Result<_, _>>()?;
        Ok(Weights { architecture, slots })
    }

    /// A file for play: the weights and their architecture.
    pub fn to_tensors(&self) -> Tensors {
        let mut tensors = Tensors::default();
        self.put(&mut tensors, "");
        let text = serde_json::to_string(&self.architecture).expect("numbers can be written");
        tensors.notes.insert(ARCHITECTURE.to_owned(), text);
        tensors
    }

    /// The SHA-256 of the numbers, as a file of theirs has it.
    pub fn checksum(&self) -> String {
        self.to_tensors().checksum()
    }

    /// Writes a file for play.
    pub fn write(&self, path: &Path) -> Result<(), NetError> {
        self.to_tensors().write(path)
    }

    /// Reads a file for play.
    pub fn read(path: &Path) -> Result<Weights, NetError> {
        Weights::from_tensors(Tensors::read(path)?, None, path)
    }

    /// Reads weights that are in memory; `path` is for what is said about them.
    pub fn from_bytes(bytes: &[u8], path: &Path) -> Result<Weights, NetError> {
        let tensors = Tensors::from_bytes(bytes).map_err(|why| NetError::broken(path, why))?;
        Weights::from_tensors(tensors, None, path)
    }

    /// The same of tensors that other programs wrote: where they do not say their architecture, it is this one.
    pub fn from_bytes_like(bytes: &[u8], like: Architecture, path: &Path) -> Result<Weights, NetError> {
        let tensors = Tensors::from_bytes(bytes).map_err(|why| NetError::broken(path, why))?;
        Weights::from_tensors(tensors, Some(like), path)
    }

    fn from_tensors(
        mut tensors: Tensors,
        like: Option<Architecture>,
        path: &Path,
    ) -> Result<Weights, NetError> {
        let architecture: Architecture = match (tensors.notes.get(ARCHITECTURE), like) {
            (Some(text), _) => serde_json::from_str(text)
                .map_err(|error| NetError::broken(path, format!("its architecture: {error}")))?,
            (None, Some(like)) => like,
            (None, None) => {
                let why = "its metadata names no architecture; is it a network of Tabia's?";
                return Err(NetError::broken(path, why));
            }
        };
        architecture.check()?;
        let weights = Weights::take(architecture, &mut tensors, "", path)?;
        if let Some(extra) = tensors.tensors.keys().next() {
            return Err(NetError::broken(path, format!("tensor \"{extra}\" is none of {architecture}")));
        }
        weights.finite(path)
    }

    /// Refuses numbers that are none.
    pub(crate) fn finite(self, path: &Path) -> Result<Weights, NetError> {
        let slots = self.architecture.slots();
        let odd = slots.iter().zip(&self.slots).find(|(_, slot)| slot.iter().any(|n| !n.is_finite()));
        match odd {
            Some((slot, _)) => Err(NetError::broken(
                path,
                format!("some numbers of tensor \"{}\" are not finite", slot.name),
            )),
            None => Ok(self),
        }
    }

    /// Refuses a network of another shape, by the first tensor that is not the same.
    pub fn check_like(&self, like: Architecture, path: &Path) -> Result<(), NetError> {
        if self.architecture == like {
            return Ok(());
        }
        let (own, expected) = (self.architecture.slots(), like.slots());
        let shape = |slots: &[Slot], name: &str| {
            let slot = slots.iter().find(|slot| slot.name == name);
            slot.map_or_else(|| "missing".to_owned(), |slot| format!("{:?}", slot.shape))
        };
        for slot in expected.iter().chain(&own) {
            let (found, expected) = (shape(&own, &slot.name), shape(&expected, &slot.name));
            if found != expected {
                return Err(NetError::Shape {
                    path: path.to_owned(),
                    tensor: slot.name.clone(),
                    found,
                    expected,
                });
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(name: &str) -> std::path::PathBuf {
        std::env::temp_dir().join(format!("tabia-weights-{}-{name}", std::process::id()))
    }

    #[test]
    fn weights_come_back_from_a_file() {
        let weights = Weights::fresh(Architecture::ours(16, 1), 3);
        assert_eq!(weights, Weights::fresh(Architecture::ours(16, 1), 3));
        assert_ne!(weights, Weights::fresh(Architecture::ours(16, 1), 4));
        let path = file("same");
        weights.write(&path).unwrap();
        assert_eq!(Weights::read(&path).unwrap(), weights);
        std::fs::remove_file(path).unwrap();
    }

    #[test]
    fn a_tensor_of_another_shape_is_named_with_both_shapes() {
        let mut tensors = Weights::fresh(Architecture::ours(16, 1), 3).to_tensors();
        let path = Path::new("w");
        let error = Weights::take(Architecture::ours(32, 1), &mut tensors.clone(), "", path).unwrap_err();
        let text = "w: tensor \"input.conv.weight\" is [16, 28, 3, 3], this network's is [32, 28, 3, 3]";
        assert_eq!(error.to_string(), text);
        tensors.tensors.remove("policy.moves.bias");
        let error = Weights::from_tensors(tensors, None, path).unwrap_err().to_string();
        assert!(error.contains("\"policy.moves.bias\" is missing, this network's is [146]"), "{error}");
    }

    #[test]
    fn tensors_without_an_architecture_are_taken_for_the_one_that_is_expected() {
        let (like, path) = (Architecture::ours(16, 1), Path::new("w"));
        let weights = Weights::fresh(like, 3);
        let mut tensors = weights.to_tensors();
        tensors.notes.clear();
        let bytes = tensors.to_bytes();
        assert!(Weights::from_bytes(&bytes, path).is_err());
        assert_eq!(Weights::from_bytes_like(&bytes, like, path).unwrap(), weights);
        let error =
            Weights::from_bytes_like(&bytes, Architecture::ours(32, 1), path).unwrap_err().to_string();
        assert!(error.contains("\"input.conv.weight\" is [16, 28, 3, 3], this network's is [32, 28, 3, 3]"));
    }

    #[test]
    fn a_network_of_another_shape_is_refused_by_a_tensor() {
        let error = |weights: Architecture, like: Architecture| {
            Weights::fresh(weights, 1).check_like(like, Path::new("w")).unwrap_err().to_string()
        };
        let (small, large) = (Architecture::ours(16, 1), Architecture::ours(16, 2));
        Weights::fresh(small, 1).check_like(small, Path::new("w")).unwrap();
        let text = "w: tensor \"block1.first.conv.weight\" is missing, this network's is [16, 16, 3, 3]";
        assert_eq!(error(small, large), text);
        let text = "w: tensor \"block1.first.conv.weight\" is [16, 16, 3, 3], this network's is missing";
        assert_eq!(error(large, small), text);
    }
}
