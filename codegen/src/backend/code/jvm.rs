//! Kotlin and Java.

use statespec_lang::names;

use super::list::{Kind, List, Text, four_digits, quoted};
use super::{Case, Form, Language, Objection};

const KOTLIN: Language = Language { name: "Kotlin", fence: "kotlin", comment: ("// ", ""), columns: 100 };
const JAVA: Language = Language { name: "Java", fence: "java", comment: ("// ", ""), columns: 100 };

pub(super) const FORMS: &[Form] = &[
    Form { name: "kotlin-enum", language: &KOTLIN, kinds: Kind::NAMES, case: Case::Camel, make: kotlin_enum },
    Form { name: "kotlin-map", language: &KOTLIN, kinds: Kind::TABLES, case: Case::LowerCamel, make: kotlin_map },
    Form { name: "java-enum", language: &JAVA, kinds: Kind::NAMES, case: Case::Camel, make: java_enum },
    Form { name: "java-map", language: &JAVA, kinds: Kind::TABLES, case: Case::Shouty, make: java_map },
];

/// In Kotlin, a `$` in a text begins a template.
fn kotlin(text: &str) -> String {
    quoted(text, '"', &['$'], four_digits)
}

/// Java replaces `\u000a` before it reads the text around it, so low characters are in octal.
fn java(text: &str) -> String {
    quoted(text, '"', &[], |code| if code < 0x80 { format!("\\{code:03o}") } else { four_digits(code) })
}

fn kotlin_enum(list: &List<'_, '_>) -> Result<Text, Objection> {
    let mut text = Text::of(format!("enum class {}(val wire: String) {{", list.name));
    for (ident, item) in list.named(KOTLIN.name, |it| names::shouty(it.name))? {
        text.item(item, format!("    {ident}({}),", kotlin(item.wire)));
    }
    text.line("}");
    Ok(text)
}

fn kotlin_map(list: &List<'_, '_>) -> Result<Text, Objection> {
    let is_labels = list.subject.kind == Kind::Labels;
    let value = if is_labels { "String" } else { "List<String>" };
    let mut text = Text::of(format!("val {}: Map<String, {value}> = mapOf(", list.name));
    if is_labels {
        list.items().iter().for_each(|it| text.item(it, format!("    {} to {},", kotlin(it.wire), kotlin(it.shown()))));
    } else {
        list.rows(kotlin).for_each(|(item, targets)| {
            text.item(item, format!("    {} to listOf({}),", kotlin(item.wire), targets.join(", ")));
        });
    }
    text.line(")");
    Ok(text)
}

fn java_enum(list: &List<'_, '_>) -> Result<Text, Objection> {
    let name = list.name;
    let named = list.named(JAVA.name, |it| names::shouty(it.name))?;
    let mut text = Text::of(format!("public enum {name} {{"));
    for (idx, (ident, item)) in named.iter().enumerate() {
        let end = if idx + 1 == named.len() { ";" } else { "," };
        text.item(item, format!("    {ident}({}){end}", java(item.wire)));
    }
    text.line("");
    text.line("    public final String wire;");
    text.line("");
    text.line(format!("    {name}(String wire) {{"));
    text.line("        this.wire = wire;");
    text.line("    }");
    text.line("}");
    Ok(text)
}

fn java_map(list: &List<'_, '_>) -> Result<Text, Objection> {
    let is_labels = list.subject.kind == Kind::Labels;
    let value = if is_labels { "String" } else { "List<String>" };
    let mut text = Text::of(format!("public static final Map<String, {value}> {} = Map.ofEntries(", list.name));
    let values: Vec<String> = if is_labels {
        list.items().iter().map(|it| java(it.shown())).collect()
    } else {
        list.rows(java).map(|(_, targets)| format!("List.of({})", targets.join(", "))).collect()
    };
    for (idx, (item, value)) in list.items().iter().zip(&values).enumerate() {
        let comma = if idx + 1 == values.len() { "" } else { "," };
        text.item(item, format!("    Map.entry({}, {value}){comma}", java(item.wire)));
    }
    text.line(");");
    Ok(text)
}
