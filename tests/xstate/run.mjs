// Runs machines in the real XState, for the test of the import in codegen/tests/xstate.rs.
//
//     npm ci && node run.mjs < machines.json
//
// Reads a list of { version: 4 | 5, machine: <configuration>, events: [<name>...] }. Prints a list with, for each machine,
// { after: [{ leaves, effects }...] }: first what holds at the start, then what holds after every event. The leaves are keys, sorted;
// the effects are the entry and exit actions of this event, in the order of XState. A machine that XState refuses is { error }.

import { readFileSync } from 'node:fs';
import { createMachine, initialTransition, transition } from 'xstate';
import { createMachine as createMachine4 } from 'xstate4';

/** The keys of the active states without states inside. In the value of a parallel state, such a region has an empty object. */
function leaves(value) {
  if (typeof value === 'string') return [value];
  return Object.entries(value).flatMap(([key, inside]) => (Object.keys(inside).length === 0 ? [key] : leaves(inside)));
}

const shown = (value, actions) => ({ leaves: leaves(value).sort(), effects: actions.map((it) => it.type) });

function inVersion5({ machine, events }) {
  const made = createMachine(machine);
  let [state] = initialTransition(made);
  const after = [shown(state.value, [])];
  for (const type of events) {
    const [next, actions] = transition(made, state, { type });
    state = next;
    after.push(shown(state.value, actions));
  }
  return { after };
}

function inVersion4({ machine, events }) {
  const made = createMachine4(machine);
  let state = made.initialState;
  const after = [shown(state.value, [])];
  for (const type of events) {
    state = made.transition(state, type);
    after.push(shown(state.value, state.actions));
  }
  return { after };
}

function run(it) {
  try {
    return it.version === 5 ? inVersion5(it) : inVersion4(it);
  } catch (error) {
    return { error: String(error.message ?? error) };
  }
}

console.log(JSON.stringify(JSON.parse(readFileSync(0, 'utf8')).map(run)));
