import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../../", import.meta.url));

/** Compiles a TypeScript program of ours, so that `node` can run it in a process of its own, and says how to remove it. */
export function compileEntry(entry: URL): { file: string; remove: () => void } {
  const source = fileURLToPath(entry);
  const folder = join(".cache", `child-${process.pid}-${Date.now()}`);
  const directory = join(root, folder);
  mkdirSync(directory, { recursive: true });
  const configuration = join(directory, "tsconfig.json");
  writeFileSync(
    configuration,
    JSON.stringify({
      extends: "../../tsconfig.json",
      compilerOptions: {
        outDir: ".",
        rootDir: "../../src",
        noCheck: true,
        declaration: false,
        declarationMap: false,
        sourceMap: false,
      },
      files: [source],
      include: [],
    }),
  );
  execFileSync(process.execPath, [join(root, "node_modules/typescript/bin/tsc"), "-p", configuration]);
  execFileSync(process.execPath, [join(root, "scripts/copy-assets.mjs"), folder]);
  const file = join(directory, relative(join(root, "src"), source).replace(/\.ts$/, ".js"));
  return { file, remove: () => rmSync(directory, { recursive: true, force: true }) };
}
