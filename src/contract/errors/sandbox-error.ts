import { type ErrorOptions, RoutesetterError } from "./base.ts";

/** A fault of the sandbox or its host: infrastructure, never the agent's failure. */
export class SandboxError extends RoutesetterError {
  constructor(options: ErrorOptions) {
    super("SandboxError", options);
  }

  static override isInstance(error: unknown): error is SandboxError {
    return RoutesetterError.hasName(error, "SandboxError");
  }
}
