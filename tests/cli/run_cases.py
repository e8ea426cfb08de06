#!/usr/bin/env python3
"""Runs end-to-end cases: plain text files with commands, expected lines and expected exit status.

  run_cases.py DRAGNET FILE...

A case is a file. It runs in an empty folder of its own, through sh, with `dragnet` on the PATH. In it:

  # a comment
  $ COMMAND            runs; further lines that begin with two blanks belong to it
  ? STATUS             the exit status that it must have (0 where this is missing)
  > TEXT               a line of standard output must contain TEXT, after the line of the expectation before
  2> TEXT              the same for standard error
  !> TEXT              no line of standard output or standard error may contain TEXT

`...` inside TEXT stands for anything on the line.
Exit status: 0 when all cases hold, 1 when one does not, 2 for wrong usage.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile


class Step:
    def __init__(self, line, command):
        self.line, self.command, self.status, self.expected = line, command, 0, []


def parse(path):
    steps = []
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            line = line.rstrip("\n")
            if line.startswith("$ "):
                steps.append(Step(number, line[2:]))
            elif line.startswith("  ") and steps and not steps[-1].expected:
                steps[-1].command += "\n" + line[2:]
            elif line.startswith("? "):
                steps[-1].status = int(line[2:])
            elif line.startswith(("> ", "2> ", "!> ")):
                kind, text = line.split(" ", 1)
                steps[-1].expected.append((kind, text))
            elif line and not line.startswith("#"):
                raise SystemExit(f"{path}:{number}: neither a command nor an expectation: {line}")
    return steps


def matcher(text):
    return re.compile(".*".join(re.escape(part) for part in text.split("...")))


def complaint(step, ended):
    """What does not hold, or nothing."""
    if ended.returncode != step.status:
        return f"ended with {ended.returncode}, not {step.status}"
    streams = {">": ended.stdout.splitlines(), "2>": ended.stderr.splitlines()}
    at = {">": 0, "2>": 0}
    for kind, text in step.expected:
        wanted = matcher(text)
        if kind == "!>":
            if any(wanted.search(line) for line in streams[">"] + streams["2>"]):
                return f"must not print: {text}"
            continue
        found = next((i for i in range(at[kind], len(streams[kind])) if wanted.search(streams[kind][i])), None)
        if found is None:
            return f"does not print ({kind}) from line {at[kind] + 1} on: {text}"
        at[kind] = found + 1
    return None


def run_case(dragnet, path):
    folder = tempfile.mkdtemp(prefix="dragnet-case-")
    environment = {
        "PATH": os.path.dirname(dragnet) + ":" + os.environ["PATH"], "HOME": folder, "LANG": "C.UTF-8",
        "GIT_CONFIG_NOSYSTEM": "1", "GIT_AUTHOR_NAME": "A", "GIT_AUTHOR_EMAIL": "a@example.org",
        "GIT_COMMITTER_NAME": "A", "GIT_COMMITTER_EMAIL": "a@example.org",
        "GIT_AUTHOR_DATE": "2026-01-01T00:00:00Z", "GIT_COMMITTER_DATE": "2026-01-01T00:00:00Z",
        "PROGRAMS": os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "programs"),
    }
    try:
        for step in parse(path):
            ended = subprocess.run(["sh", "-c", step.command], cwd=folder, env=environment, text=True,
                                   errors="replace", stdin=subprocess.DEVNULL, capture_output=True, timeout=300)
            wrong = complaint(step, ended)
            if wrong:
                print(f"{path}:{step.line}: $ {step.command}\n  {wrong}\n"
                      f"--- stdout\n{ended.stdout}--- stderr\n{ended.stderr}---")
                return False
        return True
    finally:
        subprocess.run(["chmod", "-R", "u+rwx", folder], check=False)
        shutil.rmtree(folder, ignore_errors=True)


def main():
    if len(sys.argv) < 3:
        print(__doc__)
        return 2
    dragnet = os.path.abspath(sys.argv[1])
    results = [run_case(dragnet, path) for path in sys.argv[2:]]
    print(f"{sum(results)} passed, {len(results) - sum(results)} failed")
    return 0 if all(results) else 1


sys.exit(main())
