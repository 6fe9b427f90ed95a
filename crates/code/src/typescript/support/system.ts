/** What a plan asks the store: a method, and its argument. */
export type Ask = readonly [method: string, ...keys: Reference[]];

/** The methods of a store that answers at once. */
type Methods = { readonly [method: string]: (...keys: readonly Reference[]) => unknown };

/** A store whose methods may return promises. */
export type Async<T> = { readonly [K in keyof T]: T[K] extends (...args: infer A) => infer R ? (...args: A) => R | Promise<R> : never };

/** A store in memory: it has no data of its own that a caller may not see. */
export interface Memory<S, W> {
  /** What a plan reads. */
  readonly store: S;
  /** Stores what a plan writes. */
  put(writes: readonly W[]): void;
}

/** A machine as a system plays it, whatever its types. */
export interface Played {
  readonly graph: Graph;
  /** A machine in its first state. */
  readonly start: (given: Values) => Stored;
  /** What an event does; a machine of `null` is created. */
  readonly raise: (machine: Stored | null, event: Tagged, given: Values, predicates: unknown) => Outcome<Stored, Json, Tagged>;
  readonly read: (value: Json) => Stored;
  readonly write: (machine: Stored) => Json;
  readonly writeEvent: (event: Tagged) => Json;
  readonly writeEffect: (effect: Tagged) => Json;
  /** The names of the predicates, and their methods. */
  readonly predicates: readonly (readonly [name: string, method: string])[];
}

/** A machine as a system plays it. */
export function played<E extends Tagged, C extends Values, P, F extends Tagged>(of: Definition<E, C, P, F>): Played {
  const hasContext = of.context.length > 0;
  return {
    graph: of.graph,
    start: (given) => made<Stored, C>(of.graph, of.graph.initial, { ...of.defaults, ...(given as Partial<C>) }, hasContext),
    raise: (machine, event, given, predicates) =>
      call<Stored, Json, E, C, P, F>(of, machine, { event: event as E }, predicates as P, given as Partial<C>),
    read: (value) => readMachine<Stored, E, C, P, F>(of, value, false),
    write: (machine) => writeMachine(of, machine),
    writeEvent: (event) => writeEvent(of, event as E),
    writeEffect: (effect) => writeEffect(of, effect as F),
    predicates: of.predicates,
  };
}

/** A part or a role of a system. */
export interface PartNode {
  readonly name: string;
  /** The part whose instances it has: itself, unless it is a role. */
  readonly plays: string;
  readonly machine: Played;
  readonly many: boolean;
  /** Whether an instance begins without an event. */
  readonly begins: boolean;
  /** The part or role of the owner, the field of the context with its key, and whether it may be null. */
  readonly owner?: readonly [part: string, field: string, optional: boolean];
  /** The refusal if the instance is not there. */
  readonly missing: string;
  /** The refusal if the same instance takes two roles. */
  readonly same: string;
  /** The methods of the store. */
  readonly load: string;
  readonly key?: string;
  readonly list?: string;
  readonly create?: string;
}

/** An instance whose key is determined, and the instances that belong to it and come before. */
export type LoadNode = readonly [part: string, from: "single" | "named" | "new" | "owned", owned?: readonly string[]];

/** An instance that must be there, unless an event creates it or the owner is another one. */
export type NeedNode = readonly [part: string, created: boolean, belongs: boolean];

/** An event that is fired. */
export interface FireNode {
  readonly part: string;
  readonly event: (at: never, it: never) => Tagged;
  /** Whether a value of the payload divides by zero. */
  readonly divides?: (at: never, it: never) => boolean;
  /** Whether the instance is created even if it is there. */
  readonly inMemory?: true;
}

/** A rule: its position in the spec, and its condition. */
export type RuleNode = readonly [rule: number, require: (at: never) => boolean];

