// Files of actions, recorded trajectories and ATIF documents that an agent is made from.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { agentNamed } from "../../../src/cli/flows/agents.ts";
import { ModelRoom, noModels } from "../../../src/cli/model-room.ts";
import type { Project } from "../../../src/cli/project.ts";
import type { Trajectory } from "../../../src/contract/index.ts";
import { fromAtif, toAtif } from "../../../src/rollouts/index.ts";
import * as op from "../operators.ts";
import { type HostileCase, type HostileKind, rejects } from "../suite.ts";

const c = (operator: op.Operator, expected: HostileCase["expected"]): HostileCase => ({ operator, expected });
const reader = (kind: "script" | "replay", file: string) => async (directory: string) => {
  const room = new ModelRoom({ directory } as Project, noModels, null);
  await agentNamed({ directory } as Project, `${kind}:${join(directory, file)}`, room);
  return { warnings: [] };
};
const nested = (depth: number) => `${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`;

const script = "actions.jsonl";
const badScript = (operator: op.Operator, place: { line?: number; says?: RegExp } = {}) =>
  c(operator, rejects("script_unreadable", script, place));
export const scripts: HostileKind = {
  kind: "action script",
  base: op.folderOf({
    [script]: '{"name": "run", "arguments": {"command": "true"}}\n\n{"name": "submit", "arguments": {}}\n',
  }),
  read: reader("script", script),
  cases: [
    c(op.empty(script), "read"),
    c(op.bom(script), "read"),
    c(op.crlf(script), "read"),
    c(op.put("shell", script, "#!/bin/sh\necho 'never closed\n"), "read"),
    badScript(op.missing(script)),
    badScript(op.truncated(script, 0.8), { line: 3 }),
    badScript(op.edit("wrong type", script, '"arguments": {}', '"arguments": []'), { line: 3 }),
    badScript(op.edit("missing name", script, '"name": "submit", ', ""), { line: 3 }),
    badScript(op.edit("deep arguments", script, "{}}", `${nested(50_000)}}`), { line: 3 }),
    badScript(op.put("array that never closes", script, '[{"name": "run"')),
    badScript(op.put("array of numbers", script, "[1, 2]")),
    badScript(op.put("deep array", script, "[".repeat(100_000))),
    badScript(op.utf16(script), { says: /UTF-8/ }),
    badScript(op.latin1(script), { says: /UTF-8/ }),
    badScript(op.garbage(script), { says: /UTF-8/ }),
    badScript(op.fifo(script), { says: /no regular file/ }),
    badScript(op.asFolder(script), { says: /no regular file/ }),
    badScript(op.huge(script, 2 ** 40), { says: /bytes/ }),
    badScript(op.link(script, script)),
  ],
};

const observation = { text: "", data: {} };
const trajectory = {
  version: 1,
  task: { id: "a", digest: "sha256:0" },
  agent: { name: "script", version: "1" },
  seed: null,
  attempt: 1,
  initial: observation,
  steps: [
    {
      index: 0,
      call: { id: "1", written: "true", action: { name: "run", arguments: { command: "true" } } },
      result: { id: "1", raw: observation, shown: observation, changes: [] },
      reward: 0,
      terminated: false,
      truncated: false,
      info: {},
      tokens: null,
      time: { called: 0, returned: 1 },
    },
  ],
  outcome: "failure",
  verdict: null,
  cause: null,
} as const;
const recorded = "trajectory.json";
const badRecord = (operator: op.Operator, place: { line?: number; says?: RegExp } = {}) =>
  c(operator, rejects("trajectory_unreadable", recorded, place));
export const trajectories: HostileKind = {
  kind: "trajectory",
  base: op.folderOf({ [recorded]: `${JSON.stringify(trajectory, null, 1)}\n` }),
  read: reader("replay", recorded),
  cases: [
    c(op.crlf(recorded), "read"),
    c(op.bom(recorded), "read"),
    badRecord(op.missing(recorded)),
    badRecord(op.empty(recorded), { line: 1 }),
    badRecord(op.truncated(recorded)),
    badRecord(op.append("trailing text", recorded, "oops"), { line: 57 }),
    badRecord(op.edit("unknown version", recorded, '"version": 1', '"version": 2'), { says: /version/ }),
    badRecord(op.edit("wrong type", recorded, '"attempt": 1', '"attempt": "1"'), { says: /attempt/ }),
    badRecord(op.edit("absurd number", recorded, '"attempt": 1', '"attempt": 1e999'), { says: /attempt/ }),
    badRecord(op.edit("unknown outcome", recorded, '"failure"', '"won"'), { says: /outcome/ }),
    badRecord(op.edit("deep value", recorded, '"written": "true"', `"written": ${nested(50_000)}`), { says: /deep/ }),
    badRecord(op.put("array", recorded, "[]"), { says: /object/ }),
    badRecord(op.put("many wrong steps", recorded, JSON.stringify({ ...trajectory, steps: Array(20_000).fill(0) }))),
    badRecord(op.utf16(recorded), { says: /UTF-8/ }),
    badRecord(op.garbage(recorded), { says: /UTF-8/ }),
    badRecord(op.gitLfs(recorded), { line: 1 }),
    badRecord(op.nul(recorded)),
    badRecord(op.huge(recorded, 2 ** 40), { says: /bytes/ }),
    badRecord(op.fifo(recorded), { says: /no regular file/ }),
    badRecord(op.asFolder(recorded), { says: /no regular file/ }),
    badRecord(op.link(recorded, "/dev/zero"), { says: /no regular file/ }),
  ],
};

const atif = "atif.json";
const badAtif = (operator: op.Operator, says?: RegExp) =>
  c(operator, rejects("atif_unreadable", undefined, says === undefined ? {} : { says }));
export const atifDocuments: HostileKind = {
  kind: "ATIF document",
  base: op.folderOf({
    [atif]: JSON.stringify(toAtif(trajectory as unknown as Trajectory)),
  }),
  read: async (directory) => {
    fromAtif(JSON.parse(readFileSync(join(directory, atif), "utf8")));
    return { warnings: [] };
  },
  cases: [
    badAtif(op.put("null", atif, "null")),
    badAtif(op.put("array", atif, "[]")),
    badAtif(op.put("text", atif, '"ATIF"')),
    badAtif(op.put("no steps", atif, '{"schema_version":"ATIF-v1.7","agent":{"name":"a","version":"1"},"steps":[]}')),
    badAtif(op.edit("unknown version", atif, "ATIF-v1.7", "ATIF-v9.9"), /schema_version/),
    badAtif(op.edit("unknown key", atif, '"schema_version"', '"oops":1,"schema_version"'), /oops/),
    badAtif(op.edit("step out of order", atif, '"step_id":2', '"step_id":7'), /7/),
    badAtif(op.edit("own part lost", atif, '"call_id"', '"call_of"')),
    badAtif(op.edit("deep notes", atif, '"agent":{', `"agent":{"extra":${nested(50_000)},`), /deep/),
  ],
};
