import { describe, expect, it } from "vitest";
import type { Trajectory, TrajectoryStep } from "../../contract/index.ts";
import { fromAtif } from "./from-atif.ts";
import { atifSchema } from "./schema.ts";
import { toAtif } from "./to-atif.ts";

const step = (index: number, more: Partial<TrajectoryStep> = {}): TrajectoryStep => ({
  index,
  call: { id: `call-${index + 1}`, written: '{"name": "run"}', action: { name: "run", arguments: { command: "ls" } } },
  result: {
    id: `call-${index + 1}`,
    raw: { text: "raw", data: { exit_code: 0 } },
    shown: { text: "shown \u2028", data: {} },
    changes: [{ by: "rules", what: "text" }],
  },
  reward: 0.5,
  terminated: false,
  truncated: false,
  info: { note: [1, null] },
  tokens: { prompt: 10, completion: null },
  time: { called: 1.5, returned: 2 },
  ...more,
});
const trajectory = (more: Partial<Trajectory> = {}): Trajectory => ({
  version: 1,
  task: { id: "demo/task", digest: "sha256:1" },
  agent: { name: "script", version: "1" },
  seed: 7,
  attempt: 2,
  initial: { text: "Do it.", data: { a: 1 } },
  steps: [
    step(0),
    step(1, { tokens: null, call: { id: "call-2", written: "broken {", action: null } }),
    step(2, { terminated: true }),
  ],
  outcome: "failure",
  verdict: {
    success: false,
    score: 0.5,
    rewards: { reward: 0.5 },
    checks: [{ name: "R1", status: "failed" }],
    mode: "sealed",
    attacks: [],
  },
  cause: { code: "wrong_result", message: "R1" },
  ...more,
});

// BR108
describe("ATIF", () => {
  it.each([
    ["a whole episode", trajectory()],
    ["no step", trajectory({ steps: [] })],
    [
      "no first observation",
      trajectory({
        steps: [],
        initial: null,
        verdict: null,
        outcome: "infra_error",
        cause: { code: "image_missing", message: "m" },
      }),
    ],
    ["a truncated one", trajectory({ steps: [step(0, { truncated: true })] })],
  ])("%s is the same after both ways", (_, original) => {
    const document = JSON.parse(
      JSON.stringify(toAtif(original, [{ name: "run", description: "d", parameters: { type: "object" } }])),
    );
    expect(() => atifSchema.parse(document)).not.toThrow();
    expect(document.schema_version).toBe("ATIF-v1.7");
    expect(document.final_metrics.total_steps).toBe(document.steps.length);
    expect(document.final_metrics.total_prompt_tokens).toBe(
      original.steps.some(({ tokens }) => tokens)
        ? original.steps.reduce((sum, { tokens }) => sum + (tokens?.prompt ?? 0), 0)
        : undefined,
    );
    expect(fromAtif(document)).toEqual(original);
  });

  it("tells what a model wrote, thought, took and cost, in the fields that the format has", () => {
    const answer = { turn: 1, text: "Look.", reasoning: "why", finish_reason: "tool-calls", model: { id: "m-1" } };
    const call = (index: number, written: object) =>
      ({ id: `call-${index + 1}`, written, action: { name: "run", arguments: {} } }) as TrajectoryStep["call"];
    const tokens = { prompt: 100, completion: 5, cached: 40, reasoning: null, costUsd: 0.25 };
    const episode = trajectory({
      steps: [
        step(0, { call: call(0, { ...answer, call: {} }), tokens }),
        step(1, { call: call(1, { turn: 1, call: {} }), tokens: null }),
        step(2, { call: call(2, { ...answer, turn: 2, call: {} }), tokens: { ...tokens, costUsd: null } }),
      ],
    });
    const document = toAtif(episode);
    expect(atifSchema.parse(document)).toEqual(document);
    expect(document.steps.slice(1)).toMatchObject([
      { message: "Look.", reasoning_content: "why", model_name: "m-1", llm_call_count: 1, metrics: { cost_usd: 0.25 } },
      { message: "", llm_call_count: 0 },
      { message: "Look.", metrics: { prompt_tokens: 100, cached_tokens: 40 } },
    ]);
    expect(document.final_metrics).toEqual({
      total_prompt_tokens: 200,
      total_completion_tokens: 10,
      total_cached_tokens: 80,
      total_steps: 4,
    });
    expect(fromAtif(JSON.parse(JSON.stringify(document)))).toEqual(episode);
  });

  it("reads other tools' documents, results matched by id", () => {
    const read = fromAtif({
      schema_version: "ATIF-v1.8",
      session_id: "s",
      agent: { name: "other", version: "2", model_name: "m" },
      steps: [
        { step_id: 1, timestamp: "2026-01-01T00:00:00Z", source: "user", message: [{ type: "text", text: "Task" }] },
        {
          step_id: 2,
          timestamp: "2026-01-01T00:00:03Z",
          source: "agent",
          message: "thinking",
          reasoning_content: "r",
          tool_calls: [
            { tool_call_id: "a", function_name: "run", arguments: { command: "1" } },
            { tool_call_id: "b", function_name: "run", arguments: { command: "2" } },
          ],
          observation: {
            results: [
              { source_call_id: "b", content: "second" },
              { source_call_id: "a", content: "first" },
            ],
          },
          metrics: { prompt_tokens: 5, completion_tokens: 6 },
        },
        { step_id: 3, source: "agent", message: "done" },
      ],
    });
    expect(read.initial?.text).toBe("Task");
    expect(
      read.steps.map(({ call, result, tokens }) => [
        call.action?.arguments.command ?? call.written,
        result.shown.text,
        tokens?.prompt ?? null,
      ]),
    ).toEqual([
      ["1", "first", 5],
      ["2", "second", null],
      ["done", "", null],
    ]);
    expect(read.steps[0]?.info.atif).toMatchObject({ step: { reasoning_content: "r" } });
    expect(read).toMatchObject({ outcome: "cancelled", cause: { code: "not_graded" } });
  });

  it.each([
    ["an unknown version", { schema_version: "ATIF-v2.0" }],
    ["an unknown key", { surprise: 1 }],
    ["no steps", { steps: [] }],
    ["a gap in the step ids", { steps: [{ step_id: 2, source: "user", message: "" }] }],
    [
      "a result without its call",
      { steps: [{ step_id: 1, source: "agent", message: "", observation: { results: [{ source_call_id: "x" }] } }] },
    ],
    [
      "metrics of a step without a model's call",
      { steps: [{ step_id: 1, source: "agent", message: "", llm_call_count: 0, metrics: {} }] },
    ],
    ["a user's tool call", { steps: [{ step_id: 1, source: "user", message: "", tool_calls: [] }] }],
  ])("refuses %s", (_, change) => {
    expect(() =>
      fromAtif({
        schema_version: "ATIF-v1.7",
        agent: { name: "a", version: "1" },
        steps: [{ step_id: 1, source: "user", message: "m" }],
        ...change,
      }),
    ).toThrow("not an ATIF trajectory");
  });
});
