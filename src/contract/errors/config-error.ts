import { type ErrorOptions, RoutesetterError } from "./base.ts";

/** The command line or the configuration is wrong. */
export class ConfigError extends RoutesetterError {
  constructor(options: ErrorOptions) {
    super("ConfigError", options);
  }

  static override isInstance(error: unknown): error is ConfigError {
    return RoutesetterError.hasName(error, "ConfigError");
  }
}
