//! The keys of `[[database]]`.

use statespec_lang::read::{Entries, OneOrMany, Text, spec_types};
use statespec_lang::source::Spanned;

spec_types! {
    /// A table that has the state of a machine, and the guard that holds it to the graph.
    pub struct Database as "`[[database]]`" {
        /// The machine.
        machine: Text,
        /// The part of a system whose instances the table has, such as `shop.parcel`: with the tables of the other parts, rows have owners and invariants are enforced.
        part: Option<Text>,
        /// The engine: `sqlite` or `postgresql`.
        engine: Text,
        /// The script of the guard, such as `db/run_job.sql`.
        out: Text,
        /// A file of statements that a program may use, such as `db/run_job.statements.sql`; none if omitted.
        statements: Option<Text>,
        /// A file, in JSON, of what the guard enforces and what not; none if omitted.
        report: Option<Text>,
        /// The environment variable with the address of the database, for `statespec db`.
        url_env: Option<Text>,
        /// The role of PostgreSQL with which the program connects: `statespec db check` reports what lets it past the guard.
        role: Option<Text>,
        /// The table, which exists already: `jobs`, or with its schema `public.jobs`.
        table: Text,
        /// The column of the key, or several.
        key: OneOrMany<Text>,
        /// Further unique keys, over which SQLite may replace a row: `[["dedupe"], ["tenant", "number"]]`.
        unique: Option<Vec<OneOrMany<Text>>>,
        /// The column of the state.
        state: Text,
        /// Its kind: `text` (if omitted), `enum` or `integer`.
        kind: Option<Text>,
        /// The stored values of states that are stored neither by name nor by `wire`: `{ queued = "pending" }`.
        values: Option<Entries<Text>>,
        /// The column of a version that grows with each write.
        version: Option<Text>,
        /// The columns of fields of the context, `{ lease_expires_at = "locked_until" }`: guards that read only these are enforced.
        columns: Option<Entries<Text>>,
        /// The units of times that are stored as whole numbers, by field: `s`, `ms` or `us`.
        units: Option<Entries<Text>>,
        /// The states in which a row may be inserted: `initial` (if omitted), or `any` for imports.
        births: Option<Text>,
        /// The states in which a row may be deleted: `any` (if omitted), `terminal` or `never`.
        deletes: Option<Text>,
        /// Whether each change is recorded in a journal; `false` if omitted.
        journal: Option<Spanned<bool>>,
        /// The fields of payloads that the journal records, such as `claim.until`; none if omitted.
        payload: Option<OneOrMany<Text>>,
        /// The columns that say when timers are due, by timer: `{ payment_deadline = "due_at" }`.
        timers: Option<Entries<Text>>,
        /// The fields of payloads that are the time of the database, such as `reclaim.now`.
        clock: Option<OneOrMany<Text>>,
        /// The lease under which a holder has a row: `{ expires = "lease_expires_at", claim = "claim", reclaim = "reclaim" }`.
        lease: Option<Lease>,
        /// The table for `statespec-store`, as Rust: `{ out = "src/jobs/table.rs", rest = "context" }`; the script has what the store needs besides.
        store: Option<Store>,
        /// The folder of migrations, to which `statespec db migrate` adds: `{ out = "migrations", style = "sqlx" }`.
        migrations: Option<Migrations>,
    }

    /// The table for `statespec-store`, as Rust.
    pub struct Store as "`store`" {
        /// The file, such as `src/jobs/table.rs`.
        out: Text,
        /// The kind of the column of the key, or of each: `integer` (if omitted), `text` or `uuid`.
        key: Option<OneOrMany<Text>>,
        /// The column of all fields that `columns` does not name, as JSON; none if omitted.
        rest: Option<Text>,
        /// The column of running timers, as JSON; a machine with timers has one.
        timers: Option<Text>,
        /// The column of the moment at which the next timer is due; a machine with timers has one.
        next_due: Option<Text>,
    }

    /// The folder of migrations, to which `statespec db migrate` adds.
    pub struct Migrations as "`migrations`" {
        /// The folder.
        out: Text,
        /// The tool that runs them: `plain` (if omitted), `sqlx`, `refinery`, `diesel`, `flyway`, `golang-migrate` or `alembic`.
        style: Option<Text>,
    }

    /// The lease under which a holder has a row.
    pub struct Lease as "`lease`" {
        /// The field of the context that says when a lease ends.
        expires: Text,
        /// The events with which a holder takes a row that nobody has.
        claim: OneOrMany<Text>,
        /// The events with which a holder prolongs its lease.
        renew: Option<OneOrMany<Text>>,
        /// The events with which another one takes a row over.
        reclaim: OneOrMany<Text>,
    }
}
