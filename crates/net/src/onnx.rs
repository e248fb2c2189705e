//! A network for other programs: ONNX, with normalisation folded into the convolutions and any number of positions at a time.
//!
//! | name | shape | what |
//! | --- | --- | --- |
//! | `planes` | batch × 28 × 8 × 8 | the mover's view ([`view`](crate::view)) |
//! | `policy` | batch × 9344 | logits by the moves' numbers in that view; legal moves are for the reader to pick out |
//! | `chances` | batch × 3 | chances to win, draw and lose; or `value`, batch × 1, of a network with one number |

use tabia_quantum::ACTIONS;
use tabia_quantum::planes::PLANES;

use crate::architecture::{Convolution, ValueHead};
use crate::forward;
use crate::protobuf::Message;
use crate::weights::Weights;

/// The version of the file format, and of the operators.
const FORMAT: i64 = 8;
const OPERATORS: i64 = 17;
/// Element type: numbers in four bytes.
const FLOAT: i64 = 1;
const BOARD: usize = 8;

mod model {
    pub const FORMAT: u64 = 1;
    pub const PRODUCER: u64 = 2;
    pub const GRAPH: u64 = 7;
    pub const OPERATORS: u64 = 8;
}

mod graph {
    pub const NODE: u64 = 1;
    pub const NAME: u64 = 2;
    pub const TENSOR: u64 = 5;
    pub const INPUT: u64 = 11;
    pub const OUTPUT: u64 = 12;
}

mod node {
    pub const INPUT: u64 = 1;
    pub const OUTPUT: u64 = 2;
    pub const NAME: u64 = 3;
    pub const OPERATOR: u64 = 4;
    pub const ATTRIBUTE: u64 = 5;
}

mod attribute {
    pub const NAME: u64 = 1;
    pub const NUMBER: u64 = 3;
    pub const NUMBERS: u64 = 8;
    pub const KIND: u64 = 20;
    pub const IS_NUMBER: i64 = 2;
    pub const IS_NUMBERS: i64 = 7;
}

mod tensor {
    pub const SIDE: u64 = 1;
    pub const KIND: u64 = 2;
    pub const NAME: u64 = 8;
    pub const BYTES: u64 = 9;
}

/// The graph as it grows.
#[derive(Default)]
struct Graph {
    message: Message,
    nodes: usize,
}

/// Numbers that steer an operator.
enum Attribute<'a> {
    One(&'a str, i64),
    Many(&'a str, &'a [i64]),
}

