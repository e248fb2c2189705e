//! An exported network, read back: its tensors by name and shape. The operators between them are taken for ours.

use std::collections::BTreeMap;
use std::path::Path;

use prost::Message;
use tabia_quantum::planes::PLANES;

use super::FLOAT;
use crate::architecture::{Architecture, CHANCES, PolicyHead, Role, Slot, ValueHead};
use crate::error::NetError;
use crate::forward::EPSILON;
use crate::messages::{self, Model};
use crate::tensors::Tensor;
use crate::weights::Weights;

const NUMBER: usize = size_of::<f32>();

/// Reads what [`export`](super::export) wrote. Normalisation was folded in and cannot be taken out again: it begins anew as one that changes nothing.
/// `path` is for what is said about it.
pub fn read(bytes: &[u8], path: &Path) -> Result<Weights, NetError> {
    let model = Model::decode(bytes)
        .map_err(|error| NetError::broken(path, format!("it is no ONNX file: {error}")))?;
    let graph =
        model.graph.ok_or_else(|| NetError::broken(path, "it is no ONNX file: there is no graph in it"))?;
    let mut file = File { path, tensors: BTreeMap::new() };
    for tensor in graph.tensors {
        let (name, tensor) = numbers(tensor).map_err(|why| NetError::broken(path, why))?;
        file.tensors.insert(name, tensor);
    }
    let architecture = file.architecture()?;
    architecture.check()?;
    let slots =
        architecture.slots().iter().map(|slot| file.take(slot)).collect::<Result<Vec<_>, NetError>>()?;
    if let Some(extra) = file.tensors.keys().next() {
        return Err(NetError::broken(path, format!("tensor \"{extra}\" is none of {architecture}")));
    }
    Weights { architecture, slots }.finite(path)
}

/// A tensor's name, shape and numbers.
fn numbers(tensor: messages::Tensor) -> Result<(String, Tensor), String> {
    let name = tensor.name.unwrap_or_default();
    if tensor.kind != Some(FLOAT) {
        let kind = tensor.kind.unwrap_or_default();
        return Err(format!("tensor \"{name}\" holds elements of kind {kind}, expected {FLOAT} (float)"));
    }
    let shape: Option<Vec<usize>> = tensor.sides.iter().map(|side| usize::try_from(*side).ok()).collect();
    let shape = shape.ok_or_else(|| format!("tensor \"{name}\" has the shape {:?}", tensor.sides))?;
    let numbers = match tensor.bytes {
        Some(bytes) if bytes.len().is_multiple_of(NUMBER) => bytes
            .chunks_exact(NUMBER)
            .map(|bytes| f32::from_le_bytes(*bytes.first_chunk().expect("chunks have four bytes")))
            .collect(),
        Some(bytes) => return Err(format!("tensor \"{name}\" has {} bytes", bytes.len())),
        None => tensor.floats,
    };
    let count = shape.iter().try_fold(1usize, |count, side| count.checked_mul(*side));
    if count != Some(numbers.len()) {
        return Err(format!("tensor \"{name}\" has {} numbers, not those of {shape:?}", numbers.len()));
    }
    Ok((name, Tensor { shape, numbers }))
}

struct File<'a> {
    path: &'a Path,
    tensors: BTreeMap<String, Tensor>,
}

