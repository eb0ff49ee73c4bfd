import { describe, expect, test } from "vitest";
import { TaskFormatError } from "../contract/index.ts";
import { parseConfiguration } from "./parse-configuration.ts";

const read = (text: string) => parseConfiguration(text, "t/task.toml");
function refused(text: string): TaskFormatError {
  try {
    read(text);
  } catch (error) {
    if (TaskFormatError.isInstance(error)) return error;
    throw error;
  }
  throw new Error(`was accepted: ${text}`);
}

test("defaults are those of schema 1.4", () => {
  const { configuration, warnings } = read("");
  expect(warnings).toEqual([]);
  expect(configuration).toEqual({
    schema_version: "1.4",
    multi_step_reward_strategy: "mean",
    artifacts: [],
    metadata: {},
    agent: {},
    verifier: { timeout_sec: 600, env: {}, collect: [] },
    environment: { build_timeout_sec: 600, os: "linux", network_mode: "public", env: {}, mcp_servers: [] },
    solution: { env: {} },
    steps: [],
  });
});

test("every field of schema 1.4 is read, none reported", () => {
  const { configuration, warnings } = read(everyField);
  expect(warnings).toEqual([]);
  expect(configuration).toMatchObject({
    source: "set/one",
    multi_step_reward_strategy: "final",
    artifacts: [
      { source: "/app/out", exclude: [], service: "main" },
      { source: "/var/log", destination: "logs", exclude: ["*.gz"], service: "database" },
    ],
    task: { name: "org/task", version: "1.0.0", authors: [{ name: "A", email: "a@b.c" }], keywords: ["x"] },
    metadata: {
      difficulty: "hard",
      verification: "live",
      own: { deep: [1, { x: true }] },
      when: "2026-01-02T03:04:05.000Z",
    },
    agent: { timeout_sec: 1.5, user: "1000", network_mode: "allowlist", allowed_hosts: ["*.example.com"] },
    verifier: { environment_mode: "separate", collect: [{ command: "dump", timeout_sec: 60, service: "main" }] },
    environment: {
      cpus: 0.5,
      gpu_types: ["H100"],
      tpu: { type: "v6e", topology: "2x4" },
      mcp_servers: [
        { name: "a", transport: "streamable-http", url: "http://a" },
        { name: "b", transport: "stdio", command: "b", args: ["-x"] },
      ],
      healthcheck: { command: "true", interval_sec: 5, timeout_sec: 30, retries: 3 },
    },
    steps: [
      { name: "one", min_reward: 0.5 },
      { name: "two", min_reward: { reward: 1 }, verifier: { timeout_sec: 9 } },
    ],
  });
});

describe("old spellings are read, with a warning at their line", () => {
  test.each([
    ['version = "1.0"', { schema_version: "1.0" }, "version", 1],
    ['artifacts = "/app/out"', { artifacts: [{ source: "/app/out" }] }, "artifacts", 1],
    ['[environment]\nmemory = "2G"', { environment: { memory_mb: 2048 } }, "environment.memory", 2],
    ['[environment]\nstorage = "512M"', { environment: { storage_mb: 512 } }, "environment.storage", 2],
    [
      "[environment]\nallow_internet = false",
      { environment: { network_mode: "no-network" } },
      "environment.allow_internet",
      2,
    ],
    [
      "[environment]\nallow_internet = true",
      { environment: { network_mode: "public" } },
      "environment.allow_internet",
      2,
    ],
    [
      '[verifier.environment]\nmemory = "1G"',
      { verifier: { environment: { memory_mb: 1024 } } },
      "verifier.environment.memory",
      2,
    ],
    [
      '[[steps]]\nname = "a"\nartifacts = "/x"',
      { steps: [{ artifacts: [{ source: "/x" }] }] },
      "steps[0].artifacts",
      3,
    ],
  ])("%s", (text, expected, field, line) => {
    const { configuration, warnings } = read(text);
    expect(configuration).toMatchObject(expected);
    expect(warnings).toMatchObject([{ field, line, file: "t/task.toml" }]);
  });

  test("a network_mode beside allow_internet wins", () => {
    const { configuration, warnings } = read('[environment]\nallow_internet = true\nnetwork_mode = "no-network"');
    expect(configuration.environment.network_mode).toBe("no-network");
    expect(warnings[0]?.message).toMatch(/ignored/);
  });
});

