// The files of one box as seen from outside: its view, the owners in it, its users, the places of its mounts.
import { join } from "node:path";
import { SandboxError, type SandboxSpec } from "../../contract/index.ts";
import type { StagedMount } from "./bubblewrap-arguments.ts";
import { type HostOwner, readFileIn } from "./file-operations.ts";
import { FileView, type Mapped, noOpaqueDirectories, type OpaqueDirectories } from "./file-view.ts";
import type { Life } from "./life.ts";
import { resolveUser, type User } from "./users.ts";
import type { Workshop } from "./workshop.ts";

const mostAccountBytes = 4 * 1024 * 1024;

export class BoxFiles {
  /** Read-only layers, the top first. */
  readonly layers: readonly string[];
  /** Nothing has run yet, so the written layer holds only what was written from outside. */
  pristine = true;
  /** Which directories of the written layer hide what lies under them: known until something runs, and once it was read. */
  opaque: OpaqueDirectories = noOpaqueDirectories;
  readonly #workshop: Workshop;
  readonly #directory: string;
  readonly #spec: SandboxSpec;
  /** Users that need not be looked up again: root, and whom the untouched image has. */
  readonly #users = new Map<string, User>();

  constructor(workshop: Workshop, directory: string, spec: SandboxSpec) {
    this.#workshop = workshop;
    this.#directory = directory;
    this.#spec = spec;
    this.layers = workshop.layersOf(spec.image);
  }

  /** The mounted tree when there is a life, else the layers, which need no process. To be closed. */
  view(life: Life | null): FileView {
    if (life?.alive) return new FileView([`/proc/${life.monitorPid}/root/mnt/r`], this.#mapped(), []);
    const opaque = [this.opaque, ...this.layers.map(this.#workshop.opaqueOf)] as const;
    return new FileView([join(this.#directory, "u"), ...this.layers], this.#mapped(), opaque);
  }

  imageView(): FileView {
    return new FileView(this.layers, [], this.layers.map(this.#workshop.opaqueOf));
  }

  /** Uses a view and closes it. */
  async with<T>(life: Life | null, use: (view: FileView) => T | Promise<T>): Promise<T> {
    const view = this.view(life);
    try {
      return await use(view);
    } finally {
      view.close();
    }
  }

  owner(user?: User): HostOwner {
    const { shift } = this.#workshop;
    return shift === 0
      ? { uid: process.getuid!(), gid: process.getgid!() }
      : { uid: (user?.uid ?? 0) + shift, gid: (user?.gid ?? 0) + shift };
  }

  /** The owner inside of what the host knows as `id`. */
  readonly insideOwner = (id: number): number => {
    const { shift } = this.#workshop;
    if (shift === 0) return id === process.getuid!() || id === process.getgid!() ? 0 : id;
    return id >= shift ? id - shift : 65_534;
  };

  user(name: string, view: FileView): User {
    const known = this.#users.get(name);
    if (known !== undefined) return known;
    const user = resolveUser(name, (path) => {
      try {
        return Buffer.from(readFileIn(view, path, mostAccountBytes)).toString("utf8");
      } catch (error) {
        if (SandboxError.isInstance(error)) return null;
        throw error;
      }
    });
    if (this.pristine || name === "" || name === "0" || name === "root") this.#users.set(name, user);
    return user;
  }

  /** The mounts with targets in which no link is left. */
  stagedMounts(view: FileView, withResolver: boolean): StagedMount[] {
    const place = (target: string): string => {
      try {
        return view.find(target, "follow").path;
      } catch {
        return target;
      }
    };
    const mounts = (this.#spec.mounts ?? []).map(({ target, readOnly }, index) => ({
      name: `m${index}`,
      target: place(target),
      readOnly,
    }));
    return withResolver
      ? [...mounts, { name: "resolv.conf", target: place("/etc/resolv.conf"), readOnly: true }]
      : mounts;
  }

  #mapped(): Mapped[] {
    const mounts: Mapped[] = (this.#spec.mounts ?? []).map((mount) => ({ ...mount }));
    mounts.push({ source: join(this.#directory, "stage/shm"), target: "/dev/shm", readOnly: false });
    if (this.#spec.image.hostSystem) mounts.push({ source: "/usr", target: "/usr", readOnly: true });
    return mounts;
  }
}
