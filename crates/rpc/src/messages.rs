//! The messages of `proto/quantum.proto`, which says what each field means. A test in `tests/peers` reads both and finds every difference in names,
//! numbers and kinds.

#![expect(missing_docs, reason = "every field is documented in the .proto")]

use prost::{Enumeration, Message, Oneof};

#[derive(Clone, PartialEq, Message)]
pub struct GenerateGamesRequest {
    #[prost(uint32, tag = "1")]
    pub games: u32,
    #[prost(uint64, tag = "2")]
    pub seed: u64,
    #[prost(string, repeated, tag = "3")]
    pub settings: Vec<String>,
    #[prost(bool, tag = "4")]
    pub planes: bool,
}

#[derive(Clone, PartialEq, Message)]
pub struct GameRecord {
    #[prost(uint32, tag = "1")]
    pub number: u32,
    #[prost(uint32, tag = "2")]
    pub plies: u32,
    #[prost(enumeration = "Result", tag = "3")]
    pub result: i32,
    #[prost(uint64, tag = "4")]
    pub weights_version: u64,
    #[prost(float, tag = "5")]
    pub split_share: f32,
    #[prost(message, repeated, tag = "6")]
    pub samples: Vec<Sample>,
    #[prost(string, tag = "7")]
    pub start: String,
    #[prost(string, repeated, tag = "8")]
    pub moves: Vec<String>,
    #[prost(uint64, tag = "9")]
    pub seed: u64,
    #[prost(uint32, tag = "10")]
    pub rules: u32,
}

#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Enumeration)]
#[repr(i32)]
pub enum Result {
    Unspecified = 0,
    WhiteWins = 1,
    BlackWins = 2,
    Draw = 3,
}

#[derive(Clone, PartialEq, Message)]
pub struct Sample {
    #[prost(uint32, repeated, tag = "1")]
    pub places: Vec<u32>,
    #[prost(float, repeated, tag = "2")]
    pub amounts: Vec<f32>,
    #[prost(float, tag = "3")]
    pub branches: f32,
    #[prost(bool, tag = "4")]
    pub white_to_move: bool,
    #[prost(bool, tag = "5")]
    pub mirrors: bool,
    #[prost(uint32, repeated, tag = "6")]
    pub moves: Vec<u32>,
    #[prost(float, repeated, tag = "7")]
    pub shares: Vec<f32>,
    #[prost(float, tag = "8")]
    pub win: f32,
    #[prost(float, tag = "9")]
    pub draw: f32,
    #[prost(float, tag = "10")]
    pub loss: f32,
    #[prost(float, repeated, tag = "11")]
    pub planes: Vec<f32>,
}

#[derive(Clone, PartialEq, Message)]
pub struct EvaluatePositionRequest {
    #[prost(string, repeated, tag = "1")]
    pub positions: Vec<String>,
    #[prost(message, repeated, tag = "2")]
    pub encoded: Vec<EncodedPosition>,
}

#[derive(Clone, PartialEq, Message)]
pub struct EncodedPosition {
    #[prost(uint32, repeated, tag = "1")]
    pub places: Vec<u32>,
    #[prost(float, repeated, tag = "2")]
    pub amounts: Vec<f32>,
    #[prost(float, tag = "3")]
    pub branches: f32,
    #[prost(bool, tag = "4")]
    pub white_to_move: bool,
    #[prost(uint32, repeated, tag = "5")]
    pub moves: Vec<u32>,
}

#[derive(Clone, PartialEq, Message)]
pub struct EvaluatePositionResponse {
    #[prost(message, repeated, tag = "1")]
    pub evaluations: Vec<Evaluation>,
    #[prost(uint64, tag = "2")]
    pub weights_version: u64,
}

#[derive(Clone, PartialEq, Message)]
pub struct Evaluation {
    #[prost(float, tag = "1")]
    pub value: f32,
    #[prost(message, optional, tag = "2")]
    pub chances: Option<Chances>,
    #[prost(string, repeated, tag = "3")]
    pub moves: Vec<String>,
    #[prost(uint32, repeated, tag = "4")]
    pub numbers: Vec<u32>,
    #[prost(float, repeated, tag = "5")]
    pub policy: Vec<f32>,
}

#[derive(Copy, Clone, PartialEq, Message)]
pub struct Chances {
    #[prost(float, tag = "1")]
    pub win: f32,
    #[prost(float, tag = "2")]
    pub draw: f32,
    #[prost(float, tag = "3")]
    pub loss: f32,
}

#[derive(Clone, PartialEq, Message)]
pub struct LoadWeightsRequest {
    #[prost(oneof = "File", tags = "1, 2")]
    pub file: Option<File>,
    #[prost(bool, tag = "3")]
    pub any_shape: bool,
}

#[derive(Clone, PartialEq, Oneof)]
pub enum File {
    #[prost(bytes = "vec", tag = "1")]
    Safetensors(Vec<u8>),
    #[prost(bytes = "vec", tag = "2")]
    Onnx(Vec<u8>),
}

#[derive(Clone, PartialEq, Message)]
pub struct LoadWeightsResponse {
    #[prost(uint64, tag = "1")]
    pub version: u64,
    #[prost(string, tag = "2")]
    pub network: String,
}

#[derive(Copy, Clone, PartialEq, Message)]
pub struct GetWeightsRequest {}

#[derive(Clone, PartialEq, Message)]
pub struct GetWeightsResponse {
    #[prost(bytes = "vec", tag = "1")]
    pub safetensors: Vec<u8>,
    #[prost(uint64, tag = "2")]
    pub version: u64,
    #[prost(string, tag = "3")]
    pub network: String,
}
