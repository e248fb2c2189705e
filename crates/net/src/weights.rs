//! A network's parameters: initialised from a seed, or read from a file.

use std::path::Path;

use rand::Rng;
use tabia_core::seed;

use crate::architecture::{Architecture, Parameter, Role};
use crate::error::NetError;
use crate::tensors::{Tensor, TensorFile};

const ARCHITECTURE: &str = "architecture";

/// The values of a network's parameters.
#[derive(Clone, Debug, PartialEq)]
pub struct Weights {
    pub architecture: Architecture,
    /// Values in the order of [`Architecture::parameters`].
    pub parameters: Vec<Vec<f32>>,
}

impl Weights {
    /// Initial weights. The scale of each block's second batch normalisation is zero, so that every block starts as the identity.
    pub fn initial(architecture: Architecture, seed: u64) -> Weights {
        let initialise = |(number, parameter): (usize, &Parameter)| match parameter.role {
            Role::Weight(inputs) => {
                let mut rng = seed::random(seed::derive(seed, number as u64));
                // He initialisation (uniform); output layers are scaled down by ten.
                let is_output = parameter.name.starts_with("policy") && !parameter.name.contains("conv")
                    || parameter.name.starts_with("value.out");
                let bound = (6.0 / inputs as f32).sqrt() * if is_output { 0.1 } else { 1.0 };
                (0..parameter.len()).map(|_| rng.random_range(-bound..bound)).collect()
            }
            Role::Bias | Role::Mean => vec![0.0; parameter.len()],
            Role::Scale if parameter.name.contains(".second.") => vec![0.0; parameter.len()],
            Role::Scale | Role::Variance => vec![1.0; parameter.len()],
        };
        Weights {
            architecture,
            parameters: architecture.parameters().iter().enumerate().map(initialise).collect(),
        }
    }

    /// Zeros of the same shapes.
    #[must_use]
    pub fn zeros(&self) -> Weights {
        Weights {
            architecture: self.architecture,
            parameters: self.parameters.iter().map(|parameter| vec![0.0; parameter.len()]).collect(),
        }
    }

    /// Adds the parameters to a tensor file, with a prefix on their names.
    pub fn insert_into(&self, file: &mut TensorFile, prefix: &str) {
        for (parameter, values) in self.architecture.parameters().into_iter().zip(&self.parameters) {
            let tensor = Tensor { shape: parameter.shape, data: values.clone() };
            file.tensors.insert(format!("{prefix}{}", parameter.name), tensor);
        }
    }

    /// Takes an architecture's parameters out of a tensor file. A missing or misshapen tensor is named in the error.
    pub fn take_from(
        architecture: Architecture,
        file: &mut TensorFile,
        prefix: &str,
        path: &Path,
    ) -> Result<Weights, NetError> {
        let mut take = |parameter: Parameter| {
            let name = format!("{prefix}{}", parameter.name);
            match file.tensors.remove(&name) {
                Some(tensor) if tensor.shape == parameter.shape => Ok(tensor.data),
                other => Err(NetError::Shape {
                    path: path.to_owned(),
                    tensor: name,
                    found: other.map_or_else(|| "missing".to_owned(), |tensor| format!("{:?}", tensor.shape)),
                    expected: format!("{:?}", parameter.shape),
                }),
            }
        };
        let parameters = architecture.parameters().into_iter().map(&mut take).collect::<Result<_, _>>()?;
        Ok(Weights { architecture, parameters })
    }

    /// The weights and their architecture as a tensor file.
    pub fn to_file(&self) -> TensorFile {
        let mut file = TensorFile::default();
        self.insert_into(&mut file, "");
        let text = serde_json::to_string(&self.architecture).expect("numbers can be written");
        file.metadata.insert(ARCHITECTURE.to_owned(), text);
        file
    }

    /// SHA-256 of the values, as in the file's metadata.
    pub fn checksum(&self) -> String {
        self.to_file().checksum()
    }

    /// Writes a weights file.
    pub fn write(&self, path: &Path) -> Result<(), NetError> {
        self.to_file().write(path)
    }

    /// Reads a weights file.
    pub fn read(path: &Path) -> Result<Weights, NetError> {
        Weights::from_file(TensorFile::read(path)?, None, path)
    }

    /// Reads a weights file from memory; `path` is used in error messages only.
    pub fn from_bytes(bytes: &[u8], path: &Path) -> Result<Weights, NetError> {
        let file = TensorFile::from_bytes(bytes).map_err(|why| NetError::malformed(path, why))?;
        Weights::from_file(file, None, path)
    }

    /// Like [`Weights::from_bytes`], for files of other programs: without an architecture in their metadata, `default` is assumed.
    pub fn from_bytes_or(bytes: &[u8], default: Architecture, path: &Path) -> Result<Weights, NetError> {
        let file = TensorFile::from_bytes(bytes).map_err(|why| NetError::malformed(path, why))?;
        Weights::from_file(file, Some(default), path)
    }

