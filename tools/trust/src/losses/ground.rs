//! Random projects among files of other people, and the comparison of everything that is not theirs to write.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::{fs, io};

use statespec_codegen::project::Project;
use tempfile::TempDir;
use walkdir::WalkDir;

use crate::rng::Rng;

/// The command line under test.
pub(super) struct Lab<'a> {
    pub(super) program: &'a Path,
}

impl Lab<'_> {
    /// The command `statespec` in a folder.
    pub(super) fn command(&self, root: &Path, args: &[&str]) -> Command {
        let mut command = Command::new(self.program);
        command.arg("statespec").args(args).current_dir(root).env("NO_COLOR", "1");
        command
    }

    pub(super) fn statespec(&self, root: &Path, args: &[&str]) -> io::Result<Output> {
        self.command(root, args).output()
    }
}

/// A file or link, with its permissions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Thing {
    File(Vec<u8>, u32),
    Link(PathBuf),
}

pub(super) type Contents = BTreeMap<String, Thing>;

/// Everything below a folder. Links are not followed.
pub(super) fn contents(folder: &Path) -> io::Result<Contents> {
    let mut found = Contents::new();
    for entry in WalkDir::new(folder) {
        let entry = entry?;
        let path = entry.path().strip_prefix(folder).map_err(io::Error::other)?.to_string_lossy().replace('\\', "/");
        if entry.path_is_symlink() {
            found.insert(path, Thing::Link(fs::read_link(entry.path())?));
        } else if entry.file_type().is_file() {
            found.insert(path, Thing::File(fs::read(entry.path())?, mode(entry.path())?));
        }
    }
    Ok(found)
}

#[cfg(unix)]
pub(super) fn mode(path: &Path) -> io::Result<u32> {
    use std::os::unix::fs::PermissionsExt as _;
    fs::symlink_metadata(path).map(|it| it.permissions().mode() & 0o777)
}

#[cfg(not(unix))]
pub(super) fn mode(_: &Path) -> io::Result<u32> {
    Ok(0)
}

/// The runs that may remove a foreign file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Fate {
    /// An unedited output at a path that no output has, in a place: an orphan.
    AnyRun,
    /// The same, edited.
    Force,
    /// None, unless it is named.
    Never,
}

/// A project in a temporary folder, with a folder outside of it.
pub(super) struct Ground {
    dir: TempDir,
    /// The places in which orphans are found.
    pub(super) places: Vec<String>,
    pub(super) owned: Vec<String>,
    /// The paths of all outputs.
    pub(super) outputs: BTreeSet<String>,
    /// Hand-written pages with regions.
    pub(super) pages: BTreeSet<String>,
    /// The foreign files, and the runs that may remove them.
    pub(super) foreign: BTreeMap<String, Fate>,
}

/// A spec; `word` is in every output.
pub(super) fn spec(name: &str, word: &str) -> String {
    format!(
        "machine: {name}\ndoc: A {name} that {word}.\nstates:\n  first: {{ initial: true, doc: It {word}. }}\n  last: {{ terminal: true }}\n\
         events: {{ go: {{ doc: It {word}. }} }}\ntransitions:\n  - {{ from: first, event: go, to: last }}\n"
    )
}

pub(super) fn page(name: &str) -> String {
    format!("# Page\n\nBefore.\n\n<!-- statespec:begin {name}.states -->\n<!-- statespec:end {name}.states -->\n\nAfter.\n")
}

const NAMES: [&str; 3] = ["lamp", "door", "job"];

impl Ground {
    pub(super) fn root(&self) -> PathBuf {
        self.dir.path().join("project")
    }

    /// A folder beside the project.
    pub(super) fn outside(&self) -> PathBuf {
        self.dir.path().join("outside")
    }

    pub(super) fn put(&self, path: &str, bytes: impl AsRef<[u8]>) -> io::Result<()> {
        let full = self.root().join(path);
        fs::create_dir_all(full.parent().unwrap_or(&full))?;
        fs::write(full, bytes)
    }

    pub(super) fn get(&self, path: &str) -> io::Result<Vec<u8>> {
        fs::read(self.root().join(path))
    }

    /// Everything in the project and outside of it.
    pub(super) fn contents(&self) -> io::Result<Contents> {
        contents(self.dir.path())
            .map(|all| all.into_iter().map(|(path, it)| (path.trim_start_matches("project/").to_owned(), it)).collect())
    }

