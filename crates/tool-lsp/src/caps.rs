//! What a server can do: announced and registered later. Pure.
