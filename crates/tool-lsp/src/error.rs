//! What can go wrong, and what an agent is told.
