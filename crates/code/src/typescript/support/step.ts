/** Where a row leads: to a leaf, to the leaf that the payload names, or to the one that a field remembers. */
export type Destination =
  | { readonly leaf: string }
  | { readonly payload: string }
  | { readonly history: string; readonly whole: string; readonly start: string };

/** A row in one case: its position, the state that it names (none: the whole machine), and what it does. */
export interface Arm {
  readonly row: number;
  readonly source?: string;
  /** Where it leads; `[]` stays, and `null` refuses. */
  readonly to: readonly Destination[] | null;
}

/** When the store is written: before the change, after it, or not. */
export type Commit = "persist_first" | "memory_first" | "memory_only";

/** What a row does wherever it is taken. */
export interface RowParts {
  readonly before?: readonly string[];
  readonly effects?: readonly string[];
  readonly raise?: readonly string[];
  readonly reenters?: string;
  readonly commit?: Commit;
  /** The text with which it refuses. */
  readonly refuses?: string;
}

/** When an effect happens: before any change, on exit, on entry, or after the change. */
export type Phase = "before" | "exit" | "entry" | "do";

/** An effect of a step, with its values. */
export interface Performed<E> {
  readonly phase: Phase;
  readonly effect: E;
  readonly message: string | null;
}

/** What made a machine take a step. */
export type On = { readonly event: string } | { readonly to: string } | { readonly done: string } | "automatic";

/** A step: what it left and entered, innermost first and outermost first. */
export interface Step<S> {
  /** The positions of its rows. */
  readonly rows: readonly number[];
  readonly on: On;
  /** The state before; `null` at creation. */
  readonly from: S | null;
  readonly to: S;
  readonly exited: readonly string[];
  readonly entered: readonly string[];
}

/** Why a call was refused. */
export type Reason = "no_transition" | "guard" | "text" | "unsettled" | "actor" | "division_by_zero" | "out_of_range" | "unknown_state";

/** A call that was refused; nothing changed. */
export interface Refused<S> {
  readonly machine: string;
  /** The state; `null` at creation. */
  readonly from: S | null;
  readonly event: string | null;
  /** The target of a direct transition. */
  readonly to: string | null;
  readonly reason: Reason;
  /** The refusal in words: the text in the spec, if it has one. */
  readonly message: string;
  /** The events that some row accepts here, guards aside. */
  readonly allowed: readonly string[];
  /** The position of the row that refuses. */
  readonly row: number | null;
}

/** A change. */
export interface Accepted<M, S, E> {
  readonly ok: true;
  readonly machine: M;
  readonly steps: readonly Step<S>[];
  readonly effects: readonly Performed<E>[];
  readonly commit: Commit;
}

/** A refusal. */
export interface Rejected<S> {
  readonly ok: false;
  readonly refused: Refused<S>;
}

/** The result of a call. */
export type Outcome<M, S, E> = Accepted<M, S, E> | Rejected<S>;

/** What guards read: the machine before the step. */
export interface At<C, P> {
  /** The active leaves; `null` at creation. */
  readonly leaves: readonly string[] | null;
  readonly context: C;
  readonly predicates: P;
}

/** No row is for this. */
export const NONE = -1;
/** There are rows, but no guard holds. */
export const GUARD = -2;
/** A guard divides by zero. */
export const DIVISION = -3;

/** What a row assigns that assigns nothing. */
export const NOTHING: Readonly<Record<never, never>> = {};

type Tagged = Values & { readonly type: string };

/** A machine as emitted: tables, and functions that decide. */
export interface Definition<E extends Tagged, C extends Values, P, F extends Tagged> {
  readonly graph: Graph;
  readonly rows: readonly RowParts[];
  readonly arms: readonly Arm[];
  /** The context of a new machine. */
  readonly defaults: C;
  readonly context: Fields;
  readonly events: ReadonlyMap<string, Fields>;
  readonly effects: ReadonlyMap<string, Fields>;
  /** The names of the predicates, and their methods. */
  readonly predicates: readonly (readonly [name: string, method: string])[];
  /** The arm that a leaf takes for an event, or one of `NONE`, `GUARD` and `DIVISION`. */
  readonly onEvent: (at: At<C, P>, leaf: string | null, event: E) => number;
  readonly onDirect: (at: At<C, P>, leaf: string, target: string) => number;
  readonly onAutomatic: (at: At<C, P>, leaf: string) => number;
  readonly onDone: (at: At<C, P>, leaf: string, whole: string) => number;
  /** What a row assigns; `null` if that divides by zero. */
  readonly assign: (row: number, at: At<C, P>, event: E) => Partial<C> | null;
  /** An effect with its values. */
  readonly effect: (name: string, context: C, event: E, from: string | null, to: string) => F;
  readonly message: (effect: F) => string | null;
  /** The durations of the timers, in the order of the spec, with their states. */
  readonly timers: readonly TimerNode<C>[];
}

