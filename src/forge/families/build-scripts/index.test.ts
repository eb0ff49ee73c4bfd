import { spawnSync } from "node:child_process";
import { it } from "vitest";
import { familySuite } from "../testing/index.ts";
import { buildScriptsFamily } from "./index.ts";

if (spawnSync("make", ["--version"]).status === 0) familySuite(buildScriptsFamily, { shapes: 16 });
else it.skip("family build-scripts: there is no make on this machine to run its tasks with", () => {});
