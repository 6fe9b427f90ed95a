//! PostgreSQL, in a transaction that only reads.

use std::net::IpAddr;

use postgres::config::{Host, SslMode};
use postgres::types::ToSql;
use postgres::{Client, Config, NoTls, Row};
use statespec_sql::{Guard, Held, Kind, Mapping, ObjectKind, SCHEMA, quoted as name, quoted_table};

use super::journal::COLUMNS;
use super::{Candidate, Database, Entries, N_SAMPLED, N_SHOWN, Outside};

/// The entries of a journal that are read at once.
const N_ENTRIES: usize = 10_000;

/// A connection that cannot write.
pub(super) struct Reading(Client);

/// Connects to the server of an address, to read.
pub(super) fn connect(url: &str, variable: &str) -> Result<Reading, String> {
    let mut client = writing(url, variable)?;
    client.batch_execute("SET search_path = pg_catalog; BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY").map_err(said)?;
    Ok(Reading(client))
}

/// Connects to the server of an address.
pub(super) fn writing(url: &str, variable: &str) -> Result<Client, String> {
    // The driver knows fewer modes than libpq, and names none in its message.
    let (_, after) = url.split_once("sslmode=").unwrap_or_default();
    let mode = after.split(['&', ' ']).next().unwrap_or_default();
    if ["require", "verify-ca", "verify-full"].contains(&mode) {
        return Err(format!(
            "the address in `{variable}` asks for TLS (`sslmode={mode}`), which `statespec db` does not speak: connect through a tunnel to \
             the loopback, with `sslmode=disable`"
        ));
    }
    let mut config: Config = url.parse().map_err(|_| format!("the address in `{variable}` is none that can be read"))?;
    if config.get_ssl_mode() != SslMode::Disable && !is_local(&config) {
        return Err(format!(
            "the address in `{variable}` is on another machine, and `statespec db` does not speak TLS: connect through a tunnel, or say \
             `sslmode=disable` if the network is trusted"
        ));
    }
    config.application_name("statespec");
    // What the driver says may repeat the address.
    config.connect(NoTls).map_err(|error| match error.as_db_error() {
        Some(_) => format!("the server of the address in `{variable}` refuses the connection"),
        None => format!("there is no connection to the server of the address in `{variable}`"),
    })
}

/// Whether nothing of a connection leaves the machine: a socket, or the loopback.
fn is_local(config: &Config) -> bool {
    let is_loopback = |it: &str| it == "localhost" || it.parse::<IpAddr>().is_ok_and(|it| it.is_loopback());
    let addresses = config.get_hostaddrs();
    config.get_hosts().iter().enumerate().all(|(idx, it)| match (addresses.get(idx), it) {
        (Some(address), _) => address.is_loopback(),
        (None, Host::Tcp(name)) => is_loopback(name),
        #[cfg(unix)]
        (None, Host::Unix(_)) => true,
    }) && (!config.get_hosts().is_empty() || addresses.iter().all(IpAddr::is_loopback))
}

/// What the server says about a failed query.
pub(super) fn said(error: postgres::Error) -> String {
    match error.as_db_error() {
        Some(it) => format!("PostgreSQL: {}", it.message()),
        None => "the connection to PostgreSQL ended".to_owned(),
    }
}

impl Reading {
    fn query(&mut self, sql: &str, parameters: &[&(dyn ToSql + Sync)]) -> Result<Vec<Row>, String> {
        self.0.query(sql, parameters).map_err(said)
    }

    /// The rows for which it is so, or not, that a column has one of some values.
    fn outside(&mut self, mapping: &Mapping, column: &str, is: &str, values: &[String]) -> Result<Outside, String> {
        let column = name(column);
        let condition = format!("({column}::text COLLATE \"C\" = ANY ($1::text[])) {is}");
        let table = quoted_table(&mapping.table);
        let keys: Vec<String> = mapping.key.iter().map(|it| format!("{}::text", name(it))).collect();
        let n_rows = self.query(&format!("SELECT count(*) FROM {table} WHERE {condition}"), &[&values])?;
        let sql = format!("SELECT concat_ws(', ', {}), {column}::text FROM {table} WHERE {condition} LIMIT {N_SHOWN}", keys.join(", "));
        let first = self.query(&sql, &[&values])?.iter().map(|row| (row.get(0), row.get(1))).collect();
        Ok(Outside { n_rows: n_rows.first().map_or(0, |row| row.get(0)), first })
    }

