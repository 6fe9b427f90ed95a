/** An instance in JSON: its part, its key and the machine. */
export type InstanceJson = readonly [part: string, key: Reference, machine: Json];

/** The results of an implementation of a system in JSON, for tests. */
export interface SystemSubject {
  /** A transaction with these instances and the names of the predicates that hold, by part: `{"ok": …}` or `{"refused": …}`. */
  readonly plan: (instances: readonly InstanceJson[], request: Json, holds: Values) => Json;
}

/** An emitted system as a subject of tests. */
export function systemSubject(of: System): SystemSubject {
  const machine = (part: string): Played => of.parts.find((it) => it.name === part)?.machine ?? unreachable();
  return {
    plan: (instances, request, holds): Json => {
      const content = instances.map(([part, key, it]) => ({ part, key, before: null, after: machine(part).read(it) }));
      const predicates = of.parts.map(({ name, machine: { predicates: known } }) => {
        const held = (own(holds, name) ?? []) as readonly string[];
        return [name, Object.fromEntries(known.map(([it, method]) => [method, (): boolean => held.includes(it)]))];
      });
      const { store } = memory<object, PartWrite<string, Stored>>(of, content);
      const result = drive(store, transact<AnyPlan>(of, readRequest<Tagged>(of, request), Object.fromEntries(predicates) as Values));
      if (!result.ok) {
        const { reason, message, part, index, link } = result.refused;
        // The words are those of each implementation.
        if (reason === "unknown" || reason === "apart" || reason === "endless") return { refused: { reason } };
        return { refused: { reason, message, part, index, link } };
      }
      return {
        ok: {
          writes: result.writes.map((it): Json => [it.part, it.key, machine(it.part).write(it.after)]),
          changes: result.changes.map((it) => ({
            part: it.part,
            key: it.key,
            event: machine(it.part).writeEvent(it.event),
            link: it.link,
            created: it.before === null,
            rows: it.steps.map((step) => step.rows),
          })),
          effects: result.effects.map((it): Json => [it.part, it.key, it.phase, machine(it.part).writeEffect(it.effect), it.message]),
          commit: result.commit,
          skipped: result.skipped.map((it): Json => [it.link, it.reason, it.message]),
        },
      };
    },
  };
}

/** Runs the tests of a system. Throws an `Error` that lists the differences, each with the line of the spec. */
export function assertSystemConformance(subject: SystemSubject, data: Json): Tested {
  const file = objectOf(data, "tests");
  const lines = own(file, "lines") as Values;
  const differences: string[] = [];
  let compared = 0;
  let beyond = 0;
  for (const walk of own(file, "walks") as readonly Values[]) {
    let world: readonly InstanceJson[] = [];
    for (const [idx, test] of (own(walk, "steps") as readonly Values[]).entries()) {
      const request = own(test, "call") as Json;
      const ok = own(test, "ok") as Values | undefined;
      if (isBeyond(request) || isBeyond(world as Json)) {
        beyond += 1;
        break;
      }
      let found: Json;
      try {
        found = subject.plan(world, request, (own(test, "holds") ?? {}) as Values);
      } catch (error) {
        found = String(error);
      }
      const refused = typeof found === "string" ? undefined : (own(objectOf(found, "result"), "refused") as Values | undefined);
      if (refused !== undefined && own(refused, "reason") === "out_of_range" && isBeyond(ok as Json | undefined)) {
        beyond += 1;
        break;
      }
      compared += 1;
      const expected = (ok === undefined ? { refused: own(test, "refused") } : { ok }) as Json;
      if (!same(found, expected)) {
        const name = typeof request === "string" ? request : String(Object.keys(request as Values)[0]);
        const place = `${own(file, "spec")}:${own(lines, name)}: walk ${own(walk, "name")}, step ${idx + 1}: ${printJson(request)}`;
        differences.push(`${place}\n  expected ${printJson(expected)}\n  found    ${printJson(found)}`);
        break;
      }
      const writes = ok === undefined ? [] : (own(ok, "writes") as readonly InstanceJson[]);
      const isWritten = ([part, key]: InstanceJson): boolean => writes.some((it) => it[0] === part && idOf(it[1]) === idOf(key));
      world = [...world.filter((it) => !isWritten(it)), ...writes];
    }
  }
  if (differences.length > 0) {
    const more = differences.length > 10 ? `\nand ${differences.length - 10} more` : "";
    throw new Error(`${differences.length} of ${compared} transactions differ from the spec:\n${differences.slice(0, 10).join("\n")}${more}`);
  }
  if (compared === 0 && (own(file, "walks") as readonly Values[]).length > 0 && beyond === 0) throw new Error("no transaction was compared");
  return { compared, beyond };
}
