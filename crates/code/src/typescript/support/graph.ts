/** A state of a graph. States are named as they are stored. */
export interface Node {
  readonly name: string;
  /** The name in refusals. */
  readonly path: string;
  readonly parent?: string;
  /** Whether the states directly inside are regions, which are active together. */
  readonly parallel?: true;
  readonly terminal?: true;
  /** The state directly inside that is entered with this one. */
  readonly initial?: string;
  readonly entry?: readonly string[];
  readonly exit?: readonly string[];
  /** What the context remembers when the state is left: a field, and for each leaf the leaf that is remembered. */
  readonly memories?: readonly (readonly [field: string, leaves: ReadonlyMap<string, string>])[];
  /** The composite that is done when the state is entered. */
  readonly completes?: string;
  /** The parallel state that is done when the state is entered and its other regions are done. */
  readonly mayComplete?: string;
  /** The events that some row accepts, guards aside. */
  readonly accepts?: readonly string[];
  /** The leaves that steps lead to. */
  readonly leads?: readonly string[];
}

/** An event of a graph. */
export interface EventNode {
  readonly name: string;
  /** The actors that may raise it; any if there is none. */
  readonly by?: readonly string[];
  readonly settles?: true;
  readonly timer?: true;
}

/** What a graph consists of. */
export interface GraphParts {
  readonly name: string;
  /** Whether the outermost states are regions. */
  readonly parallel: boolean;
  readonly initial: readonly string[];
  readonly states: readonly Node[];
  readonly events: readonly EventNode[];
  readonly created: readonly string[];
  readonly reacts: boolean;
}

/** A state with what follows from its place. */
interface Place extends Node {
  /** The position among all states, each composite before those inside it. */
  readonly order: number;
  readonly children: readonly Place[];
  /** The state and those around it, innermost first. */
  readonly around: readonly Place[];
  /** The same by name. */
  readonly within: ReadonlySet<string>;
}

/** A graph: its parts, and what follows from them. */
export interface Graph extends GraphParts {
  readonly places: ReadonlyMap<string, Place>;
  readonly leaves: readonly string[];
  readonly hasRegions: boolean;
  /** The outermost states. */
  readonly top: readonly Place[];
  /** The states of which each is active whenever the one around it is. */
  readonly regions: readonly Place[];
  /** States of machines with regions, by their texts, and the leaves of each. */
  readonly known: Map<string, Json>;
  readonly leavesOf: WeakMap<object, readonly string[]>;
}

/** The graph of its parts. */
export function graph(parts: GraphParts): Graph {
  type Building = { -readonly [key in keyof Place]: Place[key] } & { children: Building[] };
  const places = new Map<string, Building>();
  parts.states.forEach((node, order) => {
    const outer = node.parent === undefined ? undefined : places.get(node.parent);
    const place: Building = { ...node, order, children: [], around: [], within: new Set() };
    place.around = [place, ...(outer?.around ?? [])];
    place.within = new Set(place.around.map((it) => it.name));
    outer?.children.push(place);
    places.set(node.name, place);
  });
  const all = [...places.values()];
  const leaves = all.filter((it) => it.children.length === 0).map((it) => it.name);
  const hasRegions = parts.parallel || parts.states.some((it) => it.parallel === true);
  const top = all.filter((it) => it.parent === undefined);
  const regions = all.filter((it) => (it.around[1] === undefined ? parts.parallel : it.around[1].parallel === true));
  return { ...parts, places, leaves, hasRegions, top, regions, known: new Map(), leavesOf: new WeakMap() };
}

function place(graph: Graph, name: string): Place {
  const found = graph.places.get(name);
  if (found === undefined) throw new DecodeError(`\`${name}\` is no state of \`${graph.name}\``);
  return found;
}

/** Whether a state is another one or lies inside it. */
export function isIn(graph: Graph, state: string, whole: string): boolean {
  return place(graph, state).within.has(whole);
}

/** Whether a state is active: one of the leaves, or around one. */
export function isActive(graph: Graph, leaves: readonly string[] | null, state: string): boolean {
  return leaves !== null && leaves.some((it) => place(graph, it).within.has(state));
}

