//! Measures guards in databases: `cargo bench --manifest-path tools/benches/Cargo.toml -p guard-bench`. All of it is in `benches`.
