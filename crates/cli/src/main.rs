//! tabia
fn main(){}