/** A transaction. */
export interface TransactionNode {
  readonly name: string;
  /** The actors that may trigger it; any if there is none. */
  readonly by?: readonly string[];
  /** The parts and roles that the caller names, and the property of each. */
  readonly named: readonly (readonly [part: string, property: string])[];
  /** The values of a request, keys first. */
  readonly fields: Fields;
  readonly loads: readonly LoadNode[];
  readonly distinct: readonly (readonly [part: string, among: readonly string[]])[];
  readonly parts: readonly string[];
  readonly needs: readonly NeedNode[];
  readonly rules: readonly RuleNode[];
  readonly fires: readonly FireNode[];
  readonly checks: readonly number[];
}

/** An event that a change of one part raises in another. */
export interface LinkNode {
  readonly part: string;
  readonly on: "enter" | "exit";
  readonly state: string;
  readonly loads: readonly LoadNode[];
  readonly parts: readonly string[];
  /** The instances that the condition reads, and the condition. */
  readonly when?: { readonly needs: readonly string[]; readonly divides?: (at: never) => boolean; readonly holds: (at: never) => boolean };
  readonly needs: readonly NeedNode[];
  readonly rules: readonly RuleNode[];
  readonly fire: FireNode;
  readonly optional: boolean;
}

/** A condition that holds after every transaction. */
export interface InvariantNode {
  readonly each?: string;
  readonly owners: readonly string[];
  readonly parts: readonly string[];
  readonly require: (at: never) => boolean;
}

/** A system as emitted. */
export interface System {
  readonly name: string;
  /** The parts, then the roles. */
  readonly parts: readonly PartNode[];
  readonly transactions: readonly TransactionNode[];
  readonly links: readonly LinkNode[];
  /** The texts of the rules, and of the invariants. */
  readonly rules: readonly string[];
  readonly invariantTexts: readonly string[];
  readonly invariants: readonly InvariantNode[];
}

/** Why a system refused a transaction: a reason of a machine, or one of its own. */
export type SystemReason =
  | Reason
  /** An instance that the transaction needs is not there. */
  | "missing"
  /** The same instance takes two roles. */
  | "same"
  /** A rule does not hold. */
  | "rule"
  /** An invariant would not hold afterwards. */
  | "invariant"
  /** The key of an instance is unknown: what should determine it is not there, or has no owner. */
  | "unknown"
  /** The named instances do not belong together. */
  | "apart"
  /** The links raise too many events. */
  | "endless";

/** A transaction that was refused; nothing changed. */
export interface RefusedTransaction {
  readonly system: string;
  readonly transaction: string;
  readonly reason: SystemReason;
  /** The refusal in words: the text in the spec, if it has one. */
  readonly message: string;
  /** The part that it is about. */
  readonly part: string | null;
  /** The key of its instance, if a machine refused. */
  readonly key: Reference | null;
  /** The position of the rule or invariant in the spec. */
  readonly index: number | null;
  /** The position of the link whose event was refused; `null` if it was one of the transaction. */
  readonly link: number | null;
  /** The refusal of the machine. */
  readonly machine: Refused<Json> | null;
}

/** An effect of a transaction, and the instance whose effect it is. */
export type PartEffect<P extends string, F> = { readonly part: P; readonly key: Reference } & Performed<F>;

/** An instance that changes. */
export interface PartWrite<P extends string, M> {
  readonly part: P;
  /** Its key; `1` for an only instance whose key nothing asks for. */
  readonly key: Reference;
  /** What was loaded; `null` if it is new. */
  readonly before: M | null;
  readonly after: M;
}

/** One event that was fired in one instance. */
export interface PartChange<P extends string, M, E> {
  readonly part: P;
  readonly key: Reference;
  readonly event: E;
  /** The position of the link that fired it; `null` if the transaction did. */
  readonly link: number | null;
  /** The machine before; `null` if the event created it. */
  readonly before: M | null;
  readonly after: M;
  readonly steps: readonly Step<Json>[];
}

