Values = Mapping[str, Any]


class Subject(Protocol):
    """An implementation of a machine, in JSON."""

    def call(self, at: Any, request: Values, given: Values, holds: frozenset[str]) -> Values:
        """A call in a machine (`None`: creation) where these predicates hold: `{"ok": …}` or `{"refused": …}`."""
        ...

    def successors(self, state: str) -> list[str]:
        """The states that a row leads to from a state."""
        ...

    def may_raise(self, event: str) -> list[str]:
        """The actors that may raise an event."""
        ...

    def start_timers(self, machine: Any, now: int) -> None:
        """The timers of a new machine start."""
        ...

    def observe_timers(self, now: int) -> None:
        """Timers start and end after the last call."""
        ...

    def end_timer(self, timer: str) -> None:
        """A timer ends, because it was refused."""
        ...

    def due(self, machine: Any) -> list[list[Any]]:
        """The running timers with the moments at which they are due."""
        ...


class _Predicates:
    """Predicates that hold if they are named."""

    def __init__(self, names: Mapping[str, str], holds: frozenset[str]) -> None:
        self._holds: Final = frozenset(ident for name, ident in names.items() if name in holds)

    def __getattr__(self, name: str) -> Callable[[], bool]:
        return lambda: name in self._holds


class Emitted:
    """A module of this package."""

    def __init__(self, module: ModuleType) -> None:
        self._module: Final[Any] = module
        self._chart: Final[Any] = self._module.CHART
        self._machine: Final[Any] = self._module.MACHINE
        self._timers: Any = statespec.Timers()
        self._change: Any = None

    def _context(self, given: Values) -> Any:
        """The context at creation: its defaults, and some values."""
        if not hasattr(self._module, "Context"):
            return None
        blank = object.__new__(self._module.Context)
        for it in dataclasses.fields(self._module.Context):
            object.__setattr__(blank, it.name, None if it.default is dataclasses.MISSING else it.default)
        return self._module.decode_context({**self._module.encode_context(blank), **given})

    def _event(self, value: Any) -> tuple[Any, bool]:
        """An event, and whether it is the end of a timer."""
        if isinstance(value, str) and value in self._chart.timers:
            return self._module.Timer(value), True
        event = self._module.decode_event(value)
        if self._module.decode_event(self._module.encode_event(event)) != event:
            raise AssertionError(f"{value} is not read as it is written")
        return event, False

    def _outcome(self, at: Any, request: Values, given: Values, holds: frozenset[str]) -> Any:
        asked = _Predicates(self._chart.predicates, holds) if self._chart.predicates else None
        predicates = () if asked is None else (asked,)
        machine = None if at is None else self._machine.decode(at)
        if "to" in request and machine is not None:
            to = request["to"]
            kinds = [self._module.State, *([self._module.Composite] if hasattr(self._module, "Composite") else [])]
            target = next(kind(to) for kind in kinds if to in {it.value for it in kind})
            return machine.try_transition_to(target, *predicates)
        event, is_timer = self._event(request["event"])
        if is_timer and machine is not None:
            return machine.try_elapse(event, *predicates)
        if machine is not None:
            return machine.try_apply(event, *predicates)
        context = self._context(given)
        if is_timer or not hasattr(self._machine, "try_create"):
            kind = self._module.EventKind(event.value) if is_timer else getattr(self._module, "_KINDS")[type(event)]
            return getattr(self._module, "_call")((), context, kind.value, event, kind, None, asked)
        named = {} if context is None else {"context": context}
        return self._machine.try_create(event, *predicates, **named)

    def call(self, at: Any, request: Values, given: Values, holds: frozenset[str]) -> Values:
        """A call in a machine."""
        outcome = self._outcome(at, request, given, holds)
        if issubclass(type(outcome), statespec.Refusal):
            allowed: list[str] = [it.value for it in outcome.allowed]
            refused: dict[str, Any] = {"reason": outcome.reason.value, "message": outcome.message, "allowed": allowed}
            return {"refused": refused if outcome.row is None else {**refused, "row": outcome.row}}
        self._change = outcome
        return {
            "ok": {
                "machine": outcome.machine.encode(),
                "steps": [self._step(it) for it in outcome.steps],
                "effects": [[it.phase.value, self._effect(it.effect), self._message(it.effect)] for it in outcome.calls],
                "commit": outcome.commit.value,
            }
        }

    def _step(self, step: Any) -> Values:
        return {
            "rows": list(step.rows),
            "from": self._states(step.states) if step.states else None,
            "to": self._states(step.to),
            "exited": list(step.exited),
            "entered": list(step.entered),
        }

    def _states(self, states: Any) -> Any:
        return self._chart.encode_states(states) if hasattr(self._module.MACHINE, "states") else states[0].value

    def _effect(self, effect: Any) -> Any:
        value = self._module.encode_effect(effect)
        if self._module.decode_effect(value) != effect:
            raise AssertionError(f"{value} is not read as it is written")
        return value

    def _message(self, effect: Any) -> Any:
        return self._module.message(effect) if hasattr(self._module, "message") else None

    def successors(self, state: str) -> list[str]:
        """The states that a row leads to from a state."""
        return [it.value for it in self._module.State(state).successors]

    def may_raise(self, event: str) -> list[str]:
        """The actors that may raise an event."""
        if not hasattr(self._module, "Actor"):
            return []
        return [it.value for it in self._module.Actor if self._module.may_raise(it, self._module.EventKind(event))]

    def start_timers(self, machine: Any, now: int) -> None:
        """The timers of a new machine start."""
        found = self._machine.decode(machine)
        self._timers = found.start_timers(now) if hasattr(found, "start_timers") else statespec.Timers()

    def observe_timers(self, now: int) -> None:
        """Timers start and end after the last call."""
        if hasattr(self._module, "observe"):
            observed = self._module.observe(self._timers, self._change, now)
            self._timers = self._module.decode_timers(observed.encode())

    def end_timer(self, timer: str) -> None:
        """A timer ends, because it was refused."""
        self._timers = self._timers.without(timer)

    def due(self, machine: Any) -> list[list[Any]]:
        """The running timers with the moments at which they are due."""
        found = self._machine.decode(machine)
        return [[timer.value, moment] for timer, moment in found.due(self._timers)] if hasattr(found, "due") else []


