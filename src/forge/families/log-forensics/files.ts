import type { Random } from "../../../statistics/index.ts";
import { gzip } from "../encoding/index.ts";
import type { FixtureFile } from "../family.ts";
import { formatNote, offsetText, renderLine } from "./render.ts";
import type { Line, Service, World } from "./world.ts";

/** A record cut off in writing: what is left can't be taken for a whole one. */
function cutOff(random: Random, service: Service, record: string): string | null {
  switch (service.format) {
    case "json":
    case "epoch-json":
      return record.slice(0, random.integer(Math.floor(record.length / 2), record.length - 2));
    case "logfmt":
      return record.slice(0, record.indexOf(" code="));
    case "pipe":
      return record.slice(0, record.lastIndexOf("|", record.lastIndexOf("|") - 1));
    default:
      return null;
  }
}

function recordsOf(random: Random, world: World, lines: readonly Line[], service: Service): string[] {
  const traced = service.name === world.tracedService;
  return lines
    .filter((line) => line.service === service.name)
    .sort((a, b) => a.at - b.at)
    .flatMap((line) => {
      const record = renderLine(line, service, { traced, retries: world.difficulty === 5 });
      const isCut = world.difficulty === 5 && line.request !== null && !record.includes("\n") && random.boolean(0.06);
      const fragment = isCut ? cutOff(random, service, record) : null;
      return fragment === null ? [record] : [fragment, record];
    });
}

/** The service's folder: one file, or from level 2 on a rotated set whose files overlap by a few records. */
function serviceFiles(random: Random, world: World, lines: readonly Line[], service: Service): FixtureFile[] {
  const records = recordsOf(random, world, lines, service);
  const path = `logs/${service.name}/${service.name}.log`;
  const text = (part: readonly string[]) => part.map((record) => `${record}\n`).join("");
  if (world.difficulty === 1) return [{ path, content: text(records) }];
  const cuts = [0.4, 0.72].map((share) => Math.round(records.length * (share + (random.next() - 0.5) * 0.1)));
  const [first, second] = cuts as [number, number];
  const overlap = () => random.integer(1, 3);
  return [
    { path: `${path}.2.gz`, content: gzip(text(records.slice(0, first)), `${service.name}.log`) },
    { path: `${path}.1`, content: text(records.slice(Math.max(0, first - overlap()), second)) },
    { path, content: text(records.slice(Math.max(0, second - overlap()))) },
  ];
}

function notes(world: World): string {
  const services = [world.edge, ...world.backends];
  const { difficulty } = world;
  const extra = [
    difficulty >= 2
      ? "Logs rotate by copying: `X.log` is the newest, `X.log.1` older, `X.log.2.gz` the oldest. The last records of a file can stand again at the start of the next; a record that is there twice was written once."
      : "",
    difficulty >= 3
      ? "Hosts run on local time, and their clocks are not exact: see `hosts.csv` for each service's offset from UTC (how its local times are to be read) and by how many milliseconds its clock was ahead of true time (negative: behind)."
      : "All hosts run on UTC with exact clocks.",
    difficulty >= 4
      ? `\`${world.jobService}\` doesn't know request ids. It logs a job id instead; whoever called it logged \`dispatched <job> to ${world.jobService}\` under the request's id. Errors of \`${world.tracedService}\` run over several lines: the indented lines belong to the record above them, and the code is in the last one (\`caused by: CODE: …\`).`
      : "",
    difficulty >= 5
      ? "The disk was full at times, so some records were cut off in writing (their last fields are missing, or the JSON doesn't end). They were written again, whole, right after; ignore the fragments."
      : "",
  ].filter((part) => part !== "");
  return `# Logging\n\n${services.map((service) => `- \`${service.name}\` (host ${service.host}): ${formatNote(service, difficulty === 5)}.`).join("\n")}\n\n${extra.join("\n\n")}\n\nA missing value is written as \`-\` (or null).\n`;
}

/** The environment's files: logs, the notes on them, and the table of hosts when clocks differ. */
export function worldFiles(random: Random, world: World, noise: readonly Line[]): FixtureFile[] {
  const services = [world.edge, ...world.backends];
  const lines = [...world.lines, ...noise];
  const rows = random.shuffle(services).map((s) => `${s.name},${s.host},${offsetText(s.offset)},${s.ahead}\n`);
  return [
    ...services.flatMap((service) => serviceFiles(random.fork(service.name), world, lines, service)),
    { path: "docs/logging.md", content: notes(world) },
    ...(world.difficulty >= 3
      ? [{ path: "docs/hosts.csv", content: `service,host,utc_offset,clock_ahead_ms\n${rows.join("")}` }]
      : []),
  ];
}