/** What a transaction changes. */
export interface Planned<W, H, F> {
  readonly ok: true;
  /** The keys of the instances, by part and role. */
  readonly keys: { readonly [part: string]: Reference };
  /** What is stored, all or nothing: each instance once. */
  readonly writes: readonly W[];
  /** The events in order: those of the transaction, then those of links. */
  readonly changes: readonly H[];
  /** The effects of all changes, in order. */
  readonly effects: readonly F[];
  /** When the writes are stored: the earliest order of all rows. */
  readonly commit: Commit;
  /** The optional links that were refused. */
  readonly skipped: readonly RefusedTransaction[];
}

/** A transaction that was refused. */
export interface RejectedTransaction {
  readonly ok: false;
  readonly refused: RefusedTransaction;
}

/** What conditions and payloads read of an instance. */
export type Seen<M extends Stored> = {
  readonly id: Reference;
  readonly state: Exclude<M["state"], UnknownState>;
  readonly context: M extends { readonly context: infer C } ? C : NoContext;
};

/** Whether the machine of a part is in a state, in one of its regions if it has some. */
export function isPartIn(part: Played, seen: { readonly state: unknown }, state: string): boolean {
  return isActive(part.graph, activeIn(part.graph, seen.state), state);
}

const MAX_FIRED = 1000;

/** The end of a transaction that is refused. */
class Stop {
  readonly reason: SystemReason;
  readonly message: string;
  readonly part: string | null;
  readonly key: Reference | null;
  readonly index: number | null;
  readonly machine: Refused<Json> | null;
  link: number | null = null;

  constructor(reason: SystemReason, message: string, about: Partial<Pick<RefusedTransaction, "part" | "key" | "index" | "machine">> = {}) {
    this.reason = reason;
    this.message = message;
    this.part = about.part ?? null;
    this.key = about.key ?? null;
    this.index = about.index ?? null;
    this.machine = about.machine ?? null;
  }

  /** Whether an optional link may be skipped for it: the spec refuses, and not the limits of the program. */
  get isOfSpec(): boolean {
    return !["unknown", "apart", "endless", "out_of_range", "unknown_state"].includes(this.reason);
  }

  shown(system: string, transaction: string): RefusedTransaction {
    const { reason, message, part, key, index, link, machine } = this;
    return { system, transaction, reason, message, part, key, index, link, machine };
  }
}

/** An instance during a transaction. */
interface Kept {
  readonly part: string;
  readonly key: Reference;
  /** What the store has. */
  readonly stored: Stored | null;
  now: Stored | null;
  changed: boolean;
  /** Whether it began and is to be forgotten unless an event changes it. */
  begun: boolean;
}

type Keys = Map<string, Reference>;
type Asking<T> = Generator<Ask, T, unknown>;
type AnyChange = PartChange<string, Stored, Tagged>;
type AnyPlan = Planned<PartWrite<string, Stored>, AnyChange, PartEffect<string, Tagged>>;

/** A key as a text: equal for equal keys. */
function idOf(key: Reference): string {
  return `${typeof key === "string" ? "text" : "number"} ${key}`;
}

/** A transaction during its computation. */
class Unit {
  readonly of: System;
  readonly predicates: Values;
  readonly nodes: ReadonlyMap<string, PartNode>;
  readonly kept = new Map<string, Kept>();
  readonly changes: AnyChange[] = [];
  readonly effects: PartEffect<string, Tagged>[] = [];
  readonly skipped: Stop[] = [];
  commit: Commit = "memory_only";

  constructor(of: System, predicates: Values) {
    this.of = of;
    this.predicates = predicates;
    this.nodes = new Map(of.parts.map((it) => [it.name, it]));
  }

  node(part: string): PartNode {
    return this.nodes.get(part) ?? unreachable();
  }

