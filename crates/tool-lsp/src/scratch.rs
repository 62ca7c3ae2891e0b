//! Where servers keep what they write, so that it is not the checkout.
