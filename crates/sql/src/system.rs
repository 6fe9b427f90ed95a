//! The tables of a system: which rows belong together, and the invariants that a database can hold.
//!
//! An invariant reads a row and its owners. It holds after a transaction, not after each write, so it is checked when the transaction
//! ends. Two transactions that each leave it intact may break it together, because neither sees what the other has not committed. So
//! each of them first writes a row of its own about the outermost of the rows: the *fence*. The second one waits there for the first,
//! and reads afterwards. A lock of the outermost row itself would leave no trace for a transaction that reads an earlier snapshot;
//! the fence was written, so that such a transaction is refused with a serialization failure.

use std::collections::{BTreeMap, BTreeSet};

use statespec_lang::expr::Var;
use statespec_lang::model::machine::{Commit, Enum};
use statespec_lang::model::{ConstantId, EnumId, Literal, Machine, Model, PartId, StateId, System, Type};
use statespec_lang::program::system::Invariant;
use statespec_lang::program::{Expr, Kind, Program, SystemProgram};

use super::condition::{Condition, Lost, Reading, Scope};
use super::dialect::{Dialect, name};
use super::graph::Graph;
use super::guard::stored;
use super::mapping::{Column, Engine, Mapping};
use super::membership::{Held, Membership, Owner};
use super::postgres::{self, Postgres};
use super::verdict::{Rule, Verdict};

/// What a system asks of the table of one of its parts. `mappings` has the tables of the parts, by part; a part may have none.
pub fn membership(model: &Model, system: &System, part: PartId, mappings: &BTreeMap<PartId, Mapping>) -> Membership {
    let program = SystemProgram::of(model, system);
    let tables: BTreeMap<PartId, Member<'_>> =
        mappings.iter().filter_map(|(id, it)| Some((*id, Member::of(&model.machines[system.part(*id).machine], it)?))).collect();
    let of = Tables { model, system, tables };
    let mut rules: Vec<Rule> = Vec::new();
    let mut rule = |what: String, verdict, because| rules.push(Rule { what, verdict, because, span: None });
    let owner = match system.part(part).of {
        None => None,
        Some((owner, _)) => {
            let what = format!("{}: each row belongs to one of {}, for good", system.name, system.part(owner).name);
            match of.owner(part) {
                Ok(found) => {
                    rule(what, Verdict::Enforced, None);
                    Some(found)
                }
                Err(why) => {
                    rule(what, Verdict::Not, Some(why));
                    None
                }
            }
        }
    };
    for it in &system.rules {
        let because = "a write has no event, so that the database does not know which rules apply";
        rule(format!("{}: {}", system.name, it.doc), Verdict::Not, Some(because.to_owned()));
    }
    let (mut invariants, mut read) = (Vec::new(), BTreeSet::new());
    for (stated, invariant) in system.invariants.iter().zip(&program.invariants) {
        let what = format!("{}: {}", system.name, stated.doc);
        match of.held(part, &stated.doc, invariant) {
            Ok(held) => {
                rule(what, Verdict::Enforced, None);
                if let Some((held, columns)) = held {
                    invariants.push(held);
                    read.extend(columns);
                }
            }
            Err(why) => rule(what, Verdict::Not, Some(why)),
        }
    }
    let owned = system.part_ids().filter(|it| system.part(*it).of.is_some_and(|it| it.0 == part));
    let owned = owned.filter_map(|it| Some((of.tables.get(&it)?.mapping.table.clone(), of.owner(it).ok()?.column))).collect();
    Membership { system: system.name.clone(), owner, owned, invariants, rules, read }
}

/// The table of a part.
struct Member<'a> {
    machine: &'a Machine,
    mapping: &'a Mapping,
    graph: Graph,
    stored: Vec<String>,
}

impl<'a> Member<'a> {
    /// A machine that is too large for a guard has none: the guard of its own table says so.
    fn of(machine: &'a Machine, mapping: &'a Mapping) -> Option<Self> {
        let graph = Graph::of(&Program::of(machine)).ok()?;
        let stored = stored(machine, mapping, &graph);
        Some(Member { machine, mapping, graph, stored })
    }
}

/// The tables of a system.
struct Tables<'a> {
    model: &'a Model,
    system: &'a System,
    tables: BTreeMap<PartId, Member<'a>>,
}

/// An invariant with the columns of one table that it reads.
type Reads = Option<(Held, BTreeSet<String>)>;

