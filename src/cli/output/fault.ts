import { EngineError, RoutesetterError, SandboxError } from "../../contract/index.ts";
import { storageError } from "../../store/index.ts";
import type { CommandStatus } from "./events.ts";

export type Fault = { readonly status: CommandStatus; readonly code: string; readonly message: string };

/** Engine errors that come from what was asked for, not from the machine. */
const askedWrongly = new Set(["run_unknown", "run_active", "flow_version_changed"]);

/**
 * What an error means to whoever called the command. The machine's faults and our own are infrastructure, since they
 * say nothing of a task; our own come with their stack.
 */
export function faultOf(thrown: unknown): Fault {
  const { dest, path = "a file" } = (thrown ?? {}) as { dest?: string; path?: string };
  const error = storageError(thrown, dest ?? path);
  if (!RoutesetterError.isInstance(error))
    return {
      status: "infrastructure",
      code: "unexpected",
      message: error instanceof Error ? (error.stack ?? error.message) : String(error),
    };
  const { code, message } = error;
  if (EngineError.isInstance(error)) {
    if (code === "run_cancelled") return { status: "interrupted", code, message };
    return { status: askedWrongly.has(code) ? "usage" : "infrastructure", code, message };
  }
  return { status: SandboxError.isInstance(error) ? "infrastructure" : "usage", code, message };
}
