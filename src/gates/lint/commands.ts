import { parseShell, type SimpleCommand, simpleCommands } from "../shell/index.ts";

const wrappers = new Set(["sudo", "env", "exec", "nohup", "command", "time", "nice", "stdbuf", "setsid", "builtin"]);

/** The words of a command without what only wraps it (`sudo`, `env A=b`, `timeout 10`, `xvfb-run` …). */
export function unwrap(words: readonly string[]): string[] {
  let rest = [...words];
  for (;;) {
    const name = rest[0]?.split("/").at(-1) ?? "";
    if (name === "timeout") {
      rest = rest.slice(1);
      while (rest[0]?.startsWith("-")) rest = rest.slice(/^-[ks]$/.test(rest[0]) ? 2 : 1);
      rest = rest.slice(1);
    } else if (wrappers.has(name)) {
      rest = rest.slice(1);
      while (rest[0] !== undefined && (rest[0].startsWith("-") || /^\w+=/.test(rest[0])))
        rest = rest.slice(/^-[unC]$/.test(rest[0]) ? 2 : 1);
    } else return rest;
  }
}

export const wordsOf = (command: SimpleCommand): string[] => unwrap(command.words.map(({ text }) => text));
export const nameOf = (words: readonly string[]): string => words[0]?.split("/").at(-1) ?? "";
const isOption = (word: string): boolean => word.startsWith("-");
const positional = (words: readonly string[]): string[] => words.slice(1).filter((word) => !isOption(word));

/** The script in `bash -c SCRIPT`, `sh -lc SCRIPT`, `eval SCRIPT`; null for other commands. */
export function nestedScript(words: readonly string[]): string | null {
  const name = nameOf(words);
  if (name === "eval") return words.slice(1).join(" ");
  if (!/^(ba|da|z|k)?sh$/.test(name)) return null;
  const at = words.findIndex((word, index) => index > 0 && /^-\w*c$/.test(word));
  return at < 0 ? null : (words[at + 1] ?? null);
}

/** Scripts in the command substitutions of a text: `$(…)` and backquotes, outermost ones. */
export function substitutions(text: string): string[] {
  const found: string[] = [];
  for (let index = 0; index < text.length; index++) {
    if (text[index] === "`") {
      const end = text.indexOf("`", index + 1);
      if (end < 0) break;
      found.push(text.slice(index + 1, end));
      index = end;
    } else if (text.startsWith("$(", index) && text[index + 2] !== "(") {
      let depth = 1;
      let end = index + 2;
      while (end < text.length && depth > 0) {
        if (text[end] === "(") depth += 1;
        if (text[end] === ")") depth -= 1;
        end += 1;
      }
      found.push(text.slice(index + 2, end - 1));
      index = end - 1;
    }
  }
  return found;
}

/** Scripts inside a command, as text: `bash -c`, `eval`, substitutions outside single quotes. */
export function innerScripts(command: SimpleCommand): string[] {
  const nested = nestedScript(wordsOf(command));
  const others = command.words.filter(({ text }) => nested === null || !nested.includes(text));
  const raws = [...others, ...command.assignments].map(({ raw }) => raw);
  return [
    ...(nested === null ? [] : [nested]),
    ...raws.flatMap((raw) => (raw.startsWith("'") ? [] : substitutions(raw))),
  ];
}

/** Every level is read again in each one around it: scripts this deep in scripts are not looked into. */
export const deepestScript = 8;

/** The command's words and those of the scripts inside it, and inside those. */
export function* commandsWithin(command: SimpleCommand, depth = 0): Generator<string[]> {
  const words = wordsOf(command);
  if (words.length > 0) yield words;
  if (depth >= deepestScript) return;
  for (const text of innerScripts(command))
    for (const inner of simpleCommands(parseShell(text).statements)) yield* commandsWithin(inner, depth + 1);
}

const runnerNames = new Set([
  "pytest",
  "py.test",
  "nosetests",
  "tox",
  "ctest",
  "bats",
  "prove",
  "rspec",
  "phpunit",
  "jest",
  "vitest",
  "mocha",
  "nox",
  "stestr",
  "behave",
]);

