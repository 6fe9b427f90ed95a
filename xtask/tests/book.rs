//! The book: every page is in the contents, no link is broken, mdBook has nothing to complain about, and the pages for
//! newcomers say what the programs do.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Component, Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd};
use statespec_codegen::diagnostic::Style;
use statespec_codegen::project::{Extras, Project};
use statespec_codegen::report::{RenderOptions, Report, Status};
use statespec_codegen::sync::Mode;
use walkdir::WalkDir;
use xtask::{book, root};

/// Pages outside of the book; what they link to exists, too.
const OTHERS: [&str; 8] = [
    "ARCHITECTURE.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "README.md",
    "SECURITY.md",
    "cli/README.md",
    "codegen/README.md",
    "macros/README.md",
];

/// A page as far as these tests read it.
#[derive(Default)]
struct Page {
    /// The text of the first heading.
    title: String,
    /// The ids of its headings, as mdBook and GitHub make them.
    ids: BTreeSet<String>,
    /// The texts of its links and images, with their targets.
    links: Vec<(String, String)>,
    /// Fenced blocks: the word after the fence, and the text.
    blocks: Vec<(String, String)>,
}

fn page(path: &Path) -> Page {
    let text = fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut page = Page::default();
    let (mut heading, mut block) = (None::<String>, None::<(String, String)>);
    let mut links: Vec<(String, String)> = Vec::new();
    for event in Parser::new_ext(&text, Options::ENABLE_TABLES) {
        match event {
            Event::Start(Tag::Heading { .. }) => heading = Some(String::new()),
            Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => links.push((String::new(), dest_url.into_string())),
            Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(info))) => block = Some((info.into_string(), String::new())),
            Event::Text(it) | Event::Code(it) => {
                let into = [heading.as_mut(), links.last_mut().map(|it| &mut it.0), block.as_mut().map(|it| &mut it.1)];
                into.into_iter().flatten().for_each(|text| text.push_str(&it));
            }
            Event::End(TagEnd::Heading(_)) => {
                let text = heading.take().unwrap();
                if page.title.is_empty() {
                    page.title.clone_from(&text);
                }
                page.ids.insert(id(&text));
            }
            Event::End(TagEnd::Link | TagEnd::Image) => page.links.extend(links.pop()),
            Event::End(TagEnd::CodeBlock) => page.blocks.extend(block.take()),
            _ => {}
        }
    }
    page
}

fn id(heading: &str) -> String {
    let is_kept = |it: &char| it.is_alphanumeric() || matches!(it, '-' | '_' | ' ');
    heading.to_lowercase().chars().filter(is_kept).map(|it| if it == ' ' { '-' } else { it }).collect()
}

/// A path without `.` and `..`.
fn normal(path: &Path) -> PathBuf {
    let mut normal = PathBuf::new();
    for it in path.components() {
        match it {
            Component::ParentDir => assert!(normal.pop(), "{}", path.display()),
            Component::CurDir => {}
            it => normal.push(it),
        }
    }
    normal
}

/// All pages below `docs`, by path relative to the root, with forward slashes.
fn pages() -> BTreeMap<String, Page> {
    let files = WalkDir::new(root().join("docs")).into_iter().map(|it| it.unwrap().into_path());
    let pages = files.filter(|it| it.extension().is_some_and(|it| it == "md"));
    let path = |file: &Path| file.strip_prefix(root()).unwrap().to_str().unwrap().replace('\\', "/");
    pages.map(|file| (path(&file), page(&file))).collect()
}

#[test]
fn every_page_is_in_the_contents() {
    let mut pages = pages();
    let contents = pages.remove("docs/SUMMARY.md").unwrap();
    let mut missing: BTreeSet<_> = pages.keys().cloned().collect();
    for (title, target) in &contents.links {
        let path = format!("docs/{target}");
        assert!(missing.remove(&path), "docs/SUMMARY.md links to {target} twice, or it does not exist");
        // Generated pages change their titles without anybody looking at the contents.
        if target.starts_with("machines/") && !target.ends_with("README.md") {
            assert_eq!(*title, pages[&path].title, "the title of {target}");
        }
    }
    assert!(missing.is_empty(), "docs/SUMMARY.md lacks {missing:?}");
}

