//! ONNX export, with batch normalisation folded into the convolutions and a symbolic batch dimension.
//!
//! | name | shape | what |
//! | --- | --- | --- |
//! | `planes` | batch × 28 × 8 × 8 | input planes from the side to move's perspective ([`encoding`](crate::encoding)) |
//! | `policy` | batch × 9344 | logits by policy index; the caller masks illegal moves |
//! | `chances` | batch × 3 | win, draw and loss probabilities; `value`, batch × 1, for a scalar value head |

mod read;

use prost::Message;
use tabia_quantum::ACTIONS;
use tabia_quantum::planes::PLANES;

use crate::architecture::{Convolution, ValueHead};
use crate::forward;
use crate::proto::{
    AttributeProto, Dimension, GraphProto, ModelProto, NodeProto, OperatorSetId, TensorProto,
    TensorShapeProto, TensorTypeProto, TypeProto, ValueInfoProto,
};
use crate::weights::Weights;

pub use read::read;

/// ONNX IR version 8 and operator set 17.
const IR_VERSION: i64 = 8;
const OPSET_VERSION: i64 = 17;
const FLOAT: i32 = 1;
const INT: i32 = 2;
const INTS: i32 = 7;
const BOARD_SIZE: usize = 8;

fn int(name: &str, value: i64) -> AttributeProto {
    AttributeProto {
        name: Some(name.to_owned()),
        i: Some(value),
        r#type: Some(INT),
        ..AttributeProto::default()
    }
}