/** A timer. */
export interface TimerNode<C> {
  readonly event: string;
  readonly states: readonly string[];
  readonly after: (context: C) => Num;
}

/** The cause of a step. */
type Cause<E> = { readonly event: E } | { readonly to: string } | { readonly done: string } | "automatic";

const MAX_STEPS = 64;
const MAX_WAITING = 64;
const COMMITS: readonly Commit[] = ["persist_first", "memory_first", "memory_only"];

/** A refusal on its way out of a call. */
class Refusal {
  readonly reason: Reason;
  readonly row: number | null;
  readonly field: string | null;

  constructor(reason: Reason, row: number | null = null, field: string | null = null) {
    this.reason = reason;
    this.row = row;
    this.field = field;
  }
}

interface Taken<C> {
  readonly arms: readonly Arm[];
  readonly leaves: readonly string[];
  readonly context: C;
  readonly exited: readonly Place[];
  readonly entered: readonly Place[];
}

/** One call of a machine. */
export interface Call<E, C, P> {
  /** The active leaves; `null` at creation. */
  readonly leaves: readonly string[] | null;
  readonly context: C;
  readonly predicates: P;
  readonly cause: { readonly event: E } | { readonly to: string };
}

/** What a call changes: the steps, and the machine after it. */
export interface Changed<C, F> {
  readonly steps: readonly Step<Json>[];
  readonly effects: readonly Performed<F>[];
  readonly leaves: readonly string[];
  readonly context: C;
  readonly commit: Commit;
}

/** Carries out a call: its changes, or the refusal. */
export function run<E extends Tagged, C extends Values, P, F extends Tagged>(
  of: Definition<E, C, P, F>,
  call: Call<E, C, P>,
): Changed<C, F> | Refused<Json> {
  const { graph } = of;
  const asked = "event" in call.cause ? call.cause.event.type : null;
  const settles = asked !== null && graph.events.some((it) => it.settles === true && it.name === asked);
  const steps: { taken: Taken<C>; cause: Cause<E>; from: readonly string[] | null }[] = [];
  const waiting: Cause<E>[] = [];
  let { leaves, context } = call;
  let commit: Commit = "memory_only";
  try {
    for (;;) {
      const at: At<C, P> = { leaves, context, predicates: call.predicates };
      let cause: Cause<E> = call.cause;
      let taken: Taken<C> | Refusal | null;
      if (steps.length === 0 || settles) {
        taken = step(of, at, cause);
        // The first outcome decides the call; later ones only end the settling.
        if (taken instanceof Refusal && steps.length > 0) break;
      } else {
        [taken, cause] = reaction(of, at, waiting);
        if (taken === null) break;
      }
      if (taken instanceof Refusal) return refused(of, call, taken);
      for (const { row } of taken.arms) {
        const mine = of.rows[row]?.commit ?? "persist_first";
        if (COMMITS.indexOf(mine) < COMMITS.indexOf(commit)) commit = mine;
      }
      const stays = taken.arms.every((it) => it.to?.length === 0);
      const repeats = settles && !stays && leaves !== null && sameLeaves(leaves, taken.leaves) && sameValues(context, taken.context);
      if (graph.reacts) {
        for (const { row } of taken.arms) {
          for (const name of of.rows[row]?.raise ?? []) waiting.push({ event: { type: name } as E });
        }
        for (const done of completed(graph, taken)) waiting.push({ done });
      }
      steps.push({ taken, cause, from: leaves });
      leaves = taken.leaves;
      context = taken.context;
      if (!graph.reacts && (stays || !settles)) break;
      const tooMany = settles
        ? steps.length > 1 && steps.length > graph.leaves.length
        : steps.length > MAX_STEPS || waiting.length > MAX_WAITING;
      if (repeats || tooMany) return refused(of, call, new Refusal("unsettled"));
    }
  } catch (error) {
    if (error instanceof OutOfRange) return refused(of, call, new Refusal("out_of_range", null, error.field));
    throw error;
  }
  const effects: Performed<F>[] = [];
  const shown: Step<Json>[] = steps.map(({ taken, cause, from }) => {
    const event = (typeof cause === "object" && "event" in cause ? cause.event : { type: "" }) as E;
    const perform = (phase: Phase, names: readonly string[] | undefined): void => {
      for (const name of names ?? []) {
        const effect = of.effect(name, context, event, from?.[0] ?? null, taken.leaves[0] as string);
        effects.push({ phase, effect, message: of.message(effect) });
      }
    };
    for (const { row } of taken.arms) perform("before", of.rows[row]?.before);
    for (const it of taken.exited) perform("exit", it.exit);
    for (const it of taken.entered) perform("entry", it.entry);
    for (const { row } of taken.arms) perform("do", of.rows[row]?.effects);
    return {
      rows: taken.arms.map((it) => it.row),
      on: typeof cause === "object" && "event" in cause ? { event: cause.event.type } : cause,
      from: from === null ? null : stateOf(graph, from),
      to: stateOf(graph, taken.leaves),
      exited: taken.exited.map((it) => it.name),
      entered: taken.entered.map((it) => it.name),
    };
  });
  return { steps: shown, effects, leaves: leaves as readonly string[], context, commit };
}

