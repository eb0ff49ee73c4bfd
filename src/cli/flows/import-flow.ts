import { rm } from "node:fs/promises";
import { basename, join, relative, resolve } from "node:path";
import { type Flow, type Json, printableLine, type RunContext, TaskFormatError } from "../../contract/index.ts";
import { limitConcurrency } from "../../rollouts/index.ts";
import type { Store } from "../../store/index.ts";
import { digestOfCandidate, type ForeignCandidate, findForeignTasks } from "../../tasks/index.ts";
import { runFlow } from "../run-flow.ts";
import { shownPath } from "../run-identity.ts";
import { allowedVariables, openWorkshop, type SandboxOptions } from "../workshop.ts";
import { writeWhole } from "../write-whole.ts";
import type { FlowCommand } from "./flow-command.ts";
import { checkOut, isGitSource } from "./import/checkout.ts";
import { importTask } from "./import/import-task.ts";
import type { Imported } from "./import/imported.ts";
import { freeName } from "./import/names.ts";
import { renderImportMarkdown } from "./import/report.ts";
import { countsOfImport, importLine, importResult } from "./import/result.ts";

export type ImportInput = {
  sources: string[];
  /** `static` reads and converts; `core` runs the oracles. */
  level: "static" | "core";
  limit: number | null;
  seed: number;
  out: string;
  backend: NonNullable<SandboxOptions["backend"]> | null;
  builder: NonNullable<SandboxOptions["builder"]> | null;
};
type Item = { candidate: ForeignCandidate; name: string; shown: string; origin: Record<string, string>; key: string };

/** `import`: every foreign folder is one durable step; the report is written beside the tasks. */
export const importFlow: FlowCommand<ImportInput> = async (project, context, input, start) => {
  const { report, signal } = context;
  const out = resolve(project.directory, input.out);
  const scratch = join(project.stateDirectory, "imports", start.id);
  const imported: Imported[] = [];
  const items = await gather();

  async function gather(): Promise<Item[]> {
    const found: Item[] = [];
    const taken = new Set<string>();
    const byDigest = new Map<string, string>();
    for (const [index, source] of input.sources.entries()) {
      const path = /^[a-z]+:/.test(source) ? source : resolve(project.directory, source);
      const isGit = isGitSource(path);
      const checkout = isGit ? await checkOut(path, join(scratch, `source-${index}`), signal) : null;
      const root = checkout?.directory ?? path;
      const shownRoot = checkout ? source : shownPath(project, source);
      for (const one of await findForeignTasks(root)) {
        if (found.length === input.limit) return found;
        const candidate = await asCopy(one, byDigest);
        const below = relative(root, candidate.path);
        const name = freeName(below === "" ? basename(path).replace(/\.(?:git|bundle)$/, "") : basename(below), taken);
        const origin = checkout
          ? { repository: source, commit: checkout.commit, path: below || "." }
          : { path: relative(project.directory, candidate.path) || "." };
        found.push({ candidate, name, origin, shown: join(shownRoot, below), key: `${index}/${below || "."}` });
      }
    }
    return found;
  }

  /** A folder that was met before under another name is no second task. */
  async function asCopy(candidate: ForeignCandidate, known: Map<string, string>): Promise<ForeignCandidate> {
    const digest = "error" in candidate ? null : await digestOfCandidate(candidate);
    if (digest === null) return candidate;
    const original = known.get(digest);
    if (original === undefined) {
      known.set(digest, basename(candidate.path));
      return candidate;
    }
    const { path, nested, licence } = candidate;
    const message = `is a copy of ${original}`;
    const error = new TaskFormatError({ code: "copy", message, where: { file: path }, remedy: "import one of them" });
    return { path, nested, licence, error };
  }

  const tell = (one: Imported) => {
    imported.push(one);
    report.event({ type: "imported", ...one } as never);
    report.line(printableLine(importLine(one)));
    const counts = countsOfImport(imported);
    report.event({ type: "progress", what: "import", done: imported.length, total: items.length, counts });
  };

  const open = async (store: Store) => {
    const concurrency = context.concurrency ?? project.configuration.queues.trial;
    const workshop = input.level === "static" ? null : await openWorkshop(project, input);
    const turn = limitConcurrency(concurrency);
    const variables = allowedVariables(project);
    const preparation = { pythonPins: project.configuration.import.python_pins };
    const flow: Flow = {
      name: "import",
      version: "1",
      async run(run: RunContext): Promise<Json> {
        const one = async ({ key, ...item }: Item) => {
          const step = run.step(
            `import/${key}`,
            async (step) => {
              const proof = workshop && { workshop, seed: input.seed, turn, signal: step.signal, variables };
              const result = await importTask(item.candidate, {
                ...item,
                out,
                scratch,
                proof,
                preparation,
                seed: input.seed,
              });
              return { ...result, written: result.written && relative(project.directory, result.written) } as never;
            },
            { queue: "trial", stage: "import" },
          );
          const result = (await step) as unknown as Imported;
          if (result.written !== null)
            store.lineage.add({
              child: `task:${result.written}`,
              parent: result.lineage.digest ?? "",
              relation: "imported-from",
              detail: result.lineage,
              time: store.clock(),
            });
          tell(result);
          return null;
        };
        await run.all(items, one, { key: "import", concurrency: concurrency + 1, collect: false });
        return { imported } as never;
      },
    };
    return { flow, close: async () => void (await workshop?.close()) };
  };
  const run = await runFlow<{ imported: Imported[] }>(project, context, open, { ...start, input, seed: input.seed });

  const all = [...(run.output?.imported ?? imported)].sort((a, b) => (a.source < b.source ? -1 : 1));
  const outputs: string[] = [];
  if (run.output !== null) {
    await rm(scratch, { recursive: true, force: true });
    const json = join(out, "import.json");
    const markdown = join(out, "import.md");
    const document = { version: 1, run: start.id, counts: countsOfImport(all), imported: all };
    await writeWhole(json, `${JSON.stringify(document, null, 2)}\n`);
    await writeWhole(markdown, renderImportMarkdown(all));
    outputs.push(...[out, json, markdown].map((path) => shownPath(project, path)));
  }
  return importResult(project, run, all, outputs);
};
