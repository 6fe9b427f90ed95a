//! The code of values and conditions, as it is shown.

use super::*;

impl Eval<'_, '_> {
    /// The code that a value is of, in a condition.
    pub(super) fn text_for(&self, expr: &Expr, value: &Value, path: &Path) -> String {
        match (self.seen_through(path, value.clone()), &expr.kind) {
            (Value::Open(it), _) if !it.text.is_empty() => it.text,
            (Value::Tuple(values), Kind::Tuple(all)) if all.len() == values.len() => {
                let texts: Vec<String> = all.iter().zip(&values).map(|(expr, value)| self.text_for(expr, value, path)).collect();
                format!("({})", texts.join(", "))
            }
            _ => self.render(held(expr), path),
        }
    }

    /// A value that is not known, by its code.
    pub(super) fn unknown(&self, expr: &Expr, path: &Path, has_state: bool) -> Value {
        Value::Open(Open::new(self.render(expr, path), has_state.then_some(expr.at)))
    }

    /// The line and the column of a place, counted from one; the column in bytes.
    pub(super) fn line_and_column(&self, at: usize) -> (usize, usize) {
        let n_before = self.breaks.partition_point(|it| *it < at);
        let start = n_before.checked_sub(1).map_or(0, |it| self.breaks[it] + 1);
        (n_before + 1, at - start + 1)
    }

    pub(super) fn text_of(&self, at: At) -> String {
        self.text[at.0..at.1].split_whitespace().collect::<Vec<_>>().join(" ")
    }

    /// The code of an expression. Each variable is replaced by its value; a note says if something in it has changed before.
    pub(super) fn render(&self, expr: &Expr, path: &Path) -> String {
        let (mut text, mut last, mut times) = (String::new(), expr.at.0, 0);
        let mut places: Vec<(&Place, At)> = Vec::new();
        expr.all(&mut |it| {
            if let Kind::Place(place) = &it.kind {
                places.push((place, it.at));
            }
        });
        places.sort_by_key(|it| it.1);
        for (place, at) in places {
            if at.0 < last || at.1 > expr.at.1 {
                continue;
            }
            let known = self.resolved(path, place);
            times += self.n_changes(path, &known);
            let shown = match self.read(path, place) {
                Value::Open(it) => it.text,
                Value::Behind(it) => self.name_of(&it),
                _ => self.name_of(&known),
            };
            let is_simple = shown.chars().all(|it| it.is_alphanumeric() || "_.():&".contains(it)) || at == expr.at;
            text.push_str(&self.text[last..at.0]);
            text.push_str(&if is_simple { shown } else { format!("({shown})") });
            last = at.1;
        }
        text.push_str(&self.text[last..expr.at.1]);
        let mut text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        if text.len() > MAX_CODE {
            let (line, column) = self.line_and_column(expr.at.0);
            text = format!("the value at line {line}, column {column}");
        }
        after(text, times)
    }
}

/// A condition is another one after a change of what it asks.
pub(super) fn after(text: String, n_changes: usize) -> String {
    match n_changes {
        0 => text,
        1 => format!("{text} after a change"),
        _ => format!("{text} after {n_changes} changes"),
    }
}

/// What a reference to a value is to: `job` of `job.as_mut()`.
pub(super) fn held(expr: &Expr) -> &Expr {
    match &expr.kind {
        Kind::Borrow(_, inner) => held(inner),
        Kind::Method(name, inner, all) if all.is_empty() && is_to_hold(name) => held(inner),
        _ => expr,
    }
}

/// What such a method of `Option` and `Result` returns is there where its receiver is.
pub(super) fn is_to_hold(name: &str) -> bool {
    matches!(name, "as_ref" | "as_mut" | "as_deref" | "as_deref_mut")
}

/// The parts of the text of a tuple.
pub(super) fn parts_of(text: &str, n_parts: usize) -> Vec<String> {
    let inner = text.strip_prefix('(').and_then(|it| it.strip_suffix(')')).unwrap_or_default();
    let (mut parts, mut depth, mut start) = (Vec::new(), 0_i32, 0);
    for (at, sign) in inner.char_indices() {
        match sign {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(inner[start..at].trim().to_owned());
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(inner[start..].trim().to_owned());
    parts.retain(|it| !it.is_empty());
    if parts.len() == n_parts { parts } else { (0..n_parts).map(|it| format!("part {} of {text}", it + 1)).collect() }
}
