

# Systems: several machines in one transaction. A plan reads a store and changes nothing.

MAX_FIRED: Final = 1000

Ask: TypeAlias = "tuple[str, *tuple[Reference, ...]]"
"""What a plan asks the store: a method, and its argument."""

R = TypeVar("R")
Asking: TypeAlias = Generator[Ask, Any, R]


class SystemReason(StrEnum):
    """Why a system refused a transaction, unless a machine did."""

    MISSING = "missing"
    """An instance that the transaction needs is not there."""
    SAME = "same"
    """The same instance takes two roles."""
    RULE = "rule"
    """A rule does not hold."""
    INVARIANT = "invariant"
    """An invariant would not hold afterwards."""
    DIVISION_BY_ZERO = "division_by_zero"
    """A value of a payload, or the condition of a link, divides by zero."""
    ACTOR = "actor"
    """The actor may not trigger the transaction."""
    UNKNOWN = "unknown"
    """The key of an instance is unknown: what should determine it is not there, or has no owner."""
    APART = "apart"
    """The named instances do not belong together."""
    ENDLESS = "endless"
    """The links raise too many events."""


class RefusedTransaction(Exception):
    """Why a transaction was refused; nothing changed. Its text says so in words."""

    def __init__(
        self,
        reason: SystemReason | Reason,
        message: str,
        *,
        part: str | None = None,
        key: Reference | None = None,
        index: int | None = None,
        machine: Refusal[Any, Any] | None = None,
    ) -> None:
        super().__init__(message)
        self.reason: Final = reason
        self.message: Final = message
        self.part: Final = part
        """The part that it is about."""
        self.key: Final = key
        """The key of its instance, if a machine refused."""
        self.index: Final = index
        """The position of the rule or invariant in the spec."""
        self.machine: Final = machine
        """The refusal of the machine."""
        self.link: int | None = None
        """The position of the link whose event was refused; `None` if it was one of the transaction."""
        self.system = ""
        self.transaction = ""

    def encode(self) -> Json:
        """The refusal as JSON, for logs and answers."""
        return {
            "system": self.system,
            "transaction": self.transaction,
            "reason": self.reason,
            "message": self.message,
            "part": self.part,
            "key": self.key,
            "index": self.index,
            "link": self.link,
        }

    def is_of_spec(self) -> bool:
        """Whether an optional link may be skipped for it: the spec refuses, and not the limits of the program."""
        return self.reason not in (SystemReason.UNKNOWN, SystemReason.APART, SystemReason.ENDLESS)


@dataclass(frozen=True, slots=True)
class Performed(Generic[F]):
    """An effect of a transaction, and the instance whose effect it is."""

    part: str
    key: Reference
    phase: Phase
    effect: F


@dataclass(frozen=True, slots=True)
class Fired:
    """One event that was fired in one instance."""

    part: str
    key: Reference
    event: object
    link: int | None
    """The position of the link that fired it; `None` if the transaction did."""
    before: object | None
    """The machine before; `None` if the event created it."""
    after: object
    steps: tuple[Step[Any], ...]


W = TypeVar("W")


@dataclass(frozen=True, slots=True)
class Planned(Generic[W, F]):
    """What a transaction changes. The caller performs `before`, stores the writes as `commit` says, and performs `effects`."""

    keys: Mapping[str, Reference]
    """The keys of the instances, by part and role."""
    writes: tuple[W, ...]
    """What is stored, all or nothing: each instance once."""
    changes: tuple[Fired, ...]
    """The events in order: those of the transaction, then those of links."""
    calls: tuple[Performed[F], ...]
    """The effects of all changes, in order."""
    commit: Commit
    skipped: tuple[RefusedTransaction, ...]
    """The optional links that were refused."""

    @property
    def before(self) -> tuple[Performed[F], ...]:
        """The effects that must succeed before anything changes."""
        return tuple(it for it in self.calls if it.phase is Phase.BEFORE)

    @property
    def effects(self) -> tuple[Performed[F], ...]:
        """The effects after the change, in order."""
        return tuple(it for it in self.calls if it.phase is not Phase.BEFORE)


