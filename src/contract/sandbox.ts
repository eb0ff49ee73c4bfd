import type { Cause } from "./outcome.ts";

/**
 * A file system to start from, with the configuration that came with it. `layers` are directories, the base first; a
 * backend stacks them read-only. `hostSystem` means that the machine's own /usr stands in for the lowest layer.
 */
export type Image = {
  /** `sha256:…` of the content it was made from: the build context and the base's digest. */
  readonly digest: string;
  readonly layers: readonly string[];
  readonly hostSystem: boolean;
  /** The name under which the Docker engine knows it, when it does. */
  readonly dockerTag?: string;
  readonly configuration: ImageConfiguration;
  readonly provenance: ImageProvenance;
};
export type ImageConfiguration = {
  readonly environment: Readonly<Record<string, string>>;
  readonly workingDirectory: string;
  /** `name`, `uid`, `name:group` or `uid:gid`, as USER says; empty means root. */
  readonly user: string;
};
export type ImageProvenance = {
  readonly base: string;
  readonly how: "host" | "built" | "bootstrapped" | "pulled" | "substituted" | "imported";
  readonly builder?: string;
  /** A sentence for reports when the base is not the one that the Dockerfile names. */
  readonly note?: string;
};

export type NetworkPolicy =
  | { readonly mode: "none" }
  | { readonly mode: "allowlist"; readonly hosts: readonly string[] }
  | { readonly mode: "full" };

export type SandboxLimits = {
  /** Resident bytes of all processes together. */
  readonly memoryBytes?: number;
  readonly processes?: number;
  /** Bytes that may be written to the file system. */
  readonly diskBytes?: number;
  /** Seconds of CPU time that one process may use. */
  readonly cpuSeconds?: number;
};

export type Mount = { readonly source: string; readonly target: string; readonly readOnly: boolean };

export type SandboxSpec = {
  readonly image: Image;
  /** Who owns it: the reaper removes what a dead owner left. Default: this process. */
  readonly owner?: string;
  readonly limits?: SandboxLimits;
  readonly network?: NetworkPolicy;
  readonly mounts?: readonly Mount[];
  /** Added to the image's environment; nothing of the host's environment gets in. */
  readonly environment?: Readonly<Record<string, string>>;
  readonly hostname?: string;
  readonly workingDirectory?: string;
  readonly user?: string;
};

export type RunOptions = {
  readonly workingDirectory?: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly user?: string;
  readonly input?: string | Uint8Array;
  /** Wall time; what was printed before it is kept. */
  readonly timeoutMilliseconds?: number;
  /** Bytes kept of each stream; the rest is counted and dropped. */
  readonly outputBytes?: number;
  readonly signal?: AbortSignal;
};

/** One output stream: decoded with replacement, never cut inside a code point. */
export type Output = { readonly text: string; readonly bytes: number; readonly truncated: boolean };

export type RunResult = {
  /** null when a signal or a limit ended it. */
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly stdout: Output;
  readonly stderr: Output;
  /** The limit that ended it, null when it ended by itself. `code` is one of the `*_limit` causes or `cancelled`. */
  readonly limit: Cause | null;
  readonly milliseconds: number;
};

export interface SpawnedProcess {
  readonly stdin: NodeJS.WritableStream;
  readonly stdout: NodeJS.ReadableStream;
  readonly stderr: NodeJS.ReadableStream;
  readonly exit: Promise<{ exitCode: number | null; signal: string | null }>;
  kill(): Promise<void>;
}

/** What tools get. Paths are absolute inside the sandbox. Errors: SandboxError. */
export interface Sandbox {
  /** A string runs by `/bin/sh -c`; an array runs as it is. Background children stay alive; the call returns when the command does. */
  run(command: string | readonly string[], options?: RunOptions): Promise<RunResult>;
  spawn(command: string | readonly string[], options?: RunOptions): Promise<SpawnedProcess>;
  readFile(path: string, options?: { maximumBytes?: number }): Promise<Uint8Array>;
  writeFile(path: string, content: string | Uint8Array, options?: { mode?: number; user?: string }): Promise<void>;
}

/** One entry of a snapshot or a diff, as lstat would tell it, uid and gid as seen inside. */
export type FileEntry = {
  readonly path: string;
  readonly type: "file" | "directory" | "symlink" | "fifo" | "socket" | "device";
  readonly mode: number;
  readonly uid: number;
  readonly gid: number;
  readonly size: number;
  readonly target?: string;
  /** sha256 of the content, for files. */
  readonly digest?: string;
  readonly xattrs?: Readonly<Record<string, string>>;
  /** Paths with the same value are one file (hard links). */
  readonly inode?: string;
};
export type FileChange = {
  readonly change: "added" | "modified" | "removed";
  readonly path: string;
  readonly entry?: FileEntry;
};

/** A saved file system: an image whose top layer holds the changes. */
export type SandboxSnapshot = { readonly image: Image; dispose(): Promise<void> };

/** What the owner holds. `session` is all that tools, agents and verifiers get. */
export interface SandboxHandle {
  readonly id: string;
  readonly backend: string;
  readonly session: Sandbox;
  /** Ends every process inside; the file system stays, and the next `run` starts afresh. */
  killAll(): Promise<void>;
  /** Processes alive inside, the sandbox's own not counted. */
  processes(): Promise<number>;
  snapshot(): Promise<SandboxSnapshot>;
  /** A new sandbox with the same files and no processes. */
  fork(spec?: Partial<Omit<SandboxSpec, "image">>): Promise<SandboxHandle>;
  /** Changes against the image, sorted by path. */
  diff(): Promise<FileChange[]>;
  /**
   * Copies a file or directory out to `destination` on the host without following a link anywhere in the path.
   * Refuses devices, FIFOs, sockets, links that lead out of `path`, and more than the quota: ArtefactError.
   * Resolves to false when nothing is there. Owner and mode are made readable for the host process.
   */
  copyOut(path: string, destination: string, quota: { bytes: number; files: number }): Promise<boolean>;
  /** Copies a host file or directory in, owned by root, modes kept, links kept as links. */
  copyIn(source: string, path: string): Promise<void>;
  /** True when nothing at or below the path differs from the image, for certain; false when it may. */
  isUntouched(path: string): Promise<boolean>;
  setNetwork(policy: NetworkPolicy): Promise<void>;
  dispose(): Promise<void>;
}

/** How a limit is kept: `enforced` by the kernel, `watched` by polling, or `none`, with the reason. */
export type Enforcement = {
  readonly limit: string;
  readonly how: "enforced" | "watched" | "none";
  readonly by: string;
};

export interface SandboxBackend {
  readonly name: string;
  create(spec: SandboxSpec): Promise<SandboxHandle>;
  /** Removes what dead owners left: processes, mounts, folders, containers. Resolves to what was removed. */
  reap(): Promise<string[]>;
  /** What this machine can hold; an empty `problems` means that `create` works. */
  probe(): Promise<{ problems: string[]; enforcement: Enforcement[] }>;
  close(): Promise<void>;
}