test("what Harbor reads leniently is read, with a warning: numbers in quotes, empty texts, a size without unit", () => {
  const { configuration, warnings } = read(`[agent]
timeout_sec = "60"
user = ""
[environment]
memory_mb = "512"
docker_image = ""
workdir = ""
storage = 10240
`);
  expect(configuration.agent).toEqual({ timeout_sec: 60 });
  expect(configuration.environment).toMatchObject({ memory_mb: 512 });
  expect(configuration.environment.docker_image ?? configuration.environment.workdir).toBeUndefined();
  expect(warnings.map((warning) => warning.line)).toEqual([2, 3, 5, 6, 7, 8]);
});

test("unknown keys are reported with their line and dropped; [metadata] is free", () => {
  const { configuration, warnings } = read(`surprise = 1
[metadata]
anything = "goes"
[environment]
cpus = 1
ram = 2
[agent]
nonsense = { a = 1 }
[[environment.mcp_servers]]
name = "a"
url = "http://a"
tokn = "x"
`);
  expect(warnings.map(({ field, line }) => [field, line])).toEqual([
    ["surprise", 1],
    ["environment.ram", 6],
    ["agent.nonsense", 8],
    ["environment.mcp_servers[0].tokn", 12],
  ]);
  expect(JSON.stringify(configuration)).not.toMatch(/surprise|ram|nonsense|tokn/);
});

describe("errors name file, line, column and field", () => {
  test.each([
    ["a = \n", "toml_syntax", 1, 5, undefined],
    ['[agent]\ntimeout_sec = "long"', "configuration_invalid", 2, 1, "agent.timeout_sec"],
    ["[environment]\n  memory_mb = -1", "configuration_invalid", 2, 3, "environment.memory_mb"],
    ['[environment]\nnetwork_mode = "sometimes"', "configuration_invalid", 2, 1, "environment.network_mode"],
    ['[environment]\nmemory = "much"', "configuration_invalid", 2, 1, "environment.memory"],
    ['[environment]\nworkdir = "app"', "configuration_invalid", 2, 1, "environment.workdir"],
    [
      '[environment]\nnetwork_mode = "allowlist"\nallowed_hosts = ["a",\n "http://b"]',
      "configuration_invalid",
      4,
      2,
      "environment.allowed_hosts[1]",
    ],
    ['[environment]\nallowed_hosts = ["a"]', "configuration_invalid", 2, 1, "environment.allowed_hosts"],
    ['[environment]\nenv = { A = "1",   B = 2 }', "configuration_invalid", 2, 20, "environment.env.B"],
    ["[verifier]\ntimeout_sec = inf", "configuration_invalid", 2, 1, "verifier.timeout_sec"],
    [
      '[verifier]\nenvironment_mode = "shared"\n[verifier.environment]\ncpus = 1',
      "configuration_invalid",
      2,
      1,
      "verifier.environment_mode",
    ],
    ['[task]\nname = "nameless"', "configuration_invalid", 2, 1, "task.name"],
    ['[task]\nname = "a/b..c"', "configuration_invalid", 2, 1, "task.name"],
    ['artifacts = ["/a", "/b/../c"]', "configuration_invalid", 1, 20, "artifacts[1].source"],
    ['[[artifacts]]\nsource = "/a"\ndestination = "/b"', "configuration_invalid", 3, 1, "artifacts[0].destination"],
    [
      '[[artifacts]]\nsource = "/a"\ndestination = "manifest.json"',
      "configuration_invalid",
      3,
      1,
      "artifacts[0].destination",
    ],
    ['[[artifacts]]\nsource = "a"\nservice = "db"', "configuration_invalid", 2, 1, "artifacts[0].source"],
    ['[[steps]]\nname = "a"\n[[steps]]\nname = "a"', "configuration_invalid", 4, 1, "steps[1].name"],
    ['[[steps]]\nname = "../a"', "configuration_invalid", 2, 1, "steps[0].name"],
    [
      '[[environment.mcp_servers]]\nname = "a"\ntransport = "stdio"',
      "configuration_invalid",
      1,
      1,
      "environment.mcp_servers[0].command",
    ],
    ["schema_version = 1.4", "configuration_invalid", 1, 1, "schema_version"],
    ["environment = 3", "configuration_invalid", 1, 1, "environment"],
  ] as const)("%j", (text, code, line, column, field) => {
    const error = refused(text);
    expect(error).toMatchObject({ code, where: { file: "t/task.toml", line, column } });
    expect(error.where.field).toBe(field);
    expect(error.message).toMatch(/^t\/task\.toml:\d+:\d+.* → .+/);
  });

  test("what follows the first is listed too", () => {
    const error = refused('[agent]\ntimeout_sec = "a"\n[environment]\ncpus = "b"');
    expect(error.message).toMatch(/\(and 1 more\)/);
    expect(error.details.issues).toMatchObject([
      { field: "agent.timeout_sec", line: 2 },
      { field: "environment.cpus", line: 4 },
    ]);
  });
});

