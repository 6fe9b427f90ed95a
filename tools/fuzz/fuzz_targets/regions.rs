#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| trust::fuzz::regions(data));
