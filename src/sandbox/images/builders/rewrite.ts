// The Dockerfile that an engine gets: bases replaced by what stands in for them, here-documents turned into forms that
// every engine knows, the CA bundle put in place. Lines that need no change stay as they are.
import { type Dockerfile, type Instruction, type RunInstruction, substitute } from "../dockerfile/index.ts";

export type Rewritten = { readonly text: string; readonly extra: Readonly<Record<string, string | Buffer>> };

const bundlePath = "/opt/routesetter/ca-bundle.crt";
const bundleVariables = [
  "PIP_CERT",
  "SSL_CERT_FILE",
  "NODE_EXTRA_CA_CERTS",
  "REQUESTS_CA_BUNDLE",
  "CURL_CA_BUNDLE",
  "GIT_SSL_CAINFO",
];

export function rewriteDockerfile(
  source: string,
  dockerfile: Dockerfile,
  options: {
    /** The reference to use for an image that the Dockerfile names. */
    base: (reference: string) => { tag: string; environment: Readonly<Record<string, string>> } | null;
    caBundle: Buffer | null;
  },
): Rewritten {
  const lines = source.replace(/^\uFEFF/, "").split(/\r?\n/);
  const extra: Record<string, string | Buffer> = {};
  if (options.caBundle) extra[".routesetter/ca-bundle.crt"] = options.caBundle;
  const output: string[] = dockerfile.escapeCharacter === "`" ? ["# escape=`"] : [];
  const { globals, externalOf } = references(dockerfile);
  let variables: Record<string, string> = {};
  let shell = ["/bin/sh", "-c"];
  let count = 0;
  for (const instruction of dockerfile.instructions) {
    const original = lines.slice(instruction.line - 1, instruction.endLine);
    if (instruction.keyword === "FROM") {
      const base = options.base(externalOf(instruction.image) ?? "");
      const platform = instruction.platform ? `--platform=${instruction.platform} ` : "";
      const alias = instruction.alias ? ` AS ${instruction.alias}` : "";
      output.push(base ? `FROM ${platform}${base.tag}${alias}` : original.join("\n"));
      variables = { ...base?.environment };
      shell = ["/bin/sh", "-c"];
      const image = substitute(instruction.image, globals, dockerfile.escapeCharacter).value;
      if (options.caBundle && image !== "scratch")
        output.push(
          `COPY .routesetter/ca-bundle.crt ${bundlePath}`,
          `ENV ${bundleVariables.map((name) => `${name}=${bundlePath}`).join(" ")}`,
        );
      continue;
    }
    if (instruction.keyword === "SHELL") shell = [...instruction.words];
    if (instruction.keyword === "ENV" || instruction.keyword === "ARG")
      learn(instruction, variables, globals, dockerfile);
    if (instruction.keyword === "RUN" && instruction.heredocs.length > 0)
      output.push(runWithoutHeredoc(instruction, shell));
    else if ((instruction.keyword === "COPY" || instruction.keyword === "ADD") && instruction.heredocs.length > 0) {
      const flags = instruction.flags
        .map(({ name, value }) => (value === null ? `--${name} ` : `--${name}=${value} `))
        .join("");
      const names = instruction.heredocs.map((heredoc) => {
        const path = `.routesetter/heredoc-${count++}/${heredoc.name}`;
        extra[path] = heredoc.expand ? substitute(heredoc.content, variables, "\\", true).value : heredoc.content;
        return path;
      });
      const others = instruction.sources.filter((word) => !/^\d*<<-?/.test(word));
      output.push(`${instruction.keyword} ${flags}${JSON.stringify([...others, ...names, instruction.destination])}`);
    } else if (instruction.keyword === "COPY" && instruction.from && externalOf(instruction.from)) {
      const tag = options.base(externalOf(instruction.from) ?? "")?.tag;
      output.push(
        tag ? original.join("\n").replace(`--from=${instruction.from}`, `--from=${tag}`) : original.join("\n"),
      );
    } else output.push(original.join("\n"));
  }
  return { text: `${output.join("\n")}\n`, extra };
}

/** Images that the Dockerfile needs from outside, ARGs in front of the first FROM substituted. */
export function references(dockerfile: Dockerfile): {
  globals: Record<string, string>;
  external: { reference: string; line: number }[];
  externalOf: (word: string) => string | null;
} {
  const globals: Record<string, string> = {};
  for (const { variables } of dockerfile.globals)
    for (const { name, defaultValue } of variables)
      if (defaultValue !== null) globals[name] = substitute(defaultValue, globals, dockerfile.escapeCharacter).value;
  const stages = new Set(dockerfile.stages.map((stage) => stage.name));
  const externalOf = (word: string): string | null => {
    const reference = substitute(word, globals, dockerfile.escapeCharacter).value;
    return reference === "" || reference === "scratch" || stages.has(reference.toLowerCase()) || /^\d+$/.test(reference)
      ? null
      : reference;
  };
  const external: { reference: string; line: number }[] = [];
  const add = (word: string | null | undefined, line: number): void => {
    const reference = word ? externalOf(word) : null;
    if (reference) external.push({ reference, line });
  };
  for (const instruction of dockerfile.instructions) {
    if (instruction.keyword === "FROM") add(instruction.image, instruction.line);
    if (instruction.keyword === "COPY") add(instruction.from, instruction.line);
    if (instruction.keyword === "RUN")
      for (const mount of instruction.mounts) add(/(?:^|,)from=([^,]+)/.exec(mount)?.[1], instruction.line);
  }
  return { globals, external, externalOf };
}

function learn(
  instruction: Extract<Instruction, { keyword: "ENV" | "LABEL" | "ARG" }>,
  variables: Record<string, string>,
  globals: Record<string, string>,
  dockerfile: Dockerfile,
): void {
  const expand = (word: string) => substitute(word, variables, dockerfile.escapeCharacter).value;
  if (instruction.keyword === "ARG") {
    for (const { name, defaultValue } of instruction.variables) {
      const value = defaultValue === null ? globals[name] : expand(defaultValue);
      if (value !== undefined && !(name in variables)) variables[name] = value;
    }
  } else {
    const values = instruction.pairs.map((pair) => [pair.name, expand(pair.value)] as const);
    for (const [name, value] of values) variables[name] = value;
  }
}

/** The JSON form, in which line ends can be written. */
function runWithoutHeredoc(instruction: RunInstruction, shell: readonly string[]): string {
  const mounts = instruction.flags
    .map(({ name, value }) => (value === null ? `--${name} ` : `--${name}=${value} `))
    .join("");
  const [first] = instruction.heredocs;
  const text = instruction.shell ?? "";
  const alone = instruction.heredocs.length === 1 && /^\d*<<-?\S+$/.test(text.trim());
  if (alone && first?.content.startsWith("#!")) {
    const mark = "ROUTESETTER_HEREDOC";
    const script = `set -e; f=$(mktemp); cat >"$f" <<'${mark}'\n${first.content}${mark}\nchmod 700 "$f"; "$f"; rm -f "$f"`;
    return `RUN ${mounts}${JSON.stringify(["/bin/sh", "-c", script])}`;
  }
  if (alone && first) return `RUN ${mounts}${JSON.stringify([...shell, first.content])}`;
  const bodies = instruction.heredocs.map((heredoc) => `${heredoc.content}${heredoc.name}\n`).join("");
  return `RUN ${mounts}${JSON.stringify([...shell, `${text}\n${bodies}`])}`;
}