impl Tables<'_> {
    fn table(&self, part: PartId) -> Result<&Member<'_>, String> {
        let name = &self.system.part(part).name;
        self.tables.get(&part).ok_or_else(|| format!("no `[[database]]` has `part = \"{}.{name}\"`", self.system.name))
    }

    /// The owner of the rows of a part.
    fn owner(&self, part: PartId) -> Result<Owner, String> {
        let (owner, field) = self.system.part(part).of.ok_or_else(|| format!("`{}` has no owner", self.system.part(part).name))?;
        let (own, other) = (self.table(part)?, self.table(owner)?);
        let name = &own.machine.fields[field.index()].name;
        let column = own.mapping.columns.get(&field).ok_or_else(|| format!("`{name}` has no column"))?;
        match &other.mapping.key[..] {
            [key] => Ok(Owner { column: column.name.clone(), table: other.mapping.table.clone(), key: key.clone() }),
            _ => Err(format!("the key of `{}` has several columns, and `{name}` refers to it with one", other.mapping.table)),
        }
    }

    /// The text of an invariant; `None` if it is about other tables than that of `part`.
    fn held(&self, part: PartId, doc: &str, invariant: &Invariant) -> Result<Reads, String> {
        // The innermost row determines the others.
        let inner = match invariant.each {
            Some(part) => part,
            None => {
                let innermost =
                    |it: &&PartId| invariant.parts.iter().all(|other| other == *it || self.system.owners(**it).any(|it| it == *other));
                *invariant.parts.iter().find(innermost).or(invariant.parts.first()).ok_or_else(|| "it reads no part".to_owned())?
            }
        };
        let owners: Vec<PartId> = self.system.owners(inner).collect();
        let depth = |it: &PartId| if *it == inner { Some(0) } else { owners.iter().position(|owner| owner == it).map(|it| it + 1) };
        let mut n_owners = 0;
        for it in &invariant.parts {
            let name = |id: PartId| &self.system.part(id).name;
            let Some(depth) = depth(it) else {
                return Err(format!("no column says which row of `{}` belongs to one of `{}`", name(*it), name(inner)));
            };
            n_owners = n_owners.max(depth);
        }
        let chain: Vec<PartId> = [inner].into_iter().chain(owners.into_iter().take(n_owners)).collect();
        for it in &chain {
            let member = self.table(*it)?;
            if member.mapping.engine == Engine::Sqlite {
                return Err("SQLite checks nothing when a transaction ends".to_owned());
            }
            if member.machine.transitions.iter().any(|it| it.commit != Commit::PersistFirst) {
                return Err(format!("a row of `{}` may be behind its machine: a step is made before it is stored", member.mapping.table));
            }
        }
        let from = self.joined(&chain)?;
        let mut lost = BTreeSet::new();
        let condition = Reading { scope: self, lost: &mut lost }.condition(&invariant.require, true);
        if !lost.is_empty() {
            return Err(lost.iter().map(|it| it.why.as_str()).collect::<Vec<_>>().join("; "));
        }
        let condition = match condition {
            Condition::Sql(text) => text,
            Condition::Is(value) => value.to_string(),
        };
        if !chain.contains(&part) {
            return Ok(None);
        }
        let keys: Vec<String> = self.table(inner)?.mapping.key.iter().map(|it| format!("{}.{}", self.alias(inner), name(it))).collect();
        let own = self.table(part)?.mapping;
        let about: Vec<String> = own.key.iter().map(|it| format!("{0}.{1} = NEW.{1}", self.alias(part), name(it))).collect();
        let about = about.join(" AND ");
        let outermost = *chain.last().unwrap_or(&inner);
        let fence = match (chain.len() > 1, &self.table(outermost)?.mapping.key[..]) {
            (true, [key]) => {
                // From the row outwards: it may have no inner rows that the transaction sees.
                let outwards = &chain[chain.iter().position(|it| *it == part).unwrap_or_default()..];
                let key = format!("SELECT {}.{}::text FROM {} WHERE {about}", self.alias(outermost), name(key), self.joined(outwards)?);
                Some((self.system.part(outermost).name.clone(), key))
            }
            _ => None,
        };
        let read = self.columns(part, &invariant.require);
        let broken = format!("SELECT concat_ws(', ', {}) FROM {from} WHERE ({condition}) IS NOT TRUE", keys.join(", "));
        Ok(Some((Held { doc: doc.to_owned(), broken, about, fence }, read)))
    }

    /// The tables of some parts, each the owner of the one before it.
    fn joined(&self, chain: &[PartId]) -> Result<String, String> {
        let mut from = format!("{} AS {}", postgres::table(&self.table(chain[0])?.mapping.table), self.alias(chain[0]));
        for pair in chain.windows(2) {
            let owner = self.owner(pair[0])?;
            from.push_str(&format!(
                " JOIN {} AS {1} ON {1}.{2} = {3}.{4}",
                postgres::table(&owner.table),
                self.alias(pair[1]),
                name(&owner.key),
                self.alias(pair[0]),
                name(&owner.column)
            ));
        }
        Ok(from)
    }

    fn alias(&self, part: PartId) -> String {
        name(&format!("p{}_{}", part.index(), self.system.part(part).name))
    }

    /// The columns of the table of a part that a condition reads.
    fn columns(&self, part: PartId, condition: &Expr) -> BTreeSet<String> {
        let mut columns = BTreeSet::new();
        let Some(member) = self.tables.get(&part) else { return columns };
        condition.walk(&mut |it| match &it.kind {
            Kind::Read(Var::PartContext(id, field))
            | Kind::Known(Var::PartContext(id, field))
            | Kind::IsNull(Var::PartContext(id, field))
                if *id == part =>
            {
                columns.extend(member.mapping.columns.get(field).map(|it| it.name.clone()));
            }
            Kind::Read(Var::PartState(id)) | Kind::Known(Var::PartState(id)) | Kind::PartIn(id, _) if *id == part => {
                columns.insert(member.mapping.state.clone());
            }
            _ => {}
        });
        columns
    }

    /// The part whose state an expression is.
    fn state_of(&self, expr: &Expr) -> Option<PartId> {
        match expr.kind {
            Kind::Read(Var::PartState(part)) | Kind::Known(Var::PartState(part)) => Some(part),
            _ => None,
        }
    }
}

