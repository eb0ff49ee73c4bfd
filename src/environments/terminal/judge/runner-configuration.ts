// Files that change how test runners and interpreters behave by lying in a folder: they can turn a failure into a pass.
import { posix } from "node:path";

const names =
  /^(?:conftest\.py|\.?pytest\.(?:ini|toml)|pyproject\.toml|tox\.ini|setup\.cfg|noxfile\.py|\.coveragerc|nose2?\.cfg|unittest\.cfg|(?:jest|vitest|vite|playwright|karma|ava|babel|cypress)\.config\.[cm]?[jt]sx?(?:on)?|\.mocharc(?:\.\w+)?|\.babelrc(?:\.\w+)?|\.taprc|\.rspec|\.phpunit\.xml|phpunit\.xml(?:\.dist)?|\.nycrc(?:\.json)?|\.env)$/;

/** Compiled twins count too: `__pycache__/conftest.*.pyc`. */
export function isRunnerConfiguration(path: string): boolean {
  const name = posix.basename(path);
  return names.test(name) || /^conftest\.[\w.-]*\.?py[co]$/.test(name);
}

// Modules that Python and pytest load on their own; a file of that name in the working directory comes first.
const modules = new Set(
  `abc argparse ast asyncio atexit base64 bdb binascii bisect builtins bz2 calendar code codecs codeop collections
  compileall configparser contextlib contextvars copy copyreg csv ctypes dataclasses datetime decimal difflib dis doctest
  email encodings enum errno exceptiongroup faulthandler filecmp fnmatch fractions functools gc genericpath gettext glob
  gzip hashlib heapq hmac html http importlib inspect io iniconfig ipaddress itertools json keyword linecache locale
  logging lzma marshal math mimetypes multiprocessing ntpath numbers opcode operator os packaging pathlib pdb pickle
  pkgutil platform pluggy posix posixpath pprint py pydoc pygments pytest queue quopri random re reprlib runpy selectors
  shelve shlex shutil signal site socket socketserver sqlite3 ssl stat statistics string struct subprocess sys sysconfig
  tarfile tempfile textwrap threading time timeit token tokenize tomli tomllib traceback tracemalloc types typing
  typing_extensions unicodedata unittest urllib uuid warnings weakref xml zipfile zipimport zlib zoneinfo _pytest
  attr attrs colorama requests yaml numpy pandas`.split(/\s+/),
);

/** Whether a new entry at the top of the working directory takes the place of a module that the verifier imports. */
export function shadowsModule(path: string, type: string | undefined, workingDirectory: string): boolean {
  const inside = posix.relative(workingDirectory, path);
  if (inside.startsWith("..") || inside === "") return false;
  const [first, ...rest] = inside.split("/") as [string, ...string[]];
  if (first === "__pycache__") return rest.length === 1 && modules.has(rest[0]!.split(".")[0]!);
  const file = /^(\w+)(?:\.[\w-]+)?\.(?:py|pyc|so)$/.exec(first);
  if (rest.length === 0 && file && type !== "directory") return modules.has(file[1]!);
  return rest.length === 1 && modules.has(first) && /^__(?:init|main)__\./.test(rest[0]!);
}
