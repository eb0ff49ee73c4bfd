import type { TaskConfiguration } from "./configuration.ts";
import { openTaskFolder } from "./folder.ts";
import type { Task } from "./task.ts";
import { verifierImage } from "./verifier-image.ts";

/** Something that a task needs from whoever runs it. `reason` says why it isn't supported, and is empty otherwise. */
export type TaskNeed = {
  readonly need: string;
  readonly field: string;
  readonly detail: string;
  readonly supported: boolean;
  readonly reason: string;
};

/** What a task needs beyond one Linux container, a shell and its own files, sorted by name. */
export async function requirementsOf(task: Pick<Task, "directory" | "configuration">): Promise<TaskNeed[]> {
  const { configuration } = task;
  const { environment, agent, verifier } = configuration;
  const files = new Set((await openTaskFolder(task.directory)).files.map((file) => file.path));
  const needs: TaskNeed[] = [];
  const supported = (need: string, field: string, detail: string) =>
    needs.push({ need, field, detail, supported: true, reason: "" });
  const unsupported = (need: string, field: string, detail: string, reason: string) =>
    needs.push({ need, field, detail, supported: false, reason });

  if (configuration.steps.length > 0) supported("multi_step", "steps", `${configuration.steps.length} steps`);
  stepNeeds(configuration, files, unsupported);
  if (environment.os === "windows")
    unsupported("windows", "environment.os", "Windows containers", "sandboxes run Linux only");
  const compose = ["docker-compose.yaml", "docker-compose.yml"].find((name) => files.has(`environment/${name}`));
  if (compose !== undefined)
    unsupported("compose", `environment/${compose}`, "several services", "a sandbox is one container");
  if (!files.has("environment/Dockerfile") && environment.docker_image === undefined && compose === undefined)
    unsupported("image", "environment", "no image", "there is neither environment/Dockerfile nor docker_image");
  if ((environment.gpus ?? 0) > 0)
    unsupported("gpu", "environment.gpus", `${environment.gpus} GPUs`, "sandboxes have no GPU");
  if (environment.tpu !== undefined)
    unsupported("tpu", "environment.tpu", environment.tpu.type, "sandboxes have no TPU");
  if (environment.mcp_servers.length > 0)
    unsupported(
      "mcp_servers",
      "environment.mcp_servers",
      environment.mcp_servers.map((server) => server.name).join(", "),
      "agents are not connected to MCP servers",
    );
  if (environment.healthcheck !== undefined)
    supported("healthcheck", "environment.healthcheck", environment.healthcheck.command);
  if (environment.skills_dir !== undefined) supported("skills", "environment.skills_dir", environment.skills_dir);
  if (environment.docker_image !== undefined && !files.has("environment/Dockerfile"))
    supported("prebuilt_image", "environment.docker_image", environment.docker_image);
  if (files.has("trajectory.json"))
    unsupported("prior_context", "trajectory.json", "an earlier conversation", "agents start with an empty context");
  verifierNeeds(configuration, files, supported, unsupported);
  for (const [name, phase] of [
    ["environment", environment],
    ["agent", agent],
    ["verifier", verifier],
  ] as const)
    if (phase.network_mode === "allowlist")
      supported("allowlist", `${name}.allowed_hosts`, (phase.allowed_hosts ?? []).join(", "));
    else if (phase.network_mode === "public") supported("network", `${name}.network_mode`, "the public network");
  if (agent.user !== undefined) supported("agent_user", "agent.user", agent.user);
  return needs.sort((a, b) => (a.need < b.need ? -1 : a.need > b.need ? 1 : a.field < b.field ? -1 : 1));
}

function stepNeeds(configuration: TaskConfiguration, files: ReadonlySet<string>, unsupported: Add): void {
  for (const step of configuration.steps) {
    const field = `steps.${step.name}`;
    const { ownImage } = verifierImage(configuration, (path) => files.has(path), step);
    if (ownImage?.startsWith("steps/"))
      unsupported("separate_verifier_image", field, ownImage, "the verifier runs in the task's own image");
    if ([...step.artifacts, ...step.verifier.collect].some(({ service }) => service !== "main"))
      unsupported("sidecar", field, "another service", "a sandbox is one container");
    if (step.verifier.collect.length > 0)
      unsupported("collect", field, `${step.verifier.collect.length} commands`, "collect commands are not run");
    if (files.has(`steps/${step.name}/trajectory.json`))
      unsupported("prior_context", field, "an earlier conversation", "agents start with an empty context");
  }
}

type Add = (need: string, field: string, detail: string, reason: string) => void;

function verifierNeeds(
  configuration: TaskConfiguration,
  files: ReadonlySet<string>,
  supported: Add,
  unsupported: Add,
): void {
  const { verifier } = configuration;
  const { ownImage } = verifierImage(configuration, (path) => files.has(path));
  if (ownImage !== null)
    unsupported(
      "separate_verifier_image",
      "verifier.environment",
      ownImage,
      "the verifier runs in the task's own image",
    );
  const services = [...configuration.artifacts, ...verifier.collect].filter((item) => item.service !== "main");
  if (services.length > 0)
    unsupported("sidecar", "artifacts", services.map((item) => item.service).join(", "), "a sandbox is one container");
  if (verifier.collect.length > 0)
    unsupported("collect", "verifier.collect", `${verifier.collect.length} commands`, "collect commands are not run");
  if (verifier.user !== undefined) supported("verifier_user", "verifier.user", verifier.user, "");
}
