import { expect, it } from "vitest";
import { carryOutFix, planFix } from "./fix.ts";
import { type Machine, readMachine } from "./machine.ts";

const bare: Machine = {
  ...readMachine("/tmp"),
  platform: "linux",
  packageManager: "apt-get",
  becomesRoot: "root",
  programs: {},
};
const commands = (plan: ReturnType<typeof planFix>): string[] =>
  typeof plan === "string" ? [plan] : plan.map(({ program, words }) => [program, ...words].join(" "));

it("says what it would run, with the machine's own package manager", () => {
  expect(commands(planFix("box", bare, false))).toEqual([
    "apt-get update -qq",
    "apt-get install -y -qq --no-install-recommends bubblewrap util-linux mount perl-base",
  ]);
  expect(commands(planFix("network", { ...bare, packageManager: "apk" }, false))).toEqual(["apk add slirp4netns"]);
  expect(commands(planFix("buildah", { ...bare, becomesRoot: "sudo" }, false))[1]).toMatch(/^sudo -n apt-get install/);
  expect(commands(planFix("docker", { ...bare, programs: { dockerd: true } }, false))).toEqual([
    "service docker start",
  ]);
});

it("does nothing where nothing may or need be done, and says why", () => {
  expect(planFix("box", { ...bare, becomesRoot: null }, false)).toMatch(/^root is needed: sudo sh -c/);
  expect(planFix("box", { ...bare, packageManager: null }, false)).toMatch(/by hand/);
  expect(planFix("box", { ...bare, platform: "darwin" }, false)).toMatch(/darwin/);
  expect(planFix("docker", bare, true)).toMatch(/answers already/);
  expect(planFix("network", { ...bare, programs: { pasta: true } }, false)).toMatch(/installed already/);
});

it("says each step, stops at the first that fails, and hands its words on", () => {
  const said: string[] = [];
  const step = (text: string) => ({ program: "sh", words: ["-c", text], why: text });
  expect(carryOutFix([step("true")], (text) => said.push(text))).toBeNull();
  expect(
    carryOutFix([step("echo no such package >&2; exit 1"), step("echo later")], (text) => said.push(text)),
  ).toMatch(/failed: no such package$/);
  expect(said).toHaveLength(2);
});
