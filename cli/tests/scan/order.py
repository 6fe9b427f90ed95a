from enum import Enum


class OrderStatus(str, Enum):
    """The states of an order."""

    DRAFT = "draft"
    IN_REVIEW = "in_review"
    PAID = "paid"
    CLOSED = "closed"
