const MANTISSA = 1n << 96n;
const MAX_SCALE = 28;

/** An exact decimal: a mantissa of 96 bits, divided by a power of ten up to 10^28. */
export class Decimal {
  /** The digits without sign and point. */
  readonly mantissa: bigint;
  /** The number of digits after the point. */
  readonly scale: number;
  /** Whether it is below zero. */
  readonly negative: boolean;

  private constructor(mantissa: bigint, scale: number, negative: boolean) {
    this.mantissa = mantissa;
    this.scale = scale;
    this.negative = negative;
  }

  /** The decimal of a text such as `-0.70`, or of a whole number. Throws a `RangeError` for anything else. */
  static of(value: string | Num): Decimal {
    if (typeof value === "number" && !Number.isSafeInteger(value)) throw new RangeError(`${value} is no exact decimal: write it as a text`);
    const found = Decimal.parse(String(value));
    if (found === null) throw new RangeError(`\`${value}\` is no decimal of up to 28 digits`);
    return found;
  }

  /** The decimal of a text; `null` if it is none. More digits than fit are rounded. */
  static parse(text: string): Decimal | null {
    const parts = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,4}))?$/.exec(text);
    if (parts === null) return null;
    const [, sign = "", whole = "", fraction = "", exponent = "0"] = parts;
    if (whole === "" && fraction === "") return null;
    let digits = BigInt(whole + fraction);
    let scale = fraction.length - Number(exponent);
    if (scale < 0) {
      if (scale < -MAX_SCALE) return digits === 0n ? Decimal.raw(0n, 0, false) : null;
      digits *= 10n ** BigInt(-scale);
      scale = 0;
    }
    return fitted(digits, scale, sign === "-");
  }

  /** @internal */
  static raw(mantissa: bigint, scale: number, negative: boolean): Decimal {
    return new Decimal(mantissa, scale, negative);
  }

  toString(): string {
    const digits = this.mantissa.toString().padStart(this.scale + 1, "0");
    const point = digits.length - this.scale;
    const text = this.scale === 0 ? digits : `${digits.slice(0, point)}.${digits.slice(point)}`;
    return this.negative ? `-${text}` : text;
  }

  toJSON(): string {
    return this.toString();
  }
}

function limit(negative: boolean): Decimal {
  return Decimal.raw(MANTISSA - 1n, 0, negative);
}

/** The quotient by a power of ten, rounded half to even. */
function shortened(digits: bigint, by: number): bigint {
  const power = 10n ** BigInt(by);
  const quotient = digits / power;
  const twice = (digits % power) * 2n;
  return twice > power || (twice === power && (quotient & 1n) === 1n) ? quotient + 1n : quotient;
}

/** The decimal of these digits with as many of them as fit; `null` if it is too large. A zero has no sign. */
function fitted(digits: bigint, scale: number, negative: boolean): Decimal | null {
  let dropped = Math.max(0, scale - MAX_SCALE);
  if (dropped > 0 || digits >= MANTISSA) {
    while (digits / 10n ** BigInt(dropped) >= MANTISSA) dropped += 1;
    if (dropped > scale) return null;
    digits = shortened(digits, dropped);
    scale -= dropped;
    if (digits >= MANTISSA) {
      if (scale === 0) return null;
      digits = shortened(digits, 1);
      scale -= 1;
    }
  }
  return Decimal.raw(digits, scale, negative && digits !== 0n);
}

/** Whether `a` is less than (-1), equal to (0) or greater than (1) `b`. */
export function compare(a: Decimal, b: Decimal): -1 | 0 | 1 {
  const scale = Math.max(a.scale, b.scale);
  const [left, right] = [signed(a, scale), signed(b, scale)];
  return left < right ? -1 : left > right ? 1 : 0;
}

function signed(value: Decimal, scale: number): bigint {
  const digits = value.mantissa * 10n ** BigInt(scale - value.scale);
  return value.negative ? -digits : digits;
}

/** The sum, rounded to the digits that fit; beyond the limits, the nearest one. */
export function addDecimal(a: Decimal, b: Decimal): Decimal {
  if (a.mantissa === 0n) return b;
  if (b.mantissa === 0n) return a;
  const scale = Math.max(a.scale, b.scale);
  const sum = signed(a, scale) + signed(b, scale);
  return fitted(sum < 0n ? -sum : sum, scale, sum < 0n) ?? limit(a.negative);
}

