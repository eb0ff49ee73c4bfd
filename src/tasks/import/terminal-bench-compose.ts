import type { YamlDocument, YamlTable } from "./yaml-document.ts";

export type ComposeReading =
  /** One service with the usual keys: a Dockerfile says the same. */
  | {
      readonly kind: "one";
      readonly dockerfile: string | null;
      readonly image: string | null;
      readonly variables: Record<string, string>;
    }
  /** More than one sandbox can be: why. */
  | { readonly kind: "many"; readonly reason: string };

const usual = new Set([
  "build",
  "image",
  "container_name",
  "command",
  "environment",
  "volumes",
  "tty",
  "stdin_open",
  "restart",
  "working_dir",
  "init",
  "platform",
  "hostname",
]);
const mine = /\$\{?T_BENCH_/;
const isTable = (value: unknown): value is YamlTable =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** docker-compose.yaml of a Terminal-Bench 1 task. Errors: TaskFormatError with line and field. */
export function readCompose(document: YamlDocument): ComposeReading {
  const { services } = document.table;
  if (!isTable(services) || Object.keys(services).length === 0)
    throw document.fault(["services"], "names no service", "describe the service `client`");
  const names = Object.keys(services);
  if (names.length > 1)
    return many(
      document,
      ["services"],
      `${names.length} services (${names.join(", ")}), and a sandbox here is one machine`,
    );
  const [name] = names as [string];
  const service = services[name];
  const at = ["services", name];
  if (!isTable(service)) throw document.fault(at, "is no mapping", "describe the service");
  for (const key of Object.keys(service))
    if (!usual.has(key)) return many(document, [...at, key], `"${key}", which only a compose engine gives`);
  for (const volume of Array.isArray(service.volumes) ? service.volumes : [])
    if (!mine.test(String(volume)))
      return many(
        document,
        [...at, "volumes"],
        `the volume ${String(volume).slice(0, 80)} of the machine that runs it`,
      );
  const build = buildOf(service.build);
  if (build === "elsewhere")
    return many(document, [...at, "build"], "a build context that is not the task's own folder");
  const image = typeof service.image === "string" && !service.image.includes("$") ? service.image : null;
  return {
    kind: "one",
    dockerfile: build,
    image: build === null ? image : null,
    variables: variablesOf(service.environment),
  };
}

const many = (document: YamlDocument, path: string[], what: string): ComposeReading => ({
  kind: "many",
  reason: `docker-compose.yaml:${document.lineOf(path)} asks for ${what}`,
});

function buildOf(build: unknown): string | null | "elsewhere" {
  if (build === undefined || build === null) return null;
  const context = isTable(build) ? (build.context ?? ".") : build;
  if (typeof context !== "string" || !/^\.?\/?$/.test(context)) return "elsewhere";
  const dockerfile = isTable(build) && typeof build.dockerfile === "string" ? build.dockerfile : "Dockerfile";
  return dockerfile.replace(/^\.\//, "");
}

function variablesOf(environment: unknown): Record<string, string> {
  const pairs = Array.isArray(environment)
    ? environment.map((one) => String(one).split(/=(.*)/s, 2) as [string, string?])
    : isTable(environment)
      ? Object.entries(environment)
      : [];
  return Object.fromEntries(
    pairs
      .filter(
        ([name, value]) =>
          /^[A-Za-z_]\w*$/.test(name) && value !== undefined && value !== null && !mine.test(String(value)),
      )
      .map(([name, value]) => [name, String(value)]),
  );
}
