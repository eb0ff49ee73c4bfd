import { type ErrorOptions, RoutesetterError } from "./base.ts";

/** A model or its endpoint did not give a usable answer. */
export class ModelError extends RoutesetterError {
  constructor(options: ErrorOptions) {
    super("ModelError", options);
  }

  static override isInstance(error: unknown): error is ModelError {
    return RoutesetterError.hasName(error, "ModelError");
  }
}
