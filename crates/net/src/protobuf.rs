//! Messages of protocol buffers, written by hand: ONNX and TensorBoard need a dozen fields of theirs, and no generated code for that.

/// A message being written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Message {
    bytes: Vec<u8>,
}

/// Kinds of fields on the wire.
mod wire {
    pub const VARINT: u64 = 0;
    pub const EIGHT_BYTES: u64 = 1;
    pub const LENGTH: u64 = 2;
    pub const FOUR_BYTES: u64 = 5;
}

impl Message {
    /// An empty one.
    pub fn new() -> Message {
        Message::default()
    }

    fn varint(&mut self, mut number: u64) {
        while number >= 0x80 {
            self.bytes.push(number as u8 | 0x80);
            number >>= 7;
        }
        self.bytes.push(number as u8);
    }

    /// A whole number.
    #[must_use]
    pub fn whole(mut self, field: u64, number: i64) -> Message {
        self.varint(field << 3 | wire::VARINT);
        self.varint(number as u64);
        self
    }

    /// Bytes or text.
    #[must_use]
    pub fn bytes(mut self, field: u64, bytes: impl AsRef<[u8]>) -> Message {
        let bytes = bytes.as_ref();
        self.varint(field << 3 | wire::LENGTH);
        self.varint(bytes.len() as u64);
        self.bytes.extend_from_slice(bytes);
        self
    }

    /// A message within this one.
    #[must_use]
    pub fn message(self, field: u64, message: &Message) -> Message {
        self.bytes(field, &message.bytes)
    }

    /// A number in four bytes.
    #[must_use]
    pub fn float(mut self, field: u64, number: f32) -> Message {
        self.varint(field << 3 | wire::FOUR_BYTES);
        self.bytes.extend_from_slice(&number.to_le_bytes());
        self
    }

    /// A number in eight bytes.
    #[must_use]
    pub fn double(mut self, field: u64, number: f64) -> Message {
        self.varint(field << 3 | wire::EIGHT_BYTES);
        self.bytes.extend_from_slice(&number.to_le_bytes());
        self
    }

    /// What was written.
    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_written_as_the_format_says() {
        // The examples of the format's own documentation: 150 in field 1, and "testing" in field 2.
        assert_eq!(Message::new().whole(1, 150).into_bytes(), [0x08, 0x96, 0x01]);
        let text = Message::new().bytes(2, "testing").into_bytes();
        assert_eq!(text, [0x12, 0x07, 0x74, 0x65, 0x73, 0x74, 0x69, 0x6e, 0x67]);
        let within = Message::new().message(3, &Message::new().whole(1, 150)).into_bytes();
        assert_eq!(within, [0x1a, 0x03, 0x08, 0x96, 0x01]);
        assert_eq!(Message::new().float(5, 1.0).into_bytes(), [0x2d, 0, 0, 0x80, 0x3f]);
    }
}
