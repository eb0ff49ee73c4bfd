"""Executes artefacts for a check: through the broker that the runner serves, else under another uid.

Loaded by verifier.py into a namespace that holds Failure, Unusable, parse_json, json_text, read_file, TESTS, LOGS and
EXECUTES. The broker runs the commands in a sandbox of their own; without one (another runner of this task format) the
commands run here as uid 65534 in a new session with limits, the tests and the reward directory closed to it.
"""

import binascii

import _socket
import posix

BROKER = "/run/routesetter/broker.sock"
NOBODY = 65534
MAXIMUM_OUTPUT = 8 << 20


class Result:
    def __init__(self, exit_code, stdout, stderr, timed_out):
        self.exit_code, self.stdout, self.stderr, self.timed_out = exit_code, stdout, stderr, timed_out
        self.files = {}


def encode(data):
    data = data.encode() if isinstance(data, str) else data
    return binascii.b2a_base64(data, newline=False).decode()


def execute(commands, files, collect):
    try:
        posix.lstat(BROKER)
    except OSError:
        return execute_here(commands, files, collect)
    return execute_by_broker(commands, files, collect)


def execute_by_broker(commands, files, collect):
    request = {
        "commands": [
            {
                "argv": list(command["argv"]),
                "stdin": encode(command.get("stdin", b"")),
                "timeout_sec": command.get("timeout_sec", 10),
            }
            for command in commands
        ],
        "files": {path: encode(content) for path, content in files.items()},
        "collect": list(collect),
    }
    connection = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM)
    try:
        connection.connect(BROKER)
        connection.sendall(json_text(request).encode() + b"\n")
        answer = b""
        while not answer.endswith(b"\n"):
            chunk = connection.recv(1 << 18)
            if not chunk:
                break
            answer += chunk
    except OSError as error:
        raise Unusable(f"the broker at {BROKER} doesn't answer: {error}")
    finally:
        connection.close()
    response = parse_json(answer.decode(), "the broker's answer")
    if response.get("error"):
        raise Unusable(f"the broker could not run the commands: {response['error']}")
    decode = binascii.a2b_base64
    results = [
        Result(item["exit_code"], decode(item["stdout"]), decode(item["stderr"]), item["timed_out"])
        for item in response["results"]
    ]
    return results, {path: None if data is None else decode(data) for path, data in response["files"].items()}


def execute_here(commands, files, collect):
    if posix.getuid() != 0:
        raise Unusable("artefacts are executed under another uid, and this verifier isn't root")
    for path in (TESTS, LOGS):
        try:
            posix.chmod(path, 0o700)
        except OSError as error:
            raise Unusable(f"{path} can't be closed to the artefact: {error}")
    print("no broker: the artefact runs under uid 65534 beside the verifier")
    opened, replaced = [], []
    try:
        for path in EXECUTES:
            open_tree(path, opened)
        for path in collect:
            open_directory(parent(path), opened, 0o777)
        for path, content in files.items():
            replaced.append((path, put(path, content)))
        results = [run(command) for command in commands]
        return results, {path: collected(path) for path in collect}
    finally:
        for path, old in reversed(replaced):
            posix.unlink(path)
            if old is not None:
                put(path, old)
        for path, mode in reversed(opened):
            posix.chmod(path, mode)


def parent(path):
    return path.rpartition("/")[0] or "/"


def open_directory(path, opened, mode):
    for end in range(2, len(path.split("/")) + 1):
        step = "/".join(path.split("/")[:end])
        try:
            posix.mkdir(step, 0o755)
        except FileExistsError:
            pass
    before = posix.stat(path).st_mode & 0o7777
    posix.chmod(path, before | mode)
    opened.append((path, before))


def open_tree(path, opened):
    try:
        status = posix.lstat(path)
    except OSError:
        return
    kind = status.st_mode & 0o170000
    if kind == 0o120000:
        return
    posix.chmod(path, status.st_mode & 0o7777 | (0o555 if kind == 0o040000 else 0o444 | status.st_mode & 0o111))
    opened.append((path, status.st_mode & 0o7777))
    if kind == 0o040000:
        for name in posix.listdir(path):
            open_tree(f"{path}/{name}", opened)


