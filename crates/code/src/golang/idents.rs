//! The identifiers of one package.

use statespec_lang::model::machine::Field;
use statespec_lang::model::{EventId, FieldId, Machine, StateId};

use crate::names::{self, Names, camel as camels, is_invisible, pascal as pascals, snake};

/// Keywords and predeclared names of Go, which parameters do not have.
const WORDS: &str = "any append bool break byte cap case chan close comparable complex complex128 complex64 const continue copy default \
    defer delete else error fallthrough false float32 float64 for func go goto if imag import int int16 int32 int64 int8 \
    interface iota len make map new nil package panic print println range real recover return rune select string struct \
    switch true type uint uint16 uint32 uint64 uint8 uintptr var init main";

/// Names of packages that mean something else.
const PACKAGES: [&str; 7] = ["conformance", "documentation", "internal", "statespec", "testdata", "tests", "vendor"];

/// The exported names that packages have themselves.
const OWN: &str = "Actor AllActors AllComposites AllEventKinds AllStates AllTimers ApplyRequest Change Composite Context Create \
    CreateAs Decode DecodeEffect DecodeEvent DecodeTimers DirectRequest Due Effect Elapsed Event EventKind EventRequest \
    KindOf MarshalStates MayRaise MessageOf New NewContext Observe ParseActor ParseComposite ParseEventKind ParseState \
    ParseTimer Predicates Refused State Target Timer TimerRequest Timers";

/// Methods that a struct has: no field has their names.
const METHODS: [&str; 2] = ["MarshalJSON", "UnmarshalJSON"];

/// An identifier in letters that Go has: others are written as their numbers.
fn lettered(name: &str) -> String {
    let is_letter = |it: char| match it {
        '_' => true,
        it if it.is_ascii() => it.is_ascii_alphanumeric(),
        // Marks and numbers that count as letters elsewhere.
        '\u{345}' | '\u{2160}'..='\u{2188}' | '\u{24b6}'..='\u{24e9}' => false,
        '\u{3041}'..='\u{3096}' | '\u{30a1}'..='\u{30fa}' | '\u{4e00}'..='\u{9fff}' | '\u{ac00}'..='\u{d7a3}' => true,
        it => it.is_lowercase() || it.is_uppercase(),
    };
    let number = |it: char| format!("U{:04X}", u32::from(it));
    name.chars().map(|it| if is_letter(it) { it.to_string() } else { number(it) }).collect()
}

/// An exported identifier.
fn pascal(name: &str) -> String {
    let cased = lettered(&pascals(name));
    let cased = cased.trim_start_matches('_');
    if cased.starts_with(char::is_uppercase) { cased.to_owned() } else { format!("X{cased}") }
}

/// What follows a prefix that makes it an exported identifier.
fn suffix(name: &str) -> String {
    lettered(&pascals(name)).trim_start_matches('_').to_owned()
}

/// The name of a parameter.
fn camel(name: &str) -> String {
    let cased = lettered(&camels(name));
    if cased.starts_with('_') { format!("x{cased}") } else { cased }
}

/// The name of the package of a machine, which is that of its folder: lower-case letters of ASCII.
pub(super) fn package(name: &str) -> String {
    let number = |it: char| format!("u{:04x}", u32::from(it));
    let letters = snake(name).replace('_', "");
    let letters: String = letters.chars().map(|it| if it.is_ascii_alphanumeric() { it.to_string() } else { number(it) }).collect();
    if letters.starts_with(|it: char| it.is_ascii_alphabetic()) { letters } else { format!("x{letters}") }
}

/// The names that no package of a machine has.
pub(super) fn taken_packages() -> impl Iterator<Item = &'static str> {
    WORDS.split(' ').chain(PACKAGES).chain(IMPORTED)
}

/// Packages of the standard library that tests import beside those of machines.
const IMPORTED: [&str; 2] = ["json", "testing"];

/// The identifiers that only Go has.
pub(super) struct Own {
    /// The constants of timers; empty for the other events.
    timers: Vec<String>,
    /// The fields as parameters.
    parameters: Vec<String>,
}

/// The identifiers of a package.
pub(super) type Idents = crate::idents::Idents<Own>;

