// biome-ignore-all lint/suspicious/noTemplateCurlyInString: Dockerfile variables look like template placeholders
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseDockerfile, substitute } from "./index.ts";

const keywords = (text: string) => parseDockerfile(text).instructions.map((one) => one.keyword);

describe("lines", () => {
  test("continuations, comments and blank lines inside them", () => {
    const file = parseDockerfile(
      [
        "# head",
        "FROM debian:12",
        "",
        "RUN apt-get update && \\",
        "  # a note",
        "",
        "  apt-get install -y \\",
        "  curl",
        "USER app",
      ].join("\n"),
    );
    const run = file.instructions[1];
    expect(run).toMatchObject({ keyword: "RUN", line: 4, endLine: 8 });
    expect(run?.text).toBe("apt-get update &&   apt-get install -y   curl");
    expect(run?.pieces.map((piece) => piece.line)).toEqual([4, 7, 8]);
    expect(file.instructions[2]).toMatchObject({ keyword: "USER", line: 9, value: "app" });
    expect(file.problems).toEqual([]);
  });

  test("an escaped backslash at the end doesn't continue", () => {
    expect(keywords("FROM a\nRUN echo \\\\\nUSER x")).toEqual(["FROM", "RUN", "USER"]);
  });

  test("the escape directive, only at the top", () => {
    const file = parseDockerfile("# escape=`\nFROM a\nRUN dir `\n c:\\\nUSER x");
    expect(file.escapeCharacter).toBe("`");
    expect(file.instructions.map((one) => one.line)).toEqual([2, 3, 5]);
    expect(parseDockerfile("# note\n# escape=`\nFROM a").escapeCharacter).toBe("\\");
  });

  test("an unterminated continuation is reported with its line", () => {
    const file = parseDockerfile("FROM a\nRUN apt-get install -y \\\n  curl \\\n");
    expect(file.problems).toMatchObject([{ code: "unterminated_continuation", line: 3, severity: "error" }]);
    expect(parseDockerfile("FROM a\nRUN apt-get install -y \\\n  curl\n").problems).toEqual([]);
  });

  test("carriage returns and a byte order mark", () => {
    const file = parseDockerfile("\uFEFFFROM a\r\nRUN x \\\r\n y\r\n");
    expect(file.instructions.map((one) => one.text)).toEqual(["a", "x  y"]);
  });
});

describe("here-documents", () => {
  test("content is no instruction, hash signs and backslashes included", () => {
    const file = parseDockerfile('FROM a\nRUN <<EOF\n# kept\nUSER evil \\\nEOF\nCMD ["x"]');
    expect(file.instructions.map((one) => one.keyword)).toEqual(["FROM", "RUN", "CMD"]);
    expect(file.instructions[1]).toMatchObject({ line: 2, endLine: 5 });
    expect(file.instructions[1]?.heredocs).toMatchObject([
      { name: "EOF", content: "# kept\nUSER evil \\\n", expand: true, chomp: false, line: 3, endLine: 5 },
    ]);
  });

  test("tabs, quotes, several at once, and a command around them", () => {
    const file = parseDockerfile(
      'FROM a\nCOPY <<-"ONE" <<TWO /d/\n\tx\n\tONE\ny\nTWO\nRUN cat <<E >/o && echo <<<no\nz\nE\n',
    );
    expect(file.instructions[1]?.heredocs).toMatchObject([
      { name: "ONE", content: "x\n", expand: false, chomp: true },
      { name: "TWO", content: "y\n", expand: true },
    ]);
    expect(file.instructions[1]).toMatchObject({ destination: "/d/" });
    expect(file.instructions[2]?.heredocs).toMatchObject([{ name: "E", content: "z\n" }]);
    expect(file.problems).toEqual([]);
  });

  test("an unterminated one is reported with the line that opens it", () => {
    const file = parseDockerfile("FROM a\nRUN cat <<EOF\nx\n EOF\n");
    expect(file.problems).toMatchObject([{ code: "unterminated_heredoc", line: 2 }]);
  });

  test("only RUN, COPY and ADD have them", () => {
    expect(keywords("FROM a\nENV X=<<EOF\nUSER b")).toEqual(["FROM", "ENV", "USER"]);
  });
});

