import type { Random } from "../../../statistics/index.ts";
import type { Difficulty } from "../family.ts";
import { drawPeople } from "../words/index.ts";
import { drawTheme, type Theme } from "./theme.ts";

export type EdgeFormat = "combined" | "tabbed";
export type BackendFormat = "json" | "epoch-json" | "logfmt" | "syslog" | "pipe";
export type Service = {
  readonly name: string;
  readonly host: string;
  readonly format: EdgeFormat | BackendFormat;
  /** Minutes east of UTC in which it writes its times. */
  readonly offset: number;
  /** Milliseconds by which its clock is ahead of true time. */
  readonly ahead: number;
};

/** One record that a service wrote, as it truly happened. */
export type Line = {
  readonly service: string;
  readonly at: number;
  readonly level: "INFO" | "WARN" | "ERROR";
  /** The id of the request it belongs to; null for what belongs to none. */
  readonly request: string | null;
  /** What stands in the line instead of the request's id. */
  readonly job?: string;
  readonly text: string;
  readonly code?: string;
  readonly took?: number;
  readonly edge?: EdgeFacts;
};
export type EdgeFacts = {
  readonly address: string;
  readonly user: string;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly bytes: number;
  readonly retryOf: string | null;
};

export type World = {
  readonly theme: Theme;
  readonly difficulty: Difficulty;
  readonly edge: Service;
  readonly backends: readonly Service[];
  /** The last backend hides requests behind job ids from level 4 on; the second writes errors over several lines. */
  readonly jobService: string | null;
  readonly tracedService: string | null;
  /** In order of true time. */
  readonly lines: readonly Line[];
  readonly from: number;
  readonly to: number;
};

const second = 1000;
const minute = 60 * second;

function drawServices(random: Random, theme: Theme, difficulty: Difficulty) {
  const zoned = difficulty >= 3;
  const offsets = [-480, -300, -180, 60, 120, 180, 330, 540];
  const place = random.pick(["ams", "fra", "dub", "gru", "sin", "iad"]);
  const make = (name: string, format: Service["format"]): Service => ({
    name,
    host: `${place}-${name}-${random.integer(1, 9)}`,
    format,
    offset: zoned ? random.pick(offsets) : 0,
    ahead: zoned ? random.pick([-1, 1]) * random.integer(120, 4800) : 0,
  });
  const edge = make(random.pick(theme.edge), random.pick(["combined", "tabbed"] as const));
  const names = random.sample(theme.services, difficulty >= 3 ? 3 : 2);
  const multiline = random.pick(["logfmt", "syslog", "pipe"] as const);
  const rest = random
    .shuffle(["json", "epoch-json", "logfmt", "syslog", "pipe"] as const)
    .filter((f) => f !== multiline);
  const formats = [rest[0]!, multiline, rest[1]!];
  return { edge, backends: names.map((name, index) => make(name, formats[index]!)) };
}

