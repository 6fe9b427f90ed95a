// What a user of the types would write. `tsc --strict` must accept it, and each marked line is an error that it must see.
import { agentRunAllows, agentRunInitial, agentRunNext, agentRunStates, type AgentRunEvent, type AgentRunState } from "./agent_run";

const start: AgentRunState = agentRunInitial;
const all: readonly AgentRunState[] = agentRunStates;
const after: readonly AgentRunState[] = agentRunNext[start];
const event: AgentRunEvent = { type: "resume" };

// @ts-expect-error there is no such state
const unknown: AgentRunState = "runing";
// @ts-expect-error there is no such event
const other: AgentRunEvent = { type: "resum" };

export const shown = [start, all.length, after, event, unknown, other, agentRunAllows("running", "complete")];
