import type { Random } from "../../../statistics/index.ts";
import type { Difficulty, FixtureFile } from "../family.ts";

export type Kind = "duration" | "size" | "boolean" | "number" | "text" | "list";
export type Setting = { readonly old: string; readonly to: string; readonly kind: Kind; readonly alias: string | null };
export type Assignment = {
  readonly file: string;
  readonly key: string;
  readonly value: string;
  /** `+=`: entries are added to what the list has so far. */
  readonly adds: boolean;
};
export type World = {
  readonly difficulty: Difficulty;
  readonly service: string;
  readonly settings: readonly Setting[];
  /** Old keys that the guide drops. */
  readonly retired: readonly string[];
  /** In the order in which they count. */
  readonly assignments: readonly Assignment[];
  readonly profile: string;
  readonly files: readonly FixtureFile[];
};

const services = ["harbour", "lantern", "quarry", "signalbox", "weir", "orchard", "mailroom", "granary"];
const pool: readonly [old: string, to: string, kind: Kind, alias: string][] = [
  ["server.port", "listen.port", "number", "server.listen_port"],
  ["server.host", "listen.address", "text", "server.bind"],
  ["server.timeout", "listen.request_timeout_ms", "duration", "server.request_timeout"],
  ["server.workers", "runtime.workers", "number", "server.threads"],
  ["server.keepalive", "listen.keep_alive_ms", "duration", "server.keep_alive"],
  ["cache.size", "cache.limit_bytes", "size", "cache.max"],
  ["cache.ttl", "cache.expiry_ms", "duration", "cache.lifetime"],
  ["cache.enabled", "cache.active", "boolean", "cache.on"],
  ["log.level", "logging.level", "text", "log.verbosity"],
  ["log.rotate", "logging.rotate_bytes", "size", "log.max_size"],
  ["log.json", "logging.structured", "boolean", "log.structured"],
  ["tls.enabled", "tls.active", "boolean", "tls.on"],
  ["tls.certificate", "tls.certificate_file", "text", "tls.cert"],
  ["tls.key", "tls.private_key", "text", "tls.keyfile"],
  ["tls.protocols", "tls.versions", "list", "tls.allow"],
  ["upload.limit", "upload.limit_bytes", "size", "upload.max"],
  ["upload.types", "upload.allowed_types", "list", "upload.kinds"],
  ["peers.hosts", "cluster.peers", "list", "peers.list"],
  ["peers.retry", "cluster.retry_ms", "duration", "peers.backoff"],
];
const retiredPool = ["server.legacy_mode", "log.syslog_facility", "cache.backend", "peers.gossip", "upload.tmpdir"];
const unknownPool = ["server.colour", "log.banner", "cache.warmth", "upload.motto", "peers.nickname"];
const words = ["amber", "cobalt", "heron", "juniper", "larch", "pebble", "saffron", "thistle", "umber", "willow"];

function drawValue(random: Random, setting: Pick<Setting, "old" | "kind">, difficulty: Difficulty): string {
  const { kind, old } = setting;
  if (kind === "boolean") return random.pick(["yes", "no", "on", "off", "true", "false"]);
  if (kind === "number") return String(random.integer(2, 9000));
  if (kind === "duration") return `${random.integer(1, 90)}${difficulty >= 2 && random.boolean(0.4) ? "m" : ""}`;
  if (kind === "size") return `${random.integer(1, 900)}${difficulty >= 2 && random.boolean(0.4) ? "M" : ""}`;
  if (kind === "list") return random.sample(words, random.integer(2, 4)).join(random.pick([",", ", ", " , "]));
  if (old === "tls.key" || random.boolean(0.2)) return `secret:${random.pick(words)}-${random.integer(10, 99)}`;
  return `${random.pick(words)}-${random.pick(words)}`;
}

