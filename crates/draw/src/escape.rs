//! Escaping of text for HTML, SVG and XML.

use std::fmt::{self, Write};

/// Text for HTML, SVG and XML, between tags or in an attribute: markup characters are replaced by entities, and characters
/// that XML cannot hold are left out.
#[derive(Copy, Clone, Debug)]
pub struct Escaped<'a>(pub &'a str);

impl fmt::Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for c in self.0.chars() {
            match c {
                '&' => f.write_str("&amp;")?,
                '<' => f.write_str("&lt;")?,
                '>' => f.write_str("&gt;")?,
                '"' => f.write_str("&quot;")?,
                '\'' => f.write_str("&#39;")?,
                '\u{fffe}' | '\u{ffff}' => {}
                _ if c.is_control() => {}
                _ => f.write_char(c)?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_is_replaced_and_control_characters_are_left_out() {
        assert_eq!(Escaped("<b a=\"'\">&\u{7}").to_string(), "&lt;b a=&quot;&#39;&quot;&gt;&amp;");
        assert_eq!(Escaped("½ — ok").to_string(), "½ — ok");
    }
}
