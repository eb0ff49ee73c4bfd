import { copyFile, readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { familyNamed } from "../../forge/index.ts";
import { type CommandContext, execute } from "../execute.ts";
import { checkFlow } from "../flows/check-flow.ts";
import { forgeCommandFlow } from "../flows/forge-flow.ts";
import { rolloutFlow } from "../flows/rollout-flow.ts";
import { noModels } from "../model-room.ts";
import type { CommandResult } from "../output/events.ts";
import { type CommonOptions, openProject, wholeNumber } from "../project.ts";
import { runIdOf, shownPath, storedPath } from "../run-identity.ts";
import { freshId } from "../start-command.ts";
import type { SandboxOptions } from "../workshop.ts";
import { forgeInput } from "./forge.ts";

type Options = CommonOptions & SandboxOptions & { count: string };
type Index = { tasks: { task: string; family: string; difficulty: number }[] };

/** Forges a handful of tasks, checks them anew, lets the oracle and an agent that does nothing play, and shows one. */
export const demo = (options: Options): Promise<void> =>
  execute("demo", options, async (context) => {
    const home = resolve(options.project, "demo");
    const project = openProject({ ...options, project: home });
    const stored = (path: string) => storedPath(project, resolve(home, path));
    const seed = wholeNumber("--seed", options.seed);
    const machine = { backend: options.backend ?? null, builder: options.builder ?? null };
    const { report } = context;

    report.line(
      `1. forge ${options.count} tasks from seed ${seed}: each is built, solved, left unsolved and half solved before it counts`,
    );
    const forged = await forgeInput(
      { ...options, author: "procedural", family: [], difficulty: [], out: resolve(home, "tasks"), repeats: "1" },
      stored,
    );
    const made = await forgeCommandFlow(project, context, forged, { id: runIdOf("forge", forged) });
    if (made.status !== "ok") return made;
    const index = JSON.parse(await readFile(join(home, "tasks", "forge.json"), "utf8")) as Index;
    for (const { task, family, difficulty } of index.tasks)
      report.line(`   ${"●".repeat(difficulty).padEnd(5, "○")}  ${familyNamed(family).title.padEnd(42)} ${task}`);

    report.line("\n2. check them as if somebody else had written them, with other seeds for the repeats");
    const checked = await step(context, (quiet) =>
      checkFlow(
        project,
        quiet,
        {
          paths: [stored("tasks")],
          gates: [],
          repeats: 1,
          limit: null,
          seed: seed + 1,
          format: "text",
          out: null,
          ...machine,
        },
        { id: freshId(project, "check") },
      ),
    );
    report.line(`   ${checked.lines?.[0] ?? ""}`);
    if (context.signal.aborted) return checked;

    report.line(
      "\n3. let three agents play them: the oracle, one that does nothing, and one that forges its reward (forger.sh)",
    );
    await copyFile(new URL("./forger.sh", import.meta.url), join(home, "forger.sh"));
    const played = await step(context, (quiet) =>
      rolloutFlow(
        project,
        quiet,
        {
          paths: [stored("tasks")],
          agents: ["oracle", "nop", "script:forger.sh"],
          attempts: 1,
          limit: null,
          mode: null,
          seed,
          out: stored("rollouts"),
          atif: false,
          models: noModels,
          ...machine,
        },
        { id: freshId(project, "rollout") },
      ),
    );
    for (const line of played.lines ?? []) report.line(`   ${line}`);
    if (context.signal.aborted) return played;
    const results: CommandResult[] = [made, checked, played];

    const [first] = index.tasks;
    if (first) {
      report.line(`\n4. one of them, ${join(shownPath(project, "tasks"), first.task, "instruction.md")}:\n`);
      const instruction = await readFile(join(home, "tasks", first.task, "instruction.md"), "utf8");
      report.line(instruction.trimEnd().replace(/^/gm, "   │ "));
    }
    const tasks = shownPath(project, "tasks");
    const failed = results.find(({ status }) => status !== "ok");
    return {
      status: failed?.status ?? "ok",
      counts: made.counts,
      cost: { trials: results.reduce((sum, { cost }) => sum + (cost.trials ?? 0), 0), tokens: 0 },
      outputs: [tasks, join(tasks, "forge.json"), shownPath(project, "rollouts")],
      lines: ["", `next: routesetter check ${tasks} · routesetter rollout ${tasks} --agent oracle · docs/README.md`],
    };
  });

/** A part of the demo that shows its progress and not its lines. */
function step(context: CommandContext, run: (quiet: CommandContext) => Promise<CommandResult>): Promise<CommandResult> {
  const quiet = {
    ...context,
    report: {
      ...context.report,
      line: () => {},
      event: ({ text: _, ...event }: Parameters<typeof context.report.event>[0]) =>
        context.report.event(event as never),
    },
  };
  return run(quiet);
}
