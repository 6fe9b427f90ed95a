

# Timers: which of them run, and since when. Nothing here reads a clock.

I = TypeVar("I", bound=StrEnum)


@dataclass(frozen=True, slots=True)
class Timers(Generic[I]):
    """The running timers of a machine, with the moments at which they started. Store them with the machine.

    The program tells the time: at creation, and with each change. A timer starts when its state is entered, and ends when that
    state is left or when the timer has elapsed.
    """

    started: Mapping[I, Timestamp] = field(default_factory=dict[I, Timestamp])

    def without(self, timer: I) -> Timers[I]:
        """The timers without one that has elapsed without a step, because it was refused."""
        return Timers({it: since for it, since in self.started.items() if it != timer})

    def encode(self) -> Json:
        """A map from the names of the running timers to the moments at which they started."""
        return {it.value: since for it, since in self.started.items()}


def decode_timers(names: type[I], value: object) -> Timers[I]:
    """Running timers as they were stored. A timer that the machine no longer has is ignored."""
    fields = as_object(value, "timers")
    return Timers({it: read(fields, it.value, read_int) for it in names if it.value in fields})


def running(chart: Chart[C, E, P, F, S, K], names: type[I], states: tuple[S, ...]) -> tuple[I, ...]:
    """The timers of these states."""
    return tuple(it for it in names if any(chart.is_in(states, of) for of in chart.timers[it.value]))


def observe(chart: Chart[C, E, P, F, S, K], names: type[I], timers: Timers[I], steps: Iterable[Step[S]], now: Timestamp) -> Timers[I]:
    """Starts and ends timers after the steps of a change, which may be a creation."""
    started = dict(timers.started)
    for step in steps:
        for timer in names:
            states = chart.timers[timer.value]
            if step.cause == timer.value or any(it in states for it in step.exited):
                started.pop(timer, None)
            if any(it in states for it in step.entered):
                started[timer] = now
    return Timers({it: started[it] for it in names if it in started})


def due(timers: Timers[I], durations: Mapping[I, Duration]) -> tuple[tuple[I, Timestamp], ...]:
    """The running timers with the moments at which they are due, in the order of the spec."""
    return tuple((it, saturated(timers.started[it] + after)) for it, after in durations.items() if it in timers.started)
