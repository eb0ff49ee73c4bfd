import type { FixtureFile } from "../family.ts";
import type { World } from "./world.ts";

export const waveNames = (index: number) => [
  `wave/hosts-${index + 1}.csv`,
  `wave/settings-${index + 1}.json`,
  `wave/changes-${index + 1}.jsonl`,
];

/** What comes with a wave. */
export function waveFiles(world: World, index: number): FixtureFile[] {
  const { hosts, base, roles, changes } = world.waves[index] as World["waves"][number];
  const [hostFile, settings, changeFile] = waveNames(index) as [string, string, string];
  const rows = hosts.map(({ name, role, overrides }) => {
    const own = Object.entries(overrides).map(([key, value]) => `${key}=${value}`);
    return `${name},${role},${own.join(";")}\n`;
  });
  const files = [
    { path: hostFile, content: `host,role,overrides\n${rows.join("")}` },
    { path: settings, content: `${JSON.stringify({ base, roles }, null, 2)}\n` },
  ];
  if (index === 0) return files;
  return [...files, { path: changeFile, content: changes.map((change) => `${JSON.stringify(change)}\n`).join("") }];
}

/** The rules that hold for all waves. */
export function standingFiles({ difficulty, service }: World): FixtureFile[] {
  const rules = [
    `# How ${service} is rolled out`,
    "",
    "Hosts come in waves. `/app/wave` has the files of one wave at a time; they are taken away when the next wave comes.",
    "",
    "- `hosts-N.csv`: the hosts that are new in wave N, with their role. `overrides` is empty or `key=value`, several separated by `;`.",
    "- `settings-N.json`: the settings of the new hosts. A host gets `base`, over it what `roles` has for its role, over that its own overrides. Values are text.",
    "- `changes-N.jsonl` (from wave 2 on): what changes on the hosts of the waves before, one JSON object a line, to be worked through in order. Hosts that are new in the wave are not concerned: their settings have it already. `role` names the hosts that are concerned, `*` all of them.",
    "  - `set`: the key gets the value, whether it was there or not.",
    ...(difficulty >= 2
      ? ["  - `rename`: the value of `key` is found under `to` from now on. Hosts without `key` are left alone."]
      : []),
    ...(difficulty >= 3
      ? ["  - `raise`: where the key is there and its number is below `least`, it becomes `least`."]
      : []),
    ...(difficulty >= 4
      ? ["  - `restore`: the host gets exactly the settings that it had at the end of that wave."]
      : []),
    ...(difficulty >= 5
      ? [
          "  - `pin`: the host misses every change after this line that would have concerned it, in later waves too, until `unpin`: then it gets all that it missed, in order, before the next line.",
        ]
      : []),
    "",
    "What you keep in `/app/rollout`, for all hosts of all waves so far:",
    "",
    "- `configs/HOST.conf`: its settings as lines `key=value`, sorted as text, each with its line end.",
    "- `manifest.csv`: header `host,role,wave,settings,sha256`, by host as text. `wave` is the one in which the bytes of the host's file became what they are (changed or new; a file that is at the end of a wave what it was before it has not changed in it), `settings` their number, `sha256` that of the file in lower-case hexadecimal.",
    "- `history/wave-N/HOST.conf`: with each wave, a copy of all files as they are at its end. Copies of earlier waves are never touched.",
    ...(difficulty >= 3
      ? [
          "- `drift.json`: `wave` (the latest) and `differing`: for each role the keys that its hosts don't all have with the same value (a key that some lack included), sorted as text; `[]` when there is none.",
        ]
      : []),
    ...(difficulty >= 5
      ? [
          "- `pinned.json` (from wave 2 on): one object, each host that is pinned at the end of the wave to the list of the changes that it has missed so far, each as the object that it was in its file.",
        ]
      : []),
    "",
  ];
  return [{ path: "ROLLOUT.md", content: rules.join("\n") }];
}
