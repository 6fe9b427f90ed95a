

# Numbers: whole numbers of 64 bits with sign, and decimals of 96 bits with up to 28 digits after the point.
# A result beyond the limits is the nearest limit.

MIN_INT: Final = -(2**63)
MAX_INT: Final = 2**63 - 1
MAX_MANTISSA: Final = 2**96 - 1
MAX_SCALE: Final = 28


def unreachable() -> NoReturn:
    """In the place of a value that no call reads."""
    raise AssertionError("the emitted code reads a value that is not there")


class OutOfRange(ValueError):
    """A number that the type of its field cannot hold."""


def saturated(value: int) -> int:
    """The nearest number of 64 bits."""
    return MAX_INT if value > MAX_INT else MIN_INT if value < MIN_INT else value


def add(a: int, b: int) -> int:
    """The sum."""
    return saturated(a + b)


def sub(a: int, b: int) -> int:
    """The difference."""
    return saturated(a - b)


def mul(a: int, b: int) -> int:
    """The product."""
    return saturated(a * b)


def div(a: int, b: int) -> int:
    """The quotient, rounded towards zero; `b` is not zero."""
    quotient = abs(a) // abs(b)
    return saturated(quotient if (a < 0) == (b < 0) else -quotient)


def rem(a: int, b: int) -> int:
    """The remainder, with the sign of `a`; `b` is not zero."""
    rest = abs(a) % abs(b)
    return -rest if a < 0 else rest


_Parts: TypeAlias = tuple[bool, int, int]
"""A decimal: whether it is below zero, its digits as a number, and how many of them are behind the point."""


def _parts(value: Decimal) -> _Parts:
    sign, digits, exponent = value.as_tuple()
    if not isinstance(exponent, int):
        raise OutOfRange(f"{value} is no number")
    mantissa: int = int("".join(map(str, digits)) or "0")
    return (sign == 1, int(mantissa * 10**exponent), 0) if exponent > 0 else (sign == 1, mantissa, -exponent)


def _decimal(negative: bool, mantissa: int, scale: int) -> Decimal:
    # This is exact, whatever the context of the thread is.
    return Decimal(f"{'-' if negative else ''}{mantissa}E-{scale}")


def _limit(negative: bool) -> Decimal:
    return _decimal(negative, MAX_MANTISSA, 0)


def _shortened(digits: int, by: int) -> int:
    """The quotient by a power of ten, rounded half to even."""
    power: int = 10**by
    quotient, rest = divmod(digits, power)
    return quotient + 1 if rest * 2 > power or (rest * 2 == power and quotient & 1 == 1) else quotient


def _fitted(negative: bool, digits: int, scale: int) -> Decimal | None:
    """The decimal of these digits with as many of them as fit; `None` if it is too large. A zero has no sign."""
    dropped = max(0, scale - MAX_SCALE)
    if dropped > 0 or digits > MAX_MANTISSA:
        while digits // 10**dropped > MAX_MANTISSA:
            dropped += 1
        if dropped > scale:
            return None
        digits = _shortened(digits, dropped)
        scale -= dropped
        if digits > MAX_MANTISSA:
            if scale == 0:
                return None
            digits = _shortened(digits, 1)
            scale -= 1
    return _decimal(negative and digits != 0, digits, scale)


def _sum(a: _Parts, b: _Parts) -> Decimal:
    scale = max(a[2], b[2])
    left, right = a[1] * 10 ** (scale - a[2]), b[1] * 10 ** (scale - b[2])
    total = (-left if a[0] else left) + (-right if b[0] else right)
    found = _fitted(total < 0, abs(total), scale)
    return _limit(a[0]) if found is None else found


def add_decimal(a: Decimal, b: Decimal) -> Decimal:
    """The sum, rounded to the digits that fit."""
    if not a:
        return b
    return _sum(_parts(a), _parts(b)) if b else a


def sub_decimal(a: Decimal, b: Decimal) -> Decimal:
    """The difference, rounded to the digits that fit."""
    return add_decimal(a, b.copy_negate() if b else b)


def mul_decimal(a: Decimal, b: Decimal) -> Decimal:
    """The product, rounded to the digits that fit."""
    if not a or not b:
        return Decimal(0)
    (left_sign, left, left_scale), (right_sign, right, right_scale) = _parts(a), _parts(b)
    scale, negative = left_scale + right_scale, left_sign != right_sign
    is_small = left < 2**32 and right < 2**32
    if is_small and scale > MAX_SCALE + 19:
        return Decimal(0)
    product = _fitted(negative, left * right, scale)
    if product is None:
        return _limit(negative)
    # The decimals of Rust keep the sign of a larger product that is rounded to zero.
    return product.copy_negate() if negative and not product and not is_small else product