  /** The instance of a key, loaded once. */
  *load(part: string, key: Reference): Asking<Kept> {
    const node = this.node(this.node(part).plays);
    const id = `${node.name} ${idOf(key)}`;
    const known = this.kept.get(id);
    if (known !== undefined) return known;
    const stored = ((yield node.many ? [node.load, key] : [node.load]) ?? null) as Stored | null;
    if (stored !== null && isUnknown(stored.state)) {
      const { unknown } = stored.state;
      const text = typeof unknown === "string" ? unknown : printJson(unknown);
      throw new Stop("unknown_state", `\`${text}\` is no state that this program knows`, { part: node.name, key });
    }
    const kept: Kept = { part: node.name, key, stored, now: stored, changed: false, begun: false };
    // An only instance that no event creates is there from the start.
    if (stored === null && !node.many && node.begins) {
      const given = node.owner === undefined ? {} : Object.fromEntries([[node.owner[1], yield* this.only(node.owner[0])]]);
      kept.now = node.machine.start(given);
    }
    this.kept.set(id, kept);
    return kept;
  }

  /** The key of an only instance. */
  *only(part: string): Asking<Reference> {
    const { key } = this.node(part);
    return key === undefined ? 1 : ((yield [key]) as Reference);
  }

  now(part: string, keys: Keys): Stored | null {
    const key = keys.get(part);
    return key === undefined ? null : (this.kept.get(`${this.node(part).plays} ${idOf(key)}`)?.now ?? null);
  }

  /** The key of the owner of an instance. */
  ownerOf(part: string, keys: Keys): Reference | null {
    const owner = this.node(part).owner;
    const machine = this.now(part, keys);
    return owner === undefined || machine === null ? null : ((own(machine.context ?? {}, owner[1]) ?? null) as Reference | null);
  }

  /** The keys that are given or determined by other instances. */
  *determine(loads: readonly LoadNode[], named: Keys): Asking<Keys> {
    const keys: Keys = new Map();
    for (const [part, from, owned] of loads) {
      const told: Reference[] = [];
      if (from === "single") told.push(yield* this.only(part));
      else if (from === "named") told.push(named.get(part) ?? unreachable());
      for (const it of owned ?? []) {
        const owner = this.ownerOf(it, keys);
        if (owner !== null) told.push(owner);
      }
      const [first, ...others] = told;
      if (first === undefined) continue;
      const other = others.find((it) => idOf(it) !== idOf(first));
      if (other !== undefined) throw new Stop("apart", `which \`${part}\`: ${first} or ${other}?`, { part });
      keys.set(part, first);
      yield* this.load(part, first);
    }
    return keys;
  }

  /** Adds the keys of new instances; those of `parts` must be known then. */
  *complete(loads: readonly LoadNode[], parts: readonly string[], keys: Keys): Asking<void> {
    for (const part of parts) {
      const isNew = loads.some(([it, from]) => it === part && from === "new");
      if (!isNew && !keys.has(part)) throw new Stop("unknown", `which \`${part}\`?`, { part });
    }
    for (const [part, from] of loads) {
      if (from !== "new" || keys.has(part)) continue;
      const { plays, create } = this.node(part);
      const key = (yield [create ?? unreachable()]) as Reference;
      keys.set(part, key);
      this.kept.set(`${plays} ${idOf(key)}`, { part: plays, key, stored: null, now: null, changed: false, begun: false });
    }
  }

  /** The owner that a new instance gets. */
  given(part: string, keys: Keys): Values {
    const owner = this.node(part).owner;
    const key = owner === undefined ? undefined : keys.get(owner[0]);
    return owner === undefined || key === undefined ? {} : Object.fromEntries([[owner[1], key]]);
  }

  begin(keys: Keys): void {
    for (const node of this.of.parts) {
      const key = keys.get(node.name);
      if (key === undefined || !node.begins || this.now(node.name, keys) !== null) continue;
      const given = this.given(node.name, keys);
      if (node.owner !== undefined && !node.owner[2] && !Object.hasOwn(given, node.owner[1])) {
        throw new Stop("unknown", `which \`${node.owner[0]}\`?`, { part: node.owner[0] });
      }
      const kept = this.kept.get(`${node.plays} ${idOf(key)}`) ?? unreachable();
      kept.now = node.machine.start(given);
      kept.begun = true;
    }
  }

  missing(part: string): Stop {
    const { plays, missing } = this.node(part);
    return new Stop("missing", missing, { part: plays });
  }

