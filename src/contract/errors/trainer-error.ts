import { type ErrorOptions, RoutesetterError } from "./base.ts";

/** A trainer refused a batch or lost a step. */
export class TrainerError extends RoutesetterError {
  constructor(options: ErrorOptions) {
    super("TrainerError", options);
  }

  static override isInstance(error: unknown): error is TrainerError {
    return RoutesetterError.hasName(error, "TrainerError");
  }
}
