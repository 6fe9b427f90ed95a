/** A whole number in a context or a payload, a duration or a moment in microseconds: from -(2^53 - 1) to 2^53 - 1. */
export type Int = number;

/** A computed number as it is stored. A number beyond the range of `Int` refuses the call. */
export function int(value: Num, field: string): Int {
  // Adding zero makes 0 of -0.
  if (typeof value === "number") return value + 0;
  throw new OutOfRange(field);
}
