"""Runs scenarios in copies of a project and prints what came of each step, as JSON. Not the judge: only its hands."""

import hashlib
import json
import os
import shutil
import signal
import subprocess
import sys
import time

plan = json.load(sys.stdin)
made = ("build", "gen", "dist", "stage")


def files_of(root):
    found = []
    for folder, _, names in os.walk(root):
        found += [os.path.relpath(os.path.join(folder, name), root) for name in names]
    return sorted(found)


def put(root, path, text):
    place = os.path.join(root, path)
    os.makedirs(os.path.dirname(place), exist_ok=True)
    with open(place, "w", newline="") as target:
        target.write(text)


def age(root, seconds):
    for folder, _, names in os.walk(root):
        for place in [folder] + [os.path.join(folder, name) for name in names]:
            moment = os.stat(place).st_mtime_ns - seconds * 10**9
            os.utime(place, ns=(moment, moment))


def text(root, path):
    try:
        with open(os.path.join(root, path), newline="", errors="replace") as source:
            return source.read(1 << 20)
    except OSError:
        return None


def stamp(root, path):
    try:
        return os.stat(os.path.join(root, path)).st_mtime_ns
    except OSError:
        return None


def make(root, args):
    args = [one.replace("@", root) for one in args]
    child = subprocess.Popen(["make", *args], cwd=root, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                             stderr=subprocess.DEVNULL, start_new_session=True)
    try:
        return child.wait(8) == 0
    except subprocess.TimeoutExpired:
        os.killpg(child.pid, signal.SIGKILL)
        child.wait()
        return None


def members(root, path):
    import tarfile

    try:
        with tarfile.open(os.path.join(root, path), "r:") as archive:
            found = []
            for entry in archive:
                name = entry.name
                if entry.uid or entry.gid or entry.uname or entry.gname or not entry.isreg():
                    name += " (not a plain file of 0:0)"
                found.append([name, int(entry.mtime), entry.mode])
            return found
    except (OSError, tarfile.TarError):
        return None


def play(root, sources, steps, results):
    sources, noted, seen, begun = set(sources), {}, {}, time.monotonic()
    for step in steps:
        kind, path = step["do"], step.get("path")
        if kind == "make":
            results.append(make(root, step["args"]) if time.monotonic() - begun < 20 else None)
        elif kind == "write":
            age(root, 10)
            put(root, path, step["text"])
            sources.add(path)
        elif kind == "read":
            results.append(text(root, path))
        elif kind == "made":
            results.append([path for path in files_of(root) if path not in sources])
        elif kind == "note":
            age(root, 10)
            noted = {path: stamp(root, path) for path in files_of(root)}
        elif kind == "rebuilt":
            # A later write ages the whole tree by ten seconds at a time.
            results.append([path for path in step["paths"] if stamp(root, path) is None
                            or (noted.get(path) or 0) < stamp(root, path)])
        elif kind == "members":
            results.append(members(root, path))
        elif kind == "same":
            data = text(root, path)
            digest = None if data is None else hashlib.sha256(data.encode("utf-8", "replace")).hexdigest()
            results.append(None if path not in seen else digest is not None and digest == seen[path])
            seen[path] = digest
    return results


def checkout(root, files):
    shutil.copytree(plan["project"], root, ignore=lambda folder, names: [
        one for one in names if os.path.islink(os.path.join(folder, one))
        or (folder == plan["project"] and (one in made or one in plan["replaced"]))])
    for path, content in files.items():
        put(root, path, content)
    for folder, _, _ in os.walk(root):
        os.chmod(folder, 0o755)
    age(root, int(time.time() - os.stat(root).st_mtime) + 1000)
    return set(files_of(root))


answers, built = {}, None
for name, steps in plan["scenarios"].items():
    root = os.path.join("/tmp", "work-" + name)
    try:
        if steps[0] == {"do": "make", "args": []}:
            # Most scenarios begin with a whole build; it is done once and copied with its times.
            if built is None:
                built = (checkout("/tmp/work-built", plan["files"]), make("/tmp/work-built", []))
            shutil.copytree("/tmp/work-built", root, symlinks=True)
            answers[name] = play(root, built[0], steps[1:], [built[1]])
        else:
            answers[name] = play(root, checkout(root, plan["files"]), steps, [])
    except Exception as error:
        answers[name] = [f"{type(error).__name__}: {error}"]
    shutil.rmtree(root, ignore_errors=True)
shutil.rmtree("/tmp/work-built", ignore_errors=True)
print(json.dumps(answers))
