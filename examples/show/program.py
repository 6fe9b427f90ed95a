"""A program that leads jobs through their states, as it did before anybody thought of a guard.

It knows nothing of statespec. Its words are the address of the database and the name of the first state. It goes on until its input
ends, and does one more job after that.
"""

import sys
import threading
import time


def connect(url):
    """A connection on which every statement is a transaction of its own."""
    if url.startswith("postgres"):
        import psycopg

        return psycopg.connect(url, autocommit=True)
    import sqlite3

    return sqlite3.connect(url, timeout=60, isolation_level=None)


def work(database, first):
    # A job comes in, and the oldest one is done: there are always as many to do.
    database.execute(f"INSERT INTO jobs (status) VALUES ('{first}')")
    (job,) = database.execute(f"SELECT min(id) FROM jobs WHERE status = '{first}'").fetchone()
    for old, status in [(first, "claimed"), ("claimed", "running"), ("running", "complete")]:
        # It writes every column, as an ORM does.
        database.execute(f"UPDATE jobs SET id = {job}, status = '{status}', locked_until = NULL WHERE id = {job} AND status = '{old}'")
        time.sleep(0.01)


def main():
    url, first = sys.argv[1:]
    is_over = threading.Event()
    threading.Thread(target=lambda: (sys.stdin.read(), is_over.set()), daemon=True).start()
    database = connect(url)
    n_done = 0
    while True:
        is_last = is_over.is_set()
        work(database, first)
        n_done += 1
        if n_done == 1:
            print("it works", flush=True)
        if is_last:
            return


if __name__ == "__main__":
    main()
