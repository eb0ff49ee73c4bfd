import { describe, expect, it } from "vitest";
import { splitScript } from "./split-script.ts";

describe("splitScript", () => {
  it.each<[string, string, string[]]>([
    ["lines", "#!/bin/bash\n# note\necho a\n\n  echo b # c\r\n", ["echo a", "  echo b # c"]],
    ["a backslash", "echo a \\\n  b\necho c", ["echo a \\\n  b", "echo c"]],
    ["quotes", "echo 'a\nb' \"c\nd\"\ntrue", ["echo 'a\nb' \"c\nd\"", "true"]],
    ["a here-document", "cat > x <<'EOF'\nif then \"\nEOF\necho $?", ["cat > x <<'EOF'\nif then \"\nEOF", "echo $?"]],
    ["a here-document with tabs", "cat <<-E\n\ta\n\tE\ntrue", ["cat <<-E\n\ta\n\tE", "true"]],
    ["a here-string", "cat <<< a\ntrue", ["cat <<< a", "true"]],
    [
      "compound commands",
      "for i in 1 2; do\n  echo $i\ndone\nif true; then\necho a\nfi\ntrue",
      ["for i in 1 2; do\n  echo $i\ndone", "if true; then\necho a\nfi", "true"],
    ],
    ["case", "case $x in\n a) echo 1;;\nesac\ntrue", ["case $x in\n a) echo 1;;\nesac", "true"]],
    ["functions and groups", "f() {\n echo a\n}\n( cd /\n ls )\ntrue", ["f() {\n echo a\n}", "( cd /\n ls )", "true"]],
    ["words that only look like it", "echo if for done\necho \\'\ntrue", ["echo if for done", "echo \\'", "true"]],
    ["an end that is missing", "cat <<E\na", ["cat <<E\na"]],
  ])("%s", (_, script, expected) => {
    expect(splitScript(script)).toEqual(expected);
  });
});
