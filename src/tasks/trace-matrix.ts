import type { Requirements } from "./requirements.ts";

/** Which checks carry which requirement; what is checked by nothing; what is checked though nobody asked for it. */
export type TraceMatrix = {
  readonly rows: readonly { readonly requirement: string; readonly checks: readonly string[] }[];
  readonly untested: readonly string[];
  readonly unrequested: readonly string[];
};

/**
 * Traces checks to requirements: by the check's own `requirement`, else by the ids in its name (`R1`, `check_R1`,
 * `R1+R2 sorted`). Complete when `untested` and `unrequested` are empty.
 */
export function traceMatrix(
  requirements: Pick<Requirements, "requirements">,
  checks: readonly (string | { readonly name: string; readonly requirement?: string | undefined })[],
): TraceMatrix {
  const ids = requirements.requirements.map((requirement) => requirement.id);
  const byId = new Map(ids.map((id) => [id, [] as string[]]));
  const unrequested: string[] = [];
  for (const check of checks) {
    const { name, requirement = undefined } = typeof check === "string" ? { name: check } : check;
    const named = requirement === undefined ? idsIn(name) : [requirement];
    const known = named.filter((id) => byId.has(id));
    for (const id of new Set(known)) byId.get(id)?.push(name);
    if (known.length === 0 || known.length < named.length) unrequested.push(name);
  }
  return {
    rows: ids.map((id) => ({ requirement: id, checks: byId.get(id) ?? [] })),
    untested: ids.filter((id) => byId.get(id)?.length === 0),
    unrequested,
  };
}

const idsIn = (name: string): string[] => name.match(/(?<![A-Za-z0-9])R[1-9]\d*(?![A-Za-z0-9])/g) ?? [];
