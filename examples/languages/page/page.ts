// What a page does with an order: it offers the events that are allowed, and shows the state in a colour.
import { createInterface } from "node:readline";
import { apply, decode, decodeEvent, encode, type Order, type State } from "./machines/order.js";

/** The colour of an order on the page. */
export function colour(state: State): string {
  switch (state) {
    case "cart":
    case "awaiting_payment":
      return "yellow";
    case "paid":
    case "shipped":
      return "green";
    case "late":
    case "expired":
    case "cancelled":
      return "red";
    default:
      return state satisfies never;
  }
}

function answer(line: string): string {
  const request = JSON.parse(line) as { order: unknown; event: unknown };
  const order: Order = decode(JSON.stringify(request.order));
  const result = apply(order, decodeEvent(JSON.stringify(request.event)));
  return result.ok ? `{"order":${encode(result.machine)}}` : JSON.stringify({ refused: result.refused.message });
}

for await (const line of createInterface({ input: process.stdin })) console.log(answer(line));
