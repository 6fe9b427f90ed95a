// Reads every Mermaid block of the given pages with the real parser and compares the states and
// relations that it reads with the models that the generator wrote as JSON.
//
//     npm ci && node check.mjs [--all] [--cover] <model.json>... <page.md>...
//
// A state diagram on a generated page, or in a generated region, must say what some model says;
// with --all every state diagram must. With --cover every machine must have a diagram somewhere.
// Other diagrams must be free of errors, no more.
//
// The comparison goes by the leaf-level edges of the model. An arrow from or to a composite stands
// for arrows from all states inside, or to its default child; `[*]` stands for creation and for ends.
//
// With --lines, each line of the input is the JSON of the arguments of one check, and each line of the output the JSON of its
// problems: to load the parser takes longer than to read a hundred diagrams.

import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { JSDOM } from 'jsdom';

// The id of the composite around the regions of a machine; no state has it.
const MACHINE = 'machine';

const { window } = new JSDOM('<!doctype html><body></body>', { pretendToBeVisual: true });
globalThis.window = window;
globalThis.document = window.document;
const { default: mermaid } = await import('mermaid');
mermaid.initialize({ startOnLoad: false });

/** The fenced blocks of a page: text, line, the region around it, whether the page is generated. */
function blocks(page) {
  const text = readFileSync(page, 'utf8').replaceAll('\r\n', '\n');
  const generated = text.startsWith('<!-- @generated');
  const found = [];
  let region = null;
  let open = null;
  let listed = null;
  text.split('\n').forEach((line, idx) => {
    const marker = line.match(/^<!-- statespec:(begin|end) (\S+).* -->$/);
    if (open) {
      if (line.trimEnd() === open.fence) {
        if (open.mermaid) found.push({ ...open, text: open.lines.join('\n') + '\n', loops: [] });
        listed = open.mermaid ? found.at(-1) : null;
        open = null;
      } else {
        open.lines.push(line);
      }
    } else if (listed && line === '') {
      // An empty line stands between a diagram and the arrows that it leaves out.
    } else if (listed && line.startsWith('Transitions back to the same state: ')) {
      listed.loops.push(...[...line.matchAll(/(`+) ?(.*?) ?\1/g)].map((it) => it[2]));
      listed = null;
    } else if (marker) {
      listed = null;
      region = marker[1] === 'begin' ? marker[2] : null;
    } else {
      listed = null;
      const fence = line.match(/^(```+|~~~+)\s*(\S*)/);
      if (fence) open = { fence: fence[1], mermaid: fence[2] === 'mermaid', line: idx + 1, region, generated, page, lines: [] };
    }
  });
  return found;
}

/** What Mermaid makes of `#59;` until it draws. */
function decode(text) {
  return text.replace(/ﬂ°°(\d+)¶ß/g, (_, code) => String.fromCodePoint(Number(code))).replace(/ﬂ°(\w+)¶ß/g, '&$1;');
}

/** The states and relations as the parser read them, each with the composite around it. */
function read(db) {
  const states = new Map();
  const relations = [];
  const walk = (statements, scope) => {
    for (const it of statements) {
      if (it.stmt === 'relation') {
        for (const end of [it.state1, it.state2]) {
          if (!isDot(end)) note(end.id, scope, '');
        }
        relations.push({ from: it.state1, to: it.state2, scope, label: decode(it.description ?? '') });
      } else if (it.stmt === 'state' && it.type === 'divider') {
        // Between two dividers lie the regions of the state around them.
        walk(it.doc, scope);
      } else if (it.stmt === 'state') {
        note(it.id, scope, decode([it.description ?? it.descriptions ?? ''].flat().join(' ')));
        if (it.doc) walk(it.doc, it.id);
      } else if (!['dir', 'default'].includes(it.stmt)) {
        throw new Error(`a statement that the generator does not write: ${it.stmt}`);
      }
    }
  };
  // A relation may name a state from outside; where it is declared, or named first, is where it belongs.
  const note = (id, scope, label) => {
    const known = states.get(id);
    if (!known) states.set(id, { scope, label });
    else {
      if (label) known.label = label;
      if (scope !== null) known.scope ??= scope;
    }
  };
  const isDot = (end) => end.start !== undefined;
  walk(db.getRootDocV2().doc, null);
  return { states, relations };
}

/** Why a diagram is not a model's, or null. */
function difference(diagram, loops, model) {
  const byName = new Map(model.states.map((it) => [it.name, it]));
  const leaves = model.states.filter((it) => it.children.length === 0);
  const within = (name, whole) => {
    for (let at = name; at !== null; at = byName.get(at).parent) if (at === whole) return true;
    return false;
  };
  const defaultLeaf = (name) => {
    let at = byName.get(name);
    while (at.default_child) at = byName.get(at.default_child);
    return at.name;
  };
  const shown = (state) => [state.name, (state.label ?? '').split(/\s+/).filter(Boolean).join(' ')];

  // Regions of a machine have a composite around them, which is no state.
  const outer = model.parallel ? diagram.states.get(MACHINE) : undefined;
  if (model.parallel && (outer?.scope !== null || outer.label !== model.name)) return 'the composite around the regions is missing';
  const isOuter = (id) => outer !== undefined && id === MACHINE;

  // Names: an id is a name, or stands for the state that its label shows.
  const names = new Map();
  for (const [id, { label }] of diagram.states) {
    if (isOuter(id)) continue;
    const state = byName.get(id) ?? model.states.find((it) => shown(it).includes(label));
    if (!state) return `there is no state ${JSON.stringify(label || id)}`;
    if (label && !shown(state).includes(label)) return `${id} is shown as ${JSON.stringify(label)}`;
    names.set(id, state.name);
  }
  for (const state of model.states) {
    const entry = [...names].find(([, name]) => name === state.name);
    if (!entry) return `the state ${JSON.stringify(state.name)} is missing`;
    const scope = diagram.states.get(entry[0]).scope;
    if (outer && scope === null) return `${state.name} is drawn outside of the machine`;
    if ((scope === null || isOuter(scope) ? null : names.get(scope)) !== state.parent) return `${state.name} is drawn in ${scope}`;
  }
  if (new Set(names.values()).size !== names.size) return 'two ids stand for one state';

  // Where an edge leads: an arrow to a history, or to several states at once, is drawn to where these start.
  const targets = (edge) => {
    switch (edge.outcome) {
      case 'go': return [edge.to];
      case 'history': return [defaultLeaf(edge.to)];
      case 'fork': return model.transitions[edge.transition].to.map(defaultLeaf);
      case 'payload': return leaves.map((it) => it.name);
      default: return [];
    }
  };
  const pair = (from, to) => JSON.stringify([from, to]);
  const found = new Set();
  let starts = 0;
  for (const { from, to, scope, label } of diagram.relations) {
    const fromDot = from.start !== undefined;
    const toDot = to.start !== undefined;
    if (isOuter(to.id)) {
      if (!fromDot || scope !== null || label) return 'an arrow leads to the machine itself';
      starts += 1;
      continue;
    }
    const target = toDot ? null : defaultLeaf(names.get(to.id));
    if (fromDot && scope !== null) {
      if (byName.get(names.get(scope)).default_child !== names.get(to.id)) return `${scope} does not start in ${to.id}`;
      continue;
    }
    const whole = fromDot ? null : names.get(from.id);
    // Where a row waits for a composite to be done, the arrow comes from the states that complete it.
    const completing = model.edges.filter((it) => it.done && it.done === whole && targets(it).includes(target)).map((it) => it.from);
    const inside = fromDot ? [] : leaves.map((it) => it.name).filter((it) => within(it, whole));
    const leads = (leaf) => model.edges.some((it) => it.from === leaf && targets(it).includes(target));
    const isDone = completing.length > 0 && (label === 'done' || label.startsWith('done [') || (label === '' && !inside.every(leads)));
    const sources = fromDot ? [null] : isDone ? completing : inside;
    for (const source of sources) {
      found.add(pair(source, toDot ? '[*]' : target));
      if (label && !toDot && !labels(model, source, target, targets).some((it) => label === it || label.startsWith(`${it} [`) || (it === '' && label.startsWith('[')))) {
        return `${source} --> ${target} is labelled ${JSON.stringify(label)}`;
      }
    }
  }

  for (const name of loops) found.add(pair(name, name));

  const expected = new Set();
  for (const edge of model.edges) {
    for (const to of targets(edge)) expected.add(pair(edge.from, to));
  }
  if (!model.edges.some((it) => it.from === null)) {
    // With regions, the machine starts in several leaves; the arrow leads to the state around them.
    const around = () => model.states.find((it) => it.parent === null && model.initial.some((leaf) => within(leaf, it.name)));
    if (model.parallel && starts !== 1) return 'no arrow says that the machine starts in its regions';
    if (!model.parallel) expected.add(pair(null, Array.isArray(model.initial) ? defaultLeaf(around().name) : model.initial));
  }
  for (const leaf of leaves) {
    const moves = model.edges.some((it) => it.from === leaf.name && targets(it).length > 0);
    if (leaf.terminal && !moves) expected.add(pair(leaf.name, '[*]'));
  }
  for (const it of expected) if (!found.has(it)) return `the relation ${it} is missing`;
  for (const it of found) if (!expected.has(it)) return `the relation ${it} is not in the model`;
  return null;
}

/** What may stand beside an arrow: a row's own label, or its events. */
function labels(model, from, to, targets) {
  const oneLine = (text) => text.split(/[\s\u0000-\u001f]+/).filter(Boolean).join(' ');
  const events = new Map(model.events.map((it) => [it.name, it.label ?? it.name]));
  const rows = model.edges.filter((it) => it.from === from && targets(it).includes(to)).map((it) => model.transitions[it.transition]);
  const shown = (row) => (row.trigger === 'done' ? 'done' : row.events.map((it) => events.get(it)).join(', '));
  return rows.map((row) => oneLine(row.label ?? shown(row)));
}

/** What a chart of timers has that the generator does not write, as when a name is taken for a statement; or null. */
function strange(db) {
  const tasks = db.getTasks();
  const begins = new Set(tasks.map((it) => it.startTime.getTime()));
  if (tasks.length < 2 || begins.size !== 1) return `${tasks.length} bars that begin at ${begins.size} times`;
  const task = tasks.find((it) => !/^\d[\w ]*: ./.test(decode(it.task)) || it.done || it.crit || it.milestone);
  if (task) return `the bar ${decode(task.task)}`;
  const empty = db.getSections().find((it) => !tasks.some(({ section }) => section === it));
  return empty === undefined ? null : `the section ${empty} without a bar`;
}

/** What a diagram of a system has that the generator does not write, as when a label is taken for a statement; or null. */
function foreign({ type, db }) {
  const ids = { sequence: /^(by|part)\d+$/, 'flowchart-v2': /^(actor|part|run)\d+$/ }[type];
  if (type === 'gantt') return strange(db);
  if (!ids) return `a ${type} diagram`;
  const found = type === 'sequence' ? db.getActors() : db.getVertices();
  const wrong = [...found.keys()].find((it) => !ids.test(it));
  if (wrong !== undefined) return `${JSON.stringify(wrong)} is drawn`;
  if (type !== 'sequence') return null;
  // Every message comes with a note, a frame begins and ends.
  const kinds = db.getMessages().map((it) => it.type);
  const { SOLID, SOLID_CROSS, NOTE, CRITICAL_START, CRITICAL_END } = db.LINETYPE;
  const known = [SOLID, SOLID_CROSS, NOTE, CRITICAL_START, CRITICAL_END];
  const other = kinds.find((it) => !known.includes(it));
  return other === undefined ? null : `a statement that the generator does not write: ${other}`;
}

/** The problems of the diagrams on the given pages, and how much was read. */
async function check(args) {
  const flags = args.filter((it) => it.startsWith('--'));
  const paths = args.filter((it) => !it.startsWith('--'));
  const all = flags.includes('--all');
  const models = paths
    .filter((it) => it.endsWith('.json'))
    .map((it) => JSON.parse(readFileSync(it, 'utf8')))
    .filter((it) => it.kind === 'machine');
  const pages = paths.filter((it) => it.endsWith('.md'));
  const problems = [];
  const drawn = new Set();
  let nBlocks = 0;
  for (const block of pages.flatMap(blocks)) {
    nBlocks += 1;
    const place = `${block.page}:${block.line}`;
    let diagram;
    try {
      const parsed = await mermaid.mermaidAPI.getDiagramFromText(block.text);
      if (!parsed.type.startsWith('state')) {
        const problem = block.generated || block.region || all ? foreign(parsed) : null;
        if (problem) problems.push(`${place}: ${problem}`);
        continue;
      }
      diagram = read(parsed.db);
    } catch (error) {
      problems.push(`${place}: ${String(error.message ?? error).split('\n').slice(0, 3).join(' | ')}`);
      continue;
    }
    if (!block.generated && !block.region && !all) continue;
    // A region says whose diagram it must be; elsewhere it may be anyone's.
    const own = block.region?.endsWith('.diagram') ? block.region.slice(0, -'.diagram'.length) : null;
    const candidates = models.filter((it) => own === null || it.name === own);
    const differences = candidates.map((model) => [model.name, difference(diagram, block.loops, model)]);
    const matching = differences.filter(([, it]) => it === null);
    matching.forEach(([name]) => drawn.add(name));
    if (matching.length === 0) {
      const ids = [...diagram.states.keys()];
      const shared = (name) => models.find((it) => it.name === name).states.filter((it) => ids.includes(it.name)).length;
      const near = differences.sort(([a], [b]) => shared(b) - shared(a))[0];
      problems.push(`${place}: the diagram is no model's` + (near ? `; it is not ${near[0]}'s: ${near[1]}` : ''));
    }
  }
  if (flags.includes('--cover')) {
    for (const { name } of models.filter((it) => !drawn.has(it.name))) problems.push(`${name} has no diagram`);
  }
  return { problems, read: `${nBlocks} diagrams read, ${drawn.size} of ${models.length} machines drawn, ${problems.length} problems` };
}

if (process.argv.includes('--lines')) {
  for await (const line of createInterface({ input: process.stdin })) {
    console.log(JSON.stringify((await check(JSON.parse(line))).problems));
  }
} else {
  const { problems, read } = await check(process.argv.slice(2));
  problems.forEach((it) => console.error(it));
  console.log(read);
  process.exit(problems.length === 0 ? 0 : 1);
}
