//! Devices as users name them: `cpu`, `cuda`, `cuda:1`, `cuda:0,cuda:1`.

use std::fmt;
use std::str::FromStr;

/// A device of PyTorch.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum TorchDevice {
    /// A CUDA device: the one of this number, or PyTorch's default.
    Cuda(Option<u32>),
    /// CUDA if available, else the CPU.
    Any,
}

/// Where a network is computed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum DeviceSpec {
    /// Our own code, on this machine's cores.
    #[default]
    Cpu,
    /// PyTorch, on these devices together. There is at least one.
    Torch(Vec<TorchDevice>),
}

impl fmt::Display for TorchDevice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TorchDevice::Cuda(None) => f.write_str("cuda"),
            TorchDevice::Cuda(Some(number)) => write!(f, "cuda:{number}"),
            TorchDevice::Any => f.write_str("torch"),
        }
    }
}

impl fmt::Display for DeviceSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DeviceSpec::Cpu => f.write_str("cpu"),
            DeviceSpec::Torch(devices) => {
                f.write_str(&devices.iter().map(ToString::to_string).collect::<Vec<_>>().join(","))
            }
        }
    }
}

impl FromStr for DeviceSpec {
    type Err = String;

    /// ```
    /// use tabia_net::device::{DeviceSpec, TorchDevice};
    ///
    /// assert_eq!("cpu".parse(), Ok(DeviceSpec::Cpu));
    /// let devices = vec![TorchDevice::Cuda(Some(0)), TorchDevice::Cuda(Some(2))];
    /// assert_eq!("cuda:0,cuda:2".parse(), Ok(DeviceSpec::Torch(devices)));
    /// assert!("gpu".parse::<DeviceSpec>().is_err());
    /// ```
    fn from_str(text: &str) -> Result<DeviceSpec, String> {
        if text.trim() == "cpu" {
            return Ok(DeviceSpec::Cpu);
        }
        let mut devices: Vec<TorchDevice> = Vec::new();
        for name in text.split(',').map(str::trim) {
            let device = match name {
                "cuda" => TorchDevice::Cuda(None),
                "torch" => TorchDevice::Any,
                "cpu" => return Err("cpu stands alone: it is no device of PyTorch's".to_owned()),
                _ => match name.strip_prefix("cuda:").map(str::parse) {
                    Some(Ok(number)) => TorchDevice::Cuda(Some(number)),
                    Some(Err(_)) => return Err(format!("\"{name}\" needs a number: cuda:0, cuda:1, …")),
                    None => {
                        return Err(format!(
                            "\"{name}\" is no device; there are cpu, cuda, cuda:N and torch, and lists such as cuda:0,cuda:1"
                        ));
                    }
                },
            };
            // `torch` may be repeated: processes on the CPU that share the work as several GPUs do.
            if device != TorchDevice::Any && devices.contains(&device) {
                return Err(format!("{device} is listed twice"));
            }
            devices.push(device);
        }
        if devices.len() > 1 && devices.contains(&TorchDevice::Cuda(None)) {
            return Err("in a list every CUDA device needs its number: cuda:0,cuda:1".to_owned());
        }
        Ok(DeviceSpec::Torch(devices))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_read_back_as_it_was_written() {
        for text in ["cpu", "cuda", "cuda:3", "cuda:0,cuda:1", "torch", "torch,torch"] {
            assert_eq!(text.parse::<DeviceSpec>().unwrap().to_string(), text);
        }
    }

    #[test]
    fn other_names_are_refused_with_what_would_be_right() {
        let error = |text: &str| text.parse::<DeviceSpec>().unwrap_err();
        assert!(error("gpu").contains("\"gpu\" is no device; there are cpu, cuda, cuda:N"));
        assert!(error("").contains("\"\" is no device"));
        assert!(error("cuda:x").contains("\"cuda:x\" needs a number"));
        assert!(error("cuda:-1").contains("needs a number"));
        assert_eq!(error("cuda:1,cuda:1"), "cuda:1 is listed twice");
        assert!(error("cuda,cuda:1").contains("every CUDA device needs its number"));
        assert!(error("cpu,cuda:0").contains("cpu stands alone"));
        assert!(error("cuda:0,").contains("\"\" is no device"));
    }
}
