//! The runbound binary.
fn main() {}
