import type { Layout } from "./files.ts";
import type { World } from "./world.ts";

/** RULES.md: how packages are chosen and put in order, as far as the level goes. */
export function rulesText({ difficulty }: World, { index, style }: Layout): string {
  const record = style === "lines" ? "a JSON object on a line" : "a stanza of `Field: value` lines";
  const example =
    difficulty >= 5
      ? "`1:2.10.0` is newer than `3.1.0`, `2.10.0` is newer than `2.9.4`"
      : "`2.10.0` is newer than `2.9.4`";
  const choice = [
    `- \`wanted.txt\` says what has to be there; \`${index}/\` has every release there is, ${record} each. A release names the packages it needs, with constraints that all have to hold (\`>=\`, \`>\`, \`<\`, \`<=\`, \`=\`, \`!=\`${difficulty >= 2 ? ", `~1.4.2`: at least 1.4.2 and the same first two numbers, `^1.4.2`: at least 1.4.2 and the same first number" : ""}).`,
    `- Versions are compared number by number: ${example}.${difficulty >= 5 ? " The number before the colon is the epoch, 0 when there is none; it counts before all others, and `~` and `^` ask for the same epoch." : ""}`,
    "- A package is decided when every package that needs it in any of its releases, selected or not, has been decided. (By name, needs never go in a circle.) What neither the wanted list nor a selected release asks for isn't selected.",
    "- Of a package that is asked for, the newest release is taken that meets the constraints of the wanted list and of all selected releases. Nothing is ever decided twice.",
  ];
  if (difficulty >= 2)
    choice.push(
      "- Withdrawn releases are not taken, nor are pre-releases (`1.4.50-rc.2`), which come before the release of the same number.",
      "- A need with `(extra NAME)` counts only when the wanted list asks for that extra of that package, as in `anchor [NAME] >=1.0.0`.",
    );
  if (difficulty >= 3)
    choice.push(
      "- A need with `(platform NAME)` counts only on that platform; ours is in `settings.txt`.",
      "- A need may name a role instead of a package. `alternatives.txt` lists the packages that fill it: the first of them that the wanted list names is meant, or else the first one.",
    );
  if (difficulty >= 4)
    choice.push(
      "- Held packages (`settings.txt`) that are selected stay at the installed version when that meets all constraints, withdrawn or not; otherwise they are chosen like any other.",
    );
  if (difficulty >= 5)
    choice.push(
      "- When no release of a package is left, the constraints that the alphabetically last of the selected packages that need it puts on it are set aside, then those of the next to last, until a release is left (a held one counts). The need itself remains, and constraints of the wanted list are never set aside.",
    );
  const order = [
    "- Packages are installed one at a time, and each after all that its selected release needs.",
    "- What `After` (`after`) names comes first as well if it is selected, though it isn't needed.",
    `- Of the packages that could be next, the alphabetically first is.${difficulty >= 4 ? " If every package whose needs are met still waits for an `After`, the alphabetically first of those whose needs are met is next all the same, and whatever it still waits for is passed over." : ""}`,
  ];
  return `# Rules\n\n## What is selected\n\n${choice.join("\n")}\n\n## In which order\n\n${order.join("\n")}\n`;
}
