import { type ErrorOptions, RoutesetterError } from "./base.ts";

/** An environment broke its contract. */
export class EnvironmentError extends RoutesetterError {
  constructor(options: ErrorOptions) {
    super("EnvironmentError", options);
  }

  static override isInstance(error: unknown): error is EnvironmentError {
    return RoutesetterError.hasName(error, "EnvironmentError");
  }
}
