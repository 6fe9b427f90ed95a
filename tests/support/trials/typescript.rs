//! Emitted TypeScript in a folder of its own, with the compiler and Node.js.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use statespec_code::typescript::{self, Style};
use statespec_lang::model::Model;

use super::{Defect, Subject, accepted, folder, missed, put, with_defect};
use crate::checks;

/// The modules of some models, each in a folder of its own.
pub(crate) struct Trial {
    pub(crate) home: PathBuf,
    packages: PathBuf,
}

impl Trial {
    /// `None` if the tools are missing.
    pub(crate) fn new(name: &str) -> Option<Trial> {
        let packages = checks::needed("emitted TypeScript", checks::packages("tests/node"))?;
        let home = folder("emitted-typescript", name);
        fs::write(home.join("package.json"), "{ \"type\": \"module\" }\n").unwrap();
        Some(Trial { home, packages })
    }

    pub(crate) fn put(&self, path: &str, text: &str) {
        put(&self.home, path, text);
    }

    /// The modules of a model, in `src/NAME`.
    pub(crate) fn modules(&self, name: &str, model: &Model, style: &Style) {
        let files = typescript::files(model);
        for it in &model.machines {
            self.put(&format!("src/{name}/{}.ts", files[&it.name]), &typescript::machine(it, style));
        }
        for it in &model.systems {
            self.put(&format!("src/{name}/{}.ts", files[&it.name]), &typescript::system(model, it, style));
        }
        self.put(&format!("src/{name}/statespec.ts"), &typescript::support(style, !model.systems.is_empty()));
    }

    /// The modules of a model and their tests, in `src/NAME` and `out/NAME/tests`.
    pub(crate) fn emit(&self, name: &str, subject: &Subject, style: &Style) {
        let model = &subject.model;
        self.modules(name, model, style);
        subject.put_data(&self.home, &format!("out/{name}/tests"), &typescript::files(model));
        self.put(&format!("src/{name}/tests/conformance.test.ts"), &typescript::tests(model, "..", style, !model.systems.is_empty()));
    }

    /// What the compiler says of `src`, which it compiles to `out`, with these options besides.
    pub(crate) fn compiled(&self, besides: &[&str]) -> Output {
        let options = fs::read_to_string(checks::root().join("tests/node/tsconfig.json")).unwrap();
        let types = self.packages.join("node_modules/@types");
        let roots = format!("\"typeRoots\": [{:?}], \"rootDir\": \"src\",", types.to_str().unwrap());
        self.put("tsconfig.json", &options.replace("\"rootDir\": \".\",", &roots));
        let compiler = self.packages.join("node_modules/typescript/bin/tsc");
        Command::new("node").arg(compiler).arg("--project").arg(&self.home).args(besides).output().unwrap()
    }

    /// Compiles `src` to `out`; the compiler must have nothing to say.
    pub(crate) fn compile(&self) {
        accepted(&self.compiled(&[]));
    }

    /// The tests of all folders must pass.
    pub(crate) fn test(&self) {
        accepted(&self.tested());
    }

    /// What the tests of all folders say, in the lines of TAP. One process runs them: starting one for each would take longer than
    /// the tests.
    pub(crate) fn tested(&self) -> Output {
        let mut folders: Vec<PathBuf> = fs::read_dir(self.home.join("out")).unwrap().map(|it| it.unwrap().path()).collect();
        folders.sort();
        let tests = folders.iter().map(|it| it.join("tests/conformance.test.js")).filter(|it| it.is_file());
        let import =
            |it: &Path| format!("await import({:?});\n", it.strip_prefix(&self.home).map(|it| format!("./{}", it.display())).unwrap());
        self.put("all.test.mjs", &tests.map(|it| import(&it)).collect::<String>());
        self.node(&["--test", "--test-reporter=tap", "all.test.mjs"])
    }

    pub(crate) fn node(&self, arguments: &[&str]) -> Output {
        Command::new("node").args(arguments).current_dir(&self.home).output().unwrap()
    }

    /// Emits a subject, compiles it, and makes a copy of the modules for each defect: a file, what it has, and what a defective
    /// printer would write. Returns the numbers of those whose tests find nothing.
    pub(crate) fn planted(&self, subject: &Subject, defects: &[Defect]) -> Vec<usize> {
        let (style, files) = (Style::default(), typescript::files(&subject.model));
        self.emit("sound", subject, &style);
        self.compile();
        let mut modules = vec!["statespec"];
        modules.extend(files.values().map(String::as_str));
        let mut copies = Vec::new();
        for (idx, defect) in defects.iter().enumerate() {
            for module in &modules {
                let text = fs::read_to_string(self.home.join(format!("out/sound/{module}.js"))).unwrap();
                self.put(&format!("out/d{idx}/{module}.js"), &with_defect(module, text, defect));
            }
            copies.push(format!("d{idx}"));
        }
        self.put("out/run.js", RUN);
        let names = files.values().cloned().collect::<Vec<_>>().join(",");
        let found =
            self.node(&[&["out/run.js", &names, "sound"], copies.iter().map(String::as_str).collect::<Vec<_>>().as_slice()].concat());
        missed(&found, &copies)
    }
}

/// Prints the copies whose tests find nothing.
const RUN: &str = r#"
import { readFileSync } from "node:fs";

const [, , names, ...copies] = process.argv;
const passes = async (folder) => {
  const s = await import(`./${folder}/statespec.js`);
  const data = (name) => s.parseJson(readFileSync(new URL(`./sound/tests/${name}.json`, import.meta.url), "utf8"));
  try {
    s.assertNumbers(data("numbers"));
    for (const name of names.split(",")) {
      const { MACHINE, SYSTEM } = await import(`./${folder}/${name}.js`);
      if (SYSTEM === undefined) s.assertConformance(s.subject(MACHINE), data(name));
      else s.assertSystemConformance(s.systemSubject(SYSTEM), data(name));
    }
    return true;
  } catch {
    return false;
  }
};
const passed = [];
for (const it of copies) if (await passes(it)) passed.push(it);
console.log(passed.join(" "));
"#;
