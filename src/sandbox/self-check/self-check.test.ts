import { chmodSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Image, SandboxBackend } from "../../contract/index.ts";
import { type Alteration, unaltered } from "../box/alteration.ts";
import { openBox } from "../box/backend.ts";
import { removeTree } from "../box/index.ts";
import { attackImage, attackSandbox, attacks, type Finding } from "./index.ts";
import { noSandbox } from "./testing/no-sandbox.ts";
import { weakenings } from "./testing/weaken.ts";

const asRoot = process.getuid?.() === 0;
const folder = mkdtempSync(join(tmpdir(), "self-check-"));
chmodSync(folder, 0o755);
let image: Image;
beforeAll(async () => {
  image = await attackImage("host system", join(folder, "image"));
});
afterAll(() => removeTree(folder));

/** Attacks that cost next to nothing; each weak sandbox must leave quiet those that it holds. */
const sentinels = ["host-file-read", "environment", "network", "capabilities", "keyring", "leftover-process"];
const noticed = new Set<string>();

async function holesOf(backend: SandboxBackend, ids: readonly string[]): Promise<string[]> {
  const chosen = attacks.filter(({ id }) => ids.includes(id));
  expect(chosen).toHaveLength(ids.length);
  try {
    const findings = await attackSandbox({ backend, image, attacks: chosen });
    expect(findings.filter(({ verdict }) => verdict === "unknown")).toEqual([]);
    const holes = findings.filter(({ verdict }) => verdict === "hole").map(({ id }) => id);
    for (const id of holes) noticed.add(id);
    return holes.sort();
  } finally {
    await backend.close();
  }
}

let boxes = 0;
const box = (alteration: Partial<Alteration> = {}): Promise<SandboxBackend> =>
  openBox({ stateDirectory: join(folder, `state-${boxes++}`) }, { ...unaltered, ...alteration });
/** Bubblewrap's arguments with some more, where the view is made. */
const view = (...words: string[]): Partial<Alteration> => ({
  bubblewrap: (all) => all.toSpliced(all.indexOf("--remount-ro"), 0, ...words),
});
const instead = (from: string[], to: string[]) => (all: string[]) =>
  all.toSpliced(
    all.findIndex((_, at) => from.every((word, index) => all[at + index] === word)),
    from.length,
    ...to,
  );
const networkOfHost: Partial<Alteration> = {
  launch: (text) => text.replace("0x68000000", "0x28000000").replace(/ or fail\("loopback"\)/, ""),
};
const altered = (alteration: Partial<Alteration>) => (): Promise<SandboxBackend> => box(alteration);
const changed = (change: (backend: SandboxBackend) => SandboxBackend) => async () => change(await box());

const weakBoxes: readonly (readonly [what: string, open: () => Promise<SandboxBackend>, holes: string[]])[] = [
  ["sees the host's /etc", altered(view("--ro-bind", "/etc", "/etc")), ["host-file-read"]],
  [
    "writes to the host's /tmp",
    altered(view("--bind", "/tmp", "/tmp")),
    ["host-file-read", "host-file-write", "neighbour"],
  ],
  [
    "has the host's /proc",
    altered({ bubblewrap: instead(["--proc", "/proc"], ["--ro-bind", "/proc", "/proc"]) }),
    ["broad-kill", "host-file-read", "host-process"],
  ],
  ["has the host's network", altered(networkOfHost), ["host-sockets", "namespaces", "network"]],
  ["has a device of the host", altered(view("--dev-bind", "/dev/kmsg", "/dev/kmsg")), ["devices"]],
  [
    "keeps its capabilities",
    altered({ bubblewrap: instead(["--cap-drop", "ALL"], ["--cap-add", "ALL"]) }),
    ["capabilities"],
  ],
  ["calls the kernel unfiltered", altered({ filtered: false }), ["keyring", "perf"]],
  ["has a network unasked", changed(weakenings.alwaysOnline), ["network"]],
  ["keeps the environment", changed(weakenings.keepsEnvironment), ["environment"]],
  ["leaves a file open", changed(weakenings.leavesDescriptor), ["open-files"]],
  ["has a terminal", changed(weakenings.hasTerminal), ["terminal"]],
  ["has no limit of processes", changed(weakenings.withoutProcessLimit), ["fork-bomb"]],
  ["has no limit of memory", changed(weakenings.withoutMemoryLimit), ["memory-bomb"]],
  ["has no limit on disk", changed(weakenings.withoutDiskLimit), ["disk-fill"]],
  ["has no limit at all", changed(weakenings.withoutAnyLimit), ["processor-time", "shared-memory-fill"]],
  ["keeps what is printed", changed(weakenings.keepsOutput), ["endless-output"]],
  ["doesn't watch the clock", changed(weakenings.withoutTimeLimit), ["endless-loop"]],
  ["leaves processes after a kill", changed(weakenings.leavesProcesses), ["leftover-process"]],
  ["follows links out", changed(weakenings.followsLinks), ["artefact-copy", "link-read", "link-write"]],
];

describe.skipIf(!asRoot)("a weakened box is found out, and for what is weak", () => {
  it.each(weakBoxes)("%s", async (_, open, holes) => {
    expect(await holesOf(await open(), [...new Set([...holes, ...sentinels])])).toEqual(holes);
  });

  it("no sandbox at all: what needs no limit is noticed", async () => {
    const elsewhere = ["open-files", "terminal", "fork-bomb", "memory-bomb", "disk-fill", "shared-memory-fill"];
    const slow = [...elsewhere, "endless-output", "endless-loop", "processor-time"];
    const ids = attacks.map(({ id }) => id).filter((id) => !slow.includes(id));
    expect(await holesOf(noSandbox(), ids)).toEqual(ids.toSorted());
  });

  it("each attack has noticed something by now", () => {
    expect([...noticed].sort()).toEqual(attacks.map(({ id }) => id).sort());
  });
});

it("a box as it is holds every attack", async () => {
  const seen: Finding[] = [];
  const backend = await box();
  const findings = await attackSandbox({ backend, image, onFinding: (finding) => seen.push(finding) });
  await backend.close();
  expect(findings.filter(({ verdict }) => verdict !== "held")).toEqual([]);
  expect(findings.map(({ id }) => id)).toEqual(attacks.map(({ id }) => id));
  expect(seen).toEqual(findings);
});

it("a command that doesn't start proves nothing", async () => {
  const backend = await box({ bubblewrap: (words) => words.toSpliced(0, 0, "--bind", "/not/there", "/not/there") });
  const findings = await attackSandbox({ backend, image, attacks });
  await backend.close();
  // A user who can't have a network at all holds that one without a command.
  const begun = findings.filter(({ id }) => asRoot || id !== "host-loopback");
  expect(begun.filter(({ verdict }) => verdict !== "unknown")).toEqual([]);
});

it("what can't be tried is unknown, with the reason", async () => {
  const backend = await box();
  const [attack] = attacks;
  const missing = { ...image, layers: [join(folder, "not-there")] };
  const [finding] = await attackSandbox({ backend, image: missing, attacks: [attack!] });
  await backend.close();
  expect(finding).toMatchObject({ verdict: "unknown", detail: expect.stringContaining("not-there") });
});
