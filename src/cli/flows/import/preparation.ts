// What a verifier would fetch while it grades, put into the image when it is built: the same commands, run once, and a
// verifier that finds their results without network.
import { shellWord } from "../../../contract/index.ts";
import type { FetchedTool } from "../../../gates/index.ts";
import { parseDockerfile } from "../../../sandbox/index.ts";
import type { TaskFolderFile } from "../../../tasks/index.ts";

export type Preparation = {
  readonly files: readonly TaskFolderFile[];
  /** For the verifier: where the results are, and that there is no network. */
  readonly variables: Readonly<Record<string, string>>;
  /** What was prepared, for reports. */
  readonly done: readonly string[];
  /** Changes of tests/test.sh. */
  readonly changes: readonly string[];
};
export type PreparationOptions = {
  /** `system`: an interpreter that `uvx --python 3.13` asks for is the image's own, whatever its version. */
  readonly pythonPins: "exact" | "system";
};

const place = "/usr/local/lib/routesetter";
const script = "tests/test.sh";
const recipe = "environment/Dockerfile";

const uvVariables = {
  UV_CACHE_DIR: `${place}/uv-cache`,
  UV_LINK_MODE: "copy",
  UV_PYTHON_DOWNLOADS: "never",
};

/** A reason, as text, when something can't be prepared. */
export function prepare(
  files: readonly TaskFolderFile[],
  tools: readonly FetchedTool[],
  options: PreparationOptions,
): Preparation | string {
  const dockerfile = textOf(files, recipe);
  const source = textOf(files, script);
  if (dockerfile === null) return "the image is not made from a Dockerfile of the task";
  if (source === null) return "there is no tests/test.sh";
  const steps: string[] = [];
  const done: string[] = [];
  let variables: Record<string, string> = {};
  let changed = source;
  const changes: string[] = [];
  if (tools.some(({ kind }) => kind === "uv-installer" || kind === "uvx" || kind === "uv")) {
    steps.push(installUv(tools));
    variables = { ...variables, ...uvVariables, UV_OFFLINE: "1" };
  }
  for (const tool of tools) {
    const step = stepFor(tool, options);
    if (step === null) continue;
    if ("reason" in step) return `line ${tool.line}: ${step.reason}`;
    steps.push(step.command);
    done.push(`${script}:${tool.line} ${step.what}`);
    variables = { ...variables, ...step.variables };
  }
  for (const [line, from, to] of rewritten(changed, tools, options)) {
    changes.push(`line ${line}: "${from.trim()}" became "${to.trim()}"`);
    changed = changed
      .split("\n")
      .with(line - 1, to)
      .join("\n");
  }
  if (tools.some(({ kind }) => kind === "uv-installer")) done.unshift("uv from PyPI, in place of its installer");
  return {
    files: files.map((file) =>
      file.path === recipe
        ? { ...file, content: withSteps(dockerfile, steps) }
        : file.path === script
          ? { ...file, content: changed }
          : file,
    ),
    variables,
    done,
    changes,
  };
}

const textOf = (files: readonly TaskFolderFile[], path: string): string | null => {
  const found = files.find((file) => file.path === path);
  return found === undefined ? null : Buffer.from(found.content as Uint8Array).toString("utf8");
};

type Step = { command: string; what: string; variables: Record<string, string> } | { reason: string } | null;