/** The step that follows a step: an automatic one, else the first that a waiting cause takes. */
function reaction<E extends Tagged, C extends Values, P, F extends Tagged>(
  of: Definition<E, C, P, F>,
  at: At<C, P>,
  waiting: Cause<E>[],
): [Taken<C> | Refusal | null, Cause<E>] {
  let cause: Cause<E> | undefined = "automatic";
  while (cause !== undefined) {
    const taken: Taken<C> | Refusal = step(of, at, cause);
    // What no row takes is dropped.
    if (!(taken instanceof Refusal) || (taken.reason !== "no_transition" && taken.reason !== "guard")) return [taken, cause];
    cause = waiting.shift();
  }
  return [null, "automatic"];
}

function step<E extends Tagged, C extends Values, P, F extends Tagged>(
  of: Definition<E, C, P, F>,
  at: At<C, P>,
  cause: Cause<E>,
): Taken<C> | Refusal {
  const chosen = choose(of, at, cause);
  return chosen instanceof Refusal ? chosen : take(of, at, chosen, cause);
}

/** The arms that are taken at once. */
function choose<E extends Tagged, C extends Values, P, F extends Tagged>(
  of: Definition<E, C, P, F>,
  at: At<C, P>,
  cause: Cause<E>,
): readonly Arm[] | Refusal {
  const { graph } = of;
  const { leaves } = at;
  if (typeof cause === "object" && "done" in cause && !isDone(graph, leaves ?? [], place(graph, cause.done))) {
    return new Refusal("no_transition");
  }
  const armOf = (leaf: string | null): number => {
    if (cause === "automatic") return leaf === null ? NONE : of.onAutomatic(at, leaf);
    if ("event" in cause) return of.onEvent(at, leaf, cause.event);
    if (leaf === null) return NONE;
    return "to" in cause ? of.onDirect(at, leaf, cause.to) : of.onDone(at, leaf, cause.done);
  };
  let reason: Reason = "no_transition";
  const chosen: Arm[] = [];
  const refusing: Arm[] = [];
  for (const leaf of leaves ?? [null]) {
    const found = armOf(leaf);
    if (found === GUARD) reason = "guard";
    if (found === DIVISION) return new Refusal("division_by_zero");
    const arm = of.arms[found];
    if (arm === undefined) continue;
    if (arm.to === null) refusing.push(arm);
    else if (!chosen.some((it) => it.row === arm.row && it.source === arm.source)) chosen.push(arm);
  }
  const refuses = refusing.find((it) => !chosen.some((inner) => isInside(graph, inner.source, it.source)));
  if (refuses !== undefined) return new Refusal("text", refuses.row);
  if (chosen.length === 0) return new Refusal(reason);
  if (chosen.length === 1) return chosen;
  let kept: { readonly arm: Arm; readonly left: readonly Place[] }[] = [];
  const active = activeOf(graph, leaves ?? []);
  for (const arm of chosen) {
    const left = leftBy(of, at, arm, targetsOf(of, at, arm, cause), active);
    const inConflict = (it: { readonly left: readonly Place[] }): boolean => left.some((state) => it.left.includes(state));
    if (kept.some((it) => inConflict(it) && !isInside(graph, arm.source, it.arm.source))) continue;
    kept = [...kept.filter((it) => !inConflict(it)), { arm, left }];
  }
  return kept.map((it) => it.arm);
}

