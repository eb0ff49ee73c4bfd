// `routesetter doctor` as people and programs call it.
import { afterAll, beforeAll, expect, it } from "vitest";
import { Desk } from "../support/command-line.ts";

let desk: Desk;
beforeAll(() => {
  desk = new Desk();
});
afterAll(() => desk?.close());

type Event = { type: string } & Record<string, unknown>;
const eventsOf = (stdout: string): Event[] =>
  stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Event);

it("attacks the box on this machine: every one is held, one event each, exit 0", async () => {
  const { code, stdout } = await desk.run("doctor", "--backend", "box", "--json");
  const events = eventsOf(stdout);
  const findings = events.filter(({ type }) => type === "finding");
  expect(findings.filter(({ verdict }) => verdict !== "held")).toEqual([]);
  const held = findings.length;
  expect(held).toBeGreaterThan(40);
  const counts = { found: held, held, holes: 0, unknown: 0 };
  expect(events.at(-1)).toMatchObject({ type: "result", command: "doctor", status: "ok", exitCode: 0, counts });
  const facts = events.filter(({ type }) => type === "fact").map(({ name }) => name);
  expect(facts).toEqual(expect.arrayContaining(["system", "node", "memory", "control groups", "builders"]));
  expect(events.find(({ type }) => type === "backend")).toMatchObject({ backend: "box", problems: [] });
  expect(code).toBe(0);
});

it("a backend that can't be used is exit 3, with the reason and the remedy", async () => {
  const environment = { DOCKER_HOST: "unix:///nowhere/at/all.sock" };
  const { code, stdout } = await desk.start(["doctor", "--backend", "docker", "--json"], { env: environment }).ended;
  const events = eventsOf(stdout);
  expect(events.find(({ type, part }) => type === "lack" && part === "docker")).toMatchObject({
    what: expect.stringContaining("/nowhere/at/all.sock"),
    remedy: expect.stringContaining("docker"),
  });
  expect(events.at(-1)).toMatchObject({ status: "infrastructure", exitCode: 3, counts: { found: 0 } });
  expect(code).toBe(3);
});

it("only looks when asked to, and installs nothing that nobody knows", async () => {
  const look = await desk.run("doctor", "--backend", "box", "--no-attack");
  expect(look).toMatchObject({ code: 0, stdout: expect.stringContaining("box can be used; it was not attacked") });
  const fix = await desk.run("doctor", "--fix", "everything");
  expect(fix).toMatchObject({ code: 2, stderr: expect.stringContaining("--fix network") });
});
