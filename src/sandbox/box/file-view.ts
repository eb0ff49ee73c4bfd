// Looks into a sandbox's file system from outside, one path component at a time, each opened without following links, so
// that what runs inside can't lead us astray: a link is resolved here, inside the sandbox's root. The tree is either one
// mounted directory or a stack of overlay layers (the top first, the only one that is written).
import { closeSync, constants, lstatSync, openSync, readdirSync, readlinkSync, type Stats } from "node:fs";
import { SandboxError } from "../../contract/index.ts";

const openDirectory = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** Open directories that together are one directory of the tree, the top first; `level` 0 is the layer that is written. */
export type Directory = {
  readonly path: string;
  readonly levels: readonly { readonly fd: number; readonly level: number }[];
  readonly readOnly: boolean;
};
export type Found = {
  /** The path without links. */
  readonly path: string;
  readonly parent: Directory;
  readonly name: string;
  readonly status: Stats | null;
  readonly level: number;
  /** How to reach it on the host while the view is open: through its parent's descriptor. */
  readonly location: string;
  readonly directory: Directory | null;
};
/** Paths of the directories of a layer that hide the same ones of lower layers; node can't ask the file system for them. */
export type OpaqueDirectories = ReadonlySet<string> | "unknown";
export const noOpaqueDirectories: OpaqueDirectories = new Set<string>();
export type Mapped = { readonly target: string; readonly source: string; readonly readOnly: boolean };

/** Thrown when the answer depends on what only a mounted overlay knows (opaque directories). */
export class NeedsMount extends Error {}

const isWhiteout = (status: Stats): boolean => status.isCharacterDevice() && status.rdev === 0;

export class FileView {
  readonly #open: number[] = [];
  readonly #root: Directory;
  readonly #mapped: ReadonlyMap<string, Mapped>;
  readonly #opaque: readonly OpaqueDirectories[];