/** Whether a source lies inside another one; none is the whole machine. */
function isInside(graph: Graph, inner: string | undefined, outer: string | undefined): boolean {
  return inner !== undefined && (outer === undefined || (inner !== outer && isIn(graph, inner, outer)));
}

function take<E extends Tagged, C extends Values, P, F extends Tagged>(
  of: Definition<E, C, P, F>,
  at: At<C, P>,
  arms: readonly Arm[],
  cause: Cause<E>,
): Taken<C> | Refusal {
  const { graph } = of;
  const event = (typeof cause === "object" && "event" in cause ? cause.event : { type: "" }) as E;
  let set: Partial<C> = NOTHING;
  for (const { row } of arms) {
    const assigned = of.assign(row, at, event);
    if (assigned === null) return new Refusal("division_by_zero");
    if (assigned !== NOTHING) set = set === NOTHING ? assigned : { ...set, ...assigned };
  }
  const before = at.leaves ?? [];
  const [arm] = arms;
  if (!graph.hasRegions && arm !== undefined) return takePlain(of, at, arm, cause, set);
  const was = activeOf(graph, before);
  const left: Place[] = [];
  const to: Place[] = [];
  for (const it of arms) {
    const targets = targetsOf(of, at, it, cause);
    to.push(...targets);
    for (const state of leftBy(of, at, it, targets, was)) if (!left.includes(state)) left.push(state);
  }
  if (to.length === 0) return { arms, leaves: before, context: contextAfter(at, set, left), exited: [], entered: [] };
  const active = was.filter((it) => !left.includes(it));
  const entered: Place[] = [];
  const enter = (leaf: Place): void => {
    for (const it of leaf.around) {
      if (active.includes(it)) break;
      active.push(it);
      entered.push(it);
    }
  };
  to.forEach(enter);
  // States come before those inside them, so that one pass is enough.
  for (const it of graph.regions) {
    const outer = it.around[1];
    if ((outer === undefined || active.includes(outer)) && !active.includes(it)) startsOf(graph, it).forEach(enter);
  }
  const byOrder = (a: Place, b: Place): number => a.order - b.order;
  left.sort((a, b) => b.order - a.order);
  const context = contextAfter(at, set, left);
  const leaves = active.filter((it) => it.children.length === 0).sort(byOrder);
  return { arms, leaves: leaves.map((it) => it.name), context, exited: left, entered: entered.sort(byOrder) };
}

/** The context after a step: what its rows assign, and what histories remember of the states that it leaves. */
function contextAfter<C extends Values, P>(at: At<C, P>, set: Partial<C>, left: readonly Place[]): C {
  let context: C = set === NOTHING ? at.context : { ...at.context, ...set };
  for (const it of left) {
    for (const [field, leaves] of it.memories ?? []) {
      if (Object.hasOwn(set, field)) continue;
      const leaf = (at.leaves ?? []).find((it) => leaves.has(it)) as string;
      context = { ...context, ...Object.fromEntries([[field, leaves.get(leaf)]]) };
    }
  }
  return context;
}

/** A step of a machine without regions, which is in one leaf. */
function takePlain<E extends Tagged, C extends Values, P, F extends Tagged>(
  of: Definition<E, C, P, F>,
  at: At<C, P>,
  arm: Arm,
  cause: Cause<E>,
  set: Partial<C>,
): Taken<C> {
  const { graph } = of;
  const [to] = targetsOf(of, at, arm, cause);
  const from = at.leaves?.[0] === undefined ? null : place(graph, at.leaves[0]);
  const arms = [arm];
  if (to === undefined) return { arms, leaves: at.leaves ?? [], context: contextAfter(at, set, []), exited: [], entered: [] };
  if (from === null) return { arms, leaves: [to.name], context: contextAfter(at, set, []), exited: [], entered: [...to.around].reverse() };
  const reenters = of.rows[arm.row]?.reenters;
  const source = arm.source === undefined ? null : place(graph, arm.source);
  // What is inside of it is left; without one, everything.
  const domain =
    reenters === undefined
      ? to.around.find((it, idx) => idx > 0 && from.within.has(it.name) && (source === null || source.within.has(it.name) || it.within.has(source.name)))
      : place(graph, reenters).around.find((it, idx) => idx > 0 && to.within.has(it.name));
  const until = (around: readonly Place[]): readonly Place[] => (domain === undefined ? around : around.slice(0, around.indexOf(domain)));
  const exited = until(from.around);
  return { arms, leaves: [to.name], context: contextAfter(at, set, exited), exited, entered: [...until(to.around)].reverse() };
}