    /// A project whose outputs are up to date.
    pub(super) fn new(lab: &Lab<'_>, rng: &mut Rng) -> io::Result<Ground> {
        let docs = ["docs/machines", "docs", "book/pages"][rng.below(3)];
        let mut config = format!("[docs]\nout = \"{docs}\"\nplaces = [\"docs\", \"notes\", \"README.md\"]\n");
        let mut folders = vec![docs.to_owned()];
        for (section, choices) in [
            ("json", ["model", "docs/model"]),
            ("rust", ["src/machines", "generated"]),
            ("conformance", ["tests/machines", "generated/tests"]),
        ] {
            if rng.below(3) > 0 {
                let out = choices[rng.below(2)];
                config.push_str(&format!("[{section}]\nout = \"{out}\"\n"));
                folders.push(out.to_owned());
            }
        }
        if rng.below(2) == 0 {
            config.push_str("[[template]]\nfile = \"own/list.txt\"\nout = \"web/{{ name }}.txt\"\n");
            folders.push("web".to_owned());
        }
        // A folder with hand-written pages is not owned.
        let owned: Vec<String> = folders.iter().filter(|it| *it != "docs" && rng.below(2) == 0).cloned().collect();
        let list = owned.iter().map(|it| format!("\"{it}\"")).collect::<Vec<_>>().join(", ");
        let config = format!("owned = [{list}]\n{config}");
        let places = folders.into_iter().chain(["docs", "notes", "README.md"].map(str::to_owned)).collect();

        let dir = tempfile::tempdir()?;
        let mut ground = Ground { dir, places, owned, outputs: BTreeSet::new(), pages: BTreeSet::new(), foreign: BTreeMap::new() };
        fs::create_dir_all(ground.outside())?;
        fs::write(ground.outside().join("page.md"), page("lamp"))?;
        ground.put("statespec.toml", config)?;
        ground.put("own/list.txt", "{{ name }}: {{ doc }}\n")?;
        for name in &NAMES[..=rng.below(NAMES.len())] {
            ground.put(&format!("machines/{name}.yaml"), spec(name, "waits"))?;
        }
        for path in ["README.md", "docs/guide.md", "notes/deep/page.MD", "docs/crlf.md"] {
            let text = if path.contains("crlf") { page("lamp").replace('\n', "\r\n") } else { page("lamp") };
            ground.put(path, text)?;
            ground.pages.insert(path.to_owned());
        }
        let run = lab.statespec(&ground.root(), &["gen"])?;
        if !run.status.success() {
            return Err(io::Error::other(String::from_utf8_lossy(&run.stderr).into_owned()));
        }
        let project = Project::open(ground.root()).map_err(io::Error::other)?;
        let loaded = project.load().map_err(|it| io::Error::other(format!("{it:?}")))?;
        let model = loaded.model.as_ref().ok_or_else(|| io::Error::other("the specs are wrong"))?;
        let outputs = project.outputs(&loaded.sources, model).map_err(io::Error::other)?;
        ground.outputs = outputs.files.iter().map(|(path, _)| path.clone()).collect();
        Ok(ground)
    }

    /// Makes every output and every region stale.
    pub(super) fn change_specs(&self, word: &str) -> io::Result<()> {
        NAMES
            .iter()
            .filter(|it| self.root().join(format!("machines/{it}.yaml")).exists())
            .try_for_each(|name| self.put(&format!("machines/{name}.yaml"), spec(name, word)))
    }

    fn is_in_place(&self, path: &str) -> bool {
        let is_hidden = path.split('/').any(|it| it.starts_with('.') || matches!(it, "target" | "node_modules"));
        !is_hidden && self.places.iter().any(|it| path.strip_prefix(it.as_str()).is_some_and(|it| it.is_empty() || it.starts_with('/')))
    }

    fn is_owned(&self, path: &str) -> bool {
        self.owned.iter().any(|it| path.starts_with(&format!("{it}/")))
    }

    /// The foreign files that stop a run without `--force`.
    pub(super) fn blocking(&self) -> impl Iterator<Item = &str> {
        let blocks = |(path, fate): &(&String, &Fate)| {
            **fate == Fate::Force || (**fate == Fate::Never && self.is_owned(path) && self.is_in_place(path))
        };
        self.foreign.iter().filter(blocks).map(|(path, _)| path.as_str())
    }

