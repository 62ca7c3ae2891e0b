//! The tool trait, registry, lanes, permission gate, output and errors of an agent runtime's tools
