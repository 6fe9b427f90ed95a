//! Patterns against values.

use syn::Pat;

use super::eval::{Eval, carried};
use super::range::place;
use super::value::{Place, Scope, Value};

/// Whether a pattern matches a value.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Fit {
    No,
    Yes,
    /// It depends on something that is not known; the text is a guard unless it is about a state.
    Maybe(Vec<String>, bool),
}

impl Fit {
    fn and(self, other: Fit) -> Fit {
        match (self, other) {
            (Fit::No, _) | (_, Fit::No) => Fit::No,
            (Fit::Yes, it) | (it, Fit::Yes) => it,
            (Fit::Maybe(a, of), Fit::Maybe(b, other)) => Fit::Maybe(a.into_iter().chain(b).collect(), of || other),
        }
    }
}

impl Eval<'_, '_> {
    /// The place of an arm, and of several alternatives the one that matches the value; of a called function, none.
    pub(super) fn arm_of(&mut self, pattern: &Pat, value: &Value, scope: &Scope) -> Option<Place> {
        if scope.depth > 0 {
            return None;
        }
        let found = match pattern {
            Pat::Or(several) => several.cases.iter().find(|it| self.fit(it, value, &mut scope.clone()) != Fit::No),
            _ => None,
        };
        Some(place(found.unwrap_or(pattern)))
    }

    /// Matches a value and binds the names of the pattern.
    pub(super) fn fit(&mut self, pattern: &Pat, value: &Value, scope: &mut Scope) -> Fit {
        self.burn(1);
        match pattern {
            Pat::Wild(_) | Pat::Rest(_) => Fit::Yes,
            Pat::Paren(it) => self.fit(&it.pat, value, scope),
            Pat::Reference(it) => self.fit(&it.pat, value, scope),
            Pat::Type(it) => self.fit(&it.pat, value, scope),
            Pat::Ident(it) => {
                let name = it.ident.to_string();
                if it.subpat.is_none() && name.starts_with(char::is_uppercase) {
                    if name == "None" {
                        return self.same(&Value::None, value, pattern, scope);
                    }
                    if let Some((of, idx)) = self.bare(&it.ident, value, scope) {
                        return self.same(&Value::Variant(of, idx), value, pattern, scope);
                    }
                    if let Some(constant) = self.constant(None, &name, scope) {
                        return self.same(&constant, value, pattern, scope);
                    }
                    // A variant or constant that came with `*` from another file.
                    return self.maybe(value, pattern, scope);
                }
                scope.set(name, value.clone());
                match &it.subpat {
                    Some((_, inner)) => self.fit(inner, value, scope),
                    None => Fit::Yes,
                }
            }
            Pat::Or(it) => {
                let mut open: Option<Fit> = None;
                for case in &it.cases {
                    match self.fit(case, value, scope) {
                        Fit::Yes => return Fit::Yes,
                        Fit::No => {}
                        Fit::Maybe(guards, of) => {
                            let guard = guards.join(" && ");
                            open = Some(match open {
                                Some(Fit::Maybe(before, other)) => {
                                    Fit::Maybe(vec![format!("{} || {guard}", before.join(" && "))], of || other)
                                }
                                _ => Fit::Maybe(vec![guard], of),
                            });
                        }
                    }
                }
                open.unwrap_or(Fit::No)
            }
            Pat::Lit(it) => {
                let literal = super::eval::literal(&it.lit);
                self.same(&literal, value, pattern, scope)
            }
            Pat::Path(it) => match self.variant_of(&it.path, value, scope) {
                Some(expected) => self.same(&expected, value, pattern, scope),
                None => self.maybe(value, pattern, scope),
            },
            Pat::Tuple(it) => {
                let elements: Vec<&Pat> = it.elems.iter().collect();
                match value {
                    Value::Tuple(values) => self.elements(&elements, values, scope),
                    _ if elements.iter().all(|it| accepts_all(it)) => Fit::Yes,
                    _ => self.maybe(value, pattern, scope),
                }
            }
            Pat::TupleStruct(it) => {
                let elements: Vec<&Pat> = it.elems.iter().collect();
                let last = it.path.segments.last().map(|it| it.ident.to_string()).unwrap_or_default();
                match (last.as_str(), value) {
                    ("Some", Value::Some(inner)) | ("Ok", Value::Ok(inner)) => {
                        return elements.first().map_or(Fit::Yes, |it| self.fit(it, inner, scope));
                    }
                    ("Some", Value::None) | ("Ok", Value::Err) | ("Err", Value::Ok(_)) => return Fit::No,
                    ("Err", Value::Err) if elements.iter().all(|it| accepts_all(it)) => return Fit::Yes,
                    _ => {}
                }
                let variant = self.variant_of(&it.path, value, scope);
                self.carrying(variant, &elements, value, pattern, scope)
            }
            Pat::Struct(it) => {
                let elements: Vec<&Pat> = it.fields.iter().map(|it| &*it.pat).collect();
                let variant = self.variant_of(&it.path, value, scope);
                self.carrying(variant, &elements, value, pattern, scope)
            }
            _ => self.maybe(value, pattern, scope),
        }
    }

