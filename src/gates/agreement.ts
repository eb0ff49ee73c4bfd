import type { Evidence } from "../contract/index.ts";
import { defineGate } from "./gate.ts";
import type { TaskFiles } from "./task-files.ts";

/** Places that belong to the runner or to every system: nobody has to be told of them. */
const known =
  /^\/(logs|tests|solution|tmp|dev|proc|sys|bin|sbin|lib|lib64|usr|etc\/(os-release|passwd|group|hosts|ssl))(\/|$)/;
const pathPattern = /(?<![\w.:/$}~-])\/(?:[\w@+-][\w.@+-]*\/)*[\w@+-][\w.@+-]*/g;

type Name = { readonly name: string; readonly file: string; readonly line: number };

/**
 * `agreement`: what the tests ask for is told to the agent. Absolute paths and imported modules in tests/ that neither
 * the instruction nor the environment's files mention are named. Only ever a warning: a text can say it in other words.
 */
export const agreement = defineGate({
  id: "agreement",
  cost: "static",
  measures: "Paths and modules that the tests name stand in the instruction or in the environment's files.",
  requiredAt: [],
  appliesTo: (task) => task.requirements === null,
  async look({ instruction }, { files }) {
    const told = `${instruction}\n${environmentText(files)}`;
    const unnamed = namesIn(files).filter(({ name }) => !isTold(name, told));
    return {
      status: unnamed.length === 0 ? "pass" : "warn",
      measured: { unnamed: unnamed.length },
      evidence: unnamed.slice(0, 20).map(
        ({ name, file, line }): Evidence => ({
          message: `${name} is asked for here, but neither the instruction nor the environment names it`,
          file,
          line,
          rule: "unnamed_requirement",
        }),
      ),
      remediation: "Say in the instruction what files and names the tests expect, or accept any.",
    };
  },
});

const inTests = /^(steps\/[^/]+\/)?tests\//;

/** The first place of each path and module, in the order of the files. */
function namesIn(files: TaskFiles): Name[] {
  const found = new Map<string, Name>();
  const local = new Set(files.paths.filter((path) => inTests.test(path)).map((path) => moduleOf(path)));
  for (const file of files.paths) {
    if (!/^(steps\/[^/]+\/)?tests\/([^/]+\/)?[^/]+\.(py|sh|bats)$/.test(file)) continue;
    const lines = (files.text(file) ?? "").split("\n");
    for (const [index, text] of lines.entries()) {
      if (/^\s*(#|"""|''')/.test(text)) continue;
      const note = (name: string) => {
        if (!found.has(name)) found.set(name, { name, file, line: index + 1 });
      };
      for (const [path] of text.matchAll(pathPattern)) if (!known.test(path) && path.split("/").length > 2) note(path);
      const module = file.endsWith(".py") ? /^\s*(?:from|import)\s+([A-Za-z_]\w*)/.exec(text)?.[1] : undefined;
      if (module !== undefined && !common.has(module) && !local.has(module)) note(module);
    }
  }
  return [...found.values()];
}
const moduleOf = (path: string): string => path.replace(inTests, "").split("/")[0]?.replace(/\.py$/, "") ?? "";

/** A path is told by itself, by its name, or by its folder when the rest is a pattern; a module by its name. */
function isTold(name: string, told: string): boolean {
  const last = name.split("/").at(-1) ?? name;
  return (
    told.includes(name) || new RegExp(`(?<![\\w-])${last.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}(?![\\w-])`).test(told)
  );
}

/** Names and texts of what the image is made from. */
function environmentText(files: TaskFiles): string {
  const paths = files.paths.filter((path) => /^environment\/|^steps\/[^/]+\/workdir\//.test(path));
  const texts = paths.filter((path) => files.size(path) < 256 * 1024).map((path) => files.text(path) ?? "");
  return [
    ...paths.map((path) => path.replace(/^environment\/|^steps\/[^/]+\/workdir\//, "").replace(/\.py$/, " ")),
    ...texts,
  ].join("\n");
}

/** Modules of Python's library that tests use, and of test runners: not something that a task would bring. */
const common = new Set(
  `__future__ abc argparse array ast asyncio base64 binascii bisect builtins bz2 calendar cmath codecs collections colorsys
  concurrent configparser contextlib copy csv ctypes dataclasses datetime dateutil decimal difflib dis email enum errno
  fcntl filecmp fnmatch fractions ftplib functools gc getpass glob grp gzip hashlib heapq hmac html http imaplib importlib
  inspect io ipaddress itertools json keyword linecache locale logging lzma mailbox math mimetypes mmap multiprocessing
  numbers numpy operator os pandas pathlib pickle pkgutil platform plistlib pprint pwd pytest queue random re requests
  resource secrets select shelve shlex shutil signal site socket socketserver sqlite3 ssl stat statistics string struct
  subprocess sys sysconfig syslog tarfile telnetlib tempfile termios textwrap threading time timeit tokenize tomllib
  traceback types typing typing_extensions unicodedata unittest urllib uuid venv warnings wave weakref xml xmlrpc yaml
  zipfile zipimport zlib zoneinfo`.split(/\s+/),
);
