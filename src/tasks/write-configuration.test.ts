import fc from "fast-check";
import { expect, test } from "vitest";
import { TaskFormatError } from "../contract/index.ts";
import { type TaskConfigurationInput, taskConfigurationSchema } from "./configuration.ts";
import { parseConfiguration } from "./parse-configuration.ts";
import { formatConfiguration } from "./write-configuration.ts";

const text = fc.oneof(
  fc.string(),
  fc.string({ unit: "binary" }),
  fc.constantFrom("emoji 🧗🏽‍♀️", 'q"u\\o"te', "\u0000\u001b\u007f\u0085\u2028", '"""', "'''"),
);
const wellFormed = text.filter((value) => !/\p{Surrogate}/u.test(value));
const named = wellFormed.filter((value) => value !== "" && value !== "__proto__");
const variables = fc.dictionary(
  named.filter((name) => !/[=\0]/.test(name)),
  wellFormed.filter((value) => !value.includes("\0")),
  { maxKeys: 3 },
);
const json = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.boolean(),
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => (Object.is(value, -0) ? 0 : value)),
    wellFormed,
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(named, tie("value"), { maxKeys: 3 }),
  ),
})).value;
const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
const seconds = fc.double({ min: 1e-3, max: 1e9, noNaN: true });

const configuration = fc.record({
  schema_version: fc.constant("1.4"),
  source: optional(wellFormed),
  artifacts: fc.array(
    fc.record({
      source: wellFormed.map((value) => `/a${value.replaceAll("..", "")}`),
      exclude: fc.array(wellFormed, { maxLength: 2 }),
    }),
    { maxLength: 2 },
  ),
  task: fc.record({
    name: fc.constant("demo/x"),
    description: wellFormed,
    authors: fc.array(fc.record({ name: wellFormed, email: wellFormed }), { maxLength: 2 }),
    keywords: fc.array(wellFormed, { maxLength: 3 }),
  }),
  metadata: fc.dictionary(
    named.filter((name) => name !== "verification"),
    json,
    { maxKeys: 4 },
  ),
  agent: fc.record({ timeout_sec: optional(seconds) }),
  verifier: fc.record({ timeout_sec: seconds, env: variables }),
  environment: fc.record({
    memory_mb: optional(fc.integer({ min: 1, max: 1e6 })),
    workdir: optional(wellFormed.map((value) => `/${value}`)),
    env: variables,
    healthcheck: optional(fc.record({ command: named })),
  }),
  solution: fc.record({ env: variables }),
});

test("what is written is read back the same", () => {
  fc.assert(
    fc.property(configuration, (drawn) => {
      const input = drawn as unknown as TaskConfigurationInput;
      const { configuration: read, warnings } = parseConfiguration(formatConfiguration(input));
      expect(read).toEqual(taskConfigurationSchema.parse(input));
      expect(warnings).toEqual([]);
    }),
    { numRuns: 300 },
  );
});

test("the order of keys changes no byte", () => {
  const one = formatConfiguration({ environment: { cpus: 1, workdir: "/app" }, metadata: { b: 1, a: { d: 1, c: 2 } } });
  const two = formatConfiguration({ metadata: { a: { c: 2, d: 1 }, b: 1 }, environment: { workdir: "/app", cpus: 1 } });
  expect(one).toBe(two);
  expect(one.split("\n")[0]).toBe('schema_version = "1.4"');
});

test("what TOML cannot hold, or the schema forbids, is an error with its field", () => {
  const refused = (input: TaskConfigurationInput) => {
    try {
      formatConfiguration(input);
    } catch (error) {
      expect(TaskFormatError.isInstance(error)).toBe(true);
      return (error as TaskFormatError).where.field;
    }
    return "accepted";
  };
  expect(refused({ metadata: { a: { b: "\ud800" } } })).toBe("metadata.a.b");
  expect(refused({ metadata: { a: [null] } })).toBe("metadata.a[0]");
  expect(refused({ environment: { workdir: "app" } })).toBe("environment.workdir");
  expect(refused({ metadata: { a: "\ud83e\uddd7" } })).toBe("accepted");
});
