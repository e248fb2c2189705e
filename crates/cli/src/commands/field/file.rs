//! What is written, by the ending of the file's name.

use std::path::Path;

use tabia_core::spelling;

use crate::failure::Usage;

/// How a field is written.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Format {
    /// A picture of lines.
    Svg,
    /// A picture of pixels.
    Png,
    /// Numbers.
    Npy,
}

const FORMATS: [(&str, Format); 3] = [("svg", Format::Svg), ("png", Format::Png), ("npy", Format::Npy)];

impl Format {
    /// The format that a file's name ends in.
    pub fn of(path: &Path) -> Result<Format, Usage> {
        let extension = path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
        let found = FORMATS.iter().find(|(name, _)| *name == extension);
        found.map(|(_, format)| *format).ok_or_else(|| {
            let ending = match extension.as_str() {
                "" => "has no ending".to_owned(),
                other => format!("ends in \".{other}\""),
            };
            let hint = spelling::hint(&extension, FORMATS.iter().map(|(name, _)| *name));
            Usage(format!("{} {ending}; expected .svg, .png or .npy{hint}", path.display()))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ending_decides_the_format() {
        for (path, format) in [("a.svg", Format::Svg), ("b/c.PNG", Format::Png), ("a.b.npy", Format::Npy)] {
            assert_eq!(Format::of(Path::new(path)).unwrap(), format);
        }
        let refused = |path: &str| Format::of(Path::new(path)).unwrap_err().to_string();
        assert_eq!(
            refused("a.svgz"),
            "a.svgz ends in \".svgz\"; expected .svg, .png or .npy; did you mean \"svg\"?"
        );
        assert_eq!(refused("picture"), "picture has no ending; expected .svg, .png or .npy");
    }
}
