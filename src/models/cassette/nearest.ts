// The recorded request that a missing one is most like, and the fields in which they differ.
import { canonicalJson, type ModelRequest } from "../../contract/index.ts";
import { type ModelIdentity, requestParts } from "../request-key.ts";
import type { RecordedEntry } from "./read-cassette.ts";

export type Difference = { readonly field: string; readonly recorded: string; readonly asked: string };
export type Nearest = { readonly entry: RecordedEntry; readonly differences: readonly Difference[] };

/** Of several that are equally near the one that was recorded first. */
export function nearestEntry(
  entries: Iterable<RecordedEntry>,
  identity: ModelIdentity,
  request: ModelRequest,
): Nearest | null {
  const asked = flatten(requestParts(identity, request));
  let nearest: Nearest | null = null;
  for (const entry of entries) {
    const differences = compare(flatten(requestParts(entry.identity, entry.request)), asked);
    if (!nearest || differences.length < nearest.differences.length) nearest = { entry, differences };
  }
  return nearest;
}

function flatten(value: unknown, path = "", fields = new Map<string, string>()): Map<string, string> {
  if (typeof value === "object" && value !== null) {
    const isList = Array.isArray(value);
    for (const [name, item] of Object.entries(value))
      flatten(item, isList ? `${path}[${name}]` : path ? `${path}.${name}` : name, fields);
  } else if (value !== undefined) fields.set(path, canonicalJson(value));
  return fields;
}

function compare(recorded: Map<string, string>, asked: Map<string, string>): Difference[] {
  const fields = [...new Set([...recorded.keys(), ...asked.keys()])];
  return fields
    .filter((field) => recorded.get(field) !== asked.get(field))
    .map((field) => around(field, recorded.get(field), asked.get(field)));
}

/** Both values, from a little before the place where they part. */
function around(field: string, recorded: string | undefined, asked: string | undefined): Difference {
  let same = 0;
  if (recorded !== undefined && asked !== undefined)
    while (same < recorded.length && recorded[same] === asked[same]) same++;
  const start = same > 40 ? same - 20 : 0;
  const show = (text: string | undefined) =>
    text === undefined
      ? "not set"
      : `${start > 0 ? "…" : ""}${text.slice(start, start + 60)}${text.length > start + 60 ? "…" : ""}`;
  return { field, recorded: show(recorded), asked: show(asked) };
}