def div_decimal(a: Decimal, b: Decimal) -> Decimal:
    """The quotient, rounded to the nearest decimal; `b` is not zero."""
    if not a:
        return Decimal(0)
    (left_sign, left, left_scale), (right_sign, by, right_scale) = _parts(a), _parts(b)
    negative, scale = left_sign != right_sign, left_scale - right_scale
    quotient, rest = divmod(left, by)
    is_rounded = False
    while rest != 0 or scale < 0:
        if rest == 0:
            step = min(9, -scale)
        else:
            is_rounded = True
            step = min(9, MAX_SCALE - scale)
            while step > 0 and quotient * 10**step > MAX_MANTISSA:
                step -= 1
            if step < 9 and step + scale < 0:
                return _limit(negative)
            if step == 0:
                if rest * 2 > by or (rest * 2 == by and quotient & 1 == 1):
                    quotient += 1
                if quotient > MAX_MANTISSA:
                    if scale == 0:
                        return _limit(negative)
                    quotient = _shortened(quotient, 1)
                    scale -= 1
                break
        power: int = 10**step
        scale += step
        if quotient * power > MAX_MANTISSA:
            return _limit(negative)
        more, rest = divmod(rest * power, by)
        quotient = quotient * power + more
        if quotient > MAX_MANTISSA:
            if scale == 0:
                return _limit(negative)
            quotient, last = divmod(quotient, 10)
            if last > 5 or (last == 5 and (rest != 0 or quotient & 1 == 1)):
                quotient += 1
            scale -= 1
            break
    if is_rounded:
        # The zeros at the end go, as far as Rust's decimals drop them.
        while quotient & 0xFFFFFFFF == 0 and scale >= 8 and quotient % 10**8 == 0:
            quotient, scale = quotient // 10**8, scale - 8
        for digits, mask in ((4, 15), (2, 3), (1, 1)):
            if quotient & mask == 0 and scale >= digits and quotient % 10**digits == 0:
                quotient, scale = quotient // 10**digits, scale - digits
    return _decimal(negative and quotient != 0, quotient, scale)


def rem_decimal(a: Decimal, b: Decimal) -> Decimal:
    """The exact remainder, with the sign of `a`; `b` is not zero."""
    (negative, left, left_scale), (_, right, right_scale) = _parts(a), _parts(b)
    scale = max(left_scale, right_scale)
    rest = left * 10 ** (scale - left_scale) % (right * 10 ** (scale - right_scale))
    return _decimal(negative and rest != 0, rest, scale)


def check_int(value: int | None, name: str) -> None:
    """Raises `OutOfRange` for a whole number, a duration or a moment of more than 64 bits."""
    if value is not None and not MIN_INT <= value <= MAX_INT:
        raise OutOfRange(f"`{name}` is out of range: {value} has more than 64 bits")


def check_decimal(value: Decimal | None, name: str) -> None:
    """Raises `OutOfRange` for a decimal of more than 96 bits, or with more than 28 digits after the point."""
    if value is not None:
        _, mantissa, scale = _parts(value)
        if mantissa > MAX_MANTISSA or scale > MAX_SCALE:
            raise OutOfRange(f"`{name}` is out of range: {value} has more than 28 digits")


# Values that may be null. A guard tests for null before it reads such a value.

T = TypeVar("T")


def known(value: T | None) -> T:
    """A value that is not null here."""
    if value is None:
        raise AssertionError("a value that a guard tests for null is null")
    return value


def known_reference(value: Reference | None) -> Reference:
    """A key that is not null here: a function of its own, because a key is of several types."""
    if value is None:
        raise AssertionError("a value that a guard tests for null is null")
    return value


def is_null(value: object) -> bool:
    """Whether a value is null."""
    return value is None


def equal(a: object, b: object) -> bool:
    """Whether two values of one type are equal; null equals null alone."""
    return a == b


def unlike(a: object, b: object) -> bool:
    """Whether two values of one type differ."""
    return a != b


# Times.

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=timezone.utc)
_MICROSECOND: Final = timedelta(microseconds=1)


def micros(value: datetime | timedelta) -> int:
    """The microseconds of a moment with a time zone, or of a duration."""
    return (value - _EPOCH if isinstance(value, datetime) else value) // _MICROSECOND


def moment(value: Timestamp) -> datetime:
    """A moment in UTC; `OverflowError` outside the years 1 to 9999."""
    return _EPOCH + timedelta(microseconds=value)


def duration(value: Duration) -> timedelta:
    """A duration."""
    return timedelta(microseconds=value)


# Values in messages.


def show_bool(value: bool | None) -> str:
    """`true`, `false` or `null`."""
    return "null" if value is None else "true" if value else "false"


def show(value: int | str | None) -> str:
    """A whole number, a text, a name or a key as it is; `null` for none."""
    return "null" if value is None else str(value)


def show_decimal(value: Decimal | None) -> str:
    """All digits of a decimal; `null` for none."""
    return "null" if value is None else format(value, "f")


def show_duration(value: Duration | None) -> str:
    """A duration in the largest unit that divides it, such as `90s`."""
    if value is None:
        return "null"
    for unit, size in (("d", 86_400_000_000), ("h", 3_600_000_000), ("m", 60_000_000), ("s", 1_000_000), ("ms", 1_000)):
        if value != 0 and value % size == 0:
            return f"{value // size}{unit}"
    return f"{value}us" if value else "0s"


def show_timestamp(value: Timestamp | None) -> str:
    """A moment in RFC 3339."""
    if value is None:
        return "null"
    seconds, fraction = divmod(value, 1_000_000)
    days, second = divmod(seconds, 86_400)
    # `datetime` knows the years 1 to 9999; the calendar repeats after 400 years.
    cycles, day = divmod(days, 146_097)
    date = datetime(1970, 1, 1) + timedelta(days=day)
    year = date.year + 400 * cycles
    shown = f"{year:04}-{date.month:02}-{date.day:02}T{second // 3600:02}:{second // 60 % 60:02}:{second % 60:02}"
    return f"{shown}.{fraction:06}Z" if fraction else f"{shown}Z"