def put(path, content):
    open_directory(parent(path), [], 0)
    try:
        old = read_file(path, path)
        posix.unlink(path)
    except Failure:
        old = None
    descriptor = posix.open(path, posix.O_WRONLY | posix.O_CREAT | posix.O_EXCL | posix.O_NOFOLLOW, 0o644)
    data = content.encode() if isinstance(content, str) else content
    while data:
        data = data[posix.write(descriptor, data) :]
    posix.close(descriptor)
    posix.chown(path, NOBODY, NOBODY)
    return old


def collected(path):
    try:
        return read_file(path, path)
    except Failure:
        return None


def run(command):
    import select
    import signal
    import time

    data = command.get("stdin", b"")
    data = data.encode() if isinstance(data, str) else data
    (stdin_read, stdin_write), (stdout_read, stdout_write), (stderr_read, stderr_write) = (
        posix.pipe(),
        posix.pipe(),
        posix.pipe(),
    )
    child = posix.fork()
    if child == 0:
        become(command["argv"], stdin_read, stdout_write, stderr_write, command.get("timeout_sec", 10))
    for descriptor in (stdin_read, stdout_write, stderr_write):
        posix.close(descriptor)
    posix.set_blocking(stdin_write, False)
    output = {stdout_read: b"", stderr_read: b""}
    signal.signal(signal.SIGPIPE, signal.SIG_IGN)
    deadline = time.monotonic() + command.get("timeout_sec", 10)
    status, timed_out, waiting = None, False, set(output)
    while status is None or waiting:
        if not data and stdin_write is not None:
            posix.close(stdin_write)
            stdin_write = None
        left = deadline - time.monotonic()
        if left <= 0:
            timed_out = status is None
            break
        writers = [stdin_write] if stdin_write is not None else []
        readable, writable, _ = select.select(list(waiting), writers, [], min(left, 0.02 if status is None else 0.2))
        for descriptor in readable:
            chunk = posix.read(descriptor, 1 << 16)
            if not chunk:
                waiting.discard(descriptor)
            elif len(output[descriptor]) < MAXIMUM_OUTPUT:
                output[descriptor] += chunk
        if writable:
            try:
                data = data[posix.write(stdin_write, data[:65536]) :]
            except OSError:
                data = b""
        if status is None:
            ended, raw = posix.waitpid(child, posix.WNOHANG)
            if ended:
                status = posix.waitstatus_to_exitcode(raw)
                deadline = min(deadline, time.monotonic() + 0.5)
    try:
        posix.kill(-child, 9)
    except OSError:
        pass
    if status is None:
        posix.waitpid(child, 0)
        status = 124
    for descriptor in (stdout_read, stderr_read, stdin_write):
        if descriptor is not None:
            posix.close(descriptor)
    return Result(status if status >= 0 else 128 - status, output[stdout_read], output[stderr_read], timed_out)


def become(argv, stdin, stdout, stderr, timeout_sec):
    try:
        import resource

        posix.setsid()
        for number, descriptor in enumerate((stdin, stdout, stderr)):
            posix.dup2(descriptor, number, True)
        posix.closerange(3, 256)
        for limit, value in (
            (resource.RLIMIT_CPU, int(timeout_sec) + 1),
            (resource.RLIMIT_FSIZE, 64 << 20),
            (resource.RLIMIT_NPROC, 256),
            (resource.RLIMIT_CORE, 0),
        ):
            resource.setrlimit(limit, (value, value))
        posix.umask(0o022)
        posix.setgroups([])
        posix.setgid(NOBODY)
        posix.setuid(NOBODY)
        environment = {"PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": "/tmp", "LANG": "C.UTF-8"}
        paths = [argv[0]] if "/" in argv[0] else [f"{folder}/{argv[0]}" for folder in environment["PATH"].split(":")]
        for path in paths:
            try:
                posix.execve(path, argv, environment)
            except FileNotFoundError:
                continue
        posix.write(2, f"{argv[0]}: not found\n".encode())
        posix._exit(127)
    except BaseException as error:
        posix.write(2, f"{type(error).__name__}: {error}\n".encode())
        posix._exit(126)