function stepFor({ kind, words, what }: FetchedTool, options: PreparationOptions): Step {
  const unclear = words.find((word) => /[$`*]|^<\(/.test(word) || /^(?:-r|--requirements?)(?:=|$)/.test(word));
  if (kind === "other") return { reason: `${what}, which no package registry gives` };
  if (kind === "uv-installer") return null;
  if (unclear !== undefined)
    return { reason: `"${words.join(" ")}" names what isn't known before it runs (${unclear})` };
  const command = words.map(shellWord).join(" ");
  const uv = Object.entries(uvVariables)
    .map(([name, value]) => `${name}=${value}`)
    .join(" ");
  switch (kind) {
    case "apt":
      if (!words.includes("install")) return null;
      return {
        command: `apt-get update && DEBIAN_FRONTEND=noninteractive ${command} && rm -rf /var/lib/apt/lists/*`,
        what: words.join(" "),
        variables: {},
      };
    case "pip":
      return { command, what: words.join(" "), variables: { PIP_NO_INDEX: "1" } };
    case "npm":
      return {
        command: `npm_config_cache=${place}/npm-cache ${command}`,
        what: words.join(" "),
        variables: {
          npm_config_cache: `${place}/npm-cache`,
          npm_config_offline: "true",
          npm_config_audit: "false",
          npm_config_fund: "false",
        },
      };
    case "uvx": {
      const own = withoutPin(words, options);
      const until = programOf(own);
      if (until === null) return { reason: `"${words.join(" ")}" names no program` };
      const call = own
        .slice(0, until + 1)
        .map(shellWord)
        .join(" ");
      return { command: `${uv} ${call} --version`, what: call, variables: {} };
    }
    case "uv":
      return uvStep(withoutPin(words, options), uv);
  }
}

function uvStep(words: readonly string[], uv: string): Step {
  const [, verb, second] = words;
  const rest = words.map(shellWord).join(" ");
  const aside = `cd "$(mktemp -d)" && export ${uv}`;
  if (verb === "add")
    return { command: `${aside} && uv init --quiet --name prepared . && ${rest}`, what: rest, variables: {} };
  if (verb === "pip" && second === "install") {
    const packages = words.slice(3).filter((word) => word !== "--system" && word !== "--break-system-packages");
    const list = packages.map(shellWord).join(" ");
    return {
      command: `${aside} && uv venv --quiet v && uv pip install --python v/bin/python ${list}`,
      what: rest,
      variables: {},
    };
  }
  if (verb === "tool" && second === "install") return { command: `${uv} ${rest}`, what: rest, variables: {} };
  if (verb === "run") {
    const withs = words.flatMap((word, index) =>
      /^(?:-w|--with)$/.test(words[index - 1] ?? "") ? ["--with", shellWord(word)] : [],
    );
    if (withs.length === 0) return null;
    return { command: `${aside} && uv run --no-project ${withs.join(" ")} python -c pass`, what: rest, variables: {} };
  }
  return { reason: `"${words.join(" ")}" is not known` };
}

const valued = new Set([
  "-p",
  "--python",
  "-w",
  "--with",
  "--from",
  "--index-url",
  "--default-index",
  "--index",
  "-i",
  "--extra-index-url",
  "--with-requirements",
  "--color",
]);

/** The position of the program that uvx runs. */
function programOf(words: readonly string[]): number | null {
  for (let index = 1; index < words.length; index++) {
    const word = words[index] as string;
    if (valued.has(word)) index++;
    else if (!word.startsWith("-")) return index;
  }
  return null;
}

const withoutPin = (words: readonly string[], { pythonPins }: PreparationOptions): string[] =>
  pythonPins === "exact"
    ? [...words]
    : words.filter(
        (word, index) => !/^(?:-p|--python)(?:=|$)/.test(word) && !/^(?:-p|--python)$/.test(words[index - 1] ?? ""),
      );

/** Lines of test.sh that would go for the network all the same: line, before, after. */
function* rewritten(
  source: string,
  tools: readonly FetchedTool[],
  { pythonPins }: PreparationOptions,
): Generator<[number, string, string]> {
  const lines = source.split("\n");
  const pinned = new Set<number>();
  for (const { kind, line } of tools) {
    if (pythonPins === "exact" || (kind !== "uvx" && kind !== "uv")) continue;
    pinned.add(line);
    for (let next = line; lines[next - 1]?.endsWith("\\"); ) pinned.add(++next);
  }
  for (const [index, line] of lines.entries()) {
    if (/^\s*(?:curl|wget)\s[^;&]*astral\.sh\/uv\/[^;&|]*\|\s*(?:env\s[^;&|]*)?(?:ba)?sh[^;&|]*$/.test(line))
      yield [index + 1, line, ": # uv is in the image"];
    else if (pinned.has(index + 1)) {
      const bare = line.replace(/(^|\s)(?:-p|--python)(?:\s+|=)[\w.@:-]+/g, "$1");
      if (bare !== line) yield [index + 1, line, bare];
    }
  }
}

function installUv(tools: readonly FetchedTool[]): string {
  const versions = tools.flatMap(({ words }) =>
    words.flatMap((word) => /astral\.sh\/uv\/(\d[\w.]*)\//.exec(word)?.[1] ?? []),
  );
  const uv = versions[0] === undefined ? "uv" : `uv==${versions[0]}`;
  return [
    "if ! command -v uv >/dev/null 2>&1; then",
    "  if ! python3 -m venv --help >/dev/null 2>&1 || ! python3 -m ensurepip --version >/dev/null 2>&1; then",
    "    apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends python3 python3-venv ca-certificates && rm -rf /var/lib/apt/lists/*",
    "  fi",
    `  python3 -m venv ${place}/uv && ${place}/uv/bin/pip install --quiet ${uv}`,
    `  mkdir -p /usr/local/bin && ln -sf ${place}/uv/bin/uv ${place}/uv/bin/uvx /usr/local/bin/`,
    "fi",
    'for d in /root/.local/bin /root/.cargo; do mkdir -p "$d" && printf \'export PATH="/usr/local/bin:$PATH"\\n\' > "$d/env"; done',
  ].join("\n");
}

/** The steps at the recipe's end, as root; its user stays who it was. */
function withSteps(dockerfile: string, steps: readonly string[]): string {
  let user: string | null = null;
  for (const instruction of parseDockerfile(dockerfile).instructions)
    if (instruction.keyword === "FROM") user = null;
    else if (instruction.keyword === "USER") user = instruction.value;
  const lines = [
    "# What tests/test.sh would fetch while it grades.",
    ...(user === null ? [] : ["USER root"]),
    ...steps.map((step) => `RUN ${JSON.stringify(["/bin/sh", "-c", `set -e\n${step}`])}`),
    ...(user === null ? [] : [`USER ${user}`]),
  ];
  return `${dockerfile.replace(/\r?\n*$/, "\n")}\n${lines.join("\n")}\n`;
}