/** The leaves in which a machine is that enters a state. */
function startsOf(graph: Graph, whole: Place): Place[] {
  let at = whole;
  while (at.initial !== undefined) at = place(graph, at.initial);
  return at.parallel === true ? at.children.flatMap((it) => startsOf(graph, it)) : [at];
}

/** The leaf or parallel state that a request for a state means. */
function requested(graph: Graph, target: string): Place {
  let at = place(graph, target);
  while (at.initial !== undefined) at = place(graph, at.initial);
  return at;
}

function inside(graph: Graph, whole: Place | null): readonly Place[] {
  return whole === null ? graph.top : whole.children;
}

/** The state of a machine in which these leaves are active: the name of the leaf, or an object with a member for each region. */
export function stateOf(graph: Graph, leaves: readonly string[]): Json {
  if (!graph.hasRegions) return leaves[0] as string;
  const text = textOf(leaves);
  const known = graph.known.get(text);
  if (known !== undefined) return known;
  const active = new Set(leaves.flatMap((it) => [...place(graph, it).within]));
  const shape = (whole: Place | null): Json => {
    const isParallel = whole === null ? graph.parallel : whole.parallel === true;
    if (isParallel) return Object.fromEntries(inside(graph, whole).map((it) => [it.name, shape(it)]));
    const next = inside(graph, whole).find((it) => active.has(it.name)) as Place;
    if (next.children.length === 0) return next.name;
    return next.parallel === true ? Object.fromEntries([[next.name, shape(next)]]) : shape(next);
  };
  const state = shape(null);
  // Machines with very many states do not keep all of them.
  if (graph.known.size >= 10_000) graph.known.clear();
  graph.known.set(text, state);
  return state;
}

/** The active leaves of a state, in the order of the spec. Throws a `DecodeError` for a value that is no state. */
export function leavesOf(graph: Graph, state: unknown): readonly string[] {
  if (!graph.hasRegions) return [parseName("state", graph.leaves, false, state, "state")];
  const seen = typeof state === "object" && state !== null ? graph.leavesOf.get(state) : undefined;
  if (seen !== undefined) return seen;
  const leaves: string[] = [];
  const ends = (whole: Place | null): Place[] =>
    inside(graph, whole).flatMap((it) => (it.children.length === 0 || it.parallel === true ? [it] : ends(it)));
  const visit = (whole: Place | null, value: unknown, path: string): void => {
    const isParallel = whole === null ? graph.parallel : whole.parallel === true;
    if (isParallel) {
      const object = objectOf(value, path);
      for (const region of inside(graph, whole)) visit(region, own(object, region.name), `${path}.${region.name}`);
      return;
    }
    const known = ends(whole);
    const kind = (it: Place): boolean => it.children.length === 0;
    if (typeof value === "string") {
      leaves.push(parseName("state", known.filter(kind).map((it) => it.name), false, value, path));
      return;
    }
    const object = objectOf(value, path);
    const [name, ...more] = Object.keys(object);
    if (name === undefined || more.length > 0) wrong(value, path, "one state");
    const found = known.find((it) => it.name === name && !kind(it));
    if (found === undefined) parseName("state", known.filter((it) => !kind(it)).map((it) => it.name), false, name, path);
    visit(found as Place, object[name as string], `${path}.${name}`);
  };
  visit(null, state, "state");
  return leaves;
}

/** The names of leaves with `+` between them, as they are stored and shown as a text. */
export function textOf(leaves: readonly string[]): string {
  return leaves.join("+");
}

/** The active leaves of a text. Throws a `DecodeError`. */
export function leavesOfText(graph: Graph, text: string): readonly string[] {
  const leaves = graph.hasRegions ? text.split("+") : [text];
  for (const it of leaves) parseName("state", graph.leaves, false, it, "state");
  const order = leaves.map((it) => place(graph, it).order);
  if (order.some((it, idx) => idx > 0 && it <= (order[idx - 1] as number))) {
    throw new DecodeError(`\`${text}\` is no state: the leaves are in another order, or one is there twice`);
  }
  const complete = leavesOf(graph, stateOf(graph, leaves));
  if (complete.length !== leaves.length) throw new DecodeError(`\`${text}\` is no state: these leaves are not active together`);
  return leaves;
}
