//! What a run has already been told. Pure.
