//! What a name may be, by language. Pure.
