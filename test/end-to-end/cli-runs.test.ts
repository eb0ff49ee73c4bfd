// What was run: one owner a project, looking on, cancelling, taking exactly the ungraded again, cleaning up.
import { existsSync, readdirSync, readFileSync, renameSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Desk, type Event, type Started } from "../support/command-line.ts";

let desk: Desk;
/** An image of its own, so that its layer can be taken away and put back. */
const layered = (name: string) => ({
  "environment/Dockerfile": "FROM debian:bookworm\nWORKDIR /app\nCOPY name.txt /app/\n",
  "environment/name.txt": `of ${name}`,
});
const layers = () => {
  const images = join(desk.cache, "images");
  return readdirSync(images).map((name) => join(images, name, "layer"));
};
const takeLayersAway = () => {
  for (const layer of layers()) if (existsSync(join(layer, "app/name.txt"))) renameSync(layer, `${layer}-away`);
};
const putLayersBack = () => {
  for (const layer of layers()) if (existsSync(`${layer}-away`)) renameSync(`${layer}-away`, layer);
};

beforeAll(async () => {
  desk = new Desk();
  desk.write({ "routesetter.toml": '[images]\nbuilder = "host"\n' });
  for (const name of ["a", "b", "c", "d"]) desk.task(`good/${name}`);
  for (const name of ["x", "y"]) desk.task(`infra/${name}`, layered(name));
  desk.task("long/1", {}, 30);
  expect((await desk.run("rollout", "tasks/infra", "--agent", "nop")).code).toBe(0);
});
afterAll(() => desk?.close());

const show = async (id: string) => (await desk.run("runs", "show", id, "--json")).result().run;
const idOf = (text: string) => /"run":"([^"]+)"/.exec(text)?.[1] as string;

describe("a project that is in use", () => {
  let owner: Started;
  let id: string;
  beforeAll(async () => {
    owner = desk.start(["check", "tasks/long", "--gate", "oracle_max", "--json"]);
    await owner.until("run-started");
    for (let turn = 0; turn < 100 && !id; turn++) {
      const runs = (await desk.run("runs", "list", "--json")).result().runs ?? [];
      id = runs.find((run: Event) => run.status === "running")?.id;
    }
  });

  it("refuses a second process and names the owner; looking on works meanwhile", async () => {
    const second = await desk.run("check", "tasks/good", "--json");
    expect(second.code).toBe(3);
    expect(second.stderr).toContain(`in use by process ${owner.process.pid} on `);
    expect(second.stderr).toContain("check tasks/long --gate oracle_max --json)");
    expect(second.result()).toMatchObject({ status: "infrastructure", exitCode: 3, code: "project_owned" });
    for (const args of [
      ["runs", "clean"],
      ["runs", "resume", id],
      ["rollout", "tasks/good"],
    ])
      expect((await desk.run(...args)).code).toBe(3);
    const details = await show(id);
    expect(details.owner).toContain(`process ${owner.process.pid}`);
    expect(details.inFlight).toHaveLength(1);
  });

  it("lets others follow the run, and cancel it", async () => {
    const follower = desk.start(["runs", "show", id, "--follow", "--json"]);
    await follower.until("run.started");
    const cancelled = await desk.run("runs", "cancel", id, "--json");
    expect(cancelled.result()).toMatchObject({ status: "ok", run: id, runStatus: "cancelled" });
    const ended = await owner.ended;
    expect(ended.code).toBe(130);
    expect(ended.result()).toMatchObject({ status: "interrupted", counts: { found: 0 } });
    const followed = await follower.ended;
    expect(followed.code).toBe(0);
    expect(followed.events().map((event) => event.event?.type ?? event.type)).toEqual([
      "run.started",
      "run.cancelled",
      "result",
    ]);
    expect((await desk.run("runs", "cancel", id)).stdout).toContain(`${id}: cancelled`);
  });
});

