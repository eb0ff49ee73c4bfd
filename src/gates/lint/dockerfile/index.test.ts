import { describe, expect, it } from "vitest";
import { lintDockerfile } from "./index.ts";

const lint = (source: string, paths: string[] = [], ignored: string[] = []) =>
  lintDockerfile(source, {
    file: "environment/Dockerfile",
    context: { paths: new Set(paths), ignored: new Set(ignored) },
  });
const rules = (source: string, paths: string[] = [], ignored: string[] = []) =>
  lint(source, paths, ignored).map(({ rule, line }) => `${rule}:${line}`);
const from = "FROM debian:bookworm-slim\n";

describe("lintDockerfile leaves good files alone", () => {
  const clean: [string, string, string[]?][] = [
    [
      "one apt layer",
      `${from}RUN apt-get update && apt-get install -y --no-install-recommends python3-yaml curl \\\n && rm -rf /var/lib/apt/lists/*\n`,
    ],
    [
      "several, each with its own update",
      `${from}RUN apt-get update && apt-get install -yq git && rm -rf /var/lib/apt/lists/*\nRUN apt-get update -qq && apt-get -qq -y install make\n`,
    ],
    [
      "options in other places",
      `${from}RUN apt-get update; DEBIAN_FRONTEND=noninteractive apt-get -o Dpkg::Use-Pty=0 --yes install make\n`,
    ],
    ["comments inside a continuation", `${from}RUN apt-get update \\\n # tools\n && apt-get install -y make\n`],
    ["a here-document", `${from}RUN <<EOF\nset -e\napt-get update\napt-get install -y make\nEOF\n`],
    ["a here-document for Python", `${from}RUN <<EOF\n#!/usr/bin/env python3\nprint("apt-get install x")\nEOF\n`],
    [
      "a file written by here-document",
      `${from}RUN cat > /etc/note <<'EOF' && chmod 600 /etc/note\napt-get install nothing\nEOF\n`,
    ],
    ["text that only mentions apt", `${from}RUN echo "apt-get install x"\n`],
    ["a local package", `${from}RUN apt-get install -y ./tool.deb\n`],
    ["the JSON form", `${from}RUN ["/bin/true"]\n`],
    ["mount flags", `${from}RUN --mount=type=cache,target=/var/cache/apt apt-get update && apt-get install -y make\n`],
    [
      "copies",
      `${from}WORKDIR /app\nCOPY data/*.csv tools ./\nCOPY . /srv/\nADD app.tar.gz /opt/\n`,
      ["data", "data/a.csv", "tools", "tools/x", "app.tar.gz"],
    ],
    [
      "stages",
      `FROM debian:bookworm AS build\nWORKDIR /src\nRUN apt-get update && apt-get install -y gcc\nFROM build\nCOPY --from=build /src/x y\n`,
    ],
    [
      "a digest and an argument",
      `ARG TAG=bookworm\nFROM debian:\${TAG} AS a\nFROM debian@sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef\n`,
    ],
    ["yes |", `${from}RUN apt-get update && yes | apt-get install make\n`],
    ["a harmless CMD", `${from}CMD ["/bin/bash"]\n`],
    ["a download that is checked", `${from}ADD --checksum=sha256:00 https://example.org/a /opt/\n`],
    [
      "a pipe that fails with its download",
      `${from}SHELL ["/bin/bash", "-o", "pipefail", "-c"]\nRUN curl -f https://example.org/i | sh\n`,
    ],
    ["a pipe that fails by itself", `${from}RUN set -o pipefail; curl -f https://example.org/i | sh\n`],
    ["a pipefail shell", `${from}SHELL ["/bin/bash", "-o", "pipefail", "-c"]\nRUN dnf install -y make\n`],
  ];
  for (const [name, source, paths] of clean) it(name, () => expect(rules(source, paths)).toEqual([]));
});

