/** A context without fields. */
export type NoContext = Readonly<Record<never, never>>;

/** The results of an implementation in JSON, for tests. A hand-written implementation that has one of these can be tested like an emitted one. */
export interface Subject {
  /** The machine in its initial state, with values for some fields; `null` if an event creates it. */
  readonly start: (given: Json) => Json;
  /** A call in a machine (`null`: creation) with the names of the predicates that hold: `{"ok": …}` or `{"refused": …}`. */
  readonly call: (machine: Json, request: Json, holds: readonly string[], given: Json) => Json;
  /** The leaves that steps out of a leaf lead to. */
  readonly successors?: (leaf: string) => readonly string[];
  /** Whether an actor may raise an event. */
  readonly mayRaise?: (actor: string, event: string) => boolean;
  /** The timers that start with a machine. */
  readonly startTimers?: (machine: Json, now: Int) => Timers;
  /** The timers after the steps of the call before. */
  readonly observeTimers?: (timers: Timers, now: Int) => Timers;
  /** The running timers and the moments at which they are due. */
  readonly dueTimers?: (timers: Timers, machine: Json) => readonly Due[];
}

/** An emitted machine as a subject of tests. */
export function subject<E extends Tagged, C extends Values, P, F extends Tagged>(of: Definition<E, C, P, F>): Subject {
  let last: readonly Step<unknown>[] = [];
  const predicates = (holds: readonly string[]): P =>
    Object.fromEntries(of.predicates.map(([name, method]) => [method, (): boolean => holds.includes(name)])) as P;
  const given = (value: Json): Partial<C> => {
    const object = objectOf(value, "given");
    const fields = of.context.filter(([name]) => Object.hasOwn(object, name));
    return readFields(fields, object, "given") as Partial<C>;
  };
  return {
    start: (values) => writeMachine(of, made<Stored, C>(of.graph, of.graph.initial, { ...of.defaults, ...given(values) }, of.context.length > 0)),
    call: (machine, request, holds, values): Json => {
      const before = machine === null ? null : readMachine<Stored, E, C, P, F>(of, machine, false);
      const asked = objectOf(request, "call");
      const cause = Object.hasOwn(asked, "to") ? { to: String(asked["to"]) } : { event: readEvent(of, asked["event"]) };
      const result = call<Stored, Json, E, C, P, F>(of, before, cause, predicates(holds), given(values));
      if (!result.ok) {
        const { reason, message, allowed, row } = result.refused;
        const refused: { readonly [member: string]: Json } = { reason, message, allowed };
        return { refused: row === null ? refused : { ...refused, row } };
      }
      last = result.steps;
      const { steps, effects, commit } = result;
      return {
        ok: {
          machine: writeMachine(of, result.machine),
          steps: steps.map(({ rows, from, to, exited, entered }) => ({ rows, from, to, exited, entered })),
          effects: effects.map((it) => [it.phase, writeEffect(of, it.effect), it.message]),
          commit,
        },
      };
    },
    successors: (leaf) => of.graph.places.get(leaf)?.leads ?? [],
    mayRaise: (actor, event) => mayRaise(of.graph, event, actor),
    startTimers: (machine, now) => startTimers(of.graph, of.timers, leaves(of, readMachine<Stored, E, C, P, F>(of, machine, false).state), now),
    observeTimers: (timers, now) => observeTimers(of.timers, timers, last, now),
    dueTimers: (timers, machine) => dueOf(of, timers, readMachine<Stored, E, C, P, F>(of, machine, false)),
  };
}

/** Whether a value has whole numbers that `Int` does not hold: such a call is refused, or its values cannot be read. */
function isBeyond(value: Json | undefined): boolean {
  if (typeof value === "bigint") {
    // Only an identity is larger than 64 bits with sign, and it is kept as it is.
    if (value > MAX64) return false;
    try {
      int(value, "");
      return false;
    } catch {
      return true;
    }
  }
  return typeof value === "object" && value !== null && Object.values(value).some((it) => isBeyond(it as Json));
}

