//! Lowers a system to the IR: the only part of the systems' backend that reads the model.
//!
//! What the system does is in its [`SystemProgram`]; here it gets the names and types of Rust.

mod conditions;
mod enums;
mod invariants;
mod links;
mod orders;
mod parts;
mod resolve;
mod transactions;
mod world;

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::{Ident, TokenStream};
use quote::quote;
use statespec_lang::model::system::{Link, Part, Rule};
use statespec_lang::model::{EnumId, Model, PartId, System};
use statespec_lang::names::{snake, upper_camel};
use statespec_lang::program::system::Given;
use statespec_lang::program::{Expr, SystemProgram};

use super::ir;
use crate::Style;
use crate::ir::Env;
use crate::lower::{Lowering, ModuleOptions, docs};
use crate::names::{ModuleNames, UniqueNames};

/// The system's module.
pub(crate) fn lower(model: &Model, system: &System, style: &Style) -> ir::System {
    let options = ModuleOptions::default();
    SystemLowering::new(model, system, style, &options).system()
}

/// The state of lowering a system to the IR.
struct SystemLowering<'m> {
    system: &'m System,
    program: SystemProgram<'m>,
    env: Env,
    modules: ModuleNames,
    /// The machines that the system refers to, by position in the model.
    machines: BTreeMap<usize, Lowering<'m>>,
    names: Names,
    used: RefCell<Used>,
}

/// The identifiers of all spec elements, by position.
struct Names {
    parts: Vec<PartNames>,
    actors: Vec<Ident>,
    transactions: Vec<Ident>,
    transaction_variants: Vec<Ident>,
    rules: Vec<Ident>,
    invariants: Vec<Ident>,
    /// The functions that check invariants.
    checks: Vec<Ident>,
    /// The functions that compare instances, for each part.
    orders: Vec<Vec<Ident>>,
    /// The methods of links.
    links: Vec<Ident>,
    /// The methods of links for roles of the parts that they watch.
    role_links: BTreeMap<(usize, PartId), Ident>,
    /// The methods of rules for roles of the parts that they guard.
    role_rules: BTreeMap<(usize, PartId), Ident>,
}

/// The identifiers of one part.
struct PartNames {
    variant: Ident,
    /// The base of longer names: `hop` in `hop_id`.
    base: String,
    /// The name of a variable.
    local: String,
    /// The field of `World`, and the field for its predicates.
    field: Ident,
    predicates: Ident,
    /// Methods of `World`.
    get: Ident,
    id: Ident,
    load: Ident,
    make: Ident,
    fire: Ident,
    create: Ident,
    follow: Ident,
    /// Methods of `World` that load the part as the owner of another one.
    load_owner: BTreeMap<PartId, Ident>,
}

/// The parts of `World` that transactions and links use.
#[derive(Default)]
struct Used {
    slots: BTreeSet<PartId>,
    get: BTreeSet<PartId>,
    id: BTreeSet<PartId>,
    load: BTreeSet<PartId>,
    /// Owners, each with the part that determines it.
    load_owner: BTreeSet<(PartId, PartId)>,
    make: BTreeSet<PartId>,
    fire: BTreeSet<PartId>,
    create: BTreeSet<PartId>,
    rules: BTreeSet<usize>,
    /// Rules about a part that apply to a role of it, with their conditions.
    role_rules: BTreeMap<(usize, PartId), Expr>,
}

/// The methods of `World` that are not named after a part, and those of the prelude's traits that take any value: of a
/// `&mut World` these come first.
const WORLD: &[&str] = &["empty", "clone", "require", "save", "into", "try_into"];

/// The variants of `Refused` that are not named after a part.
const REFUSED: &[&str] = &["Actor", "Missing", "OutOfRange", "Rule", "Invariant", "DivisionByZero", "Self"];

impl<'m> SystemLowering<'m> {
    fn new(model: &'m Model, system: &'m System, style: &Style, options: &'m ModuleOptions) -> Self {
        let used = system.parts.iter().map(|it| it.machine).chain(system.enum_origins.iter().map(|(machine, _)| *machine));
        let machines = used.map(|idx| (idx, Lowering::new(&model.machines[idx], style, options))).collect();
        SystemLowering {
            system,
            program: SystemProgram::of(model, system),
            env: Env::of_file(style),
            modules: ModuleNames::of(model),
            names: Names::new(system, &machines),
            machines,
            used: RefCell::default(),
        }
    }

    /// The values of payloads in transactions and links.
    fn given(&self) -> impl Iterator<Item = &Given> {
        let fires = self.program.transactions.iter().flat_map(|it| &it.fires).chain(self.program.links.iter().map(|it| &it.fire));
        fires.flat_map(|it| &it.payload)
    }

