import { type ErrorOptions, RoutesetterError } from "./base.ts";

/** What the agent left may not be carried over (device, FIFO, socket, link that leads out, over quota): the agent's failure. */
export class ArtefactError extends RoutesetterError {
  constructor(options: ErrorOptions) {
    super("ArtefactError", options);
  }

  static override isInstance(error: unknown): error is ArtefactError {
    return RoutesetterError.hasName(error, "ArtefactError");
  }
}