/** The leaves to which an arm leads. */
function targetsOf<E extends Tagged, C extends Values, P, F extends Tagged>(
  of: Definition<E, C, P, F>,
  at: At<C, P>,
  arm: Arm,
  cause: Cause<E>,
): readonly Place[] {
  const { graph } = of;
  return (arm.to ?? []).map((it) => {
    if ("leaf" in it) return place(graph, it.leaf);
    if ("payload" in it) {
      const event = (typeof cause === "object" && "event" in cause ? cause.event : {}) as Values;
      return place(graph, own(event, it.payload) as string);
    }
    const remembered = own(at.context, it.history);
    return place(graph, typeof remembered === "string" && isIn(graph, remembered, it.whole) ? remembered : it.start);
  });
}

/** The active states, each once. Few are active at a time, so that a list is faster than a set. */
function activeOf(graph: Graph, leaves: readonly string[]): Place[] {
  const active: Place[] = [];
  for (const leaf of leaves) {
    for (const it of place(graph, leaf).around) {
      // What is around an active state is active.
      if (active.includes(it)) break;
      active.push(it);
    }
  }
  return active;
}

/** The active states that an arm leaves; `active` has all of them. */
function leftBy<E extends Tagged, C extends Values, P, F extends Tagged>(
  of: Definition<E, C, P, F>,
  at: At<C, P>,
  arm: Arm,
  targets: readonly Place[],
  active: readonly Place[],
): readonly Place[] {
  const { graph } = of;
  if (at.leaves === null || targets.length === 0) return [];
  const reenters = of.rows[arm.row]?.reenters;
  let domains: readonly (Place | undefined)[];
  if (reenters === undefined) {
    const source = arm.source === undefined ? null : place(graph, arm.source);
    const isRelated = (it: Place): boolean => source === null || source.within.has(it.name) || it.within.has(source.name);
    domains = targets.map((to) => to.around.find((it, idx) => idx > 0 && it.parallel !== true && isRelated(it) && active.includes(it)));
  } else {
    const containsAll = (it: Place): boolean => targets.every((to) => to.within.has(it.name));
    domains = [place(graph, reenters).around.find((it, idx) => idx > 0 && it.parallel !== true && containsAll(it))];
  }
  return active.filter((it) => domains.some((domain) => domain === undefined || (it !== domain && it.within.has(domain.name))));
}

/** Whether a composite is in a terminal child, or each of its regions is. */
function isDone(graph: Graph, leaves: readonly string[], whole: Place): boolean {
  const ended = (it: Place): boolean => leaves.some((leaf) => place(graph, leaf).terminal === true && place(graph, leaf).parent === it.name);
  return whole.parallel === true ? whole.children.every(ended) : ended(whole);
}

/** The composites that are done once some states are entered, in the order in which they are. */
function completed<C>(graph: Graph, taken: Taken<C>): string[] {
  return taken.entered.flatMap((it, idx) => {
    const done = it.completes === undefined ? [] : [it.completes];
    const whole = it.mayComplete;
    if (whole === undefined || !isDone(graph, taken.leaves, place(graph, whole))) return done;
    // The last of its regions to get there completes a parallel state.
    return taken.entered.slice(idx + 1).some((later) => later.mayComplete === whole) ? done : [...done, whole];
  });
}

function sameLeaves(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((it, idx) => it === b[idx]);
}

function sameValues(a: Values, b: Values): boolean {
  return a === b || Object.keys(a).every((it) => eq(own(a, it), own(b, it)));
}

