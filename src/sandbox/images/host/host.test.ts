// biome-ignore-all lint/suspicious/noTemplateCurlyInString: Dockerfile variables look like template placeholders
import { execFileSync } from "node:child_process";
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { openImageStore } from "../open.ts";
import { type HostSystem, hostBaseFor, readHostSystem } from "./bases.ts";
import { parseDpkgStatus, readHostPackages } from "./packages.ts";

const scratch = mkdtempSync(join(tmpdir(), "images-host-"));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));
let count = 0;
type Files = Record<string, string | { content: string; mode: number } | { link: string }>;
function contextOf(files: Files): string {
  const directory = join(scratch, `context-${count++}`);
  for (const [path, value] of Object.entries(files)) {
    const target = join(directory, path);
    mkdirSync(join(target, ".."), { recursive: true });
    if (typeof value === "object" && "link" in value) symlinkSync(value.link, target);
    else if (typeof value === "string") writeFileSync(target, value, { mode: 0o644 });
    else writeFileSync(target, value.content, { mode: value.mode });
  }
  return directory;
}
const system = readHostSystem();
const base = system.id === "ubuntu" ? `ubuntu:${system.version}` : "debian:bookworm-slim";
const debianFamily = ["debian", "ubuntu"].includes(system.id) || system.like.includes("debian");
const openStore = () => openImageStore({ stateDirectory: join(scratch, `state-${count++}`), builder: "host" });
const shift = process.getuid?.() === 0 ? 100_000 : 0;

