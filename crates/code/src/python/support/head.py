Json: TypeAlias = "None | bool | int | str | list[Json] | dict[str, Json]"
"""What `encode` returns, and `json.dumps` takes."""

Duration: TypeAlias = int
"""A duration in microseconds, 64 bits with sign."""

Timestamp: TypeAlias = int
"""Microseconds since 1970-01-01T00:00:00Z, 64 bits with sign."""

Reference: TypeAlias = int | str
"""The key of an object outside the machine."""
