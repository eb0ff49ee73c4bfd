// Which calls of the kernel a sandbox may make, written for bubblewrap and for container engines.

export { type CallNumbers, deniedCalls, namespaceCalls } from "./denied.ts";
export { engineProfile } from "./engine-profile.ts";
export { filterProgram } from "./filter-program.ts";
