export const orderStatuses = ["draft", "in_review", "paid", "closed"] as const;

export const ORDER_TRANSITIONS: Record<OrderStatus, OrderStatus[]> = {
  draft: ["in_review"],
  in_review: ["paid"],
  paid: ["closed"],
  closed: [],
};

export type OrderStatus = (typeof orderStatuses)[number];
