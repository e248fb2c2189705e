//! NumPy's `.npy` format, version 1.0: little-endian 32-bit floats in C order.
//!
//! The layout is documented in `numpy.lib.format`: magic, version, header length, the header as a Python literal padded
//! so that the data starts at a multiple of 64 bytes, the data.

const MAGIC: &[u8] = b"\x93NUMPY\x01\x00";
const ALIGNMENT: usize = 64;

/// An array; the last index is contiguous.
pub fn npy(shape: &[usize], values: impl IntoIterator<Item = f32>) -> Vec<u8> {
    let mut bytes = head(shape);
    let start = bytes.len();
    bytes.extend(values.into_iter().flat_map(f32::to_le_bytes));
    let written = (bytes.len() - start) / size_of::<f32>();
    debug_assert_eq!(written, shape.iter().product::<usize>(), "as many numbers as the shape has places");
    bytes
}

/// A field as an 8×8 array, rank 8 first.
pub fn field(values: &[[f64; 8]; 8]) -> Vec<u8> {
    npy(&[8, 8], narrowed(values))
}

/// Several fields as an n×8×8 array.
pub fn fields<'a>(fields: impl ExactSizeIterator<Item = &'a [[f64; 8]; 8]>) -> Vec<u8> {
    npy(&[fields.len(), 8, 8], fields.flat_map(narrowed))
}

/// A board of channels as an 8×8×n array, rank 8 first.
pub fn tensor<const CHANNELS: usize>(tensor: &[[[f32; CHANNELS]; 8]; 8]) -> Vec<u8> {
    npy(&[8, 8, CHANNELS], tensor.iter().flatten().flatten().copied())
}

fn narrowed(values: &[[f64; 8]; 8]) -> impl Iterator<Item = f32> + '_ {
    values.iter().flatten().map(|value| *value as f32)
}

fn head(shape: &[usize]) -> Vec<u8> {
    let sides: Vec<String> = shape.iter().map(ToString::to_string).collect();
    // Python writes a tuple of one element as `(8,)`.
    let comma = if shape.len() == 1 { "," } else { "" };
    let mut header =
        format!("{{'descr': '<f4', 'fortran_order': False, 'shape': ({}{comma}), }}", sides.join(", "));
    // After the magic come two bytes of length, and the header ends with a line feed.
    let unpadded = MAGIC.len() + 2 + header.len() + 1;
    let padding = unpadded.next_multiple_of(ALIGNMENT) - unpadded;
    header.extend(std::iter::repeat_n(' ', padding));
    header.push('\n');
    // A header of a few numbers is far shorter than 65,536 bytes.
    let length = header.len() as u16;
    [MAGIC, &length.to_le_bytes(), header.as_bytes()].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_header_of_a_field_is_numpys_to_the_byte() {
        let bytes = field(&[[0.0; 8]; 8]);
        let text = b"{'descr': '<f4', 'fortran_order': False, 'shape': (8, 8), }";
        let mut expected = b"\x93NUMPY\x01\x00\x76\x00".to_vec();
        expected.extend_from_slice(text);
        expected.resize(127, b' ');
        expected.push(b'\n');
        assert_eq!(bytes[..128], expected);
        assert_eq!(bytes.len(), 128 + 64 * 4);
    }

    #[test]
    fn numbers_are_little_endian_with_rank_8_first() {
        let mut values = [[0.0; 8]; 8];
        values[0][1] = 1.5;
        values[7][7] = -2.0;
        let bytes = field(&values);
        assert_eq!(bytes[128 + 4..128 + 8], 1.5f32.to_le_bytes());
        assert_eq!(bytes[bytes.len() - 4..], [0x00, 0x00, 0x00, 0xc0]);
    }

    #[test]
    fn a_tensor_has_its_channels_last() {
        let mut values = [[[0.0; 13]; 8]; 8];
        values[0][1][2] = 1.0;
        let bytes = tensor(&values);
        assert!(bytes.windows(10).any(|window| window == b"(8, 8, 13)"));
        assert_eq!(bytes.len() % 64, 0);
        assert_eq!(bytes[128 + (13 + 2) * 4..][..4], 1f32.to_le_bytes());
    }

    #[test]
    fn several_fields_are_stacked() {
        let (first, second) = ([[1.0; 8]; 8], [[2.0; 8]; 8]);
        let bytes = fields([&first, &second].into_iter());
        assert!(bytes.windows(9).any(|window| window == b"(2, 8, 8)"));
        assert_eq!(bytes[128 + 64 * 4..][..4], 2f32.to_le_bytes());
    }

    #[test]
    fn every_header_ends_on_the_grid() {
        for side in 0..2000 {
            let bytes = head(&[side, side * 7, 13]);
            assert_eq!(bytes.len() % ALIGNMENT, 0);
            assert_eq!(usize::from(u16::from_le_bytes([bytes[8], bytes[9]])), bytes.len() - 10);
        }
        assert!(head(&[8]).windows(4).any(|window| window == b"(8,)"));
    }
}
