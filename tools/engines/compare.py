"""The statement of `statespec audit --sql` in engines for large tables, against the audit itself.

    compare.py plant LOG OUT         copies a log of `measure generate` and changes 150 of its steps to illegal ones
    compare.py duckdb MEASURE LOG    DuckDB on one thread: the same answer, and the processor time of both
    compare.py spark MEASURE LOG     Spark, two executors of which one is killed during the run: the same answer

MEASURE is the program `measure` of `crates/audit/examples`, built for release. DuckDB and PySpark come from PyPI, and PySpark
needs Java 17. Linux: processes are found in `/proc`.
"""

import json
import os
import resource
import signal
import subprocess
import sys
import threading
import time

KINDS = {"entity": "VARCHAR", "at": "VARCHAR", "from": "VARCHAR", "to": "VARCHAR"}


def plant(log: str, out: str) -> None:
    """Illegal steps, evenly spread. No entity is checked behind its first one."""
    with open(log) as lines:
        n_lines = sum(1 for _ in lines)
    gap, n_planted = max(n_lines // 150, 1), 0
    with open(log) as lines, open(out, "w") as copy:
        for number, line in enumerate(lines):
            if number % gap == gap // 2:
                record = json.loads(line)
                record["to"] = "running" if record["from"] == "queued" else "queued"
                line = json.dumps(record, separators=(",", ":")) + "\n"
                n_planted += 1
            copy.write(line)
    print(f"planted {n_planted} illegal steps in {n_lines} records")


def answer_of_audit(measure: str, log: str) -> tuple[set[tuple[str, int]], float]:
    """The first record of each instance that deviates, counted within the instance; and the processor time."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    found = subprocess.run([measure, "find", log], check=True, capture_output=True, text=True).stdout
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    lines = {int(it) for it in found.split()}
    position: dict[str, int] = {}
    answer: dict[str, int] = {}
    with open(log) as records:
        for number, record in enumerate(records, 1):
            entity = json.loads(record)["entity"]
            position[entity] = position.get(entity, 0) + 1
            if number in lines:
                answer.setdefault(entity, position[entity])
    return set(answer.items()), after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def statement(measure: str, dialect: str) -> str:
    return subprocess.run([measure, "sql", dialect, "history"], check=True, capture_output=True, text=True).stdout


def same(expected: set[tuple[str, int]], found: set[tuple[str, int]], engine: str) -> None:
    if expected != found:
        sys.exit(f"{engine} differs: {len(expected)} expected, {len(found)} found, {sorted(expected ^ found)[:10]}")
    print(f"{engine}: the same {len(found)} instances at the same positions")


def duckdb(measure: str, log: str) -> None:
    import duckdb as engine

    expected, time_of_audit = answer_of_audit(measure, log)
    query = statement(measure, "duckdb")
    before = time.process_time()
    connection = engine.connect(config={"threads": 1})
    columns = ", ".join(f"'{name}': '{kind}'" for name, kind in KINDS.items())
    source = f"read_json('{log}', format = 'newline_delimited', columns = {{{columns}}})"
    connection.execute(f"CREATE TABLE history AS SELECT * FROM {source}")
    loaded = time.process_time()
    rows = connection.execute(query).fetchall()
    end = time.process_time()
    same(expected, {(entity, position) for entity, position, *_ in rows}, f"DuckDB {engine.__version__}")
    print(
        f"processor time: audit {time_of_audit:.2f} s; DuckDB {end - before:.2f} s on one thread,"
        f" of which {loaded - before:.2f} s to load: {time_of_audit / (end - before):.2f} times DuckDB"
    )


def executors() -> list[int]:
    """The executors that this process started."""
    parents, found = {}, []
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{name}/stat") as stat:
                parents[int(name)] = int(stat.read().rsplit(") ", 1)[1].split()[1])
            with open(f"/proc/{name}/cmdline", "rb") as command:
                is_executor = b"CoarseGrainedExecutorBackend" in command.read()
        except OSError:
            continue
        if is_executor:
            found.append(int(name))

    def is_ours(pid: int) -> bool:
        while pid > 1:
            if pid == os.getpid():
                return True
            pid = parents.get(pid, 0)
        return False

    # A script starts each Java process, and is its parent.
    return sorted(it for it in found if is_ours(it) and parents.get(it) not in found)


def spark(measure: str, log: str) -> None:
    from pyspark import __version__
    from pyspark.sql import SparkSession

    expected, _ = answer_of_audit(measure, log)
    query = statement(measure, "spark").strip().rstrip(";")
    session = (
        SparkSession.builder.master("local-cluster[2,1,1024]")
        .config("spark.executor.memory", "1g")
        .config("spark.ui.enabled", "false")
        .config("spark.sql.shuffle.partitions", "16")
        .getOrCreate()
    )
    session.sparkContext.setLogLevel("ERROR")
    schema = ", ".join(f"`{name}` STRING" for name in KINDS)
    session.read.schema(schema).json(log).createOrReplaceTempView("history")
    killed: list[int] = []

    def kill() -> None:
        tracker = session.sparkContext.statusTracker()
        while not killed:
            time.sleep(0.05)
            # In the middle: the first stage has results on each executor, and tasks of the run are under way.
            stages = [tracker.getStageInfo(it) for it in tracker.getActiveStageIds()]
            if any(it and it.numCompletedTasks >= 2 and it.numActiveTasks > 0 for it in stages) and len(executors()) == 2:
                killed.append(executors()[0])
                os.kill(killed[0], signal.SIGKILL)

    threading.Thread(target=kill, daemon=True).start()
    begun = time.monotonic()
    rows = session.sql(query).collect()
    seconds = time.monotonic() - begun
    if not killed or killed[0] in executors():
        sys.exit("no executor was killed while the statement ran: take a larger log")
    same(expected, {(row["entity"], row["position"]) for row in rows}, f"Spark {__version__} with an executor killed")
    print(f"{seconds:.0f} s; executor {killed[0]} was killed, {len(executors())} run at the end")
    session.stop()


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["plant", log, out]:
            plant(log, out)
        case ["duckdb", measure, log]:
            duckdb(measure, log)
        case ["spark", measure, log]:
            spark(measure, log)
        case _:
            sys.exit(__doc__)
