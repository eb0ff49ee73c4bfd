import type { Random } from "../../../statistics/index.ts";
import type { Line, World } from "./world.ts";

const chatter: readonly (readonly [Line["level"], string])[] = [
  ["INFO", "cache warmed, 412 entries"],
  ["INFO", "configuration reloaded"],
  ["INFO", "connection pool resized to 24"],
  ["INFO", "heartbeat sent"],
  ["INFO", "compaction finished"],
  ["WARN", "slow query on replica"],
  ["WARN", "heap at 81 percent"],
  ["WARN", "certificate expires in 21 days"],
  ["ERROR", "nightly export could not be mailed"],
  ["ERROR", "metrics endpoint refused the connection"],
];

/** Lines that belong to no request: health checks at the edge (failed ones too), chatter and stray errors behind it. */
export function drawNoise(random: Random, world: World): Line[] {
  const taken = new Set(world.lines.map((line) => line.at));
  const moment = () => {
    for (;;) {
      const at = random.integer(world.from, world.from + Math.min(world.to - world.from, 2 ** 31));
      if (taken.has(at)) continue;
      taken.add(at);
      return at;
    }
  };
  const checks = Array.from({ length: random.integer(9, 16) }, (_, index): Line => {
    const status = index < 2 ? 503 : 200;
    const facts = { address: "127.0.0.1", user: "-", method: "GET", path: "/healthz", status, bytes: 2, retryOf: null };
    return { service: world.edge.name, at: moment(), level: "INFO", request: null, text: "", took: 1, edge: facts };
  });
  const others = world.backends.flatMap((service) =>
    Array.from({ length: random.integer(7, 14) }, (): Line => {
      const [level, text] = random.pick(chatter);
      return {
        service: service.name,
        at: moment(),
        level,
        request: null,
        text,
        ...(level === "ERROR" ? { code: "E_INTERNAL" } : {}),
      };
    }),
  );
  return [...checks, ...others];
}