describe.skipIf(!debianFamily)("host image", () => {
  test("COPY, WORKDIR, ENV, USER, owners and modes", async () => {
    const context = contextOf({
      Dockerfile: [
        `FROM ${base}`,
        "ARG NAME=tool",
        "ENV APP=/app DATA=/data",
        "WORKDIR $APP",
        "COPY files/ ./",
        "COPY --chown=1:2 --chmod=0750 one.txt ${DATA}/${NAME}.txt",
        "COPY *.csv /csv/",
        "COPY <<EOF /note",
        "hello $NAME",
        "EOF",
        "RUN mkdir -p /out/deep && chmod 1777 /out && chown 33:33 /out/deep",
        "LABEL a=b",
        "EXPOSE 80",
        'CMD ["x"]',
        "USER nobody",
      ].join("\n"),
      "files/run.sh": { content: "#!/bin/sh\n", mode: 0o755 },
      "files/sub/link": { link: "../run.sh" },
      "one.txt": "1\n",
      "a.csv": "a",
      "b.csv": "b",
    });
    const { image, built, log } = await openStore().resolve({ context });
    const layer = image.layers[1] as string;
    expect(built).toBe(true);
    expect(log).toContain("COPY files/ ./");
    expect(image).toMatchObject({ hostSystem: true, configuration: { workingDirectory: "/app", user: "nobody" } });
    expect(image.configuration.environment).toMatchObject({ APP: "/app", DATA: "/data" });
    expect(lstatSync(join(layer, "app/run.sh")).mode & 0o7777).toBe(0o755);
    expect(readlinkSync(join(layer, "app/sub/link"))).toBe("../run.sh");
    const tool = lstatSync(join(layer, "data/tool.txt"));
    expect(tool.mode & 0o7777).toBe(0o750);
    if (shift) expect([tool.uid, tool.gid]).toEqual([shift + 1, shift + 2]);
    expect(readdirSync(join(layer, "csv"))).toEqual(["a.csv", "b.csv"]);
    expect(readFileSync(join(layer, "note"), "utf8")).toBe("hello tool\n");
    expect(lstatSync(join(layer, "out")).mode & 0o7777).toBe(0o1777);
    if (shift) expect(lstatSync(join(layer, "out/deep")).uid).toBe(shift + 33);
    const skeleton = image.layers[0] as string;
    expect(readFileSync(join(skeleton, "etc/passwd"), "utf8")).toMatch(/^root:x:0:0:/);
    expect(readFileSync(join(skeleton, "etc/shadow"), "utf8")).not.toMatch(/\$/);
    expect(lstatSync(join(skeleton, "tmp")).mode & 0o7777).toBe(0o1777);
  });

  test("folders of the skeleton keep their modes under a layer", async () => {
    const context = contextOf({ Dockerfile: `FROM ${base}\nCOPY a /tmp/a\nCOPY a /root/a\n`, a: "a" });
    const { image } = await openStore().resolve({ context });
    expect(lstatSync(join(image.layers[1] as string, "tmp")).mode & 0o7777).toBe(0o1777);
    expect(lstatSync(join(image.layers[1] as string, "root")).mode & 0o7777).toBe(0o700);
  });

  test("the same content is built once, another mode or byte is another image", async () => {
    const store = openStore();
    const files: Files = { Dockerfile: `FROM ${base}\nCOPY a /a\n`, a: "a" };
    const context = contextOf(files);
    const results = await Promise.all([1, 2, 3].map(() => store.resolve({ context })));
    expect(results.map((result) => result.built)).toEqual([true, false, false]);
    expect((await store.resolve({ context: contextOf(files) })).built).toBe(false);
    expect(await store.digest({ context })).toBe(results[0]?.image.digest);
    expect((await store.resolve({ context: contextOf({ ...files, a: { content: "a", mode: 0o755 } }) })).built).toBe(
      true,
    );
    expect((await store.resolve({ context: contextOf({ ...files, a: "b" }) })).built).toBe(true);
  });

  test("several processes at once end with one image", async () => {
    const context = contextOf({ Dockerfile: `FROM ${base}\nCOPY a /a\n`, a: "a" });
    const stateDirectory = join(scratch, `state-${count++}`);
    const stores = [1, 2, 3].map(() => openImageStore({ stateDirectory, builder: "host" }));
    const images = await Promise.all(stores.map((store) => store.resolve({ context })));
    expect(new Set(images.map((one) => one.image.layers.join())).size).toBe(1);
    expect(readdirSync(join(stateDirectory, "images")).filter((name) => name.startsWith(".new"))).toEqual([]);
  });

  test("a package that is there is satisfied, one that isn't names its line", async () => {
    const present = readHostPackages().find("tar") ? "tar" : "bash";
    const good = contextOf({
      Dockerfile: `FROM ${base}\nRUN apt-get update \\\n && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends ${present} \\\n && rm -rf /var/lib/apt/lists/*\n`,
    });
    await openStore().resolve({ context: good });
    const bad = contextOf({
      Dockerfile: `FROM ${base}\n\nRUN apt-get update && apt-get install -y no-such-package-here\n`,
    });
    await expect(openStore().resolve({ context: bad })).rejects.toMatchObject({
      code: "host_image_unsuitable",
      where: { line: 3 },
      message: expect.stringContaining("no-such-package-here"),
    });
  });

  test.each([
    ["RUN pip install x", "changes the system"],
    ["RUN echo hi > /x", "needs a shell"],
    ["RUN rm -rf /etc", "changes the system"],
    ["COPY a /usr/bin/tool", "belongs to the machine"],
    ["COPY a /bin/tool", "belongs to the machine"],
    ["COPY --from=other /a /a", "another image"],
    ["ADD https://example.org/x /x", "network"],
    ["USER nosuchuser", "unknown"],
  ])("%s is refused", async (line, reason) => {
    const context = contextOf({ Dockerfile: `FROM ${base}\n${line}\n`, a: "a" });
    await expect(openStore().resolve({ context })).rejects.toMatchObject({
      code: "host_image_unsuitable",
      where: { line: 2 },
      message: expect.stringContaining(reason),
    });
  });

  test.each([
    ["COPY ../secret /s", {}],
    ["COPY out /s", { out: { link: "/etc/passwd" } }],
    ["COPY up/passwd /s", { up: { link: "/etc" } }],
    ["COPY missing /s", {}],
    ["COPY hidden /s", { hidden: "x", ".dockerignore": "hid*\n" }],
  ])("%s doesn't leave the context", async (line, files) => {
    const context = contextOf({ Dockerfile: `FROM ${base}\n${line}\n`, ...(files as Files) });
    await expect(openStore().resolve({ context })).rejects.toMatchObject({
      code: "image_build_failed",
      where: { line: 2 },
    });
  });

  test("a link inside the context is followed when it is copied by name", async () => {
    const context = contextOf({ Dockerfile: `FROM ${base}\nCOPY in /s\n`, in: { link: "real" }, real: "r" });
    const { image } = await openStore().resolve({ context });
    expect(readFileSync(join(image.layers[1] as string, "s"), "utf8")).toBe("r");
  });

  test("a link that was copied leads nowhere on the machine", async () => {
    const context = contextOf({
      Dockerfile: `FROM ${base}\nCOPY d /d\nCOPY a /d/escape/a\n`,
      "d/escape": { link: "/srv/inside" },
      a: "a",
    });
    const { image } = await openStore().resolve({ context });
    expect(readFileSync(join(image.layers[1] as string, "srv/inside/a"), "utf8")).toBe("a");
  });

  test("docker_image without a Dockerfile; neither is image_missing", async () => {
    const context = join(scratch, "nothing-here");
    const { image } = await openStore().resolve({ context, dockerImage: base });
    expect(image.provenance.base).toBe(base);
    await expect(openStore().resolve({ context })).rejects.toMatchObject({ code: "image_missing" });
  });

  test("a small image takes a few milliseconds", async () => {
    const store = openStore();
    const make = (n: number) =>
      contextOf({ Dockerfile: `FROM ${base}\nWORKDIR /app\nCOPY f/ /app/\n`, "f/a": `${n}`, "f/b": "b", "f/c": "c" });
    await store.resolve({ context: make(0) });
    const contexts = [...Array(50).keys()].map((n) => make(n + 1));
    const started = performance.now();
    for (const context of contexts) await store.resolve({ context });
    const built = (performance.now() - started) / contexts.length;
    const again = performance.now();
    for (const context of contexts) await store.resolve({ context });
    console.log(`built ${built.toFixed(2)} ms, found ${((performance.now() - again) / contexts.length).toFixed(2)} ms`);
    expect(built).toBeLessThan(50);
  });

  test.skipIf(!shift || process.env.CI === "no-chroot")("the skeleton and /usr make a system that runs", async () => {
    const { image } = await openStore().resolve({ context: contextOf({ Dockerfile: `FROM ${base}\n` }) });
    const output = execFileSync("bwrap", [
      "--ro-bind",
      image.layers[0] as string,
      "/",
      "--ro-bind",
      "/usr",
      "/usr",
      "--proc",
      "/proc",
      "--dev",
      "/dev",
      "--unshare-all",
      "--clearenv",
      "--setenv",
      "PATH",
      "/usr/bin:/bin",
      "/bin/sh",
      "-c",
      "id -un; ls -ld /tmp; test -e /etc/ssl/certs/ca-certificates.crt && echo certs",
    ]);
    expect(output.toString()).toMatch(/drwxrwxrwt/);
  });
});

