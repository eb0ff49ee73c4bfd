// Follows a test script statement by statement: which check's exit status is read, which is lost, and by what.
import {
  type Command,
  type Pipeline,
  parseShell,
  pipelinesOf,
  type SimpleCommand,
  type Statement,
  simpleCommands,
} from "../../shell/index.ts";
import { deepestScript, innerScripts, nameOf, wordsOf } from "../commands.ts";
import {
  ambiguousNames,
  expandWord,
  noteAssignments,
  type RewardWrite,
  rewardWrites,
  type Variables,
} from "./reward-writes.ts";
import { alwaysSucceeds, alwaysTrue, checkOf, reads, readsFirst, sinkOf, textOf } from "./statement-facts.ts";

export type StatusFinding = {
  readonly rule: string;
  readonly severity: "error" | "warning";
  readonly message: string;
  readonly line: number;
};

type Mask = { readonly rule: "masked_by_pipe" | "masked_by_or_true"; readonly by: string };
type Check = {
  readonly what: string;
  readonly line: number;
  readonly runner: boolean;
  readonly mask: Mask | null;
  readonly command: Command;
};
type Reach = { readonly guarded: boolean; readonly condition: boolean; readonly inFunction: boolean };

export class ExitStatusReader {
  readonly findings: StatusFinding[] = [];
  readonly rewards: { write: RewardWrite; guarded: boolean; afterCheck: boolean }[] = [];
  readonly #variables: Variables;
  #ambiguous: ReadonlySet<string> = new Set();
  #directory: string | null;
  #errexit: boolean;
  #pipefail = false;
  #errexitOff: number | null = null;
  #pending: Check[] = [];
  #checks = 0;
  #runners = 0;
  #mayExit = false;
  #trapped = false;

  /** How many scripts this one lies in. */
  readonly #depth: number;

  constructor(options: { variables: Variables; directory: string | null; errexit: boolean; depth?: number }) {
    this.#depth = options.depth ?? 0;
    this.#variables = options.variables;
    this.#directory = options.directory;
    this.#errexit = options.errexit;
  }

  get checks(): number {
    return this.#checks;
  }

  read(statements: readonly Statement[]): void {
    this.#ambiguous = ambiguousNames(simpleCommands(statements));
    this.#walk(statements, { guarded: false, condition: false, inFunction: false });
    this.#judgeRewards();
  }

