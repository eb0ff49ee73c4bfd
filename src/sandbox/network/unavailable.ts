// The error of a network policy that can't be kept here.
import { SandboxError } from "../../contract/index.ts";

/** SandboxError `network_unavailable`. */
export const networkUnavailable = (message: string, remedy: string): SandboxError =>
  new SandboxError({ code: "network_unavailable", message, remedy });
