import type { Action, Cause, Json, Observation, ToolSpec, TrajectoryStep, Transition } from "../contract/index.ts";
import type { TerminalOperator } from "../environments/index.ts";
import type { Task } from "../tasks/index.ts";

/** One call as the policy wrote it, and the action that was read from it; null when none could be. */
export type AgentCall = {
  readonly id?: string;
  readonly written: Json;
  readonly action: Action | null;
  /** Why no action could be read from it, for the policy to see. */
  readonly problem?: string;
  readonly tokens?: NonNullable<TrajectoryStep["tokens"]>;
};

/** What an agent gets to do its work with. After a transition that ends the episode, a further call ends the agent. */
export type AgentSession = {
  readonly initial: Observation;
  readonly tools: readonly ToolSpec[];
  readonly signal: AbortSignal;
  step(call: AgentCall): Promise<Transition>;
  /** Only for agents that are the runner's own: null for every other one. */
  readonly operator: TerminalOperator | null;
  /** Records work that the operator did as a step. */
  record(call: AgentCall, work: () => Promise<Transition>): Promise<Transition>;
};

export interface Agent {
  readonly name: string;
  readonly version: string;
  /** True for the runner's own agents, which bring the solution with them. */
  readonly privileged?: boolean;
  /** The agent that plays one step of an ordered task; without it the same one plays them all. */
  forStep?(step: Task): Agent;
  run(session: AgentSession): Promise<void>;
}

/** Thrown by an agent that has reached a limit of its own; the work is graded as it is. */
export class AgentLimit extends Error {
  readonly limit: Cause;
  constructor(limit: Cause) {
    super(limit.message);
    this.name = "AgentLimit";
    this.limit = limit;
  }
}

/** Thrown through an agent that goes on after the end. */
export class EpisodeOver extends Error {
  constructor() {
    super("the episode is over");
    this.name = "EpisodeOver";
  }
}
