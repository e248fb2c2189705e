//! Results for programs: JSON documents.

use std::io::{self, Write};

use serde::Serialize;

/// Prints one JSON document on standard output.
pub fn json(document: &impl Serialize) -> anyhow::Result<()> {
    // As text first: an error of the writer is then the writer's, and a closed pipe is known as one.
    let text = serde_json::to_string_pretty(document)?;
    writeln!(io::stdout(), "{text}")?;
    Ok(())
}
