//! PostgreSQL, in a transaction that only reads.

use postgres::config::SslMode;
use postgres::types::ToSql;
use postgres::{Client, Config, NoTls, Row};
use statespec_sql::{Guard, Mapping, ObjectKind, SCHEMA, prefix, quoted as name, quoted_table};

use super::journal::COLUMNS;
use super::{Candidate, Database, Entries, MAX_VALUES, N_SAMPLED, N_SHOWN, Outside};

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
    let mut config: Config = url.parse().map_err(|_| format!("the address in `{variable}` is none that can be read"))?;
    if config.get_ssl_mode() == SslMode::Require {
        return Err(format!("the address in `{variable}` asks for TLS, which `statespec db` does not speak: connect through a tunnel"));
    }
    config.application_name("statespec");
    // What the driver says may repeat the address.
    config.connect(NoTls).map_err(|error| match error.as_db_error() {
        Some(_) => format!("the server of the address in `{variable}` refuses the connection"),
        None => format!("there is no connection to the server of the address in `{variable}`"),
    })
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

    fn objects(&mut self, machine: &str, mapping: &Mapping, guard: &Guard) -> Result<Vec<String>, String> {
        let table = quoted_table(&mapping.table);
        let mut found = Vec::new();
        if self.is_split_by(&table, &mapping.state)? {
            found.push("the table is partitioned by its state or by an expression, so that a change of the state is no update".to_owned());
        }
        for object in &guard.objects {
            match &object.kind {
                ObjectKind::Preparation => {}
                ObjectKind::Table => {
                    let journal = format!("{SCHEMA}.{}", name(&object.name));
                    if !self.has(&journal)? {
                        found.push(format!("the table `{SCHEMA}.{}` is missing", object.name));
                    }
                }
                ObjectKind::Function { body, definer } => {
                    let sql = "SELECT p.prosrc = $3 AND p.prosecdef = $4 AND l.lanname = 'plpgsql' \
                               AND coalesce(p.proconfig, '{}') = CASE WHEN $4 THEN '{\"search_path=pg_catalog, pg_temp\"}'::text[] ELSE '{}' END \
                               FROM pg_proc AS p JOIN pg_namespace AS n ON n.oid = p.pronamespace JOIN pg_language AS l ON l.oid = p.prolang \
                               WHERE n.nspname = $1 AND p.proname = $2 AND p.pronargs = 0";
                    match self.query(sql, &[&SCHEMA, &object.name, body, definer])?.first().map(|it| it.get::<_, bool>(0)) {
                        None => found.push(format!("the function `{SCHEMA}.{}` is missing", object.name)),
                        Some(false) => found
                            .push(format!("the function `{SCHEMA}.{}` is another one than this revision of the spec makes", object.name)),
                        Some(true) => {}
                    }
                }
                ObjectKind::Trigger { on, timing, function } => {
                    let on = quoted_table(on);
                    let sql = "SELECT t.tgtype, t.tgenabled::text, t.tgqual IS NULL AND t.tgattr = '' AND n.nspname = $3 AND p.proname = $4 \
                               FROM pg_trigger AS t JOIN pg_proc AS p ON p.oid = t.tgfoid JOIN pg_namespace AS n ON n.oid = p.pronamespace \
                               WHERE t.tgrelid = to_regclass($1::text) AND t.tgname = $2";
                    let rows = self.query(sql, &[&on, &object.name, &SCHEMA, &function.as_deref().unwrap_or_default()])?;
                    let Some(row) = rows.first() else {
                        found.push(format!("the trigger `{}` is missing", object.name));
                        continue;
                    };
                    if row.get::<_, i16>(0) != timing.bits() {
                        found.push(format!(
                            "the trigger `{}` does not fire {} {}",
                            object.name,
                            timing.sql(),
                            if timing.each_row { "for each row" } else { "once" }
                        ));
                    }
                    match row.get::<_, &str>(1) {
                        "A" => {}
                        "D" => found.push(format!("the trigger `{}` is disabled", object.name)),
                        _ => found.push(format!("the trigger `{}` does not fire in every session: it is not `ENABLE ALWAYS`", object.name)),
                    }
                    if !row.get::<_, bool>(2) {
                        found.push(format!("the trigger `{}` has a condition, or calls another function", object.name));
                    }
                }
            }
        }
        let prefix = prefix(machine);
        let sql =
            "SELECT tgname::text FROM pg_trigger WHERE tgrelid = to_regclass($1::text) AND starts_with(tgname, $2) AND NOT tgisinternal";
        for row in self.query(sql, &[&table, &prefix])? {
            let present: String = row.get(0);
            if guard.triggers().all(|it| it.name != present) {
                found.push(format!("the trigger `{present}` is of another revision"));
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

    fn columns(&mut self) -> Result<Vec<Candidate>, String> {
        // Tables that the role may read, without partitions; columns of texts and enums.
        let sql = "SELECT n.nspname::text, c.relname::text, a.attname::text, t.typtype = 'e', \
                   coalesce((SELECT array_agg(k.attname::text ORDER BY array_position(i.indkey::int2[], k.attnum)) FROM pg_index AS i \
                     JOIN pg_attribute AS k ON k.attrelid = i.indrelid AND k.attnum = ANY (i.indkey::int2[]) \
                     WHERE i.indrelid = c.oid AND i.indisprimary), '{}') \
                   FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace JOIN pg_attribute AS a ON a.attrelid = c.oid \
                   JOIN pg_type AS t ON t.oid = a.atttypid \
                   WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND a.attnum > 0 AND NOT a.attisdropped \
                   AND n.nspname NOT IN ('pg_catalog', 'information_schema', 'statespec') AND n.nspname NOT LIKE 'pg\\_%' \
                   AND (t.typtype = 'e' OR t.typname IN ('text', 'varchar', 'bpchar', 'citext')) AND has_table_privilege(c.oid, 'SELECT') \
                   ORDER BY 1, 2, a.attnum";
        let mut candidates = Vec::new();
        for row in self.query(sql, &[])? {
            let (schema, relation, column): (String, String, String) = (row.get(0), row.get(1), row.get(2));
            let (is_enum, key): (bool, Vec<String>) = (row.get(3), row.get(4));
            let whole = format!("{}.{}", name(&schema), name(&relation));
            let sql = format!(
                "SELECT v, count(*) FROM (SELECT {}::text COLLATE \"C\" AS v FROM {whole} LIMIT {N_SAMPLED}) AS sample WHERE v IS NOT NULL \
                 GROUP BY v ORDER BY v LIMIT {}",
                name(&column),
                MAX_VALUES + 1
            );
            let mut values: Vec<(String, i64)> = self.query(&sql, &[])?.iter().map(|row| (row.get(0), row.get(1))).collect();
            if is_enum {
                let sql = "SELECT e.enumlabel::text FROM pg_enum AS e JOIN pg_attribute AS a ON a.atttypid = e.enumtypid \
                           WHERE a.attrelid = $1::text::regclass AND a.attname = $2 ORDER BY e.enumsortorder";
                for label in self.query(sql, &[&whole, &column])?.iter().map(|row| row.get::<_, String>(0)) {
                    if values.iter().all(|it| it.0 != label) {
                        values.push((label, 0));
                    }
                }
            }
            if values.is_empty() || values.len() > MAX_VALUES {
                continue;
            }
            let split = self.is_split_by(&whole, &column)?;
            let objection = split.then(|| "the table is partitioned by its state or by an expression".to_owned());
            let table = format!("{schema}.{relation}");
            candidates.push(Candidate { table, column, is_enum, values, key, unique: Vec::new(), objection });
        }
        Ok(candidates)
    }
}
