// Families of a user's own: a module that runs in this process with the user's rights, as their configuration does.
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { z } from "zod";
import { ConfigError } from "../../contract/index.ts";
import type { Family } from "./family.ts";
import { families as builtIn } from "./registry.ts";

const isFunction = z.custom((value) => typeof value === "function", "must be a function");
const familySchema = z.looseObject({
  id: z.string().regex(/^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/, "must be lower-case words joined by hyphens"),
  title: z.string().min(1),
  draft: isFunction,
  derivations: z.array(z.string()),
  withBug: isFunction,
  solutionAt: isFunction.optional(),
});
const remedy = "export a Family, or a list of them, as default: docs/families.md";

export type LoadedFamilies = {
  readonly families: readonly Family[];
  /** Of all files of the folder, or of the module. */
  readonly digest: string;
};

/** Loads a module, or a folder's `index.mjs` or `index.js`. Errors: ConfigError `bad_family`, with file and field. */
export async function loadFamilies(path: string): Promise<LoadedFamilies> {
  const file = moduleOf(path);
  const fault = (message: string, field?: string, cause?: unknown) =>
    new ConfigError({ code: "bad_family", message, where: { file, ...(field ? { field } : {}) }, remedy, cause });
  let exported: unknown;
  try {
    exported = ((await import(pathToFileURL(file).href)) as { default?: unknown }).default;
  } catch (cause) {
    throw fault(`can't be loaded: ${(cause as Error).message}`, undefined, cause);
  }
  const list = Array.isArray(exported) ? exported : [exported];
  if (exported === undefined || list.length === 0) throw fault("exports no family");
  for (const [index, value] of list.entries()) {
    const parsed = familySchema.safeParse(value);
    const [issue] = parsed.error?.issues ?? [];
    if (issue) throw fault(issue.message, [`family ${index + 1}`, ...issue.path].join("."));
  }
  const families = list as Family[];
  const ids = [...builtIn, ...families].map(({ id }) => id);
  const twice = ids.find((id, index) => ids.indexOf(id) !== index);
  if (twice !== undefined) throw fault(`there is a family "${twice}" already`, "id");
  return { families, digest: digestOf(path) };
}

function moduleOf(path: string): string {
  const status = statSync(path, { throwIfNoEntry: false });
  if (status?.isFile()) return path;
  const found = ["index.mjs", "index.js"].map((name) => join(path, name)).find((file) => existsSync(file));
  if (found !== undefined) return found;
  throw new ConfigError({
    code: "bad_family",
    message: status ? "has no index.mjs or index.js" : "is not there",
    where: { file: path },
    remedy,
  });
}

function digestOf(path: string): string {
  const hash = createHash("sha256");
  const visit = (place: string, name: string) => {
    const status = statSync(place);
    if (status.isDirectory()) {
      for (const entry of readdirSync(place).sort())
        if (entry !== "node_modules" && !entry.startsWith(".")) visit(join(place, entry), `${name}/${entry}`);
    } else if (status.isFile())
      hash.update(`${name}\0`).update(createHash("sha256").update(readFileSync(place)).digest());
  };
  visit(path, "");
  return `sha256:${hash.digest("hex")}`;
}
