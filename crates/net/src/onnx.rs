//! A network for other programs: ONNX, with normalisation folded into the convolutions and any number of positions at a time.
//!
//! | name | shape | what |
//! | --- | --- | --- |
//! | `planes` | batch × 28 × 8 × 8 | the mover's view ([`view`](crate::view)) |
//! | `policy` | batch × 9344 | logits by the moves' numbers in that view; legal moves are for the reader to pick out |
//! | `chances` | batch × 3 | chances to win, draw and lose; or `value`, batch × 1, of a network with one number |

mod read;

use prost::Message;
use tabia_quantum::ACTIONS;
use tabia_quantum::planes::PLANES;

use crate::architecture::{Convolution, ValueHead};
use crate::forward;
use crate::messages::{
    Attribute, Graph, Model, Node, Operators, Port, PortKind, PortShape, PortSide, PortTensor, Tensor,
};
use crate::weights::Weights;

pub use read::read;

/// The version of the file format, and of the operators.
const FORMAT: i64 = 8;
const OPERATORS: i64 = 17;
/// Element type: numbers in four bytes.
const FLOAT: i32 = 1;
/// Kinds of attributes: a number, several.
const NUMBER: i32 = 2;
const NUMBERS: i32 = 7;
const BOARD: usize = 8;

fn one(name: &str, number: i64) -> Attribute {
    Attribute {
        name: Some(name.to_owned()),
        number: Some(number),
        kind: Some(NUMBER),
        ..Attribute::default()
    }
}

fn many(name: &str, numbers: &[i64]) -> Attribute {
    let numbers = numbers.to_vec();
    Attribute { name: Some(name.to_owned()), numbers, kind: Some(NUMBERS), ..Attribute::default() }
}

impl Graph {
    /// Adds an operator; its output's name, which is the one given or a new one.
    fn operator(
        &mut self,
        kind: &str,
        inputs: &[&str],
        attributes: &[Attribute],
        output: Option<&str>,
    ) -> String {
        let number = self.nodes.len() + 1;
        let output = output.map_or_else(|| format!("{}_{number}", kind.to_lowercase()), str::to_owned);
        self.nodes.push(Node {
            inputs: inputs.iter().map(|&input| input.to_owned()).collect(),
            outputs: vec![output.clone()],
            name: Some(format!("node_{number}")),
            operator: Some(kind.to_owned()),
            attributes: attributes.to_vec(),
        });
        output
    }

    /// Adds numbers that are part of the network.
    fn tensor(&mut self, name: &str, shape: &[usize], numbers: &[f32]) {
        self.tensors.push(Tensor {
            sides: shape.iter().map(|side| *side as i64).collect(),
            kind: Some(FLOAT),
            name: Some(name.to_owned()),
            bytes: Some(numbers.iter().flat_map(|number| number.to_le_bytes()).collect()),
            ..Tensor::default()
        });
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
        let attributes = [many("kernel_shape", &[window, window]), many("pads", &[window / 2; 4])];
        self.operator("Conv", &[from, kernel, bias], &attributes, None)
    }

    /// A dense layer whose weights and bias follow one another among the slots.
    fn dense(&mut self, weights: &Weights, slot: usize, from: &str, output: Option<&str>) -> String {
        let slots = weights.architecture.slots();
        for at in [slot, slot + 1] {
            self.tensor(&slots[at].name, &slots[at].shape, &weights.slots[at]);
        }
        let inputs = [from, &slots[slot].name, &slots[slot + 1].name];
        self.operator("Gemm", &inputs, &[one("transB", 1)], output)
    }
}

/// A value that goes in or comes out: its name and shape after the number of positions.
fn port(name: &str, shape: &[usize]) -> Port {
    let batch = PortSide { name: Some("batch".to_owned()), number: None };
    let side = |side: &usize| PortSide { number: Some(*side as i64), name: None };
    let shape = PortShape { sides: std::iter::once(batch).chain(shape.iter().map(side)).collect() };
    let tensor = PortTensor { kind: Some(FLOAT), shape: Some(shape) };
    Port { name: Some(name.to_owned()), kind: Some(PortKind { tensor: Some(tensor) }) }
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
    let flat = [one("axis", 1)];
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
        let squares = graph.operator("Transpose", &[&ways], &[many("perm", &[0, 2, 3, 1])], None);
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
    graph.name = Some("quantum chess".to_owned());
    graph.inputs.push(port("planes", &[PLANES, BOARD, BOARD]));
    graph.outputs.push(port("policy", &[ACTIONS]));
    graph.outputs.push(port(&value, &[architecture.value_outputs()]));
    let model = Model {
        format: Some(FORMAT),
        producer: Some("tabia".to_owned()),
        graph: Some(graph),
        operators: vec![Operators { domain: Some(String::new()), version: Some(OPERATORS) }],
    };
    model.encode_to_vec()
}