impl Graph {
    /// Adds an operator; its output's name, which is the one given or a new one.
    fn operator(
        &mut self,
        kind: &str,
        inputs: &[&str],
        attributes: &[Attribute<'_>],
        output: Option<&str>,
    ) -> String {
        self.nodes += 1;
        let output = output.map_or_else(|| format!("{}_{}", kind.to_lowercase(), self.nodes), str::to_owned);
        let mut message = Message::new();
        for input in inputs {
            message = message.bytes(node::INPUT, input);
        }
        message = message.bytes(node::OUTPUT, &output).bytes(node::NAME, format!("node_{}", self.nodes));
        message = message.bytes(node::OPERATOR, kind);
        for attribute in attributes {
            let written = match attribute {
                Attribute::One(name, number) => Message::new()
                    .bytes(attribute::NAME, name)
                    .whole(attribute::NUMBER, *number)
                    .whole(attribute::KIND, attribute::IS_NUMBER),
                Attribute::Many(name, numbers) => numbers
                    .iter()
                    .fold(Message::new().bytes(attribute::NAME, name), |message, number| {
                        message.whole(attribute::NUMBERS, *number)
                    })
                    .whole(attribute::KIND, attribute::IS_NUMBERS),
            };
            message = message.message(node::ATTRIBUTE, &written);
        }
        self.add(graph::NODE, &message);
        output
    }

    /// Adds numbers that are part of the network.
    fn tensor(&mut self, name: &str, shape: &[usize], numbers: &[f32]) {
        let bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
        let message =
            shape.iter().fold(Message::new(), |message, side| message.whole(tensor::SIDE, *side as i64));
        let message =
            message.whole(tensor::KIND, FLOAT).bytes(tensor::NAME, name).bytes(tensor::BYTES, bytes);
        self.add(graph::TENSOR, &message);
    }

    fn add(&mut self, field: u64, message: &Message) {
        self.message = std::mem::take(&mut self.message).message(field, message);
    }

    /// A normalised convolution and what is cut off after it, with a shortcut if there is one.
    fn convolution(
        &mut self,
        weights: &Weights,
        layer: Convolution,
        from: &str,
        shortcut: Option<&str>,
    ) -> String {
        let slots = weights.architecture.slots();
        let slot = &slots[layer.weight];
        let (kernel, bias) = forward::folded(weights, layer);
        let bias_name = slot.name.replace(".weight", ".bias");
        self.tensor(&slot.name, &slot.shape, &kernel);
        self.tensor(&bias_name, &[layer.outputs], &bias);
        let window = slot.shape[2] as i64;
        let out = self.raw_convolution(from, [&slot.name, &bias_name], window);
        let out = match shortcut {
            Some(shortcut) => self.operator("Add", &[&out, shortcut], &[], None),
            None => out,
        };
        self.operator("Relu", &[&out], &[], None)
    }

    fn raw_convolution(&mut self, from: &str, [kernel, bias]: [&str; 2], window: i64) -> String {
        let attributes =
            [Attribute::Many("kernel_shape", &[window, window]), Attribute::Many("pads", &[window / 2; 4])];
        self.operator("Conv", &[from, kernel, bias], &attributes, None)
    }

    /// A dense layer whose weights and bias follow one another among the slots.
    fn dense(&mut self, weights: &Weights, slot: usize, from: &str, output: Option<&str>) -> String {
        let slots = weights.architecture.slots();
        for at in [slot, slot + 1] {
            self.tensor(&slots[at].name, &slots[at].shape, &weights.slots[at]);
        }
        let inputs = [from, &slots[slot].name, &slots[slot + 1].name];
        self.operator("Gemm", &inputs, &[Attribute::One("transB", 1)], output)
    }
}

/// A value that goes in or comes out: its name and shape after the number of positions.
fn port(name: &str, shape: &[usize]) -> Message {
    let batch = Message::new().bytes(2, "batch");
    let shape = shape.iter().fold(Message::new().message(1, &batch), |message, side| {
        message.message(1, &Message::new().whole(1, *side as i64))
    });
    let kind = Message::new().message(1, &Message::new().whole(1, FLOAT).message(2, &shape));
    Message::new().bytes(1, name).message(2, &kind)
}

/// The network as an ONNX file.
pub fn export(weights: &Weights) -> Vec<u8> {
    let architecture = weights.architecture;
    let layout = architecture.layout();
    let mut graph = Graph::default();
    let mut tower = graph.convolution(weights, layout.tower[0], "planes", None);
    for pair in layout.tower[1..].chunks_exact(2) {
        let within = graph.convolution(weights, pair[0], &tower, None);
        tower = graph.convolution(weights, pair[1], &within, Some(&tower));
    }
    let flat = [Attribute::One("axis", 1)];
    if let Some(layer) = layout.policy_convolution {
        let seen = graph.convolution(weights, layer, &tower, None);
        let seen = graph.operator("Flatten", &[&seen], &flat, None);
        graph.dense(weights, layout.policy, &seen, Some("policy"));
    } else {
        let slots = architecture.slots();
        for at in [layout.policy, layout.policy + 1] {
            graph.tensor(&slots[at].name, &slots[at].shape, &weights.slots[at]);
        }
        let names = [slots[layout.policy].name.as_str(), slots[layout.policy + 1].name.as_str()];
        let ways = graph.raw_convolution(&tower, names, 1);
        // A move's number is its square's first, then its way's.
        let squares = graph.operator("Transpose", &[&ways], &[Attribute::Many("perm", &[0, 2, 3, 1])], None);
        graph.operator("Flatten", &[&squares], &flat, Some("policy"));
    }
    let seen = graph.convolution(weights, layout.value_convolution, &tower, None);
    let seen = graph.operator("Flatten", &[&seen], &flat, None);
    let hidden = graph.dense(weights, layout.value, &seen, None);
    let hidden = graph.operator("Relu", &[&hidden], &[], None);
    let said = graph.dense(weights, layout.value + 2, &hidden, None);
    let value = match architecture.value {
        ValueHead::Chances => graph.operator("Softmax", &[&said], &flat, Some("chances")),
        ValueHead::Scalar => graph.operator("Tanh", &[&said], &[], Some("value")),
    };
    graph.message = graph.message.bytes(graph::NAME, "quantum chess");
    graph.add(graph::INPUT, &port("planes", &[PLANES, BOARD, BOARD]));
    graph.add(graph::OUTPUT, &port("policy", &[ACTIONS]));
    graph.add(graph::OUTPUT, &port(&value, &[architecture.value_outputs()]));
    let operators = Message::new().bytes(1, "").whole(2, OPERATORS);
    Message::new()
        .whole(model::FORMAT, FORMAT)
        .bytes(model::PRODUCER, "tabia")
        .message(model::GRAPH, &graph.message)
        .message(model::OPERATORS, &operators)
        .into_bytes()
}
