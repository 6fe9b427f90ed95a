// The same events for every machine: `measure` prints the nanoseconds of an event in the fastest of some passes.

const N = 50_000;
const PASSES = 12;

function events() {
  const names = ["start", "finish", "fail"];
  let seed = 1;
  return Array.from({ length: N }, () => {
    seed = (seed * 48271) % 2147483647;
    return names[seed % 3];
  });
}

/** `begin` makes a machine, `send` returns the next one, or `null` if nothing is accepted; `stateOf` names the state. */
export function measure(name, begin, send, stateOf, eventOf) {
  const all = events().map(eventOf);
  let best = Infinity;
  let shown;
  for (let pass = 0; pass < PASSES; pass += 1) {
    let machine = begin();
    let accepted = 0;
    const start = process.hrtime.bigint();
    for (const event of all) {
      const next = send(machine, event);
      if (next !== null) {
        machine = next;
        accepted += 1;
      }
    }
    best = Math.min(best, Number(process.hrtime.bigint() - start) / N);
    shown = `${accepted} ${stateOf(machine)}`;
  }
  console.log(JSON.stringify({ name, ns: best, result: shown }));
}
