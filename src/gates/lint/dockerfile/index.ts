import { posix } from "node:path";
import {
  type CopyInstruction,
  type Dockerfile,
  type Instruction,
  parseDockerfile,
  type Stage,
  substitute,
} from "../../../sandbox/index.ts";
import { excerptOf, type Finding, sortFindings } from "../finding.ts";
import { pipesToShell, pipeToShellMessage } from "../pipe-to-shell.ts";
import { type ContextFiles, stateOfSource } from "./context.ts";
import { type ListState, lintPackages } from "./packages.ts";
import { runScript } from "./run-script.ts";

type Report = (rule: string, severity: Finding["severity"], line: number, message: string) => void;
type StageState = { lists: ListState; workdir: boolean; pipefail: boolean; variables: Record<string, string> };

/**
 * Lints a Dockerfile. `file` is its path in reports; `context` the folder that it is built from (null: not checked).
 * The image of a separate verifier (`verifierImage`) must own /tests/test.sh.
 */
export function lintDockerfile(
  source: string,
  options: { file: string; context: ContextFiles | null; verifierImage?: boolean },
): Finding[] {
  const dockerfile = parseDockerfile(source);
  const findings: Finding[] = [];
  const report: Report = (rule, severity, line, message) =>
    findings.push({ rule, severity, message, file: options.file, line, excerpt: excerptOf(source, line) });
  for (const { code, severity, line, message } of dockerfile.problems) report(code, severity, line, message);

  const states: StageState[] = [];
  for (const stage of dockerfile.stages) {
    const parent = parentOf(stage, dockerfile);
    const inherited = parent === null ? undefined : states[parent.index];
    const globals = argumentsOf(dockerfile);
    const state: StageState = {
      lists: inherited?.lists ?? (distributionImage.test(stage.from.image) ? "none" : "unknown"),
      workdir: inherited?.workdir ?? false,
      pipefail: inherited?.pipefail ?? false,
      variables: { ...globals, ...inherited?.variables },
    };
    if (parent === null) lintBase(stage, globals, report);
    for (const instruction of stage.instructions)
      lintInstruction(instruction, state, dockerfile, options.context, report);
    states.push(state);
  }
  const last = dockerfile.stages.at(-1);
  if (last !== undefined) lintStart(last, report);
  if (last !== undefined && options.verifierImage === true) lintVerifierImage(last, report);
  return sortFindings(findings);
}

const parentOf = (stage: Stage, dockerfile: Dockerfile): Stage | null =>
  dockerfile.stages.find(
    ({ name, index }) => index < stage.index && name !== null && name === stage.from.image.toLowerCase(),
  ) ?? null;

const argumentsOf = (dockerfile: Dockerfile): Record<string, string> =>
  Object.fromEntries(
    dockerfile.globals.flatMap(({ variables }) =>
      variables.flatMap(({ name, defaultValue }) =>
        defaultValue === null ? [] : [[name, substitute(defaultValue, {}).value]],
      ),
    ),
  );

/** Images that are known to come without package lists. */
const distributionImage =
  /^(docker\.io\/)?(library\/)?(debian|ubuntu|python|node|golang|rust|ruby|php|perl|gcc|openjdk|eclipse-temurin|buildpack-deps|nginx|httpd|postgres|redis)([:@]|$)/;

function lintBase(stage: Stage, globals: Record<string, string>, report: Report): void {
  const { value, missing, error } = substitute(stage.from.image, globals);
  if (missing.length > 0 || error !== null || value === "scratch" || value.includes("@sha256:")) return;
  const tag = /:([\w][\w.-]*)$/.exec(value)?.[1] ?? null;
  if (tag === null || tag === "latest")
    report("unpinned_base", "warning", stage.from.line, `${value} names no version: it is another image next month`);
}

function lintInstruction(
  instruction: Instruction,
  state: StageState,
  dockerfile: Dockerfile,
  context: ContextFiles | null,
  report: Report,
): void {
  switch (instruction.keyword) {
    case "WORKDIR":
      state.workdir = true;
      return;
    case "SHELL":
      state.pipefail = instruction.words.includes("pipefail");
      return;
    case "ENV":
      for (const { name, value } of instruction.pairs) state.variables[name] = substitute(value, state.variables).value;
      return;
    case "ARG":
      for (const { name, defaultValue } of instruction.variables)
        if (defaultValue !== null) state.variables[name] = substitute(defaultValue, state.variables).value;
      return;
    case "RUN": {
      const read = runScript(instruction);
      if (read === null) return;
      for (const { message, line } of read.script.problems)
        report("shell_syntax", "warning", read.lineOf(line), message);
      const { findings, after } = lintPackages(read, state.lists);
      for (const { rule, severity, line, message } of findings) report(rule, severity, line, message);
      state.lists = after;
      if (!state.pipefail)
        for (const line of pipesToShell(read.script.statements))
          report("pipe_to_shell", "warning", read.lineOf(line), pipeToShellMessage);
      return;
    }
    case "COPY":
    case "ADD":
      lintCopy(instruction, state, dockerfile, context, report);
      return;
    default:
  }
}

