// A file tree in memory: what a layer will hold, with links resolved inside the tree and never on the machine.
import { posix } from "node:path";

export type HostNode =
  | { readonly type: "directory"; mode: number; uid: number; gid: number; inherited?: boolean }
  | {
      readonly type: "file";
      mode: number;
      uid: number;
      gid: number;
      readonly content: Buffer | { readonly file: string };
    }
  | { readonly type: "symlink"; mode: number; uid: number; gid: number; readonly target: string };

export class HostTree {
  readonly nodes = new Map<string, HostNode>();
  /** What lies below, read only: looked up when the tree itself has nothing. */
  readonly #below: HostTree | null;

  constructor(below: HostTree | null = null) {
    this.#below = below;
  }

  get(path: string): HostNode | undefined {
    return this.nodes.get(path) ?? this.#below?.get(path);
  }

  /** Puts a node at a path that is already resolved; missing parents are made, existing ones brought up unchanged. */
  set(path: string, node: HostNode, owner: { uid: number; gid: number } = { uid: 0, gid: 0 }): void {
    if (path !== "/") this.#ensureParent(posix.dirname(path), owner);
    this.nodes.set(path, node);
  }

  #ensureParent(path: string, owner: { uid: number; gid: number }): void {
    if (this.nodes.has(path)) return;
    const below = this.#below?.get(path);
    const node: HostNode = below ? { ...below } : { type: "directory", mode: 0o755, ...owner };
    this.set(path, node, owner);
  }

  /** Follows links in all components but, when `keepLast`, the last one. */
  resolve(path: string, keepLast = false): string {
    let done = "/";
    const waiting = posix.normalize(path).split("/").filter(Boolean);
    for (let hops = 0; waiting.length > 0; ) {
      const name = waiting.shift() as string;
      if (name === "..") {
        done = posix.dirname(done);
        continue;
      }
      const next = posix.join(done, name);
      const node = this.get(next);
      if (node?.type === "symlink" && !(keepLast && waiting.length === 0) && hops++ < 40) {
        waiting.unshift(...node.target.split("/").filter((part) => part !== "" && part !== "."));
        if (node.target.startsWith("/")) done = "/";
      } else done = next;
    }
    return done;
  }

  /** Paths at and under `path` in this tree or below it. */
  under(path: string): string[] {
    const prefix = path === "/" ? "/" : `${path}/`;
    const own = [...this.nodes.keys()].filter((one) => one === path || one.startsWith(prefix));
    return [...new Set([...own, ...(this.#below?.under(path) ?? [])])].sort();
  }
}