  needs(needs: readonly NeedNode[], keys: Keys): void {
    for (const [part, created, belongs] of needs) {
      const isOwned = (): boolean => {
        const [owner] = this.node(part).owner ?? unreachable();
        const [theirs, ours] = [this.ownerOf(part, keys), keys.get(owner)];
        return theirs === null || ours === undefined ? theirs === null && ours === undefined : idOf(theirs) === idOf(ours);
      };
      const isThere = this.now(part, keys) !== null && (!belongs || isOwned());
      if (!isThere && !created) throw this.missing(part);
    }
  }

  /** What expressions read. */
  view(keys: Keys): never {
    const seen = [...keys].map(([part, id]) => {
      const machine = this.now(part, keys);
      return [part, machine === null ? { id } : { id, state: machine.state, context: machine.context ?? {} }];
    });
    return Object.fromEntries(seen) as never;
  }

  rules(rules: readonly RuleNode[], at: never): void {
    const broken = rules.find(([, require]) => !require(at));
    if (broken !== undefined) throw new Stop("rule", this.of.rules[broken[0]] ?? "", { index: broken[0] });
  }

  fire(fire: FireNode, keys: Keys, at: never, request: never, link: number | null): readonly [AnyChange, Accepted<Stored, Json, Tagged>] {
    if (fire.divides?.(at, request) === true) throw new Stop("division_by_zero", "a divisor is zero");
    const node = this.node(fire.part);
    const key = keys.get(fire.part) ?? unreachable();
    let event: Tagged;
    try {
      event = fire.event(at, request);
    } catch (error) {
      if (!(error instanceof OutOfRange)) throw error;
      throw new Stop("out_of_range", error.message, { part: node.plays, key });
    }
    const before = fire.inMemory === true ? null : this.now(fire.part, keys);
    const given = before === null ? this.given(fire.part, keys) : {};
    const result = node.machine.raise(before, event, given, own(this.predicates, node.plays) ?? null);
    if (!result.ok) {
      const { refused } = result;
      throw new Stop(refused.reason, refused.message, { part: node.plays, key, machine: refused });
    }
    return [{ part: node.plays, key, event, link, before, after: result.machine, steps: result.steps }, result];
  }

  apply([change, { effects, commit }]: readonly [AnyChange, Accepted<Stored, Json, Tagged>]): void {
    const { part, key, after } = change;
    const kept = this.kept.get(`${part} ${idOf(key)}`) ?? unreachable();
    kept.now = after;
    kept.changed = true;
    this.changes.push(change);
    for (const it of effects) this.effects.push({ part, key, ...it });
    if (COMMITS.indexOf(commit) < COMMITS.indexOf(this.commit)) this.commit = commit;
  }

  /** The links that watch the borders that a change crosses, and those that follow from them. */
  *follow(idx: number): Asking<void> {
    const { part, key, steps } = this.changes[idx] ?? unreachable();
    for (const step of steps) {
      const exits = step.exited.map((it) => ["exit", it] as const);
      for (const [on, state] of [...exits, ...step.entered.map((it) => ["enter", it] as const)]) {
        for (const [link, node] of this.of.links.entries()) {
          if (node.part !== part || node.on !== on || node.state !== state) continue;
          const next = this.changes.length;
          let isFired: boolean;
          try {
            isFired = yield* this.link(link, node, key);
          } catch (error) {
            if (!(error instanceof Stop) || !error.isOfSpec) throw error;
            error.link = link;
            if (!node.optional) throw error;
            this.skipped.push(error);
            continue;
          }
          // What follows is no refusal of this link.
          if (isFired) yield* this.follow(next);
        }
      }
    }
  }

