#!/usr/bin/env node
// The command line: what there is. Each command's code is loaded when it is called, so that --help is quick.
import { readFileSync } from "node:fs";
import { Command, Option } from "commander";

const { version } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")) as {
  version: string;
};

const collect = (value: string, previous: string[]) => [...previous, value];

function common(command: Command): Command {
  return command
    .option("--json", "one event a line on standard output; the last line is the result")
    .option("--project <directory>", "project directory", ".")
    .option("--set <key=value>", "override a setting of routesetter.toml, as a.b=c", collect, []);
}

function sandboxed(command: Command): Command {
  return common(command)
    .option("--seed <number>", "seed of everything that is drawn", "0")
    .option("--concurrency <number>", "sandboxes at a time (default: processors)")
    .addOption(new Option("--backend <name>", "where to run").choices(["box", "docker"]))
    .addOption(new Option("--builder <name>", "what builds images").choices(["auto", "host", "docker", "buildah"]));
}

function modelled(command: Command): Command {
  return command
    .option("--budget-usd <number>", "what models may cost; a call that would cost more is not sent")
    .option("--budget-tokens <number>", "tokens that models may use, input and output together")
    .option("--cassette <file>", "a file of recorded replies")
    .addOption(
      new Option(
        "--cassette-mode <mode>",
        "replay what is recorded and record the rest; record all; strict: ask nobody",
      )
        .choices(["replay", "record", "strict"])
        .default("replay"),
    );
}

const asJson = process.argv.includes("--json");

const program = new Command("routesetter")
  .description("Makes and checks the environments in which language-model agents train, and proves each one.")
  .version(version)
  .showHelpAfterError("→ routesetter [command] --help names what there is")
  .configureOutput({ writeErr: (text) => process.stderr.write(text) })
  .exitOverride((error) => {
    if (error.exitCode === 0) process.exit(0);
    const usage = { status: "usage", exitCode: 2, counts: {}, cost: {}, outputs: [], code: "bad_option" };
    if (asJson)
      console.log(JSON.stringify({ type: "result", command: commandWords(), ...usage, error: error.message }));
    process.exit(2);
  });

const commandWords = () =>
  process.argv
    .slice(2, 4)
    .filter((word) => /^[a-z]+$/.test(word))
    .join(" ");

common(program.command("init").description("make a project: routesetter.toml and .routesetter/"))
  .argument("[directory]", "where", ".")
  .action(async (directory, options) => (await import("./commands/init.ts")).init(directory, options));

sandboxed(
  program.command("forge").description("make tasks; every one is built, solved, left unsolved, attacked and measured"),
)
  .addOption(new Option("--author <name>", "who writes them").choices(["procedural"]).default("procedural"))
  .option("--count <number>", "accepted tasks wanted", "10")
  .option("--family <name>", "only this family (repeatable)", collect, [])
  .option("--families <folder>", "families of your own: a module, or a folder with an index.mjs")
  .option("--difficulty <1-5>", "only this difficulty (repeatable)", collect, [])
  .option("--out <directory>", "where accepted tasks go (default: the project's tasks/)")
  .option("--limit <number>", "candidates at most")
  .option("--repeats <number>", "repeats of the oracle and the doing-nothing agent", "1")
  .action(async (options) => (await import("./commands/forge.ts")).forge(options));

sandboxed(program.command("check").description("run the gates on task folders"))
  .argument("<path...>", "task folders, or trees that hold some")
  .option("--gate <id>", "only this gate (repeatable)", collect, [])
  .option("--repeats <number>", "repeats of the oracle and the doing-nothing agent", "2")
  .option("--limit <number>", "tasks at most")
  .option("--format <name>", "text, markdown, json, junit or sarif", "text")
  .option("--out <file>", "write the report there")
  .action(async (paths, options) => (await import("./commands/check.ts")).check(paths, options));

sandboxed(program.command("import").description("bring in tasks of others: Harbor and Terminal-Bench 1"))
  .argument("<source...>", "task folders, trees that hold some, git repositories, addresses or bundles")
  .option("--out <directory>", "where task folders go", "tasks/imported")
  .addOption(
    new Option("--level <name>", "static: only read and convert; core: run the oracles")
      .choices(["static", "core"])
      .default("core"),
  )
  .option("--limit <number>", "folders at most")
  .action(async (sources, options) => (await import("./commands/import.ts")).importTasks(sources, options));

modelled(sandboxed(program.command("rollout").description("let agents play task folders and grade them")))
  .argument("<path...>", "task folders, or trees that hold some")
  .option(
    "--agent <name>",
    "oracle, nop, model:MODEL, script:FILE, replay:FILE; repeatable, to compare (default: oracle)",
    collect,
    [],
  )
  .option("-k, --attempts <number>", "episodes of each agent for each task", "1")
  .option("--limit <number>", "tasks at most")
  .addOption(new Option("--mode <name>", "verification").choices(["sealed", "restored", "live"]))
  .option("--out <directory>", "where trajectories go")
  .option("--atif", "write each trajectory as an ATIF v1.7 document, too")
  .action(async (paths, options) => (await import("./commands/rollout.ts")).rollout(paths, options));

const runs = program.command("runs").description("what was run here: list, show, resume, cancel, clean");
common(runs.command("list").description("all runs of this project")).action(async (options) =>
  (await import("./commands/runs.ts")).listRunsCommand(options),
);
common(runs.command("show").description("one run: steps by stage, last events"))
  .argument("<run>")
  .option("--follow", "keep printing new events")
  .action(async (run, options) => (await import("./commands/runs.ts")).showRunCommand(run, options));
common(runs.command("resume").description("continue a run that was stopped, killed or failed"))
  .argument("<run>")
  .option("--concurrency <number>", "sandboxes at a time (default: processors)")
  .addOption(new Option("--only <what>", "take exactly the ungraded again").choices(["infra"]))
  .action(async (run, options) => (await import("./commands/resume.ts")).resumeRunCommand(run, options));
common(runs.command("cancel").description("stop a run for good"))
  .argument("<run>")
  .action(async (run, options) => (await import("./commands/runs.ts")).cancelRunCommand(run, options));
common(runs.command("clean").description("remove what dead owners left: sandboxes, mounts, folders of work"))
  .option("--all", "forget runs that are done or cancelled, too")
  .action(async (options) => (await import("./commands/clean.ts")).cleanRunsCommand(options));

sandboxed(program.command("demo").description("forge, check and show tasks: offline, no key, about a minute"))
  .option("--count <number>", "tasks", "12")
  .action(async (options) => (await import("./commands/demo.ts")).demo(options));

common(
  program
    .command("doctor")
    .description("what this machine can do, what to do about what it can't, and attacks on its sandboxes"),
)
  .addOption(
    new Option("--backend <name>", "which sandboxes to attack").choices(["box", "docker", "all"]).default("all"),
  )
  .option("--fix [part]", "install what is missing for box (the default), network, docker or buildah")
  .option("--no-attack", "only look")
  .action(async (options) => (await import("./commands/doctor.ts")).doctor(options));

await program.parseAsync();