impl File<'_> {
    /// The network that has such tensors.
    fn architecture(&self) -> Result<Architecture, NetError> {
        let channels = self.side("input.conv.weight", &format!("[channels, {PLANES}, 3, 3]"))?;
        let dense = self.tensors.contains_key("policy.dense.weight");
        Ok(Architecture {
            channels,
            blocks: (0..self.tensors.len())
                .take_while(|block| self.tensors.contains_key(&format!("block{block}.first.conv.weight")))
                .count(),
            policy: if dense {
                PolicyHead::Dense(self.side("policy.conv.weight", &format!("[n, {channels}, 1, 1]"))?)
            } else {
                PolicyHead::Convolution
            },
            value_channels: self.side("value.conv.weight", &format!("[n, {channels}, 1, 1]"))?,
            value_hidden: self.side("value.hidden.weight", "[n, 64 n]")?,
            value: match self.side("value.out.weight", "[3, n] or [1, n]")? {
                CHANCES => ValueHead::Chances,
                _ => ValueHead::Scalar,
            },
        })
    }

    /// The first side of a tensor.
    fn side(&self, name: &str, expected: &str) -> Result<usize, NetError> {
        let tensor = self.tensors.get(name);
        tensor.and_then(|tensor| tensor.shape.first().copied()).ok_or_else(|| NetError::Shape {
            path: self.path.to_owned(),
            tensor: name.to_owned(),
            found: tensor.map_or_else(|| "missing".to_owned(), |tensor| format!("{:?}", tensor.shape)),
            expected: expected.to_owned(),
        })
    }

    /// The numbers of a slot. Normalisation is there as the convolution's bias alone.
    fn take(&mut self, slot: &Slot) -> Result<Vec<f32>, NetError> {
        let name = match slot.role {
            Role::Scale => return Ok(vec![(1.0 + EPSILON).sqrt(); slot.len()]),
            Role::Mean => return Ok(vec![0.0; slot.len()]),
            Role::Variance => return Ok(vec![1.0; slot.len()]),
            Role::Bias | Role::Weight(_) => slot.name.replace(".norm.bias", ".conv.bias"),
        };
        match self.tensors.remove(&name) {
            Some(tensor) if tensor.shape == slot.shape => Ok(tensor.numbers),
            other => Err(NetError::Shape {
                path: self.path.to_owned(),
                tensor: name,
                found: other.map_or_else(|| "missing".to_owned(), |tensor| format!("{:?}", tensor.shape)),
                expected: format!("{:?}", slot.shape),
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::forward::{Folded, Room};
    use crate::onnx::export;
    use crate::view::{INPUT_SIZE, Seen};
    use tabia_quantum::QuantumGame;

    /// A network that was normalised by something.
    fn network(architecture: Architecture) -> Weights {
        let mut weights = Weights::fresh(architecture, 5);
        for (slot, numbers) in architecture.slots().iter().zip(&mut weights.slots) {
            if !matches!(slot.role, Role::Weight(_)) {
                for (at, number) in numbers.iter_mut().enumerate() {
                    *number = 0.3 + (at % 7) as f32 / 10.0;
                }
            }
        }
        weights
    }

    #[test]
    fn what_was_exported_answers_the_same_when_it_is_read_back() {
        let mut input = vec![0.0; INPUT_SIZE];
        Seen::new(&QuantumGame::default()).write(false, &mut input);
        let mut scalar = Architecture::ours(16, 2);
        scalar.value = ValueHead::Scalar;
        scalar.policy = PolicyHead::Dense(2);
        for architecture in [Architecture::ours(16, 2), scalar] {
            let weights = network(architecture);
            let back = read(&export(&weights), Path::new("w")).unwrap();
            assert_eq!(back.architecture, architecture);
            let answer = |weights: &Weights| {
                Folded::new(weights).answer(&input, &[1, 500, 9_000], &mut Room::default())
            };
            assert_eq!(answer(&back), answer(&weights));
        }
    }

    #[test]
    fn what_is_no_network_of_ours_is_refused_by_name() {
        let error = |bytes: &[u8]| read(bytes, Path::new("w")).unwrap_err().to_string();
        assert!(error(b"no such thing").starts_with("w is broken: it is no ONNX file: "));
        assert_eq!(error(b""), "w is broken: it is no ONNX file: there is no graph in it");
        let whole = export(&network(Architecture::ours(16, 1)));
        assert!(error(&whole[..whole.len() / 2]).contains("no ONNX file"));
        let changed = |change: &dyn Fn(&mut messages::Tensor)| {
            let mut model = Model::decode(&*whole).unwrap();
            model.graph.as_mut().unwrap().tensors.iter_mut().for_each(change);
            error(&model.encode_to_vec())
        };
        let text = changed(&|tensor| {
            if tensor.name() == "value.hidden.weight" {
                tensor.sides.reverse();
            }
        });
        let expected = "w: tensor \"value.hidden.weight\" is [512, 64], this network's is [512, 512]";
        assert_eq!(text, expected);
        let text =
            changed(&|tensor| tensor.name = tensor.name.as_deref().map(|name| name.replace("input", "x")));
        assert_eq!(
            text,
            "w: tensor \"input.conv.weight\" is missing, this network's is [channels, 28, 3, 3]"
        );
        let text = changed(&|tensor| tensor.kind = Some(11));
        assert!(text.contains("holds elements of kind 11, expected 1 (float)"), "{text}");
        let text = changed(&|tensor| tensor.sides.push(2));
        assert!(text.contains("numbers, not those of"), "{text}");
    }
}