function same(a: Json | undefined, b: Json | undefined): boolean {
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return eq(a, b);
  const keys = Object.keys(a);
  const other = b as { readonly [key: string]: Json };
  return keys.length === Object.keys(b).length && keys.every((it) => Object.hasOwn(other, it) && same((a as typeof other)[it], other[it]));
}

/** What a run of tests did. */
export interface Tested {
  /** The calls that were compared. */
  readonly compared: number;
  /** The calls with whole numbers beyond `Int`, which are refused. */
  readonly beyond: number;
}

/** Runs the tests of a machine. Throws an `Error` that lists the differences, each with the line of the spec. */
export function assertConformance(subject: Subject, data: Json): Tested {
  const file = objectOf(data, "tests");
  const list = (name: string): readonly Values[] => (own(file, name) ?? []) as readonly Values[];
  const rows = own(file, "rows") as readonly number[];
  const differences: string[] = [];
  let compared = 0;
  let beyond = 0;
  const linesOf = (expected: Values): string => {
    const steps = (own(own(expected, "ok") as Values | undefined ?? {}, "steps") ?? []) as readonly { readonly rows: readonly number[] }[];
    const refusing = own(own(expected, "refused") as Values | undefined ?? {}, "row") as number | undefined;
    const found = [...steps.flatMap((it) => it.rows), ...(refusing === undefined ? [] : [refusing])].map((it) => rows[it]);
    return found.length === 0 ? String(own(file, "spec")) : `${own(file, "spec")}:${found.join(", ")}`;
  };
  const differs = (what: string, expected: Values, found: unknown): void => {
    const wanted = { ok: own(expected, "ok"), refused: own(expected, "refused") };
    const shown = (it: unknown): string => printJson(JSON.parse(JSON.stringify(it, (_, value) => (typeof value === "bigint" ? String(value) : value)) ?? "null") as Json);
    differences.push(`${linesOf(expected)}: ${what}\n  expected ${shown(wanted)}\n  found    ${shown(found)}`);
  };
  /** Compares a call; the machine after it, `undefined` if the rest of a walk cannot follow. */
  const check = (what: string, at: Json, test: Values): Json | undefined => {
    const request = own(test, "call") as Json;
    const given = (own(test, "given") ?? {}) as Json;
    const ok = own(test, "ok") as Values | undefined;
    const expected = { ...(ok === undefined ? { refused: own(test, "refused") } : { ok }) } as Json;
    if (isBeyond(at) || isBeyond(request) || isBeyond(given)) {
      beyond += 1;
      return undefined;
    }
    const shown = `${what}: ${printJson(request)} at ${printJson(at)}`;
    let found: Json;
    try {
      found = subject.call(at, request, (own(test, "holds") ?? []) as readonly string[], given);
    } catch (error) {
      differs(shown, test, String(error));
      return undefined;
    }
    const refused = own(objectOf(found, "result"), "refused") as Values | undefined;
    if (refused !== undefined && own(refused, "reason") === "out_of_range") {
      // A step on the way may have held more than the last one shows.
      beyond += 1;
      const isLate = own((own(test, "refused") ?? {}) as Values, "reason") === "unsettled";
      if (ok === undefined && !isLate) differs(shown, test, found);
      if (ok !== undefined && !isBeyond(own(ok, "machine") as Json) && (own(ok, "steps") as readonly Json[]).length === 1) differs(shown, test, found);
      return undefined;
    }
    compared += 1;
    if (!same(found, expected)) {
      differs(shown, test, found);
      return undefined;
    }
    return ok === undefined ? at : (own(ok, "machine") as Json);
  };
  list("cases").forEach((it) => check("case", own(it, "at") as Json, it));
  list("forbidden").forEach((it) => check("forbidden", own(it, "at") as Json, it));
  for (const [leaf, to] of list("pairs") as unknown as readonly (readonly [string, readonly string[]])[]) {
    const found = subject.successors?.(leaf);
    if (found !== undefined && !same(found, to)) differs(`${leaf} leads to ${listed(found, "and")}, and should lead to ${listed(to, "and")}`, {}, null);
  }
  for (const [event, by] of list("may_raise") as unknown as readonly (readonly [string, readonly string[]])[]) {
    for (const actor of list("actors") as unknown as readonly string[]) {
      const found = subject.mayRaise?.(actor, event);
      if (found !== undefined && found !== by.includes(actor)) differs(`${actor} ${found ? "may" : "may not"} raise ${event}`, {}, null);
    }
  }
  for (const path of list("paths")) {
    let at = own(file, "start") as Json;
    for (const [idx, test] of (own(path, "steps") as readonly Values[]).entries()) {
      const request = own(test, "call") as Json;
      if (isBeyond(at) || isBeyond(request)) break;
      const found = objectOf(subject.call(at, request, (own(test, "holds") ?? []) as readonly string[], {}), "result");
      const machine = own((own(found, "ok") ?? {}) as Values, "machine") as Json | undefined;
      const reached = machine === undefined ? undefined : (own(machine as Values, "state") as Json);
      if (machine === undefined || !same(reached, own(test, "to") as Json)) {
        const isRange = own((own(found, "refused") ?? {}) as Values, "reason") === "out_of_range";
        if (!isRange) differs(`path to ${printJson(own(path, "to") as Json)}, step ${idx + 1}: ${printJson(request)}`, { ok: test }, found);
        break;
      }
      compared += 1;
      at = machine;
    }
  }
  for (const walk of list("walks")) {
    let at: Json | undefined = null;
    let timers: Timers = {};
    for (const [idx, test] of (own(walk, "steps") as readonly Values[]).entries()) {
      const what = `walk ${own(walk, "seed")}, step ${idx + 1}`;
      const now = int(own(test, "now") as Num, "now");
      const start = own(test, "start") as Json | undefined;
      if (start !== undefined) {
        at = start;
        if (!isBeyond(start)) timers = subject.startTimers?.(start, now) ?? {};
      } else {
        const after: Json | undefined = check(what, at as Json, test);
        if (after === undefined) break;
        const due = own(test, "due") as readonly [string, Num] | undefined;
        if (own(test, "ok") !== undefined) timers = subject.observeTimers?.(at === null ? {} : timers, now) ?? {};
        else if (due !== undefined) timers = endTimer(timers, due[0]);
        at = after;
      }
      const expected = own(test, "timers") as readonly Json[] | undefined;
      if (expected === undefined || subject.dueTimers === undefined || isBeyond(at) || isBeyond(expected)) continue;
      const found = subject.dueTimers(timers, at as Json).map((it): Json => [it.timer, INT.write(it.at)]);
      if (!same(found, expected)) differs(`${what}: the timers are ${printJson(found)}, and should be ${printJson(expected)}`, test, null);
    }
  }
  if (differences.length > 0) {
    const more = differences.length > 10 ? `\nand ${differences.length - 10} more` : "";
    throw new Error(`${differences.length} of ${compared} calls differ from the spec:\n${differences.slice(0, 10).join("\n")}${more}`);
  }
  if (compared === 0 && list("cases").length > 0 && beyond === 0) throw new Error("no call was compared");
  return { compared, beyond };
}

/** Compares the operators with the results of the interpreter. Throws an `Error` that lists the differences. */
export function assertNumbers(data: Json): number {
  const vectors = own(objectOf(data, "numbers"), "vectors") as readonly (readonly [string, string, string, string, string | null])[];
  const whole = { "+": add, "-": sub, "*": mul, "/": div, "%": rem };
  const exact = { "+": addDecimal, "-": subDecimal, "*": mulDecimal, "/": divDecimal, "%": remDecimal };
  const differences: string[] = [];
  for (const [type, sign, a, b, expected] of vectors) {
    // The emitted code refuses a division by zero before it divides.
    if (expected === null) continue;
    const operator = sign as keyof typeof whole;
    const found = type === "int" ? whole[operator](num(BigInt(a)), num(BigInt(b))) : exact[operator](Decimal.of(a), Decimal.of(b));
    if (String(found) !== expected) differences.push(`${a} ${sign} ${b} is ${expected}, not ${String(found)}`);
  }
  if (differences.length > 0) throw new Error(`${differences.length} operations differ:\n${differences.slice(0, 20).join("\n")}`);
  return vectors.length;
}