@dataclass(frozen=True, slots=True, eq=False)
class Part(Generic[M]):
    """A part or a role of a system."""

    name: str
    plays: str
    """The part whose instances it has: itself, unless it is a role."""
    many: bool
    new: Callable[[Reference | None], M] | None
    """An instance that begins without an event, with the key of its owner."""
    raises: Callable[[M | None, Any, Reference | None, Any], Any]
    """What an event does; without a machine, it creates one with the key of its owner."""
    write: Callable[[Reference, M | None, M], Any]
    missing: str
    same: str
    load: str
    key: str | None = None
    list: str | None = None
    create: str | None = None
    owner: str | None = None
    owner_of: Callable[[M], Reference | None] | None = None
    owner_optional: bool = False


@dataclass(frozen=True, slots=True)
class Load:
    """An instance whose key is determined, and the instances that belong to it and come before."""

    part: str
    origin: str
    owned: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Need:
    """An instance that must be there, unless an event creates it or the owner is another one."""

    part: str
    created: bool = False
    belongs: bool = False


@dataclass(frozen=True, slots=True)
class Fire:
    """An event that is fired."""

    part: str
    event: Callable[[View, Any], Any]
    divides: Callable[[View, Any], bool] | None = None
    in_memory: bool = False


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule: its position in the spec, and its condition."""

    index: int
    holds: Callable[[View], bool]


@dataclass(frozen=True, slots=True)
class Transaction:
    """A transaction."""

    name: str
    by: tuple[str, ...]
    named: Callable[[Any], Mapping[str, Reference]]
    loads: tuple[Load, ...]
    distinct: tuple[tuple[str, tuple[str, ...]], ...]
    parts: tuple[str, ...]
    needs: tuple[Need, ...]
    rules: tuple[Rule, ...]
    fires: tuple[Fire, ...]
    checks: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class When:
    """The condition of a link, and the instances that it reads."""

    needs: tuple[str, ...]
    holds: Callable[[View], bool]
    divides: Callable[[View], bool] | None = None


@dataclass(frozen=True, slots=True)
class Link:
    """An event that a change of one part raises in another."""

    part: str
    enters: bool
    state: str
    loads: tuple[Load, ...]
    parts: tuple[str, ...]
    needs: tuple[Need, ...]
    rules: tuple[Rule, ...]
    fire: Fire
    optional: bool
    when: When | None = None


@dataclass(frozen=True, slots=True)
class Invariant:
    """A condition that holds after every transaction."""

    text: str
    each: str | None
    owners: tuple[str, ...]
    parts: tuple[str, ...]
    holds: Callable[[View], bool]


@dataclass(frozen=True, slots=True)
class System:
    """What one system does, as data."""

    name: str
    parts: tuple[Part[Any], ...]
    transactions: Mapping[type[Any], Transaction]
    links: tuple[Link, ...]
    rules: tuple[str, ...]
    invariants: tuple[Invariant, ...]
    predicates: Mapping[str, tuple[str, Mapping[str, str]]]
    """The member of `Predicates` of each part that has predicates, and the methods of that by their names in the spec."""


@dataclass(slots=True)
class _Kept:
    """An instance during a transaction."""

    part: str
    key: Reference
    stored: Any
    now: Any
    changed: bool = False
    begun: bool = False


class View:
    """The instances that conditions and payloads read."""

    def __init__(self, unit: _Unit, keys: Mapping[str, Reference]) -> None:
        self._unit: Final = unit
        self._keys: Final = keys

    def id(self, part: Part[Any]) -> Reference:
        """The key of an instance."""
        return self._keys[part.name]

    def of(self, part: Part[M]) -> M:
        """An instance, which is there."""
        return cast("M", self._unit.now(part.name, self._keys))


class _Unit:
    """A transaction during its computation."""

    def __init__(self, system: System, predicates: object) -> None:
        self.system: Final = system
        self.predicates: Final = predicates
        self.nodes: Final = {it.name: it for it in system.parts}
        self.kept: Final[dict[tuple[str, Reference], _Kept]] = {}
        self.changes: Final[list[Fired]] = []
        self.calls: Final[list[Performed[Any]]] = []
        self.skipped: Final[list[RefusedTransaction]] = []
        self.order = 2

    def now(self, part: str, keys: Mapping[str, Reference]) -> Any:
        """An instance as it is at this point; `None` if it is not there."""
        if part not in keys:
            return None
        kept = self.kept.get((self.nodes[part].plays, keys[part]))
        return None if kept is None else kept.now

    def _load(self, part: str, key: Reference) -> Asking[None]:
        node = self.nodes[self.nodes[part].plays]
        if (node.name, key) in self.kept:
            return
        stored = yield (node.load, key) if node.many else (node.load,)
        kept = _Kept(node.name, key, stored, stored)
        # An only instance that no event creates is there from the start.
        if stored is None and not node.many and node.new is not None:
            owner = None if node.owner is None else (yield from self._only(node.owner))
            kept.now = node.new(owner)
        self.kept[node.name, key] = kept

    def _only(self, part: str) -> Asking[Reference]:
        """The key of an only instance."""
        method = self.nodes[part].key
        if method is None:
            return 1
        key: Reference = yield (method,)
        return key

    def _owner(self, part: str, keys: Mapping[str, Reference]) -> Reference | None:
        node, machine = self.nodes[part], self.now(part, keys)
        return None if machine is None or node.owner_of is None else node.owner_of(machine)

    def _determine(self, loads: tuple[Load, ...], named: Mapping[str, Reference]) -> Asking[dict[str, Reference]]:
        """The keys that are given or determined by other instances."""
        keys: dict[str, Reference] = {}
        for load in loads:
            told: list[Reference] = []
            if load.origin == "single":
                told.append((yield from self._only(load.part)))
            elif load.origin == "named":
                told.append(named[load.part])
            told += [owner for it in load.owned if (owner := self._owner(it, keys)) is not None]
            if not told:
                continue
            for it in told:
                if it != told[0]:
                    raise RefusedTransaction(SystemReason.APART, f"which `{load.part}`: {told[0]} or {it}?", part=load.part)
            keys[load.part] = told[0]
            yield from self._load(load.part, told[0])
        return keys

    def _complete(self, loads: tuple[Load, ...], parts: tuple[str, ...], keys: dict[str, Reference]) -> Asking[None]:
        """Adds the keys of new instances; those of `parts` must be known then."""
        new = [it.part for it in loads if it.origin == "new"]
        for part in parts:
            if part not in new and part not in keys:
                raise RefusedTransaction(SystemReason.UNKNOWN, f"which `{part}`?", part=part)
        for part in new:
            node = self.nodes[part]
            if part not in keys and node.create is not None:
                key: Reference = yield (node.create,)
                keys[part] = key
                self.kept[node.plays, key] = _Kept(node.plays, key, None, None)

    def _given(self, part: str, keys: Mapping[str, Reference]) -> Reference | None:
        """The owner that a new instance gets."""
        owner = self.nodes[part].owner
        return None if owner is None else keys.get(owner)

    def _begin(self, keys: Mapping[str, Reference]) -> None:
        for name, node in self.nodes.items():
            if name not in keys or node.new is None or self.now(name, keys) is not None:
                continue
            owner = self._given(name, keys)
            if node.owner is not None and owner is None and not node.owner_optional:
                raise RefusedTransaction(SystemReason.UNKNOWN, f"which `{node.owner}`?", part=node.owner)
            kept = self.kept[node.plays, keys[name]]
            kept.now = node.new(owner)
            kept.begun = True

    def _missing(self, part: str) -> RefusedTransaction:
        node = self.nodes[part]
        return RefusedTransaction(SystemReason.MISSING, node.missing, part=node.plays)

    def _needs(self, needs: tuple[Need, ...], keys: Mapping[str, Reference]) -> None:
        for need in needs:
            there = self.now(need.part, keys) is not None
            if there and need.belongs:
                there = self._owner(need.part, keys) == self._given(need.part, keys)
            if not there and not need.created:
                raise self._missing(need.part)

    def _rules(self, rules: tuple[Rule, ...], view: View) -> None:
        for rule in rules:
            if not rule.holds(view):
                raise RefusedTransaction(SystemReason.RULE, self.system.rules[rule.index], index=rule.index)

    def _fire(self, fire: Fire, keys: Mapping[str, Reference], view: View, request: object, link: int | None) -> tuple[Fired, Any]:
        if fire.divides is not None and fire.divides(view, request):
            raise RefusedTransaction(SystemReason.DIVISION_BY_ZERO, "a divisor is zero")
        node, key = self.nodes[fire.part], keys[fire.part]
        before = None if fire.in_memory else self.now(fire.part, keys)
        event = fire.event(view, request)
        owner = self._given(fire.part, keys) if before is None else None
        change = node.raises(before, event, owner, self.predicates)
        if issubclass(type(change), Refusal):
            refusal: Refusal[Any, Any] = change
            raise RefusedTransaction(refusal.reason, refusal.message, part=node.plays, key=key, machine=refusal)
        return Fired(node.plays, key, event, link, before, change.machine, change.steps), change

    def _apply(self, fired: Fired, change: Any) -> None:
        kept = self.kept[fired.part, fired.key]
        kept.now = fired.after
        kept.changed = True
        self.changes.append(fired)
        self.calls.extend(Performed(fired.part, fired.key, it.phase, it.effect) for it in change.calls)
        self.order = min(self.order, _ORDERS.index(change.commit))

    def _follow(self, idx: int) -> Asking[None]:
        """The links that watch the borders that a change crosses, and those that follow from them."""
        fired = self.changes[idx]
        crossed = [(enters, it) for step in fired.steps for enters, names in ((False, step.exited), (True, step.entered)) for it in names]
        for enters, state in crossed:
            for number, link in enumerate(self.system.links):
                if (link.part, link.enters, link.state) != (fired.part, enters, state):
                    continue
                position = len(self.changes)
                try:
                    is_fired = yield from self._link(number, link, fired.key)
                except RefusedTransaction as refused:
                    if not refused.is_of_spec():
                        raise
                    refused.link = number
                    if not link.optional:
                        raise
                    self.skipped.append(refused)
                    continue
                # What follows is no refusal of this link.
                if is_fired:
                    yield from self._follow(position)

    def _link(self, number: int, link: Link, key: Reference) -> Asking[bool]:
        """Whether the condition of a link holds; then its event is fired."""
        keys = yield from self._determine(link.loads, {link.part: key})
        yield from self._complete(link.loads, link.parts, keys)
        view = View(self, keys)
        if link.when is not None:
            for it in link.when.needs:
                if self.now(it, keys) is None:
                    raise self._missing(it)
            if link.when.divides is not None and link.when.divides(view):
                raise RefusedTransaction(SystemReason.DIVISION_BY_ZERO, "a divisor is zero")
            if not link.when.holds(view):
                return False
        self._needs(link.needs, keys)
        self._rules(link.rules, view)
        if len(self.changes) == MAX_FIRED:
            raise RefusedTransaction(SystemReason.ENDLESS, f"the links set off more than {MAX_FIRED} events")
        self._apply(*self._fire(link.fire, keys, view, None, number))
        return True

    def check(self, idx: int) -> Asking[None]:
        """Refuses if an invariant does not hold."""
        invariant = self.system.invariants[idx]
        each = invariant.each
        instances: list[Reference | None] = [None] if each is None else list((yield from self._all(each)))
        for one in instances:
            keys: dict[str, Reference] = {}
            for part in invariant.parts:
                if not self.nodes[part].many:
                    keys[part] = yield from self._only(part)
                    yield from self._load(part, keys[part])
            at = each
            if each is not None and one is not None:
                keys[each] = one
            for owner in invariant.owners:
                key = None if at is None else self._owner(at, keys)
                at = None if key is None else owner
                if key is not None:
                    keys[owner] = key
                    yield from self._load(owner, key)
            if all(self.now(it, keys) is not None for it in invariant.parts) and not invariant.holds(View(self, keys)):
                raise RefusedTransaction(SystemReason.INVARIANT, invariant.text, index=idx)

    def _all(self, part: str) -> Asking[list[Reference]]:
        """The keys of all instances of a part after the changes."""
        listed: Iterable[tuple[Reference, Any]] = yield (known(self.nodes[part].list),)
        for key, stored in listed:
            self.kept.setdefault((part, key), _Kept(part, key, stored, stored))
        return [it.key for it in self.kept.values() if it.part == part and it.now is not None]

    def transaction(self, of: Transaction, request: object) -> Asking[dict[str, Reference]]:
        """Computes everything; returns the keys."""
        keys = yield from self._determine(of.loads, of.named(request))
        for part, among in of.distinct:
            found = [keys[it] for it in among if it in keys]
            if len(set(found)) < len(found):
                raise RefusedTransaction(SystemReason.SAME, self.nodes[part].same, part=part)
        yield from self._complete(of.loads, of.parts, keys)
        self._begin(keys)
        self._needs(of.needs, keys)
        view = View(self, keys)
        self._rules(of.rules, view)
        planned = [self._fire(it, keys, view, request, None) for it in of.fires]
        for fired, change in planned:
            self._apply(fired, change)
        for idx in range(len(planned)):
            yield from self._follow(idx)
        for kept in self.kept.values():
            if kept.begun and not kept.changed:
                kept.now = None
        for idx in of.checks:
            yield from self.check(idx)
        return keys


def never(*_: object) -> NoReturn:
    """In the place of a function that no plan calls."""
    unreachable()


def transact(system: System, request: object, predicates: object) -> Asking[Planned[Any, Any] | RefusedTransaction]:
    """What a transaction changes, or why it is refused; yields what it asks the store."""
    unit, of = _Unit(system, predicates), system.transactions[type(request)]
    try:
        keys = yield from unit.transaction(of, request)
    except RefusedTransaction as refused:
        refused.system, refused.transaction = system.name, of.name
        return refused
    for it in unit.skipped:
        it.system, it.transaction = system.name, of.name
    instances = dict.fromkeys((it.part, it.key) for it in unit.changes)
    kept = [unit.kept[it] for it in instances]
    writes = tuple(unit.nodes[one.part].write(one.key, one.stored, one.now) for one in kept)
    return Planned(keys, writes, tuple(unit.changes), tuple(unit.calls), _ORDERS[unit.order], tuple(unit.skipped))


def check_all(system: System) -> Asking[RefusedTransaction | None]:
    """The first invariant that does not hold, as a refusal."""
    unit = _Unit(system, None)
    try:
        for idx in range(len(system.invariants)):
            yield from unit.check(idx)
    except RefusedTransaction as refused:
        refused.system = system.name
        return refused
    return None


def denied(system: System, request: object, actor: str) -> RefusedTransaction | None:
    """The refusal of an actor that may not trigger a transaction; `None` if it may."""
    of = system.transactions[type(request)]
    if not of.by or actor in of.by:
        return None
    refused = RefusedTransaction(SystemReason.ACTOR, f"only {listed(of.by, 'or')} may trigger `{of.name}`")
    refused.system, refused.transaction = system.name, of.name
    return refused


def drive(store: object, plan: Asking[R]) -> R:
    """Answers what a plan asks."""
    answer: Any = None
    while True:
        try:
            method, *keys = plan.send(answer)
        except StopIteration as end:
            return cast("R", end.value)
        answer = getattr(store, method)(*keys)


async def drive_async(store: object, plan: Asking[R]) -> R:
    """Answers what a plan asks by a store whose methods are coroutines."""
    answer: Any = None
    while True:
        try:
            method, *keys = plan.send(answer)
        except StopIteration as end:
            return cast("R", end.value)
        answer = await getattr(store, method)(*keys)


class Held:
    """The instances of a store in memory."""

    def __init__(self) -> None:
        self._instances: Final[dict[tuple[str, Reference], Any]] = {}
        self._last: Final[dict[str, int]] = {}

    def get(self, part: str, key: Reference) -> Any:
        """An instance; `None` if it is not there."""
        return self._instances.get((part, key))

    def put(self, part: str, key: Reference, machine: object) -> None:
        """Stores an instance."""
        self._instances[part, key] = machine

    def all(self, part: str) -> list[tuple[Reference, Any]]:
        """All instances of a part."""
        return [(key, machine) for (of, key), machine in self._instances.items() if of == part]

    def next_key(self, part: str) -> Reference:
        """The key of a new instance."""
        numbers = [key for of, key in self._instances if of == part and isinstance(key, int)]
        self._last[part] = max([self._last.get(part, 0), *numbers]) + 1
        return self._last[part]
