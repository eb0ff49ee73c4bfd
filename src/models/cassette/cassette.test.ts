import { spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { build } from "vite";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ConfigError, canonicalJson, ModelError, type ModelRequest } from "../../contract/index.ts";
import { requestKey } from "../request-key.ts";
import { ask, countingModel, identity, replyOf } from "../testing/counting-model.ts";
import { Cassette, isReplayed, readCassette, withCassette } from "./index.ts";

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "cassette-"));
  file = join(folder, "deep", "tape.jsonl");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const tool = { name: "run", description: "runs", parameters: { type: "object", properties: { a: {}, b: {} } } };
const base: ModelRequest = {
  system: "be brief",
  messages: [{ role: "user", text: "hello" }],
  tools: [tool],
  toolChoice: "auto",
  schema: { type: "object" },
  sampling: { temperature: 0.5, topP: 0.9, seed: 1, maximumTokens: 100, stop: ["x"] },
};

function open(mode: "record" | "replay" | "strict", model = countingModel(), who = identity) {
  const cassette = new Cassette({ file, mode });
  return { cassette, ...model, wrapped: withCassette(model.provider, { cassette, identity: who }) };
}

async function failure(promise: Promise<unknown>): Promise<ModelError> {
  const error = await promise.then(
    () => null,
    (reason: unknown) => reason,
  );
  expect(ModelError.isInstance(error)).toBe(true);
  return error as ModelError;
}