fn ints(name: &str, values: &[i64]) -> AttributeProto {
    let ints = values.to_vec();
    AttributeProto { name: Some(name.to_owned()), ints, r#type: Some(INTS), ..AttributeProto::default() }
}

impl GraphProto {
    /// Adds a node and returns the name of its output: `output`, or a generated one.
    fn operator(
        &mut self,
        op_type: &str,
        inputs: &[&str],
        attributes: &[AttributeProto],
        output: Option<&str>,
    ) -> String {
        let number = self.node.len() + 1;
        let output = output.map_or_else(|| format!("{}_{number}", op_type.to_lowercase()), str::to_owned);
        self.node.push(NodeProto {
            input: inputs.iter().map(|&input| input.to_owned()).collect(),
            output: vec![output.clone()],
            name: Some(format!("node_{number}")),
            op_type: Some(op_type.to_owned()),
            attribute: attributes.to_vec(),
        });
        output
    }

    fn initializer(&mut self, name: &str, shape: &[usize], values: &[f32]) {
        self.initializer.push(TensorProto {
            dims: shape.iter().map(|dim| *dim as i64).collect(),
            data_type: Some(FLOAT),
            name: Some(name.to_owned()),
            raw_data: Some(values.iter().flat_map(|value| value.to_le_bytes()).collect()),
            ..TensorProto::default()
        });
    }

    /// Convolution with folded batch normalisation, optional residual connection, and ReLU.
    fn convolution(
        &mut self,
        weights: &Weights,
        layer: Convolution,
        from: &str,
        shortcut: Option<&str>,
    ) -> String {
        let parameters = weights.architecture.parameters();
        let parameter = &parameters[layer.weight];
        let (kernel, bias) = forward::fold_batch_norm(weights, layer);
        let bias_name = parameter.name.replace(".weight", ".bias");
        self.initializer(&parameter.name, &parameter.shape, &kernel);
        self.initializer(&bias_name, &[layer.outputs], &bias);
        let window = parameter.shape[2] as i64;
        let out = self.raw_convolution(from, [&parameter.name, &bias_name], window);
        let out = match shortcut {
            Some(shortcut) => self.operator("Add", &[&out, shortcut], &[], None),
            None => out,
        };
        self.operator("Relu", &[&out], &[], None)
    }

    fn raw_convolution(&mut self, from: &str, [kernel, bias]: [&str; 2], window: i64) -> String {
        let attributes = [ints("kernel_shape", &[window, window]), ints("pads", &[window / 2; 4])];
        self.operator("Conv", &[from, kernel, bias], &attributes, None)
    }

    /// A fully connected layer whose bias is the parameter after its weights.
    fn dense(&mut self, weights: &Weights, parameter: usize, from: &str, output: Option<&str>) -> String {
        let parameters = weights.architecture.parameters();
        for at in [parameter, parameter + 1] {
            self.initializer(&parameters[at].name, &parameters[at].shape, &weights.parameters[at]);
        }
        let inputs = [from, &parameters[parameter].name, &parameters[parameter + 1].name];
        self.operator("Gemm", &inputs, &[int("transB", 1)], output)
    }
}

/// A graph input or output; `shape` excludes the leading batch dimension.
fn value_info(name: &str, shape: &[usize]) -> ValueInfoProto {
    let batch = Dimension { dim_param: Some("batch".to_owned()), dim_value: None };
    let dimension = |size: &usize| Dimension { dim_value: Some(*size as i64), dim_param: None };
    let shape = TensorShapeProto { dim: std::iter::once(batch).chain(shape.iter().map(dimension)).collect() };
    let tensor = TensorTypeProto { elem_type: Some(FLOAT), shape: Some(shape) };
    ValueInfoProto { name: Some(name.to_owned()), r#type: Some(TypeProto { tensor_type: Some(tensor) }) }
}

/// Serialises the network as an ONNX file.
pub fn export(weights: &Weights) -> Vec<u8> {
    let architecture = weights.architecture;
    let layout = architecture.layout();
    let mut graph = GraphProto::default();
    let mut tower = graph.convolution(weights, layout.tower[0], "planes", None);
    for pair in layout.tower[1..].chunks_exact(2) {
        let inner = graph.convolution(weights, pair[0], &tower, None);
        tower = graph.convolution(weights, pair[1], &inner, Some(&tower));
    }
    let axis = [int("axis", 1)];
    if let Some(layer) = layout.policy_convolution {
        let features = graph.convolution(weights, layer, &tower, None);
        let features = graph.operator("Flatten", &[&features], &axis, None);
        graph.dense(weights, layout.policy, &features, Some("policy"));
    } else {
        let parameters = architecture.parameters();
        for at in [layout.policy, layout.policy + 1] {
            graph.initializer(&parameters[at].name, &parameters[at].shape, &weights.parameters[at]);
        }
        let names = [parameters[layout.policy].name.as_str(), parameters[layout.policy + 1].name.as_str()];
        let logits = graph.raw_convolution(&tower, names, 1);
        // Policy indices are ordered by origin square, then by move type.
        let by_square = graph.operator("Transpose", &[&logits], &[ints("perm", &[0, 2, 3, 1])], None);
        graph.operator("Flatten", &[&by_square], &axis, Some("policy"));
    }
    let features = graph.convolution(weights, layout.value_convolution, &tower, None);
    let features = graph.operator("Flatten", &[&features], &axis, None);
    let hidden = graph.dense(weights, layout.value, &features, None);
    let hidden = graph.operator("Relu", &[&hidden], &[], None);
    let output = graph.dense(weights, layout.value + 2, &hidden, None);
    let value = match architecture.value {
        ValueHead::Wdl => graph.operator("Softmax", &[&output], &axis, Some("chances")),
        ValueHead::Scalar => graph.operator("Tanh", &[&output], &[], Some("value")),
    };
    graph.name = Some("quantum chess".to_owned());
    graph.input.push(value_info("planes", &[PLANES, BOARD_SIZE, BOARD_SIZE]));
    graph.output.push(value_info("policy", &[ACTIONS]));
    graph.output.push(value_info(&value, &[architecture.value_outputs()]));
    let model = ModelProto {
        ir_version: Some(IR_VERSION),
        producer_name: Some("tabia".to_owned()),
        graph: Some(graph),
        opset_import: vec![OperatorSetId { domain: Some(String::new()), version: Some(OPSET_VERSION) }],
    };
    model.encode_to_vec()
}
