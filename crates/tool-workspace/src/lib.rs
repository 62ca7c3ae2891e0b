//! A workspace root for agent tools: contained paths, walking, file identity and all-or-nothing change sets
