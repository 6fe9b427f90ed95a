//! Which functions set a state, by themselves and by functions that they call on `self`.
//!
//! ```text
//! fn abort(&mut self) { self.enter(Phase::Aborted); }
//! fn enter(&mut self, phase: Phase) { self.phase = phase; }
//! ```

use std::collections::{BTreeMap, BTreeSet};

use super::items::{Items, type_name};
use super::variables::{Site, Variables};

pub(super) struct Setters<'v> {
    items: &'v Items<'v>,
    variables: &'v [Variables],
    /// The enums that a field of a name holds, in whatever type.
    held: BTreeMap<&'v str, BTreeSet<usize>>,
    /// The fields of each type that hold an enum, as far as any function of the type tells: `self.phase`.
    fields: BTreeMap<(Option<&'v str>, &'v str), BTreeSet<usize>>,
    /// The enums that each function sets by itself.
    own: Vec<BTreeSet<usize>>,
}

impl<'v> Setters<'v> {
    pub(super) fn new(items: &'v Items<'v>, variables: &'v [Variables]) -> Self {
        let mut fields: BTreeMap<(Option<&str>, &str), BTreeSet<usize>> = BTreeMap::new();
        for (function, variables) in items.functions.iter().zip(variables) {
            let compared = variables.all.iter().map(|it| (it.key.as_str(), it.of));
            let assigned = variables.assigned.iter().flat_map(|(key, given)| given.iter().map(|it| (key.as_str(), *it)));
            // A value that only has another one inside, with an old state, holds no state itself.
            let may_hold = |key: &str, it: usize| match (function.of.as_deref(), key.strip_prefix("self.")) {
                (Some(of), Some(field)) if !field.contains('.') => items.may_hold(of, field, it),
                _ => true,
            };
            let assigned = assigned.filter(move |(key, it)| may_hold(key, *it));
            for (key, of) in compared.chain(assigned).filter(|(key, _)| key.starts_with("self.")) {
                fields.entry((function.of.as_deref(), key)).or_default().insert(of);
            }
        }
        let mut held: BTreeMap<&str, BTreeSet<usize>> = BTreeMap::new();
        for variable in variables.iter().flat_map(|it| &it.all) {
            if let Some((_, field)) = variable.key.rsplit_once('.') {
                held.entry(field).or_default().insert(variable.of);
            }
        }
        let own = items.functions.iter().zip(variables).map(|(function, variables)| {
            let mut found: BTreeSet<usize> = variables.sites.iter().flat_map(|it| enums_of(items, &held, it)).collect();
            for (key, given) in &variables.assigned {
                // A variable of the function is not what others see.
                if !key.contains('.') && !variables.through.contains(key) {
                    continue;
                }
                found.extend(given);
                // What is given is not known by itself.
                let own = fields.get(&(function.of.as_deref(), key.as_str())).filter(|_| given.is_empty());
                found.extend(own.into_iter().flatten());
                // `mem::take(&mut self.inner.state)`, and `self.state` of what the type stands for.
                let (place, field) = key.rsplit_once('.').unwrap_or(("", key));
                let is_declared = || place == "self" && function.of.as_deref().is_some_and(|it| items.field_type(it, field).is_some());
                let is_open = given.is_empty() && own.is_none() && variables.through.contains(key) && key.starts_with("self.");
                if is_open && !is_declared() {
                    found.extend(held.get(field).into_iter().flatten());
                    found.extend(items.enums_of_field(field));
                }
                found.extend(variables.all.iter().filter(|it| it.key == *key).map(|it| it.of));
                // `self.state = Default::default()`
                let field = key.strip_prefix("self.").filter(|it| !it.contains('.') && variables.replaced.contains(key));
                let ty = field.and_then(|it| items.field_type(function.of.as_deref()?, it)).and_then(type_name);
                found.extend(ty.and_then(|it| items.enum_named(&it, &function.module)));
            }
            found
        });
        let own = own.collect();
        Setters { items, variables, held, fields, own }
    }

    /// The places in a function that set a state of an enum.
    pub(super) fn sites(&self, function: usize, of: usize, is_known: impl Fn(usize) -> bool) -> impl Iterator<Item = &'v Site> {
        let calls = move |it: &Site| it.call.is_some_and(|it| !is_known(it) && self.sets(it, of, &is_known));
        self.variables[function].sites.iter().filter(move |it| enums_of(self.items, &self.held, it).any(|it| it == of) || calls(it))
    }

    /// Whether a function sets a state of an enum, by itself or by calls other than those that are known.
    pub(super) fn sets(&self, function: usize, of: usize, is_known: impl Fn(usize) -> bool) -> bool {
        self.behind(function, |it| !is_known(it)).into_iter().any(|it| self.own[it].contains(&of))
    }

    /// Whether a field of a type holds an enum.
    pub(super) fn holds(&self, of_type: Option<&str>, field: &str, of: usize) -> bool {
        let ty = of_type.and_then(|it| self.items.field_type(it, field)).and_then(type_name);
        match ty {
            Some(ty) => self.items.enum_named(&ty, &[]) == Some(of),
            None => self.held.get(field).is_some_and(|it| it.contains(&of)),
        }
    }

    /// The fields of its type that a function assigns, each with the enum that it holds, if it holds only one.
    pub(super) fn assigned(&self, function: usize, of: Option<&str>) -> impl Iterator<Item = (&'v str, usize)> {
        let of_type = self.fields.iter().filter(move |((it, _), _)| *it == of);
        of_type.filter_map(move |((_, path), enums)| match enums.iter().collect::<Vec<_>>().as_slice() {
            [only] if self.assigns(function, path) => Some((*path, **only)),
            _ => None,
        })
    }

    /// Whether a function assigns a path, by itself or by calls of functions that do not look at it.
    pub(super) fn assigns(&self, function: usize, path: &str) -> bool {
        let looks = |it: usize| self.variables[it].all.iter().any(|it| it.key == path);
        self.behind(function, |it| !looks(it)).into_iter().any(|it| self.variables[it].assigned.contains_key(path))
    }

    /// Whether a function assigns a path, by itself or by calls.
    pub(super) fn may_assign(&self, function: usize, path: &str) -> bool {
        self.behind(function, |_| true).into_iter().any(|it| self.variables[it].assigned.contains_key(path))
    }

    /// A function, and those that it calls, as far as they are wanted.
    fn behind(&self, function: usize, is_wanted: impl Fn(usize) -> bool) -> BTreeSet<usize> {
        let mut found = BTreeSet::from([function]);
        let mut open = vec![function];
        while let Some(function) = open.pop() {
            let calls = self.variables[function].calls.iter().copied();
            open.extend(calls.filter(|it| is_wanted(*it) && found.insert(*it)).collect::<Vec<_>>());
        }
        found
    }
}

/// The enums of which a place sets a state: by a variant, or by a field of a new value.
fn enums_of<'s>(items: &'s Items<'_>, held: &'s BTreeMap<&str, BTreeSet<usize>>, site: &'s Site) -> impl Iterator<Item = usize> + use<'s> {
    let by_field = site.fields.iter().flat_map(move |(of, field)| {
        let enums = held.get(field.as_str()).into_iter().flatten();
        enums.filter(move |it| items.may_hold(of, field, **it))
    });
    site.enums.iter().chain(by_field).copied()
}
