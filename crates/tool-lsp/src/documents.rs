//! What a server has been told of each document: versions, hashes, which to close. Pure.
