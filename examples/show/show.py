"""The life of a table with a state: `python3 examples/show/show.py`.

It needs `statespec`, in PATH or as the variable STATESPEC. Its only argument is the address of an empty database of PostgreSQL, for
which it needs psycopg, too; without one it makes a file of SQLite. It stops where a step does not end as it should.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.dont_write_bytecode = True
sys.path.insert(0, str(HERE))
from program import connect  # noqa: E402

URL = sys.argv[1] if len(sys.argv) > 1 else "app.db"
IS_POSTGRES = URL.startswith("postgres")
STATESPEC = os.environ.get("STATESPEC") or shutil.which("statespec") or sys.exit("there is no `statespec` in PATH: install it, or set STATESPEC")

TABLE = {
    False: "CREATE TABLE jobs (id INTEGER PRIMARY KEY, status text NOT NULL, locked_until text)",
    True: "CREATE TABLE jobs (id bigserial PRIMARY KEY, status text NOT NULL, locked_until timestamptz)",
}
NUMBERS = "WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 100000)"
ROWS = f"""INSERT INTO jobs (status) {NUMBERS} SELECT CASE n % 5
  WHEN 0 THEN 'queued' WHEN 1 THEN 'claimed' WHEN 2 THEN 'running' WHEN 3 THEN 'complete' ELSE 'failed' END FROM numbers"""
# By hand, in an incident.
BAD = ["UPDATE jobs SET status = 'QUEUED' WHERE id IN (7, 4711)", "UPDATE jobs SET status = 'runing' WHERE id = 99999"]


def step(title):
    print(f"## {title}", flush=True)


def statespec(words, code=0):
    """Runs a command, and shows what it says."""
    print(f"$ statespec {words}", flush=True)
    done = subprocess.run([STATESPEC, *words.split()], capture_output=True, text=True, env={**os.environ, "DATABASE_URL": URL})
    said = done.stdout + done.stderr
    print(said.strip(), flush=True)
    assert done.returncode == code, f"it ended with {done.returncode}"
    return said


def sql(text, is_refused=False):
    """Runs a statement as a person would, who need not know of the guard, and shows what the database says."""
    print(f"sql> {text};")
    connection = connect(URL)
    try:
        n_rows = connection.execute(text).rowcount
    except Exception as refusal:
        assert is_refused, refusal
        print("\n".join(it for it in str(refusal).splitlines() if not it.startswith("CONTEXT")), flush=True)
        return
    finally:
        connection.close()
    assert not is_refused, "it is not refused"
    print(f"{n_rows} row{'' if n_rows == 1 else 's'}", flush=True)


def script(path):
    """Runs a file of SQL. Its transaction is its own if it has one."""
    print(f"sql> -- the file {path}", flush=True)
    text = Path(path).read_text()
    if "\nCOMMIT;" not in text:
        # SQLite refuses at once a transaction that has read and then writes while others write.
        text = f"BEGIN{'' if IS_POSTGRES else ' IMMEDIATE'};\n{text}\nCOMMIT;"
    connection = connect(URL)
    connection.execute(text) if IS_POSTGRES else connection.executescript(text)
    connection.close()


class Program:
    """The program, which runs beside everything else."""

    def __init__(self, first):
        words = [sys.executable, str(HERE / "program.py"), URL, first]
        print(f"$ python3 program.py {first} &", flush=True)
        self.first, self.running = first, subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        assert self.running.stdout.readline(), "the program does not run"

    def end(self):
        self.running.communicate()
        assert self.running.returncode == 0, "the program ended early"
        print(f"the program that begins with `{self.first}` was refused nothing", flush=True)


def life():
    connection = connect(URL)
    connection.execute(TABLE[IS_POSTGRES])
    connection.execute(ROWS)
    for text in BAD:
        connection.execute(text)
    # As such a table has: the program asks for the oldest job in a state.
    connection.execute("CREATE INDEX jobs_status ON jobs (status, id)")
    connection.close()

    step("Find the column")
    section = statespec("db introspect")
    out = 'migrations = { out = "migrations", style = "plain" }\n'
    Path("statespec.toml").write_text(f"{section}{out}")

    step("Name the bad rows")
    statespec("db check", code=100)
    sql("UPDATE jobs SET status = 'queued' WHERE status = 'QUEUED'")
    sql("UPDATE jobs SET status = 'running' WHERE status = 'runing'")

    step("Attach the guard while the program runs")
    old = Program("queued")
    statespec("gen")
    script("db/job.sql")
    statespec("db check")
    old.end()

    step("Try what the graph does not have")
    sql("UPDATE jobs SET status = 'queued' WHERE id = 6", is_refused=True)
    sql("UPDATE jobs SET status = 'paused' WHERE id = 12", is_refused=True)
    sql("INSERT INTO jobs (id, status) VALUES (200000, 'complete')", is_refused=True)

    step("Roll out the next revision while both programs run")
    shutil.copy("machines/job.yaml", "before.yaml")
    shutil.copy(HERE / "next/job.yaml", "machines/job.yaml")
    statespec("db plan before.yaml machines/job.yaml")
    statespec("db migrate before.yaml machines/job.yaml")
    old = Program("queued")
    script("migrations/0001_job_expand.sql")
    new = Program("waiting")
    sql("UPDATE jobs SET status = 'cancelled' WHERE id = 100000")
    old.end()
    script("migrations/0002_job_move.sql")
    script("migrations/0003_job_contract.sql")
    statespec("gen")
    statespec("db check")
    new.end()
    sql("INSERT INTO jobs (id, status) VALUES (200000, 'queued')", is_refused=True)


with tempfile.TemporaryDirectory() as folder:
    shutil.copytree(HERE / "machines", Path(folder) / "machines")
    os.chdir(folder)
    try:
        life()
    finally:
        os.chdir(HERE)