/** The events that a refusal lists as allowed. */
export function allowed(graph: Graph, leaves: readonly string[] | null): readonly string[] {
  if (leaves === null) return graph.created;
  const here = new Set(leaves.flatMap((it) => place(graph, it).accepts ?? []));
  return graph.events.filter((it) => here.has(it.name) && it.timer !== true).map((it) => it.name);
}

/** Whether an actor may raise an event. */
export function mayRaise(graph: Graph, event: string, actor: string): boolean {
  const found = graph.events.find((it) => it.name === event);
  return found !== undefined && found.timer !== true && (found.by === undefined || found.by.includes(actor));
}

/** Refuses an actor that may not raise an event. */
export function refuseActor(graph: Graph, leaves: readonly string[] | null, event: string, actor: string): Refused<Json> {
  const by = graph.events.find((it) => it.name === event)?.by ?? [];
  const at = leaves === null ? "at creation" : `in \`${pathOf(graph, leaves)}\``;
  return {
    machine: graph.name,
    from: leaves === null ? null : stateOf(graph, leaves),
    event,
    to: null,
    reason: "actor",
    message: `\`${event}\` is refused ${at}: only ${listed(by, "or")} may raise it`,
    allowed: allowed(graph, leaves).filter((it) => mayRaise(graph, it, actor)),
    row: null,
  };
}

function pathOf(graph: Graph, leaves: readonly string[]): string {
  return leaves.map((it) => place(graph, it).path).join("+");
}

function refused<E extends Tagged, C extends Values, P, F extends Tagged>(
  of: Definition<E, C, P, F>,
  call: Call<E, C, P>,
  refusal: Refusal,
): Refused<Json> {
  const { graph } = of;
  const { leaves } = call;
  const here = allowed(graph, leaves);
  const text = refusal.row === null ? undefined : of.rows[refusal.row]?.refuses;
  return {
    machine: graph.name,
    from: leaves === null ? null : stateOf(graph, leaves),
    event: "event" in call.cause ? call.cause.event.type : null,
    to: "to" in call.cause ? call.cause.to : null,
    reason: refusal.reason,
    message: text ?? ("to" in call.cause ? wayText(graph, leaves, call.cause.to, refusal) : eventText(graph, leaves, call.cause.event.type, refusal, here)),
    allowed: here,
    row: refusal.row,
  };
}

function rangeText(refusal: Refusal): string {
  return refusal.field === null ? "a value is out of range" : `\`${refusal.field}\` is out of range`;
}

function eventText(graph: Graph, leaves: readonly string[] | null, event: string, refusal: Refusal, here: readonly string[]): string {
  const start = leaves === null ? `\`${event}\` is refused at creation: ` : `\`${event}\` is refused in \`${pathOf(graph, leaves)}\`: `;
  switch (refusal.reason) {
    case "guard":
      return `${start}no guard holds`;
    case "unsettled":
      return `${start}it does not settle`;
    case "division_by_zero":
      return `${start}it divides by zero`;
    case "out_of_range":
      return start + rangeText(refusal);
    default:
      if (here.length === 0) return `${start}nothing is allowed here`;
      return `${start}allowed here ${here.length === 1 ? "is" : "are"} ${listed(here, "and")}`;
  }
}

function wayText(graph: Graph, leaves: readonly string[] | null, target: string, refusal: Refusal): string {
  if (leaves === null) return `\`${place(graph, target).path}\` is refused at creation: a machine is created by an event`;
  const to = requested(graph, target);
  const start = `\`${pathOf(graph, leaves)}\` does not go to \`${to.path}\`: `;
  const successors = new Set(leaves.flatMap((it) => place(graph, it).leads ?? []));
  switch (refusal.reason) {
    case "guard":
      return `${start}no guard holds`;
    case "unsettled":
      return `${start}it does not settle`;
    case "division_by_zero":
      return `${start}that divides by zero`;
    case "out_of_range":
      return start + rangeText(refusal);
    default: {
      if (successors.size === 0) return `${start}there is no way out`;
      if (startsOf(graph, to).every((it) => successors.has(it.name))) return `${start}that takes an event`;
      const names = graph.leaves.filter((it) => successors.has(it)).map((it) => place(graph, it).path);
      return `${start}from here it goes to ${listed(names, "or")}`;
    }
  }
}

/** The leaf or parallel state that a direct transition to a state leads to. */
export function targetOf(graph: Graph, target: string): string {
  return requested(graph, target).name;
}
