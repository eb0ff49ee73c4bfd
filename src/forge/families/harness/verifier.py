"""Runs a task's checks and writes its reward.

Reads expected.json and checks.py beside this file, runs check_R1, check_R2, … each by itself, and only then writes
/logs/verifier/ctrf.json and /logs/verifier/reward.json. Imports built-in modules alone, so that it starts in about
ten milliseconds with `python3 -I -S`; what executes artefacts (execution.py) is loaded when a check asks for it.
"""

import posix
import sys

TESTS = __file__.rpartition("/")[0] or "."
LOGS = "/logs/verifier"
MAXIMUM_BYTES = 32 << 20
FILE_TYPE, REGULAR, DIRECTORY, LINK = 0o170000, 0o100000, 0o040000, 0o120000


class Failure(Exception):
    """A requirement that doesn't hold; the message is for the author of the work."""


class Unusable(Exception):
    """This verifier can't judge here: no reward is written."""


def read_file(path, what):
    """The bytes of a regular file, no link followed anywhere in its path."""
    parts = path.strip("/").split("/")
    for end in range(1, len(parts) + 1):
        step = "/" + "/".join(parts[:end])
        try:
            kind = posix.lstat(step).st_mode & FILE_TYPE
        except OSError:
            raise Failure(f"{what} is missing" if end == len(parts) else f"{what} is missing: there is no {step}")
        if kind == LINK:
            raise Failure(f"{step} is a link; a real file is needed")
        if end < len(parts) and kind != DIRECTORY:
            raise Failure(f"{step} is not a directory")
    if kind != REGULAR:
        raise Failure(f"{what} is not a regular file")
    try:
        descriptor = posix.open(path, posix.O_RDONLY | posix.O_NOFOLLOW | posix.O_NONBLOCK | posix.O_CLOEXEC)
    except OSError as error:
        raise Failure(f"{what} can't be read: {error.strerror}")
    try:
        size = posix.fstat(descriptor).st_size
        if size > MAXIMUM_BYTES:
            raise Failure(f"{what} has {size} bytes, more than the {MAXIMUM_BYTES} that are read")
        chunks = []
        while chunk := posix.read(descriptor, 1 << 20):
            chunks.append(chunk)
        return b"".join(chunks)
    finally:
        posix.close(descriptor)


def unique_members(pairs):
    value = dict(pairs)
    if len(value) != len(pairs):
        names = [name for name, _ in pairs]
        raise Failure(f"the JSON key {next(n for n in names if names.count(n) > 1)!r} is there twice")
    return value


def refuse_constant(name):
    raise Failure(f"{name} is not JSON")


def parse_json(text, what):
    """A JSON value. Duplicate keys, NaN, Infinity and anything after the value are refused."""
    try:
        return scan_json(text)
    except Failure as failure:
        raise Failure(f"{what}: {failure}")
    except (ImportError, SystemError, ValueError, RecursionError):
        pass
    import json

    try:
        return json.loads(text, object_pairs_hook=unique_members, parse_constant=refuse_constant)
    except (ValueError, RecursionError) as error:
        raise Failure(f"{what} is not valid JSON: {error}")


def scan_json(text):
    """The C scanner by itself, ten milliseconds sooner than the json package; it has no words for its errors."""
    from _json import make_scanner

    class Context:
        strict, memo, object_hook, object_pairs_hook = True, {}, None, staticmethod(unique_members)
        parse_float, parse_int, parse_constant = float, int, staticmethod(refuse_constant)

    try:
        value, end = make_scanner(Context)(text, len(text) - len(text.lstrip(" \t\r\n")))
    except StopIteration:
        raise ValueError
    if text[end:].strip(" \t\r\n"):
        raise ValueError
    return value


def json_text(value):
    """JSON of what this file writes: strings, finite numbers, lists, dictionaries."""
    if isinstance(value, str):
        out = []
        for character in value:
            code = ord(character)
            if character in '"\\':
                out.append("\\" + character)
            elif 32 <= code < 127:
                out.append(character)
            elif code < 65536:
                out.append(f"\\u{code:04x}")
            else:
                code -= 65536
                out.append(f"\\u{0xD800 + (code >> 10):04x}\\u{0xDC00 + (code & 1023):04x}")
        return '"' + "".join(out) + '"'
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json_text(k)}: {json_text(v)}" for k, v in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(json_text, value)) + "]"
    return "null" if value is None else repr(value)


def short(value):
    text = repr(value)
    return text if len(text) <= 160 else text[:150] + "…"


