/** A whole number in a context or a payload, a duration or a moment in microseconds: 64 bits with sign. */
export type Int = bigint;

/** A computed number as it is stored. A number beyond 64 bits refuses the call. */
export function int(value: Num, field: string): Int {
  const stored = BigInt(value);
  if (stored < MIN64 || stored > MAX64) throw new OutOfRange(field);
  return stored;
}
