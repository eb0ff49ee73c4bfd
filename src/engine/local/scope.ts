// Where in a flow the code that runs now belongs: the flow itself, an item of an `all`, or a step.
import { AsyncLocalStorage } from "node:async_hooks";
import { createHash } from "node:crypto";
import type { RunEvent } from "../../contract/index.ts";
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

  /**
   * The identity of the next event: where it is emitted, how many came before it there, and what it says. The same
   * code after a resume gives the same; after a redo that changed what it says it is another event.
   */
  sourceOf(event: RunEvent): string {
    const digest = createHash("sha256").update(JSON.stringify(event)).digest("base64url").slice(0, 16);
    return `${this.run}/${this.path}/${this.#emitted++}/${digest}`;
  }
}

export const scopes = new AsyncLocalStorage<Scope>();
