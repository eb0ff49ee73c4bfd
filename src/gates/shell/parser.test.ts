import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseShell, type SimpleCommand, simpleCommands } from "./index.ts";

const words = (source: string) =>
  [...simpleCommands(parseShell(source).statements)].map((command) => command.words.map((word) => word.text));
const first = (source: string) => [...simpleCommands(parseShell(source).statements)][0] as SimpleCommand;

describe("parseShell", () => {
  it("splits pipelines and lists, with lines", () => {
    const { statements, problems } = parseShell("a 1 | b 2 && c || d\ne; f &\n");
    expect(problems).toEqual([]);
    expect(statements.map((statement) => statement.line)).toEqual([1, 2, 2]);
    expect(statements[0]?.first.commands).toHaveLength(2);
    expect(statements[0]?.rest.map(({ operator }) => operator)).toEqual(["&&", "||"]);
    expect(statements[2]?.background).toBe(true);
  });

  it("keeps `1 >` apart from `1>`", () => {
    expect(first("echo 1 > out").words.map(({ text }) => text)).toEqual(["echo", "1"]);
    expect(first("echo 1> out").redirects[0]).toMatchObject({ descriptor: 1 });
    expect(first("make 2>&1").redirects[0]).toMatchObject({ operator: ">&", descriptor: 2 });
  });

  it("reads quotes, continuations, comments and here-documents", () => {
    expect(words("echo 'a b' \"c $x\" d\\\n  e # no\nf")).toEqual([["echo", "a b", "c $x", "d", "e"], ["f"]]);
    const command = first("cat > out <<'EOF' 2>/dev/null\nit's (fine\nEOF\n");
    expect(command.redirects.find(({ operator }) => operator === "<<")?.body).toBe("it's (fine");
    expect(parseShell("cat <<EOF\nnever").problems[0]?.message).toContain("never closed");
  });

  it("reads substitutions and arrays as one word", () => {
    expect(words(`x=$(a | b "$(c ")")") d \${e:-f g}`)).toEqual([["d", `\${e:-f g}`]]);
    expect(first("list=(a b c)").assignments.map(({ raw }) => raw)).toEqual(["list=(a b c)"]);
  });

  it("reads compound commands", () => {
    const source = `if [ $? -eq 0 ]; then a; elif b; then c; else d; fi
for x in 1 2; do e; done
while read -r y; do f; done < file
case "$z" in p|q) g ;; *) h ;; esac
check() { i; }
( j; k ) | l
[[ $m =~ ^(n|o)$ && $p > q ]] && r`;
    const { problems } = parseShell(source);
    expect(problems).toEqual([]);
    expect(words(source).map(([name]) => name)).toEqual([
      "[",
      "b",
      "a",
      "c",
      "d",
      "e",
      "read",
      "f",
      "g",
      "h",
      "i",
      "j",
      "k",
      "l",
      "[[",
      "r",
    ]);
  });

  it("names what is missing", () => {
    expect(parseShell("if a; then b\n").problems[0]).toMatchObject({ line: 1 });
    expect(parseShell("echo 'open").problems[0]?.message).toContain("single quote");
  });

  it("never throws and always ends", () => {
    const piece = fc.constantFrom(
      "if",
      "then",
      "fi",
      "do",
      "done",
      "(",
      ")",
      "{",
      "}",
      "<<A",
      "A",
      "|",
      "&&",
      ";",
      ";;",
      "\n",
      "'",
      '"',
      "$(",
      "case",
      "in",
      "esac",
      "[[",
      "a",
      " ",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        parseShell(pieces.join(" "));
      }),
    );
  });
});

describe("scripts that are nested without end", () => {
  const nested = (open: string, close: string, times: number) => `${open.repeat(times)}true${close.repeat(times)}`;
  it.each([
    ["groups", "{ ", "; }"],
    ["subshells", "(true; ", " )"],
    ["conditions", "if ", "; then :; fi"],
    ["functions", "f() ", ""],
    ["loops", "while ", "; do :; done"],
  ])("%s: a problem that says so, and the same a hundred deep is read", (_, open, close) => {
    expect(parseShell(nested(open, close, 20_000)).problems[0]?.message).toMatch(/more than 200 levels deep/);
    expect(parseShell(nested(open, close, 100)).problems).toEqual([]);
  });

  it("quotes in expansions in quotes", () => {
    const text = (times: number) => `echo ${nested('"$(', ')"', times)}`;
    expect(parseShell(text(20_000)).problems[0]?.message).toMatch(/never closed/);
    expect(parseShell(text(50)).problems).toEqual([]);
  });

  it.each(["\f", "\v", "\u00a0", "\u2028", "\ufeff", "\u0085"])("%j is part of a word, as in a shell", (blank) => {
    const [command] = simpleCommands(parseShell(`${blank}echo a${blank}b`).statements);
    expect(command?.words.map(({ text }) => text)).toEqual([`${blank}echo`, `a${blank}b`]);
  });

  it("arrays in every line", () => {
    expect(parseShell("a=(1 2)\n".repeat(20_000)).problems).toEqual([]);
  });
});
