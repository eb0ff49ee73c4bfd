import { execFileSync } from "node:child_process";
import { existsSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { removeTree } from "../box/remove-tree.ts";
import { dockerProblem, openDocker } from "./builders/connect.ts";
import { type ImageStoreOptions, openImageStore } from "./open.ts";

const scratch = mkdtempSync(join(tmpdir(), "images-peer-"));
const bases = process.env.ROUTESETTER_BASES_CACHE;
let count = 0;
function contextOf(files: Record<string, string>): string {
  const directory = join(scratch, `context-${count++}`);
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(join(directory, path, ".."), { recursive: true });
    writeFileSync(join(directory, path), content);
  }
  return directory;
}
const openStore = (options: Partial<ImageStoreOptions> = {}) =>
  openImageStore({
    stateDirectory: join(scratch, `state-${count++}`),
    builder: "docker",
    pullTimeoutMilliseconds: 15_000,
    ...options,
  });
const problem = await dockerProblem(await openDocker());
const required = process.env.ROUTESETTER_REQUIRE_DOCKER === "1";
const runs = (marker: string): boolean =>
  readdirSync("/proc").some((name) => {
    try {
      return /^\d+$/.test(name) && readFileSync(`/proc/${name}/cmdline`, "utf8").split("\0").includes(marker);
    } catch {
      return false;
    }
  });
const base = "debian:bookworm-slim";

afterAll(() => removeTree(scratch));

test.runIf(required)("the engine is there", () => expect(problem).toBeNull());

describe.skipIf(problem !== null && !required)("docker builder", () => {
  test("a Debian base that can't be pulled is bootstrapped and said so; one image for all requests", async () => {
    const store = openStore();
    const context = contextOf({
      Dockerfile: `FROM ${base}\nENV A=1\nWORKDIR /work\nCOPY --chmod=0750 a /work/\nRUN <<EOF\necho "one $A" > /one\nEOF\nRUN cat <<"X" > /two && chmod u+s /two\nkeep $A\nX\nCOPY <<Y /three\nthree $A\nY\nUSER nobody\n`,
      a: "a",
    });
    const first = await store.resolve({ context });
    expect(first.built).toBe(true);
    expect(first.log).toContain("COPY");
    expect(first.image.configuration).toMatchObject({
      workingDirectory: "/work",
      user: "nobody",
      environment: { A: "1" },
    });
    expect(["bootstrapped", "built"]).toContain(first.image.provenance.how);
    if (first.image.provenance.how === "bootstrapped") expect(first.image.provenance.note).toContain(base);
    const root = first.image.layers[0] as string;
    expect(readFileSync(join(root, "one"), "utf8")).toBe("one 1\n");
    expect(readFileSync(join(root, "two"), "utf8")).toBe("keep $A\n");
    expect(readFileSync(join(root, "three"), "utf8")).toBe("three 1\n");
    expect(lstatSync(join(root, "two")).mode & 0o4000).toBe(0o4000);
    expect(lstatSync(join(root, "work/a")).mode & 0o777).toBe(0o750);
    expect(readFileSync(join(root, "etc/hosts"), "utf8")).toContain("localhost");
    if (process.getuid?.() === 0) expect(lstatSync(join(root, "etc/passwd")).uid).toBe(100_000);
    const second = await store.resolve({ context });
    expect(second).toMatchObject({
      built: false,
      image: { digest: first.image.digest, dockerTag: first.image.dockerTag },
    });
    expect(await store.digest({ context })).toBe(first.image.digest);
  });

  test("several stages, and a change of the base or a byte changes the digest", async () => {
    const store = openStore({ exportRootFileSystem: false });
    const dockerfile = (text: string) =>
      `FROM ${base} AS build\nRUN echo ${text} > /made\nFROM ${base}\nCOPY --from=build /made /made\n`;
    const one = await store.resolve({ context: contextOf({ Dockerfile: dockerfile("x") }) });
    const two = await store.resolve({ context: contextOf({ Dockerfile: dockerfile("y") }) });
    expect(one.image.digest).not.toBe(two.image.digest);
    expect(one.image.layers).toEqual([]);
  });

  test("a failing command is named with its line and output", async () => {
    const context = contextOf({ Dockerfile: `FROM ${base}\n\nRUN echo told-before && exit 7\n` });
    await expect(openStore().resolve({ context })).rejects.toMatchObject({
      code: "image_build_failed",
      where: { line: 3 },
      details: { log: expect.stringContaining("told-before") },
    });
  });

  test("a build that takes too long is stopped on the engine", async () => {
    const context = contextOf({ Dockerfile: `FROM ${base}\nRUN sleep 987654\n` });
    const store = openStore();
    await store.digest({ context });
    await expect(store.resolve({ context, timeoutMilliseconds: 4_000 })).rejects.toMatchObject({
      code: "image_build_timeout",
    });
    expect(runs("987654")).toBe(false);
    const stopped = new AbortController();
    const work = store.resolve({ context, signal: stopped.signal });
    work.catch(() => {});
    for (let i = 0; i < 100 && !runs("987654"); i++) await new Promise((resolve) => setTimeout(resolve, 100));
    expect(runs("987654")).toBe(true);
    stopped.abort();
    await expect(work).rejects.toThrow();
    expect(runs("987654")).toBe(false);
  });

  test("another base that can't be pulled is image_missing, a substitute brings its profile", async () => {
    const context = contextOf({
      Dockerfile: "FROM python:3.11-slim\nRUN python --version && pip --version && pip install --help >/dev/null\n",
    });
    const refused = openStore({ pullTimeoutMilliseconds: 1 });
    await expect(refused.resolve({ context })).rejects.toMatchObject({ code: "image_missing", where: { line: 1 } });
    const store = openStore({ substitutes: { "python:*": base }, pullTimeoutMilliseconds: 1 });
    const { image } = await store.resolve({ context });
    expect(image.provenance).toMatchObject({ how: "substituted", note: expect.stringContaining("python:3.11-slim") });
    expect(image.configuration.environment).toMatchObject({ LANG: "C.UTF-8" });
  });

  test("the CA bundle lies at its own path", async () => {
    const file = join(scratch, "bundle.crt");
    writeFileSync(file, "certificate\n");
    const context = contextOf({ Dockerfile: `FROM ${base}\nRUN cp "$PIP_CERT" /seen\n` });
    const { image } = await openStore({ caBundle: file }).resolve({ context });
    expect(readFileSync(join(image.layers[0] as string, "seen"), "utf8")).toBe("certificate\n");
    expect(image.configuration.environment.SSL_CERT_FILE).toBe("/opt/routesetter/ca-bundle.crt");
    const plain = await openStore().resolve({ context: contextOf({ Dockerfile: `FROM ${base}\n` }) });
    expect(plain.image.configuration.environment.PIP_CERT).toBeUndefined();
    expect(plain.image.digest).not.toBe(image.digest);
  });

  test("several stores on one folder build once", async () => {
    const context = contextOf({ Dockerfile: `FROM ${base}\nRUN echo ${Math.random()} > /r\n` });
    const stateDirectory = join(scratch, `state-${count++}`);
    const results = await Promise.all([1, 2, 3].map(() => openStore({ stateDirectory }).resolve({ context })));
    expect(results.filter((result) => result.built)).toHaveLength(1);
  });

  test("auto takes the engine for what the machine's system can't do", async () => {
    const context = contextOf({ Dockerfile: `FROM ${base}\nRUN echo x | tr x y > /y\n` });
    const { image } = await openStore({ builder: "auto" }).resolve({ context });
    expect(image).toMatchObject({ hostSystem: false, provenance: { builder: "docker" } });
  });

  test("no engine: builder_unavailable", async () => {
    const context = contextOf({ Dockerfile: `FROM ${base}\n` });
    await expect(openStore({ socketPath: join(scratch, "no.sock") }).resolve({ context })).rejects.toMatchObject({
      code: "builder_unavailable",
    });
  });
});

