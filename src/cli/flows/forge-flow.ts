import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import {
  evaluateCandidate,
  type ForgeInput,
  type ForgeOutput,
  forgeFlow,
  publishTask,
  tidyShelf,
  writeIndex,
} from "../../forge/index.ts";
import { type Funnel, funnelOf } from "../../setter/index.ts";
import type { Store } from "../../store/index.ts";
import { openGateRoom } from "../gate-room.ts";
import type { CommandResult } from "../output/events.ts";
import { runFlow } from "../run-flow.ts";
import { shownPath } from "../run-identity.ts";
import type { SandboxOptions } from "../workshop.ts";
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

  const open = async (store: Store) => {
    const room = await openGateRoom(project, { ...input, runId: start.id, concurrency, gates: [] });
    await rm(workDirectory, { recursive: true, force: true });
    await mkdir(workDirectory, { recursive: true });
    await tidyShelf(out);
    const flow = forgeFlow({
      concurrency: concurrency + 1,
      evaluate: (candidate, signal) =>
        evaluateCandidate(
          candidate,
          {
            workDirectory,
            publishedPath: (slug) => join(input.out, slug),
            putEvidence: (text) => store.blobs.put(text),
            gauntlet: room.pass,
          },
          signal,
        ),
      async archive({ design }, decision) {
        if (!decision.accepted || decision.evidence === null) return;
        await publishTask(out, design, (await store.blobs.get(decision.evidence)).toString("utf8"));
      },
      onDecision(decision, now) {
        funnel = now;
        report.event({
          type: decision.accepted ? "task-accepted" : "task-rejected",
          index: decision.index,
          reasons: [...decision.reasons],
          ...(decision.accepted
            ? {}
            : { text: `rejected candidate ${decision.index}: ${decision.reasons.join(", ")}` }),
        });
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
    return {
      flow,
      close: async () => {
        await room.close();
        await rm(workDirectory, { recursive: true, force: true });
      },
    };
  };

  const run = await runFlow<ForgeRunInput, ForgeOutput>(project, context, open, {
    id: start.id,
    input,
    seed: input.seed,
    ...(start.redo ? { redo: start.redo } : {}),
  });
  return forgeResult(run.id, run.output, run.output?.funnel ?? funnel, input, shownPath(project, input.out));
};

const progressCounts = ({ accepted, rejected, duplicates, ungraded }: Funnel) => ({
  accepted,
  rejected,
  duplicates,
  ungraded,
});

function forgeResult(
  id: string,
  output: ForgeOutput | null,
  funnel: Funnel,
  input: ForgeRunInput,
  out: string,
): CommandResult {
  const { proposed, accepted, rejected, duplicates, ungraded, warnings, trials } = funnel;
  const missed = output !== null && !output.reachedGoal;
  const lines = [`${accepted} of ${input.goal} wanted tasks accepted (${proposed} candidates)`];
  if (rejected + ungraded > 0)
    lines.push(
      `stopped by: ${Object.entries(funnel.rejectedBy)
        .map(([gate, count]) => `${gate} ${count}`)
        .join(", ")}`,
    );
  if (output === null) lines.push("stopped; the same command goes on from here");
  else if (ungraded > 0) lines.push(`take the ungraded again with: routesetter runs resume ${id} --only infra`);
  return {
    status: output === null ? "interrupted" : missed ? (ungraded > 0 ? "infrastructure" : "failed") : "ok",
    counts: {
      found: proposed,
      loaded: proposed - duplicates,
      rejected: rejected + duplicates,
      ungraded,
      accepted,
      warnings,
    },
    cost: { trials, tokens: 0 },
    outputs: [out],
    lines,
    data: { run: id, seed: input.seed },
  };
}
