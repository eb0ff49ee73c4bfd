import type { World } from "./world.ts";

/** The file beside the patches that says how they are to be applied, as far as the level goes. */
export function rulesText({ difficulty, project }: World): string {
  const rules = [
    difficulty >= 5
      ? "There is no series. A patch is applied after all that it names in `Depends-On:` lines; of those that could be next, the one whose file name is first by bytes is. A patch that another one names in `Supersedes:` is not applied at all."
      : "`series` gives the order, a patch on each line; lines that begin with # and empty lines mean nothing. The numbers in the names are those of the tracker and give no order.",
    difficulty >= 2
      ? `Paths in a patch lose their first component (as with \`patch -p1\`) unless ${difficulty >= 5 ? "a `Strip:` line in its head" : "`-pN` in the series"} says how many they lose. Some patches are context diffs.`
      : "Paths in a patch lose their first component (as with `patch -p1`).",
    "/dev/null on one side means that the file is added or deleted.",
  ];
  if (difficulty >= 2)
    rules.push(
      "Our tree has changed a little since the patches were made, so line numbers may be off. A hunk goes where its old side (context and removed lines) stands; that is one place.",
      "Whether the last line of a file ends with a newline is part of what a patch says (`\\ No newline at end of file`) and is kept or changed accordingly.",
    );
  if (difficulty >= 3)
    rules.push(
      "Some of our files have CRLF line ends where the patches have LF. That doesn't keep a hunk from fitting, and such a file has CRLF on all lines afterwards too.",
      "Patches in Git's form may rename files, with or without other changes.",
      "A patch of which every hunk's new side is in our tree already, and the old side isn't, was applied long ago: it counts as already applied and changes nothing.",
    );
  if (difficulty >= 4)
    rules.push(
      "A hunk whose old side stands nowhere is tried with less context: without the first and the last line of context, then without the first two and the last two (`patch` calls this fuzz 1 and 2). Context lines that differ stay as they are in our tree.",
      "A hunk that can't be placed even then is rejected and left out; all other hunks of the patch are applied. Don't mend rejected hunks.",
    );
  return `How patches get into ${project}\n\n${rules.map((rule) => `* ${rule}`).join("\n")}\n`;
}
