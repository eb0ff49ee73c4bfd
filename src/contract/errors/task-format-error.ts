import { type ErrorOptions, RoutesetterError } from "./base.ts";

/** A task folder does not follow its format; names file, line, column and field. */
export class TaskFormatError extends RoutesetterError {
  constructor(options: ErrorOptions) {
    super("TaskFormatError", options);
  }

  static override isInstance(error: unknown): error is TaskFormatError {
    return RoutesetterError.hasName(error, "TaskFormatError");
  }
}
