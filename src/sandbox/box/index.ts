// The fast sandbox: bubblewrap over an overlay per sandbox.
export { type BoxOptions, createBoxBackend } from "./backend.ts";
export { hostSkeleton } from "./host-skeleton.ts";
export { mappedOwners, ownerShift, shiftOwners } from "./owner-shift.ts";
export { removeTree } from "./remove-tree.ts";