    /// The variant, or the constant, that a pattern names.
    fn variant_of(&mut self, path: &syn::Path, value: &Value, scope: &Scope) -> Option<Value> {
        let bare = path.get_ident().and_then(|it| self.bare(it, value, scope));
        bare.map(|(of, idx)| Value::Variant(of, idx)).or_else(|| self.path(path, scope))
    }

    /// `Event::Finish(false)`: what a variant carries is not known.
    fn carrying(&mut self, variant: Option<Value>, elements: &[&Pat], value: &Value, pattern: &Pat, scope: &mut Scope) -> Fit {
        let Some(variant) = variant else { return self.maybe(value, pattern, scope) };
        let fit = self.same(&variant, value, pattern, scope);
        if fit == Fit::No {
            return fit;
        }
        let carries = elements.iter().all(|it| accepts_all(it));
        for element in elements {
            let text = self.text_of(*element);
            scope.set(carried(&text), Value::Unit);
            let _ = self.fit(element, &Value::Unknown { text, of_state: false }, scope);
        }
        let whole = if carries { Fit::Yes } else { Fit::Maybe(vec![self.text_of(pattern)], false) };
        if matches!(fit, Fit::Maybe(..)) { fit } else { whole }
    }

    fn elements(&mut self, elements: &[&Pat], values: &[Value], scope: &mut Scope) -> Fit {
        let rest = elements.iter().position(|it| matches!(it, Pat::Rest(_)));
        let n_behind = rest.map_or(0, |it| elements.len() - it - 1);
        let n_before = rest.unwrap_or(elements.len());
        if n_before + n_behind > values.len() || (rest.is_none() && elements.len() != values.len()) {
            return Fit::No;
        }
        let before = elements[..n_before].iter().zip(values);
        let behind = elements[elements.len() - n_behind..].iter().zip(&values[values.len() - n_behind..]);
        let mut whole = Fit::Yes;
        for (element, value) in before.chain(behind) {
            whole = whole.and(self.fit(element, value, scope));
            if whole == Fit::No {
                break;
            }
        }
        whole
    }

    fn same(&mut self, expected: &Value, value: &Value, pattern: &Pat, scope: &Scope) -> Fit {
        match expected.equals(value) {
            Some(true) => Fit::Yes,
            Some(false) => Fit::No,
            None => self.maybe(value, pattern, scope),
        }
    }

    fn maybe(&mut self, value: &Value, pattern: &Pat, scope: &Scope) -> Fit {
        let text = format!("{} is {}", value.show(self.items), binding(&self.text_of(pattern)));
        let of_state = value.is_of_state() || matches!(value, Value::Variant(..)) || scope.mentions_state(&text);
        Fit::Maybe(vec![text], of_state)
    }

    /// A variant without a qualifier, because of a `use`.
    pub(super) fn bare(&self, name: &syn::Ident, value: &Value, scope: &Scope) -> Option<(usize, usize)> {
        let used = self.items.bare_variant(name, scope.of.as_deref(), &scope.module)?;
        let name = &name.to_string();
        match value {
            // Two enums may have variants of the same name.
            Value::Variant(of, _) => self.items.variant(*of, name).or(Some(used)),
            _ => Some(used),
        }
    }
}

/// Whether a pattern matches everything.
fn accepts_all(pattern: &Pat) -> bool {
    match pattern {
        Pat::Wild(_) | Pat::Rest(_) => true,
        // One that begins with a capital is a variant or a constant.
        Pat::Ident(it) => it.subpat.is_none() && !it.ident.to_string().starts_with(char::is_uppercase),
        Pat::Paren(it) => accepts_all(&it.pat),
        Pat::Reference(it) => accepts_all(&it.pat),
        Pat::Tuple(it) => it.elems.iter().all(accepts_all),
        _ => false,
    }
}

/// A pattern, however it binds: `Some(receipt)` of `Some(mut receipt)`.
fn binding(pattern: &str) -> String {
    pattern.replace("(ref mut ", "(").replace("(mut ", "(").replace("(ref ", "(")
}
