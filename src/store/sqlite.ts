// SQLite in the line of better-sqlite3 that this Node can run: 13 needs Node 22 (on 20 it ends the process), and 12 ends
// Node 24 when a statement is collected. docs/decisions/0005-two-lines-of-sqlite.md
import { createRequire } from "node:module";
import type SqliteDatabase from "better-sqlite3";

const require = createRequire(import.meta.url);
const nodeMajor = Number.parseInt(process.versions.node, 10);

/** The class whose instances are databases. */
export const Sqlite: typeof SqliteDatabase = require(nodeMajor >= 22 ? "better-sqlite3-13" : "better-sqlite3");