impl Scope for Tables<'_> {
    fn dialect(&self) -> &dyn Dialect {
        &Postgres
    }

    fn value(&self, var: Var) -> Result<String, String> {
        match var {
            Var::PartContext(part, field) => {
                let member = self.table(part)?;
                let stated = &member.machine.fields[field.index()];
                let column = member.mapping.columns.get(&field).ok_or_else(|| format!("`{}` has no column", stated.name))?;
                Postgres.column(&self.alias(part), column, &stated.ty)
            }
            Var::PartState(part) => {
                let column = Column { name: self.table(part)?.mapping.state.clone(), unit: None };
                Postgres.column(&self.alias(part), &column, &Type::Text)
            }
            Var::PartId(part) => match &self.table(part)?.mapping.key[..] {
                [key] => Postgres.column(&self.alias(part), &Column { name: key.clone(), unit: None }, &Type::Reference),
                _ => Err(format!("the key of `{}` has several columns", self.table(part)?.mapping.table)),
            },
            Var::Context(_) | Var::Payload(_) | Var::Input(_) => Err("SQL has no such value".to_owned()),
        }
    }

    fn is_null(&self, var: Var) -> Result<String, String> {
        match var {
            Var::PartContext(part, field) => {
                let member = self.table(part)?;
                let column = member.mapping.columns.get(&field);
                let column = column.ok_or_else(|| format!("`{}` has no column", member.machine.fields[field.index()].name))?;
                Ok(Postgres.is_null(&self.alias(part), column))
            }
            _ => Err("SQL has no such value".to_owned()),
        }
    }

    fn constant(&self, _: ConstantId) -> &Literal {
        // A system has no constants of its own.
        &Literal::Null
    }

    fn values_of(&self, id: EnumId) -> &Enum {
        &self.system.enums[id.index()]
    }

    fn state(&self, beside: &Expr, id: StateId) -> Result<String, String> {
        match self.state_of(beside) {
            // The value of the table.
            Some(part) => {
                let member = self.table(part)?;
                let found = member.graph.states.iter().position(|it| it.configuration.only() == Some(id));
                let found = found.ok_or_else(|| format!("a row of `{}` is never in that state", member.mapping.table))?;
                Ok(member.stored[found].clone())
            }
            None => {
                let part = beside.states_of(&[]).ok_or_else(|| "SQL has no such value".to_owned())?;
                Ok(self.model.machines[self.system.part(part).machine].state(id).wire.clone())
            }
        }
    }

    fn leaves(&self, subject: &Expr, whole: StateId) -> Result<Vec<String>, String> {
        let part = subject.states_of(&[]).ok_or_else(|| "SQL has no such value".to_owned())?;
        let machine = &self.model.machines[self.system.part(part).machine];
        Ok(machine.leaves_in(whole).map(|it| machine.state(it).wire.clone()).collect())
    }

    fn other(&self, kind: &Kind) -> Result<Condition, Lost> {
        let Kind::PartIn(part, whole) = kind else { return Err(Lost::in_sql("SQL has no such value".to_owned())) };
        let read = || -> Result<Condition, String> {
            let member = self.table(*part)?;
            let value = self.value(Var::PartState(*part))?;
            let is_in = |it: &usize| member.machine.is_active(&member.graph.states[*it].configuration, *whole);
            let values: Vec<String> = (0..member.stored.len()).filter(is_in).map(|it| postgres::literal(&member.stored[it])).collect();
            Ok(match values.is_empty() {
                true => Condition::Is(false),
                false => Condition::Sql(format!("({value} = ANY (ARRAY[{}]::text[]))", values.join(", "))),
            })
        };
        read().map_err(Lost::in_sql)
    }

    fn comparable(&self, a: &Expr, b: &Expr) -> Result<(), String> {
        // Two tables may store one state differently.
        let is_state = |it: &Expr| self.state_of(it).is_some();
        match (is_state(a) && b.value.is_none()) || (is_state(b) && a.value.is_none()) {
            true => Err("it compares the state of a part with that of another one".to_owned()),
            false => Ok(()),
        }
    }
}
