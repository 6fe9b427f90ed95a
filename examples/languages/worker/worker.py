"""What a worker does with an order: it applies events, and knows what is to be packed."""

import json
import sys
from typing import assert_never

from machines.order import Order, Refused, State, decode_event


def is_packed(state: State) -> bool:
    """Whether somebody in the shop has the goods of an order."""
    match state:
        case State.PAID | State.LATE:
            return True
        case State.CART | State.AWAITING_PAYMENT | State.SHIPPED | State.EXPIRED | State.CANCELLED:
            return False
        case _:
            assert_never(state)


def answer(line: str) -> dict[str, object]:
    """The order after an event, or the refusal."""
    request = json.loads(line)
    try:
        order = Order.decode(request["order"])
    except ValueError as error:
        return {"error": str(error)}
    outcome = order.try_apply(decode_event(request["event"]))
    if isinstance(outcome, Refused):
        return {"refused": outcome.message}
    return {"order": outcome.machine.encode()}


for it in sys.stdin:
    print(json.dumps(answer(it), separators=(",", ":")))