describe("bases", () => {
  const bookworm: HostSystem = {
    id: "debian",
    like: [],
    version: "12",
    codename: "bookworm",
    name: "Debian 12",
    python: "3.11",
    digest: "x",
  };
  test.each([
    ["debian:12", "same"],
    ["debian:bookworm-slim", "same"],
    ["debian:bookworm-20250520-slim", "same"],
    ["debian:12.5-slim", "same"],
    ["docker.io/library/debian:12", "same"],
    ["debian:trixie", "family"],
    ["ubuntu:24.04", "family"],
    ["python:3.11-slim", "family"],
    ["python:3.11.9-slim-bookworm", "family"],
    ["python:3-slim", "family"],
  ])("%s: %s", (image, match) => expect(hostBaseFor(image, bookworm)).toMatchObject({ match }));
  test.each(["debian@sha256:00", "python:3.12", "python:3.11-alpine", "alpine:3", "node:20", "python:odd"])(
    "%s is refused",
    (image) => expect(hostBaseFor(image, bookworm)).toEqual(expect.any(String)),
  );
  test("another family satisfies nothing", () =>
    expect(hostBaseFor("debian:12", { ...bookworm, id: "fedora" })).toEqual(expect.any(String)));
});

test("dpkg's database: installed, provided, removed", () => {
  const packages = parseDpkgStatus(
    "Package: mawk\nStatus: install ok installed\nVersion: 1.3\nProvides: awk\nConffiles:\n /etc/m 0123 \n /etc/old 99 obsolete\n\nPackage: gone\nStatus: deinstall ok config-files\nVersion: 1\n",
  );
  expect(packages.find("mawk")).toMatchObject({ version: "1.3", conffiles: [{ path: "/etc/m", md5: "0123" }] });
  expect(packages.find("awk")).not.toBeNull();
  expect(packages.find("gone")).toBeNull();
});