    /// Whether there is a table of this name.
    fn has(&mut self, table: &str) -> Result<bool, String> {
        Ok(!self.query("SELECT FROM pg_class WHERE oid = to_regclass($1::text)", &[&table])?.is_empty())
    }

    /// The table's partitions by the state, or by an expression.
    fn is_split_by(&mut self, table: &str, state: &str) -> Result<bool, String> {
        let sql = "SELECT FROM pg_partition_tree($1::text::regclass) AS tree JOIN pg_partitioned_table AS parts ON parts.partrelid = tree.relid \
                   LEFT JOIN pg_attribute AS columns ON columns.attrelid = parts.partrelid AND columns.attname = $2 \
                   WHERE columns.attnum = ANY (parts.partattrs::int2[]) OR parts.partexprs IS NOT NULL";
        Ok(!self.query(sql, &[&table, &state])?.is_empty())
    }
}

impl Database for Reading {
    fn has_table(&mut self, mapping: &Mapping) -> Result<bool, String> {
        self.has(&quoted_table(&mapping.table))
    }

    fn objects(&mut self, names: &super::Names, mapping: &Mapping, guard: &Guard) -> Result<Vec<String>, String> {
        let table = quoted_table(&mapping.table);
        let mut found = Vec::new();
        if self.is_split_by(&table, &mapping.state)? {
            found.push("the table is partitioned by its state or by an expression, so that a change of the state is no update".to_owned());
        }
        let (n_before, mut is_there) = (found.len(), false);
        for object in &guard.objects {
            match &object.kind {
                ObjectKind::Preparation => {}
                ObjectKind::Table => {
                    let journal = format!("{SCHEMA}.{}", name(&object.name));
                    match self.has(&journal)? {
                        true => is_there = true,
                        false => found.push(format!("the table `{SCHEMA}.{}` is missing", object.name)),
                    }
                }
                ObjectKind::Function { body, definer } => {
                    let sql = "SELECT p.prosrc = $3 AND p.prosecdef = $4 AND l.lanname = 'plpgsql' \
                               AND coalesce(p.proconfig, '{}') = CASE WHEN $4 THEN '{\"search_path=pg_catalog, pg_temp\",row_security=off}'::text[] ELSE '{}' END \
                               FROM pg_proc AS p JOIN pg_namespace AS n ON n.oid = p.pronamespace JOIN pg_language AS l ON l.oid = p.prolang \
                               WHERE n.nspname = $1 AND p.proname = $2 AND p.pronargs = 0";
                    let known = self.query(sql, &[&SCHEMA, &object.name, body, definer])?.first().map(|it| it.get::<_, bool>(0));
                    is_there |= known.is_some();
                    match known {
                        None => found.push(format!("the function `{SCHEMA}.{}` is missing", object.name)),
                        Some(false) => found
                            .push(format!("the function `{SCHEMA}.{}` is another one than this revision of the spec makes", object.name)),
                        Some(true) => {}
                    }
                }
                ObjectKind::Reference { on, column, to, key } => {
                    // Another name is as good: the table may have had its own.
                    let sql = "SELECT bool_or(c.convalidated) FROM pg_constraint AS c \
                               JOIN pg_attribute AS a ON a.attrelid = c.conrelid AND a.attname = $2 AND c.conkey = ARRAY[a.attnum] \
                               JOIN pg_attribute AS b ON b.attrelid = c.confrelid AND b.attname = $4 AND c.confkey = ARRAY[b.attnum] \
                               WHERE c.contype = 'f' AND c.conrelid = to_regclass($1::text) AND c.confrelid = to_regclass($3::text)";
                    let parameters: [&(dyn ToSql + Sync); 4] = [&quoted_table(on), column, &quoted_table(to), key];
                    match self.query(sql, &parameters)?.first().and_then(|it| it.get::<_, Option<bool>>(0)) {
                        None => found.push(format!("the foreign key from `{column}` to `{to}` is missing")),
                        Some(false) => found.push(format!(
                            "the foreign key from `{column}` to `{to}` is not validated: run `ALTER TABLE {on} VALIDATE CONSTRAINT {}`",
                            name(&object.name)
                        )),
                        Some(true) => {}
                    }
                }
                ObjectKind::Trigger { on, timing, function } => {
                    let on = quoted_table(on);
                    let sql = "SELECT t.tgtype, t.tgenabled::text, t.tgqual IS NULL AND t.tgattr = '' AND n.nspname = $3 AND p.proname = $4, \
                               t.tgdeferrable AND t.tginitdeferred \
                               FROM pg_trigger AS t JOIN pg_proc AS p ON p.oid = t.tgfoid JOIN pg_namespace AS n ON n.oid = p.pronamespace \
                               WHERE t.tgrelid = to_regclass($1::text) AND t.tgname = $2";
                    let rows = self.query(sql, &[&on, &object.name, &SCHEMA, &function.as_deref().unwrap_or_default()])?;
                    let Some(row) = rows.first() else {
                        found.push(format!("the trigger `{}` is missing", object.name));
                        continue;
                    };
                    is_there = true;
                    if row.get::<_, i16>(0) != timing.bits() {
                        found.push(format!(
                            "the trigger `{}` does not fire {} {}",
                            object.name,
                            timing.sql(),
                            if timing.each_row { "for each row" } else { "once" }
                        ));
                    }
                    if row.get::<_, bool>(3) != timing.deferred {
                        let when = if timing.deferred { "at the end of a transaction" } else { "with the write" };
                        found.push(format!("the trigger `{}` does not fire {when}", object.name));
                    }
                    match row.get::<_, &str>(1) {
                        "A" => {}
                        "D" => found.push(format!("the trigger `{}` is disabled", object.name)),
                        _ => found.push(format!("the trigger `{}` does not fire in every session: it is not `ENABLE ALWAYS`", object.name)),
                    }
                    // A partition has a trigger of its own, which can be disabled alone.
                    let sql = "SELECT string_agg(tree.relid::regclass::text, ', ' ORDER BY tree.relid::regclass::text) \
                               FROM pg_partition_tree(to_regclass($1::text)) AS tree \
                               LEFT JOIN pg_trigger AS t ON t.tgrelid = tree.relid AND t.tgname = $2 \
                               WHERE tree.level > 0 AND t.tgenabled IS DISTINCT FROM 'A' AND $3";
                    let split = self.query(sql, &[&on, &object.name, &timing.each_row])?;
                    if let Some(partitions) = split.first().and_then(|it| it.get::<_, Option<String>>(0)) {
                        found.push(format!("the trigger `{}` does not fire in every session in the partition {partitions}", object.name));
                    }
                    if !row.get::<_, bool>(2) {
                        found.push(format!("the trigger `{}` has a condition, or calls another function", object.name));
                    }
                }
            }
        }
        if !is_there {
            found.truncate(n_before);
            found.push(super::NOT_ATTACHED.to_owned());
        }
        let prefix = &names.prefix;
        let sql =
            "SELECT tgname::text FROM pg_trigger WHERE tgrelid = to_regclass($1::text) AND starts_with(tgname, $2) AND NOT tgisinternal";
        for row in self.query(sql, &[&table, prefix])? {
            let present: String = row.get(0);
            if names.has(&present) && guard.triggers().all(|it| it.name != present) {
                found.push(format!("the trigger `{present}` is of another revision"));
            }
        }
        let sql = "SELECT t.tgname::text FROM pg_trigger AS t JOIN pg_proc AS p ON p.oid = t.tgfoid JOIN pg_namespace AS n ON n.oid = p.pronamespace \
                   WHERE t.tgrelid = to_regclass($1::text) AND t.tgname LIKE 'statespec\\_%\\_edge' AND t.tgname <> $2 \
                   AND n.nspname = $3 AND strpos(p.prosrc, $4) > 0 AND t.tgenabled <> 'D' ORDER BY 1";
        for row in self.query(sql, &[&table, &format!("{prefix}edge"), &SCHEMA, &super::reads_state(mapping)])? {
            found.push(super::of_another(row.get(0)));
        }
        Ok(found)
    }

