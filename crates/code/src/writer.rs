//! Text that is written line by line, with an indent, and what it imports.

use std::collections::BTreeSet;

/// A name from elsewhere that a text uses: the module that has it, and the name; without one, the module itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Import {
    /// The module.
    pub module: &'static str,
    /// The name in the module.
    pub name: Option<&'static str>,
}

/// What a text imports.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Imports(BTreeSet<Import>);

impl Imports {
    /// Notes an import, and returns how the text names it.
    pub fn name(&mut self, import: Import) -> &'static str {
        self.0.insert(import);
        import.name.unwrap_or(import.module)
    }

    /// Notes what another text imports.
    pub fn extend(&mut self, others: impl IntoIterator<Item = Import>) {
        self.0.extend(others);
    }
}

impl IntoIterator for Imports {
    type Item = Import;
    type IntoIter = std::collections::btree_set::IntoIter<Import>;

    /// The imports, sorted, each once.
    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

/// A text of indented lines.
///
/// ```
/// use statespec_code::writer::Writer;
///
/// let mut out = Writer::new("  ");
/// out.block("switch (state) {", "}", |out| out.line("default: return false;"));
/// assert_eq!(out.into_text(), "switch (state) {\n  default: return false;\n}\n");
/// ```
#[derive(Debug)]
pub struct Writer {
    text: String,
    unit: &'static str,
    depth: usize,
    /// The empty lines that the next line has above it.
    apart: usize,
    /// What the text imports.
    pub imports: Imports,
}

impl Writer {
    /// An empty text; each level of indentation is `unit`.
    pub fn new(unit: &'static str) -> Self {
        Writer { text: String::new(), unit, depth: 0, apart: 0, imports: Imports::default() }
    }

    /// Writes a line, or several with line ends between them; an empty one without the indent.
    pub fn line(&mut self, text: impl AsRef<str>) {
        let apart = std::mem::take(&mut self.apart);
        // The first line has nothing above it.
        if !self.text.is_empty() {
            (0..apart).for_each(|_| self.text.push('\n'));
        }
        for line in text.as_ref().split('\n') {
            if !line.is_empty() {
                (0..self.depth).for_each(|_| self.text.push_str(self.unit));
                self.text.push_str(line);
            }
            self.text.push('\n');
        }
    }

    /// Writes an empty line.
    pub fn blank(&mut self) {
        self.line("");
    }

    /// Puts so many empty lines between what is written and the next line, if there is something on both sides.
    pub fn apart(&mut self, n_lines: usize) {
        self.apart = self.apart.max(n_lines);
    }

    /// Writes lines one level deeper.
    pub fn indented(&mut self, inside: impl FnOnce(&mut Writer)) {
        self.depth += 1;
        inside(self);
        self.depth -= 1;
    }

    /// Writes a line, lines one level deeper, and a last line.
    pub fn block(&mut self, open: impl AsRef<str>, close: impl AsRef<str>, inside: impl FnOnce(&mut Writer)) {
        self.line(open);
        self.indented(inside);
        self.line(close);
    }

    /// Writes what another text has, and notes what it imports.
    pub fn append(&mut self, other: Writer) {
        if let Some(text) = other.text.strip_suffix('\n') {
            self.line(text);
        }
        self.imports.extend(other.imports);
    }

    /// The whole text.
    pub fn into_text(self) -> String {
        self.text
    }
}
