import { ConfigError } from "../../contract/index.ts";
import { taskGates } from "../../gates/index.ts";
import { checkFlow } from "../flows/check-flow.ts";
import { type CheckFormat, checkFormats } from "../flows/check-format.ts";
import { type CommonOptions, wholeNumber } from "../project.ts";
import { startCommand } from "../start-command.ts";
import type { SandboxOptions } from "../workshop.ts";

type Options = CommonOptions &
  SandboxOptions & { gate: string[]; repeats: string; limit?: string; format: string; out?: string };

export const check = (paths: string[], options: Options): Promise<void> =>
  startCommand("check", options, checkFlow, ({ stored }) => ({
    paths: paths.map(stored),
    gates: options.gate.map(gateNamed),
    repeats: wholeNumber("--repeats", options.repeats, 1),
    limit: options.limit === undefined ? null : wholeNumber("--limit", options.limit, 1),
    seed: wholeNumber("--seed", options.seed),
    format: formatOf(options.format),
    out: options.out === undefined ? null : stored(options.out),
    backend: options.backend ?? null,
    builder: options.builder ?? null,
  }));

function gateNamed(id: string): string {
  if (taskGates.some((gate) => gate.id === id)) return id;
  throw new ConfigError({
    code: "unknown_gate",
    message: `there is no gate "${id}"`,
    remedy: `take one of ${taskGates.map((gate) => gate.id).join(", ")}`,
  });
}

function formatOf(text: string): CheckFormat {
  const format = checkFormats.find((one) => one === text);
  if (format !== undefined) return format;
  throw new ConfigError({
    code: "bad_option",
    message: `--format must be one of ${checkFormats.join(", ")}, not "${text}"`,
  });
}
