// Reads a Dockerfile as a change of a file tree, without running anything: what it can't express that way is refused
// with line and reason, so that another builder can be tried.
import { posix } from "node:path";
import { type ImageConfiguration, SandboxError } from "../../../contract/index.ts";
import { longestPath } from "../../carried-paths.ts";
import type { BuildContext } from "../context/read.ts";
import { type Dockerfile, type Instruction, substitute } from "../dockerfile/index.ts";
import { type HostBase, type HostSystem, hostBaseFor } from "./bases.ts";
import { copyInstruction } from "./copy.ts";
import type { HostPackages } from "./packages.ts";
import { runInstruction } from "./run.ts";
import { HostTree } from "./tree.ts";

export type HostPlan = {
  readonly base: string;
  readonly baseMatch: HostBase["match"];
  readonly baseKind: HostBase["kind"];
  readonly tree: HostTree;
  readonly configuration: ImageConfiguration;
  readonly log: string;
};
export type HostState = {
  readonly tree: HostTree;
  readonly context: BuildContext;
  readonly packages: HostPackages;
  readonly environment: Record<string, string>;
  workingDirectory: string;
  user: string;
  /** Values in instruction words: ENV over ARG. */
  readonly variables: () => Record<string, string>;
  readonly refuse: (reason: string) => never;
  readonly log: (text: string) => void;
};

/** A sandbox has this many users. */
const largestId = 65_535;
const defaultPath = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/** The tree and configuration that the Dockerfile describes. Errors: SandboxError `host_image_unsuitable`. */
export function interpretForHost(
  dockerfile: Dockerfile,
  context: BuildContext,
  host: { system: HostSystem; packages: HostPackages; skeleton: HostTree },
): HostPlan {
  const file = posix.join(context.directory, "Dockerfile");
  const refuseAt = (line: number, reason: string): never => {
    throw new SandboxError({
      code: "host_image_unsuitable",
      message: `this machine's own system can't stand in for the image: ${reason}`,
      where: { file, line },
      remedy: "start a Docker engine or install buildah, or change the Dockerfile",
    });
  };
  const broken = dockerfile.problems.find((problem) => problem.severity === "error");
  if (broken)
    throw new SandboxError({
      code: "image_build_failed",
      message: broken.message,
      where: { file, line: broken.line },
      remedy: "correct the Dockerfile",
    });
  const stage = dockerfile.stages.at(-1);
  if (!stage) throw refuseAt(1, "there is no FROM");
  if (dockerfile.stages.length > 1) refuseAt(stage.from.line, "the Dockerfile has several stages");

  const environment: Record<string, string> = { PATH: defaultPath };
  const globals: Record<string, string> = {};
  const scoped: Record<string, string> = {};
  for (const instruction of dockerfile.globals)
    for (const { name, defaultValue } of instruction.variables)
      if (defaultValue !== null) globals[name] = substitute(defaultValue, globals, dockerfile.escapeCharacter).value;
  const image = substitute(stage.from.image, globals, dockerfile.escapeCharacter).value;
  const base = hostBaseFor(image, host.system);
  if (typeof base === "string") throw refuseAt(stage.from.line, base);
  Object.assign(environment, base.environment);

  let line = stage.from.line;
  const lines: string[] = [`FROM ${image}: ${host.system.name} stands in`];
  const state: HostState = {
    tree: new HostTree(host.skeleton),
    context,
    packages: host.packages,
    environment,
    workingDirectory: "/",
    user: "",
    variables: () => ({ ...scoped, ...environment }),
    refuse: (reason) => refuseAt(line, reason),
    log: (text) => lines.push(text),
  };
  if (base.kind === "python") addPython(state);
  const expand = (word: string): string => {
    const result = substitute(word, state.variables(), dockerfile.escapeCharacter);
    if (result.error) state.refuse(result.error);
    return result.value;
  };
  for (const instruction of stage.instructions) {
    line = instruction.line;
    lines.push(`line ${line}: ${instruction.keyword} ${instruction.text.slice(0, 200)}`);
    apply(instruction, state, expand, scoped, globals);
  }
  return {
    base: image,
    baseMatch: base.match,
    baseKind: base.kind,
    tree: state.tree,
    configuration: { environment, workingDirectory: state.workingDirectory, user: state.user },
    log: `${lines.join("\n")}\n`,
  };
}

