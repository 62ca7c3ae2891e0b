//! How long a server that crashed is left alone. Pure.
