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

/** A moment in RFC 3339, with microseconds if there are any. */
export function showTimestamp(micros: Num): string {
  const value = BigInt(micros);
  const floor = (a: bigint, b: bigint): bigint => (a % b < 0n ? a / b - 1n : a / b);
  const second = floor(value, 1_000_000n);
  const fraction = value - second * 1_000_000n;
  let day = floor(second, 86_400n);
  const clock = Number(second - day * 86_400n);
  const cycles = floor(day, 146_097n);
  day -= cycles * 146_097n;
  // 400 years have 146,097 days. `Date` is asked about the first 400 years from 1970 on.
  const date = new Date(Number(day) * 86_400_000);
  const year = BigInt(date.getUTCFullYear()) + cycles * 400n;
  const two = (it: number): string => String(it).padStart(2, "0");
  const sign = year < 0n ? "-" : "";
  const years = (year < 0n ? -year : year).toString().padStart(year < 0n ? 3 : 4, "0");
  const time = `${two(Math.floor(clock / 3600))}:${two(Math.floor(clock / 60) % 60)}:${two(clock % 60)}`;
  const rest = fraction === 0n ? "" : `.${fraction.toString().padStart(6, "0")}`;
  return `${sign}${years}-${two(date.getUTCMonth() + 1)}-${two(date.getUTCDate())}T${time}${rest}Z`;
}

/** The moment of a `Date`, in microseconds since 1970. */
export function timestampOf(date: Date): Int {
  return int(mul(date.getTime(), 1000), "date");
}

/** The `Date` of a moment, rounded down to milliseconds. */
export function dateOf(micros: Int): Date {
  return new Date(Number(BigInt(micros) / 1000n - (BigInt(micros) % 1000n < 0n ? 1n : 0n)));
}

/** "`a`, `b` or `c`" */
export function listed(names: readonly string[], last: string): string {
  const quoted = names.map((it) => `\`${it}\``);
  if (quoted.length < 2) return quoted[0] ?? "nothing";
  return `${quoted.slice(0, -1).join(", ")} ${last} ${quoted[quoted.length - 1]}`;
}
