import type { Path } from "./locate-toml.ts";

type Table = Record<string, unknown>;
/** Reports a legacy spelling, or a value of one that cannot be read (`error`). */
export type LegacyReport = (path: Path, message: string, kind: "warning" | "error") => void;

const isTable = (value: unknown): value is Table =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/**
 * Rewrites, in place, the spellings of older schemas to those of 1.4: `version`, `artifacts` as a string, `memory`,
 * `storage`, `allow_internet`. Each one is reported with its place.
 */
export function modernise(root: Table, report: LegacyReport): void {
  if ("version" in root && !("schema_version" in root)) {
    rename(root, "version", "schema_version", [], report);
  }
  artifactsToList(root, [], report);
  for (const phase of ["agent", "verifier"]) dropEmpty(root[phase], ["user"], [phase], report);
  if (isTable(root.environment)) environment(root.environment, ["environment"], report);
  const verifier = root.verifier;
  if (isTable(verifier) && isTable(verifier.environment))
    environment(verifier.environment, ["verifier", "environment"], report);
  if (!Array.isArray(root.steps)) return;
  for (const [index, step] of root.steps.entries()) {
    if (!isTable(step)) continue;
    artifactsToList(step, ["steps", index], report);
    const own = step.verifier;
    if (isTable(own) && isTable(own.environment))
      environment(own.environment, ["steps", index, "verifier", "environment"], report);
  }
}

function rename(table: Table, from: string, to: string, at: Path, report: LegacyReport): void {
  table[to] = table[from];
  delete table[from];
  report([...at, from], `"${from}" is the old spelling of "${to}"`, "warning");
}

function artifactsToList(table: Table, at: Path, report: LegacyReport): void {
  if (typeof table.artifacts !== "string") return;
  table.artifacts = [table.artifacts];
  report([...at, "artifacts"], '"artifacts" as a string is an old spelling of a list', "warning");
}

function environment(table: Table, at: Path, report: LegacyReport): void {
  dropEmpty(table, ["docker_image", "workdir", "skills_dir"], at, report);
  size(table, "memory", "memory_mb", at, report);
  size(table, "storage", "storage_mb", at, report);
  if (!("allow_internet" in table)) return;
  const allowed = table.allow_internet;
  const path = [...at, "allow_internet"];
  delete table.allow_internet;
  if (typeof allowed !== "boolean") {
    report(path, "allow_internet must be true or false", "error");
    return;
  }
  const mode = allowed ? "public" : "no-network";
  if (table.network_mode === undefined && table.allowed_hosts === undefined) table.network_mode = mode;
  else if (table.network_mode !== mode) {
    report(path, `allow_internet = ${allowed} is ignored beside network_mode and allowed_hosts`, "warning");
    return;
  }
  report(path, `"allow_internet" is the old spelling of network_mode = "${mode}"`, "warning");
}

const megabytes: Record<string, number> = { K: 1 / 1024, M: 1, G: 1024, T: 1024 * 1024 };

/** An empty text stands for nothing said, as in templates that were not filled in. */
function dropEmpty(table: unknown, names: readonly string[], at: Path, report: LegacyReport): void {
  if (!isTable(table)) return;
  for (const name of names) {
    if (table[name] !== "") continue;
    delete table[name];
    report([...at, name], `${name} is empty and ignored`, "warning");
  }
}

function size(table: Table, from: string, to: string, at: Path, report: LegacyReport): void {
  if (!(from in table)) return;
  const path = [...at, from];
  const value = table[from];
  delete table[from];
  if (typeof value !== "string") {
    report(path, `${from} without a unit is ignored; write ${to}`, "warning");
    return;
  }
  const match = /^\s*(\d+(?:\.\d+)?)\s*([KMGT])(?:i?B)?\s*$/i.exec(value);
  if (match === null) {
    report(path, `${from} must be a number with a unit, as in "2G"`, "error");
    return;
  }
  const amount = Math.ceil(Number(match[1]) * (megabytes[(match[2] as string).toUpperCase()] as number));
  if (table[to] === undefined) table[to] = amount;
  else if (table[to] !== amount) report(path, `${from} = ${value} contradicts ${to} = ${table[to]}`, "error");
  report(path, `"${from}" is the old spelling of ${to} = ${amount}`, "warning");
}
