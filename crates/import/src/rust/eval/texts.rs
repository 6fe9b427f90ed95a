//! The texts of code, for conditions.

use super::fields::{code_after, is_after};
use super::*;

/// The name by which a scope knows that a variable is mutable; no code has this name.
pub(super) fn mutable(name: &str) -> String {
    format!("mut {name}")
}

/// Code in one line, as it would be written in a line that is long enough.
fn in_one_line(code: &str) -> String {
    let mut whole = String::with_capacity(code.len());
    for line in code.lines().map(str::trim).filter(|it| !it.is_empty()) {
        let goes_on = line.starts_with('.') && !line.starts_with("..");
        let closes = line.starts_with([')', ']']);
        if closes && whole.ends_with(',') {
            whole.pop();
        }
        if !(whole.is_empty() || goes_on || closes || whole.ends_with(['(', '['])) {
            whole.push(' ');
        }
        let mut words = line.split_whitespace();
        whole.extend(words.next());
        words.for_each(|it| whole.extend([" ", it]));
    }
    whole
}

impl Eval<'_, '_> {
    /// The source text of an expression of the file, in one line; an expression that is made for a while has [`Eval::text_anew`].
    pub(in crate::rust) fn text(&self, expr: &Expr) -> String {
        let mut texts = self.texts.borrow_mut();
        let known = texts.entry(std::ptr::from_ref(expr).addr()).or_insert_with(|| self.text_anew(expr).into());
        self.burn(known.len() / 4);
        known.to_string()
    }

    pub(in crate::rust) fn text_anew(&self, expr: &Expr) -> String {
        self.text_at(range_of_expr(expr))
    }

    /// The source text of a piece of syntax, in one line.
    pub(in crate::rust) fn text_of(&self, syntax: &impl ToTokens) -> String {
        self.text_at(range(syntax))
    }

    fn text_at(&self, range: Range<usize>) -> String {
        // A long text takes long, too.
        self.burn(range.len() / 4);
        in_one_line(self.source.get(range).unwrap_or_default())
    }

    pub(super) fn unknown(&self, expr: &Expr, scope: &Scope) -> Value {
        self.unknown_text(self.text(expr), scope)
    }

    /// A value of which only its text is known.
    pub(super) fn unknown_text(&self, text: String, scope: &Scope) -> Value {
        let of_state = scope.mentions_state(&text);
        Value::Unknown { text: self.distinct(self.since(text, scope), scope), of_state }
    }

    /// A text with the values of its variables, where other variables of the file have the same names, or the value is not
    /// that of before the step.
    pub(super) fn distinct(&self, mut text: String, scope: &Scope) -> String {
        // What has changed a value since it got its name stands in the text already.
        let value_of = |name: &str| match scope.get(name) {
            Some(Value::Unknown { text, .. }) if text != name && code_after(name, text).is_none() => Some(text),
            _ => None,
        };
        let is_open = |name: &str| self.ambiguous.contains(name) || value_of(name).is_some_and(|it| is_after(it));
        // A long file has many such names, and a text has few words.
        let mut open: BTreeSet<String> = names(&text).filter(|it| is_open(it)).map(str::to_owned).collect();
        while let Some(name) = open.pop_first() {
            if let Some(value) = value_of(&name) {
                // What has such a name may have changed since it was declared.
                let sign = if scope.has(&mutable(&name)) { "mut " } else { "" };
                let remark = format!(" with {sign}{name} = {value}");
                if !text.contains(&remark) {
                    text.push_str(&remark);
                }
                open.extend(names(value).filter(|it| **it > *name && is_open(it)).map(str::to_owned));
            }
        }
        text
    }
}
