//! What is known of a document, from which channel, for which content. Pure.