class _Run:
    """A run of the data of one machine."""

    def __init__(self, data: Values, subject: Subject) -> None:
        self._data: Final = data
        self._subject: Final = subject
        self.differences: Final[list[str]] = []
        self.n_compared = 0

    def _line(self, case: Values) -> str:
        """The lines of the spec that a case is about."""
        rows = [row for step in case.get("ok", {}).get("steps", ()) for row in step["rows"]]
        rows += [case["refused"]["row"]] if "row" in case.get("refused", ()) else []
        lines = ", ".join(str(self._data["rows"][it]) for it in rows)
        return f"{self._data['spec']}:{lines}" if lines else str(self._data["spec"])

    def _differ(self, case: Values, what: str, expected: Any, found: Any) -> None:
        texts = [json.dumps(it, ensure_ascii=False, default=str) for it in (expected, found)]
        self.differences.append(f"{self._line(case)}: {what}\n  expected {texts[0]}\n  found    {texts[1]}")

    def case(self, what: str, at: Any, case: Values) -> bool:
        """Compares a call; whether it is as expected."""
        expected = {it: case[it] for it in ("ok", "refused") if it in case}
        if not expected:
            return True
        self.n_compared += 1
        try:
            found = self._subject.call(at, case["call"], case.get("given", {}), frozenset(case.get("holds", ())))
        except (ArithmeticError, AssertionError, LookupError, TypeError, ValueError) as error:
            found = {"raised": f"{type(error).__name__}: {error}"}
        if found == expected:
            return True
        self._differ(case, f"{what}: {json.dumps(case['call'])} at {json.dumps(at)}", expected, found)
        return False

    def walk(self, walk: Values) -> None:
        """Compares many calls one after the other, and the timers after each."""
        at: Any = None
        for number, case in enumerate(walk["steps"], 1):
            what = f"walk {walk['seed']}, step {number}"
            if "start" in case:
                at = case["start"]
                self._subject.start_timers(at, case["now"])
            else:
                if not self.case(what, at, case):
                    return
                if "ok" in case:
                    at = case["ok"]["machine"]
                    self._subject.observe_timers(case["now"])
                elif "due" in case:
                    self._subject.end_timer(case["due"][0])
            if "timers" in case and (found := self._subject.due(at)) != case["timers"]:
                self._differ(case, f"{what}: timers", case["timers"], found)
                return

    def tables(self) -> None:
        """Compares the states that each state leads to, and the actors of each event."""
        for state, to in self._data["pairs"]:
            if (found := self._subject.successors(state)) != to:
                self._differ({}, f"the successors of `{state}`", to, found)
        for event, actors in self._data["may_raise"]:
            if (found := self._subject.may_raise(event)) != actors:
                self._differ({}, f"the actors of `{event}`", actors, found)

    def all(self) -> None:
        """Compares everything."""
        self.tables()
        for kind in ("cases", "forbidden"):
            for case in self._data[kind]:
                self.case(kind, case["at"], case)
        for walk in self._data["walks"]:
            self.walk(walk)


def check(test: unittest.TestCase, path: Path, subject: Subject) -> None:
    """Compares a subject with the data of a file; fails with the differences, each with the line of the spec."""
    data: Any = json.loads(path.read_text(encoding="utf-8"))
    run = _Run(data, subject)
    run.all()
    shown = "\n".join(run.differences[:10])
    test.assertEqual(len(run.differences), 0, f"{len(run.differences)} of {run.n_compared} calls differ from the spec\n{shown}")
    test.assertTrue(run.n_compared > 0 or not data["cases"], "no call was compared")


def check_numbers(test: unittest.TestCase, path: Path) -> None:
    """Compares the operators at their limits with the data of a file."""
    data: Any = json.loads(path.read_text(encoding="utf-8"))
    whole: dict[str, Callable[[int, int], int]] = {
        "+": statespec.add,
        "-": statespec.sub,
        "*": statespec.mul,
        "/": statespec.div,
        "%": statespec.rem,
    }
    exact: dict[str, Callable[[Decimal, Decimal], Decimal]] = {
        "+": statespec.add_decimal,
        "-": statespec.sub_decimal,
        "*": statespec.mul_decimal,
        "/": statespec.div_decimal,
        "%": statespec.rem_decimal,
    }
    differences: list[str] = []
    for kind, sign, left, right, expected in data["vectors"]:
        # A division by zero is refused before anything divides.
        if expected is None:
            continue
        if kind == "int":
            found = str(whole[sign](int(left), int(right)))
        else:
            found = format(exact[sign](Decimal(left), Decimal(right)), "f")
        if found != expected:
            differences.append(f"{left} {sign} {right} is {expected}, not {found}")
    test.assertEqual(differences[:20], [], f"{len(differences)} operations differ")
