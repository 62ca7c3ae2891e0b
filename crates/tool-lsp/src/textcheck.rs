//! What a text search says about a rename or a reference list.
