//! A machine as an importer reads it: texts that are not yet names.

use crate::diagnostic::{Code, Diagnostic};
use crate::source::Span;

/// A machine to be written as a spec.
#[derive(Debug, Clone)]
pub(super) struct Draft {
    pub(super) kind: super::Kind,
    /// Whether the text decides every pair of states: an edge that it does not have is refused.
    pub(super) complete: bool,
    /// The text that the name is derived from.
    pub(super) name: String,
    pub(super) title: Option<String>,
    pub(super) doc: Option<String>,
    /// The context, if the text declares it.
    pub(super) fields: Vec<Field>,
    /// The states, each after its parent.
    pub(super) states: Vec<State>,
    pub(super) rows: Vec<Row>,
    pub(super) notes: Vec<String>,
    /// Trailing comments.
    pub(super) comments: Vec<String>,
    /// The place of the machine in the imported text.
    pub(super) span: Span,
    pub(super) found: Findings,
}

impl Draft {
    /// A machine of which only the name is known.
    pub(super) fn new(kind: super::Kind, name: impl Into<String>, span: Span) -> Self {
        Draft {
            kind,
            complete: kind == super::Kind::Chart,
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

impl Draft {
    /// Gives a state a history, with a field of its own; false if it has one of the other kind.
    pub(super) fn remember(&mut self, state: usize, shallow: bool) -> bool {
        if let Some((_, known)) = &self.states[state].history {
            return *known == shallow;
        }
        let stem = format!("last_{}", super::naming::slug(&self.states[state].id, "state"));
        let mut name = stem.clone();
        let mut number = 1;
        while self.fields.iter().any(|it| it.name == name) {
            number += 1;
            name = format!("{stem}_{number}");
        }
        self.fields.push(Field { name: name.clone(), ty: "state", default: None, optional: true });
        self.states[state].history = Some((name, shallow));
        true
    }
}

/// A context field, with its default as YAML.
#[derive(Debug, Clone)]
pub(super) struct Field {
    pub(super) name: String,
    pub(super) ty: &'static str,
    pub(super) default: Option<String>,
    pub(super) optional: bool,
}

#[derive(Debug, Clone)]
pub(super) struct State {
    /// The text that the name is derived from.
    pub(super) id: String,
    /// The label, if it differs from the id.
    pub(super) label: Option<String>,
    /// The description, as paragraphs.
    pub(super) doc: Vec<String>,
    pub(super) parent: Option<usize>,
    pub(super) initial: bool,
    pub(super) terminal: bool,
    /// The field that remembers where the machine was inside, and whether only the child.
    pub(super) history: Option<(String, bool)>,
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
            history: None,
            entry: Vec::new(),
            exit: Vec::new(),
            inferred: None,
            comments: Vec::new(),
            span,
        }
    }
}

/// An action of a step: its text and its description.
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

/// The trigger of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Trigger {
    /// Its events; without any, a request that names the target.
    Events,
    /// Any other event.
    AnyOther,
    /// None: the step is taken as soon as its guards hold.
    Automatic,
    /// The source is done.
    Done,
    /// The source has been active for [`Row::after`].
    After,
}

#[derive(Debug, Clone)]
pub(super) struct Row {
    pub(super) from: From,
    /// The states that [`From::Any`] leaves out.
    pub(super) except: Vec<usize>,
    /// The target; `None` stays in the current state.
    pub(super) to: Option<usize>,
    /// Whether the target is where the machine was last inside `to`.
    pub(super) to_history: bool,
    pub(super) trigger: Trigger,
    pub(super) events: Vec<String>,
    /// The duration of a timer, in the syntax of a spec.
    pub(super) after: String,
    /// The text that the name of the timer is derived from, if the text has a name for it.
    pub(super) timer: Option<String>,
    /// The guards, all of which must hold.
    pub(super) guards: Vec<String>,
    pub(super) effects: Vec<Effect>,
    /// The events that the machine raises itself.
    pub(super) raise: Vec<String>,
    /// Whether the source or the target, whichever contains the other, is left and entered again.
    pub(super) reenter: bool,
    /// Who may raise the events; anyone if empty.
    pub(super) by: Vec<String>,
    /// The label of the arrow; kept if the spec would show another text.
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
            except: Vec::new(),
            to,
            to_history: false,
            trigger: Trigger::Events,
            events: Vec::new(),
            after: String::new(),
            timer: None,
            guards: Vec::new(),
            effects: Vec::new(),
            raise: Vec::new(),
            reenter: false,
            by: Vec::new(),
            label: None,
            doc: None,
            inferred: None,
            comments: Vec::new(),
            span,
        }
    }

    /// Adds the parts of a label.
    pub(super) fn with_label(mut self, text: &str) -> Self {
        let label = super::label::parse(text);
        self.events = label.events;
        self.guards = label.guard.into_iter().collect();
        self.effects = label.effects.into_iter().map(Effect::new).collect();
        self.label = Some(text.to_owned());
        self
    }
}

/// The findings of an import.
#[derive(Debug, Clone, Default)]
pub(super) struct Findings(pub(super) Vec<Diagnostic>);

impl Findings {
    /// Adds a construct that the spec language cannot express.
    pub(super) fn loss(&mut self, span: Span, message: impl Into<String>) {
        self.0.push(Diagnostic::new(Code::ImportLoss, span, message));
    }

    /// Adds an assumption: the spec requires a value that the text does not state.
    pub(super) fn assumed(&mut self, span: Span, message: impl Into<String>) {
        self.0.push(Diagnostic::new(Code::ImportAssumed, span, message));
    }

    /// Adds a start that the text leaves out.
    pub(super) fn added(&mut self, span: Span, message: impl Into<String>) {
        self.0.push(Diagnostic::new(Code::ImportAdded, span, message));
    }

    /// Adds ignored layout and colour.
    pub(super) fn ignored(&mut self, span: Span, message: impl Into<String>) {
        self.0.push(Diagnostic::new(Code::ImportLook, span, message));
    }

    /// Adds a text that cannot be read.
    pub(super) fn unreadable(&mut self, span: Span, message: impl Into<String>) {
        self.0.push(Diagnostic::new(Code::ImportUnreadable, span, message));
    }

    /// [`Findings::unreadable`], with a remedy.
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
