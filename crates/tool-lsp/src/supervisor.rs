//! Which servers run in this run, for which roots; starting, backoff, ending.
