// Dockerfiles and contexts, as the host builder reads and writes them.
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readBuildContext } from "../../../src/sandbox/images/context/read.ts";
import { prepareHostImage, writeHostImage } from "../../../src/sandbox/images/host/build.ts";
import * as op from "../operators.ts";
import { type HostileCase, type HostileKind, rejects } from "../suite.ts";

const file = "context/Dockerfile";
/** Shared, so that the machine's own part is written once. */
export const sharedImages = mkdtempSync(join(tmpdir(), "hostile-images-"));

const c = (operator: op.Operator, expected: HostileCase["expected"]): HostileCase => ({ operator, expected });
const appended = (what: string, more: string, code: string, line: number): HostileCase =>
  c(op.append(what, file, more), rejects(code, file, { line }));
const unsuitable = "host_image_unsuitable";
const failed = "image_build_failed";

export const buildContexts: HostileKind = {
  kind: "build context",
  base: op.folderOf({
    [file]: "FROM debian:bookworm-slim\nWORKDIR /app\nCOPY data.txt /app/\n",
    "context/data.txt": "1\n",
    "outside.txt": "secret\n",
  }),
  read: async (directory) => {
    const context = readBuildContext(join(directory, "context"));
    await writeHostImage(prepareHostImage(context, context.dockerfile ?? ""), sharedImages, null);
    return { warnings: [] };
  },
  cases: [
    c(op.crlf(file), "read"),
    c(op.bom(file), "read"),
    c(op.empty(file), rejects(failed, file, { line: 1 })),
    c(op.gitLfs(file), rejects(failed, file, { line: 1 })),
    c(op.garbage(file), rejects(failed, file, { says: /UTF-8/ })),
    c(op.utf16(file), rejects(failed, file, { says: /UTF-8/ })),
    c(op.huge(file, 2 ** 40), rejects(failed, file, { says: /bytes/ })),
    c(op.fifo(file), rejects(failed, file)),
    c(op.fifo("context/.dockerignore"), rejects(failed, "context/.dockerignore")),
    c(op.link("context/.dockerignore", "/dev/zero"), "read"),
    c(op.put("ignores everything", "context/.dockerignore", "**\n"), rejects(failed, file, { line: 3 })),
    c(op.put("broken sets", "context/.dockerignore", "[z-a]\n[\n[]\n\\\n!\n[!\n"), "read"),
    c(op.fifo("context/pipe"), rejects(failed, "context/pipe")),
    appended("no FROM argument", "FROM\n", failed, 4),
    appended("unknown instruction", "INSTALL curl\n", failed, 4),
    appended("unterminated continuation", "RUN true \\\n", failed, 4),
    appended("unterminated here-document", "RUN <<EOF\ntrue\n", failed, 4),
    appended("second stage", "FROM scratch\n", unsuitable, 4),
    appended("copy from above", "COPY ../outside.txt /app/\n", failed, 4),
    appended("copy from above, hidden", "COPY a/../../outside.txt /app/\n", failed, 4),
    appended("copy from above by a variable", "ENV UP=..\nCOPY $UP/outside.txt /app/\n", failed, 5),
    appended("copy of an absolute path", "COPY /etc/shadow /app/\n", failed, 4),
    appended("copy of what isn't there", "COPY nothing /app/\n", failed, 4),
    appended("add from the network", "ADD http://example.invalid/x /app/\n", unsuitable, 4),
    appended("add of an archive", "ADD data.tar.gz /app/\n", failed, 4),
    appended("copy over the machine's programs", "COPY data.txt /usr/bin/env\n", unsuitable, 4),
    appended(
      "copy over programs through a link",
      "RUN ln -s /usr/bin /app/b\nCOPY data.txt /app/b/env\n",
      unsuitable,
      5,
    ),
    appended("copy into devices", "COPY data.txt /dev/sda\n", unsuitable, 4),
    appended("run that reads the host", "RUN cat /etc/shadow > /app/x\n", unsuitable, 4),
    appended("run that calls a program", "RUN curl http://example.invalid\n", unsuitable, 4),
    appended("run with a mount of the host", "RUN --mount=type=bind,source=/,target=/host true\n", unsuitable, 4),
    appended("remove above its folder", "RUN rm -rf /tmp/../etc\n", unsuitable, 4),
    appended("NUL in a path", "RUN mkdir /app/a\0b\n", unsuitable, 4),
    appended("name of 300 bytes", `RUN mkdir /app/${"n".repeat(300)}\n`, unsuitable, 4),
    appended("path of 9000 bytes", `RUN mkdir -p /app/${"d/".repeat(4500)}\n`, unsuitable, 4),
    appended("mode that is none", "COPY --chmod=u+x data.txt /app/\n", unsuitable, 4),
    appended("unknown owner", "COPY --chown=nobody-here data.txt /app/\n", unsuitable, 4),
    appended("absurd owner", "COPY --chown=99999999999999:0 data.txt /app/\n", unsuitable, 4),
    appended(
      "variables that grow without bound",
      `ENV A=aaaaaaaaaaaaaaaa\n${"ENV A=$A$A$A$A\n".repeat(40)}`,
      unsuitable,
      10,
    ),
    c(
      op.append("words nested in braces", file, `ENV A=${"${A:-".repeat(20_000)}x${"}".repeat(20_000)}\n`),
      rejects(unsuitable, file, { line: 4 }),
    ),
    c(
      op.both(
        op.link("context/out", "../outside.txt"),
        op.append("copy of a link that leads out", file, "COPY out /app/\n"),
      ),
      rejects(failed, file, { line: 4 }),
    ),
    c(
      op.both(
        op.link("context/up", ".."),
        op.append("copy through a link that leads out", file, "COPY up/outside.txt /app/\n"),
      ),
      rejects(failed, file, { line: 4 }),
    ),
    c(
      op.both(op.link("context/within", "data.txt"), op.append("copy of a link within", file, "COPY within /app/\n")),
      "read",
    ),
    c(
      op.append(
        "chain of links",
        file,
        `RUN ${Array.from({ length: 60 }, (_, i) => `ln -s /l${i} /l${i + 1}`).join(" && ")} && ln -s /tmp /l0\nCOPY data.txt /l60/x\n`,
      ),
      rejects(unsuitable, file, { line: 5 }),
    ),
  ],
};