impl Idents {
    pub(super) fn of(machine: &Machine) -> Idents {
        let mut all = Names::besides(OWN.split(' '));
        let in_struct = |fields: Vec<&str>| Names::besides(METHODS).claim_all(fields, pascal);
        let names = |fields: &[Field]| fields.iter().map(|it| it.name.clone()).collect::<Vec<_>>();
        let own = all.claim(pascal(&machine.name));
        let enums: Vec<String> = machine.enums.iter().map(|it| claim_type(&mut all, pascal(&it.name))).collect();
        let values = machine.enums.iter().zip(&enums).map(|(it, of)| prefixed(&mut all, of, it.values.iter().map(|it| it.name.as_str())));
        let values = values.collect();
        let states = machine.state_ids().map(|id| {
            let prefix = if machine.is_leaf(id) { "State" } else { "Composite" };
            all.claim(format!("{prefix}{}", suffix(&machine.state(id).name)))
        });
        let states = states.collect();
        let event_names = || machine.events.iter().map(|it| it.name.as_str());
        let kinds = prefixed(&mut all, "Kind", event_names());
        let is_timer = |idx: usize| machine.events[idx].timer.is_some();
        // Timers have no struct, and other events no timer.
        let mut claimed = |wants_timer: bool, case: fn(&str) -> String| {
            let name = |(idx, name): (usize, &str)| if is_timer(idx) == wants_timer { all.claim(case(name)) } else { String::new() };
            event_names().enumerate().map(name).collect::<Vec<_>>()
        };
        let timers = claimed(true, |it| format!("Timer{}", suffix(it)));
        let events = claimed(false, pascal);
        let context = names(&machine.fields);
        Idents {
            machine: own,
            states,
            enums,
            values,
            events,
            kinds,
            payload: in_struct(machine.payload_names.iter().map(String::as_str).collect()),
            fields: in_struct(context.iter().map(String::as_str).collect()),
            effects: all.claim_all(machine.effects.iter().map(|it| it.name.as_str()), |it| format!("{}Effect", pascal(it))),
            taken: machine.effects.iter().map(|it| in_struct(it.takes.iter().map(|it| it.field.name.as_str()).collect())).collect(),
            constants: all.claim_all(machine.constants.iter().map(|it| it.name.as_str()), pascal),
            actors: prefixed(&mut all, "Actor", machine.actors.iter().map(|it| it.name.as_str())),
            predicates: Names::default().claim_all(machine.predicates.iter().map(|it| it.name.as_str()), pascal),
            own: Own {
                timers,
                parameters: Names::besides(WORDS.split(' ').chain(["statespec"])).claim_all(context.iter().map(String::as_str), camel),
            },
        }
    }

    /// The list of the leaves inside a composite.
    pub(super) fn inside(&self, id: StateId) -> String {
        format!("inside{}", self.state(id))
    }

    pub(super) fn timer(&self, id: EventId) -> &str {
        &self.own.timers[id.index()]
    }

    /// A field as a parameter.
    pub(super) fn parameter(&self, id: FieldId) -> &str {
        &self.own.parameters[id.index()]
    }
}

/// The functions `All…` and `Parse…` of a type of names.
pub(super) fn functions(ty: &str) -> [String; 2] {
    let plural = if ty.ends_with('s') { "" } else { "s" };
    [format!("All{ty}{plural}"), format!("Parse{ty}")]
}

/// Claims a type of names with its functions.
fn claim_type(all: &mut Names, mut name: String) -> String {
    loop {
        name = all.claim(name);
        if functions(&name).into_iter().all(|it| all.claim(it.clone()) == it) {
            return name;
        }
    }
}

fn prefixed<'n>(all: &mut Names, prefix: &str, names: impl Iterator<Item = &'n str>) -> Vec<String> {
    all.claim_all(names, |it| format!("{prefix}{}", suffix(it)))
}

/// A text as a literal.
pub(super) fn quoted(text: &str) -> String {
    names::quoted(text, |it| match it {
        '\t' => "\\t".to_owned(),
        it if u32::from(it) > 0xffff => format!("\\U{:08x}", u32::from(it)),
        it => format!("\\u{:04x}", u32::from(it)),
    })
}

/// A comment of one line before `ident`: gofmt lays out none that begins with a name.
pub(super) fn comment(ident: &str, text: &str) -> String {
    remark(&format!("{ident}:"), text)
}

/// A comment of one line: some words, and a text.
pub(super) fn remark(words: &str, text: &str) -> String {
    let plain = text.replace(|it: char| it.is_control() || is_invisible(it), " ");
    let text: Vec<&str> = plain.split_whitespace().collect();
    format!("// {words} {}", text.join(" ")).trim_end().to_owned()
}

/// Several expressions as the elements of a slice of this type.
pub(super) fn slice(ty: &str, items: impl IntoIterator<Item = String>) -> String {
    format!("[]{ty}{{{}}}", items.into_iter().collect::<Vec<_>>().join(", "))
}

/// Lines of a block whose first column gofmt aligns: a comment in front of one begins another run.
pub(super) fn aligned(lines: &[(Option<String>, String, String)]) -> Vec<String> {
    let mut text = Vec::new();
    for run in lines.chunk_by(|_, next| next.0.is_none()) {
        let width = run.iter().map(|(_, ident, _)| ident.chars().count()).max().unwrap_or_default();
        for (doc, ident, rest) in run {
            text.extend(doc.clone());
            text.push(format!("{ident:width$} {rest}"));
        }
    }
    text
}
