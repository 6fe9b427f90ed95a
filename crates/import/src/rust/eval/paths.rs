//! Variables, variants and constants.

use super::*;

impl Eval<'_, '_> {
    /// The number of a variant.
    pub(super) fn number(&self, of: usize, idx: usize) -> Option<i128> {
        let variants = &self.items.enums[of].variants;
        let mut number = 0;
        for (at, variant) in variants.iter().enumerate() {
            if let Some(own) = variant.number {
                number = own?;
            }
            if at == idx {
                return Some(number).filter(|_| self.items.enums[of].is_known());
            }
            number += 1;
        }
        None
    }

    /// A variable, a variant, or a constant.
    pub(in crate::rust) fn path(&mut self, path: &syn::Path, scope: &Scope) -> Option<Value> {
        let address = std::ptr::from_ref(path).addr();
        if path.segments.len() > 1 {
            if let Some((of, idx)) = self.resolved.get(&address) {
                return Some(Value::Variant(*of, *idx));
            }
        } else if let Some(known) = path.get_ident().and_then(|it| scope.get_ident(it)) {
            return Some(known.clone());
        }
        let value = self.resolve(path, scope);
        if let Some(Value::Variant(of, idx)) = value
            && path.segments.len() > 1
        {
            self.resolved.insert(address, (of, idx));
        }
        value
    }

    fn resolve(&mut self, path: &syn::Path, scope: &Scope) -> Option<Value> {
        let names: Vec<String> = path.segments.iter().map(|it| it.ident.to_string().trim_start_matches("r#").to_owned()).collect();
        match names.as_slice() {
            [name] => {
                if let Some(known) = scope.get(name).filter(|_| name != "self") {
                    return Some(known.clone());
                }
                if name == "None" {
                    return Some(Value::None);
                }
                let ident = &path.segments[0].ident;
                if let Some((of, idx)) = self.items.bare_variant(ident, scope.of.as_deref(), &scope.module) {
                    return Some(Value::Variant(of, idx));
                }
                self.constant(None, name, scope)
            }
            [.., of, name] => {
                let of = if of == "Self" { scope.of.as_deref()?.to_owned() } else { of.clone() };
                if name == "None" && of == "Option" {
                    return Some(Value::None);
                }
                // The modules of a path say which of two enums is meant.
                let named: Vec<String> = names[..names.len() - 2].to_vec();
                let module = if named.is_empty() { &*scope.module } else { &named };
                let variant = self.items.enum_named(&of, module).and_then(|it| self.items.variant(it, name));
                variant.map(|(of, idx)| Value::Variant(of, idx)).or_else(|| self.constant(Some(&of), name, scope))
            }
            [] => None,
        }
    }

    /// The value of a constant.
    pub(in crate::rust) fn constant(&mut self, of: Option<&str>, name: &str, scope: &Scope) -> Option<Value> {
        if scope.depth > MAX_CALLS {
            return None;
        }
        let idx = self.items.constant(of, name).or_else(|| self.items.constant(None, name))?;
        self.seen.constants.insert(idx);
        let constant = &self.items.constants[idx];
        let inner = Scope::new(constant.of.as_ref(), &constant.module, scope.depth + 1);
        match self.expr(constant.value, &inner).as_slice() {
            [Case { guards, flow: Flow::Value(value), .. }] if guards.is_empty() => Some(value.clone()),
            _ => None,
        }
    }
}