describe("runs resume --only infra", () => {
  // BR058
  it("takes exactly the ungraded again; scored zeros stay, attempts are kept, counts printed", async () => {
    takeLayersAway();
    const first = await desk.run("rollout", "tasks/good", "tasks/infra", "--agent", "nop", "--json");
    expect(first.code).toBe(3);
    const id = idOf(first.stdout);
    expect(first.result().counts).toMatchObject({ attempted: 6, graded: 4, failure: 4, infra_error: 2 });
    const folder = desk.path(".routesetter", "rollouts", id);
    const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((path) => path.endsWith(".json"));
    expect(files).toHaveLength(6);
    const zeros = first.events().filter(({ type, outcome }) => type === "episode" && outcome === "failure");
    truncateSync(join(folder, zeros[0]?.file), 40);

    const same = await desk.run("runs", "resume", id, "--only", "infra");
    expect(same.code).toBe(3);
    expect(same.stdout).toContain("taken again 3 · kept 3");
    expect(same.stdout).toContain("attempted 6 · graded 4");
    expect(same.stdout).toContain(`take the ungraded again with: routesetter runs resume ${id} --only infra`);
    expect(JSON.parse(readFileSync(join(folder, zeros[0]?.file), "utf8")).outcome).toBe("failure");

    putLayersBack();
    const mended = await desk.run("runs", "resume", id, "--only", "infra", "--json");
    expect(mended.code, mended.stderr).toBe(0);
    expect(mended.result().counts).toMatchObject({ attempted: 6, graded: 6, failure: 6, retaken: 2, kept: 4 });
    expect(await show(id)).toMatchObject({ run: { status: "done", steps: 6 }, attempts: { redone: 5 } });

    const again = await desk.run("runs", "resume", id, "--only", "infra", "--json");
    expect(again.code).toBe(0);
    expect(again.result().counts).toMatchObject({ attempted: 6, graded: 6 });
    expect(again.result().counts.retaken).toBeUndefined();
  });

  it("does so for checks, a damaged report among them, from another directory", async () => {
    takeLayersAway();
    const first = await desk.run("check", "tasks/good", "tasks/infra", "--gate", "oracle_max", "--json");
    expect(first.code).toBe(3);
    const id = idOf(first.stdout);
    expect(first.result().counts).toMatchObject({ found: 6, graded: 4, accepted: 4, notGraded: 2 });
    const blobs = desk.path(".routesetter", "blobs");
    const blob = readdirSync(blobs, { recursive: true, encoding: "utf8" }).find(
      (path) => path.includes("/") && readFileSync(join(blobs, path), "utf8").includes('"accepted":true'),
    );
    truncateSync(join(blobs, blob as string), 10);
    putLayersBack();
    const mended = await desk.start(["runs", "resume", id, "--only", "infra", "--json", "--project", "project"], {
      cwd: desk.directory,
    }).ended;
    expect(mended.code, mended.stderr).toBe(0);
    expect(mended.result().counts).toMatchObject({ found: 6, graded: 6, accepted: 6, retaken: 3, kept: 3 });
  });

  it("forges what an undisturbed run forges", async () => {
    const broken = await desk.start(
      [
        "forge",
        "--count",
        "2",
        "--seed",
        "5",
        "--family",
        "tabular-reconciliation",
        "--json",
        "--set",
        "images.builder=docker",
      ],
      { env: { DOCKER_HOST: "unix:///nowhere/docker.sock" } },
    ).ended;
    expect(broken.code, broken.stdout).toBe(3);
    expect(broken.result().counts).toMatchObject({ found: 2, accepted: 0, ungraded: 2 });
    const id = idOf(broken.stdout);
    const mended = await desk.run("runs", "resume", id, "--only", "infra", "--json");
    expect(mended.code, mended.stderr).toBe(0);
    expect(mended.result().counts).toMatchObject({ found: 2, accepted: 2, ungraded: 0, retaken: 2 });
    expect(
      readdirSync(desk.path("tasks")).filter((name) => existsSync(desk.path("tasks", name, "gates.json"))),
    ).toHaveLength(2);
  });
});

describe("runs clean", () => {
  it("removes what dead owners left, and with --all the ended runs and their blobs", async () => {
    const plain = await desk.run("runs", "clean", "--json");
    expect(plain.result().counts).toMatchObject({ runs: 0 });
    const before = (await desk.run("runs", "list", "--json")).result().runs;
    const all = await desk.run("runs", "clean", "--all", "--json");
    expect(all.code).toBe(0);
    expect(all.result().counts.runs).toBe(before.length);
    expect(all.result().counts.blobs).toBeGreaterThan(0);
    expect((await desk.run("runs", "list")).stdout).toBe("no run yet\nruns 0\n");
    expect(existsSync(desk.path(".routesetter", "work"))).toBe(false);
  });
});