describe("instructions", () => {
  test("FROM: platform, digest, stages", () => {
    const file = parseDockerfile(
      "ARG V=12\nFROM --platform=linux/amd64 debian:${V} AS Build\nRUN make\nFROM debian@sha256:abc\nCOPY --from=build --chown=1:2 --chmod=0755 /a /b/\n",
    );
    expect(file.globals).toHaveLength(1);
    expect(file.stages.map((stage) => [stage.name, stage.from.image, stage.from.platform])).toEqual([
      ["build", "debian:${V}", "linux/amd64"],
      [null, "debian@sha256:abc", null],
    ]);
    expect(file.stages[1]?.instructions[0]).toMatchObject({
      from: "build",
      chown: "1:2",
      chmod: "0755",
      sources: ["/a"],
    });
    expect(file.problems).toEqual([]);
  });

  test("JSON and shell form, mounts", () => {
    const file = parseDockerfile(
      `FROM a\nRUN ["a b", "c"]\nRUN --mount=type=cache,target=/x echo [1]\nCMD ['x']\nCOPY ["a b", "/c d"]\nSHELL ["/bin/bash", "-c"]`,
    );
    expect(file.instructions[1]).toMatchObject({ argv: ["a b", "c"], shell: null });
    expect(file.instructions[2]).toMatchObject({ argv: null, shell: "echo [1]", mounts: ["type=cache,target=/x"] });
    expect(file.instructions[3]).toMatchObject({ argv: null });
    expect(file.problems).toMatchObject([{ code: "invalid_json_form", severity: "warning", line: 4 }]);
    expect(file.instructions[4]).toMatchObject({ sources: ["a b"], destination: "/c d" });
  });

  test("ENV in both spellings, ARG", () => {
    const file = parseDockerfile(`FROM a\nENV A=1 B="x y" C=$A\nENV OLD a b  c\nARG X Y=2`);
    expect(file.instructions[1]).toMatchObject({
      pairs: [
        { name: "A", value: "1" },
        { name: "B", value: '"x y"' },
        { name: "C", value: "$A" },
      ],
    });
    expect(file.instructions[2]).toMatchObject({ pairs: [{ name: "OLD", value: "a b  c" }] });
    expect(file.instructions[3]).toMatchObject({
      variables: [
        { name: "X", defaultValue: null },
        { name: "Y", defaultValue: "2" },
      ],
    });
  });

  test("faults are named with their lines, a clean file has none", () => {
    const file = parseDockerfile("RUN early\nFROM a b c\nFOO bar\nWORKDIR\nCOPY one\nFROM a AS x\nFROM b AS X");
    expect(file.problems.map((problem) => [problem.line, problem.code])).toEqual([
      [1, "instruction_before_from"],
      [2, "invalid_arguments"],
      [3, "unknown_instruction"],
      [4, "invalid_arguments"],
      [5, "invalid_arguments"],
      [7, "duplicate_stage"],
    ]);
    expect(parseDockerfile("").problems).toMatchObject([{ code: "no_from" }]);
  });

  test("any text parses to instructions in file order, within the file", () => {
    const token = fc.constantFrom(
      "FROM a",
      "RUN x \\",
      "RUN <<E",
      "E",
      "# c",
      "",
      "COPY a b",
      "ENV A=${B:-",
      "\t",
      "junk '",
    );
    fc.assert(
      fc.property(fc.array(token, { maxLength: 12 }), (lines) => {
        const file = parseDockerfile(lines.join("\n"));
        let last = 0;
        for (const one of file.instructions) {
          expect(one.line).toBeGreaterThan(last);
          expect(one.endLine).toBeGreaterThanOrEqual(one.line);
          expect(one.endLine).toBeLessThanOrEqual(Math.max(1, lines.length));
          last = one.endLine;
        }
      }),
    );
  });
});

describe("substitution", () => {
  const variables = { A: "1", EMPTY: "", PATH: "/bin" };
  test.each([
    ["$A", "1"],
    ["${A}x", "1x"],
    ["${B:-y}", "y"],
    ["${B:-${A}}", "1"],
    ["${EMPTY:-y}", "y"],
    ["${EMPTY-y}", ""],
    ["${A:+z}", "z"],
    ["${B:+z}", ""],
    ["/opt:$PATH", "/opt:/bin"],
    ["\\$A", "$A"],
    ["'$A'", "$A"],
    ['"$A b"', "1 b"],
    ["a\\ b", "a b"],
    ["$", "$"],
    ["$B", ""],
  ])("%s gives %s", (word, value) => expect(substitute(word, variables).value).toBe(value));

  test("missing names and errors are told", () => {
    expect(substitute("$B/${C}", variables).missing).toEqual(["B", "C"]);
    expect(substitute("${B:?needed}", variables).error).toContain("needed");
    expect(substitute("${B", variables).error).toContain("without");
    expect(substitute("${A:-x}", variables).error).toBeNull();
  });
});