#[test]
fn no_link_is_broken() {
    let mut pages = pages();
    for path in OTHERS {
        pages.insert(path.to_owned(), page(&root().join(path)));
    }
    let mut broken = Vec::new();
    for (path, page) in &pages {
        for (_, target) in &page.links {
            if target.contains("://") {
                continue;
            }
            let (file, anchor) = target.split_once('#').unwrap_or((target, ""));
            let folder = Path::new(path).parent().unwrap();
            let to = if file.is_empty() { PathBuf::from(path) } else { normal(&folder.join(file)) };
            let to = to.to_str().unwrap().replace('\\', "/");
            if !root().join(&to).is_file() {
                broken.push(format!("{path}: {target} does not exist"));
            } else if path.starts_with("docs/") && !to.starts_with("docs/") {
                broken.push(format!("{path}: {target} is outside of the book; name the file instead"));
            } else if !anchor.is_empty() && !pages.get(&to).is_some_and(|it| it.ids.contains(anchor)) {
                broken.push(format!("{path}: {target} names no heading"));
            }
        }
    }
    assert!(broken.is_empty(), "{broken:#?}");
}

/// The pinned mdBook; installed where every check runs in full.
fn mdbook() -> Option<PathBuf> {
    static INSTALLING: Mutex<()> = Mutex::new(());
    if crate::checks::is_complete() {
        let _one = INSTALLING.lock().unwrap_or_else(PoisonError::into_inner);
        return Some(book::installed_mdbook(&root()).unwrap_or_else(|error| panic!("{error}")));
    }
    let missing = || crate::checks::Missing::new(format!("there is no mdBook {}", book::MDBOOK), "`cargo xtask book` installs it");
    crate::checks::needed("the book", book::mdbook(&root()).ok_or_else(missing))
}

#[test]
fn it_builds_without_a_warning_and_its_links_lead_somewhere() {
    let Some(mdbook) = mdbook() else { return };
    let folder = tempfile::tempdir().unwrap();
    book::build_with(&mdbook, &root(), folder.path()).unwrap();
    let files = WalkDir::new(folder.path()).into_iter().map(|it| it.unwrap().into_path());
    let html: Vec<_> = files.filter(|it| it.extension().is_some_and(|it| it == "html")).collect();
    assert!(html.len() >= pages().len(), "{html:?}");
    let mut broken = Vec::new();
    for file in html.iter().filter(|it| !it.ends_with("404.html")) {
        let text = fs::read_to_string(file).unwrap();
        for attribute in [" href=\"", " src=\""] {
            for target in text.split(attribute).skip(1).filter_map(|it| it.split('"').next()) {
                let (target_file, anchor) = target.split_once('#').unwrap_or((target, ""));
                let to = if target_file.is_empty() { file.clone() } else { file.parent().unwrap().join(target_file) };
                let is_elsewhere = target.contains("://") || target.starts_with("data:") || target.starts_with("mailto:");
                let has_anchor = || anchor.is_empty() || fs::read_to_string(&to).unwrap().contains(&format!("id=\"{anchor}\""));
                if !(is_elsewhere || to.is_file() && has_anchor()) {
                    broken.push(format!("{}: {target}", file.strip_prefix(folder.path()).unwrap().display()));
                }
            }
        }
    }
    assert!(broken.is_empty(), "{broken:#?}");
}

#[test]
fn every_page_is_drawn_by_a_browser() {
    if !crate::checks::is_complete() {
        let remedy = "`cargo xtask book --look` opens them";
        return crate::checks::skip("every page of the book in a browser", &crate::checks::Missing::new("it takes a minute", remedy));
    }
    mdbook();
    let seen = book::build(&root(), true).unwrap_or_else(|error| panic!("{error}"));
    assert!(seen.contains(", 0 problems\n"), "{seen}");
}

#[test]
fn what_mdbook_warns_of_is_an_error() {
    let Some(mdbook) = mdbook() else { return };
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("docs")).unwrap();
    for (name, text) in [("book.toml", "[book]\nsrc = \".\"\n"), ("SUMMARY.md", "[A](a.md)\n"), ("a.md", "A <b>tag</i> that never ends\n")]
    {
        fs::write(folder.path().join("docs").join(name), text).unwrap();
    }
    let error = book::build_with(&mdbook, folder.path(), &folder.path().join("book")).unwrap_err();
    assert!(error.starts_with("mdBook warns:\n"), "{error}");
}

/// A project in a temporary folder.
struct Trial(tempfile::TempDir);

impl Trial {
    fn new(files: &[(&str, &str)]) -> Self {
        let trial = Trial(tempfile::tempdir().unwrap());
        files.iter().for_each(|(path, text)| trial.put(path, text));
        trial
    }

