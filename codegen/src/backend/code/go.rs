//! Go, as gofmt lays it out.

use statespec_lang::names;

use super::list::{Kind, List, Text, four_digits, quoted};
use super::{Case, Form, Language, Objection};

const LANGUAGE: Language = Language { name: "Go", fence: "go", comment: ("// ", ""), columns: 100 };

pub(super) const FORMS: &[Form] = &[
    Form { name: "go-const", language: &LANGUAGE, kinds: Kind::NAMES, case: Case::Camel, make: constants },
    Form { name: "go-map", language: &LANGUAGE, kinds: Kind::TABLES, case: Case::Camel, make: map },
];

fn literal(text: &str) -> String {
    quoted(text, '"', &[], four_digits)
}

fn constants(list: &List<'_, '_>) -> Result<Text, Objection> {
    let name = list.name;
    let named = list.named(LANGUAGE.name, |it| format!("{name}{}", names::upper_camel(it.name).trim_start_matches('_')))?;
    // Go has letters and digits in identifiers, and no marks.
    if let Some((_, item)) = named.iter().find(|(ident, _)| ident.chars().any(|it| it != '_' && !it.is_alphanumeric())) {
        return Err(Objection {
            message: format!("`{}` has characters that Go has in no identifier", item.name),
            help: "give it a name of letters and digits, and the present one as `wire`".to_owned(),
            also: Some((item.span, "the name".to_owned())),
        });
    }
    let width = named.iter().map(|(ident, _)| ident.chars().count()).max().unwrap_or_default();
    let mut text = Text::of(format!("type {name} string\n\nconst ("));
    for (ident, item) in &named {
        text.item(item, format!("\t{ident:width$} {name} = {}", literal(item.wire)));
    }
    let all = if name.ends_with('s') { format!("All{name}") } else { format!("All{name}s") };
    text.line(format!(")\n\nfunc {all}() []{name} {{\n\treturn []{name}{{"));
    named.iter().for_each(|(ident, item)| text.item(item, format!("\t\t{ident},")));
    text.line("\t}\n}");
    Ok(text)
}

fn map(list: &List<'_, '_>) -> Result<Text, Objection> {
    let is_labels = list.subject.kind == Kind::Labels;
    let value = if is_labels { "string" } else { "[]string" };
    let mut text = Text::of(format!("var {} = map[string]{value}{{", list.name));
    let keys: Vec<String> = list.items().iter().map(|it| literal(it.wire)).collect();
    let values: Vec<String> = if is_labels {
        list.items().iter().map(|it| literal(it.shown())).collect()
    } else {
        list.rows(literal).map(|(_, targets)| format!("{{{}}}", targets.join(", "))).collect()
    };
    let widths = widths(&keys);
    for (((item, key), value), width) in list.items().iter().zip(&keys).zip(values).zip(widths) {
        text.item(item, format!("\t{:width$} {value},", format!("{key}:")));
    }
    text.line("}");
    Ok(text)
}

/// The width of the column of each key: gofmt aligns the values of keys of similar lengths, those in a row.
fn widths(keys: &[String]) -> Vec<usize> {
    /// Keys up to this length are similar.
    const SMALL: usize = 40;
    /// So are those whose length is within this ratio of the mean of the ones before.
    const RATIO: f64 = 2.5;
    let mut sections: Vec<Vec<usize>> = Vec::new();
    let (mut sum, mut count, mut previous) = (0.0, 0.0, 0);
    for key in keys {
        let size = key.len();
        let is_alike = count == 0.0 || previous <= SMALL && size <= SMALL || {
            let ratio = size as f64 / about_exp2(sum / count);
            RATIO * ratio > 1.0 && ratio < RATIO
        };
        let width = key.chars().count() + 1;
        match sections.last_mut().filter(|_| is_alike) {
            Some(section) => section.push(width),
            None => {
                sections.push(vec![width]);
                (sum, count) = (0.0, 0.0);
            }
        }
        sum += about_log2(size);
        count += 1.0;
        previous = size;
    }
    sections.iter().flat_map(|it| vec![it.iter().copied().max().unwrap_or_default(); it.len()]).collect()
}

/// The logarithm as gofmt computes it: straight between powers of two.
fn about_log2(size: usize) -> f64 {
    let n_bits = usize::BITS - size.leading_zeros();
    f64::from(n_bits) + 2.0 * (size as f64 / (1_u64 << n_bits) as f64 - 1.0)
}

/// The inverse of [`about_log2`].
fn about_exp2(log: f64) -> f64 {
    (1.0 + log.fract()) * (1_u64 << log as u32) as f64
}
