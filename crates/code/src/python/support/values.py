

# JSON: the shapes that Rust's serde writes and reads.


class DecodeError(ValueError):
    """A value that is not the JSON of what was expected."""


class UnknownState(DecodeError):
    """The name of a state that this version of the machine does not have."""

    def __init__(self, text: str, names: Iterable[str]) -> None:
        super().__init__(f"`{text}` is no state: expected {listed(names, 'or')}")
        self.text: Final = text


@dataclass(frozen=True, slots=True)
class Unknown:
    """A machine in a state that this version does not know, as it was stored: `encode` returns it unchanged."""

    text: str
    """The name of the state."""
    value: Json
    """The machine in JSON."""

    @classmethod
    def of(cls, error: UnknownState, value: object) -> Unknown:
        """A value in which an unknown state was found."""
        return Unknown(error.text, cast("Json", value))

    def encode(self) -> Json:
        """The machine in JSON, as it was read."""
        return self.value


def as_object(value: object, what: str) -> Mapping[str, object]:
    """A map with texts as keys."""
    if not isinstance(value, dict):
        raise DecodeError(f"{what} is an object, not {_kind(value)}")
    return cast("dict[str, object]", value)


def as_only(value: object, what: str) -> tuple[str, Mapping[str, object] | None]:
    """A name, or an object of one member: its name and its fields."""
    if isinstance(value, str):
        return value, None
    members = as_object(value, what)
    if len(members) != 1:
        raise DecodeError(f"{what} is a name, or an object with one member, not one with {len(members)}")
    name, fields = next(iter(members.items()))
    return name, None if fields is None else as_object(fields, f"`{name}`")


def read(fields: Mapping[str, object], name: str, reader: Callable[[object, str], T]) -> T:
    """A field that is never null."""
    if name not in fields:
        raise DecodeError(f"`{name}` is missing")
    return reader(fields[name], f"`{name}`")


def read_optional(fields: Mapping[str, object], name: str, reader: Callable[[object, str], T]) -> T | None:
    """A field that may be null or missing."""
    value = fields.get(name)
    return None if value is None else reader(value, f"`{name}`")


def read_bool(value: object, what: str) -> bool:
    """`true` or `false`."""
    if not isinstance(value, bool):
        raise DecodeError(f"{what} is true or false, not {_kind(value)}")
    return value


def read_int(value: object, what: str) -> int:
    """A whole number, a duration or a moment of 64 bits."""
    if not isinstance(value, int) or isinstance(value, bool):
        raise DecodeError(f"{what} is a whole number, not {_kind(value)}")
    if not MIN_INT <= value <= MAX_INT:
        raise DecodeError(f"{what} is out of range: {value} has more than 64 bits")
    return value


def read_text(value: object, what: str) -> str:
    """A text."""
    if not isinstance(value, str):
        raise DecodeError(f"{what} is a text, not {_kind(value)}")
    return value


def read_reference(value: object, what: str) -> Reference:
    """The key of an object outside the machine: a whole number or a text."""
    if isinstance(value, bool) or not isinstance(value, int | str):
        raise DecodeError(f"{what} is a whole number or a text, not {_kind(value)}")
    return value


def read_decimal(value: object, what: str) -> Decimal:
    """A decimal as a text such as `0.80`, or a whole number. Digits that do not fit are rounded."""
    text = str(value) if isinstance(value, int) and not isinstance(value, bool) else value
    if not isinstance(text, str):
        raise DecodeError(f"{what} is a decimal as a text, not {_kind(value)}")
    negative = text.startswith("-")
    whole, point, fraction = text[1 if text.startswith(("-", "+")) else 0 :].partition(".")
    digits = whole + fraction
    if not (digits.isascii() and digits.isdigit()) or (point and not whole and not fraction):
        raise DecodeError(f"{what} is a decimal, not `{text}`")
    found = _fitted(negative, int(digits), len(fraction))
    if found is None:
        raise DecodeError(f"{what} is out of range: `{text}` has more than 28 digits")
    return found


N = TypeVar("N", bound=StrEnum)


def read_state(names: type[N]) -> Callable[[object, str], N]:
    """A state by its name."""

    def reader(value: object, what: str) -> N:
        text = read_text(value, what)
        try:
            return names(text)
        except ValueError:
            raise UnknownState(text, names) from None

    return reader


def read_name(names: type[N], kind: str, ignore_case: bool = False) -> Callable[[object, str], N]:
    """One of several names."""
    lower = {_ascii_lower(it.value): it for it in reversed(names)} if ignore_case else {}

    def reader(value: object, what: str) -> N:
        text = read_text(value, what)
        found = lower.get(_ascii_lower(text)) if ignore_case else None
        if found is not None:
            return found
        try:
            return names(text)
        except ValueError:
            raise unknown_name(text, kind, names) from None

    return reader


def encode_decimal(value: Decimal | None) -> str | None:
    """All digits of a decimal as a text."""
    return None if value is None else format(value, "f")


def no_data(name: str, data: object) -> None:
    """Raises `DecodeError` for data beside a name that has none."""
    if data is not None:
        raise DecodeError(f"`{name}` has no data")


def some_data(name: str, data: Mapping[str, object] | None) -> Mapping[str, object]:
    """The fields beside a name."""
    if data is None:
        raise DecodeError(f"`{name}` is an object with its data, not a name alone")
    return data


def unknown_name(text: str, kind: str, names: Iterable[str]) -> DecodeError:
    """The error of a name that is none of these."""
    return DecodeError(f"`{text}` is no {kind}: expected {listed(names, 'or')}")


def listed(names: Iterable[str], last: str) -> str:
    """`a`, `b` or `c`, in backticks."""
    quoted = [f"`{it}`" for it in names]
    if len(quoted) < 2:
        return quoted[0] if quoted else "nothing"
    return f"{', '.join(quoted[:-1])} {last} {quoted[-1]}"


def _ascii_lower(text: str) -> str:
    return "".join(it.lower() if it.isascii() else it for it in text)


def _kind(value: object) -> str:
    if value is None:
        return "null"
    return f"`{value}`" if isinstance(value, bool | int | float | str) else "a list" if isinstance(value, list) else "an object"