function lintCopy(
  copy: CopyInstruction,
  state: StageState,
  dockerfile: Dockerfile,
  context: ContextFiles | null,
  report: Report,
): void {
  const { line } = copy;
  const resolve = (word: string) => {
    const { value, missing, error } = substitute(word, state.variables);
    return missing.length > 0 || error !== null ? null : value;
  };
  const destination = resolve(copy.destination);
  if (destination !== null && destination !== "" && !destination.startsWith("/") && !state.workdir)
    report(
      "relative_copy",
      "warning",
      line,
      `${copy.keyword} to ${destination} with no WORKDIR before it: where the files land is up to the base image`,
    );
  if (copy.from !== null) {
    const stage = dockerfile.stages.some(
      ({ name, index }) => name === copy.from?.toLowerCase() || String(index) === copy.from,
    );
    if (!stage && !copy.from.includes("$"))
      report(
        "copy_from_registry",
        "warning",
        line,
        `files come from the image ${copy.from}, which must be pulled to build`,
      );
    return;
  }
  for (const written of copy.sources) {
    if (/^\d*<<-?/.test(written)) continue;
    const source = resolve(written);
    if (source === null) continue;
    if (/^(https?|ftp):\/\//i.test(source) || /^git@|\.git(#|$)/.test(source)) {
      if (copy.keyword === "ADD" && !copy.flags.some(({ name }) => name === "checksum"))
        report("add_url", "warning", line, `ADD fetches ${source} at build time, with nothing to check what comes`);
      continue;
    }
    const first = source.replace(/^(\.?\/)+/, "").split("/")[0] ?? "";
    if (context === null) continue;
    const found = stateOfSource(source, context);
    if (found === "missing") report("copy_missing", "error", line, `${source} is not in the build context`);
    if (found === "outside") report("copy_outside", "error", line, `${source} lies outside the build context`);
    if (found === "ignored")
      report("copy_ignored", "error", line, `${source} is left out of the build context by .dockerignore`);
    if (found === "present" && /^solutions?$/.test(first))
      report("copy_solution", "error", line, `${source} puts a solution into the image that the agent gets`);
  }
}

/** The runner starts /tests/test.sh of the verifier's own image: some COPY must put it there. */
function lintVerifierImage(stage: Stage, report: Report): void {
  let directory = "/";
  let line = stage.from.line;
  for (const instruction of stage.instructions) {
    if (instruction.keyword === "WORKDIR") directory = posix.resolve(directory, instruction.value);
    if (instruction.keyword === "RUN" && instruction.text.includes("/tests")) return;
    if (instruction.keyword !== "COPY" && instruction.keyword !== "ADD") continue;
    const target = posix.resolve(directory, instruction.destination);
    const brings = instruction.sources.some(
      (source) => /(^|\/)(test\.sh|\.|\*(\.sh)?)\/?$/.test(source) || instruction.from !== null,
    );
    if (brings && (target === "/tests" || target === "/tests/test.sh")) return;
    if (brings) line = instruction.line;
  }
  report(
    "verifier_script_missing",
    "error",
    line,
    "no COPY puts test.sh at /tests/test.sh, where the verifier's image must have it",
  );
}

/** The container is kept alive by a command of the runner's own: what ENTRYPOINT and CMD would start never runs. */
function lintStart(stage: Stage, report: Report): void {
  const harmless = /^(\/bin\/|\/usr\/bin\/)?(ba|da|z|k|a)?sh$|^(sleep|tail|cat|python[\d.]*|node|irb|true)$/;
  for (const instruction of stage.instructions) {
    if (instruction.keyword !== "ENTRYPOINT" && instruction.keyword !== "CMD") continue;
    const words = instruction.argv ?? (instruction.shell ?? "").trim().split(/\s+/);
    if (words.length === 0 || (words.length === 1 && words[0] === "")) continue;
    if (harmless.test(words[0] ?? "") && !words.some((word) => /(entrypoint|start|\.sh)/.test(word))) continue;
    report(
      "entrypoint_ignored",
      "warning",
      instruction.line,
      `${instruction.keyword} is replaced when the container is kept alive: what \`${words[0]}\` sets up or starts will be missing`,
    );
  }
}
