//! Any text is an agent spec or an error with words in it; a spec survives being written down, and the catalogue
//! either takes it or says why not. Nothing is built: `engine(hash=…)` may ask for a lot of memory.

use std::sync::LazyLock;

use tabia_core::{AgentSpec, Catalogue, ChessGame};

static CATALOGUE: LazyLock<Catalogue<ChessGame>> = LazyLock::new(|| {
    let mut catalogue = Catalogue::default();
    catalogue.add(tabia_search::agents::entries(|_| Err(std::io::Error::other("no file is read here"))));
    catalogue
});

/// Reads the input; panics where what must hold does not.
pub fn check(text: &str) {
    match text.parse::<AgentSpec>() {
        Ok(spec) => {
            let written = spec.to_string();
            assert_eq!(written.parse(), Ok(spec.clone()), "{written:?}");
            match CATALOGUE.check(&spec) {
                Ok((entry, options)) => {
                    assert_eq!(entry.name, spec.name);
                    for (key, value) in &spec.options {
                        assert_eq!(options.text(key), Some(value.as_str()));
                    }
                }
                Err(error) => assert!(!error.to_string().is_empty()),
            }
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}
