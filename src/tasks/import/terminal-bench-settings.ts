import type { TaskConfigurationInput } from "../configuration.ts";
import type { YamlDocument } from "./yaml-document.ts";

export type TerminalBenchSettings = {
  readonly instruction: string;
  readonly parser: string;
  readonly sameShell: boolean;
  readonly configuration: TaskConfigurationInput;
};

const kept = ["author_name", "author_email", "difficulty", "category", "tags"];
const estimates = ["estimated_duration_sec", "expert_time_estimate_min", "junior_time_estimate_min"];

/** task.yaml of Terminal-Bench 1. Errors: TaskFormatError with line and field. */
export function readTerminalBenchSettings(document: YamlDocument): TerminalBenchSettings {
  const { table } = document;
  const metadata: Record<string, string | number | string[]> = {};
  for (const key of kept) {
    const value = table[key];
    if (typeof value === "string" || (Array.isArray(value) && value.every((one) => typeof one === "string")))
      metadata[key] = value as string | string[];
  }
  for (const key of estimates) {
    const value = number(document, key);
    if (value !== null) metadata[key] = value;
  }
  const parser = typeof table.parser_name === "string" ? table.parser_name : "pytest";
  if (parser !== "pytest") metadata.parser_name = parser;
  return {
    instruction: instructionOf(document),
    parser,
    sameShell: table.run_tests_in_same_shell === true,
    configuration: {
      metadata,
      agent: { timeout_sec: number(document, "max_agent_timeout_sec") ?? 360 },
      verifier: { timeout_sec: number(document, "max_test_timeout_sec") ?? 60 },
    },
  };
}

function instructionOf(document: YamlDocument): string {
  const { instruction, descriptions } = document.table;
  if (typeof instruction === "string" && instruction.trim() !== "") return instruction;
  const remedy = "say in `instruction` what the agent is to do";
  if (instruction !== undefined) throw document.fault(["instruction"], "is no text, or an empty one", remedy);
  const base = Array.isArray(descriptions)
    ? descriptions.findIndex((one) => one?.key === "base" && typeof one.description === "string")
    : -1;
  if (base !== -1) return (descriptions as { description: string }[])[base]!.description;
  throw document.fault([], "names no instruction", remedy, "file_missing");
}

function number(document: YamlDocument, key: string): number | null {
  const value = document.table[key];
  if (value === undefined || value === null) return null;
  if (typeof value === "number" && Number.isFinite(value) && value > 0) return value;
  throw document.fault([key], "is no positive number", "write seconds (or minutes) as a number");
}