  #walk(statements: readonly Statement[], reach: Reach): void {
    for (const [index, statement] of statements.entries())
      this.#statement(statement, statements[index + 1], statements[index - 1], reach);
  }

  #statement(statement: Statement, next: Statement | undefined, previous: Statement | undefined, reach: Reach): void {
    if (readsFirst(statement, /\$\?|\$\{?PIPESTATUS/)) this.#statusRead(statement, previous);
    const pipelines = pipelinesOf(statement);
    for (const [index, pipeline] of pipelines.entries()) {
      const guarded = reach.guarded || index > 0;
      const simple = pipeline.commands.filter((command): command is SimpleCommand => command.type === "simple");
      for (const command of simple) {
        this.#settings(command);
        this.#nested(command);
      }
      this.#noteCheck(statement, index, next, reach);
      for (const write of rewardWrites(simple, this.#variables, this.#directory)) {
        this.rewards.push({
          write,
          guarded: guarded || this.#mayExit || reach.inFunction,
          afterCheck: this.#checks > 0,
        });
        if (!guarded && !reach.inFunction && write.value !== null && write.value > 0) this.#constantReward(write);
      }
      for (const command of pipeline.commands) {
        if (command.type === "simple") continue;
        for (const condition of command.conditions) this.#walk(condition, { ...reach, guarded, condition: true });
        const plain = command.kind === "group" || command.kind === "subshell" || command.kind === "for";
        const inner = {
          guarded: guarded || !plain,
          condition: false,
          inFunction: reach.inFunction || command.kind === "function",
        };
        for (const body of command.bodies) this.#walk(body, inner);
        if (command.kind === "if" || command.kind === "case") this.#noteExit(command.bodies.flat());
      }
      const operator = statement.rest[index]?.operator;
      const after = statement.rest[index]?.pipeline;
      if (operator === "||" && after !== undefined && !alwaysTrue(after))
        this.#mayExit = this.#mayExit || this.#canExit(after);
      if (operator === "&&") this.#consume();
    }
  }

  #canExit(pipeline: Pipeline): boolean {
    const [first] = pipeline.commands;
    if (first === undefined) return false;
    if (first.type === "compound")
      return [...simpleCommands(first.bodies.flat())].some((command) => this.#ends(command));
    return this.#ends(first);
  }
  #ends(command: SimpleCommand): boolean {
    const name = nameOf(wordsOf(command));
    return /^(exit|return|fail|die|abort|finish|kill)/.test(name) || this.#functions.has(name);
  }
  readonly #functions = new Set<string>();
  noteFunctions(names: Iterable<string>): void {
    for (const name of names) this.#functions.add(name);
  }
  #noteExit(statements: readonly Statement[]): void {
    if ([...simpleCommands(statements)].some((command) => this.#ends(command))) this.#mayExit = true;
  }

  #settings(command: SimpleCommand): void {
    if (nameOf(wordsOf(command)) === "trap") this.#trapped = true;
    noteAssignments(command, this.#variables, this.#ambiguous);
    const words = wordsOf(command);
    const name = nameOf(words);
    if (name === "cd" && words[1] !== undefined) {
      const target = expandWord(words[1], this.#variables);
      this.#directory = target.startsWith("/") && !/[$`]/.test(target) ? target : null;
    }
    if (name !== "set") return;
    for (const [index, word] of words.entries()) {
      if (/^[-+]\w+$/.test(word) && index > 0) {
        const on = word.startsWith("-");
        if (word.includes("e", 1)) this.#setErrexit(on, command.line);
        if (word.includes("o", 1) && words[index + 1] === "pipefail") this.#pipefail = on;
        if (word.includes("o", 1) && words[index + 1] === "errexit") this.#setErrexit(on, command.line);
      }
    }
  }
  /** A script inside a command loses statuses like any other; its rewards and settings are its own. */
  #nested(command: SimpleCommand): void {
    if (this.#depth >= deepestScript) return;
    const depth = this.#depth + 1;
    const options = { variables: new Map(this.#variables), directory: this.#directory, errexit: false, depth };
    for (const text of innerScripts(command)) {
      const { statements } = parseShell(text);
      if (statements.length < 2) continue;
      const inner = new ExitStatusReader(options);
      inner.read(statements);
      for (const finding of inner.findings)
        if (finding.rule.startsWith("masked_")) this.findings.push({ ...finding, line: command.line });
    }
  }

  #setErrexit(on: boolean, line: number): void {
    this.#errexit = on;
    this.#errexitOff = on ? null : line;
  }

  #noteCheck(statement: Statement, index: number, next: Statement | undefined, reach: Reach): void {
    const pipeline = pipelinesOf(statement)[index] as Pipeline;
    const found = pipeline.commands.map((command) => (command.type === "simple" ? checkOf(command) : null));
    const at =
      found.findIndex((check) => check?.runner) >= 0
        ? found.findIndex((check) => check?.runner)
        : found.findIndex((check) => check !== null);
    const check = found[at];
    if (check === undefined || check === null) return;
    this.#checks += 1;
    if (check.runner) this.#runners += 1;
    if (reach.inFunction) return;
    const last = at === pipeline.commands.length - 1;
    const saved = next !== undefined && reads(next, /\$\{?PIPESTATUS/);
    const piped: Mask | null =
      check.runner && !last && !this.#pipefail && !saved ? { rule: "masked_by_pipe", by: sinkOf(pipeline) } : null;
    const following = statement.rest.slice(index);
    const swallowed =
      following.length > 0 &&
      following.every(({ operator }) => operator === "||") &&
      following.every(({ pipeline: other }) => alwaysTrue(other));
    const orTrue: Mask | null = swallowed ? { rule: "masked_by_or_true", by: textOf(following[0]?.pipeline) } : null;
    const mask = piped ?? orTrue;
    const command = pipeline.commands[at] as Command;
    const noted: Check = { what: check.what, line: pipeline.line, runner: check.runner, mask, command };
    const asked =
      reach.condition || following.some(({ operator, pipeline: other }) => operator === "&&" || !alwaysTrue(other));
    if (asked) {
      if (piped !== null) this.#report(noted);
      return;
    }
    if (this.#errexit && mask === null) {
      if (check.runner && this.rewards.length === 0 && !this.#trapped)
        this.findings.push({
          rule: "no_reward_on_failure",
          severity: "warning",
          line: pipeline.line,
          message: `with \`set -e\` the script ends here when \`${check.what}\` fails, before any reward is written`,
        });
      return;
    }
    if (check.deciding) this.#pending.push(noted);
  }

  #statusRead(statement: Statement, previous: Statement | undefined): void {
    if (previous === undefined) {
      this.#consume();
      return;
    }
    if (this.#pending.length === 0 && alwaysSucceeds(previous) && !this.#errexit)
      this.findings.push({
        rule: "masked_by_statement",
        severity: "error",
        line: previous.line,
        message: `\`$?\` on line ${statement.line} is that of \`${textOf(previous.rest.at(-1)?.pipeline ?? previous.first)}\`, which always succeeds`,
      });
    const before: readonly Command[] = [...simpleCommands([previous])];
    for (const check of this.#pending) {
      const direct = before.includes(check.command);
      if (direct && check.mask === null) continue;
      if (direct) this.#report(check);
      else
        this.findings.push({
          rule: "masked_by_statement",
          severity: "error",
          line: check.line,
          message: `the exit status of \`${check.what}\` is lost: \`$?\` on line ${statement.line} is that of \`${textOf(previous.rest.at(-1)?.pipeline ?? previous.first)}\``,
        });
    }
    this.#pending = [];
  }
  #consume(): void {
    this.#pending = this.#pending.filter((check) => check.mask !== null);
  }

  #report(check: Check): void {
    const message =
      check.mask?.rule === "masked_by_pipe"
        ? `the exit status of \`${check.what}\` is lost: the pipe's status is that of \`${check.mask.by}\``
        : `the exit status of \`${check.what}\` is always 0: \`|| ${check.mask?.by}\` swallows it`;
    if (check.mask !== null)
      this.findings.push({ rule: check.mask.rule, severity: "error", line: check.line, message });
  }

  #constantReward(write: RewardWrite): void {
    if (this.#mayExit) return;
    if (this.#checks === 0) return;
    for (const check of this.#pending) this.#report(check);
    if (this.#pending.length > 0 && this.#errexitOff !== null)
      this.findings.push({
        rule: "errexit_disabled",
        severity: "error",
        line: this.#errexitOff,
        message: `with \`set +e\` a check that fails doesn't stop the script, and line ${write.line} writes reward ${write.value}`,
      });
  }

  #judgeRewards(): void {
    for (const [index, { write, guarded, afterCheck }] of this.rewards.entries()) {
      const later = this.rewards.slice(index + 1);
      if (write.exitStatus)
        this.findings.push({
          rule: "status_as_reward",
          severity: "error",
          line: write.line,
          message: "an exit status is written as the reward: success is status 0, which is reward 0",
        });
      if (guarded || write.value === null) continue;
      if (!afterCheck && this.#checks > 0)
        this.findings.push({
          rule: "reward_before_checks",
          severity: write.value > 0 ? "error" : "warning",
          line: write.line,
          message: `reward ${write.value} is written before the checks run: a verifier that breaks down leaves it as the verdict`,
        });
      else if (
        write.value > 0 &&
        later.length === 0 &&
        (!this.#errexit || this.#checks === 0 || this.#pending.length > 0)
      )
        this.findings.push({
          rule: "unconditional_reward",
          severity: "error",
          line: write.line,
          message: `reward ${write.value} is written whatever the checks say`,
        });
    }
  }
}
