import { gunzipSync } from "node:zlib";
import type { TaskDraft } from "../family.ts";

/** Names that `expected` demands below its top level: keys of objects, entries of `columns`. */
export function demandedNames(expected: unknown): string[] {
  const names = new Set<string>();
  const visit = (value: unknown, depth: number) => {
    if (Array.isArray(value)) for (const item of value) visit(item, depth + 1);
    else if (value !== null && typeof value === "object") {
      for (const [key, item] of Object.entries(value)) {
        if (key === "columns" && Array.isArray(item)) for (const column of item) names.add(String(column));
        else if (key === "rows") continue;
        else {
          if (depth > 0) names.add(key);
          visit(item, depth + 1);
        }
      }
    }
  };
  visit(expected, 0);
  return [...names];
}

function textOf(content: string | Uint8Array): string {
  if (typeof content === "string") return content;
  try {
    return gunzipSync(content).toString("latin1");
  } catch {
    return Buffer.from(content).toString("latin1");
  }
}

/** The instruction and every fixture's name and text, in one string; fixtures in the form that they were drawn in. */
export function visibleText(draft: TaskDraft): string {
  const drawn = (draft.verifierFiles ?? []).filter(({ path }) => path.startsWith("pristine/"));
  return [draft.instruction, ...[...draft.files, ...drawn].flatMap((file) => [file.path, textOf(file.content)])].join(
    "\n",
  );
}
