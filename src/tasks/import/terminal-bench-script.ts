// run-tests.sh becomes tests/test.sh: its exit status is the reward, unless it only says that the tests didn't run.

const ending = (status: string, parser: string) => `case "${status}" in
  0) echo 1 > /logs/verifier/reward.txt ;;
${
  parser === "pytest"
    ? '  1) echo 0 > /logs/verifier/reward.txt ;;\n  *) echo "the tests did not run: exit status $status" >&2 ;;'
    : '  126 | 127 | 1[3-9]? | 2??) echo "the tests did not run: exit status $status" >&2 ;;\n  *) echo 0 > /logs/verifier/reward.txt ;;'
}
esac
`;

/** A script that may end before its last line keeps to a subshell, so that the lines after it always run. */
export function testScriptFrom(script: string, parser: string): string {
  const body = script
    .replaceAll("\r\n", "\n")
    .replace(/(["']?)\$(?:TEST_DIR\b|\{TEST_DIR(?::?-[^}]*)?\})/g, "$1/tests");
  const [first = "", ...rest] = body.split("\n");
  const shebang = first.startsWith("#!") ? first : "#!/bin/bash";
  const lines = first.startsWith("#!") ? rest.join("\n") : body;
  const endsEarly = /(?:^|[\s;&|(])(?:exit|exec|set\s+-\w*e|set\s+-o\s+errexit)\b/m.test(lines);
  const work = lines.replace(/\n*$/, "\n");
  const whole = endsEarly ? `(\n${work})\n` : work;
  return `${shebang}\n${whole}status=$?\nmkdir -p /logs/verifier\n${ending("$status", parser)}`;
}
