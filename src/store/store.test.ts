import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openStore, type Store } from "./index.ts";
import { isAlive, ownIdentity } from "./process-identity.ts";
import { Sqlite } from "./sqlite.ts";

let directory: string;
const open: Store[] = [];
const openHere = (options?: Parameters<typeof openStore>[1]) => {
  const store = openStore(directory, options);
  open.push(store);
  return store;
};
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "routesetter-store-"));
});
afterEach(() => {
  for (const store of open.splice(0)) store.close();
  rmSync(directory, { recursive: true, force: true });
});

describe("openStore", () => {
  it("makes a WAL database with the schema's number and reopens it", () => {
    openHere().close();
    const store = openHere();
    expect(store.database.pragma("journal_mode", { simple: true })).toBe("wal");
    expect(store.database.pragma("user_version", { simple: true })).toBe(2);
    expect(store.database.prepare("SELECT count(*) FROM pragma_table_list WHERE strict = 1").pluck().get()).toBe(8);
  });

  it("refuses a newer schema and says what to do", () => {
    openHere().close();
    const raw = new Sqlite(join(directory, "state.db"));
    raw.pragma("user_version = 99");
    raw.close();
    expect(() => openHere()).toThrowError(expect.objectContaining({ code: "schema_newer" }));
    expect(() => openHere({ mode: "read" })).toThrowError(expect.objectContaining({ code: "schema_newer" }));
  });

  it("says that a file is damaged", () => {
    writeFileSync(join(directory, "state.db"), "this is not a database, and long enough to be read as one".repeat(40));
    expect(() => openHere()).toThrowError(expect.objectContaining({ code: "store_corrupt" }));
  });

  it("says that a reader found nothing", () => {
    expect(() => openHere({ mode: "read" })).toThrowError(expect.objectContaining({ code: "store_missing" }));
  });
});

describe("ownership", () => {
  // BR065
  it("refuses a second owner and names the first", () => {
    openHere({ command: "forge --count 3" });
    expect(() => openHere()).toThrowError(
      expect.objectContaining({
        code: "project_owned",
        message: expect.stringMatching(new RegExp(`process ${process.pid} on .* since 2.*\\(forge --count 3\\)`)),
        details: expect.objectContaining({ pid: process.pid, command: "forge --count 3" }),
      }),
    );
  });

  it("lets readers in while somebody owns it, and they can't write", () => {
    const store = openHere();
    const reader = openHere({ mode: "read" });
    store.events.append({ type: "seen", time: 1, body: { a: 1 } });
    expect(reader.events.read()).toMatchObject([{ type: "seen", body: { a: 1 } }]);
    expect(reader.currentOwner()).toMatchObject({ pid: process.pid, alive: true });
    expect(() => reader.events.append({ type: "x", time: 1, body: null })).toThrowError(
      expect.objectContaining({ code: "store_failed" }),
    );
  });

  it("takes over from a dead owner and from one whose pid was reused, not from a living one elsewhere", () => {
    const pretend = (column: string, value: unknown) => {
      const raw = new Sqlite(join(directory, "state.db"));
      raw.prepare(`UPDATE owner SET ${column} = ?`).run(value);
      raw.close();
    };
    const first = openHere();
    pretend("started", "1@another-boot");
    const second = openHere();
    expect(() => first.assertOwned()).toThrowError(expect.objectContaining({ code: "owner_lost" }));
    second.assertOwned();
    pretend("host", "elsewhere");
    expect(() => openHere()).toThrowError(expect.objectContaining({ code: "project_owned" }));
    openHere({ clock: () => Date.now() + 31_000 });
  });

  it("tells the living from the dead", () => {
    const own = ownIdentity();
    expect(isAlive(own)).toBe("yes");
    expect(isAlive({ ...own, started: "5@x" })).toBe("no");
    expect(isAlive({ ...own, pid: 2 ** 22 + 1 })).toBe("no");
    expect(isAlive({ ...own, pid: 2 ** 22 + 1, started: "" })).toBe("no");
    expect(isAlive({ ...own, started: "" })).toBe("yes");
    expect(isAlive({ ...own, host: "elsewhere" })).toBe("unknown");
  });
});

describe("events", () => {
  it("are kept once per source, in order, and never changed", () => {
    const store = openHere();
    const event = { run: "r", source: "1/a/0", type: "t", time: 5, body: { n: 1 } };
    expect(store.events.append(event)).toBe(true);
    expect(store.events.append({ ...event, body: { n: 2 } })).toBe(false);
    expect(store.events.append({ run: "r", type: "u", time: 6, body: null })).toBe(true);
    store.events.append({ run: "other", type: "u", time: 6, body: null });
    expect(store.events.read({ run: "r" }).map(({ body }) => body)).toEqual([{ n: 1 }, null]);
    expect(store.events.tail("r", 1)).toMatchObject([{ type: "u" }]);
    for (const sql of [
      "UPDATE event SET type = 'x'",
      "DELETE FROM event",
      "INSERT OR REPLACE INTO event (id, type, time, body) VALUES (1, 'x', 0, 'null')",
    ])
      expect(() => store.database.exec(sql)).toThrow(/append-only/);
    expect(store.events.read()).toHaveLength(3);
  });
});

describe("lineage", () => {
  it("is walked in both directions, through cycles too", () => {
    const { lineage } = openHere();
    const edge = (child: string, parent: string) =>
      lineage.add({ child, parent, relation: "derived", detail: { by: "test" }, time: 1 });
    edge("c", "b");
    edge("c", "b");
    edge("b", "a");
    edge("a", "c");
    expect(lineage.parents("c")).toMatchObject([{ parent: "b", detail: { by: "test" } }]);
    expect(lineage.children("a")).toMatchObject([{ child: "b" }]);
    expect(lineage.ancestors("c").map(({ parent }) => parent)).toEqual(["b", "a", "c"]);
  });
});

describe("blobs", () => {
  it("are stored once under their digest and checked when they are read", async () => {
    const { blobs } = openHere();
    const digest = await blobs.put("hello");
    expect(digest).toBe("sha256:2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824");
    const before = statSync(blobs.path(digest)).mtimeMs;
    expect(await blobs.put(Buffer.from("hello"))).toBe(digest);
    expect(statSync(blobs.path(digest)).mtimeMs).toBe(before);
    expect((await blobs.get(digest)).toString()).toBe("hello");
    writeFileSync(blobs.path(digest), "jello");
    await expect(blobs.get(digest)).rejects.toMatchObject({ code: "blob_corrupt" });
    await blobs.remove(digest);
    await expect(blobs.get(digest)).rejects.toMatchObject({ code: "blob_missing" });
    expect(await blobs.has(digest)).toBe(false);
  });

  it("come out as they went in when many are written at once, and leave no temporary file", async () => {
    const { blobs } = openHere();
    const texts = Array.from({ length: 40 }, (_, index) => `blob ${index % 20}`);
    const digests = await Promise.all(texts.map((text) => blobs.put(text)));
    for (const [index, digest] of digests.entries())
      expect(readFileSync(blobs.path(digest), "utf8")).toBe(texts[index]);
    expect(statSync(join(blobs.directory, "temporary")).isDirectory()).toBe(true);
  });

  it("refuse what is no digest, and a reader's writes", async () => {
    openHere();
    const { blobs } = openHere({ mode: "read" });
    expect(() => blobs.path("sha256:../../etc/passwd")).toThrowError(
      expect.objectContaining({ code: "blob_digest_invalid" }),
    );
    await expect(blobs.put("x")).rejects.toMatchObject({ code: "store_read_only" });
  });
});
