//! Diagnostics on write, as a layer over the tools that write.
