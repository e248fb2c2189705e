//! Reads a network exported by Tabia back from ONNX, from the names and shapes of its initializers. The nodes are not checked.

use std::collections::BTreeMap;
use std::path::Path;

use prost::Message;
use tabia_quantum::planes::PLANES;

use super::FLOAT;
use crate::architecture::{Architecture, Parameter, PolicyHead, Role, ValueHead, WDL};
use crate::error::NetError;
use crate::forward::EPSILON;
use crate::proto::{self, ModelProto};
use crate::tensors::Tensor;
use crate::weights::Weights;

const F32_BYTES: usize = size_of::<f32>();

/// Reads what [`export`](super::export) wrote. Batch normalisation was folded into the weights, so it is restored as the identity.
/// `path` is used in error messages only.
pub fn read(bytes: &[u8], path: &Path) -> Result<Weights, NetError> {
    let model = ModelProto::decode(bytes)
        .map_err(|error| NetError::malformed(path, format!("it is not an ONNX file: {error}")))?;
    let graph =
        model.graph.ok_or_else(|| NetError::malformed(path, "it is not an ONNX file: it has no graph"))?;
    let mut file = File { path, tensors: BTreeMap::new() };
    for tensor in graph.initializer {
        let (name, tensor) = tensor_of(tensor).map_err(|why| NetError::malformed(path, why))?;
        file.tensors.insert(name, tensor);
    }
    let architecture = file.architecture()?;
    architecture.check()?;
    let parameters = architecture
        .parameters()
        .iter()
        .map(|parameter| file.take(parameter))
        .collect::<Result<Vec<_>, NetError>>()?;
    if let Some(extra) = file.tensors.keys().next() {
        return Err(NetError::malformed(
            path,
            format!("tensor \"{extra}\" is not part of a network with {architecture}"),
        ));
    }
    Weights { architecture, parameters }.check_finite(path)
}

fn tensor_of(tensor: proto::TensorProto) -> Result<(String, Tensor), String> {
    let name = tensor.name.unwrap_or_default();
    if tensor.data_type != Some(FLOAT) {
        let data_type = tensor.data_type.unwrap_or_default();
        return Err(format!("tensor \"{name}\" has data type {data_type}, expected {FLOAT} (FLOAT)"));
    }
    let shape: Option<Vec<usize>> = tensor.dims.iter().map(|dim| usize::try_from(*dim).ok()).collect();
    let shape = shape.ok_or_else(|| {
        format!("tensor \"{name}\" has the shape {:?}, expected no negative dimension", tensor.dims)
    })?;
    let data: Vec<f32> = match tensor.raw_data {
        Some(bytes) if bytes.len().is_multiple_of(F32_BYTES) => bytes
            .chunks_exact(F32_BYTES)
            .map(|bytes| f32::from_le_bytes(*bytes.first_chunk().expect("chunks have four bytes")))
            .collect(),
        Some(bytes) => {
            return Err(format!("tensor \"{name}\" has {} bytes, expected a multiple of 4", bytes.len()));
        }
        None => tensor.float_data,
    };
    let count = shape.iter().try_fold(1usize, |count, dim| count.checked_mul(*dim));
    if count != Some(data.len()) {
        return Err(format!("tensor \"{name}\" has {} values, not those of shape {shape:?}", data.len()));
    }
    Ok((name, Tensor { shape, data }))
}

struct File<'a> {
    path: &'a Path,
    tensors: BTreeMap<String, Tensor>,
}

