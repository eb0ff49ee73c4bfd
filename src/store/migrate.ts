import { readdirSync, readFileSync } from "node:fs";
import type { Database } from "better-sqlite3";
import { EngineError } from "../contract/index.ts";

const folder = new URL("./migrations/", import.meta.url);

/** The migrations, in order: `NNNN-name.sql`, numbered from 1 without a gap. */
export function migrations(): { version: number; name: string; sql: string }[] {
  const names = readdirSync(folder)
    .filter((name) => name.endsWith(".sql"))
    .sort();
  return names.map((name, index) => {
    const version = Number.parseInt(name, 10);
    if (version !== index + 1)
      throw new EngineError({
        code: "migrations_broken",
        message: `migration ${name} should have the number ${index + 1}`,
        remedy: "number the files in src/store/migrations from 0001 without a gap",
      });
    return { version, name, sql: readFileSync(new URL(name, folder), "utf8") };
  });
}

/**
 * Throws EngineError `schema_newer` when the file was written by a later version of the program, `store_foreign` when by
 * another one.
 */
export function checkVersion(database: Database, file: string): number {
  const version = database.pragma("user_version", { simple: true }) as number;
  const known = migrations().length;
  const isForeign = () => database.prepare("SELECT 1 FROM sqlite_schema LIMIT 1").get() !== undefined;
  if (version < 0 || (version === 0 && isForeign()))
    throw new EngineError({
      code: "store_foreign",
      message: "the state file is a database of another program",
      where: { file },
      remedy: "move it away, or use another state directory; nothing in it was changed",
    });
  if (version > known)
    throw new EngineError({
      code: "schema_newer",
      message: `the state file has schema ${version}, and this version of routesetter knows schemas up to ${known}`,
      where: { file },
      remedy: "update routesetter, or use another state directory",
      details: { schema: version, known },
    });
  return version;
}

/** Brings the schema up to ours: each migration and its number in one transaction, all or nothing. */
export function migrate(database: Database, file: string): void {
  const steps = migrations();
  const apply = database.transaction(() => {
    const version = checkVersion(database, file);
    for (const step of steps.slice(version)) {
      database.exec(step.sql);
      database.pragma(`user_version = ${step.version}`);
    }
  });
  if (checkVersion(database, file) < steps.length) apply.immediate();
}
