// Holds imported diagrams against what the real Mermaid parser reads in the text they were imported from.
//
//     node survey.mjs <diagrams.json>
//
// The file is a list of `{ place, original, whole, ours }`: a diagram's text, whether the importer says that
// it was carried over whole, and the diagram that the imported spec gives (null where it was not read).
// Whole ones must be the same to the letter, except for starts and ends; others up to what the importer reports:
// choices become guarded arrows.

import { readFileSync } from 'node:fs';
import { JSDOM } from 'jsdom';

const { window } = new JSDOM('<!doctype html><body></body>', { pretendToBeVisual: true });
globalThis.window = window;
globalThis.document = window.document;
const { default: mermaid } = await import('mermaid');
mermaid.initialize({ startOnLoad: false, maxTextSize: 10_000_000, suppressErrorRendering: true });

/** A named character, as a browser reads it; a name that it does not know as it is written. */
function named(name) {
  const area = window.document.createElement('textarea');
  area.innerHTML = name === 'hash' ? '#' : `&${name};`;
  return area.value === `&${name};` ? `#${name};` : area.value;
}

/** One line, character codes and line breaks resolved. */
function words(text) {
  return String(text ?? '')
    .replace(/<br\s*\/?>|\\n/gi, ' ')
    .replace(/ﬂ°°(\d+)¶ß/g, (_, code) => String.fromCodePoint(Number(code)))
    .replace(/ﬂ°(\w+)¶ß/g, (whole, name) => named(name))
    .split(/[\s\u0000-\u001f]+/)
    .filter(Boolean)
    .join(' ');
}

/** States by id with what they show and where they are; arrows; the states that are only declared. */
function read(db) {
  const states = new Map();
  const arrows = [];
  const declared = new Set();
  const above = (scope, id) => {
    for (let at = scope; at !== null; at = states.get(at)?.scope ?? null) if (at === id) return true;
    return false;
  };
  const note = (rawId, scope, texts) => {
    const id = words(rawId.split(':::')[0]);
    const known = states.get(id);
    if (!known) states.set(id, { scope, texts: [...texts] });
    else {
      known.texts.push(...texts);
      // Mermaid draws it in the composite that names it last.
      if (scope !== null && !above(scope, id)) known.scope = scope;
    }
    return id;
  };
  const walk = (statements, scope) => {
    for (const it of statements ?? []) {
      // `state x` alone; Mermaid hands over the texts of `accTitle` in the same way.
      if (typeof it === 'string') declared.add(words(it));
      else if (it.stmt === 'relation') {
        const end = (state) => (state.start !== undefined ? '[*]' : note(state.id, scope, []));
        const from = end(it.state1);
        arrows.push({ from, to: end(it.state2), scope, text: words(it.description) });
      } else if (it.stmt === 'state' && it.type === 'divider') walk(it.doc, scope);
      else if (it.stmt === 'state' && it.start === undefined) {
        const texts = [it.description ?? it.descriptions ?? []].flat().map(words).filter(Boolean);
        const id = note(it.id, scope, texts);
        if (['choice', 'fork', 'join'].includes(it.type)) states.get(id).type = it.type;
        if (it.doc) walk(it.doc, id);
      }
    }
  };
  walk(db.getRootDocV2().doc, null);
  return { states, arrows, declared };
}

const shown = (diagram, id) => (id === null || id === '[*]' ? id : (diagram.states.get(id)?.texts[0] ?? id));

/** States and arrows as lines, so that two diagrams can be compared. */
function lines(diagram, other, { texts }) {
  const found = new Set();
  // What is only declared is not drawn, so a spec may have it or not.
  const declared = (id) => other.declared.has(id) && !other.states.has(id);
  for (const [id, { scope }] of diagram.states) if (!declared(id)) found.add(`state ${JSON.stringify([shown(diagram, scope), shown(diagram, id)])}`);
  for (const { from, to, scope, text } of diagram.arrows) {
    // `[*]` means the composite's own; other arrows may be drawn anywhere.
    const place = from === '[*]' || to === '[*]' ? shown(diagram, scope) : null;
    found.add(`arrow ${JSON.stringify([place, shown(diagram, from), shown(diagram, to), texts ? text.replaceAll(';', ',') : ''])}`);
  }
  return found;
}