function apply(
  instruction: Instruction,
  state: HostState,
  expand: (word: string) => string,
  scoped: Record<string, string>,
  globals: Record<string, string>,
): void {
  switch (instruction.keyword) {
    case "RUN":
      runInstruction(instruction, state);
      return;
    case "COPY":
    case "ADD":
      copyInstruction(instruction, state, expand);
      return;
    case "ENV": {
      const values = instruction.pairs.map((pair) => [pair.name, expand(pair.value)] as const);
      for (const [name, value] of values) state.environment[name] = value;
      return;
    }
    case "ARG":
      for (const { name, defaultValue } of instruction.variables) {
        const value = defaultValue === null ? globals[name] : expand(defaultValue);
        if (value !== undefined) scoped[name] = value;
      }
      return;
    case "WORKDIR": {
      state.workingDirectory = posix.resolve(state.workingDirectory, expand(instruction.value));
      makeDirectory(state, state.workingDirectory);
      return;
    }
    case "USER":
      state.user = expand(instruction.value);
      findOwner(state, state.user);
      return;
    case "VOLUME":
      for (const word of instruction.words) makeDirectory(state, posix.resolve("/", expand(word)));
      return;
    case "UNKNOWN":
      throw state.refuse(`unknown instruction ${instruction.name}`);
    default:
      return;
  }
}

/** Makes a folder and its parents unless they are there. Refuses what the machine's /usr would hide. */
export function makeDirectory(state: HostState, path: string, owner = { uid: 0, gid: 0 }, mode = 0o755): void {
  const resolved = writable(state, path);
  const there = state.tree.get(resolved);
  if (there?.type === "directory") {
    if (!state.tree.nodes.has(resolved)) state.tree.set(resolved, { ...there });
    return;
  }
  if (there) state.refuse(`${path} is no folder`);
  state.tree.set(resolved, { type: "directory", mode, ...owner }, owner);
}

const isLongName = (name: string): boolean => Buffer.byteLength(name) > 255;

/** The path with links followed; refused where a layer can't write. */
export function writable(state: HostState, path: string, keepLast = false): string {
  if (path.includes("\0") || Buffer.byteLength(path) > longestPath || path.split("/").some(isLongName))
    state.refuse("a path that no file system holds");
  const resolved = state.tree.resolve(path, keepLast);
  if (/^\/(?:usr|proc|sys|dev)(?:\/|$)/.test(resolved))
    state.refuse(`${path} lies in ${resolved.split("/", 2).join("/")}, which belongs to the machine`);
  for (let parent = posix.dirname(resolved); parent !== "/"; parent = posix.dirname(parent))
    if ((state.tree.get(parent)?.type ?? "directory") !== "directory") state.refuse(`${parent} is no folder`);
  return resolved;
}

/** `user`, `user:group`, `1:2`, looked up in the tree's own /etc/passwd and /etc/group. */
export function findOwner(state: HostState, owner: string): { uid: number; gid: number } {
  if (owner === "") return { uid: 0, gid: 0 };
  const [user = "", group] = owner.split(":");
  const rows = (path: string): string[][] => {
    const node = state.tree.get(path);
    const text = node?.type === "file" && Buffer.isBuffer(node.content) ? node.content.toString("utf8") : "";
    return text.split("\n").map((row) => row.split(":"));
  };
  const entry = rows("/etc/passwd").find((row) => row[0] === user || (/^\d+$/.test(user) && row[2] === user));
  if (!entry && !/^\d+$/.test(user)) state.refuse(`the user ${user} is unknown here`);
  const uid = entry ? Number(entry[2]) : Number(user);
  if (uid > largestId || (/^\d+$/.test(group ?? "") && Number(group) > largestId))
    state.refuse(`${owner} has a number over ${largestId}`);
  if (group === undefined || group === "") return { uid, gid: entry ? Number(entry[3]) : 0 };
  const found = rows("/etc/group").find((row) => row[0] === group);
  if (!found && !/^\d+$/.test(group)) state.refuse(`the group ${group} is unknown here`);
  return { uid, gid: found ? Number(found[2]) : Number(group) };
}

/** `python` and `pip` on PATH as the python images have them. */
function addPython(state: HostState): void {
  const directory = "/opt/python/bin";
  const python = { type: "symlink", mode: 0o777, uid: 0, gid: 0, target: "/usr/bin/python3" } as const;
  for (const name of ["python", "python3"]) state.tree.set(`${directory}/${name}`, { ...python });
  for (const name of ["pip", "pip3"])
    state.tree.set(`${directory}/${name}`, {
      type: "file",
      mode: 0o755,
      uid: 0,
      gid: 0,
      content: Buffer.from('#!/bin/sh\nPIP_BREAK_SYSTEM_PACKAGES=1 exec /usr/bin/python3 -m pip "$@"\n'),
    });
  state.environment.PATH = `${directory}:${state.environment.PATH}`;
}
