import type {
  FileChange,
  Image,
  NetworkPolicy,
  SandboxBackend,
  Trajectory,
  VerificationMode,
} from "../contract/index.ts";
import { drawVariation, type TerminalSettings, taskImage, terminalSettings } from "../environments/index.ts";
import {
  limitConcurrency,
  nopAgent,
  OracleBaseline,
  oracleAgent,
  partialAgent,
  runTrial,
  type TrialResult,
  type Turn,
} from "../rollouts/index.ts";
import type { ImageStore } from "../sandbox/index.ts";
import { Random } from "../statistics/index.ts";
import type { Task } from "../tasks/index.ts";
import type { TrialSource } from "./gauntlet.ts";
import { lintTestScript } from "./lint/test-script/index.ts";
import { fetchingScripts, readTaskFiles } from "./task-files.ts";
import { type Surroundings, type Trial, type TrialPlan, trialKey } from "./trial.ts";

export type SandboxTrialsOptions = {
  readonly backend: SandboxBackend;
  readonly images: ImageStore;
  readonly seed: number;
  /** Bounds the trials at once, of this task and of all others that share it; two of this task by default. */
  readonly turn?: Turn;
  readonly baseline?: OracleBaseline;
  readonly signal?: AbortSignal;
  readonly owner?: string;
  readonly variables?: Readonly<Record<string, string | undefined>>;
  readonly workDirectory?: string;
  readonly now?: () => number;
  readonly onTrajectory?: (key: string, trajectory: Trajectory) => void;
};

/**
 * Trials in sandboxes. The oracle's plain trial finds the surroundings that the others share: the strongest mode of
 * verification and the least network in which it earns the full reward, tried in that order; else the strongest.
 */
export function sandboxTrials(task: Task, options: SandboxTrialsOptions): TrialSource {
  const { backend, images, signal, variables } = options;
  const turn = options.turn ?? limitConcurrency(2);
  let known: TerminalSettings | undefined;
  const settings = () => (known ??= terminalSettings(task, variables));
  const baseline =
    options.baseline ?? new OracleBaseline(() => Promise.reject(new Error("the oracle's trial comes first")));
  let image: Promise<Image> | undefined;
  const resolve = async (): Promise<Image> => {
    settings(); // A task that can't be run is refused before its image is made.
    return taskImage(task, options);
  };
  const once = () => (image ??= resolve());

  const run = async (plan: TrialPlan, { mode, network }: Surroundings): Promise<Trial> => {
    const key = trialKey(plan);
    const built = await once();
    const agent =
      plan.agent === "oracle"
        ? oracleAgent(task, variables)
        : plan.agent === "nop"
          ? nopAgent()
          : partialAgent(task, plan.partial ?? "", variables);
    const random = new Random(`gates/${options.seed}/${task.digest}`).fork(key);
    const result = await turn(() =>
      runTrial({
        task: network === "declared" ? task : withoutVerifierNetwork(task),
        agent,
        backend,
        images,
        image: built,
        mode,
        variation: drawVariation(random, plan.repeat),
        collectChanges: plan.repeat === 0 && plan.agent !== "nop",
        seed: options.seed,
        ...(network === "none" ? { network: { mode: "none" } satisfies NetworkPolicy } : {}),
        ...(plan.agent === "oracle" ? {} : { baseline }),
        ...(options.owner === undefined ? {} : { owner: options.owner }),
        ...(options.workDirectory === undefined ? {} : { workDirectory: options.workDirectory }),
        ...(variables ? { variables } : {}),
        ...(options.now ? { now: options.now } : {}),
        ...(signal ? { signal } : {}),
      }),
    );
    options.onTrajectory?.(key, result.trajectory);
    if (plan.agent === "oracle" && plan.repeat === 0) baseline.put(task, result);
    return trialOf(key, result, { mode, network });
  };

  return {
    image: once,
    async trial(plan, oracle) {
      const [strongest, ...weaker] = surroundingsOf(task, settings()) as [Surroundings, ...Surroundings[]];
      if (plan.agent !== "oracle" || plan.repeat > 0) return run(plan, oracle?.surroundings ?? strongest);
      const first = await run(plan, strongest);
      for (const candidate of weaker) {
        if (!mayHelp(first, candidate, strongest)) continue;
        const trial = await run(plan, candidate);
        if (trial.score === 1) return trial;
        if (trial.outcome === "infra_error" && candidate.network !== "none" && fetchesSomething(task)) return trial;
        if (trial.outcome === "cancelled") break;
      }
      return first;
    },
  };
}

/** In which surroundings the oracle is tried, the strongest first. A task that states its mode is tried in no other. */
function surroundingsOf(task: Task, { mode, network, verifier }: TerminalSettings): Surroundings[] {
  const fixed = task.requirements !== null || task.configuration.metadata.verification !== undefined;
  const modes: VerificationMode[] =
    fixed || mode === "live" ? [mode] : mode === "sealed" ? ["sealed", "restored", "live"] : ["restored", "live"];
  const networks: Surroundings["network"][] = [
    "none",
    ...(network.mode !== "none" ? (["agent"] as const) : []),
    ...(verifier.network.mode !== "none" ? (["declared"] as const) : []),
  ];
  return modes.flatMap((each) => networks.map((reach) => ({ mode: each, network: reach })));
}

/** A weaker mode helps no script that broke down; nothing helps a verifier that hangs or a machine that fails. */
function mayHelp(first: Trial, candidate: Surroundings, strongest: Surroundings): boolean {
  if (first.score === 1 || first.outcome === "infra_error" || first.outcome === "cancelled") return false;
  if (first.cause !== null && /timeout|_limit$/.test(first.cause.code)) return false;
  return candidate.mode === strongest.mode || candidate.network !== "none" || first.scriptExit === 0;
}

/** A script that says that it needs the network gets no verdict from a machine that can't give it. */
function fetchesSomething(task: Task): boolean {
  const files = readTaskFiles(task.directory);
  return fetchingScripts(files).some((file) =>
    lintTestScript(files.text(file) ?? "", { file }).some(({ rule }) => rule === "network_at_grading"),
  );
}

const withoutVerifierNetwork = (task: Task): Task => {
  const { allowed_hosts: _, ...verifier } = task.configuration.verifier;
  return { ...task, configuration: { ...task.configuration, verifier: { ...verifier, network_mode: "no-network" } } };
};

function trialOf(
  key: string,
  { grading, timings, scriptExit, changes }: TrialResult,
  surroundings: Surroundings,
): Trial {
  const { outcome, verdict, cause } = grading;
  const source = verdict?.details?.checks_from;
  return {
    key,
    outcome,
    score: verdict?.score ?? null,
    rewards: verdict?.rewards ?? {},
    checks: source === "none" ? [] : (verdict?.checks ?? []),
    cause,
    attacks: verdict?.attacks ?? [],
    surroundings,
    scriptExit,
    changes: changes as readonly FileChange[] | null,
    seconds: { agent: timings.agent / 1000, verifier: timings.verifier / 1000 },
  };
}