    fn rights(&mut self, role: Option<&str>, mapping: &Mapping, guard: &Guard) -> Result<Vec<String>, String> {
        let table = quoted_table(&mapping.table);
        let mut found = Vec::new();
        let hides = self.query("SELECT row_security_active($1::text::regclass)", &[&table])?;
        if hides.first().is_some_and(|it| it.get(0)) {
            found.push(format!(
                "row-level security of `{}` hides rows from the role of this check: use the owner of the table",
                mapping.table
            ));
        }
        let Some(role) = role else { return Ok(found) };
        let Some(is_superuser) =
            self.query("SELECT rolsuper FROM pg_roles WHERE rolname = $1", &[&role])?.first().map(|it| it.get::<_, bool>(0))
        else {
            found.push(format!("there is no role `{role}`"));
            return Ok(found);
        };
        if is_superuser {
            found.push(format!("the role `{role}` is a superuser: it can do everything"));
            return Ok(found);
        }
        let mut objects: Vec<(String, &str, &str)> = vec![(table, "pg_class", "drop or disable the triggers")];
        for object in &guard.objects {
            match &object.kind {
                ObjectKind::Function { .. } => {
                    objects.push((format!("{SCHEMA}.{}()", name(&object.name)), "pg_proc", "replace the function"));
                }
                ObjectKind::Table => {
                    let own = format!("{SCHEMA}.{}", name(&object.name));
                    let sql = "SELECT string_agg(p, ', ') FROM unnest(ARRAY['INSERT', 'UPDATE', 'DELETE', 'TRUNCATE', 'TRIGGER']) AS p \
                               WHERE to_regclass($2::text) IS NOT NULL AND has_table_privilege($1::text, to_regclass($2::text), p)";
                    if let Some(rights) = self.query(sql, &[&role, &own])?.first().and_then(|it| it.get::<_, Option<String>>(0)) {
                        found.push(format!("the role `{role}` has rights on `{SCHEMA}.{}`, and needs none: {rights}", object.name));
                    }
                }
                ObjectKind::Preparation | ObjectKind::Reference { .. } | ObjectKind::Trigger { .. } => {}
            }
        }
        for (object, catalogue, what) in objects {
            let sql = match catalogue {
                "pg_proc" => "SELECT pg_has_role($1::text, proowner, 'MEMBER') FROM pg_proc WHERE oid = to_regprocedure($2::text)",
                _ => "SELECT pg_has_role($1::text, relowner, 'MEMBER') FROM pg_class WHERE oid = to_regclass($2::text)",
            };
            if self.query(sql, &[&role, &object])?.first().is_some_and(|it| it.get(0)) {
                found.push(format!("the role `{role}` owns `{}`, so that it can {what}", object.replace('"', "")));
            }
        }
        Ok(found)
    }

