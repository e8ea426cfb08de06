#!/usr/bin/env python3
"""Runs clang-tidy on sources, and remembers which were clean.

  tools/tidy.py BUILD_FOLDER FILE...

A source is not looked at again while it, all that it includes (comments too, because they switch checks off), its compiler's
arguments, the checks and clang-tidy itself stay the same. What is remembered lies in ~/.cache/dragnet/tidy.
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


def cache_folder():
    base = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    folder = os.path.join(base, "dragnet/tidy")
    os.makedirs(folder, exist_ok=True)
    return folder


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
    named = " ".join(arguments).replace(os.getcwd(), "")
    return hashlib.sha256(b"\0".join([checks, named.encode(), ended.stdout])).hexdigest()


def look_at(entry, build, checks, folder):
    """The complaints about one source; empty when it is clean."""
    key = key_of(entry, checks)
    stamp = os.path.join(folder, key) if key else None
    if stamp and os.path.exists(stamp):
        return ""
    ended = subprocess.run([TIDY, "-p", build, "-quiet", entry["file"]], capture_output=True, text=True)
    if ended.returncode == 0 and not ended.stdout.strip():
        if stamp:
            open(stamp, "w").close()
        return ""
    return ended.stdout or ended.stderr


def main():
    build, wanted = sys.argv[1], {os.path.abspath(path) for path in sys.argv[2:]}
    with open(os.path.join(build, "compile_commands.json")) as file:
        entries = [entry for entry in json.load(file) if os.path.abspath(os.path.join(entry["directory"], entry["file"])) in wanted]
    missing = wanted - {os.path.abspath(os.path.join(entry["directory"], entry["file"])) for entry in entries}
    for path in sorted(missing):
        print(f"{path}: nothing is known of how it is compiled")
    with open(".clang-tidy", "rb") as file:
        checks = file.read() + subprocess.run([TIDY, "--version"], capture_output=True, check=True).stdout
    folder, unclean = cache_folder(), len(missing)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for complaints in pool.map(lambda entry: look_at(entry, build, checks, folder), entries):
            if complaints:
                unclean += 1
                print(complaints, flush=True)
    return 1 if unclean else 0


sys.exit(main())
