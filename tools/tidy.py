#!/usr/bin/env python3
"""Runs clang-tidy on sources, and remembers which were clean.

  tools/tidy.py BUILD_FOLDER FILE...

A source is not looked at again while it, all that it includes (comments too, because they switch checks off), its compiler's
arguments, the checks and clang-tidy itself stay the same. What is remembered stands in tools/tidy.clean, a line for each source:
looking at all of them takes more than an hour of processor time, and a fresh clone need not do it again. Commit it.
Prints the complaints; exit status 0 when there are none.
"""

import concurrent.futures
import hashlib
import json
import os
import shlex
import subprocess
import sys

TIDY, COMPILER = "clang-tidy-19", "clang++-19"
ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
RECORD = os.path.join(ROOT, "tools/tidy.clean")


def read_record():
    """By source: the key of what was clean."""
    if not os.path.exists(RECORD):
        return {}
    with open(RECORD) as file:
        return {path: key for key, path in (line.split() for line in file)}


def write_record(clean):
    """At once, so that an interrupted look is not lost. What is gone from the tree is forgotten."""
    with open(RECORD + ".new", "w") as file:
        file.writelines(f"{clean[path]} {path}\n" for path in sorted(clean) if os.path.exists(os.path.join(ROOT, path)))
    os.replace(RECORD + ".new", RECORD)


def path_of(entry):
    return os.path.abspath(os.path.join(entry["directory"], entry["file"]))


def arguments_of(entry):
    """The compiler's arguments without its name, what is compiled and where to."""
    words = shlex.split(entry["command"]) if "command" in entry else entry["arguments"]
    kept, skip = [], False
    for word in words[1:]:
        if skip:
            skip = False
        elif word in ("-o", "-MF", "-MT", "-c"):
            skip = True
        elif word not in ("-MD", "-MMD") and not word.endswith(("ccache", "clang++-19", "c++")):
            kept.append(word)
    return kept


def key_of(entry, checks):
    """Names all that the complaints can depend on; nothing where it does not even preprocess."""
    arguments = arguments_of(entry)
    ended = subprocess.run([COMPILER, *arguments, "-E", "-C", "-P", entry["file"]], cwd=entry["directory"], capture_output=True)
    if ended.returncode:
        return None
    # The same source in another folder is the same source.
    seen = " ".join(arguments).encode() + b"\0" + ended.stdout
    return hashlib.sha256(checks + b"\0" + seen.replace(ROOT.encode(), b"")).hexdigest()[:32]


def look_at(entry, build, checks, known):
    """The key of one source, and the complaints about it; empty when it is clean."""
    key = key_of(entry, checks)
    if key and key == known:
        return key, ""
    ended = subprocess.run([TIDY, "-p", build, "-quiet", entry["file"]], capture_output=True, text=True)
    if ended.returncode == 0 and not ended.stdout.strip():
        return key, ""
    return key, ended.stdout or ended.stderr


def look_at_all(entries, build, checks):
    """How many sources have complaints, which are printed."""
    clean, unclean = read_record(), 0
    names = [os.path.relpath(path_of(entry), ROOT) for entry in entries]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        looks = pool.map(lambda entry, name: look_at(entry, build, checks, clean.get(name)), entries, names)
        for name, (key, complaints) in zip(names, looks):
            if complaints:
                unclean += 1
                print(complaints, flush=True)
            elif key and clean.get(name) != key:
                clean[name] = key
                write_record(clean)
    return unclean


def main():
    build, wanted = sys.argv[1], {os.path.abspath(path) for path in sys.argv[2:]}
    with open(os.path.join(build, "compile_commands.json")) as file:
        entries = [entry for entry in json.load(file) if path_of(entry) in wanted]
    missing = wanted - {path_of(entry) for entry in entries}
    for path in sorted(missing):
        print(f"{path}: nothing is known of how it is compiled")
    with open(".clang-tidy", "rb") as file:
        checks = file.read() + subprocess.run([TIDY, "--version"], capture_output=True, check=True).stdout
    unclean = look_at_all(entries, build, checks)
    return 1 if missing or unclean else 0


sys.exit(main())