    /// Adds files of other people. Without `blocking`, none that makes a run without `--force` stop.
    pub(super) fn sprinkle(&mut self, rng: &mut Rng, blocking: bool) -> io::Result<()> {
        const FOLDERS: &[&str] = &[
            "",
            "src/",
            "docs/",
            "docs/deep/er/",
            "notes/",
            ".hidden/",
            "docs/.cache/",
            "target/x/",
            "docs/node_modules/",
            "machines/",
            "assets/",
        ];
        const EXTENSIONS: &[&str] = &["md", "rs", "json", "txt", "png", "MD", "mdx", "html", "toml", "", "mmd"];
        let outputs: Vec<String> = self.outputs.iter().cloned().collect();
        let folders: Vec<String> = FOLDERS.iter().map(|it| (*it).to_owned()).chain(self.places.iter().map(|it| format!("{it}/"))).collect();
        for idx in 0..8 + rng.below(16) {
            let folder = &folders[rng.below(folders.len())];
            if folder.starts_with("README") {
                continue;
            }
            let output = &outputs[rng.below(outputs.len())];
            let (kind, extension) = (rng.below(9), EXTENSIONS[rng.below(EXTENSIONS.len())]);
            // A copy keeps its extension, so that the header has its form.
            let extension = if matches!(kind, 0 | 1) { output.rsplit('.').next().unwrap_or("md") } else { extension };
            let path = format!("{folder}foreign_{idx}.{extension}");
            let copy = self.get(output)?;
            let bytes = match kind {
                0 => copy,
                1 => [copy, b"\nAn edit.\n".to_vec()].concat(),
                2 => (0..200).map(|_| rng.below(256) as u8).collect(),
                3 => Vec::new(),
                4 => b"Words.\r\nOf a person.\n".to_vec(),
                5 => b"// @generated by another-tool from machines/lamp.yaml.\n\nText.\n".to_vec(),
                6 => b"# Example\n\n```\n<!-- statespec:begin lamp.states -->\n<!-- statespec:end lamp.states -->\n```\n".to_vec(),
                7 => "\u{feff}Words with a byte order mark.".as_bytes().to_vec(),
                _ => format!("Words {idx}, without a last line end").into_bytes(),
            };
            let in_place = self.is_in_place(&path);
            let fate = match kind {
                0 if in_place => Fate::AnyRun,
                1 if in_place => Fate::Force,
                _ => Fate::Never,
            };
            // Files in the folder of specs must be specs or something else than YAML.
            let blocks = fate == Fate::Force || (self.is_owned(&path) && fate == Fate::Never && in_place);
            if blocks && !blocking {
                continue;
            }
            self.put(&path, bytes)?;
            self.foreign.insert(path, fate);
        }
        self.put("docs/.statespec-mine", "not a temporary file")?;
        #[cfg(unix)]
        for (path, target) in [("docs/link.md", "../README.md"), ("notes/link", "../assets"), ("assets/out", "../../outside")] {
            let full = self.root().join(path);
            fs::create_dir_all(full.parent().unwrap_or(&full))?;
            std::os::unix::fs::symlink(target, full)?;
        }
        Ok(())
    }

    /// The differences that a run must not make. `named` are the paths after `--remove`.
    pub(super) fn losses(&self, before: &Contents, force: bool, named: &[&str]) -> io::Result<(usize, Vec<String>)> {
        let after = self.contents()?;
        let mut lost = Vec::new();
        let mut n_changed = 0;
        for path in before.keys().chain(after.keys()).collect::<BTreeSet<_>>() {
            let (old, new) = (before.get(path), after.get(path));
            if old == new {
                continue;
            }
            n_changed += 1;
            let fate = self.foreign.get(path).copied().unwrap_or(Fate::Never);
            let is_fine = match (old, new) {
                _ if self.outputs.contains(path) => true,
                (Some(Thing::File(old, old_mode)), Some(Thing::File(new, new_mode))) if self.pages.contains(path) => {
                    old_mode == new_mode && by_hand(old) == by_hand(new)
                }
                (Some(_), None) => named.contains(&path.as_str()) || fate == Fate::AnyRun || (force && fate == Fate::Force),
                _ => false,
            };
            if !is_fine {
                let how = if new.is_none() {
                    "removed"
                } else if old.is_none() {
                    "added"
                } else {
                    "changed"
                };
                lost.push(format!("{path} was {how}"));
            }
        }
        Ok((n_changed, lost))
    }
}

/// A page without the text between markers and without digests.
fn by_hand(page: &[u8]) -> Vec<String> {
    let mut inside = false;
    let mut words = Vec::new();
    for line in String::from_utf8_lossy(page).split_inclusive('\n') {
        if line.contains("<!-- statespec:end ") {
            inside = false;
            words.push(format!("end{}", &line[line.trim_end().len()..]));
        } else if !inside {
            words.push(line.to_owned());
        }
        inside |= line.contains("<!-- statespec:begin ");
    }
    words
}

#[cfg(test)]
mod tests {
    use super::by_hand;

    #[test]
    fn only_the_text_of_regions_is_left_out() {
        let page = "Before.\n<!-- statespec:begin a -->\ntext\n<!-- statespec:end a 0123456789abcdef -->\nAfter.\n";
        let filled = page.replace("text\n", "other\ntext\n").replace("0123456789abcdef", "fedcba9876543210");
        assert_eq!(by_hand(page.as_bytes()), by_hand(filled.as_bytes()));
        for (old, new) in [("Before", "before"), ("After.\n", "After."), ("begin a", "begin b"), ("-->\nAfter", "-->\r\nAfter")] {
            assert_ne!(by_hand(page.as_bytes()), by_hand(page.replacen(old, new, 1).as_bytes()), "{old}");
        }
    }
}
