//! Files that a change may have broken elsewhere.
