/** The running timers of a machine, with the moments at which they started, in microseconds. Store them with the machine. */
export type Timers = { readonly [timer: string]: Int };

/** A running timer and the moment at which it is due. */
export interface Due {
  readonly timer: string;
  readonly at: Int;
}

/** The timers that start when a machine is in these leaves from now on, however it came there. */
export function startTimers<C>(graph: Graph, timers: readonly TimerNode<C>[], leaves: readonly string[], now: Int): Timers {
  const running = timers.filter((timer) => timer.states.some((it) => isActive(graph, leaves, it)));
  return Object.fromEntries(running.map((it) => [it.event, now]));
}

/** The timers after some steps, which end and start them. */
export function observeTimers<C>(timers: readonly TimerNode<C>[], started: Timers, steps: readonly Step<unknown>[], now: Int): Timers {
  const next = new Map(Object.entries(started));
  for (const step of steps) {
    for (const { event, states } of timers) {
      const elapsed = typeof step.on === "object" && "event" in step.on && step.on.event === event;
      if (elapsed || step.exited.some((it) => states.includes(it))) next.delete(event);
      if (step.entered.some((it) => states.includes(it))) next.set(event, now);
    }
  }
  return Object.fromEntries(next);
}

/** The timers without one that has elapsed and was refused. */
export function endTimer(started: Timers, timer: string): Timers {
  return Object.fromEntries(Object.entries(started).filter(([it]) => it !== timer));
}

/** The running timers with the moments at which they are due, in the order of the spec. */
export function dueTimers<C>(
  graph: Graph,
  timers: readonly TimerNode<C>[],
  started: Timers,
  leaves: readonly string[],
  context: C,
): readonly Due[] {
  return timers.flatMap((timer) => {
    const start = own(started, timer.event) as Int | undefined;
    if (start === undefined || !timer.states.some((it) => isActive(graph, leaves, it))) return [];
    return [{ timer: timer.event, at: latest(add(start, timer.after(context))) }];
  });
}

/** A moment beyond the range of `Int` is the last moment of it. */
function latest(moment: Num): Int {
  try {
    return int(moment, "due");
  } catch {
    return int(moment < 0 ? Number.MIN_SAFE_INTEGER : Number.MAX_SAFE_INTEGER, "due");
  }
}

/** The timer that is due first; the first in the spec of several. */
export function nextDue(due: readonly Due[]): Due | null {
  return due.reduce<Due | null>((first, it) => (first === null || it.at < first.at ? it : first), null);
}

/** Reads stored timers; one that the machine no longer has is ignored. */
export function readTimers<C>(timers: readonly TimerNode<C>[], value: unknown): Timers {
  const object = objectOf(value, "timers");
  const known = timers.filter((it) => Object.hasOwn(object, it.event));
  return Object.fromEntries(known.map((it) => [it.event, INT.read(object[it.event], `timers.${it.event}`) as Int]));
}

/** Writes timers to be stored. */
export function writeTimers(started: Timers): Json {
  return Object.fromEntries(Object.entries(started).map(([timer, moment]) => [timer, INT.write(moment)]));
}
