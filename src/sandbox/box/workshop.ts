// What all boxes of one backend share: the holder of the uids, the stock of pipes, the folders, and the words for faults.
import { statfsSync } from "node:fs";
import { type Image, SandboxError, type SandboxSpec } from "../../contract/index.ts";
import type { Alteration } from "./alteration.ts";
import type { Box } from "./box.ts";
import type { ControlGroups, SandboxGroup } from "./control-groups.ts";
import type { OpaqueDirectories } from "./file-view.ts";
import type { Holder } from "./holder.ts";
import type { LaunchShell } from "./inherited-descriptors.ts";
import type { Pipes } from "./pipes.ts";

export interface Workshop {
  readonly sandboxes: string;
  readonly shift: number;
  readonly helper: string | null;
  readonly loopback: string;
  readonly shell: LaunchShell;
  /** The program of the fast way to launch, null for the shell's. */
  readonly perl: string | null;
  readonly groups: ControlGroups;
  /** System calls are filtered. */
  readonly filtered: boolean;
  readonly alter: Alteration;
  /** Begins the names of this backend's control groups. */
  readonly label: string;
  readonly pipes: Pipes;
  /** Who keeps the uids now; null as an ordinary user. A box stays with the holder that it began with. */
  readonly holder: Holder | null;
  /** The read-only layers of an image, the top first, completed by what every sandbox needs. */
  layersOf(image: Image): readonly string[];
  /** Which directories of a layer hide what lies under them: those of our snapshots may. */
  readonly opaqueOf: (layer: string) => OpaqueDirectories;
  /** An empty folder for the layer of a snapshot. */
  newSnapshotLayer(opaque: ReadonlySet<string>): string;
  create(spec: SandboxSpec): Promise<Box>;
  forget(box: { readonly id: string }): void;
  /** Removes a folder, and the control group that went with it, when `after` is done, without keeping anybody waiting. */
  discard(path: string, group?: SandboxGroup | null, after?: Promise<void>): void;
  /** A fault of the host behind an error of the file system, or the error itself. */
  attribute(error: unknown, box: { readonly id: string }): unknown;
  launchFailed(diagnostics: string, box: { readonly id: string }): SandboxError;
}

/** Names a fault of the host. */
export function attribute(error: unknown, id: string): unknown {
  const code = (error as { code?: unknown } | null)?.code;
  if (code === "ENOSPC" || code === "EDQUOT") return hostDiskFull(id, error);
  if (code === "EACCES" || code === "EPERM") {
    return new SandboxError({
      code: "file_unreadable",
      message: `a file of sandbox ${id} can't be reached: ${error instanceof Error ? error.message : ""}`,
      remedy: "as an ordinary user this process needs the files' own permissions; run as root to do without",
      cause: error,
    });
  }
  return error;
}

/** Whether the disk under `path` has no room for anything: below 1 MiB. */
export function isDiskFull(path: string): boolean {
  const status = statfsSync(path);
  return status.bavail * status.bsize < 1024 ** 2 || (status.files > 0 && status.ffree === 0);
}

export const hostDiskFull = (id: string, cause?: unknown): SandboxError =>
  new SandboxError({
    code: "host_disk_full",
    message: `the host's disk is full; sandbox ${id} can't write`,
    remedy: "free some space, then resume",
    isRetryable: true,
    cause,
  });

export function launchFailed(diagnostics: string, id: string): SandboxError {
  if (/No space left on device/.test(diagnostics)) return hostDiskFull(id);
  return new SandboxError({
    code: "sandbox_start_failed",
    message: `the namespaces of sandbox ${id} could not be started: ${diagnostics.trim() || "no reason given"}`,
    remedy: "run `routesetter doctor`",
    isRetryable: true,
  });
}