    /// Whether the payload of an event, or the condition of a link, may divide by zero.
    fn divides(&self) -> bool {
        let mut conditions = self.program.links.iter().filter_map(|it| it.when.as_ref());
        self.given().any(|it| it.divides.is_some()) || conditions.any(|it| it.divides.is_some())
    }

    fn system(self) -> ir::System {
        let system = self.system;
        let transactions: Vec<_> = (0..system.transactions.len()).map(|idx| self.transaction(idx)).collect();
        let world = (!transactions.is_empty()).then(|| self.world());
        let invariants: Vec<_> = (0..system.invariants.len()).map(|idx| self.invariant(idx)).collect();
        let mut module_doc = vec![docs::sentence(&system.title), system.doc.as_deref().map(docs::sentence).unwrap_or_default()];
        module_doc.push(docs::bullets(&system.notes));
        ir::System {
            name: system.name.clone(),
            module_doc,
            parts: self.lower_parts(),
            keeps_text: system.part_ids().any(|it| self.machine(it).context_has(&statespec_lang::model::Type::Text)),
            part_enum: self.part_enum(),
            transaction_enum: self.transaction_enum(),
            actors: self.actor_enum(),
            rules: self.rule_enum(),
            invariant_enum: self.invariant_enum(),
            converts: converts(&transactions, world.as_ref()),
            transactions,
            world,
            invariants,
            divides: self.divides(),
            orders: self.orders(),
            env: self.env,
        }
    }

    fn part(&self, id: PartId) -> &'m Part {
        self.system.part(id)
    }

    fn machine(&self, id: PartId) -> &Lowering<'m> {
        &self.machines[&self.part(id).machine]
    }

    fn names(&self, id: PartId) -> &PartNames {
        &self.names.parts[id.index()]
    }

    /// `super::hop`
    fn path(&self, id: PartId) -> TokenStream {
        self.module_path(&self.machine(id).machine.name)
    }

    fn module_path(&self, machine: &str) -> TokenStream {
        let module = self.modules.of_name(machine);
        quote! { super::#module }
    }

    /// The machine that defines an enum of the system, and the enum's id there.
    fn enum_origin(&self, id: EnumId) -> (&Lowering<'m>, EnumId) {
        let (machine, own) = self.system.enum_origins[id.index()];
        (&self.machines[&machine], own)
    }

    fn has_effects(&self, part: PartId) -> bool {
        !self.machine(part).machine.effects.is_empty()
    }

    /// The method of a link, which watches a part or a role of it.
    fn link_method(&self, idx: usize, part: PartId) -> Ident {
        let is_role = self.system.plays(part) != part;
        if is_role { self.names.role_links[&(idx, part)].clone() } else { self.names.links[idx].clone() }
    }
}

/// Whether a transaction, a rule or a link converts a value.
fn converts(transactions: &[ir::Transaction], world: Option<&ir::World>) -> bool {
    let role_rules = world.iter().flat_map(|it| &it.role_rules).map(|it| &it.condition);
    let rules = world.iter().flat_map(|it| &it.rules).map(|(_, condition)| condition).chain(role_rules);
    let links = || world.iter().flat_map(|it| &it.links);
    let conditions = links().filter_map(|it| it.when.as_ref()).map(|(_, condition)| condition);
    let fires = transactions.iter().flat_map(|it| &it.fires).chain(links().map(|it| &it.fire));
    let payloads = fires.flat_map(|it| &it.payload).map(|(_, value)| value);
    rules.chain(conditions).chain(payloads).any(crate::ir::Expr::converts)
}