  /** Whether the condition of a link holds; then its event is fired. */
  *link(idx: number, link: LinkNode, key: Reference): Asking<boolean> {
    const keys = yield* this.determine(link.loads, new Map([[link.part, key]]));
    yield* this.complete(link.loads, link.parts, keys);
    const at = this.view(keys);
    if (link.when !== undefined) {
      const missing = link.when.needs.find((it) => this.now(it, keys) === null);
      if (missing !== undefined) throw this.missing(missing);
      if (link.when.divides?.(at) === true) throw new Stop("division_by_zero", "a divisor is zero");
      if (!link.when.holds(at)) return false;
    }
    this.needs(link.needs, keys);
    this.rules(link.rules, at);
    if (this.changes.length === MAX_FIRED) throw new Stop("endless", `the links set off more than ${MAX_FIRED} events`);
    this.apply(this.fire(link.fire, keys, at, undefined as never, idx));
    return true;
  }

  *holds({ each, owners, parts, require }: InvariantNode): Asking<boolean> {
    const all: Kept[] = each === undefined ? [] : yield* this.all(each);
    for (const one of each === undefined ? [null] : all) {
      const keys: Keys = new Map();
      for (const part of parts.filter((it) => !this.node(it).many)) {
        const key = yield* this.only(part);
        keys.set(part, key);
        yield* this.load(part, key);
      }
      if (one !== null && each !== undefined) keys.set(each, one.key);
      let at = one === null ? undefined : each;
      for (const owner of owners) {
        const key: Reference | null = at === undefined ? null : this.ownerOf(at, keys);
        at = key === null ? undefined : owner;
        if (key === null) continue;
        keys.set(owner, key);
        yield* this.load(owner, key);
      }
      if (parts.every((it) => this.now(it, keys) !== null) && !require(this.view(keys))) return false;
    }
    return true;
  }

  /** All instances of a part, as they are after the changes. */
  *all(part: string): Asking<Kept[]> {
    const node = this.node(part);
    const listed = (yield [node.list ?? unreachable()]) as Iterable<readonly [Reference, Stored]>;
    for (const [key, stored] of listed) {
      const id = `${part} ${idOf(key)}`;
      if (!this.kept.has(id)) this.kept.set(id, { part, key, stored, now: stored, changed: false, begun: false });
    }
    return [...this.kept.values()].filter((it) => it.part === part && it.now !== null);
  }

  *transaction(of: TransactionNode, request: Values): Asking<Keys> {
    const named: Keys = new Map(of.named.map(([part, property]) => [part, own(request, property) as Reference]));
    const keys = yield* this.determine(of.loads, named);
    for (const [part, among] of of.distinct) {
      const ids = among.flatMap((it) => (keys.has(it) ? [idOf(keys.get(it) ?? unreachable())] : []));
      if (new Set(ids).size < ids.length) throw new Stop("same", this.node(part).same, { part });
    }
    yield* this.complete(of.loads, of.parts, keys);
    this.begin(keys);
    this.needs(of.needs, keys);
    const at = this.view(keys);
    this.rules(of.rules, at);
    const planned = of.fires.map((it) => this.fire(it, keys, at, request as never, null));
    planned.forEach((it) => this.apply(it));
    for (const idx of planned.keys()) yield* this.follow(idx);
    for (const it of this.kept.values()) if (it.begun && !it.changed) it.now = null;
    for (const idx of of.checks) yield* this.check(idx);
    return keys;
  }

  *check(idx: number): Asking<void> {
    if (yield* this.holds(this.of.invariants[idx] ?? unreachable())) return;
    throw new Stop("invariant", this.of.invariantTexts[idx] ?? "", { index: idx });
  }
}

/** What a transaction changes, or why it is refused; yields what it asks the store. */
export function* transact<R>(of: System, request: Tagged, predicates: Values): Generator<Ask, R | RejectedTransaction, unknown> {
  const unit = new Unit(of, predicates);
  try {
    const keys = yield* unit.transaction(of.transactions.find((it) => it.name === request.type) ?? unreachable(), request);
    const changed = [...unit.kept.values()].filter((it) => it.changed);
    const order = (it: Kept): number => unit.changes.findIndex((change) => change.part === it.part && idOf(change.key) === idOf(it.key));
    changed.sort((a, b) => order(a) - order(b));
    const planned: AnyPlan = {
      ok: true,
      keys: Object.fromEntries(keys),
      writes: changed.map(({ part, key, stored, now }) => ({ part, key, before: stored, after: now ?? unreachable() })),
      changes: unit.changes,
      effects: unit.effects,
      commit: unit.commit,
      skipped: unit.skipped.map((it) => it.shown(of.name, request.type)),
    };
    return planned as R;
  } catch (error) {
    if (!(error instanceof Stop)) throw error;
    return { ok: false, refused: error.shown(of.name, request.type) };
  }
}