test("a verification mode that is none is ignored with a warning", () => {
  const { configuration, warnings } = read('[metadata]\nverification = "by hand"');
  expect(configuration.metadata.verification).toBeUndefined();
  expect(warnings).toMatchObject([{ line: 2, field: "metadata.verification" }]);
});

test("a byte order mark, CRLF and a newer schema are warnings", () => {
  const { configuration, warnings } = read('\ufeffschema_version = "2.0"\r\n[agent]\r\ntimeout_sec = 3\r\n');
  expect(configuration.agent.timeout_sec).toBe(3);
  expect(warnings.map((warning) => warning.line)).toEqual([1, 1]);
});

test("numbers and dates that JSON cannot hold become text in [metadata]", () => {
  const { configuration } = read("[metadata]\nbig = 9223372036854775807\nnone = nan\nday = 1979-05-27");
  expect(configuration.metadata).toEqual({ big: "9223372036854775807", none: "NaN", day: "1979-05-27" });
});

test("keys that JavaScript holds dear are data like others", () => {
  const { configuration, warnings } = read(`
__proto__ = { a = 1 }
[metadata]
constructor = "c"
__proto__ = { polluted = true }
[environment.env]
toString = "t"
hasOwnProperty = "h"
[agent]
constructor = 1
`);
  expect(warnings.map((warning) => warning.field)).toEqual(["__proto__", "agent.constructor"]);
  expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  expect(configuration.environment.env).toEqual({ toString: "t", hasOwnProperty: "h" });
  expect(configuration.metadata.constructor).toBe("c");
});

const everyField = `
schema_version = "1.4"
source = "set/one"
multi_step_reward_strategy = "final"
artifacts = ["/app/out", { source = "/var/log", destination = "logs", exclude = ["*.gz"], service = "database" }]
[task]
name = "org/task"
version = "1.0.0"
description = "d"
authors = [{ name = "A", email = "a@b.c" }]
keywords = ["x"]
[metadata]
difficulty = "hard"
verification = "live"
own = { deep = [1, { x = true }] }
when = 2026-01-02T03:04:05Z
[agent]
timeout_sec = 1.5
user = 1000
network_mode = "allowlist"
allowed_hosts = ["*.example.com"]
[verifier]
timeout_sec = 5
env = { A = "\${B:-c}" }
user = "root"
environment_mode = "separate"
network_mode = "no-network"
[verifier.environment]
docker_image = "v"
[[verifier.collect]]
command = "dump"
user = 0
[environment]
build_timeout_sec = 3
docker_image = "i"
os = "Linux"
cpus = 0.5
memory_mb = 1
storage_mb = 2
gpus = 1
gpu_types = ["H100"]
tpu = { type = "v6e", topology = "2x4" }
network_mode = "public"
env = { A = "1" }
workdir = "/app"
skills_dir = "/skills"
[[environment.mcp_servers]]
name = "a"
transport = "http"
url = "http://a"
headers = { X = "y" }
[[environment.mcp_servers]]
name = "b"
transport = "stdio"
command = "b"
args = ["-x"]
[environment.healthcheck]
command = "true"
[solution]
env = { S = "1" }
[[steps]]
name = "one"
min_reward = 0.5
artifacts = ["/a"]
[steps.healthcheck]
command = "true"
[steps.agent]
timeout_sec = 1
[[steps]]
name = "two"
min_reward = { reward = 1 }
[steps.verifier]
timeout_sec = 9
env = { A = "1" }
`;
