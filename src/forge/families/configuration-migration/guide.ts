import type { World } from "./world.ts";

const kinds = {
  duration: "seconds → milliseconds (a number)",
  size: "KiB → bytes (a number)",
  boolean: "`yes`, `on`, `true`, `1` → true, anything else → false",
  number: "a number",
  text: "as it is",
  list: "entries between commas, blanks around them off → a list of texts",
} as const;

/** The document that states every rule of the level. */
export function migrationGuide({ service, settings, retired, difficulty, files }: World): string {
  const rows = [...settings]
    .sort((a, b) => (a.old < b.old ? -1 : 1))
    .map(
      ({ old, to, kind, alias }) =>
        `| \`${old}\`${alias ? ` (older: \`${alias}\`)` : ""} | \`${to}\` | ${kinds[kind]} |`,
    );
  const rules = [
    "Keys are written `section.key` here; in the files `key = value` stands below its `[section]`. A line that begins with `#` is a remark.",
    "When a key is set more than once, the last one counts.",
    "A text that begins with `secret:` is a reference; it stays as it is.",
    ...(difficulty >= 2
      ? [
          `Files count in this order, later over earlier: ${difficulty >= 3 ? `\`shared/common.ini\` where \`${service}.ini\` includes it (that is its first line), ` : ""}\`${service}.ini\`, then \`conf.d/*.ini\` in the order of their names compared byte by byte (other endings don't count)${difficulty >= 3 ? ", then `profiles/NAME.ini` of the profile that the file `PROFILE` names" : ""}, then \`environment\`.`,
          `In \`environment\` a line is \`${service.toUpperCase()}__SECTION__KEY=value\`, in capitals, for \`section.key\`.`,
          "A duration may end in `m` (minutes), a size in `M` (MiB).",
        ]
      : []),
    ...(difficulty >= 4
      ? [
          "Everything from ` ;` on in a line of an ini file is a remark.",
          "An older spelling counts only when the newer one is set in no file at all.",
        ]
      : []),
    ...(difficulty === 5
      ? [
          "`key += a, b` (in `environment`: `NAME+=a, b`) adds entries to what a list has so far.",
          "When `tls.enabled` comes to false, no other key of `tls` is carried over.",
        ]
      : []),
    `Dropped without a successor: ${retired.map((key) => `\`${key}\``).join(", ")}. A key that this guide doesn't name is not carried over either.`,
    ...(files.some(({ path }) => path === "old/PROFILE") ? ["Profiles that are not named there don't count."] : []),
  ];
  return `# From the old files of ${service} to the new one\n\n${rules.map((rule) => `- ${rule}`).join("\n")}\n\n| old | new | value |\n|---|---|---|\n${rows.join("\n")}\n`;
}
