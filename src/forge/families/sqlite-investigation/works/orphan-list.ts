import type { Work } from "../work.ts";

/** Entries whose party doesn't exist. */
export const orphanList: Work = {
  shape: "identifier-lines",
  from: 2,
  target: "file",
  make(random, world) {
    const path = `${world.output}/${random.pick(["orphans", "dangling", "without_owner"])}.txt`;
    const descending = random.boolean(0.3);
    return {
      artefact: path,
      statement: `${path} lists the ${world.theme.entries} that point to no ${world.theme.party}`,
      demand: `Some rows of \`${world.theme.entries}\` point to a ${world.theme.party} that isn't in \`${world.theme.parties}\` at all. List their ids in \`${path}\`, one on a line, ${descending ? "largest" : "smallest"} first, deleted rows included.`,
      format: "text, one number a line",
      derivation: "entries without a row in the parties table",
      ordering: descending ? "descending" : "ascending",
      check: "lines equal to those computed from the world",
      verify: `v.equal(v.lines('${path}'), wanted, '${path}')`,
      solve: (
        mistaken,
      ) => `dangling = [number for number, entry in entries.items() if entry['party'] not in people${mistaken ? " or people[entry['party']][3]" : ""}]
open('${path}', 'w').write(''.join(f'{number}\\n' for number in sorted(dangling, reverse=${descending ? "True" : "False"})))`,
      expected() {
        const known = new Set(world.parties.map((party) => party.id));
        const ids = world.entries.filter((entry) => !known.has(entry.party)).map((entry) => entry.id);
        return ids.sort((a, b) => (descending ? b - a : a - b)).map(String);
      },
    };
  },
};
