//! The tools and the layer as one pack.