describe("a cassette", () => {
  const { sampling } = base;
  const changes: [string, Partial<ModelRequest>, string][] = [
    ["temperature", { sampling: { ...sampling, temperature: 0 } }, "sampling.temperature"],
    ["top p", { sampling: { ...sampling, topP: 1 } }, "sampling.topP"],
    ["seed", { sampling: { ...sampling, seed: 2 } }, "sampling.seed"],
    ["maximum of tokens", { sampling: { ...sampling, maximumTokens: 101 } }, "sampling.maximumTokens"],
    ["stop", { sampling: { ...sampling, stop: ["y"] } }, "sampling.stop[0]"],
    ["system", { system: "be long" }, "system"],
    ["message", { messages: [{ role: "user", text: "hallo" }] }, "messages[0].text"],
    ["tools", { tools: [{ ...tool, description: "walks" }] }, "tools[0].description"],
    [
      "order in a tool's schema",
      { tools: [{ ...tool, parameters: { type: "object", properties: { b: {}, a: {} } } }] },
      "tools[0].parameters",
    ],
    ["tool choice", { toolChoice: "required" }, "toolChoice"],
    ["schema", { schema: { type: "array" } }, "schema"],
    ["sample", { sample: 1 }, "sample"],
  ];

  it.each(changes)(
    "misses when the %s is another one, and names the field and the nearest request",
    async (_, change, field) => {
      const { wrapped } = open("record");
      await wrapped.complete(base);
      const strict = open("strict");
      expect(await strict.wrapped.complete(base)).toMatchObject({ text: "1" });
      const error = await failure(strict.wrapped.complete({ ...base, ...change }));
      expect(error).toMatchObject({ code: "cassette_miss", where: { file, line: 1, field } });
      expect(error.message).toContain(field);
      expect(strict.asked()).toBe(0);
    },
  );

  it.each(["kind", "provider", "model", "revision"] as const)("misses when the %s is another one", async (field) => {
    await open("record").wrapped.complete(base);
    const other = open("strict", countingModel(), { ...identity, [field]: "other" } as unknown as typeof identity);
    expect(await failure(other.wrapped.complete(base))).toMatchObject({ code: "cassette_miss", where: { field } });
  });

  // BR062
  it("takes an omitted temperature for no value, 0 least of all", async () => {
    await open("record").wrapped.complete(ask("a"));
    const strict = open("strict");
    const error = await failure(strict.wrapped.complete(ask("a", { sampling: { temperature: 0 } })));
    expect(error.message).toContain("the nearest has sampling.temperature = not set, asked was 0");
    expect(await strict.wrapped.complete(ask("a", { sampling: {}, sample: 0 }))).toMatchObject({ text: "1" });
  });

  it("keys differ exactly when something that can change the answer differs", () => {
    const json = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 1 }), { maxKeys: 3 });
    const request = fc.record(
      {
        system: fc.string(),
        messages: fc.array(fc.record({ role: fc.constant("user" as const), text: fc.string() }), { maxLength: 2 }),
        tools: fc.array(fc.record({ name: fc.string(), description: fc.string(), parameters: json }), { maxLength: 2 }),
        toolChoice: fc.constantFrom("auto" as const, "none" as const, "required" as const),
        schema: json,
        sampling: fc.record(
          {
            temperature: fc.double({ min: 0, max: 2, noNaN: true }),
            seed: fc.nat(3),
            maximumTokens: fc.nat(3),
            topP: fc.constantFrom(0.5, 1),
            stop: fc.array(fc.string(), { maxLength: 2 }),
          },
          { requiredKeys: [] },
        ),
        sample: fc.nat(2),
      },
      { requiredKeys: ["messages"] },
    ) as unknown as fc.Arbitrary<ModelRequest>;
    // Another way of writing the same rule: nothing and 0 samples, nothing and no sampling are the same.
    const meaning = (value: ModelRequest) =>
      canonicalJson({
        ...value,
        sample: value.sample ?? 0,
        sampling: value.sampling ?? {},
        tools: value.tools?.map((item) => JSON.stringify([item.name, item.description, item.parameters])),
        schema: value.schema && JSON.stringify(value.schema),
      });
    fc.assert(
      fc.property(request, request, (a, b) => {
        expect(requestKey(identity, a) === requestKey(identity, b)).toBe(meaning(a) === meaning(b));
        expect(requestKey(identity, JSON.parse(JSON.stringify(a)))).toBe(requestKey(identity, a));
      }),
      { numRuns: 300, seed: 1 },
    );
  });

  it("replays what was recorded, asks for the rest, and says which is which", async () => {
    const first = open("replay");
    const sent = await first.wrapped.complete(ask("a"));
    expect(isReplayed(sent)).toBe(false);
    const second = open("replay");
    const again = await second.wrapped.complete(ask("a"));
    expect(again).toEqual(sent);
    expect(isReplayed(again)).toBe(true);
    await second.wrapped.complete(ask("b"));
    expect(second.asked()).toBe(1);
    expect(second.cassette.report()).toEqual({ replayed: 1, recorded: 1, notices: [] });
    expect(second.cassette.holds(identity, ask("b"))).toBe(true);
  });

  it("recording asks anew, and what was recorded last stands", async () => {
    await open("record").wrapped.complete(ask("a"));
    const model = countingModel();
    await model.provider.complete(ask("x"));
    const again = open("record", model);
    expect(await again.wrapped.complete(ask("a"))).toMatchObject({ text: "2" });
    expect(await open("strict").wrapped.complete(ask("a"))).toMatchObject({ text: "2" });
  });

  it("sends equal requests that are in flight together once, and lets the next try when the first fails", async () => {
    const model = countingModel(async (count) => {
      await new Promise((resolve) => setImmediate(resolve));
      if (count === 1) throw new ModelError({ code: "overloaded", message: "503" });
    });
    const { wrapped } = open("replay", model);
    const results = await Promise.allSettled([1, 2, 3].map(() => wrapped.complete(ask("a"))));
    expect(results.map((result) => (result.status === "fulfilled" ? result.value.text : "failed"))).toEqual([
      "failed",
      "2",
      "2",
    ]);
    expect(readCassette(file).entries).toHaveLength(1);
  });

  it("holds no secret: a call that has one is answered and not recorded", async () => {
    const secret = 'sk-"quoted"\\key';
    const cassette = new Cassette({ file, mode: "record", secrets: [secret, ""] });
    const wrapped = withCassette(countingModel().provider, { cassette, identity });
    await wrapped.complete(ask("harmless"));
    expect(await wrapped.complete(ask(`my key is ${secret}`))).toMatchObject({ text: "2" });
    expect(cassette.report()).toMatchObject({ recorded: 1, notices: [expect.stringContaining("not recorded")] });
    expect(readFileSync(file, "utf8")).not.toContain("quoted");

    const naive = new Cassette({ file, mode: "record" });
    await withCassette(countingModel().provider, { cassette: naive, identity }).complete(ask(`my key is ${secret}`));
    expect(readFileSync(file, "utf8")).toContain("quoted");
  });

  it("leaves out a last line that a crash cut off at any byte, reports it, and goes on after it", async () => {
    const { wrapped } = open("record");
    await wrapped.complete(ask("first"));
    const whole = readFileSync(file).length;
    await wrapped.complete(ask("second ✓"));
    const bytes = readFileSync(file);
    for (let end = whole + 1; end < bytes.length - 1; end += 37) {
      writeFileSync(file, bytes.subarray(0, end));
      expect(readCassette(file)).toMatchObject({ entries: [{ line: 1 }], tornLines: [2] });
    }
    truncateSync(file, bytes.length - 40);
    const after = open("replay");
    expect(after.cassette.report().notices).toEqual([`${file}:2: cut off by a crash and left out`]);
    await after.wrapped.complete(ask("third"));
    await after.wrapped.complete(ask("fourth"));
    expect(readCassette(file)).toMatchObject({ entries: [{ line: 1 }, { line: 4 }, { line: 5 }], tornLines: [2] });
    expect(await open("strict").wrapped.complete(ask("fourth"))).toMatchObject({ text: "2" });
  });

  it("separators of lines in a text are text", async () => {
    const text = "a\u2028b\u2029c\u0085d\u000be\u000cf\u001cg\rh\ni";
    expect(JSON.stringify(text).split(/[\u2028\u2029\u0085]/)).toHaveLength(4);
    await open("record").wrapped.complete(ask(text));
    expect(readCassette(file)).toMatchObject({ entries: [{ line: 1 }], tornLines: [] });
    expect(await open("strict").wrapped.complete(ask(text))).toMatchObject({ text: "1" });
  });

  it("a last line that lacks only its end counts", async () => {
    await open("record").wrapped.complete(ask("a"));
    truncateSync(file, readFileSync(file).length - 1);
    expect(readCassette(file)).toMatchObject({ entries: [{ line: 1 }], tornLines: [] });
  });

  const damages: [string, (lines: string[]) => (string | Buffer)[], RegExp][] = [
    ["a word in a reply changed", ([a, b]) => [a!.replace('"text":"1"', '"text":"9"'), b!], /digest/],
    ["text that is not JSON", ([, b]) => ["not json", b!], /not JSON/],
    ["half a line in the middle", ([a, b]) => [a!.slice(0, 80), b!], /not JSON/],
    ["bytes that are not UTF-8", ([, b]) => [Buffer.from([0xff, 0xfe]), b!], /UTF-8/],
    ["null", ([, b]) => ["null", b!], /no entry/],
    ["an entry without a reply", ([a, b]) => [JSON.stringify({ ...JSON.parse(a!), reply: undefined }), b!], /reply/],
    ["a later version", ([a, b]) => [a!.replace('"cassette":1', '"cassette":2'), b!], /version 2/],
  ];
  it.each(damages)("with %s is refused with file and line", async (_, damage, problem) => {
    const { wrapped } = open("record");
    await wrapped.complete(ask("a"));
    await wrapped.complete(ask("b"));
    expect(readCassette(file).entries).toHaveLength(2);
    const lines = damage(readFileSync(file, "utf8").trimEnd().split("\n"));
    writeFileSync(file, Buffer.concat(lines.map((line) => Buffer.concat([Buffer.from(line), Buffer.from("\n")]))));
    try {
      readCassette(file);
      expect.unreachable();
    } catch (error) {
      expect(ConfigError.isInstance(error)).toBe(true);
      expect(error).toMatchObject({ code: "cassette_damaged", where: { file, line: 1 } });
      expect((error as Error).message).toMatch(problem);
    }
  });

  it("that is missing is an error in strict mode only, and an empty one says that it is empty", async () => {
    expect(() => open("strict")).toThrow(/no such cassette/);
    const { cassette } = open("replay");
    expect(cassette.report().recorded).toBe(0);
    cassette.record(identity, ask("a"), replyOf("1"));
    writeFileSync(file, "");
    expect((await failure(open("strict").wrapped.complete(ask("a")))).message).toContain("holds no reply at all");
    expect(() => new Cassette({ file: folder, mode: "replay" })).toThrow(/can't be read/);
  });

  it("names the first of many differences from a little before the place where they part", async () => {
    await open("record").wrapped.complete(ask(`${"a".repeat(500)}left`));
    const error = await failure(open("strict").wrapped.complete(ask(`${"a".repeat(500)}right`, { sample: 2 })));
    expect(error.message).toMatch(/messages\[0\]\.text = …a{20}left", asked was …a{20}right" \(and 1 more/);
    expect(error.message.length).toBeLessThan(500);
  });

  it("takes lines from several processes at once, each whole", async () => {
    await build({
      logLevel: "silent",
      ssr: { noExternal: true },
      build: { ssr: fileURLToPath(new URL("../testing/append-many.ts", import.meta.url)), outDir: folder },
    });
    const program = join(folder, "append-many.js");
    const children = ["a", "b", "c"].map((name) =>
      spawn(process.execPath, [program, name, file], { stdio: "inherit" }),
    );
    const codes = await Promise.all(children.map(async (child) => (await once(child, "exit"))[0]));
    expect(codes).toEqual([0, 0, 0]);
    expect(readCassette(file)).toMatchObject({ tornLines: [] });
    expect(readCassette(file).entries).toHaveLength(75);
    appendFileSync(file, "x");
    expect(readCassette(file).tornLines).toEqual([76]);
  });
});