const hasBuildah = existsSync("/usr/bin/buildah") && process.getuid?.() === 0;
describe.skipIf(!hasBuildah)("buildah builder", () => {
  let stateDirectory: string;
  beforeAll(() => {
    stateDirectory = join(scratch, "buildah-state");
    mkdirSync(stateDirectory, { recursive: true });
    if (bases) execFileSync("cp", ["-a", bases, join(stateDirectory, "bases")]);
  });

  test("builds, keeps configuration, exports, and stops what takes too long", async () => {
    const store = openStore({ builder: "buildah", stateDirectory });
    const context = contextOf({
      Dockerfile: `FROM ${base}\nENV A=1\nWORKDIR /work\nCOPY --chmod=0750 a ./\nRUN <<EOF\necho "one $A" > /one\nEOF\nUSER nobody\n`,
      a: "a",
    });
    const { image } = await store.resolve({ context });
    expect(image).toMatchObject({
      configuration: { workingDirectory: "/work", user: "nobody", environment: { A: "1" } },
      provenance: { builder: "buildah" },
    });
    expect(image.dockerTag).toBeUndefined();
    const root = image.layers[0] as string;
    expect(readFileSync(join(root, "one"), "utf8")).toBe("one 1\n");
    expect(lstatSync(join(root, "work/a")).mode & 0o777).toBe(0o750);
    const slow = contextOf({ Dockerfile: `FROM ${base}\nRUN sleep 876543\n` });
    await expect(store.resolve({ context: slow, timeoutMilliseconds: 5_000 })).rejects.toMatchObject({
      code: "image_build_timeout",
    });
    expect(runs("876543")).toBe(false);
    const failing = contextOf({ Dockerfile: `FROM ${base}\nRUN exit 7\n` });
    await expect(store.resolve({ context: failing })).rejects.toMatchObject({
      code: "image_build_failed",
      where: { line: 2 },
    });
    await store.close();
  });
});
