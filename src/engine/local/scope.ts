// Where in a flow the code that runs now belongs: the flow itself, an item of an `all`, or a step.
import { AsyncLocalStorage } from "node:async_hooks";
import type { NewEvent } from "../../store/index.ts";

export class Scope {
  readonly run: number;
  /** Path of the scope inside its run; part of the identity of the events that it emits. */
  readonly path: string;
  readonly step: boolean;
  /** Events of a step wait here for its result; null when they are stored at once. */
  pending: NewEvent[] | null;
  #emitted = 0;

  constructor(run: number, path: string, step = false) {
    this.run = run;
    this.path = path;
    this.step = step;
    this.pending = step ? [] : null;
  }

  /** The identity of the next event: the same code after a resume gives the same. */
  nextSource(): string {
    return `${this.run}/${this.path}/${this.#emitted++}`;
  }
}

export const scopes = new AsyncLocalStorage<Scope>();
