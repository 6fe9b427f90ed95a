//! The public API of the crates that others depend on: every change of it changes these snapshots.
//!
//! rustdoc writes an API as JSON only with a nightly compiler. `RUSTC_BOOTSTRAP` enables this in the installed compiler;
//! only the documentation is built that way.

use std::path::Path;
use std::process::Command;

/// The public items of a package, one a line.
fn items(package: &str, features: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).expect("the root of the repository");
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join("api");
    let output = Command::new(env!("CARGO"))
        .current_dir(root)
        .args(["rustdoc", "--quiet", "--lib", "--package", package, "--no-default-features", "--features", features])
        .arg("--target-dir")
        .arg(&target)
        .args(["--", "-Z", "unstable-options", "--output-format", "json", "--cap-lints", "allow"])
        .env("RUSTC_BOOTSTRAP", "1")
        .output()
        .expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let json = target.join("doc").join(format!("{}.json", package.replace('-', "_")));
    let api =
        public_api::Builder::from_rustdoc_json(json).omit_blanket_impls(true).omit_auto_trait_impls(true).omit_auto_derived_impls(true);
    let api = api.build().expect("rustdoc's JSON is of the version that the crate public-api reads");
    api.items().map(|it| format!("{it}\n")).collect()
}

#[test]
fn of_the_facade() {
    insta::assert_snapshot!(items("statespec", "chrono,decimal,jiff,observe,serde,std"));
}

#[test]
fn of_the_library() {
    insta::assert_snapshot!(items("statespec-codegen", "default"));
}
