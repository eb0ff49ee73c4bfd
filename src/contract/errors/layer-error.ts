import { type ErrorOptions, RoutesetterError } from "./base.ts";

/** A layer broke its contract or a limit. */
export class LayerError extends RoutesetterError {
  constructor(options: ErrorOptions) {
    super("LayerError", options);
  }

  static override isInstance(error: unknown): error is LayerError {
    return RoutesetterError.hasName(error, "LayerError");
  }
}
