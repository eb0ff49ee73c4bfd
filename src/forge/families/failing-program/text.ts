import type { Random } from "../../../statistics/index.ts";
import type { Difficulty } from "../family.ts";
import { writeLetter } from "../prose/index.ts";
import type { Fault } from "./faults.ts";
import type { Program } from "./program.ts";

/** The specification that lies beside the program. */
export function writeSpecification(random: Random, program: Program, path: string): string {
  const { folder, separator, failureStatus } = program;
  const chapters = program.parts.map(
    (part) => `## ${part.name.charAt(0).toUpperCase()}${part.name.slice(1)}\n\n${part.specification}`,
  );
  const general = `\`${folder}/main.py\` reads commands from standard input, one a line, words separated by blanks. Empty lines and lines that begin with \`# \` do nothing. A line that begins with the word \`${separator}\` ends the session: it is printed as it is, and whatever was remembered is forgotten. A command that can't be carried out prints \`error: \` and the reason, changes nothing, and the program goes on. An unknown command is such an error: \`unknown command VERB\`. The exit status is 0, or ${failureStatus} when there was at least one error.`;
  const title = path.split("/").at(-1) ?? "specification";
  return `# ${folder}: ${random.pick(["specification", "what it does", "reference"])}\n\n(${title}, ${program.title})\n\n## In general\n\n${general}\n\n${random.shuffle(chapters).join("\n\n")}\n`;
}

export type Places = { readonly specification: string; readonly list: string; readonly status: boolean };

/** The instruction; how much it says about where the faults are goes down as the difficulty goes up. */
export function writeInstruction(
  random: Random,
  program: Program,
  faults: readonly Fault[],
  level: Difficulty,
  places: Places,
): string {
  const { folder } = program;
  const verbs = (fault: Fault) => fault.part.verbs.map((verb) => `\`${verb}\``).join(" and ");
  const missing = faults.filter((fault) => fault.kind === "missing");
  const demands: string[] = [];
  const told = level === 1 ? faults : level === 2 ? faults.slice(0, 1) : [];
  const all = `Repair the program in \`/app/${folder}\` so that every command answers exactly as \`${places.specification}\` says, not only for the inputs in the tests.`;
  demands.push(
    told.length > 0
      ? `${all} ${random.pick(["Complaints so far are about", "What people noticed are", "Wrong answers were seen from"])} ${told.map(verbs).join(" and ")}${level === 2 ? ", but look further" : ""}.`
      : all,
  );
  if (missing.length > 0)
    demands.push(
      `Write what is still missing: ${missing.map(verbs).join(" and ")} ${random.pick(["only print an error so far", "were never finished", "are stubs"])}; the specification has the details.`,
    );
  if (level === 5)
    demands.push(
      `Where a case in \`/app/tests/cases\` contradicts the specification, the specification is right. List the names of such cases (the file's name without \`.txt\`) in \`${places.list}\`, one on a line, in alphabetical order, and nothing else. All other cases have to pass.`,
    );
  else if (level <= 4 && random.boolean(0.6))
    demands.push("When you are done, all cases of the visible tests have to pass as well.");
  return writeLetter(random, {
    context: [
      random.pick([
        `\`/app/${folder}\` holds ${program.title}, written in Python; it reads commands from standard input.`,
        `We inherited ${program.title} (\`/app/${folder}\`, plain Python, commands come by standard input).`,
        `There is ${program.title} in \`/app/${folder}\`. It is a small Python program without any dependency.`,
      ]),
      `What it should do is written in \`${places.specification}\`; the tests are run with \`python3 /app/tests/run.py\`, and some fail.`,
      ...(level >= 3
        ? [
            random.pick([
              "The tests cover only a part of what is specified.",
              "Don't take the tests for the whole truth.",
              "The tests were written in a hurry and leave out many of the rules.",
            ]),
          ]
        : []),
    ],
    demands,
    conditions: [
      random.pick([
        "Leave everything in `/app/tests` as it is, and keep the way in which the program is started (`main.py`) and its commands.",
        "Nothing in `/app/tests` may change, and `main.py` stays the program's entry.",
      ]),
      random.pick([
        "What already works has to go on working.",
        "Commands that answer correctly today must still do so.",
        "Please break nothing that is right today.",
      ]),
      ...(places.status
        ? [
            random.pick([
              "Somebody's script relies on the exit status too, so check that.",
              "Mind the exit status as well.",
            ]),
          ]
        : []),
    ],
  });
}