def difference(actual, wanted, place):
    """Where two JSON values differ first, as a sentence; None when they are equal, types included."""
    if type(actual) is not type(wanted):
        return f"{place} is {short(actual)} ({type(actual).__name__}), {short(wanted)} expected"
    if isinstance(wanted, dict):
        missing = [key for key in wanted if key not in actual]
        extra = [key for key in actual if key not in wanted]
        if missing or extra:
            found = [f"lacks {short(missing[:5])}"] * bool(missing) + [f"has unasked {short(extra[:5])}"] * bool(extra)
            return f"{place} {' and '.join(found)}"
        pairs = ((actual[key], wanted[key], f"{place}[{key!r}]") for key in wanted)
    elif isinstance(wanted, (list, tuple)):
        if len(actual) != len(wanted):
            return f"{place} has {len(actual)} entries, {len(wanted)} expected"
        pairs = ((a, w, f"{place}[{index}]") for index, (a, w) in enumerate(zip(actual, wanted)))
    else:
        return None if actual == wanted else f"{place} is {short(actual)}, {short(wanted)} expected"
    return next((found for found in (difference(*pair) for pair in pairs) if found), None)


class Verifier:
    """What a check gets. Every method that finds a fault raises Failure with a message that says where."""

    def __init__(self, expected, executes):
        self.expected = expected
        self.executes = executes
        self.cache = {}

    def fail(self, message):
        raise Failure(message)

    def expect(self, condition, message):
        if not condition:
            raise Failure(message)

    def equal(self, actual, wanted, what):
        """Equal values of equal types; the message names the first place that differs."""
        found = difference(actual, wanted, what)
        if found:
            raise Failure(found)

    def exists(self, path):
        try:
            posix.lstat(path)
            return True
        except OSError:
            return False

    def read_bytes(self, path):
        if path not in self.cache:
            self.cache[path] = read_file(path, path)
        return self.cache[path]

    def text(self, path):
        """UTF-8 text; a byte order mark is refused."""
        try:
            text = self.read_bytes(path).decode("utf-8")
        except UnicodeDecodeError as error:
            raise Failure(f"{path} is not UTF-8: byte {error.start} can't be decoded")
        self.expect(not text.startswith("\ufeff"), f"{path} starts with a byte order mark")
        return text

    def lines(self, path):
        """Lines without their ends; LF and CRLF are both fine, one end of line at the end of the file is optional."""
        text = self.text(path).replace("\r\n", "\n")
        return text.removesuffix("\n").split("\n") if text else []

    def json(self, path):
        return parse_json(self.text(path), path)

    def json_lines(self, path):
        return [parse_json(line, f"{path} line {number}") for number, line in enumerate(self.lines(path), 1)]

    def csv(self, path, delimiter=","):
        """Rows of strings (RFC 4180 quoting, LF or CRLF)."""
        text = self.text(path).replace("\r\n", "\n").removesuffix("\n")
        if '"' not in text:
            return [line.split(delimiter) for line in text.split("\n")] if text else []
        rows, row, field, index, quoted = [], [], [], 0, False
        while index < len(text):
            character = text[index]
            if quoted:
                if character != '"':
                    field.append(character)
                elif text[index + 1 : index + 2] == '"':
                    field.append('"')
                    index += 1
                else:
                    quoted = False
            elif character == '"' and not field:
                quoted = True
            elif character in (delimiter, "\n"):
                row.append("".join(field))
                field = []
                if character == "\n":
                    rows.append(row)
                    row = []
            else:
                field.append(character)
            index += 1
        self.expect(not quoted, f"{path} ends inside a quoted field")
        row.append("".join(field))
        return rows + [row]

    def rows(self, path, columns, delimiter=","):
        """Rows as dictionaries; the header must name exactly these columns in this order."""
        table = self.csv(path, delimiter)
        self.expect(table, f"{path} is empty")
        self.equal(table[0], list(columns), f"{path}: the header")
        for number, row in enumerate(table[1:], 2):
            self.expect(
                len(row) == len(columns), f"{path} row {number} has {len(row)} fields, {len(columns)} expected"
            )
        return [dict(zip(columns, row)) for row in table[1:]]

    def tree(self, path):
        """Relative paths of everything below a directory except directories, sorted; links and such are refused."""
        found, queue = [], [""]
        if not self.exists(path):
            raise Failure(f"{path} is missing")
        while queue:
            folder = queue.pop()
            for name in posix.listdir(f"{path}/{folder}"):
                relative = f"{folder}{name}"
                kind = posix.lstat(f"{path}/{relative}").st_mode & FILE_TYPE
                if kind == DIRECTORY:
                    queue.append(relative + "/")
                elif kind == REGULAR:
                    found.append(relative)
                else:
                    raise Failure(f"{path}/{relative} is neither a regular file nor a directory")
        return sorted(found)

    def same_as_pristine(self, path):
        """The file or directory (under /app) holds what the task came with: same names, same bytes."""
        pristine = f"{TESTS}/pristine/{path.removeprefix('/app/')}"
        if not self.exists(pristine):
            raise Unusable(f"tests/pristine has no copy of {path}")
        if posix.lstat(pristine).st_mode & FILE_TYPE == DIRECTORY:
            names = self.tree(pristine)
            self.expect(posix.lstat(path).st_mode & FILE_TYPE == DIRECTORY if self.exists(path) else False, f"{path} is missing")
            present = self.tree(path)
            gone = [name for name in names if name not in present]
            extra = [name for name in present if name not in names]
            self.expect(not gone, f"{path}/{(gone or [''])[0]} was removed")
            self.expect(not extra, f"{path}/{(extra or [''])[0]} was added")
        else:
            names = [""]
        for name in names:
            place = f"{path}/{name}" if name else path
            same = read_file(place, place) == read_file(f"{pristine}/{name}" if name else pristine, place)
            self.expect(same, f"{place} was changed")

    def execute(self, argv, stdin=b"", timeout_sec=10, files=None, collect=()):
        """Runs a command on the artefacts, apart from this process; see execution.py. -> exit_code, stdout, …, files"""
        results, collected = self.execute_all(
            [{"argv": argv, "stdin": stdin, "timeout_sec": timeout_sec}], files or {}, collect
        )
        results[0].files = collected
        return results[0]

    def execute_all(self, commands, files=None, collect=()):
        """Several commands in one sandbox, in order. -> ([result, …], {path: bytes or None})"""
        module = {"__name__": "execution", "Failure": Failure, "Unusable": Unusable, "parse_json": parse_json}
        module.update(json_text=json_text, TESTS=TESTS, LOGS=LOGS, read_file=read_file, EXECUTES=self.executes)
        source = read_file(f"{TESTS}/execution.py", "execution.py")
        exec(compile(source, "execution.py", "exec"), module)
        return module["execute"](commands, files or {}, collect)


