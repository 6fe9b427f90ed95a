

# Systems.


class SystemSubject(Protocol):
    """An implementation of a system, in JSON."""

    def plan(self, instances: list[Any], request: Any, holds: Values) -> Values:
        """A transaction with these instances and the predicates that hold, by part: `{"ok": …}` or `{"refused": …}`."""
        ...


class EmittedSystem:
    """A module of a system of this package."""

    def __init__(self, module: ModuleType) -> None:
        self._module: Final[Any] = module
        self._system: Final[Any] = self._module.SYSTEM
        self._parts: Final[Any] = {it.name: it for it in self._system.parts}

    def _write(self, part: str, key: Any, value: Any) -> Any:
        write = self._parts[part].write
        return write(key, None, _machine_class(self._module, write).decode(value))

    def plan(self, instances: list[Any], request: Any, holds: Values) -> Values:
        """A transaction with these instances."""
        memory = self._module.Memory([self._write(*it) for it in instances])
        named = {
            member: _Predicates(methods, frozenset(holds.get(part, ())))
            for part, (member, methods) in self._system.predicates.items()
        }
        predicates = (self._module.Predicates(**named),) if named else ()
        asked = self._module.decode_request(request)
        if self._module.decode_request(self._module.encode_request(asked)) != asked:
            raise AssertionError(f"{request} is not read as it is written")
        outcome = self._module.try_plan(memory, asked, *predicates)
        if isinstance(outcome, statespec.RefusedTransaction):
            if outcome.reason in ("unknown", "apart", "endless"):
                return {"refused": {"reason": outcome.reason.value}}
            refused = {"reason": outcome.reason.value, "message": outcome.message, "part": outcome.part}
            return {"refused": {**refused, "index": outcome.index, "link": outcome.link}}
        return {
            "ok": {
                "writes": [[it.part, it.key, it.after.encode()] for it in outcome.writes],
                "changes": [
                    {
                        "part": it.part,
                        "key": it.key,
                        "event": it.event.value if isinstance(it.event, StrEnum) else _module_of(it.event).encode_event(it.event),
                        "link": it.link,
                        "created": it.before is None,
                        "rows": [list(step.rows) for step in it.steps],
                    }
                    for it in outcome.changes
                ],
                "effects": [[it.part, it.key, it.phase.value, *_effect(it.effect)] for it in outcome.calls],
                "commit": outcome.commit.value,
                "skipped": [[it.link, it.reason.value, it.message] for it in outcome.skipped],
            }
        }


def _module_of(value: object) -> Any:
    """The module of the class of a value."""
    return sys.modules[type(value).__module__]


def _machine_class(module: Any, write: Any) -> Any:
    """The class of the machines of a class of writes, such as `_m_hop.Hop`."""
    alias, name = write.__annotations__["after"].split(".")
    return getattr(getattr(module, alias), name)


def _effect(effect: object) -> list[Any]:
    module = _module_of(effect)
    return [module.encode_effect(effect), module.message(effect) if hasattr(module, "message") else None]


def check_system(test: unittest.TestCase, path: Path, subject: SystemSubject) -> None:
    """Compares a subject with the data of a file; fails with the differences, each with the line of the spec."""
    data: Any = json.loads(path.read_text(encoding="utf-8"))
    differences: list[str] = []
    n_compared = 0
    for walk in data["walks"]:
        world: dict[tuple[str, Any], Any] = {}
        for number, step in enumerate(walk["steps"], 1):
            expected = {it: step[it] for it in ("ok", "refused") if it in step}
            instances = [[part, key, machine] for (part, key), machine in world.items()]
            n_compared += 1
            try:
                found = subject.plan(instances, step["call"], step.get("holds", {}))
            except (ArithmeticError, AssertionError, LookupError, TypeError, ValueError) as error:
                found = {"raised": f"{type(error).__name__}: {error}"}
            if found != expected:
                name = step["call"] if isinstance(step["call"], str) else next(iter(step["call"]))
                texts = [json.dumps(it, ensure_ascii=False, default=str) for it in (step["call"], expected, found)]
                place = f"{data['spec']}:{data['lines'][name]}: walk {walk['name']}, step {number}: {texts[0]}"
                differences.append(f"{place}\n  expected {texts[1]}\n  found    {texts[2]}")
                break
            for part, key, machine in step.get("ok", {}).get("writes", ()):
                world[part, key] = machine
    shown = "\n".join(differences[:10])
    test.assertEqual(len(differences), 0, f"{len(differences)} of {n_compared} transactions differ from the spec\n{shown}")
    test.assertTrue(n_compared > 0 or not data["walks"], "no transaction was compared")
