//! One module per output.
