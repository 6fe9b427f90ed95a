"""The job by statespec, by transitions and by python-statemachine, in one process, one after the other."""

import json
from collections.abc import Callable
from time import perf_counter_ns
from typing import Any

import transitions
from machines import job
from statemachine import State, StateMachine

N = 20_000
PASSES = 7


def names() -> list[str]:
    seed, found = 1, []
    for _ in range(50_000):
        seed = seed * 48271 % 2147483647
        found.append(("start", "finish", "fail")[seed % 3])
    return found[:N]


def measure(name: str, run: Callable[[list[Any]], str], event: Callable[[str], Any] = str) -> None:
    """Prints the nanoseconds of an event in the fastest of some passes; `run` returns what came."""
    events, best, result = [event(it) for it in names()], float("inf"), ""
    for _ in range(PASSES):
        start = perf_counter_ns()
        result = run(events)
        best = min(best, (perf_counter_ns() - start) / N)
    print(json.dumps({"name": name, "ns": best, "result": result}))


def ours(events: list[job.Event]) -> str:
    machine, accepted = job.Job.new(), 0
    for it in events:
        outcome = machine.try_apply(it)
        if not isinstance(outcome, job.Refused):
            machine = outcome.machine
            accepted += 1
    return f"{accepted} {machine.state}"


class Model:
    """The context of the job, and its effects."""

    attempts = 0
    state: str
    trigger: Callable[[str], bool]

    def is_early(self) -> bool:
        return self.attempts < 3

    def count(self) -> None:
        self.attempts += 1

    def forget(self) -> None:
        self.attempts = 0

    def begin(self) -> None:
        self.attempts = 1

    def report(self) -> None: ...

    def retry(self) -> None: ...


ROWS = [
    {"trigger": "start", "source": "idle", "dest": "running", "after": "count"},
    {"trigger": "finish", "source": "running", "dest": "idle", "after": ["forget", "report"]},
    {"trigger": "fail", "source": "running", "dest": "idle", "conditions": "is_early", "after": "retry"},
    {"trigger": "fail", "source": "running", "dest": "failed"},
    {"trigger": "start", "source": "failed", "dest": "running", "after": "begin"},
]


def by_transitions(events: list[str]) -> str:
    model, accepted = Model(), 0
    transitions.Machine(model, ["idle", "running", "failed"], transitions=ROWS, initial="idle", ignore_invalid_triggers=True)
    for it in events:
        accepted += model.trigger(it)
    return f"{accepted} {model.state}"


class JobMachine(StateMachine):
    """The job as a class of python-statemachine."""

    allow_event_without_transition = True
    idle = State(initial=True)
    running = State()
    failed = State()
    start = idle.to(running, on="count") | failed.to(running, on="begin")
    finish = running.to(idle, on="forget")
    fail = running.to(idle, cond="is_early", on="retry") | running.to(failed)

    attempts = 0
    is_early = Model.is_early
    count = Model.count
    forget = Model.forget
    begin = Model.begin
    retry = Model.retry


def by_statemachine(events: list[str]) -> str:
    machine, accepted, state = JobMachine(), 0, "idle"
    for it in events:
        machine.send(it)
        now = next(iter(machine.configuration)).id
        accepted += now != state
        state = now
    return f"{accepted} {state}"


EVENTS = {"start": job.Start(), "finish": job.Finish(), "fail": job.Fail()}
measure("statespec", ours, EVENTS.__getitem__)
measure("transitions", by_transitions)
measure("python-statemachine", by_statemachine)
