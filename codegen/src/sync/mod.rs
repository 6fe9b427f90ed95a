//! Expected outputs against the disk.
