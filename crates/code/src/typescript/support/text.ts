/** A duration in words: the largest unit that divides it, such as `90s`. */
export function showDuration(micros: Num): string {
  const value = BigInt(micros);
  const units: readonly [string, bigint][] = [
    ["d", 86_400_000_000n],
    ["h", 3_600_000_000n],
    ["m", 60_000_000n],
    ["s", 1_000_000n],
    ["ms", 1_000n],
  ];
  if (value !== 0n) for (const [unit, size] of units) if (value % size === 0n) return `${value / size}${unit}`;
  return value === 0n ? "0s" : `${value}us`;
}
