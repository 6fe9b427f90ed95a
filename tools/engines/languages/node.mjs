// The job by statespec and by XState, in one process, one after the other.
import { assign, createMachine, getInitialSnapshot, transition } from "xstate";
import * as job from "./out/job.js";
import { measure } from "./measure.mjs";

measure(
  "statespec",
  () => job.start(),
  (machine, event) => {
    const result = job.apply(machine, event);
    return result.ok ? result.machine : null;
  },
  (machine) => machine.state,
  (type) => ({ type }),
);

const machine = createMachine({
  initial: "idle",
  context: { attempts: 0 },
  states: {
    idle: { on: { start: { target: "running", actions: assign({ attempts: ({ context }) => context.attempts + 1 }) } } },
    running: {
      on: {
        finish: { target: "idle", actions: [assign({ attempts: () => 0 }), "report"] },
        fail: [{ guard: ({ context }) => context.attempts < 3, target: "idle", actions: "retry" }, { target: "failed" }],
      },
    },
    failed: { on: { start: { target: "running", actions: assign({ attempts: () => 1 }) } } },
  },
});
measure(
  "XState",
  () => getInitialSnapshot(machine),
  (snapshot, event) => {
    // An event without a transition leaves the state; every transition of this machine changes it.
    const [next] = transition(machine, snapshot, event);
    return next.value === snapshot.value ? null : next;
  },
  (snapshot) => snapshot.value,
  (type) => ({ type }),
);
