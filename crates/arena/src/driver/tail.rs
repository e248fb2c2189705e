//! The last bytes of a stream of any length.

use tabia_core::printable;

/// Keeps the last bytes of a stream.
#[derive(Clone, Debug)]
pub struct Tail {
    bytes: Vec<u8>,
    max: usize,
}

impl Tail {
    /// Keeps `max` bytes.
    pub fn new(max: usize) -> Tail {
        Tail { bytes: Vec::new(), max }
    }

    /// Adds what was read.
    pub fn push(&mut self, bytes: &[u8]) {
        let bytes = &bytes[bytes.len().saturating_sub(self.max)..];
        let over = (self.bytes.len() + bytes.len()).saturating_sub(self.max);
        self.bytes.drain(..over.min(self.bytes.len()));
        self.bytes.extend_from_slice(bytes);
    }

    /// The last `count` lines that are not blank, joined by ` | `.
    pub fn last_lines(&self, count: usize) -> String {
        let text = String::from_utf8_lossy(&self.bytes);
        let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
        printable(&lines[lines.len().saturating_sub(count)..].join(" | ")).into_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_end_is_kept() {
        let mut tail = Tail::new(12);
        tail.push(b"first\nsecond\n");
        tail.push(b"\nthird\n");
        assert_eq!(tail.last_lines(9), "cond | third");
        assert_eq!(tail.last_lines(1), "third");
        tail.push(&[b'x'; 100]);
        assert_eq!(tail.last_lines(9), "x".repeat(12));
    }
}