/** Choices dissolved; no starts and ends, about which the report tells more. */
function relaxed(diagram, other) {
  let arrows = diagram.arrows;
  const states = new Map(diagram.states);
  for (const [id, { type }] of diagram.states) {
    const into = arrows.filter((it) => it.to === id);
    const out = arrows.filter((it) => it.from === id);
    if (type !== 'choice' || into.length === 0 || out.length === 0 || into.some((it) => it.from === id)) continue;
    const through = into.flatMap((a) => out.map((b) => ({ ...a, to: b.to, scope: b.scope })));
    arrows = [...arrows.filter((it) => it.to !== id && it.from !== id), ...through];
    states.delete(id);
  }
  arrows = arrows.filter((it) => it.from !== '[*]' && it.to !== '[*]');
  return { states, arrows, declared: diagram.declared };
}

/**
 * Arrows between a composite and something inside it, as the generator draws them: Mermaid cannot lay
 * them out, so they are drawn to where the composite starts, or from each state inside.
 */
function drawable(diagram, starts) {
  const inside = (id, whole) => {
    for (let at = id; at !== null; at = diagram.states.get(at)?.scope ?? null) if (at === whole) return true;
    return false;
  };
  const children = (id) => [...diagram.states].filter(([, it]) => it.scope === id).map(([child]) => child);
  const arrows = [];
  const add = (arrow, depth) => {
    const { from, to } = arrow;
    if (depth > 50 || from === '[*]' || to === '[*]') arrows.push(arrow);
    else if (children(to).length > 0 && inside(from, to) && starts.has(to)) add({ ...arrow, to: starts.get(to) }, depth + 1);
    else if (children(from).length > 0 && inside(to, from)) children(from).forEach((child) => add({ ...arrow, from: child }, depth + 1));
    else arrows.push(arrow);
  };
  diagram.arrows.forEach((it) => add(it, 0));
  return { ...diagram, arrows };
}

/** Without the ends beside other ways out: they are marks of states in a spec, and no arrows. */
function withoutMarks(diagram) {
  const leads = new Set(diagram.arrows.filter((it) => it.to !== '[*]').map((it) => it.from));
  return { ...diagram, arrows: diagram.arrows.filter((it) => it.to !== '[*]' || !leads.has(it.from)) };
}

/** Without the starts that the other diagram leaves out: the import marked the first state. */
function withoutAdded(diagram, other) {
  const given = new Set(other.arrows.filter((it) => it.from === '[*]').map((it) => it.scope));
  return { ...diagram, arrows: diagram.arrows.filter((it) => it.from !== '[*]' || given.has(it.scope)) };
}

function difference(original, ours, whole) {
  const starts = new Map(ours.arrows.filter((it) => it.from === '[*]' && it.scope !== null).map((it) => [it.scope, it.to]));
  original = drawable(original, starts);
  const [left, right] = whole ? [withoutMarks(original), withoutAdded(ours, original)] : [relaxed(original, ours), relaxed(ours, original)];
  // The guards of a dissolved choice are told in other words.
  const texts = ![...original.states.values()].some((it) => it.type === 'choice');
  const [expected, found] = [lines(left, right, { texts }), lines(right, left, { texts })];
  const missing = [...expected].filter((it) => !found.has(it));
  const more = [...found].filter((it) => !expected.has(it));
  return missing.length + more.length === 0 ? null : `missing ${missing.slice(0, 3).join(', ')}; too many ${more.slice(0, 3).join(', ')}`;
}

async function parse(text) {
  try {
    return read((await mermaid.mermaidAPI.getDiagramFromText(text)).db);
  } catch (error) {
    return { error: String(error.message ?? error).split('\n').slice(0, 3).join(' | ') };
  }
}

const tally = {};
const count = (what) => (tally[what] = (tally[what] ?? 0) + 1);
for (const { place, original, whole, ours } of JSON.parse(readFileSync(process.argv[2], 'utf8'))) {
  // Where Mermaid ends a text at a `;`, the importer says so and takes all of it.
  const uncut = (text) => text.replace(/(?<!#\w+);/g, ',');
  const theirs = await parse(whole ? original : uncut(original));
  if (ours === null) {
    count(theirs.error ? 'unreadable to both' : 'unreadable to the importer alone');
    if (!theirs.error) console.error(`${place}: only the importer cannot read it`);
    continue;
  }
  if (theirs.error) {
    count('unreadable to Mermaid alone');
    console.error(`${place}: only Mermaid cannot read it: ${theirs.error}`);
    continue;
  }
  const own = await parse(ours);
  const problem = own.error ?? difference(theirs, own, whole);
  const kind = whole ? 'whole' : 'with a report';
  count(`${kind}, ${problem ? 'DIFFERENT' : 'the same'}`);
  if (problem) console.error(`${place}: ${kind}, and different: ${problem}`);
}
for (const [what, n] of Object.entries(tally).sort()) console.log(`${String(n).padStart(6)} ${what}`);
process.exit(Object.keys(tally).some((it) => it.includes('DIFFERENT')) ? 1 : 0);
