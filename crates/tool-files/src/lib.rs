//! Reference harness tools: read, write, edit and apply_patch over contained, atomic writes