/** The difference; see `addDecimal`. */
export function subDecimal(a: Decimal, b: Decimal): Decimal {
  return addDecimal(a, b.mantissa === 0n ? b : Decimal.raw(b.mantissa, b.scale, !b.negative));
}

/** The product; see `addDecimal`. */
export function mulDecimal(a: Decimal, b: Decimal): Decimal {
  const scale = a.scale + b.scale;
  if (a.mantissa === 0n || b.mantissa === 0n) return Decimal.raw(0n, 0, false);
  const negative = a.negative !== b.negative;
  const isSmall = a.mantissa < 1n << 32n && b.mantissa < 1n << 32n;
  if (isSmall && scale > MAX_SCALE + 19) return Decimal.raw(0n, 0, false);
  const product = fitted(a.mantissa * b.mantissa, scale, negative);
  if (product === null) return limit(negative);
  // The decimals of Rust keep the sign of a larger product that is rounded to zero.
  return product.mantissa === 0n && !isSmall ? Decimal.raw(0n, product.scale, negative) : product;
}

/** The quotient, rounded to the nearest decimal; beyond the limits, the nearest one. `b` is not zero. */
export function divDecimal(a: Decimal, b: Decimal): Decimal {
  const negative = a.negative !== b.negative;
  if (a.mantissa === 0n) return Decimal.raw(0n, 0, false);
  const by = b.mantissa;
  let scale = a.scale - b.scale;
  let quotient = a.mantissa / by;
  let rest = a.mantissa % by;
  let isRounded = false;
  while (rest !== 0n || scale < 0) {
    let step: number;
    if (rest === 0n) {
      step = Math.min(9, -scale);
    } else {
      isRounded = true;
      step = Math.min(9, MAX_SCALE - scale);
      while (step > 0 && quotient * 10n ** BigInt(step) >= MANTISSA) step -= 1;
      if (step < 9 && step + scale < 0) return limit(negative);
      if (step === 0) {
        if (rest * 2n > by || (rest * 2n === by && (quotient & 1n) === 1n)) quotient += 1n;
        if (quotient >= MANTISSA) {
          if (scale === 0) return limit(negative);
          quotient = shortened(quotient, 1);
          scale -= 1;
        }
        break;
      }
    }
    const power = 10n ** BigInt(step);
    scale += step;
    if (quotient * power >= MANTISSA) return limit(negative);
    quotient = quotient * power + (rest * power) / by;
    rest = (rest * power) % by;
    if (quotient >= MANTISSA) {
      if (scale === 0) return limit(negative);
      const last = quotient % 10n;
      const up = last > 5n || (last === 5n && (rest !== 0n || ((quotient / 10n) & 1n) === 1n));
      quotient = quotient / 10n + (up ? 1n : 0n);
      scale -= 1;
      break;
    }
  }
  if (isRounded) {
    // The zeros at the end go, as far as Rust's decimals drop them.
    const drop = (digits: number, mask: bigint, again: boolean): void => {
      const power = 10n ** BigInt(digits);
      while ((quotient & mask) === 0n && scale >= digits && quotient % power === 0n) {
        quotient /= power;
        scale -= digits;
        if (!again) break;
      }
    };
    drop(8, 0xffffffffn, true);
    drop(4, 15n, false);
    drop(2, 3n, false);
    drop(1, 1n, false);
  }
  return Decimal.raw(quotient, scale, negative && quotient !== 0n);
}

/** The exact remainder, with the sign of `a`. `b` is not zero. */
export function remDecimal(a: Decimal, b: Decimal): Decimal {
  const scale = Math.max(a.scale, b.scale);
  const digits = a.mantissa * 10n ** BigInt(scale - a.scale);
  const rest = digits % (b.mantissa * 10n ** BigInt(scale - b.scale));
  return Decimal.raw(rest, scale, a.negative && rest !== 0n);
}

const DECIMALS = new Map<string, Decimal>();

/** The decimal of a literal. */
export function decimal(text: string): Decimal {
  const known = DECIMALS.get(text);
  if (known !== undefined) return known;
  const made = Decimal.of(text);
  DECIMALS.set(text, made);
  return made;
}
