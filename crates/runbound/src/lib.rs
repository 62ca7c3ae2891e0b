//! Server-bound tools for agent runtimes, behind one facade
