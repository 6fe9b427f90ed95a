

@dataclass(frozen=True, slots=True)
class _Arm(Generic[C, E, S]):
    number: int
    row: int
    source: int | None
    refuses: bool
    stays: bool
    to: tuple[S | Callable[[C, E | None], S], ...]


@dataclass(frozen=True, slots=True)
class _Crossing(Generic[S]):
    leaves: tuple[int, ...]
    to: tuple[S, ...]
    exited: tuple[int, ...]
    entered: tuple[int, ...]
    exited_names: tuple[str, ...]
    entered_names: tuple[str, ...]
    effects: list[tuple[Phase, str]]
    """The effects of exit and entry."""
    completed: tuple[str, ...]
    """The causes of the composites that are done, in the order in which they are."""


_ORDERS: Final = (Commit.PERSIST_FIRST, Commit.MEMORY_FIRST, Commit.MEMORY_ONLY)
_CROSSINGS: Final = 4096


class Tables(Generic[C, E, P, F, S, K]):
    """The states, rows and cases of one machine."""

    def __init__(
        self,
        machine: str,
        *,
        nodes: Sequence[Node[C, S, K]],
        rows: Sequence[Row[C, E, P, S]],
        cases: Mapping[S | None, Mapping[str, tuple[Arm[C, E, S], ...]]],
        effects: Mapping[str, Callable[[C, E | None, S | None, S], F]],
        created_by: tuple[K, ...] = (),
        parallel: bool = False,
        settling: frozenset[str] = frozenset(),
        reacts: bool = False,
        max_steps: int = 0,
        max_waiting: int = 0,
        timers: Mapping[str, tuple[str, ...]] | None = None,
        by: Mapping[K, tuple[str, ...]] | None = None,
        predicates: Mapping[str, str] | None = None,
    ) -> None:
        self.machine: Final = machine
        self.nodes: Final = tuple(nodes)
        self.rows: Final = tuple(rows)
        self.effects: Final = effects
        self.created_by: Final = created_by
        self.parallel: Final = parallel
        self.settling: Final = settling
        self.reacts: Final = reacts
        self.max_steps: Final = max_steps
        self.max_waiting: Final = max_waiting
        self.timers: Final = timers or {}
        """The states in which each timer runs."""
        self.by: Final = by or {}
        self.predicates: Final = predicates or {}
        self.states: Final = tuple(it.leaf for it in self.nodes if it.leaf is not None)
        position = {it.name: idx for idx, it in enumerate(self.nodes)}
        self._position: Final[Mapping[str, int]] = position
        self._leaf: Final = tuple(it.leaf for it in self.nodes)
        self._parent: Final = tuple(None if it.parent is None else position[it.parent] for it in self.nodes)
        self._around: Final = tuple(tuple(self._ancestors(it)) for it in range(len(self.nodes)))
        self._regions: Final = tuple(idx for idx, it in enumerate(self._parent) if (parallel if it is None else self.nodes[it].parallel))
        self._cases: Final[dict[str, dict[int, tuple[_Arm[C, E, S], ...]]]] = {}
        """By cause and leaf; -1 at creation."""
        self._fixed: Final[list[tuple[int, ...]]] = []
        """The targets of each arm, unless they are computed."""
        number = 0
        for leaf, causes in cases.items():
            at = -1 if leaf is None else position[leaf]
            for cause, arms in causes.items():
                known_arms: list[_Arm[C, E, S]] = []
                for arm in arms:
                    refuses = self.rows[arm.row].refusal is not None
                    source = None if arm.source is None else position[arm.source]
                    known_arms.append(_Arm(number, arm.row, source, refuses, not arm.to, arm.to))
                    fixed = [position[it] for it in arm.to if not callable(it)]
                    self._fixed.append(tuple(fixed) if len(fixed) == len(arm.to) else ())
                    number += 1
                self._cases.setdefault(cause, {})[at] = tuple(known_arms)
        self._remembers: Final = any(it.memories for it in self.nodes)
        self._crossings: Final[dict[object, _Crossing[S]]] = {}
        self._orders: Final = [_ORDERS.index(it.commit) for it in self.rows]
        self._before: Final = [[(Phase.BEFORE, it) for it in row.before] for row in self.rows]
        self._do: Final = [[(Phase.DO, it) for it in row.do] for row in self.rows]

    def _ancestors(self, idx: int) -> Iterable[int]:
        at: int | None = idx
        while at is not None:
            yield at
            at = self._parent[at]

    def _is_in(self, idx: int, whole: int) -> bool:
        return whole in self._around[idx]

    def _states(self, leaves: tuple[int, ...]) -> tuple[S, ...]:
        return tuple(state for it in leaves if (state := self._leaf[it]) is not None)

    def _starts(self, idx: int) -> list[int]:
        """The leaves that become active when a state is entered."""
        return [self._position[it] for it in self.nodes[idx].starts] or [idx]

    def is_in(self, states: tuple[S, ...], whole: str) -> bool:
        """Whether one of these leaves is a state or lies inside it."""
        return any(self._is_in(self._position[it], self._position[whole]) for it in states)

    def successors(self, state: S) -> tuple[S, ...]:
        """The leaves that a row leads to, guards aside."""
        return self.nodes[self._position[state]].successors

    def allowed(self, states: tuple[S, ...], actor: str | None = None) -> tuple[K, ...]:
        """The events that some row accepts, guards aside; of an actor, those that it may raise."""
        accepted = [self.nodes[self._position[it]].accepted for it in states] or [self.created_by]
        if len(accepted) == 1 and actor is None:
            return accepted[0]
        union = {event for it in accepted for event in it}
        return tuple(it for it in self.by if it in union and (actor is None or self.may_raise(actor, it)))

    def may_raise(self, actor: str, event: K) -> bool:
        """Whether an actor may raise an event. Nobody raises a timer."""
        return event.value not in self.timers and (not self.by[event] or actor in self.by[event])

    def end(self, name: str) -> str:
        """The leaf or parallel state that a request for a state means."""
        return self.nodes[self._position[name]].end or name

    def message(self, states: tuple[S, ...], event: K | None, to: str | None, denied: Denied) -> str:
        """A refusal in words."""
        if denied.row is not None and (text := self.rows[denied.row].refusal) is not None:
            return text
        here = "+".join(self.nodes[self._position[it]].path for it in states)
        if to is not None and not states:
            return f"`{self.nodes[self._position[to]].path}` is refused at creation: a machine is created by an event"
        if to is not None:
            return self._way(states, here, self._position[self.end(to)], denied.reason)
        start = f"`{event}` is refused in `{here}`: " if states else f"`{event}` is refused at creation: "
        match denied.reason:
            case Reason.GUARD:
                return f"{start}no guard holds"
            case Reason.UNSETTLED:
                return f"{start}it does not settle"
            case Reason.DIVISION_BY_ZERO:
                return f"{start}it divides by zero"
            case Reason.ACTOR:
                return f"{start}only {listed(self.by[event], 'or') if event is not None else 'nothing'} may raise it"
            case Reason.NO_TRANSITION | Reason.TEXT:
                allowed = self.allowed(states)
                if not allowed:
                    return f"{start}nothing is allowed here"
                return f"{start}allowed here {'is' if len(allowed) == 1 else 'are'} {listed(allowed, 'and')}"

    def _way(self, states: tuple[S, ...], here: str, to: int, reason: Reason) -> str:
        start = f"`{here}` does not go to `{self.nodes[to].path}`: "
        match reason:
            case Reason.GUARD:
                return f"{start}no guard holds"
            case Reason.UNSETTLED:
                return f"{start}it does not settle"
            case Reason.DIVISION_BY_ZERO:
                return f"{start}that divides by zero"
            case _:
                pass
        reachable = sorted({self._position[it] for state in states for it in self.nodes[self._position[state]].successors})
        if not reachable:
            return f"{start}there is no way out"
        if all(it in reachable for it in self._starts(to)):
            return f"{start}that takes an event"
        return f"{start}from here it goes to {listed((self.nodes[it].path for it in reachable), 'or')}"

    def encode_states(self, states: tuple[S, ...]) -> Json:
        """The states of a machine with regions: an object with a member for each."""
        active = {it for state in states for it in self._around[self._position[state]]}
        return self._encode_inside(None, active)

    def _inside(self, whole: int | None) -> list[int]:
        return [idx for idx, it in enumerate(self._parent) if it == whole]

    def _encode_inside(self, whole: int | None, active: set[int]) -> Json:
        if self.parallel if whole is None else self.nodes[whole].parallel:
            return {self.nodes[it].name: self._encode_inside(it, active) for it in self._inside(whole)}
        inside = next(it for it in self._inside(whole) if it in active)
        node = self.nodes[inside]
        if node.leaf is not None:
            return node.leaf
        return {node.name: self._encode_inside(inside, active)} if node.parallel else self._encode_inside(inside, active)

    def decode_states(self, value: object) -> tuple[S, ...]:
        """The states of a machine with regions."""
        leaves = sorted(self._decode_inside(None, value, "the state"))
        return self._states(tuple(leaves))

    def _decode_inside(self, whole: int | None, value: object, what: str) -> list[int]:
        if self.parallel if whole is None else self.nodes[whole].parallel:
            members = as_object(value, what)
            regions = self._inside(whole)
            for name in members:
                if all(self.nodes[it].name != name for it in regions):
                    raise UnknownState(name, (self.nodes[it].name for it in regions))
            return [
                leaf
                for it in regions
                for leaf in self._decode_inside(it, read(members, self.nodes[it].name, lambda found, _: found), f"`{self.nodes[it].name}`")
            ]
        name, inner = as_only(value, what)
        inside = self._within(whole)
        found = next((it for it in inside if self.nodes[it].name == name), None)
        if found is None:
            raise UnknownState(name, (self.nodes[it].name for it in inside))
        if self._leaf[found] is not None:
            return [found]
        return self._decode_inside(found, inner, f"`{name}`")

    def _within(self, whole: int | None) -> list[int]:
        """The leaves and parallel states inside a state, not those in regions of these."""
        found: list[int] = []
        for it in self._inside(whole):
            found += [it] if self._leaf[it] is not None or self.nodes[it].parallel else self._within(it)
        return found
