import { basename } from "node:path";
import { type GateReport, RoutesetterError } from "../contract/index.ts";
import { gateResult } from "./gate.ts";
import { type GauntletOptions, reportOf } from "./gauntlet.ts";
import { taskGates } from "./registry.ts";

/** The report on a folder that could not be read as a task: `manifest` fails, every other gate is skipped. */
export function reportOfRejected(
  path: string,
  error: unknown,
  options: Pick<GauntletOptions, "level" | "seed" | "gates">,
): GateReport {
  const context = { path, seed: options.seed };
  const known = RoutesetterError.isInstance(error) ? error : null;
  const message = error instanceof Error ? error.message : String(error);
  const { file, line } = known?.where ?? {};
  const results = taskGates
    .filter((gate) => options.level !== "static" || gate.cost === "static")
    .map((gate) =>
      gate.id === "manifest"
        ? gateResult(gate.id, context, {
            status: "fail",
            evidence: [
              {
                message: message.replace(/^.*?: (?=\S)/, file === undefined ? "$&" : ""),
                ...(file === undefined
                  ? {}
                  : { file: file.startsWith(`${path}/`) ? file.slice(path.length + 1) : file }),
                ...(line === undefined ? {} : { line }),
                ...(known === null ? {} : { rule: known.code }),
              },
            ],
            remediation: known?.remedy || "Make the folder one that can be read.",
          })
        : gateResult(gate.id, context, {
            status: "skip",
            evidence: [{ message: "not run: the folder could not be read" }],
          }),
    );
  return reportOf({ id: basename(path), digest: "" }, results, ["manifest"], options);
}
