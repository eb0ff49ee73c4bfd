import { expect, it } from "vitest";
import { ModelError } from "../contract/index.ts";
import { requestKey } from "./request-key.ts";
import { ask, countingModel, identity, usage } from "./testing/counting-model.ts";
import { FakeClock } from "./testing/fake-clock.ts";
import { type TraceEvent, withTrace } from "./trace.ts";

function open(includeTexts = false) {
  const clock = new FakeClock();
  const events: TraceEvent[] = [];
  const counted = countingModel(async (count) => {
    await clock.sleep(100);
    if (count === 2) throw new ModelError({ code: "auth", message: "key sk-secret was refused" });
  });
  const sink = (event: TraceEvent) => void events.push(event);
  const model = withTrace(counted.provider, { identity, sink, clock, includeTexts });
  return { events, send: (text: string) => clock.run(model.complete(ask(text))) };
}

it("tells digest, time, usage and the error's code, and no text", async () => {
  const { events, send } = open();
  await send("private words");
  await expect(send("private words")).rejects.toThrow("sk-secret");
  const about = { model: "m", request: requestKey(identity, ask("private words")) };
  expect(events).toEqual([
    { type: "model_call_started", call: 1, ...about },
    { type: "model_call_answered", call: 1, ...about, milliseconds: 100, usage, finishReason: "stop" },
    { type: "model_call_started", call: 2, ...about },
    { type: "model_call_failed", call: 2, ...about, milliseconds: 100, code: "auth" },
  ]);
  expect(JSON.stringify(events)).not.toMatch(/private words|sk-secret/);
});

it("tells the texts where they are asked for", async () => {
  const { events, send } = open(true);
  await send("private words");
  expect(events).toMatchObject([{ asked: ask("private words") }, { answered: { text: "1", calls: [] } }]);
});
