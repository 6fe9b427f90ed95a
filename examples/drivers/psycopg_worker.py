"""With psycopg, on PostgreSQL: the first argument is the address."""

import sys
from datetime import datetime, timedelta, timezone
from pathlib import Path

import psycopg

GUARD = Path(__file__).with_name("db") / "postgresql.sql"

# psycopg has its own marks for parameters.
CLAIM = """UPDATE "public"."jobs" SET "status" = 'claimed', "locked_until" = %(until)s WHERE "id" = %(id)s AND "status" = 'queued'"""


def attach(connection: psycopg.Connection) -> None:
    """Attaches the guard."""
    with connection.transaction():
        connection.execute(GUARD.read_text())


def claim(connection: psycopg.Connection, id: int, until: datetime) -> bool:
    """Whether this worker has the job now: another one may have been faster."""
    with connection.transaction():
        return connection.execute(CLAIM, {"id": id, "until": until}).rowcount == 1


def main() -> None:
    with psycopg.connect(sys.argv[1], autocommit=True) as connection:
        connection.execute("CREATE TABLE jobs (id bigint PRIMARY KEY, status text NOT NULL, locked_until timestamptz)")
        attach(connection)
        connection.execute("INSERT INTO jobs VALUES (1, 'queued')")
        until = datetime.now(timezone.utc) + timedelta(minutes=5)
        print("claimed:", claim(connection, 1, until))
        print("claimed again:", claim(connection, 1, until))
        try:
            connection.execute("UPDATE jobs SET status = 'queued' WHERE id = 1")
        except psycopg.errors.CheckViolation as refused:
            print("refused:", refused.diag.message_primary)
            print("hint:", refused.diag.message_hint)


if __name__ == "__main__":
    main()
