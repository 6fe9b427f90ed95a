//! Text that is written line by line, with an indent.

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
}

impl Writer {
    /// An empty text; each level of indentation is `unit`.
    pub fn new(unit: &'static str) -> Self {
        Writer { text: String::new(), unit, depth: 0 }
    }

    /// Writes a line, or several with line ends between them; an empty one without the indent.
    pub fn line(&mut self, text: impl AsRef<str>) {
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
        self.text.push('\n');
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

    /// The whole text.
    pub fn into_text(self) -> String {
        self.text
    }
}
