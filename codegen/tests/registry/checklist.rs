//! A backend that statespec does not have: a list of the states of each machine, for people who tick them off.

use std::sync::Arc;

use statespec_codegen::backend::{Backend, Configured, Job, Reader, Section};
use statespec_codegen::diagnostic::{Code, Diagnostic, Diagnostics};
use statespec_lang::output::{Blame, Output, Outputs};
use statespec_lang::read::Text;
use statespec_lang::source::Spanned;
use statespec_lang::yaml::Node;

mod keys {
    use statespec_lang::read::{Text, spec_types};

    spec_types! {
        /// Lists of states.
        pub struct Checklist as "`[checklist]`" {
            /// The folder of the lists.
            out: Text,
            /// The sign before each state: `dash` (if omitted) or `star`.
            sign: Option<Text>,
            /// A file of the project with the first lines of each list.
            head: Option<Text>,
            /// A machine without a list.
            except: Option<Text>,
        }
    }
}

/// The backend of lists.
#[derive(Debug)]
pub(crate) struct Checklist;

/// The lists of a project.
#[derive(Debug)]
struct Settings {
    out: String,
    sign: char,
    head: Option<Text>,
    except: Option<Text>,
}

impl Backend for Checklist {
    fn name(&self) -> &'static str {
        "lists"
    }

    fn about(&self) -> &'static str {
        "Lists of states"
    }

    fn section(&self) -> Section {
        Section::table::<keys::Checklist>("checklist", "Lists of states; none if omitted.")
    }

    fn read(&self, section: Node, reader: &mut Reader<'_>) -> Option<Arc<dyn Configured>> {
        let keys: keys::Checklist = reader.keys(section)?;
        let sign = keys.sign.map_or('-', |it| reader.choice("sign", &it, &[("dash", '-'), ("star", '*')]));
        let head = keys.head.map(|it| Spanned::new(reader.path(it.clone()), it.span));
        Some(Arc::new(Settings { out: reader.path(keys.out), sign, head, except: keys.except }))
    }
}

impl Configured for Settings {
    fn places(&self) -> Vec<String> {
        vec![self.out.clone()]
    }

    fn templates(&self) -> Vec<&Text> {
        self.head.iter().collect()
    }

    fn outputs<'a>(&'a self, job: Job<'a>, diagnostics: &mut Diagnostics) -> Outputs<'a> {
        if let Some(except) = self.except.as_ref().filter(|it| job.model.machine(&it.value).is_none()) {
            diagnostics.push(Diagnostic::new(Code::ConfigInvalid, except.span, format!("there is no machine `{}`", except.value)));
        }
        let head = self.head.as_ref().map_or("", |it| job.files.get(job.files.find(&it.value).unwrap()).text());
        let listed = job.model.machines.iter().filter(|it| self.except.as_ref().is_none_or(|except| except.value != it.name));
        let list = listed.map(|machine| {
            let lines = machine.states.iter().map(|it| format!("{} {}\n", self.sign, it.name));
            let text = head.to_owned() + &lines.collect::<String>();
            Output { path: format!("{}/{}.md", self.out, machine.name), text, origin: Some(machine.span), blame: Blame::default() }
        });
        Outputs { files: list.map(Output::into_pending).collect(), ..Outputs::default() }
    }
}
