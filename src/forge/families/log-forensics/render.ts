import type { Line, Service } from "./world.ts";

const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const two = (value: number) => String(value).padStart(2, "0");

/** The time as the service's own clock shows it: `2026-03-02T21:17:55.123`. */
function written(line: Line, service: Service): string {
  return new Date(line.at + service.ahead + service.offset * 60_000).toISOString().slice(0, 23);
}

/** `+01:00`, or `+0100` without the colon. */
export function offsetText(minutes: number, colon = ":"): string {
  const size = Math.abs(minutes);
  return `${minutes < 0 ? "-" : "+"}${two(Math.floor(size / 60))}${colon}${two(size % 60)}`;
}

function edgeLine(line: Line, service: Service, retries: boolean): string {
  const facts = line.edge!;
  const time = written(line, service);
  const id = line.request ?? "-";
  const retry = facts.retryOf ?? "-";
  if (service.format === "tabbed")
    return [
      `${time}${offsetText(service.offset)}`,
      facts.user,
      facts.address,
      `${facts.method} ${facts.path}`,
      facts.status,
      facts.bytes,
      id,
      line.took,
      ...(retries ? [retry] : []),
    ].join("\t");
  const clock = `${time.slice(8, 10)}/${months[Number(time.slice(5, 7)) - 1]}/${time.slice(0, 4)}:${time.slice(11)}`;
  return `${facts.address} - ${facts.user} [${clock} ${offsetText(service.offset, "")}] "${facts.method} ${facts.path} HTTP/1.1" ${facts.status} ${facts.bytes} rid=${id} took=${line.took}ms${retries ? ` retry_of=${retry}` : ""}`;
}

/** One record as its service writes it; several lines when it carries a trace. */
export function renderLine(line: Line, service: Service, options: { traced: boolean; retries: boolean }): string {
  if (line.edge) return edgeLine(line, service, options.retries);
  const time = written(line, service);
  const id = line.job ?? line.request ?? "-";
  const isTraced = options.traced && line.level === "ERROR" && line.code !== undefined;
  const code = isTraced ? "-" : (line.code ?? "-");
  const took = line.took ?? "-";
  const text = line.text;
  const first = ((): string => {
    switch (service.format) {
      case "json":
        return JSON.stringify({ ts: time, lvl: line.level, req: id, msg: text, code, ms: line.took ?? null });
      case "epoch-json":
        return JSON.stringify({
          t: line.at + service.ahead,
          severity: line.level.toLowerCase(),
          request: id,
          message: text,
          error: code,
          ms: line.took ?? null,
        });
      case "logfmt":
        return `ts=${time} lvl=${line.level.toLowerCase()} req=${id} msg="${text}" code=${code} ms=${took}`;
      case "pipe":
        return `${time.replace("T", " ").replace(".", ",")}|${line.level}|${id}|${text}|${code}|${took}`;
      default: {
        const clock = `${months[Number(time.slice(5, 7)) - 1]} ${String(Number(time.slice(8, 10))).padStart(2)} ${time.slice(11)}`;
        return `${clock} ${service.host} ${service.name}[${1000 + service.name.length * 37}]: <${line.level}> [${id}] ${text} code=${code} ms=${took}`;
      }
    }
  })();
  if (!isTraced) return first;
  const frames = [
    `    at ${service.name}.handler:${40 + (line.at % 300)}`,
    `    at ${service.name}.pool:${10 + (line.at % 70)}`,
  ];
  return [first, ...frames.slice(0, 1 + (line.at % 2)), `    caused by: ${line.code}: see runbook`].join("\n");
}

/** What each format looks like, for the notes that come with the logs. */
export function formatNote(service: Service, retries: boolean): string {
  const tail = retries ? ", retry_of" : "";
  const notes: Record<Service["format"], string> = {
    combined: `one line per finished request: client address, \`-\`, user, [time], request line, status, bytes, then \`rid\`, \`took\`${retries ? " and `retry_of`" : ""}`,
    tabbed: `tab-separated, one line per finished request: time, user, client address, request, status, bytes, rid, milliseconds${tail}`,
    json: "one JSON object a line: `ts` local time, `lvl`, `req`, `msg`, `code`, `ms`",
    "epoch-json":
      "one JSON object a line: `t` milliseconds since the epoch by the host's clock, `severity`, `request`, `message`, `error`, `ms`",
    logfmt: "`key=value` pairs: ts, lvl, req, msg (quoted), code, ms",
    syslog:
      "month, day and time (no year; everything here is from 2026), host, process, `<LEVEL>`, `[request]`, message, code, ms",
    pipe: "separated by `|`: time, level, request, message, code, milliseconds",
  };
  return notes[service.format];
}
