//! Clean, found or unknown: the ladder of channels.