impl File<'_> {
    /// Infers the architecture from tensor names and shapes.
    fn architecture(&self) -> Result<Architecture, NetError> {
        let channels = self.first_dim("input.conv.weight", &format!("[channels, {PLANES}, 3, 3]"))?;
        let dense = self.tensors.contains_key("policy.dense.weight");
        Ok(Architecture {
            channels,
            blocks: (0..self.tensors.len())
                .take_while(|block| self.tensors.contains_key(&format!("block{block}.first.conv.weight")))
                .count(),
            policy: if dense {
                PolicyHead::Dense(self.first_dim("policy.conv.weight", &format!("[n, {channels}, 1, 1]"))?)
            } else {
                PolicyHead::Convolution
            },
            value_channels: self.first_dim("value.conv.weight", &format!("[n, {channels}, 1, 1]"))?,
            value_hidden: self.first_dim("value.hidden.weight", "[n, 64 n]")?,
            value: match self.first_dim("value.out.weight", "[3, n] or [1, n]")? {
                WDL => ValueHead::Wdl,
                _ => ValueHead::Scalar,
            },
        })
    }

    fn first_dim(&self, name: &str, expected: &str) -> Result<usize, NetError> {
        let tensor = self.tensors.get(name);
        tensor.and_then(|tensor| tensor.shape.first().copied()).ok_or_else(|| NetError::Shape {
            path: self.path.to_owned(),
            tensor: name.to_owned(),
            found: tensor.map_or_else(|| "missing".to_owned(), |tensor| format!("{:?}", tensor.shape)),
            expected: expected.to_owned(),
        })
    }

    /// A parameter's values. Of batch normalisation, only the bias is in the file, as the convolution's.
    fn take(&mut self, parameter: &Parameter) -> Result<Vec<f32>, NetError> {
        let name = match parameter.role {
            Role::Scale => return Ok(vec![(1.0 + EPSILON).sqrt(); parameter.len()]),
            Role::Mean => return Ok(vec![0.0; parameter.len()]),
            Role::Variance => return Ok(vec![1.0; parameter.len()]),
            Role::Bias | Role::Weight(_) => parameter.name.replace(".norm.bias", ".conv.bias"),
        };
        match self.tensors.remove(&name) {
            Some(tensor) if tensor.shape == parameter.shape => Ok(tensor.data),
            other => Err(NetError::Shape {
                path: self.path.to_owned(),
                tensor: name,
                found: other.map_or_else(|| "missing".to_owned(), |tensor| format!("{:?}", tensor.shape)),
                expected: format!("{:?}", parameter.shape),
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::encoding::{EncodedPosition, INPUT_SIZE};
    use crate::forward::{FoldedNetwork, Workspace};
    use crate::onnx::export;
    use tabia_quantum::QuantumGame;

    /// A network whose batch normalisation is not the identity.
    fn network(architecture: Architecture) -> Weights {
        let mut weights = Weights::initial(architecture, 5);
        for (parameter, values) in architecture.parameters().iter().zip(&mut weights.parameters) {
            if !matches!(parameter.role, Role::Weight(_)) {
                for (at, value) in values.iter_mut().enumerate() {
                    *value = 0.3 + (at % 7) as f32 / 10.0;
                }
            }
        }
        weights
    }

    #[test]
    fn an_exported_network_gives_the_same_outputs_when_it_is_read_back() {
        let mut input = vec![0.0; INPUT_SIZE];
        EncodedPosition::new(&QuantumGame::default()).write(false, &mut input);
        let mut scalar = Architecture::new(16, 2);
        scalar.value = ValueHead::Scalar;
        scalar.policy = PolicyHead::Dense(2);
        for architecture in [Architecture::new(16, 2), scalar] {
            let weights = network(architecture);
            let back = read(&export(&weights), Path::new("w")).unwrap();
            assert_eq!(back.architecture, architecture);
            let output = |weights: &Weights| {
                FoldedNetwork::new(weights).forward(&input, &[1, 500, 9_000], &mut Workspace::default())
            };
            assert_eq!(output(&back), output(&weights));
        }
    }

    #[test]
    fn a_file_that_is_not_a_tabia_network_is_refused_by_name() {
        let error = |bytes: &[u8]| read(bytes, Path::new("w")).unwrap_err().to_string();
        assert!(error(b"no such thing").starts_with("w is not valid: it is not an ONNX file: "));
        assert_eq!(error(b""), "w is not valid: it is not an ONNX file: it has no graph");
        let exported = export(&network(Architecture::new(16, 1)));
        assert!(error(&exported[..exported.len() / 2]).contains("not an ONNX file"));
        let changed = |change: &dyn Fn(&mut proto::TensorProto)| {
            let mut model = ModelProto::decode(&*exported).unwrap();
            model.graph.as_mut().unwrap().initializer.iter_mut().for_each(change);
            error(&model.encode_to_vec())
        };
        let text = changed(&|tensor| {
            if tensor.name() == "value.hidden.weight" {
                tensor.dims.reverse();
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
        let text = changed(&|tensor| tensor.data_type = Some(11));
        assert!(text.contains("has data type 11, expected 1 (FLOAT)"), "{text}");
        let text = changed(&|tensor| tensor.dims.push(2));
        assert!(text.contains("values, not those of"), "{text}");
    }
}
