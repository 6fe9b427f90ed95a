//! A machine as an importer read it: texts, not yet names.

use crate::diagnostic::{Code, Diagnostic};
use crate::source::Span;

/// A machine on its way to a spec.
#[derive(Debug, Clone)]
pub(super) struct Draft {
    /// What the name is made of.
    pub(super) name: String,
    pub(super) title: Option<String>,
    pub(super) doc: Option<String>,
    /// The context, where the text declares it.
    pub(super) fields: Vec<Field>,
    /// Every state after the one around it.
    pub(super) states: Vec<State>,
    pub(super) rows: Vec<Row>,
    pub(super) notes: Vec<String>,
    /// Comments that stand after everything.
    pub(super) comments: Vec<String>,
    /// Where it was read.
    pub(super) span: Span,
    pub(super) found: Findings,
}

impl Draft {
    /// A machine of which nothing but its name is known yet.
    pub(super) fn new(name: impl Into<String>, span: Span) -> Self {
        Draft {
            name: name.into(),
            title: None,
            doc: None,
            fields: Vec::new(),
            states: Vec::new(),
            rows: Vec::new(),
            notes: Vec::new(),
            comments: Vec::new(),
            span,
            found: Findings::default(),
        }
    }
}

/// A context field: its default as YAML.
#[derive(Debug, Clone)]
pub(super) struct Field {
    pub(super) name: String,
    pub(super) ty: &'static str,
    pub(super) default: Option<String>,
    pub(super) optional: bool,
}

#[derive(Debug, Clone)]
pub(super) struct State {
    /// What the name is made of.
    pub(super) id: String,
    /// What a person reads, where that is not the id.
    pub(super) label: Option<String>,
    /// Paragraphs.
    pub(super) doc: Vec<String>,
    pub(super) parent: Option<usize>,
    pub(super) initial: bool,
    pub(super) terminal: bool,
    pub(super) entry: Vec<Effect>,
    pub(super) exit: Vec<Effect>,
    pub(super) inferred: Option<String>,
    pub(super) comments: Vec<String>,
    pub(super) span: Span,
}

impl State {
    pub(super) fn new(id: impl Into<String>, parent: Option<usize>, span: Span) -> Self {
        State {
            id: id.into(),
            label: None,
            doc: Vec::new(),
            parent,
            initial: false,
            terminal: false,
            entry: Vec::new(),
            exit: Vec::new(),
            inferred: None,
            comments: Vec::new(),
            span,
        }
    }
}

/// Something a step does: the text, and more about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Effect {
    pub(super) text: String,
    pub(super) doc: Option<String>,
}

impl Effect {
    pub(super) fn new(text: impl Into<String>) -> Self {
        Effect { text: text.into(), doc: None }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum From {
    Creation,
    Any,
    State(usize),
}

#[derive(Debug, Clone)]
pub(super) struct Row {
    pub(super) from: From,
    /// Stays where it is when left out.
    pub(super) to: Option<usize>,
    pub(super) events: Vec<String>,
    /// All of them must hold.
    pub(super) guards: Vec<String>,
    pub(super) effects: Vec<Effect>,
    /// What stands beside the arrow; kept where the spec would show something else.
    pub(super) label: Option<String>,
    pub(super) doc: Option<String>,
    pub(super) inferred: Option<String>,
    pub(super) comments: Vec<String>,
    pub(super) span: Span,
}

impl Row {
    pub(super) fn new(from: From, to: Option<usize>, span: Span) -> Self {
        Row {
            from,
            to,
            events: Vec::new(),
            guards: Vec::new(),
            effects: Vec::new(),
            label: None,
            doc: None,
            inferred: None,
            comments: Vec::new(),
            span,
        }
    }

    /// Takes over what a label says.
    pub(super) fn with_label(mut self, text: &str) -> Self {
        let label = super::label::parse(text);
        self.events = label.events;
        self.guards = label.guard.into_iter().collect();
        self.effects = label.effects.into_iter().map(Effect::new).collect();
        self.label = Some(text.to_owned());
        self
    }
}

/// What an import has to tell.
#[derive(Debug, Clone, Default)]
pub(super) struct Findings(pub(super) Vec<Diagnostic>);

impl Findings {
    /// Something that the spec language cannot say.
    pub(super) fn loss(&mut self, span: Span, message: impl Into<String>) {
        self.0.push(Diagnostic::new(Code::ImportLoss, span, message));
    }

    /// Something that the text does not say and the spec must.
    pub(super) fn assumed(&mut self, span: Span, message: impl Into<String>) {
        self.0.push(Diagnostic::new(Code::ImportAssumed, span, message));
    }

    /// Layout and colour.
    pub(super) fn ignored(&mut self, span: Span, message: impl Into<String>) {
        self.0.push(Diagnostic::new(Code::ImportLook, span, message));
    }

    /// A text that cannot be read.
    pub(super) fn unreadable(&mut self, span: Span, message: impl Into<String>) {
        self.0.push(Diagnostic::new(Code::ImportUnreadable, span, message));
    }

    /// [`Findings::unreadable`], with what to do.
    pub(super) fn unreadable_help(&mut self, span: Span, message: impl Into<String>, help: impl Into<String>) {
        self.0.push(Diagnostic::new(Code::ImportUnreadable, span, message).help(help));
    }

    /// All of them, sorted by place, each once.
    pub(super) fn finish(self) -> Vec<Diagnostic> {
        let mut found = self.0;
        found.sort_by(|a, b| (a.primary.0, a.code, &a.message).cmp(&(b.primary.0, b.code, &b.message)));
        found.dedup();
        found
    }
}
