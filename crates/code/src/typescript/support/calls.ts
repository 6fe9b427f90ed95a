/** A state that a newer version of the spec has, as it was read. */
export interface UnknownState {
  readonly unknown: Json;
}

function isUnknown(state: unknown): state is UnknownState {
  return typeof state === "object" && state !== null && Object.hasOwn(state, "unknown");
}

/** A machine: its state, and its context if it has one. */
export type Stored = { readonly state: unknown; readonly context?: Values };

function activeIn(graph: Graph, state: unknown): readonly string[] {
  if (typeof state === "string" && !graph.hasRegions && graph.places.get(state)?.children.length === 0) return [state];
  return leavesOf(graph, state);
}

function contextOf<C extends Values>(machine: Stored): C {
  return (machine.context ?? {}) as C;
}

/** The machine in these leaves. */
export function made<M, C extends Values>(graph: Graph, leaves: readonly string[], context: C, hasContext: boolean): M {
  const state = stateOf(graph, leaves);
  // The next call need not look for them.
  if (typeof state === "object" && state !== null) graph.leavesOf.set(state, leaves);
  return (hasContext ? { state, context } : { state }) as M;
}

/** A call of a machine, or its creation from a context. */
export function call<M extends Stored, S, E extends Tagged, C extends Values, P, F extends Tagged>(
  of: Definition<E, C, P, F>,
  machine: M | null,
  cause: { readonly event: E } | { readonly to: string },
  predicates: P,
  given: Partial<C> = {},
): Outcome<M, S, F> {
  const { graph } = of;
  if (machine !== null && isUnknown(machine.state)) return { ok: false, refused: unknownState<S>(graph, machine.state, cause) };
  const leaves = machine === null ? null : activeIn(graph, machine.state);
  const context: C = machine === null ? { ...of.defaults, ...given } : contextOf<C>(machine);
  const target = "to" in cause ? { to: targetOf(graph, cause.to) } : cause;
  const result = run(of, { leaves, context, predicates, cause: target });
  if ("reason" in result) return { ok: false, refused: result as Refused<S> };
  const next = made<M, C>(graph, result.leaves, result.context, of.context.length > 0);
  return { ok: true, machine: next, steps: result.steps as readonly Step<S>[], effects: result.effects, commit: result.commit };
}

function unknownState<S>(graph: Graph, state: UnknownState, cause: { readonly event: Tagged } | { readonly to: string }): Refused<S> {
  return {
    machine: graph.name,
    from: state as S,
    event: "event" in cause ? cause.event.type : null,
    to: "to" in cause ? cause.to : null,
    reason: "unknown_state",
    message: `\`${typeof state.unknown === "string" ? state.unknown : printJson(state.unknown)}\` is no state that this program knows`,
    allowed: [],
    row: null,
  };
}

/** The refusal of an actor that may not raise an event; `null` if it may. */
export function permit<M extends Stored, S, E extends Tagged, C extends Values, P, F extends Tagged>(
  of: Definition<E, C, P, F>,
  machine: M | null,
  event: string,
  actor: string,
): Rejected<S> | null {
  if (mayRaise(of.graph, event, actor)) return null;
  const leaves = machine === null || isUnknown(machine.state) ? null : activeIn(of.graph, machine.state);
  return { ok: false, refused: refuseActor(of.graph, leaves, event, actor) as Refused<S> };
}

/** The active leaves of a machine; none in a state that this program does not know. */
export function leaves<E extends Tagged, C extends Values, P, F extends Tagged>(of: Definition<E, C, P, F>, state: unknown): readonly string[] {
  return isUnknown(state) ? [] : activeIn(of.graph, state);
}

/** Reads a machine from parsed JSON. */
export function readMachine<M, E extends Tagged, C extends Values, P, F extends Tagged>(
  of: Definition<E, C, P, F>,
  value: unknown,
  open: boolean,
): M {
  const object = objectOf(value, of.graph.name);
  const stored = own(object, "state");
  let state: Json | UnknownState;
  try {
    state = stateOf(of.graph, leavesOf(of.graph, stored));
  } catch (error) {
    if (!open || !(error instanceof DecodeError) || stored === undefined) throw error;
    state = { unknown: stored as Json };
  }
  if (of.context.length === 0) return { state } as M;
  return { state, context: readFields(of.context, own(object, "context"), "context") } as M;
}

/** Writes a machine as JSON. */
export function writeMachine<E extends Tagged, C extends Values, P, F extends Tagged>(of: Definition<E, C, P, F>, machine: Stored): Json {
  const state = isUnknown(machine.state) ? machine.state.unknown : (machine.state as Json);
  return of.context.length === 0 ? { state } : { state, context: writeFields(of.context, contextOf(machine)) };
}

/** Reads an event. */
export function readEvent<E extends Tagged, C extends Values, P, F extends Tagged>(of: Definition<E, C, P, F>, value: unknown): E {
  return readTagged("event", of.events, value, "event") as E;
}

/** Reads an event that something outside raises: no timer. */
export function readInput<E extends Tagged, C extends Values, P, F extends Tagged>(of: Definition<E, C, P, F>, value: unknown): E {
  const timers = new Set(of.timers.map((it) => it.event));
  const known = new Map([...of.events].filter(([name]) => !timers.has(name)));
  return readTagged("event", known, value, "event") as E;
}

/** Writes an event. */
export function writeEvent<E extends Tagged, C extends Values, P, F extends Tagged>(of: Definition<E, C, P, F>, event: E): Json {
  return writeTagged(of.events, event);
}

/** Reads an effect. */
export function readEffect<E extends Tagged, C extends Values, P, F extends Tagged>(of: Definition<E, C, P, F>, value: unknown): F {
  return readTagged("effect", of.effects, value, "effect") as F;
}

/** Writes an effect. */
export function writeEffect<E extends Tagged, C extends Values, P, F extends Tagged>(of: Definition<E, C, P, F>, effect: F): Json {
  return writeTagged(of.effects, effect);
}

/** The running timers of a machine with the moments at which they are due. */
export function dueOf<E extends Tagged, C extends Values, P, F extends Tagged>(
  of: Definition<E, C, P, F>,
  started: Timers,
  machine: Stored,
): readonly Due[] {
  return dueTimers(of.graph, of.timers, started, leaves(of, machine.state), contextOf<C>(machine));
}

/** A timer that has elapsed, what came of it, and the timers after it. */
export interface Elapsed<R> {
  readonly timer: string;
  readonly due: Int;
  readonly result: R;
  readonly timers: Timers;
}

/** Lets the timer elapse that is due first, if one is due; a timer that is refused is over. */
export function elapse<M extends Stored, S, E extends Tagged, C extends Values, P, F extends Tagged>(
  of: Definition<E, C, P, F>,
  started: Timers,
  machine: M,
  now: Int,
  predicates: P,
): Elapsed<Outcome<M, S, F>> | null {
  const first = nextDue(dueOf(of, started, machine));
  if (first === null || first.at > now) return null;
  const result = call<M, S, E, C, P, F>(of, machine, { event: { type: first.timer } as E }, predicates);
  const timers = result.ok ? observeTimers(of.timers, started, result.steps, now) : endTimer(started, first.timer);
  return { timer: first.timer, due: first.at, result, timers };
}
