import { type ErrorOptions, RoutesetterError } from "./base.ts";

/** A run cannot go on: its journal and its code disagree, its owner is alive, or its store failed. */
export class EngineError extends RoutesetterError {
  constructor(options: ErrorOptions) {
    super("EngineError", options);
  }

  static override isInstance(error: unknown): error is EngineError {
    return RoutesetterError.hasName(error, "EngineError");
  }
}