describe("lintDockerfile finds", () => {
  const broken: [string, string, string[], string[]?, string[]?][] = [
    ["no FROM", "RUN true\n", ["instruction_before_from:1", "no_from:1"]],
    ["an empty file", "", ["no_from:1"]],
    ["an install that asks", `${from}RUN apt-get update && apt-get install make\n`, ["apt_no_yes:2"]],
    [
      "-y in a package's name only",
      `${from}RUN apt-get update && apt-get install python3-yaml lib-y\n`,
      ["apt_no_yes:2"],
    ],
    ["-y of another command", `${from}RUN apt-get update -y && apt-get install make\n`, ["apt_no_yes:2"]],
    ["no update", `${from}RUN apt-get install -y make\n`, ["apt_no_update:2"]],
    [
      "an update in a layer of its own",
      `${from}RUN apt-get update\nRUN apt-get install -y make\n`,
      ["apt_update_cached:3"],
    ],
    [
      "lists that an earlier layer removed",
      `${from}RUN apt-get update && apt-get install -y a && rm -rf /var/lib/apt/lists/*\nRUN apt-get install -y b\n`,
      ["apt_no_update:3"],
    ],
    ["an update after the install", `${from}RUN apt-get install -y make && apt-get update\n`, ["apt_no_update:2"]],
    [
      "the right line of a long RUN",
      `${from}RUN apt-get update \\\n  && true \\\n  # note\n  && apt-get install make\n`,
      ["apt_no_yes:5"],
    ],
    [
      "the right line of a here-document",
      `${from}RUN <<EOF\napt-get update\napt-get install make\nEOF\n`,
      ["apt_no_yes:4"],
    ],
    ["yum and dnf", `${from}RUN yum install make\nRUN dnf install gcc\n`, ["yum_no_yes:2", "yum_no_yes:3"]],
    ["a continuation that never ends", `${from}RUN true \\\n`, ["unterminated_continuation:2"]],
    ["a here-document that never ends", `${from}RUN <<EOF\ntrue\n`, ["unterminated_heredoc:2"]],
    ["an unknown instruction", `${from}RUNN true\n`, ["unknown_instruction:2"]],
    [
      "missing, outside and ignored sources",
      `${from}COPY nothing /app/\nCOPY ../tests /tests\nCOPY secret.txt /app/\nCOPY data/*.json /app/\n`,
      ["copy_missing:2", "copy_outside:3", "copy_ignored:4", "copy_missing:5"],
      ["secret.txt", "data", "data/a.csv"],
      ["secret.txt"],
    ],
    [
      // BR023
      "a relative COPY without WORKDIR",
      `${from}COPY test.sh core.py ./\n`,
      ["relative_copy:2"],
      ["test.sh", "core.py"],
    ],
    ["ADD of a URL", `${from}ADD https://example.org/a.tar.gz /opt/\n`, ["add_url:2"]],
    ["pipe to shell", `${from}RUN curl -fsSL https://example.org/i.sh | bash -s -- -y\n`, ["pipe_to_shell:2"]],
    ["an unpinned base", "FROM debian\nFROM python:latest\n", ["unpinned_base:1", "unpinned_base:2"]],
    ["a registry image to copy from", `${from}COPY --from=ghcr.io/x/uv:1 /uv /usr/bin/uv\n`, ["copy_from_registry:2"]],
    ["a start-up script that never runs", `${from}ENTRYPOINT ["/entrypoint.sh"]\n`, ["entrypoint_ignored:2"]],
    ["a service that CMD would start", `${from}CMD nginx -g "daemon off;"\n`, ["entrypoint_ignored:2"]],
    ["the solution in the image", `${from}COPY solution /solution\n`, ["copy_solution:2"], ["solution"]],
  ];
  for (const [name, source, expected, paths, ignored] of broken)
    it(name, () => expect(rules(source, paths ?? [], ignored ?? [])).toEqual(expected));
});

it("an unknown base may bring package lists", () => {
  const found = lint("FROM registry.example/team/base:3\nRUN apt-get install -y make\n");
  expect(found.map(({ rule, severity }) => [rule, severity])).toEqual([["apt_no_update", "warning"]]);
});

describe("the image of a separate verifier", () => {
  const lintVerifier = (source: string) =>
    lintDockerfile(source, {
      file: "tests/Dockerfile",
      context: { paths: new Set(["test.sh", "core.py"]), ignored: new Set() },
      verifierImage: true,
    }).map(({ rule, line }) => `${rule}:${line}`);
  it("must own /tests/test.sh", () => {
    expect(lintVerifier(`${from}COPY test.sh core.py ./\n`)).toEqual(["relative_copy:2", "verifier_script_missing:2"]);
    expect(lintVerifier(`${from}WORKDIR /tests\nCOPY test.sh core.py ./\n`)).toEqual([]);
    expect(lintVerifier(`${from}COPY . /tests\n`)).toEqual([]);
  });
});
