// The state that runs leave behind: one SQLite file, its log, and blobs.
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { listRuns, openLocalEngine, showRun } from "../../../src/engine/index.ts";
import { openStore, Sqlite, type StoreOptions } from "../../../src/store/index.ts";
import * as op from "../operators.ts";
import { type HostileCase, type HostileKind, rejects } from "../suite.ts";

const c = (operator: op.Operator, expected: HostileCase["expected"]): HostileCase => ({ operator, expected });
const file = "state.db";

/** Makes a database and returns its files. */
async function made(make: (directory: string) => Promise<void> | void): Promise<Record<string, Uint8Array>> {
  const directory = mkdtempSync(join(tmpdir(), "hostile-store-"));
  try {
    await make(directory);
    const names = readdirSync(directory, { recursive: true }) as string[];
    const files = names.filter((name) => statSync(join(directory, name)).isFile());
    return Object.fromEntries(files.map((name) => [name, readFileSync(join(directory, name))]));
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
const changed = (sql: string) => (directory: string) => {
  const database = new Sqlite(join(directory, file));
  database.exec(sql);
  database.close();
};
const withRun = async (directory: string): Promise<void> => {
  const store = openStore(directory, { command: "test", clock: () => 0 });
  const engine = openLocalEngine({ store });
  const run = await engine.submit(
    {
      name: "f",
      version: "1",
      run: async (context) => {
        await context.step("small", async () => 1, { stage: "draft" });
        await context.step("large", async () => "x".repeat(100_000), { stage: "draft" });
        context.emit({ type: "halfway" });
        return null;
      },
    },
    { a: 1 },
    { id: "r" },
  );
  await run.result;
  await engine.close();
  store.close();
};
const sound = await made(withRun);
const blob = Object.keys(sound).find((name) => /^blobs\/[0-9a-f]{2}\//.test(name)) as string;
const after = async (sql: string) =>
  (
    await made(async (directory) => {
      await withRun(directory);
      changed(sql)(directory);
    })
  )[file] as Uint8Array;
const overwritten = (offset: number): Uint8Array => {
  const bytes = Buffer.from(sound[file] as Uint8Array);
  bytes.fill(0xa5, offset, offset + 4096);
  return bytes;
};

const read = (mode: StoreOptions["mode"]) => async (directory: string) => {
  const store = openStore(directory, { mode: mode as "read" | "write", command: "test" });
  try {
    for (const { id } of listRuns(store)) showRun(store, id);
    store.events.read();
    const digests = store.database.prepare<[], string>("SELECT blob FROM step WHERE blob IS NOT NULL").pluck().all();
    for (const digest of digests) await store.blobs.get(digest);
    return { warnings: [] };
  } finally {
    store.close();
  }
};
const damaged: HostileCase[] = [
  c(op.put("newer schema", file, await after("PRAGMA user_version = 99")), rejects("schema_newer", file)),
  c(op.put("negative schema", file, await after("PRAGMA user_version = -1")), rejects("store_foreign", file)),
  c(
    op.put(
      "foreign database",
      file,
      (await made(changed("CREATE TABLE other (a); INSERT INTO other VALUES (1)")))[file] as Uint8Array,
    ),
    rejects("store_foreign", file),
  ),
  c(
    op.put("table gone", file, await after("DROP TABLE completion; DROP TABLE attempt")),
    rejects("store_failed", file),
  ),
  c(op.put("input that is no JSON", file, await after("UPDATE run SET input = '{'")), rejects("store_corrupt", file)),
  c(op.put("error that is no JSON", file, await after("UPDATE run SET error = 'x'")), rejects("store_corrupt", file)),
  c(
    op.put("event that is no JSON", file, await after("INSERT INTO event (type, time, body) VALUES ('x', 0, '[')")),
    rejects("store_corrupt", file),
  ),
  c(
    op.put(
      "blob digest that climbs",
      file,
      await after("UPDATE step SET blob = '../../etc/passwd' WHERE blob IS NOT NULL"),
    ),
    rejects("blob_digest_invalid"),
  ),
  c(
    op.put("text", file, "this is no database, though it is long enough to be looked at\n"),
    rejects("store_corrupt", file),
  ),
  c(op.garbage(file), rejects("store_corrupt", file)),
  c(op.gitLfs(file), rejects("store_corrupt", file)),
  c(op.truncated(file, 0.5), rejects("store_corrupt", file)),
  c(op.put("header overwritten", file, overwritten(0)), rejects("store_corrupt", file)),
  c(op.put("pages overwritten", file, overwritten(4096)), rejects("store_corrupt", file)),
  c(op.asFolder(file), rejects("store_failed", file)),
  c(op.fifo(file), rejects("store_failed", file)),
  c(op.link(file, "/dev/zero"), rejects("store_failed", file)),
  c(op.missing(blob), rejects("blob_missing", blob)),
  c(op.empty(blob), rejects("blob_corrupt", blob)),
  c(op.truncated(blob), rejects("blob_corrupt", blob)),
  c(op.append("one byte more", blob, "x"), rejects("blob_corrupt", blob)),
  c(op.asFolder(blob), rejects("blob_corrupt", blob)),
  c(op.fifo(blob), rejects("blob_corrupt", blob)),
  c(op.huge(blob, 3 * 2 ** 40), rejects("blob_corrupt", blob)),
  c(op.link(blob, "/dev/zero"), rejects("blob_corrupt", blob)),
  c(op.put("log of garbage", `${file}-wal`, Buffer.alloc(100_000, 0x37)), "read"),
  c(op.put("folder for the log", `${file}-wal`, { folder: true }), rejects("store_failed", `${file}-wal`)),
];
const store = (kind: string, mode: StoreOptions["mode"], cases: readonly HostileCase[]): HostileKind => ({
  kind,
  base: op.folderOf(sound),
  read: read(mode),
  cases,
});
export const storesRead = store("state, read", "read", [
  ...damaged,
  c(op.missing(file), rejects("store_missing", file)),
  c(op.empty(file), rejects("schema_older", file)),
  c(op.put("older schema", file, await after("PRAGMA user_version = 1")), rejects("schema_older", file)),
]);
export const storesWritten = store("state, written", "write", [
  ...damaged,
  c(op.missing(file), "read"),
  c(op.empty(file), "read"),
  c(
    op.put("older schema over newer tables", file, await after("PRAGMA user_version = 1")),
    rejects("store_failed", file),
  ),
]);