/** Checks all invariants; the refusal with the first that does not hold. */
export function* checkAll(of: System): Generator<Ask, RefusedTransaction | null, unknown> {
  const unit = new Unit(of, {});
  try {
    for (const idx of of.invariants.keys()) yield* unit.check(idx);
    return null;
  } catch (error) {
    if (!(error instanceof Stop)) throw error;
    return error.shown(of.name, "");
  }
}

/** Answers what a plan asks. */
export function drive<T>(store: object, plan: Generator<Ask, T, unknown>): T {
  let step = plan.next();
  while (step.done !== true) {
    const [method, ...keys] = step.value;
    step = plan.next(((store as Methods)[method] ?? unreachable()).apply(store, keys));
  }
  return step.value;
}

/** Answers what a plan asks by a store whose methods may return promises. */
export async function driveAsync<T>(store: object, plan: Generator<Ask, T, unknown>): Promise<T> {
  let step = plan.next();
  while (step.done !== true) {
    const [method, ...keys] = step.value;
    step = plan.next(await ((store as Methods)[method] ?? unreachable()).apply(store, keys));
  }
  return step.value;
}

/** Whether an actor may trigger a transaction. */
export function mayTrigger(of: System, transaction: string, actor: string): boolean {
  const found = of.transactions.find((it) => it.name === transaction);
  return found !== undefined && (found.by === undefined || found.by.includes(actor));
}

/** The refusal of an actor that may not trigger a transaction; `null` if it may. */
export function permitTransaction(of: System, transaction: string, actor: string): RejectedTransaction | null {
  if (mayTrigger(of, transaction, actor)) return null;
  const by = of.transactions.find((it) => it.name === transaction)?.by ?? [];
  const message = `only ${listed(by, "or")} may trigger \`${transaction}\``;
  return { ok: false, refused: new Stop("actor", message).shown(of.name, transaction) };
}

/** A store in memory, empty or with the machines of some writes. */
export function memory<S, W>(of: System, content: readonly W[]): Memory<S, W> {
  const held = new Map<string, PartWrite<string, Stored>>();
  const put = (writes: readonly W[]): void => {
    for (const it of writes as readonly PartWrite<string, Stored>[]) held.set(`${it.part} ${idOf(it.key)}`, it);
  };
  put(content);
  const methods: [string, (key: Reference) => unknown][] = [];
  for (const { name, plays, many, load, key, list, create } of of.parts) {
    if (name !== plays) continue;
    const mine = (): PartWrite<string, Stored>[] => [...held.values()].filter((it) => it.part === name);
    let last = 0n;
    methods.push([load, (key) => held.get(`${name} ${idOf(many ? key : 1)}`)?.after ?? null]);
    if (key !== undefined) methods.push([key, () => 1]);
    if (list !== undefined) methods.push([list, () => mine().map((it) => [it.key, it.after])]);
    if (create !== undefined) {
      methods.push([
        create,
        (): Reference => {
          for (const it of mine()) if (typeof it.key !== "string" && BigInt(it.key) > last) last = BigInt(it.key);
          return num((last += 1n));
        },
      ]);
    }
  }
  return { store: Object.fromEntries(methods) as S, put };
}

/** Writes a request. */
export function writeRequest(of: System, request: Tagged): Json {
  return writeTagged(new Map(of.transactions.map((it) => [it.name, it.fields])), request);
}

/** Reads a request. */
export function readRequest<R>(of: System, value: unknown): R {
  return readTagged("transaction", new Map(of.transactions.map((it) => [it.name, it.fields])), value, "transaction") as R;
}
