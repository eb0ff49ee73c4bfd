import { ConfigError } from "../../contract/index.ts";
import { importFlow } from "../flows/import-flow.ts";
import { type CommonOptions, wholeNumber } from "../project.ts";
import { startCommand } from "../start-command.ts";
import type { SandboxOptions } from "../workshop.ts";

type Options = CommonOptions & SandboxOptions & { out: string; level: "static" | "core"; limit?: string };

export const importTasks = (sources: string[], options: Options): Promise<void> =>
  startCommand("import", options, importFlow, ({ stored }) => {
    const out = stored(options.out);
    const given = sources.map((source) => (/^[a-z][a-z+.-]*:/.test(source) ? source : stored(source)));
    const within = given.find((source) => out === source || out.startsWith(`${source}/`) || source === ".");
    if (within !== undefined)
      throw new ConfigError({
        code: "bad_option",
        message: `--out lies inside ${within}, and a source is never written to`,
        remedy: "write elsewhere",
      });
    return {
      sources: given,
      level: options.level,
      limit: options.limit === undefined ? null : wholeNumber("--limit", options.limit, 1),
      seed: wholeNumber("--seed", options.seed),
      out,
      backend: options.backend ?? null,
      builder: options.builder ?? null,
    };
  });