/** A test runner, or a program from the verifier's folder: its exit status is the verdict. */
export function isRunner(words: readonly string[]): boolean {
  const name = nameOf(words);
  if (runnerNames.has(name)) return true;
  const rest = positional(words);
  if (/^(python|pypy)[\d.]*$/.test(name)) {
    const module = words[words.indexOf("-m") + 1];
    if (words.includes("-m") && /^(pytest|unittest|nose2?|doctest|tox)$/.test(module ?? "")) return true;
  }
  if (/^(uv|uvx|npx|pnpm|yarn|npm|poetry|pipenv|hatch|bun|bunx|pdm|rye)$/.test(name)) {
    if (rest.some((word) => runnerNames.has(word.replace(/@.*$/, "")))) return true;
    if (/^(npm|pnpm|yarn|bun)$/.test(name) && /^(t|test|test:.*)$/.test((rest[0] === "run" ? rest[1] : rest[0]) ?? ""))
      return true;
    if (rest.some((word) => inTests(word))) return true;
  }
  if (/^(make|gmake|cargo|go|mvn|gradle|gradlew|dotnet|swift|mix|rake|bundle|deno|zig|ninja|meson)$/.test(name))
    return rest.some((word) => /^(test|tests|check|spec|verify)$/.test(word));
  if (/^(bash|sh|python[\d.]*|node|ruby|perl|Rscript|php)$/.test(name)) return rest.some(inTests);
  return inTests(words[0] ?? "");
}
const inTests = (word: string): boolean => /^(\/tests\/|\$\{?TESTS?_DIR\}?\/)/.test(word);

/** A command whose exit status answers a question: comparisons and searches. */
export const isComparison = (words: readonly string[]): boolean =>
  /^(diff|cmp|grep|egrep|fgrep|rg|\[|\[\[|test|jq|sha256sum|md5sum|sha1sum|sqlite3|curl|ping|nc)$/.test(nameOf(words));

const local = /(localhost|127\.0\.0\.1|\[?::1\]?|0\.0\.0\.0|\$\{?\w*(URL|HOST|PORT|BASE)\w*\}?|unix-socket|file:\/\/)/i;

/** What a command fetches over the network, in a few words; null when it fetches nothing. */
export function networkUse(words: readonly string[]): string | null {
  const name = nameOf(words);
  const rest = positional(words);
  const offline = words.some((word) => /^--(no-index|offline|no-download)$/.test(word));
  if (offline) return null;
  if (/^(apt|apt-get|aptitude|yum|dnf|microdnf|apk|zypper|pacman)$/.test(name)) {
    if (
      rest.some((word) => /^(install|update|upgrade|dist-upgrade|add|makecache)$/.test(word)) ||
      words.some((w) => /^-S/.test(w))
    )
      return `${name} fetches packages`;
    return null;
  }
  const python = /^python[\d.]*$/.test(name) && words[words.indexOf("-m") + 1] === "pip" && words.includes("-m");
  if ((/^pip[\d.]*$/.test(name) || python) && rest.some((word) => /^(install|download)$/.test(word)))
    return rest.some((word) => /^(\.|\/)/.test(word)) && rest.every((w) => /^(install|pip|\.|\/)/.test(w))
      ? null
      : "pip fetches packages";
  if (name === "uvx" || (name === "uv" && /^(tool|pip|sync|add|run|python)$/.test(rest[0] ?? "")))
    return `${name} fetches packages`;
  if (
    /^(pipx|conda|mamba|micromamba|poetry)$/.test(name) &&
    rest.some((word) => /^(install|create|run|add)$/.test(word))
  )
    return `${name} fetches packages`;
  if (/^(npm|pnpm|yarn|bun)$/.test(name) && /^(i|install|ci|add)$/.test(rest[0] ?? ""))
    return `${name} fetches packages`;
  if (name === "npx" || name === "bunx") return words.includes("--no-install") ? null : `${name} fetches packages`;
  if (/^(gem|cargo|cpan|cpanm)$/.test(name) && /^install$/.test(rest[0] ?? "")) return `${name} fetches packages`;
  if (name === "go" && /^(get|install)$/.test(rest[0] ?? "")) return "go fetches modules";
  if (/^(curl|wget)$/.test(name)) {
    const addresses = rest.filter(
      (word) => /^(https?|ftp):\/\//i.test(word) || /^[\w.-]+\.[a-z]{2,}(\/|$)/i.test(word),
    );
    const remote = addresses.find((word) => !local.test(word));
    return remote === undefined ? null : `${name} fetches ${remote}`;
  }
  if (
    name === "git" &&
    /^(clone|fetch|pull)$/.test(rest[0] ?? "") &&
    rest.some((word) => /^(https?|ssh|git):|@.*:/.test(word))
  )
    return "git fetches a repository";
  return null;
}