impl Names {
    fn new(system: &System, machines: &BTreeMap<usize, Lowering<'_>>) -> Self {
        let transactions = system.transactions.iter().map(|it| &it.name);
        let mut functions = UniqueNames::besides(["check_invariants", "plan"]);
        let idents = functions.claim_all(transactions.clone(), snake);
        let rules = conditions::rules(system, machines);
        let invariants = conditions::invariants(system, machines);
        let mut methods = UniqueNames::besides(WORLD.iter().copied());
        let parts = PartNames::all(system, &mut methods);
        let links = system.links.iter().map(|link| methods.claim(link_name(system, machines, link))).collect();
        let (mut role_links, mut role_rules) = (BTreeMap::new(), BTreeMap::new());
        for role in system.role_ids() {
            for (idx, link) in system.links_of(role) {
                role_links.insert((idx, role), methods.claim(link_name(system, machines, &link)));
            }
            let guards = |rule: &Rule| rule.events.iter().any(|(part, _)| *part == system.plays(role));
            for (idx, _) in system.rules.iter().enumerate().filter(|(_, it)| guards(it)) {
                let name = format!("require_{}_of_{}", snake(&rules[idx].to_string()), parts[role.index()].base);
                role_rules.insert((idx, role), methods.claim(name));
            }
        }
        Names {
            parts,
            actors: UniqueNames::besides(["Self"]).claim_all(system.actors.iter().map(|it| &it.name), upper_camel),
            transactions: idents,
            transaction_variants: UniqueNames::besides(["Self"]).claim_all(transactions, upper_camel),
            checks: invariants.iter().map(|it| functions.claim(format!("check_{}", snake(&it.to_string())))).collect(),
            orders: orders::names(system, machines, &mut functions),
            rules,
            invariants,
            links,
            role_links,
            role_rules,
        }
    }
}

impl PartNames {
    /// The names of all parts, then those of all roles.
    fn all(system: &System, methods: &mut UniqueNames) -> Vec<PartNames> {
        let reserved = REFUSED.iter().chain((!system.roles.is_empty()).then_some(&"Same")).copied();
        let variants = UniqueNames::besides(reserved).claim_all(system.parts.iter().map(|it| &it.name), upper_camel);
        let mut fields = UniqueNames::default();
        let mut all = Vec::new();
        PartNames::claim(system.part_ids().collect(), system, &variants, &mut fields, methods, &mut all);
        PartNames::claim(system.role_ids().collect(), system, &variants, &mut fields, methods, &mut all);
        for role in system.role_ids() {
            if let Some((owner, _)) = system.part(role).of {
                let method = methods.claim(format!("load_{}_of_{}", all[owner.index()].base, all[role.index()].base));
                all[owner.index()].load_owner.insert(role, method);
            }
        }
        all
    }

    fn claim(
        ids: Vec<PartId>,
        system: &System,
        variants: &[Ident],
        fields: &mut UniqueNames,
        methods: &mut UniqueNames,
        all: &mut Vec<PartNames>,
    ) {
        let idents = fields.claim_all(ids.iter().map(|it| &system.part(*it).name), snake);
        let locals: Vec<String> = ids.iter().map(|it| snake(&system.part(*it).name)).collect();
        let bases: Vec<String> = locals.iter().map(|it| base(it)).collect();
        let gets: Vec<Ident> = locals.iter().map(|it| methods.claim(it.clone())).collect();
        for (idx, base) in bases.iter().enumerate() {
            // A role is the owner of roles only.
            let owned = system.part_ids().filter(|it| system.part(*it).of.is_some_and(|(owner, _)| owner == ids[idx]));
            let load_owner = owned.map(|it| (it, methods.claim(format!("load_{base}_of_{}", bases[it.index()])))).collect();
            let mut method = |verb: &str| methods.claim(format!("{verb}_{base}"));
            all.push(PartNames {
                variant: variants[system.plays(ids[idx]).index()].clone(),
                field: idents[idx].clone(),
                predicates: fields.claim(format!("{base}_predicates")),
                get: gets[idx].clone(),
                load: method("load"),
                make: method("new"),
                fire: method("fire"),
                create: method("create"),
                follow: method("follow"),
                id: methods.claim(format!("{base}_id")),
                load_owner,
                base: base.clone(),
                // Nobody can tell `_1` from `_2`.
                local: if locals[idx].contains(char::is_alphabetic) { locals[idx].clone() } else { base.clone() },
            });
        }
    }
}

/// The middle of longer names. A name such as `_1` begins with a digit without its `_`, and `load__1` is no snake case.
fn base(local: &str) -> String {
    let base = local.trim_matches('_');
    if base.starts_with(unicode_ident::is_xid_start) { base.to_owned() } else { format!("part_{base}") }
}

/// `enter_pressure_critical_fires_session_pressure_critical`
fn link_name(system: &System, machines: &BTreeMap<usize, Lowering<'_>>, link: &Link) -> String {
    let verb = match link.on {
        statespec_lang::model::system::Crossing::Enter => "enter",
        statespec_lang::model::system::Crossing::Exit => "exit",
    };
    let (from, to) = (system.part(link.part), system.part(link.fire.part));
    let state = &machines[&from.machine].machine.state(link.state).name;
    let event = &machines[&to.machine].machine.event(link.fire.event).name;
    let words = [verb, &from.name, state, "fires", &to.name, event].map(snake);
    words.iter().map(|it| it.trim_matches('_')).collect::<Vec<_>>().join("_")
}
