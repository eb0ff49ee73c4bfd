import { existsSync } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { ConfigError, type Flow, type RunContext } from "../../contract/index.ts";
import {
  families as builtIn,
  evaluateCandidate,
  type ForgeInput,
  type ForgeOutput,
  forgeFlow,
  loadFamilies,
  publishTask,
  tidyShelf,
  writeIndex,
} from "../../forge/index.ts";
import { type Funnel, funnelOf } from "../../setter/index.ts";
import type { Store } from "../../store/index.ts";
import { openGateRoom } from "../gate-room.ts";
import type { CommandResult } from "../output/events.ts";
import type { Project } from "../project.ts";
import { type FlowRun, runFlow } from "../run-flow.ts";
import { shownPath } from "../run-identity.ts";
import type { SandboxOptions } from "../workshop.ts";
import { endingLines, retakenCounts } from "./ending.ts";
import type { FlowCommand } from "./flow-command.ts";

export type ForgeRunInput = ForgeInput & {
  backend: NonNullable<SandboxOptions["backend"]> | null;
  builder: NonNullable<SandboxOptions["builder"]> | null;
};

/** `forge`: the forge flow on this machine's sandboxes, publishing under the project's folder. */
export const forgeCommandFlow: FlowCommand<ForgeRunInput> = async (project, context, input, start) => {
  const { report } = context;
  const out = join(project.directory, input.out);
  const workDirectory = join(project.stateDirectory, "work", start.id);
  const concurrency = context.concurrency ?? project.configuration.queues.trial;
  let funnel: Funnel = funnelOf([]);
  const own = input.ownFamilies && (await loadFamilies(shownPath(project, input.ownFamilies.path)));
  if (own && own.digest !== input.ownFamilies?.digest)
    throw new ConfigError({
      code: "families_changed",
      message: "the families have changed since this run began",
      where: { file: shownPath(project, input.ownFamilies?.path ?? "") },
      remedy: "start another run, or bring back what they were",
    });
  const families = [...builtIn, ...(own?.families ?? [])];

  const open = async (store: Store) => {
    const room = await openGateRoom(project, { ...input, runId: start.id, concurrency, gates: [] });
    await rm(workDirectory, { recursive: true, force: true });
    await mkdir(workDirectory, { recursive: true });
    await tidyShelf(out);
    let emit: RunContext["emit"] = () => {};
    const forging = forgeFlow({
      concurrency: concurrency + 1,
      families,
      evaluate: (candidate, signal) =>
        evaluateCandidate(
          candidate,
          {
            families,
            workDirectory,
            publishedPath: (slug) => join(input.out, slug),
            putEvidence: (text) => store.blobs.put(text),
            gauntlet: room.pass,
          },
          signal,
        ),
      async archive({ design }, decision) {
        if (!decision.accepted || decision.evidence === null) return;
        await publishTask(out, design, (await store.blobs.get(decision.evidence)).toString("utf8"), families);
      },
      onDecision(decision, now) {
        funnel = now;
        const { index, accepted, outcome } = decision;
        const ungraded = outcome === "infra_error" || outcome === "cancelled";
        const type = accepted ? "task-accepted" : ungraded ? "task-ungraded" : "task-rejected";
        const reasons = [...decision.reasons];
        const text = `${ungraded ? "not graded" : "rejected"}  candidate ${index}: ${reasons.join(", ")}`;
        emit({ type, index, reasons });
        report.event({ type, index, reasons, ...(accepted ? {} : { text }) });
        report.event({
          type: "progress",
          what: "forge",
          done: now.accepted,
          total: input.goal,
          counts: progressCounts(now),
        });
      },
      finish: async (published, total) => {
        for (const { design, decision } of published)
          store.lineage.add({
            child: decision.key,
            parent: `seed:${design.seed}`,
            relation: "forged",
            detail: { author: input.author, ...design },
            time: store.clock(),
          });
        await writeIndex(out, { seed: input.seed, author: input.author }, total, published);
      },
    });
    const flow: Flow = {
      ...forging,
      run(run, json) {
        emit = (event) => run.emit(event);
        return forging.run(run, json);
      },
    };
    return {
      flow,
      close: async () => {
        await room.close();
        await rm(workDirectory, { recursive: true, force: true });
      },
    };
  };

  /** Accepted tasks that are no longer on the shelf are made again. */
  const mend = async ({ tasks }: ForgeOutput) => {
    const gone = tasks.filter(({ slug }) => !existsSync(join(out, slug, "task.toml"))).map(({ key }) => `/${key}`);
    return gone.length === 0 ? null : (key: string) => gone.some((end) => key.endsWith(end));
  };
  const run = await runFlow<ForgeOutput>(project, context, open, { ...start, input, seed: input.seed, mend });
  return forgeResult(project, run, run.output?.funnel ?? funnel, input);
};

const progressCounts = ({ accepted, rejected, duplicates, ungraded }: Funnel) => ({
  accepted,
  rejected,
  duplicates,
  ungraded,
});

function forgeResult(project: Project, run: FlowRun<ForgeOutput>, funnel: Funnel, input: ForgeRunInput): CommandResult {
  const { proposed, accepted, rejected, duplicates, ungraded, warnings, trials } = funnel;
  const missed = run.output !== null && !run.output.reachedGoal;
  const lines = [`${accepted} of ${input.goal} wanted tasks accepted (${proposed} candidates)`];
  const stoppers = Object.entries(funnel.rejectedBy).map(([gate, count]) => `${gate} ${count}`);
  if (stoppers.length > 0) lines.push(`stopped by: ${stoppers.join(", ")}`);
  lines.push(...endingLines(project, run, ungraded));
  return {
    status: run.output === null ? "interrupted" : missed ? (ungraded > 0 ? "infrastructure" : "failed") : "ok",
    counts: {
      found: proposed,
      loaded: proposed - duplicates,
      rejected: rejected + duplicates,
      ungraded,
      accepted,
      warnings,
      ...retakenCounts(run),
    },
    cost: { trials, tokens: 0 },
    outputs: [shownPath(project, input.out)],
    lines,
    data: { run: run.id, seed: input.seed },
  };
}
