// RUN commands that change nothing on a machine which already has what they install, and a few plain ones that are
// changes of the tree. Anything else is refused.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { posix } from "node:path";
import type { RunInstruction } from "../dockerfile/index.ts";
import { splitRawWords, unquote } from "../dockerfile/words.ts";
import { findOwner, type HostState, makeDirectory, writable } from "./interpret.ts";
import { copyInto } from "./skeleton.ts";

export function runInstruction(instruction: RunInstruction, state: HostState): void {
  if (instruction.mounts.some((mount) => !/type=(?:cache|tmpfs)/.test(mount)))
    state.refuse("RUN --mount needs a builder");
  if (instruction.argv) {
    runCommand([...instruction.argv], state);
    return;
  }
  let text = instruction.shell ?? "";
  const [only] = instruction.heredocs;
  if (only) {
    if (instruction.heredocs.length > 1 || !/^<<-?\S+$/.test(text.trim())) state.refuse(`RUN ${text} feeds a program`);
    text = only.content
      .replace(/\\\n/g, "")
      .replace(/^#.*$/gm, "")
      .replace(/^set -[a-z]+( pipefail)?$/gm, "");
  }
  for (const command of splitCommands(text, state)) runCommand(command, state);
}

/** Commands joined by `&&`, `;` or line ends, as lists of words; anything that needs a shell is refused. */
function splitCommands(text: string, state: HostState): string[][] {
  const commands: string[][] = [];
  for (const part of text.split(/&&|;|\n/)) {
    const raw = splitRawWords(part, "\\");
    if (raw.length === 0) continue;
    const plainGlob = raw[0] === "rm";
    for (const word of raw) {
      const bare = word.replace(/'[^']*'/g, "").replace(/^[A-Za-z_]\w*=/, "");
      if (/[|<>`$(){}&]/.test(bare) || (/[*?[\]~]/.test(bare) && !plainGlob))
        state.refuse(`"${part.trim().slice(0, 80)}" needs a shell, which only a builder has`);
    }
    commands.push(raw.map((word) => unquote(word, "\\")));
  }
  return commands;
}

function runCommand(words: string[], state: HostState): void {
  while (words[0] !== undefined && /^[A-Za-z_]\w*=/.test(words[0])) words.shift();
  const [name = "true", ...rest] = words;
  const operands = rest.filter((word) => !word.startsWith("-"));
  const options = rest.filter((word) => word.startsWith("-"));
  const absolute = (path: string) => posix.resolve(state.workingDirectory, path);
  const unsupported = (): never =>
    state.refuse(`"${words.join(" ").slice(0, 80)}" changes the system, which only a builder can do`);
  switch (posix.basename(name)) {
    case "true":
    case ":":
    case "set":
    case "export":
      return;
    case "apt":
    case "apt-get":
      aptCommand(rest, state, unsupported);
      return;
    case "rm":
      if (
        operands.every(
          (path) =>
            /^\/(?:var\/(?:lib\/apt|cache\/(?:apt|debconf)|log)|tmp|var\/tmp|root\/\.cache)\b/.test(path) &&
            !path.includes(".."),
        )
      )
        return;
      throw unsupported();
    case "mkdir":
      if (options.some((option) => !/^-(?:p|v|pv|-parents|-verbose)$/.test(option))) throw unsupported();
      for (const path of operands) makeDirectory(state, absolute(path), runOwner(state));
      return;
    case "touch":
      if (options.length > 0) throw unsupported();
      for (const path of operands) {
        const target = writable(state, absolute(path));
        if (!state.tree.get(target))
          state.tree.set(target, { type: "file", mode: 0o644, ...runOwner(state), content: Buffer.alloc(0) });
      }
      return;
    case "ln": {
      const [target, path] = operands;
      if (operands.length !== 2 || !target || !path || !options.some((option) => /^-[sfn]*s[sfn]*$/.test(option)))
        throw unsupported();
      const place = writable(state, absolute(path), true);
      if (state.tree.get(place)) throw unsupported();
      state.tree.set(place, { type: "symlink", mode: 0o777, ...runOwner(state), target });
      return;
    }
    case "chmod":
    case "chown": {
      const [value = "", ...paths] = operands;
      const recursive = options.some((option) => /^-(?:R|-recursive)$/.test(option));
      if (options.some((option) => !/^-(?:R|-recursive)$/.test(option)) || paths.length === 0 || state.user !== "")
        throw unsupported();
      const change = name.endsWith("chown") ? findOwner(state, value) : (octal(value) ?? unsupported());
      for (const path of paths) {
        const target = writable(state, absolute(path));
        if (!state.tree.get(target)) throw unsupported();
        for (const one of recursive ? state.tree.under(target) : [target]) {
          const node = state.tree.get(one);
          if (node && (node.type !== "symlink" || "uid" in change)) state.tree.set(one, { ...node, ...change });
        }
      }
      return;
    }
    default:
      throw unsupported();
  }
}

const octal = (value: string): { mode: number } | null =>
  /^[0-7]{3,4}$/.test(value) ? { mode: Number.parseInt(value, 8) } : null;

const runOwner = (state: HostState): { uid: number; gid: number } => findOwner(state, state.user);

function aptCommand(words: readonly string[], state: HostState, unsupported: () => never): void {
  const rest: string[] = [];
  for (let i = 0; i < words.length; i++) {
    const word = words[i] as string;
    if (word === "-o" || word === "-t" || word === "-c") i++;
    else if (!word.startsWith("-")) rest.push(word);
  }
  const [verb, ...names] = rest;
  if (["update", "clean", "autoclean", "autoremove"].includes(verb ?? "") && names.length === 0) return;
  if (verb !== "install") unsupported();
  for (const name of names) {
    const [bare = "", version] = name.split("=");
    const installed = state.packages.find(bare.replace(/:(?:amd64|arm64|all|any|native)$/, ""));
    if (!installed) state.refuse(`the package ${bare} isn't installed on this machine`);
    else if (version !== undefined && installed.version !== version)
      state.refuse(`${bare} is wanted in version ${version} and installed in ${installed.version || "an unknown one"}`);
    else for (const conffile of installed.conffiles) carryOver(conffile, bare, state);
  }
}

/** A package's settings come along as they were shipped. */
function carryOver(conffile: { path: string; md5: string }, name: string, state: HostState): void {
  if (state.tree.get(conffile.path)) return;
  let content: Buffer;
  try {
    content = readFileSync(conffile.path);
  } catch {
    return;
  }
  if (createHash("md5").update(content).digest("hex") !== conffile.md5)
    state.refuse(`${conffile.path} of the package ${name} was changed on this machine`);
  copyInto(state.tree, conffile.path);
}
