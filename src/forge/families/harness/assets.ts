import { readFileSync } from "node:fs";

/** A file that ships beside this module as it is (`src` and `dist` alike). */
function asset(name: string): string {
  return readFileSync(new URL(`./${name}`, import.meta.url), "utf8");
}

let loaded: { readonly verifier: string; readonly execution: string } | null = null;

/** The Python sources of the verifier: `verifier.py`, and `execution.py` for tasks that execute artefacts. */
export function harnessSources(): { readonly verifier: string; readonly execution: string } {
  loaded ??= { verifier: asset("verifier.py"), execution: asset("execution.py") };
  return loaded;
}