export function drawWorld(random: Random, difficulty: Difficulty): World {
  const service = random.pick(services);
  const settings = random
    .sample([...pool], 9 + difficulty)
    .map(([old, to, kind, alias]) => ({ old, to, kind, alias: difficulty >= 4 && random.boolean(0.5) ? alias : null }));
  if (difficulty === 5)
    for (const [old, to, kind] of pool)
      if (/^tls\.(enabled|certificate|key)$/.test(old) && !settings.some((setting) => setting.old === old))
        settings.push({ old, to, kind, alias: null });
  const retired = random.sample(retiredPool, 3);
  const profile = random.pick(["production", "staging", "canary"]);
  const layers = layersOf(service, difficulty, profile);
  const assignments: Assignment[] = [];
  const assign = (file: string, key: string, value: string, adds = false) =>
    assignments.push({ file, key, value, adds });
  for (const [index, file] of layers.entries()) {
    const share = index === 0 ? 0.85 : 0.35;
    for (const setting of random.shuffle([...settings])) {
      if (!random.boolean(share)) continue;
      const usesAlias = setting.alias !== null && random.boolean(0.45);
      const adds = difficulty === 5 && setting.kind === "list" && index > 0 && random.boolean(0.6);
      assign(file, usesAlias ? (setting.alias as string) : setting.old, drawValue(random, setting, difficulty), adds);
    }
    for (const key of [...retired, ...random.sample(unknownPool, 1)])
      if (random.boolean(0.5)) assign(file, key, random.pick(words));
  }
  // Every kind of work of the level is there, and shows.
  const seconds = settings.filter(({ kind }) => kind === "duration" || kind === "size" || kind === "boolean");
  for (const { old, kind } of random.sample(seconds, Math.min(2, seconds.length)))
    assign(layers[0] as string, old, kind === "boolean" ? "yes" : String(random.integer(2, 60)));
  assign(layers[0] as string, retired[0] as string, "x");
  assign(layers.at(-1) as string, "log.banner", "hello");
  if (difficulty === 5) assign(layers.at(-1) as string, "tls.enabled", random.pick(["no", "off"]));
  const ordered = layers.flatMap((file) => assignments.filter((one) => one.file === file));
  return {
    difficulty,
    service,
    settings,
    retired,
    assignments: ordered,
    profile,
    files: filesOf(service, difficulty, profile, layers, ordered),
  };
}

function layersOf(service: string, difficulty: Difficulty, profile: string): string[] {
  const base = `old/${service}.ini`;
  if (difficulty === 1) return [base];
  const shared = difficulty >= 3 ? ["old/shared/common.ini"] : [];
  const parts = ["old/conf.d/10-site.ini", "old/conf.d/90-local.ini", "old/conf.d/9-early.ini"].sort();
  return [...shared, base, ...parts, ...(difficulty >= 3 ? [`old/profiles/${profile}.ini`] : []), "old/environment"];
}

function filesOf(
  service: string,
  difficulty: Difficulty,
  profile: string,
  layers: readonly string[],
  assignments: readonly Assignment[],
): FixtureFile[] {
  const files: FixtureFile[] = layers.map((file) => {
    const own = assignments.filter((one) => one.file === file);
    if (file === "old/environment")
      return {
        path: file,
        content:
          own
            .map(({ key, value, adds }) => `${nameInEnvironment(service, key)}${adds ? "+" : ""}=${value}\n`)
            .join("") || "# empty\n",
      };
    const include = difficulty >= 3 && file === `old/${service}.ini` ? "include = shared/common.ini\n" : "";
    let section = "";
    const body = own.map(({ key, value, adds }, index) => {
      const [head, name] = key.split(".") as [string, string];
      const opened = head === section ? "" : `[${head}]\n`;
      section = head;
      const remark = difficulty >= 4 && index % 3 === 0 ? " ; was tuned" : "";
      return `${opened}${name} ${adds ? "+=" : "="} ${value}${remark}\n`;
    });
    return { path: file, content: `# settings of ${service}\n${include}${body.join("")}` };
  });
  if (difficulty >= 2) files.push({ path: "old/conf.d/50-off.ini.disabled", content: "[server]\nport = 1\n" });
  if (difficulty >= 3) {
    files.push({ path: "old/PROFILE", content: `${profile}\n` });
    const other = ["production", "staging", "canary"].find((name) => name !== profile);
    files.push({ path: `old/profiles/${other}.ini`, content: "[server]\nport = 2\n[cache]\nttl = 1\n" });
  }
  return files;
}

export const nameInEnvironment = (service: string, key: string): string =>
  `${service}__${key.replace(".", "__")}`.toUpperCase();