  /** `opaque` says of each layer which of its directories hide what lies under them. */
  constructor(layers: readonly string[], mapped: readonly Mapped[], opaque: readonly OpaqueDirectories[]) {
    this.#mapped = new Map(mapped.map((mount) => [mount.target, mount]));
    this.#opaque = opaque;
    this.#root = {
      path: "/",
      levels: layers.map((layer, level) => ({
        fd: this.#keep(openSync(layer, openDirectory & ~constants.O_NOFOLLOW)),
        level,
      })),
      readOnly: false,
    };
  }

  close(): void {
    for (const fd of this.#open.splice(0)) closeSync(fd);
  }

  /** What is open by now; `release` closes what was opened after it. */
  mark(): number {
    return this.#open.length;
  }

  release(mark: number): void {
    for (const fd of this.#open.splice(mark)) closeSync(fd);
  }

  get root(): Directory {
    return this.#root;
  }

  /**
   * Finds `path`. `links`: "follow" resolves them inside the root, "last" all but the last component, "refuse" none:
   * a link in the middle then counts as what it is, not a directory (`linkInPath` tells).
   */
  find(path: string, links: "follow" | "last" | "refuse"): Found & { readonly linkInPath: string | null } {
    const pending = path.split("/").filter((part) => part !== "" && part !== ".");
    const trail: Directory[] = [this.#root];
    let followed = 0;
    let found: Found = this.#found(this.#root, this.#root, "");
    while (pending.length > 0) {
      const name = pending.shift()!;
      const current = trail[trail.length - 1]!;
      if (name === "..") {
        if (trail.length > 1) trail.pop();
        found = this.#found(trail[trail.length - 1]!, trail[trail.length - 1]!, "");
        continue;
      }
      found = this.child(current, name);
      if (found.status === null) {
        if (pending.length === 0) return { ...found, linkInPath: null };
        const rest = [found.path, ...pending].join("/");
        return { ...found, path: rest, name: [name, ...pending].join("/"), linkInPath: null };
      }
      if (found.status.isSymbolicLink() && (pending.length > 0 || links === "follow")) {
        if (links === "refuse") return { ...found, status: null, linkInPath: found.path };
        followed += 1;
        if (followed > 40) throw pathError("too_many_links", path, "has more than 40 links in it");
        const target = readlinkSync(found.location);
        if (target.startsWith("/")) trail.splice(1);
        pending.unshift(...target.split("/").filter((part) => part !== "" && part !== "."));
        found = this.#found(trail[trail.length - 1]!, trail[trail.length - 1]!, "");
        continue;
      }
      if (found.directory !== null) trail.push(found.directory);
      else if (pending.length > 0) throw pathError("not_a_directory", found.path, "is not a directory");
    }
    return { ...found, linkInPath: null };
  }

  /** The entry `name` of a directory. */
  child(directory: Directory, name: string): Found {
    const path = directory.path === "/" ? `/${name}` : `${directory.path}/${name}`;
    const mount = this.#mapped.get(path);
    if (mount !== undefined) return this.#mounted(mount, directory, name);
    const levels: { fd: number; level: number }[] = [];
    let first: { status: Stats; level: number; location: string } | null = null;
    for (const [index, { fd, level }] of directory.levels.entries()) {
      const location = `/proc/self/fd/${fd}/${name}`;
      const status = lstatSync(location, { throwIfNoEntry: false });
      if (status === undefined) continue;
      if (isWhiteout(status)) break;
      if (index > 0 && this.#hides(directory, index)) break;
      if (first === null) first = { status, level, location };
      if (!status.isDirectory()) break;
      if (!first.status.isDirectory()) break;
      levels.push({ fd: this.#keep(openSync(location, openDirectory)), level });
    }
    return {
      path,
      parent: directory,
      name,
      status: first?.status ?? null,
      level: first?.level ?? -1,
      location: first?.location ?? "",
      directory: levels.length > 0 ? { path, levels, readOnly: directory.readOnly } : null,
    };
  }

  /** The names in a directory, sorted. */
  names(directory: Directory): string[] {
    const seen = new Set<string>();
    const gone = new Set<string>();
    for (const [index, { fd, level }] of directory.levels.entries()) {
      if (index > 0 && this.#hides(directory, index)) break;
      for (const name of readdirSync(`/proc/self/fd/${fd}`)) {
        if (seen.has(name) || gone.has(name)) continue;
        const status = lstatSync(`/proc/self/fd/${fd}/${name}`, { throwIfNoEntry: false });
        if (status !== undefined && isWhiteout(status) && (level > 0 || directory.levels.length > 1)) gone.add(name);
        else seen.add(name);
      }
    }
    const prefix = directory.path === "/" ? "/" : `${directory.path}/`;
    for (const target of this.#mapped.keys()) {
      if (target.startsWith(prefix)) seen.add(target.slice(prefix.length).split("/")[0]!);
    }
    return [...seen].sort();
  }

  keep(fd: number): number {
    return this.#keep(fd);
  }

  /** Whether one of the first `count` levels hides the ones under it. */
  #hides(directory: Directory, count: number): boolean {
    if (directory.path === "/") return false;
    for (const { level } of directory.levels.slice(0, count)) {
      const opaque = this.#opaque[level] ?? noOpaqueDirectories;
      if (opaque === "unknown") throw new NeedsMount();
      if (opaque.has(directory.path)) return true;
    }
    return false;
  }

  #keep(fd: number): number {
    this.#open.push(fd);
    return fd;
  }

  #found(directory: Directory, parent: Directory, name: string): Found {
    const top = directory.levels[0]!;
    const location = `/proc/self/fd/${top.fd}/.`;
    return { path: directory.path, parent, name, status: lstatSync(location), level: top.level, location, directory };
  }

  #mounted(mount: Mapped, parent: Directory, name: string): Found {
    const status = lstatSync(mount.source, { throwIfNoEntry: false }) ?? null;
    const directory = status?.isDirectory()
      ? {
          path: mount.target,
          levels: [{ fd: this.#keep(openSync(mount.source, openDirectory)), level: 0 }],
          readOnly: mount.readOnly,
        }
      : null;
    return {
      path: mount.target,
      parent: { ...parent, readOnly: mount.readOnly },
      name,
      status,
      level: 0,
      location: mount.source,
      directory,
    };
  }
}

export const pathError = (code: string, path: string, what: string): SandboxError =>
  new SandboxError({ code, message: `${path} ${what}`, where: { file: path }, details: { path } });