    fn rows(&mut self, mapping: &Mapping, stored: &[String]) -> Result<Outside, String> {
        self.outside(mapping, &mapping.state, "IS NOT TRUE", stored)
    }

    fn holding(&mut self, mapping: &Mapping, column: &str, values: &[String]) -> Result<Outside, String> {
        self.outside(mapping, column, "IS TRUE", values)
    }

    fn broken(&mut self, held: &Held) -> Result<Outside, String> {
        let n_rows = self.query(&format!("SELECT count(*) FROM ({}) AS broken", held.broken), &[])?;
        let first = self.query(&format!("{} LIMIT {N_SHOWN}", held.broken), &[])?.iter().map(|row| (row.get(0), None)).collect();
        Ok(Outside { n_rows: n_rows.first().map_or(0, |row| row.get(0)), first })
    }

    fn journal(&mut self, machine: &str, mapping: &Mapping, each: Entries<'_>) -> Result<(), String> {
        let column = |it: &str| match it {
            "at" => "to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.US\"Z\"')".to_owned(),
            it => format!("{}::text", name(it)),
        };
        let key = mapping.key.iter().map(|it| format!("{}::text", name(it)));
        let columns: Vec<String> = key.chain(COLUMNS.map(column)).collect();
        let table = format!("{SCHEMA}.{}", name(&format!("{machine}_journal")));
        // A part after the other: a journal has more rows than fit into memory.
        let sql = format!("SELECT entry::bigint, {} FROM {table} WHERE entry > $1 ORDER BY entry LIMIT {N_ENTRIES}", columns.join(", "));
        let mut last = i64::MIN;
        loop {
            let rows = self.query(&sql, &[&last])?;
            for row in &rows {
                last = row.get(0);
                let values: Vec<Option<String>> = (1..=columns.len()).map(|idx| row.get(idx)).collect();
                each(last.unsigned_abs(), &values);
            }
            if rows.len() < N_ENTRIES {
                return Ok(());
            }
        }
    }