def write(name, text):
    """Replaces the file, never through a link that somebody left there."""
    path = f"{LOGS}/{name}"
    try:
        posix.unlink(path)
    except FileNotFoundError:
        pass
    flags = posix.O_WRONLY | posix.O_CREAT | posix.O_EXCL | posix.O_NOFOLLOW
    descriptor = posix.open(path, flags, 0o644)
    data = text.encode()
    while data:
        data = data[posix.write(descriptor, data) :]
    posix.close(descriptor)


def main():
    plan = parse_json(read_file(f"{TESTS}/expected.json", "expected.json").decode(), "expected.json")
    module = {"__name__": "checks"}
    exec(compile(read_file(f"{TESTS}/checks.py", "checks.py"), f"{TESTS}/checks.py", "exec"), module)
    verifier = Verifier(plan["expected"], plan["executes"])
    functions = [(requirement, module[f"check_{requirement['id']}"]) for requirement in plan["requirements"]]
    rewards, tests, earned, possible, kept = {"reward": 0.0}, [], 0, 0, 1
    for requirement, function in functions:
        name, message = requirement["id"], None
        try:
            function(verifier)
        except Failure as failure:
            message = str(failure)
        except Unusable:
            raise
        except Exception as error:
            line = error.__traceback__.tb_next.tb_lineno if error.__traceback__.tb_next else 0
            message = f"{type(error).__name__} at line {line} of checks.py: {error}"
        holds = message is None
        rewards[name] = int(holds)
        if requirement["kind"] == "invariant":
            kept *= holds
        else:
            possible += requirement["weight"]
            earned += requirement["weight"] * holds
        print(f"{name} holds" if holds else f"{name} does not hold: {message}")
        test = {"name": name, "status": "passed" if holds else "failed", "duration": 0}
        tests.append(test if holds else {**test, "message": message})
    complete = all(rewards[requirement["id"]] for requirement, _ in functions)
    rewards["reward"] = 1.0 if complete else min(round(kept * earned / possible, 6), 0.999999)
    passed = sum(test["status"] == "passed" for test in tests)
    summary = {"tests": len(tests), "passed": passed, "failed": len(tests) - passed, "pending": 0, "skipped": 0}
    summary.update(other=0, start=0, stop=0)
    write("ctrf.json", json_text({"results": {"tool": {"name": "routesetter"}, "summary": summary, "tests": tests}}))
    try:
        posix.unlink(f"{LOGS}/reward.txt")
    except FileNotFoundError:
        pass
    write("reward.json", json_text(rewards))


try:
    main()
except Unusable as problem:
    print(f"this verifier can't judge here: {problem}")
    sys.exit(3)
