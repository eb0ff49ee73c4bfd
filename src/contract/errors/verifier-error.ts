import { type ErrorOptions, RoutesetterError } from "./base.ts";

/** A verifier said nothing that counts as a verdict; whose fault it is, the oracle decides. */
export class VerifierError extends RoutesetterError {
  constructor(options: ErrorOptions) {
    super("VerifierError", options);
  }

  static override isInstance(error: unknown): error is VerifierError {
    return RoutesetterError.hasName(error, "VerifierError");
  }
}
