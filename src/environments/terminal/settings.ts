// What a terminal task's configuration asks of its sandboxes, in the units that sandboxes take, defaults filled in.
import type { NetworkPolicy, SandboxLimits, VerificationMode } from "../../contract/index.ts";
import type { EnvironmentConfiguration, Task } from "../../tasks/index.ts";
import { type CarriedArtefact, carriedArtefacts } from "./judge/carried-artefacts.ts";
import { resolveVariables } from "./resolve-variables.ts";

export type TerminalSettings = {
  readonly workingDirectory: string | null;
  readonly environment: Readonly<Record<string, string>>;
  readonly limits: SandboxLimits;
  readonly network: NetworkPolicy;
  readonly healthcheck: EnvironmentConfiguration["healthcheck"];
  readonly agent: { readonly user: string | null; readonly timeoutMilliseconds: number | null };
  readonly solutionEnvironment: () => Readonly<Record<string, string>>;
  readonly verifier: {
    readonly user: string | null;
    readonly timeoutMilliseconds: number;
    readonly environment: Readonly<Record<string, string>>;
    /** What its configuration asks for; `none` when it says nothing. */
    readonly network: NetworkPolicy;
  };
  readonly artefacts: readonly CarriedArtefact[];
  readonly mode: VerificationMode;
};

const megabyte = 1024 * 1024;
const defaultMemoryMegabytes = 2048;
const defaultStorageMegabytes = 10240;
const defaultProcesses = 1024;

/**
 * `variables` are those of the runner's own process that `${NAME}` in the task's tables may name.
 * Errors: TaskFormatError `variable_unset`, `artefact_path_refused`.
 */
export function terminalSettings(
  task: Task,
  variables: Readonly<Record<string, string | undefined>> = {},
): TerminalSettings {
  const { configuration } = task;
  const { environment, agent, verifier, metadata } = configuration;
  const artefacts = carriedArtefacts(task);
  return {
    workingDirectory: environment.workdir ?? null,
    environment: resolveVariables(environment.env, variables, "environment.env"),
    limits: {
      memoryBytes: (environment.memory_mb ?? defaultMemoryMegabytes) * megabyte,
      diskBytes: (environment.storage_mb ?? defaultStorageMegabytes) * megabyte,
      processes: defaultProcesses,
    },
    network: policy(agent.network_mode ?? environment.network_mode, agent.allowed_hosts ?? environment.allowed_hosts),
    healthcheck: environment.healthcheck,
    agent: {
      user: agent.user ?? null,
      timeoutMilliseconds: agent.timeout_sec === undefined ? null : agent.timeout_sec * 1000,
    },
    solutionEnvironment: () => resolveVariables(configuration.solution.env, variables, "solution.env"),
    verifier: {
      user: verifier.user ?? null,
      timeoutMilliseconds: verifier.timeout_sec * 1000,
      environment: resolveVariables(verifier.env, variables, "verifier.env"),
      network: policy(verifier.network_mode ?? "no-network", verifier.allowed_hosts),
    },
    artefacts,
    mode:
      metadata.verification ??
      (task.requirements !== null || verifier.environment_mode === "separate" ? "sealed" : "restored"),
  };
}

function policy(mode: "public" | "no-network" | "allowlist", hosts: readonly string[] | undefined): NetworkPolicy {
  if (mode === "public") return { mode: "full" };
  return mode === "allowlist" ? { mode: "allowlist", hosts: hosts ?? [] } : { mode: "none" };
}
