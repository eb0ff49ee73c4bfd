import type { Flow, Json, RunContext } from "../contract/index.ts";
import { type Budget, type Decision, type Funnel, runSetter, type Setter } from "../setter/index.ts";
import type { Family } from "./families/index.ts";
import { type ProceduralDesign, type ProceduralPlan, proceduralCandidate } from "./procedural.ts";

export type ForgeInput = {
  author: "procedural";
  seed: number;
  families: string[];
  difficulties: ProceduralPlan["difficulties"][number][];
  goal: number;
  maximumCandidates: number;
  repeats: number;
  /** As the user gave it, relative to the project. */
  out: string;
  /** The user's own families, a folder or module relative to the project and a digest of what it held; null: none. */
  ownFamilies: { path: string; digest: string } | null;
};

export type ForgeOutput = { funnel: Funnel; reachedGoal: boolean; tasks: { slug: string; key: string }[] };

/** An accepted candidate. */
export type Published = { readonly design: ProceduralDesign; readonly decision: Decision };

/** What the flow needs of the machine: everything that touches a file or a sandbox. */
export type ForgeServices = Pick<Setter<ProceduralDesign>, "evaluate" | "archive"> & {
  readonly concurrency: number;
  readonly families: readonly Family[];
  readonly onDecision: (decision: Decision, funnel: Funnel) => void;
  /** Called once at the end with all that was published, in order. */
  readonly finish: (published: readonly Published[], funnel: Funnel) => Promise<void>;
};

/** forge with the procedural author, as a durable flow: seed → draft → folder → gauntlet → shelf. */
export function forgeFlow(services: ForgeServices): Flow {
  return {
    name: "forge",
    version: "1",
    async run(context: RunContext, json: Json): Promise<Json> {
      const input = json as unknown as ForgeInput;
      const designs = new Map<number, ProceduralDesign>();
      const setter: Setter<ProceduralDesign> = {
        name: "forge",
        async design(index) {
          const candidate = proceduralCandidate(index, input, services.families);
          designs.set(index, candidate.design);
          return candidate;
        },
        evaluate: services.evaluate,
        archive: services.archive,
      };
      const budget: Budget = {
        goal: input.goal,
        maximumCandidates: input.maximumCandidates,
        concurrency: services.concurrency,
      };
      const { decisions, funnel, reachedGoal } = await runSetter(context, setter, budget, services.onDecision);
      const published = decisions
        .filter((decision) => decision.accepted)
        .map((decision) => ({ decision, design: designs.get(decision.index) as ProceduralDesign }));
      await services.finish(published, funnel);
      const tasks = published.map(({ design, decision }) => ({ slug: design.slug, key: decision.key }));
      return { funnel, reachedGoal, tasks } as unknown as Json;
    },
  };
}
