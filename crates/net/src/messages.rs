//! The messages of ONNX and of TensorBoard's events, as much of them as is written and read here: a dozen fields, declared by hand.
//!
//! Their names are ours, their numbers those of `onnx.proto` and `event.proto`. What else a file has is passed over when it is read.

use prost::Message;

/// An ONNX file.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct Model {
    #[prost(int64, optional, tag = "1")]
    pub format: Option<i64>,
    #[prost(string, optional, tag = "2")]
    pub producer: Option<String>,
    #[prost(message, optional, tag = "7")]
    pub graph: Option<Graph>,
    #[prost(message, repeated, tag = "8")]
    pub operators: Vec<Operators>,
}

/// Which operators a file's nodes are taken from.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct Operators {
    #[prost(string, optional, tag = "1")]
    pub domain: Option<String>,
    #[prost(int64, optional, tag = "2")]
    pub version: Option<i64>,
}

#[derive(Clone, PartialEq, Message)]
pub(crate) struct Graph {
    #[prost(message, repeated, tag = "1")]
    pub nodes: Vec<Node>,
    #[prost(string, optional, tag = "2")]
    pub name: Option<String>,
    #[prost(message, repeated, tag = "5")]
    pub tensors: Vec<Tensor>,
    #[prost(message, repeated, tag = "11")]
    pub inputs: Vec<Port>,
    #[prost(message, repeated, tag = "12")]
    pub outputs: Vec<Port>,
}

/// An operator at work.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct Node {
    #[prost(string, repeated, tag = "1")]
    pub inputs: Vec<String>,
    #[prost(string, repeated, tag = "2")]
    pub outputs: Vec<String>,
    #[prost(string, optional, tag = "3")]
    pub name: Option<String>,
    #[prost(string, optional, tag = "4")]
    pub operator: Option<String>,
    #[prost(message, repeated, tag = "5")]
    pub attributes: Vec<Attribute>,
}

/// Numbers that steer an operator.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct Attribute {
    #[prost(string, optional, tag = "1")]
    pub name: Option<String>,
    #[prost(int64, optional, tag = "3")]
    pub number: Option<i64>,
    #[prost(int64, repeated, packed = "false", tag = "8")]
    pub numbers: Vec<i64>,
    #[prost(int32, optional, tag = "20")]
    pub kind: Option<i32>,
}

/// Numbers that are part of a network.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct Tensor {
    #[prost(int64, repeated, packed = "false", tag = "1")]
    pub sides: Vec<i64>,
    #[prost(int32, optional, tag = "2")]
    pub kind: Option<i32>,
    #[prost(float, repeated, tag = "4")]
    pub floats: Vec<f32>,
    #[prost(string, optional, tag = "8")]
    pub name: Option<String>,
    #[prost(bytes = "vec", optional, tag = "9")]
    pub bytes: Option<Vec<u8>>,
}

/// A value that goes in or comes out.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct Port {
    #[prost(string, optional, tag = "1")]
    pub name: Option<String>,
    #[prost(message, optional, tag = "2")]
    pub kind: Option<PortKind>,
}

#[derive(Clone, PartialEq, Message)]
pub(crate) struct PortKind {
    #[prost(message, optional, tag = "1")]
    pub tensor: Option<PortTensor>,
}

#[derive(Clone, PartialEq, Message)]
pub(crate) struct PortTensor {
    #[prost(int32, optional, tag = "1")]
    pub kind: Option<i32>,
    #[prost(message, optional, tag = "2")]
    pub shape: Option<PortShape>,
}

#[derive(Clone, PartialEq, Message)]
pub(crate) struct PortShape {
    #[prost(message, repeated, tag = "1")]
    pub sides: Vec<PortSide>,
}

/// A number, or a name where any number will do.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct PortSide {
    #[prost(int64, optional, tag = "1")]
    pub number: Option<i64>,
    #[prost(string, optional, tag = "2")]
    pub name: Option<String>,
}

/// A record of an event file.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct Event {
    #[prost(double, optional, tag = "1")]
    pub seconds: Option<f64>,
    #[prost(int64, optional, tag = "2")]
    pub step: Option<i64>,
    #[prost(string, optional, tag = "3")]
    pub version: Option<String>,
    #[prost(message, optional, tag = "5")]
    pub summary: Option<Summary>,
}

#[derive(Clone, PartialEq, Message)]
pub(crate) struct Summary {
    #[prost(message, repeated, tag = "1")]
    pub scalars: Vec<Scalar>,
}

#[derive(Clone, PartialEq, Message)]
pub(crate) struct Scalar {
    #[prost(string, optional, tag = "1")]
    pub tag: Option<String>,
    #[prost(float, optional, tag = "2")]
    pub value: Option<f32>,
}
