//! Rendering of SVG to PNG.

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{self, Tree};

/// Largest side in pixels: 64 MB of RGBA.
const LONGEST_SIDE: f32 = 4096.0;

/// An error of rendering.
#[derive(Debug, thiserror::Error)]
pub enum PngError {
    #[error("the picture cannot be read: {0}")]
    Svg(#[from] usvg::Error),
    #[error("a picture of {width} × {height} pixels cannot be made")]
    Size {
        /// Width in pixels.
        width: u32,
        /// Height in pixels.
        height: u32,
    },
    #[error("the pixels cannot be encoded: {0}")]
    Encode(String),
}

/// A PNG of an SVG, `zoom` pixels for each of its units; fewer where it would be very large.
pub fn png(svg: &str, zoom: f32) -> Result<Vec<u8>, PngError> {
    let tree = Tree::from_str(svg, &usvg::Options::default())?;
    let size = tree.size();
    let zoom = zoom.min(LONGEST_SIDE / size.width().max(size.height()));
    let [width, height] = [size.width(), size.height()].map(|side| (side * zoom).round() as u32);
    let mut pixels = Pixmap::new(width, height).ok_or(PngError::Size { width, height })?;
    resvg::render(&tree, Transform::from_scale(zoom, zoom), &mut pixels.as_mut());
    pixels.encode_png().map_err(|error| PngError::Encode(error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SQUARE: &str = r##"<svg xmlns="http://www.w3.org/2000/svg" width="10" height="20"><rect width="10" height="20" fill="#d0750a"/></svg>"##;

    #[test]
    fn pixels_are_as_many_as_asked_for_and_of_the_right_colour() {
        let pixels = Pixmap::decode_png(&png(SQUARE, 2.0).unwrap()).unwrap();
        assert_eq!((pixels.width(), pixels.height()), (20, 40));
        assert!(pixels.pixels().iter().all(|p| (p.red(), p.green(), p.blue()) == (0xd0, 0x75, 0x0a)));
    }

    #[test]
    fn no_picture_is_larger_than_the_limit() {
        let pixels = Pixmap::decode_png(&png(SQUARE, 1e6).unwrap()).unwrap();
        assert_eq!((pixels.width(), pixels.height()), (2048, 4096));
    }

    #[test]
    fn what_is_no_picture_is_refused() {
        assert!(matches!(png("<svg", 1.0), Err(PngError::Svg(_))));
        assert!(matches!(png(SQUARE, 0.0), Err(PngError::Size { .. })));
    }
}
