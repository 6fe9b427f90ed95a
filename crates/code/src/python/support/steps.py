

# Steps. A chart is what one machine does, as data; `plan` is one call of it.


class Reason(StrEnum):
    """Why a call was refused."""

    NO_TRANSITION = "no_transition"
    """No row is for it here."""
    GUARD = "guard"
    """Rows are for it, but no guard holds."""
    TEXT = "text"
    """The spec refuses it with a text."""
    UNSETTLED = "unsettled"
    """It keeps firing, or the machine keeps reacting to it."""
    ACTOR = "actor"
    """The actor may not raise the event."""
    DIVISION_BY_ZERO = "division_by_zero"
    """A guard or an assignment divides by zero."""


class Commit(StrEnum):
    """When the store is written. Several steps have the first of their orders."""

    PERSIST_FIRST = "persist_first"
    """Before the machine changes: a failing store leaves everything as it was."""
    MEMORY_FIRST = "memory_first"
    """After the machine changed: a failing store is reported."""
    MEMORY_ONLY = "memory_only"
    """Never."""


class Phase(StrEnum):
    """When an effect happens."""

    BEFORE = "before"
    """Before any change; its failure aborts the call."""
    EXIT = "exit"
    """When a state is left."""
    ENTRY = "entry"
    """When a state is entered."""
    DO = "do"
    """After the change."""


S = TypeVar("S", bound=StrEnum)
K = TypeVar("K", bound=StrEnum)
C = TypeVar("C")
E = TypeVar("E")
P = TypeVar("P")
F = TypeVar("F")
M = TypeVar("M")


class Refusal(Exception, Generic[S, K]):
    """Why a call was refused; nothing changed. Its text says so in words."""

    def __init__(
        self,
        message: str,
        *,
        machine: str,
        states: tuple[S, ...],
        event: K | None,
        to: str | None,
        reason: Reason,
        allowed: tuple[K, ...],
        row: int | None,
    ) -> None:
        super().__init__(message)
        self.message: Final = message
        self.machine: Final = machine
        self.states: Final = states
        """The states, which are unchanged; none at creation."""
        self.event: Final = event
        """The event; `None` for a direct transition."""
        self.to: Final = to
        """The target of a direct transition."""
        self.reason: Final = reason
        self.allowed: Final = allowed
        """The events that some row accepts here, guards aside. If an actor was refused, those that it may raise."""
        self.row: Final = row
        """The row that refuses, by its position in the spec."""

    def encode(self) -> Json:
        """The refusal as JSON, for logs and answers."""
        return {
            "machine": self.machine,
            "from": "+".join(self.states) or None,
            "event": self.event,
            "to": self.to,
            "reason": self.reason,
            "message": self.message,
            "allowed": list[Json](self.allowed),
        }


@dataclass(frozen=True, slots=True)
class Memory(Generic[C, S]):
    """What a field of the context remembers of a composite that is left."""

    field: str
    leaves: Mapping[S, S]
    put: Callable[[C, S], C]


@dataclass(frozen=True, slots=True)
class Node(Generic[C, S, K]):
    """A state: a leaf, or one that contains others."""

    name: str
    path: str
    leaf: S | None
    parent: str | None = None
    parallel: bool = False
    terminal: bool = False
    starts: tuple[S, ...] = ()
    end: str = ""
    completes: str | None = None
    may_complete: str | None = None
    accepted: tuple[K, ...] = ()
    successors: tuple[S, ...] = ()
    entry: tuple[str, ...] = ()
    exit: tuple[str, ...] = ()
    memories: tuple[Memory[C, S], ...] = ()


@dataclass(frozen=True, slots=True)
class Row(Generic[C, E, P, S]):
    """A row of the spec."""

    guard: Callable[[C, E | None, P, tuple[S, ...]], bool] | None = None
    guard_divides: Callable[[C, E | None, P, tuple[S, ...]], bool] | None = None
    divides: Callable[[C, E | None, P, tuple[S, ...]], bool] | None = None
    put: Callable[[C, E | None, P, tuple[S, ...], C], C] | None = None
    fields: frozenset[str] = frozenset()
    before: tuple[str, ...] = ()
    do: tuple[str, ...] = ()
    raises: tuple[str, ...] = ()
    reenters: str | None = None
    commit: Commit = Commit.PERSIST_FIRST
    refusal: str | None = None


@dataclass(frozen=True, slots=True)
class Arm(Generic[C, E, S]):
    """A row in one state. Without targets, the machine stays or the row refuses."""

    row: int
    source: str | None = None
    to: tuple[S | Callable[[C, E | None], S], ...] = ()


@dataclass(frozen=True, slots=True)
class Step(Generic[S]):
    """The rows that were taken at once: one, or several in different regions."""

    rows: tuple[int, ...]
    cause: str
    states: tuple[S, ...]
    """The states before; none at creation."""
    to: tuple[S, ...]
    """The states after."""
    exited: tuple[str, ...]
    """The states that were left, innermost first."""
    entered: tuple[str, ...]
    """The states that were entered, outermost first."""


@dataclass(frozen=True, slots=True)
class Call(Generic[F]):
    """An effect and when it happens."""

    phase: Phase
    effect: F


@dataclass(frozen=True, slots=True)
class Change(Generic[M, S, F]):
    """What a call changes. The caller performs `before`, stores the machine as `commit` says, and performs `effects`."""

    machine: M
    """The machine after the change."""
    steps: tuple[Step[S], ...]
    calls: tuple[Call[F], ...]
    """All effects, step by step."""
    commit: Commit

    @property
    def before(self) -> tuple[F, ...]:
        """The effects that must succeed before anything changes."""
        return tuple(it.effect for it in self.calls if it.phase is Phase.BEFORE)

    @property
    def effects(self) -> tuple[F, ...]:
        """The effects after the change, in order."""
        return tuple(it.effect for it in self.calls if it.phase is not Phase.BEFORE)


@dataclass(frozen=True, slots=True)
class Plan(Generic[C, S, F]):
    """What a call changes, before it is a machine."""

    states: tuple[S, ...]
    context: C
    steps: tuple[Step[S], ...]
    calls: tuple[Call[F], ...]
    commit: Commit


@dataclass(frozen=True, slots=True)
class Denied:
    """Why a call cannot be."""

    reason: Reason
    row: int | None = None
