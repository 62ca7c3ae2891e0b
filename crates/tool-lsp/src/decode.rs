//! What servers answer, taken item by item. Pure.
