// One logical line as a typed instruction: flags, JSON form, pairs, words.
import type { LogicalLine } from "./logical-lines.ts";
import type { CommandForm, DockerfileProblem, Flag, Instruction, Pair } from "./types.ts";
import { parseJsonForm, splitRawWords, unquote } from "./words.ts";

export function instructionOf(line: LogicalLine, escapeCharacter: string, problems: DockerfileProblem[]): Instruction {
  const [, name = "", after = ""] = /^(\S+)\s*([\s\S]*)$/.exec(line.text) ?? [];
  const range = { line: line.line, endLine: line.endLine };
  const report = (code: DockerfileProblem["code"], severity: "error" | "warning", message: string) =>
    problems.push({ code, severity, message, ...range });
  const keyword = name.toUpperCase();
  const { flags, rest } = ["RUN", "COPY", "ADD", "FROM", "HEALTHCHECK"].includes(keyword)
    ? takeFlags(after, escapeCharacter)
    : { flags: [], rest: after };
  const base = { ...range, text: after, pieces: line.pieces, flags, heredocs: line.heredocs };
  const flag = (wanted: string): string | null => flags.find((one) => one.name === wanted)?.value ?? null;
  const words = () => splitRawWords(rest, escapeCharacter);
  if (rest.trim() === "" && isKnown(keyword)) report("invalid_arguments", "error", `${keyword} has no argument`);

  const command = (text: string): CommandForm => {
    const argv = parseJsonForm(text);
    if (argv === null && /^\s*\[\s*["']/.test(text) && /\]\s*$/.test(text))
      report(
        "invalid_json_form",
        "warning",
        `${keyword} looks like the JSON form but isn't valid JSON (double quotes are required), so it runs in a shell`,
      );
    return argv === null ? { argv: null, shell: text } : { argv, shell: null };
  };

  switch (keyword) {
    case "FROM": {
      const [image = "", as, alias, ...more] = words();
      if (more.length > 0 || (as !== undefined && (as.toUpperCase() !== "AS" || alias === undefined)))
        report("invalid_arguments", "error", "FROM takes one image and, if wanted, AS with one name");
      return { ...base, keyword, image, alias: as === undefined ? null : (alias ?? null), platform: flag("platform") };
    }
    case "RUN":
      return {
        ...base,
        keyword,
        ...command(rest),
        mounts: flags.filter((one) => one.name === "mount").map((one) => one.value ?? ""),
      };
    case "CMD":
    case "ENTRYPOINT":
      return { ...base, keyword, ...command(rest) };
    case "COPY":
    case "ADD": {
      const list = parseJsonForm(rest) ?? words();
      const destination = list.at(-1) ?? "";
      if (list.length < 2 && rest.trim() !== "")
        report("invalid_arguments", "error", `${keyword} needs at least one source and a destination`);
      return {
        ...base,
        keyword,
        sources: list.slice(0, -1),
        destination,
        from: flag("from"),
        chown: flag("chown"),
        chmod: flag("chmod"),
      };
    }
    case "ENV":
    case "LABEL": {
      const pairs = readPairs(rest, escapeCharacter);
      if (pairs === null) report("invalid_arguments", "error", `${keyword} needs name=value pairs`);
      return { ...base, keyword, pairs: pairs ?? [] };
    }
    case "ARG":
      return {
        ...base,
        keyword,
        variables: words().map((word) => {
          const at = word.indexOf("=");
          return at < 0
            ? { name: word, defaultValue: null }
            : { name: word.slice(0, at), defaultValue: word.slice(at + 1) };
        }),
      };
    case "WORKDIR":
    case "USER":
    case "STOPSIGNAL":
    case "MAINTAINER":
      return { ...base, keyword, value: rest.trim() };
    case "EXPOSE":
    case "VOLUME":
    case "SHELL": {
      const list = parseJsonForm(rest);
      if (keyword === "SHELL" && list === null) report("invalid_arguments", "error", "SHELL needs the JSON form");
      return { ...base, keyword, words: list ?? words() };
    }
    case "HEALTHCHECK": {
      const none = /^none\s*$/i.test(rest);
      return {
        ...base,
        keyword,
        none,
        ...(none ? { argv: null, shell: null } : command(rest.replace(/^cmd\s+/i, ""))),
      };
    }
    case "ONBUILD":
      return { ...base, keyword, trigger: rest };
    default:
      report("unknown_instruction", "error", `unknown instruction ${name}`);
      return { ...base, keyword: "UNKNOWN", name };
  }
}

const known = new Set(
  "FROM RUN CMD ENTRYPOINT COPY ADD ENV LABEL ARG WORKDIR USER STOPSIGNAL MAINTAINER EXPOSE VOLUME SHELL HEALTHCHECK ONBUILD".split(
    " ",
  ),
);
const isKnown = (keyword: string): boolean => known.has(keyword);

function takeFlags(text: string, escapeCharacter: string): { flags: Flag[]; rest: string } {
  const flags: Flag[] = [];
  let rest = text.trimStart();
  for (;;) {
    const match = /^--(\S*)/.exec(rest);
    if (!match) return { flags, rest };
    const [word = ""] = splitRawWords(rest, escapeCharacter);
    rest = rest.slice(word.length).trimStart();
    if (word === "--") return { flags, rest };
    const at = word.indexOf("=");
    flags.push(
      at < 0
        ? { name: word.slice(2), value: null }
        : { name: word.slice(2, at), value: unquote(word.slice(at + 1), escapeCharacter) },
    );
  }
}

/** `name=value …` or the old `name value with blanks`; names and values keep their quotes for `substitute`. */
function readPairs(text: string, escapeCharacter: string): Pair[] | null {
  const words = splitRawWords(text, escapeCharacter);
  const first = words[0];
  if (first === undefined) return [];
  if (!first.includes("=")) {
    const value = text.trimStart().slice(first.length).trim();
    return value === "" ? null : [{ name: first, value }];
  }
  const pairs: Pair[] = [];
  for (const word of words) {
    const at = word.indexOf("=");
    if (at < 1) return null;
    pairs.push({ name: unquote(word.slice(0, at), escapeCharacter), value: word.slice(at + 1) });
  }
  return pairs;
}
