//! What changed on disk since a server last heard of it.
