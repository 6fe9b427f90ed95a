//! Macros of the standard library, and those that are like them.

use syn::parse::{Parse, ParseStream};

use super::calls::panics;
use super::*;

/// The arguments of `matches!`.
pub(super) struct Matches {
    value: Expr,
    pattern: Pat,
    guard: Option<Expr>,
}

impl Parse for Matches {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let value = input.parse()?;
        input.parse::<Token![,]>()?;
        let pattern = Pat::parse_multi_with_leading_vert(input)?;
        let guard = if input.peek(Token![if]) {
            input.parse::<Token![if]>()?;
            Some(input.parse()?)
        } else {
            None
        };
        input.parse::<Option<Token![,]>>()?;
        Ok(Matches { value, pattern, guard })
    }
}

/// The elements of `vec![…]`.
struct Elements(Vec<Expr>);

impl Parse for Elements {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let all = syn::punctuated::Punctuated::<Expr, Token![,]>::parse_terminated(input)?;
        Ok(Elements(all.into_iter().collect()))
    }
}

/// The first argument of `assert!`.
struct First(Expr);

impl Parse for First {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let first = input.parse()?;
        input.parse::<TokenStream>()?;
        Ok(First(first))
    }
}

/// The values in `vec![…]`, in both of its forms.
pub(in crate::rust) fn elements(mac: &syn::Macro) -> Vec<Expr> {
    let tokens = &mac.tokens;
    match syn::parse2::<Expr>(quote::quote!([#tokens])) {
        Ok(Expr::Array(it)) => it.elems.into_iter().collect(),
        Ok(Expr::Repeat(it)) => vec![*it.expr],
        // Another macro of this name, whose arguments are no values.
        Ok(_) | Err(_) => Vec::new(),
    }
}

/// The arguments of a macro, if they are expressions.
pub(in crate::rust) fn arguments(mac: &syn::Macro) -> Option<Vec<Expr>> {
    syn::parse2::<Elements>(mac.tokens.clone()).ok().map(|it| it.0)
}

impl Eval<'_, '_> {
    /// The arguments of a macro, if they are expressions; parsed once.
    fn listed_in(&mut self, mac: &syn::Macro) -> Option<Rc<Vec<Expr>>> {
        let parse = || arguments(mac).map(Rc::new);
        self.lists.entry(range(&mac.tokens).start).or_insert_with(parse).clone()
    }

    pub(super) fn macro_(&mut self, mac: &syn::Macro, whole: &impl ToTokens, scope: &Scope) -> Vec<Case> {
        let name = mac.path.segments.last().map(|it| it.ident.to_string()).unwrap_or_default();
        match name.as_str() {
            "matches" => {
                let place = range(&mac.tokens).start;
                let parse = || syn::parse2::<Matches>(mac.tokens.clone()).ok().map(Rc::new);
                let Some(arguments) = self.parsed.entry(place).or_insert_with(parse).clone() else {
                    return Case::value(Value::lost(self.text_of(whole)));
                };
                let value = self.expr(&arguments.value, scope);
                self.then(value, |eval, value| {
                    let mut inner = scope.clone();
                    let guards = match eval.fit(&arguments.pattern, &value, &mut inner) {
                        Fit::No => return Case::value(Value::Bool(false)),
                        Fit::Yes => Vec::new(),
                        Fit::Maybe(guards, false) => guards,
                        Fit::Maybe(..) => return Case::value(Value::lost(eval.text_of(whole))),
                    };
                    let arm = eval.arm_of(&arguments.pattern, &value, scope);
                    let mut holds = match &arguments.guard {
                        Some(guard) => match eval.condition(guard, &inner).as_slice() {
                            [one] if one.guards.is_empty() => one.holds.clone(),
                            _ => Value::lost(eval.text_of(whole)),
                        },
                        None => Value::Bool(true),
                    };
                    for guard in guards {
                        holds = and(&Value::Unknown { text: guard, of_state: false }, &holds);
                    }
                    vec![Case { arm, ..Case::of(Flow::Value(holds)) }]
                })
            }
            "vec" => match self.listed_in(mac) {
                Some(all) => self.all(all.iter(), scope, Value::List),
                None => Case::value(Value::lost(self.text_of(whole))),
            },
            "unreachable" | "todo" | "unimplemented" => Case::flow(Flow::Never),
            _ if panics(&name) => Case::flow(Flow::Never),
            _ if returns(&name) => Case::flow(Flow::Return(Value::Err)),
            "ready"
                if let Some(arguments) = self.listed_in(mac)
                    && let Some(polled) = arguments.first() =>
            {
                let cases = self.expr(polled, scope);
                let text = self.since(self.text(polled), scope);
                // It returns where the value is pending.
                self.then(cases, |eval, _| {
                    let value = Flow::Value(eval.unknown_text(eval.text_of(whole), scope));
                    let ready = Case { guards: vec![format!("{text} is Ready(_)")], ..Case::of(value) };
                    vec![ready, Case::of(Flow::Return(Value::Unknown { text: "Poll::Pending".to_owned(), of_state: false }))]
                })
            }
            "assert_eq" | "assert_ne" | "debug_assert_eq" | "debug_assert_ne" => {
                let Some(arguments) = self.listed_in(mac) else { return Case::value(Value::Unit) };
                let cases = self.all(arguments.iter().take(2), scope, Value::List);
                let is_eq = name.ends_with("_eq");
                let is_checked = !name.starts_with("debug");
                self.then(cases, |eval, value| match &value {
                    Value::List(both) if both.len() == 2 => match both[0].equals(&both[1]) {
                        Some(equal) if equal != is_eq => Case::flow(Flow::Never),
                        None if is_checked && !both.iter().any(Value::is_of_state) => {
                            let sides = [0, 1].map(|it| eval.since(eval.text(&arguments[it]), scope));
                            let guard = sides.join(if is_eq { " == " } else { " != " });
                            let holds = Case { guards: vec![guard], ..Case::of(Flow::Value(Value::Unit)) };
                            vec![holds, Case::of(Flow::Never)]
                        }
                        _ => Case::value(Value::Unit),
                    },
                    _ => Case::value(Value::Unit),
                })
            }
            "assert" | "ensure" | "debug_assert" => {
                let parse = || syn::parse2::<First>(mac.tokens.clone()).ok().map(|it| Rc::new(vec![it.0]));
                let Some(arguments) = self.lists.entry(range(&mac.tokens).start).or_insert_with(parse).clone() else {
                    return Case::value(Value::Unit);
                };
                let refused = || if name == "ensure" { Flow::Return(Value::Err) } else { Flow::Never };
                let Some(condition) = arguments.first() else { return Case::value(Value::Unit) };
                let cases = self.expr(condition, scope);
                self.then(cases, |_, value| match value {
                    Value::Bool(true) => Case::value(Value::Unit),
                    Value::Bool(false) => Case::flow(refused()),
                    // A release does not check it.
                    Value::Unknown { .. } if name == "debug_assert" => Case::value(Value::Unit),
                    Value::Unknown { text, of_state: false } => {
                        let holds = Case { guards: vec![text], ..Case::of(Flow::Value(Value::Unit)) };
                        vec![holds, Case::of(refused())]
                    }
                    _ => lost_at(mac),
                })
            }
            _ => match self.listed_in(mac) {
                Some(arguments) if arguments.iter().any(|it| self.acts(it, scope)) => {
                    let arguments = self.all(arguments.iter(), scope, Value::List);
                    self.then(arguments, |eval, _| Case::value(eval.unknown_text(eval.text_of(whole), scope)))
                }
                arguments => {
                    let cases = Case::value(self.unknown_text(self.text_of(whole), scope));
                    self.unfollowed_macro(cases, mac, arguments.as_ref().map(|it| it.as_slice()), scope)
                }
            },
        }
    }
}

/// Whether a macro of this name returns an error: `bail!`, `crucible_bail!`, `throw!`.
pub(super) fn returns(name: &str) -> bool {
    name.split('_').any(|it| matches!(it, "bail" | "throw" | "return"))
}

/// The value and the pattern of `matches!`.
pub(in crate::rust) fn matches_arguments(mac: &syn::Macro) -> syn::Result<(Expr, Pat)> {
    syn::parse2::<Matches>(mac.tokens.clone()).map(|it| (it.value, it.pattern))
}
