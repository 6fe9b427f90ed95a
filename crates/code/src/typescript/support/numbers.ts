/** A number while expressions compute: a `number` if it is a safe integer, otherwise a `bigint`. */
export type Num = number | bigint;

const MAX64 = 9223372036854775807n;
const MIN64 = -9223372036854775808n;

/** A number that the type of its field cannot hold. */
export class OutOfRange extends Error {
  readonly field: string;

  constructor(field: string) {
    super(`\`${field}\` is out of range`);
    this.name = "OutOfRange";
    this.field = field;
  }
}

/** In the place of a value that no call reads. */
export function unreachable(): never {
  throw new Error("the emitted code reads a value that is not there");
}

/** The nearest number of 64 bits, in the form that expressions use. */
function saturated(value: bigint): Num {
  return num(value > MAX64 ? MAX64 : value < MIN64 ? MIN64 : value);
}

/** The form of a number that expressions use. */
function num(value: bigint): Num {
  return -9007199254740991n <= value && value <= 9007199254740991n ? Number(value) : value;
}

/** The sum; beyond 64 bits, the nearest limit. */
export function add(a: Num, b: Num): Num {
  if (typeof a === "number" && typeof b === "number") {
    const sum = a + b;
    if (Number.isSafeInteger(sum)) return sum;
  }
  return saturated(BigInt(a) + BigInt(b));
}

/** The difference; beyond 64 bits, the nearest limit. */
export function sub(a: Num, b: Num): Num {
  if (typeof a === "number" && typeof b === "number") {
    const difference = a - b;
    if (Number.isSafeInteger(difference)) return difference;
  }
  return saturated(BigInt(a) - BigInt(b));
}

/** The product; beyond 64 bits, the nearest limit. */
export function mul(a: Num, b: Num): Num {
  if (typeof a === "number" && typeof b === "number") {
    const product = a * b;
    // Adding zero makes 0 of -0.
    if (Number.isSafeInteger(product)) return product + 0;
  }
  return saturated(BigInt(a) * BigInt(b));
}

/** The quotient, rounded towards zero. `b` is not zero. */
export function div(a: Num, b: Num): Num {
  if (typeof a === "number" && typeof b === "number") return (a - (a % b)) / b + 0;
  return saturated(BigInt(a) / BigInt(b));
}

/** The remainder, with the sign of `a`. `b` is not zero. */
export function rem(a: Num, b: Num): Num {
  if (typeof a === "number" && typeof b === "number") return (a % b) + 0;
  return num(BigInt(a) % BigInt(b));
}

/** The number of Unicode scalar values of a text. */
export function len(text: string): number {
  let length = 0;
  for (const _ of text) length += 1;
  return length;
}

/** Whether two values of one type are equal; null equals null alone. */
export function eq(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a === "bigint" || typeof b === "bigint") {
    return (typeof a === "number" || typeof a === "bigint") && (typeof b === "number" || typeof b === "bigint") && a == b;
  }
  return a instanceof Decimal && b instanceof Decimal && compare(a, b) === 0;
}
