import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { cleanRuns } from "../../engine/index.ts";
import { reapWorkspaces } from "../../environments/index.ts";
import type { Store } from "../../store/index.ts";
import { execute } from "../execute.ts";
import { type CommonOptions, openProject } from "../project.ts";
import { openWorkshop } from "../workshop.ts";

/** Removes what dead owners left; with `--all` the journals of ended runs too, and what only they refer to. */
export const cleanRunsCommand = (options: CommonOptions & { all?: boolean }): Promise<void> =>
  execute("runs clean", options, async () => {
    const project = openProject(options);
    const store = project.openStore("write");
    try {
      const workshop = await openWorkshop(project, {});
      const { reaped } = workshop;
      await workshop.close();
      await reapWorkspaces();
      await rm(join(project.stateDirectory, "work"), { recursive: true, force: true });
      const { removed, blobs } = options.all ? await cleanRuns(store) : { removed: [], blobs: 0 };
      for (const id of removed) await rm(join(project.stateDirectory, "timings", `${id}.jsonl`), { force: true });
      const swept = blobs + (options.all ? await sweepBlobs(store) : 0);
      return {
        status: "ok",
        counts: { runs: removed.length, blobs: swept, sandboxes: reaped.length },
        cost: {},
        outputs: [],
        lines: [`removed ${removed.length} runs, ${swept} blobs, ${reaped.length} things that dead owners left`],
        data: { removed },
      };
    } finally {
      store.close();
    }
  });

/** Removes blobs that no journal, lineage or event names: reports are named inside of results. */
async function sweepBlobs(store: Store): Promise<number> {
  const named = new Set<string>();
  const texts = store.database
    .prepare<[], string>(
      `SELECT result FROM step WHERE result LIKE '%sha256:%' UNION ALL SELECT blob FROM step WHERE blob IS NOT NULL
       UNION ALL SELECT result FROM attempt WHERE result LIKE '%sha256:%' UNION ALL SELECT blob FROM attempt WHERE blob IS NOT NULL
       UNION ALL SELECT result FROM run WHERE result LIKE '%sha256:%' UNION ALL SELECT result_blob FROM run WHERE result_blob IS NOT NULL
       UNION ALL SELECT child || parent || detail FROM lineage`,
    )
    .pluck();
  const note = (text: string) => {
    for (const [digest] of text.matchAll(/sha256:[0-9a-f]{64}/g)) named.add(digest);
  };
  for (const text of texts.iterate()) note(text);
  for (const digest of [...named]) note((await store.blobs.get(digest).catch(() => "")).toString());
  let removed = 0;
  for (const folder of await readdir(store.blobs.directory))
    for (const rest of folder.length === 2 ? await readdir(join(store.blobs.directory, folder)) : []) {
      const digest = `sha256:${folder}${rest}`;
      if (named.has(digest)) continue;
      await store.blobs.remove(digest);
      removed++;
    }
  return removed;
}