    fn from_file(
        mut file: TensorFile,
        default: Option<Architecture>,
        path: &Path,
    ) -> Result<Weights, NetError> {
        let architecture: Architecture = match (file.metadata.get(ARCHITECTURE), default) {
            (Some(text), _) => serde_json::from_str(text)
                .map_err(|error| NetError::malformed(path, format!("its architecture: {error}")))?,
            (None, Some(default)) => default,
            (None, None) => {
                let why = "its metadata has no \"architecture\"; weights that Tabia wrote have one";
                return Err(NetError::malformed(path, why));
            }
        };
        architecture.check()?;
        let weights = Weights::take_from(architecture, &mut file, "", path)?;
        if let Some(extra) = file.tensors.keys().next() {
            return Err(NetError::Shape {
                path: path.to_owned(),
                tensor: extra.clone(),
                found: format!("{:?}", file.tensors[extra].shape),
                expected: "missing".to_owned(),
            });
        }
        weights.check_finite(path)
    }

    /// Refuses NaN and infinite values.
    pub(crate) fn check_finite(self, path: &Path) -> Result<Weights, NetError> {
        let parameters = self.architecture.parameters();
        let invalid = parameters
            .iter()
            .zip(&self.parameters)
            .find(|(_, parameter)| parameter.iter().any(|n| !n.is_finite()));
        match invalid {
            Some((parameter, _)) => Err(NetError::malformed(
                path,
                format!("tensor \"{}\" has values that are not finite", parameter.name),
            )),
            None => Ok(self),
        }
    }

    /// Refuses a network of another architecture; the error names the first tensor that differs.
    pub fn check_architecture(&self, like: Architecture, path: &Path) -> Result<(), NetError> {
        if self.architecture == like {
            return Ok(());
        }
        let (own, expected) = (self.architecture.parameters(), like.parameters());
        let shape = |parameters: &[Parameter], name: &str| {
            let parameter = parameters.iter().find(|parameter| parameter.name == name);
            parameter.map_or_else(|| "missing".to_owned(), |parameter| format!("{:?}", parameter.shape))
        };
        for parameter in expected.iter().chain(&own) {
            let (found, expected) = (shape(&own, &parameter.name), shape(&expected, &parameter.name));
            if found != expected {
                return Err(NetError::Shape {
                    path: path.to_owned(),
                    tensor: parameter.name.clone(),
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
        let weights = Weights::initial(Architecture::new(16, 1), 3);
        assert_eq!(weights, Weights::initial(Architecture::new(16, 1), 3));
        assert_ne!(weights, Weights::initial(Architecture::new(16, 1), 4));
        let path = file("same");
        weights.write(&path).unwrap();
        assert_eq!(Weights::read(&path).unwrap(), weights);
        std::fs::remove_file(path).unwrap();
    }

    #[test]
    fn a_tensor_of_another_shape_is_named_with_both_shapes() {
        let mut tensors = Weights::initial(Architecture::new(16, 1), 3).to_file();
        let path = Path::new("w");
        let error = Weights::take_from(Architecture::new(32, 1), &mut tensors.clone(), "", path).unwrap_err();
        let text = "w: tensor \"input.conv.weight\" is [16, 28, 3, 3], this network's is [32, 28, 3, 3]";
        assert_eq!(error.to_string(), text);
        tensors.tensors.remove("policy.moves.bias");
        let error = Weights::from_file(tensors, None, path).unwrap_err().to_string();
        assert!(error.contains("\"policy.moves.bias\" is missing, this network's is [146]"), "{error}");
    }

    #[test]
    fn tensors_without_an_architecture_get_the_expected_one() {
        let (like, path) = (Architecture::new(16, 1), Path::new("w"));
        let weights = Weights::initial(like, 3);
        let mut tensors = weights.to_file();
        tensors.metadata.clear();
        let bytes = tensors.to_bytes();
        assert!(Weights::from_bytes(&bytes, path).is_err());
        assert_eq!(Weights::from_bytes_or(&bytes, like, path).unwrap(), weights);
        let error = Weights::from_bytes_or(&bytes, Architecture::new(32, 1), path).unwrap_err().to_string();
        assert!(error.contains("\"input.conv.weight\" is [16, 28, 3, 3], this network's is [32, 28, 3, 3]"));
    }

    #[test]
    fn a_network_of_another_shape_is_refused_by_a_tensor() {
        let error = |weights: Architecture, like: Architecture| {
            Weights::initial(weights, 1).check_architecture(like, Path::new("w")).unwrap_err().to_string()
        };
        let (small, large) = (Architecture::new(16, 1), Architecture::new(16, 2));
        Weights::initial(small, 1).check_architecture(small, Path::new("w")).unwrap();
        let text = "w: tensor \"block1.first.conv.weight\" is missing, this network's is [16, 16, 3, 3]";
        assert_eq!(error(small, large), text);
        let text = "w: tensor \"block1.first.conv.weight\" is [16, 16, 3, 3], this network's is missing";
        assert_eq!(error(large, small), text);
    }
}
