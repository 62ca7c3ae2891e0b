//! A document as servers count in it: lines, encodings, columns. Pure.
