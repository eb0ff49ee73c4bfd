// COPY and local ADD as changes of a tree: patterns, folders' contents, here-documents, --chown, --chmod.
import { existsSync, realpathSync } from "node:fs";
import { join, posix } from "node:path";
import { SandboxError } from "../../../contract/index.ts";
import { globExpression } from "../context/ignore.ts";
import type { ContextEntry } from "../context/read.ts";
import { type CopyInstruction, substitute } from "../dockerfile/index.ts";
import { findOwner, type HostState, makeDirectory, writable } from "./interpret.ts";
import type { HostNode } from "./tree.ts";

export function copyInstruction(
  instruction: CopyInstruction,
  state: HostState,
  expand: (word: string) => string,
): void {
  if (instruction.from !== null) state.refuse("COPY --from takes files from another image");
  for (const flag of instruction.flags)
    if (!["chown", "chmod", "link"].includes(flag.name)) state.refuse(`${instruction.keyword} --${flag.name}`);
  const owner = findOwner(state, instruction.chown ? expand(instruction.chown) : "");
  const chmod = instruction.chmod === null ? null : expand(instruction.chmod);
  if (chmod !== null && !/^[0-7]{3,4}$/.test(chmod)) state.refuse(`--chmod=${chmod} isn't an octal mode`);
  const mode = chmod === null ? null : Number.parseInt(chmod, 8);
  const written = expand(instruction.destination);
  const target = posix.resolve(state.workingDirectory, written);
  const heredocNames = new Set(instruction.heredocs.map((one) => one.name));
  const words = instruction.sources.filter((word) => !/^\d*<<-?/.test(word) || heredocNames.size === 0).map(expand);
  const picked = words.flatMap((word) => select(instruction, state, word));
  const intoDirectory =
    /\/\.?$/.test(written) ||
    written === "." ||
    written === ".." ||
    picked.length + instruction.heredocs.length > 1 ||
    state.tree.get(state.tree.resolve(target))?.type === "directory";

  const place = (path: string, node: HostNode): void => {
    const resolved = writable(state, path, node.type === "symlink");
    const there = state.tree.get(resolved);
    if (there?.type === "directory" && node.type !== "directory") state.refuse(`${path} is a folder`);
    if (there?.type === "directory" && node.type === "directory") {
      makeDirectory(state, resolved);
      return;
    }
    state.tree.set(resolved, node, owner);
  };
  const nodeOf = (entry: ContextEntry): HostNode => {
    if (entry.type === "symlink") return { type: "symlink", mode: 0o777, ...owner, target: entry.target as string };
    const own = { mode: mode ?? entry.mode, ...owner };
    if (entry.type === "directory") return { type: "directory", ...own };
    return { type: "file", ...own, content: entry.content ?? { file: join(state.context.directory, entry.path) } };
  };
  for (const entry of picked) {
    if (instruction.keyword === "ADD" && /\.(?:tar|tgz|tbz2?|txz|tar\.\w+|gz|bz2|xz)$/.test(entry.path))
      state.refuse(`ADD unpacks ${entry.path}`);
    if (entry.type !== "directory") {
      place(intoDirectory ? posix.join(target, posix.basename(entry.path)) : target, nodeOf(entry));
      continue;
    }
    makeDirectory(state, target, owner, mode ?? entry.mode);
    const prefix = entry.path === "" ? "" : `${entry.path}/`;
    for (const child of state.context.entries)
      if (child.path !== entry.path && child.path.startsWith(prefix))
        place(posix.join(target, child.path.slice(prefix.length)), nodeOf(child));
  }
  for (const heredoc of instruction.heredocs) {
    const content = heredoc.expand ? substitute(heredoc.content, state.variables(), "\\", true).value : heredoc.content;
    const path = intoDirectory ? posix.join(target, heredoc.name) : target;
    place(path, { type: "file", mode: mode ?? 0o644, ...owner, content: Buffer.from(content) });
  }
}

/** Context entries that a source word names; never outside the context. */
function select(instruction: CopyInstruction, state: HostState, word: string): ContextEntry[] {
  const fail = (message: string, remedy: string): never => {
    throw new SandboxError({
      code: "image_build_failed",
      message,
      where: { file: join(state.context.directory, "Dockerfile"), line: instruction.line },
      remedy,
    });
  };
  if (/^(?:https?|git|ssh):\/\/|^git@/.test(word)) state.refuse(`${word} is fetched over the network`);
  const relative = posix.normalize(word.replace(/^\/+/, ""));
  if (relative === ".." || relative.startsWith("../"))
    return fail(`${word} leads out of the build context`, "copy from inside the folder of the Dockerfile");
  const path = relative === "." ? "" : relative.replace(/\/$/, "");
  if (path === "")
    return [{ path: "", type: "directory", mode: 0o755, size: 0, digest: null, content: null, target: null }];
  const expression = globExpression(path);
  const found = state.context.entries.filter((entry) => expression.test(entry.path));
  if (found.length === 0) {
    const linked = throughLink(state, path);
    if (linked === null)
      fail(
        existsSync(join(state.context.directory, path))
          ? `${word} is left out by .dockerignore or lies behind a link that leads out of the build context`
          : `${word} isn't in the build context`,
        "put the file beside the Dockerfile or correct the path",
      );
    else return [linked];
  }
  return found.map((entry) =>
    entry.type === "symlink"
      ? (throughLink(state, entry.path) ??
        fail(`${word} is a link that leads out of the build context or nowhere`, "copy the file that it points to"))
      : entry,
  );
}

/** What a path leads to when a link stands in it, if that is inside the context; its own path is kept for the name. */
function throughLink(state: HostState, path: string): ContextEntry | null {
  try {
    const root = realpathSync(state.context.directory);
    const real = realpathSync(join(root, path));
    if (!real.startsWith(`${root}/`)) return null;
    const entry = state.context.entries.find((one) => one.path === real.slice(root.length + 1));
    return entry ?? null;
  } catch {
    return null;
  }
}