/** Draws what really happened: requests through the services, an incident in three bursts, and noise around it. */
export function drawWorld(random: Random, difficulty: Difficulty): World {
  const theme = drawTheme(random);
  const { edge, backends } = drawServices(random, theme, difficulty);
  const jobService = difficulty >= 4 ? (backends[2]?.name ?? null) : null;
  const tracedService = difficulty >= 4 ? (backends[1]?.name ?? null) : null;
  const people = drawPeople(random, random.integer(9, 14)).map((person) => person.login);
  const span = random.integer(50, 110) * minute;
  const day = Date.UTC(2026, random.integer(0, 10), random.integer(4, 26));
  const from = day + random.integer(0, 23 * 60) * minute + random.integer(0, 59) * second;
  const to = from + span;
  const count = 44 + difficulty * 9 + random.integer(0, 10);
  const bursts = [0.22, 0.55, 0.83].map((place) => from + Math.round(span * (place + (random.next() - 0.5) * 0.08)));
  const culprit = backends[difficulty >= 4 ? 2 : random.integer(1, backends.length - 1)]!;
  const lines: Line[] = [];
  const ids = new Set<string>();
  const style = random.pick(["hex", "dashed", "numbered"] as const);
  const drawId = () => {
    for (;;) {
      const hex = () => random.word().toString(16).padStart(8, "0");
      const id =
        style === "hex"
          ? hex() + hex().slice(0, 4)
          : style === "dashed"
            ? `rq-${hex().slice(0, 4)}-${hex().slice(0, 4)}`
            : `${random.integer(1000000, 9999999)}`;
      if (ids.has(id) || /^\d+e\d+$/.test(id)) continue;
      ids.add(id);
      return id;
    }
  };
  let jobNumber = random.integer(2000, 8000);
  const addresses = people.map(() => `10.${random.integer(1, 60)}.${random.integer(0, 250)}.${random.integer(2, 250)}`);

  const attempt = (arrival: number, who: number, path: string, fate: Fate, retryOf: string | null): Attempt => {
    const id = drawId();
    let at = arrival + random.integer(2, 9);
    let status = random.boolean(0.1) ? random.pick([400, 403, 404, 409, 422]) : 200;
    if (fate.kind === "unreached") {
      status = 504;
      at = arrival + random.integer(900, 2500);
    } else {
      const depth = fate.kind === "failed" ? backends.indexOf(fate.culprit) : random.integer(0, backends.length - 1);
      const chain = backends
        .slice(0, depth + 1)
        .filter(
          (service, index) => index === 0 || index === depth || service.name === tracedService || random.boolean(0.7),
        );
      let job: string | undefined;
      chain.forEach((service, index) => {
        at += random.integer(3, 40);
        const isLast = index === chain.length - 1;
        if (isLast && fate.kind === "failed") return;
        const next = chain[index + 1];
        if (next !== undefined && next.name === jobService) {
          job = `job-${jobNumber++}`;
          lines.push({
            service: service.name,
            at,
            level: "INFO",
            request: id,
            text: `dispatched ${job} to ${next.name}`,
          });
          at += random.integer(2, 11);
        }
        const mine = service.name === jobService ? job : undefined;
        if (isLast && fate.kind === "hiccup")
          lines.push({
            service: service.name,
            at,
            level: "ERROR",
            request: id,
            ...(mine === undefined ? {} : { job: mine }),
            text: "attempt failed, trying again",
            code: random.pick(theme.codes),
          });
        at += random.integer(2, 30);
        lines.push({
          service: service.name,
          at,
          level: "INFO",
          request: id,
          ...(mine === undefined ? {} : { job: mine }),
          text: random.pick(["handled", "request done", "reply sent"]),
          took: random.integer(3, 900),
        });
      });
      if (fate.kind === "failed") {
        for (const service of [...chain].reverse()) {
          const mine = service.name === jobService ? job : undefined;
          lines.push({
            service: service.name,
            at,
            level: "ERROR",
            request: id,
            ...(mine === undefined ? {} : { job: mine }),
            text:
              service === fate.culprit
                ? random.pick(["giving up", "request failed", "unable to serve"])
                : "downstream call failed",
            code: service === fate.culprit ? fate.code : "E_UPSTREAM",
          });
          at += random.integer(2, 25);
        }
        status = random.pick([500, 500, 502, 503]);
      }
    }
    at += random.integer(2, 8);
    lines.push({
      service: edge.name,
      at,
      level: "INFO",
      request: id,
      text: "",
      took: at - arrival,
      edge: {
        address: addresses[who]!,
        user: people[who]!,
        method: random.pick(["GET", "POST", "POST", "PUT"]),
        path,
        status,
        bytes: random.integer(90, 9000),
        retryOf,
      },
    });
    return { id, end: at };
  };

  const mainCode = random.pick(theme.codes);
  const otherCode = random.pick(theme.codes.filter((code) => code !== mainCode));
  for (let index = 0; index < count; index++) {
    const failing = index % 4 === 0 || (index < 12 && index % 2 === 0);
    const burst = bursts[index % 3]!;
    const arrival = failing
      ? burst + random.integer(-150, 150) * second + random.integer(0, 999)
      : from + random.integer(0, span);
    // Failing users are drawn from a few, so that the ranking has an order and a person fails more than once.
    const who = failing
      ? Math.min(random.integer(0, people.length - 1), random.integer(0, people.length - 1))
      : random.integer(0, people.length - 1);
    const path = random.pick(theme.paths);
    const other = random.boolean(0.25);
    const fate: Fate = failing
      ? other
        ? { kind: "failed", culprit: random.pick(backends.filter((service) => service !== culprit)), code: otherCode }
        : { kind: "failed", culprit, code: mainCode }
      : index % 11 === 5
        ? { kind: "unreached" }
        : random.boolean(0.12)
          ? { kind: "hiccup" }
          : { kind: "fine" };
    let last = attempt(arrival, who, path, fate, null);
    if (difficulty === 5 && failing) {
      // Every second failing request was sent again; some of those went through in the end.
      const retries = index % 8 === 0 ? random.integer(1, 2) : 0;
      for (let turn = 1; turn <= retries; turn++) {
        const again = turn === retries && index % 16 === 0 ? ({ kind: "fine" } as const) : fate;
        last = attempt(last.end + random.integer(400, 9000), who, path, again, last.id);
      }
    }
  }
  return {
    theme,
    difficulty,
    edge,
    backends,
    jobService,
    tracedService,
    lines: separate(lines).sort((a, b) => a.at - b.at),
    from,
    to,
  };
}

type Fate =
  | { readonly kind: "fine" | "hiccup" | "unreached" }
  | { readonly kind: "failed"; readonly culprit: Service; readonly code: string };
type Attempt = { readonly id: string; readonly end: number };

/** No two records of the whole platform in the same millisecond, the order within a request kept: no ties in any answer. */
function separate(lines: readonly Line[]): Line[] {
  const taken = new Set<number>();
  const last = new Map<string, number>();
  return lines.map((line) => {
    let at = Math.max(line.at, line.request === null ? 0 : (last.get(line.request) ?? 0) + 1);
    while (taken.has(at)) at++;
    taken.add(at);
    if (line.request !== null) last.set(line.request, at);
    return { ...line, at };
  });
}