    fn put(&self, path: &str, text: &str) {
        let path = self.0.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn run(&self, mode: Mode) -> Report {
        let options = RenderOptions { full_diff: false, style: Style::Plain };
        Project::open(self.0.path()).unwrap().run(|_| Ok(Extras::default()), mode, options)
    }

    fn generate(&self) {
        let report = self.run(Mode::Write { force: false });
        assert_eq!(report.status, Status::Clean, "{}", report.text);
    }
}

/// The blocks of code of a page whose fences have this info string.
fn blocks(path: &str, info: &str) -> Vec<String> {
    let page = page(&root().join(path));
    page.blocks.into_iter().filter(|it| it.0 == info).map(|it| it.1).collect()
}

/// A file of the crates that the tests of the command build as a user would.
fn downstream(path: &str) -> String {
    fs::read_to_string(root().join("tests/downstream").join(path)).unwrap()
}

#[test]
fn the_first_machine_is_one_that_a_test_builds() {
    let page = "docs/guide/getting-started.md";
    assert_eq!(blocks(page, "yaml"), [downstream("derive-struct/machines/ticket.yaml")]);
    let (rust, programs) = (blocks(page, "rust,ignore"), ["derive-struct/src/main.rs", "derive-enum/src/main.rs"]);
    assert_eq!(rust.len(), programs.len());
    for (block, program) in rust.iter().zip(programs) {
        assert!(downstream(program).contains(block), "{program} is not\n{block}");
    }
    let short = &blocks("README.md", "rust,ignore")[0];
    assert!(downstream(programs[0]).contains(short), "{} has not\n{short}", programs[0]);
}

/// The first spec of a page, its diagram, and the report after a change of its guard.
#[track_caller]
fn the_report_is_what_the_check_says(page: &str, files: &[(&str, &str)]) {
    let spec = &blocks(page, "yaml")[0];
    let trial = Trial::new(files);
    trial.put("machines/ticket.yaml", spec);
    trial.generate();
    let generated = fs::read_to_string(trial.0.path().join("docs/machines/ticket.md")).unwrap();
    assert!(generated.contains(&format!("```mermaid\n{}```\n", blocks(page, "mermaid")[0])), "the diagram is not in\n{generated}");
    trial.put("machines/ticket.yaml", &spec.replace("answers > 0", "answers > 1"));
    let report = trial.run(Mode::Check);
    assert_eq!(report.status.exit_code(), 100);
    // The page shows the report with omissions.
    let mut rest = report.text.as_str();
    for part in blocks(page, "text")[0].split("…\n") {
        let at = rest.find(part).unwrap_or_else(|| panic!("this part of {page} is not in the report:\n{part}\n\n{}", report.text));
        rest = &rest[at + part.len()..];
    }
}

#[test]
fn the_report_of_the_readme_is_what_the_check_says() {
    the_report_is_what_the_check_says("README.md", &[]);
}

#[test]
fn the_report_of_the_first_machine_is_what_the_check_says() {
    the_report_is_what_the_check_says("docs/guide/getting-started.md", &[("Cargo.toml", "")]);
}

#[test]
fn regions_work_in_notes_and_tabs_of_other_site_generators() {
    let pages = blocks("docs/guide/sites.md", "markdown");
    assert_eq!(pages.len(), 3, "MkDocs, Sphinx, Docusaurus");
    let trial = Trial::new(&[("machines/ticket.yaml", &downstream("derive-struct/machines/ticket.yaml"))]);
    for (idx, text) in pages.iter().enumerate() {
        trial.put(&format!("docs/{idx}.md"), text);
    }
    trial.generate();
    for (idx, before) in pages.iter().enumerate() {
        let text = fs::read_to_string(trial.0.path().join(format!("docs/{idx}.md"))).unwrap();
        let lines = |it: &str| it.lines().filter(|it| !it.starts_with("<!-- statespec:end")).map(str::to_owned).collect::<Vec<_>>();
        assert!(text.contains("\n| "), "nothing was generated in\n{text}");
        assert!(lines(before).iter().all(|it| lines(&text).contains(it)), "the page's own text is the same:\n{text}");
        let regions = |it: &str| it.matches("statespec:begin").count();
        let filled = text.lines().filter(|it| it.starts_with("<!-- statespec:end") && it.split(' ').count() == 5).count();
        assert_eq!(filled, regions(before), "{text}");
    }
}