    fn columns(&mut self, max_values: usize) -> Result<Vec<Candidate>, String> {
        // Tables that the role may read, without partitions; columns of texts, enums, whole numbers and truth values, also by domains.
        let sql = "SELECT n.nspname::text, c.relname::text, a.attname::text, \
                   CASE WHEN t.typtype = 'e' THEN 'e' WHEN t.typname IN ('int2', 'int4', 'int8', 'bool') THEN 'n' ELSE 't' END, \
                   coalesce((SELECT array_agg(k.attname::text ORDER BY array_position(i.indkey::int2[], k.attnum)) FROM pg_index AS i \
                     JOIN pg_attribute AS k ON k.attrelid = i.indrelid AND k.attnum = ANY (i.indkey::int2[]) \
                     WHERE i.indrelid = c.oid AND i.indisprimary), '{}') \
                   FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace JOIN pg_attribute AS a ON a.attrelid = c.oid \
                   JOIN pg_type AS d ON d.oid = a.atttypid JOIN pg_type AS t ON t.oid = CASE d.typtype WHEN 'd' THEN d.typbasetype ELSE d.oid END \
                   WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND a.attnum > 0 AND NOT a.attisdropped \
                   AND n.nspname NOT IN ('pg_catalog', 'information_schema', 'statespec') AND n.nspname NOT LIKE 'pg\\_%' \
                   AND (t.typtype = 'e' OR t.typname IN ('text', 'varchar', 'bpchar', 'citext', 'int2', 'int4', 'int8', 'bool')) AND has_table_privilege(c.oid, 'SELECT') \
                   ORDER BY 1, 2, a.attnum";
        let mut candidates = Vec::new();
        for row in self.query(sql, &[])? {
            let (schema, relation, column): (String, String, String) = (row.get(0), row.get(1), row.get(2));
            let (kind, key): (&str, Vec<String>) = (row.get(3), row.get(4));
            let kind = match kind {
                "e" => Kind::Enum,
                "n" => Kind::Integer,
                _ => Kind::Text,
            };
            let whole = format!("{}.{}", name(&schema), name(&relation));
            let sql = format!(
                "SELECT v, count(*) FROM (SELECT {}::text COLLATE \"C\" AS v FROM {whole} LIMIT {N_SAMPLED}) AS sample WHERE v IS NOT NULL \
                 GROUP BY v ORDER BY v LIMIT {}",
                name(&column),
                max_values + 1
            );
            let mut values: Vec<(String, i64)> = self.query(&sql, &[])?.iter().map(|row| (row.get(0), row.get(1))).collect();
            if kind == Kind::Enum {
                let sql = "SELECT e.enumlabel::text FROM pg_enum AS e JOIN pg_attribute AS a ON a.atttypid = e.enumtypid \
                           WHERE a.attrelid = $1::text::regclass AND a.attname = $2 ORDER BY e.enumsortorder";
                for label in self.query(sql, &[&whole, &column])?.iter().map(|row| row.get::<_, String>(0)) {
                    if values.iter().all(|it| it.0 != label) {
                        values.push((label, 0));
                    }
                }
            }
            if values.is_empty() || values.len() > max_values {
                continue;
            }
            let split = self.is_split_by(&whole, &column)?;
            let objection = split.then(|| "the table is partitioned by its state or by an expression".to_owned());
            let table = format!("{schema}.{relation}");
            candidates.push(Candidate { table, column, kind, values, key, unique: Vec::new(), objection });
        }
        Ok(candidates)
    }
}
