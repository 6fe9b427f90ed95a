/** A value of JSON. Whole numbers beyond 2^53 - 1 are of type `bigint`. */
export type Json = null | boolean | number | bigint | string | readonly Json[] | { readonly [key: string]: Json };

/** A text or a value that is not what was expected. */
export class DecodeError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "DecodeError";
  }
}

/** Writes a value; whole numbers of any size keep their digits. */
export function printJson(value: Json): string {
  if (typeof value === "bigint") return value.toString();
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  if (Array.isArray(value)) return `[${(value as readonly Json[]).map(printJson).join(",")}]`;
  const object = value as { readonly [key: string]: Json };
  return `{${Object.keys(object).map((key) => `${JSON.stringify(key)}:${printJson(object[key] as Json)}`).join(",")}}`;
}

/** Reads a text; whole numbers of any size keep their digits. Throws a `DecodeError`. */
export function parseJson(text: string): Json {
  let at = 0;
  const fail = (): never => {
    throw new DecodeError(`this is no JSON, at character ${at + 1}`);
  };
  const space = (): void => {
    while (at < text.length && " \n\r\t".includes(text.charAt(at))) at += 1;
  };
  const token = (pattern: RegExp): string => {
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    if (found === null) return fail();
    at += found[0].length;
    return found[0];
  };
  const string = (): string => JSON.parse(token(/"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y)) as string;
  const word = (it: string): void => {
    if (!text.startsWith(it, at)) fail();
    at += it.length;
  };
  const items = (end: string, item: () => void): void => {
    at += 1;
    space();
    if (text.charAt(at) === end) {
      at += 1;
      return;
    }
    for (;;) {
      space();
      item();
      space();
      const sign = text.charAt(at);
      if (sign !== "," && sign !== end) fail();
      at += 1;
      if (sign === end) return;
    }
  };
  let depth = 0;
  const value = (): Json => {
    space();
    switch (text.charAt(at)) {
      case "{": {
        if ((depth += 1) > 100) fail();
        const members: [string, Json][] = [];
        items("}", () => {
          const key = string();
          space();
          word(":");
          members.push([key, value()]);
        });
        depth -= 1;
        return Object.fromEntries(members);
      }
      case "[": {
        if ((depth += 1) > 100) fail();
        const list: Json[] = [];
        items("]", () => list.push(value()));
        depth -= 1;
        return list;
      }
      case '"':
        return string();
      case "t":
        word("true");
        return true;
      case "f":
        word("false");
        return false;
      case "n":
        word("null");
        return null;
      default: {
        const digits = token(/-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y);
        return /^-?\d+$/.test(digits) ? num(BigInt(digits)) : Number(digits);
      }
    }
  };
  const whole = value();
  space();
  if (at < text.length) fail();
  return whole;
}

/** How a value is read from JSON and written to it. */
export interface Codec {
  readonly read: (value: unknown, path: string) => unknown;
  readonly write: (value: unknown) => Json;
  /** Its text in messages. */
  readonly show: (value: unknown) => string;
  readonly optional?: true;
}

/** The fields of an object: the name in JSON, the name of the property, and how the value is written. */
export type Fields = readonly (readonly [name: string, property: string, codec: Codec])[];

function wrong(value: unknown, path: string, expected: string): never {
  const found = value === undefined ? "nothing" : typeof value === "object" && value !== null ? "an object" : String(value);
  throw new DecodeError(`\`${path}\` is ${found}: expected ${expected}`);
}

const keep = (value: unknown): Json => value as Json;

/** `true` or `false` */
export const BOOL: Codec = {
  read: (value, path) => (typeof value === "boolean" ? value : wrong(value, path, "true or false")),
  write: keep,
  show: String,
};

/** A whole number, or its digits as a text. */
export const INT: Codec = {
  read: (value, path) => {
    if (typeof value === "number" && !Number.isSafeInteger(value)) {
      const why = Number.isInteger(value) ? "a text of digits, because JSON.parse has rounded it" : "a whole number";
      return wrong(value, path, why);
    }
    const digits = typeof value === "string" && /^-?\d{1,20}$/.test(value) ? num(BigInt(value)) : value;
    if (typeof digits !== "number" && typeof digits !== "bigint") return wrong(value, path, "a whole number");
    if (digits > MAX64 || digits < MIN64) return wrong(value, path, "a whole number of 64 bits");
    return int(digits, path);
  },
  write: (value) => num(BigInt(value as Num)),
  show: (value) => String(value),
};

/** A duration in microseconds. */
export const DURATION: Codec = { ...INT, show: (value) => showDuration(value as Num) };

/** A moment in microseconds since 1970. */
export const TIMESTAMP: Codec = { ...INT, show: (value) => showTimestamp(value as Num) };

/** An exact decimal, written as a text. */
export const DECIMAL: Codec = {
  read: (value, path) => {
    const text = typeof value === "number" || typeof value === "bigint" ? String(value) : value;
    const found = typeof text === "string" ? Decimal.parse(text) : null;
    return found ?? wrong(value, path, "a decimal as a text");
  },
  write: (value) => (value as Decimal).toString(),
  show: String,
};

/** A text of Unicode scalar values. */
export const TEXT: Codec = {
  read: (value, path) => {
    if (typeof value !== "string") return wrong(value, path, "a text");
    for (const letter of value) {
      const code = letter.codePointAt(0) ?? 0;
      if (code >= 0xd800 && code <= 0xdfff) return wrong(value, path, "a text without half of a pair of surrogates");
    }
    return value;
  },
  write: keep,
  show: String,
};

/** The identity of an object outside the machine. */
export type Reference = string | number | bigint;

/** An identity: a text or a whole number. */
export const REFERENCE: Codec = {
  read: (value, path) => {
    if (typeof value === "string" || Number.isSafeInteger(value)) return value;
    return typeof value === "bigint" ? num(value) : wrong(value, path, "an identity: a text or a whole number");
  },
  write: (value) => (typeof value === "bigint" ? num(value) : (value as Json)),
  show: String,
};

/** One of some names; other names that are read stand for one of them. */
export function oneOf(kind: string, names: readonly string[], ignoreCase = false): Codec {
  return { read: (value, path) => parseName(kind, names, ignoreCase, value, path), write: keep, show: String };
}

/** The name that a text is. Throws a `DecodeError` with the text. */
export function parseName(kind: string, names: readonly string[], ignoreCase: boolean, value: unknown, path: string): string {
  if (typeof value !== "string") return wrong(value, path, `the name of one ${kind}`);
  // ASCII alone, as Rust does.
  const lower = (it: string): string => it.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
  const found = names.find((it) => it === value) ?? (ignoreCase ? names.find((it) => lower(it) === lower(value)) : undefined);
  if (found !== undefined) return found;
  const expected = names.length > 12 ? "" : `: expected ${listed(names, "or")}`;
  throw new DecodeError(`\`${value}\` is no ${kind}${expected}`);
}

/** A value that may be null. */
export function optional(codec: Codec): Codec {
  return {
    read: (value, path) => (value === null || value === undefined ? null : codec.read(value, path)),
    write: (value) => (value === null ? null : codec.write(value)),
    show: (value) => (value === null ? "null" : codec.show(value)),
    optional: true,
  };
}

type Values = { readonly [property: string]: unknown };

function own(object: Values, property: string): unknown {
  return Object.hasOwn(object, property) ? object[property] : undefined;
}

function objectOf(value: unknown, path: string): Values {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return wrong(value, path, "an object");
  return value as Values;
}

function readFields(fields: Fields, value: unknown, path: string): Values {
  const object = objectOf(value, path);
  return Object.fromEntries(fields.map(([name, property, codec]) => [property, codec.read(own(object, name), `${path}.${name}`)]));
}

function writeFields(fields: Fields, values: Values): Json {
  return Object.fromEntries(fields.map(([name, property, codec]) => [name, codec.write(own(values, property))]));
}

/** Reads `"name"` or `{"name": {…}}`. */
function readTagged(kind: string, known: ReadonlyMap<string, Fields>, value: unknown, path: string): Values & { readonly type: string } {
  const named = (name: string): Fields => {
    const fields = known.get(name);
    if (fields === undefined) parseName(kind, [...known.keys()], false, name, path);
    return fields as Fields;
  };
  if (typeof value === "string") {
    const fields = named(value);
    return fields.length > 0 ? wrong(value, path, `\`{"${value}": {…}}\``) : { type: value };
  }
  const object = objectOf(value, path);
  const [name, ...more] = Object.keys(object);
  if (name === undefined || more.length > 0) return wrong(value, path, `one ${kind}`);
  const fields = named(name);
  if (fields.length === 0) {
    if (object[name] !== null) wrong(object[name], `${path}.${name}`, "null");
    return { type: name };
  }
  return { type: name, ...readFields(fields, object[name], `${path}.${name}`) };
}

function writeTagged(known: ReadonlyMap<string, Fields>, value: Values & { readonly type: string }): Json {
  const fields = known.get(value.type) ?? [];
  return fields.length === 0 ? value.type : Object.fromEntries([[value.type, writeFields(fields, value)]]);
}
