//! Says when the page within the binary is out of date. Where no page was built there is nothing to watch: whoever
//! builds it first (`make web`) touches this file.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    if std::path::Path::new("../../web/dist").is_dir() {
        println!("cargo:rerun-if-changed=../../web/dist");
    }
}
