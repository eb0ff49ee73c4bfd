import { createHash } from "node:crypto";
import { expect, it } from "vitest";
import { Random } from "../../../statistics/index.ts";
import { sqliteInvestigation } from "./index.ts";

it("the database has the same bytes on every version of Node and of SQLite", () => {
  const { files } = sqliteInvestigation.draft(new Random("golden"), 5);
  const database = files.find(
    ({ content }) => Buffer.from(content as Uint8Array).toString("latin1", 0, 15) === "SQLite format 3",
  );
  expect(createHash("sha256").update(database!.content).digest("hex")).toBe(
    "c5758b36836226a6b5cd4fc9985f78d29a90aa2c703a75996edd680fe117bcea",
  );
});
