#!/usr/bin/env python3
"""The files of docs/ci.md are what they say: the workflows parse, their scripts are shell, the hook stops a slow push.

  ci_pages.py DRAGNET PAGE

Exit status: 0 when all of it holds, 1 with a line for each that does not.
"""

import os
import re
import subprocess
import sys
import tempfile

import yaml


def blocks(page):
    """The fenced blocks of a page, by the file that their heading names."""
    found, heading = {}, None
    for match in re.finditer(r"^## .*?`(.+?)`$|^```(\w+)\n(.*?)^```$", page, re.M | re.S):
        if match.group(1):
            heading = match.group(1)
        elif heading:
            found[heading] = match.group(3)
    return found


def scripts_of(document):
    """All shell scripts in a workflow, whatever their depth."""
    if isinstance(document, dict):
        for key, value in document.items():
            if key in ("run", "script", "before_script"):
                yield "\n".join(value) if isinstance(value, list) else value
            else:
                yield from scripts_of(value)
    elif isinstance(document, list):
        for value in document:
            yield from scripts_of(value)


def wrong_workflow(name, text):
    document = yaml.safe_load(text)
    scripts = list(scripts_of(document))
    if not scripts:
        yield f"{name}: has no script"
    for script in scripts:
        plain = re.sub(r"\$\{\{.*?\}\}", "x", script)
        ended = subprocess.run(["sh", "-n"], input=plain, capture_output=True, text=True)
        if ended.returncode:
            yield f"{name}: {ended.stderr.strip()}"
    for needed in ("dragnet check", ".dragnet", "check.md"):
        if needed not in text:
            yield f"{name}: says nothing of {needed}"


PROGRAM = "int main(void) {{ volatile int s = 0; for (int i = 0; i < {}; ++i) s ^= i; return 0; }}\n"
PROJECT = """[build]
command = "cc -O1 -g -o $DRAGNET_BUILD/tool tool.c"
[measure]
warm-up = 0
[[benchmark]]
name = "rounds"
command = "$DRAGNET_BUILD/tool"
metrics = ["instructions"]
"""


def wrong_hook(dragnet, text):
    """Pushes a harmless and a slow commit through the hook."""
    with tempfile.TemporaryDirectory() as folder:
        environment = dict(os.environ, PATH=os.path.dirname(dragnet) + ":" + os.environ["PATH"], HOME=folder, GIT_CONFIG_NOSYSTEM="1")
        work = os.path.join(folder, "work")

        def git(*words, where=work):
            identity = ["-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "init.defaultBranch=main"]
            return subprocess.run(["git", *identity, *words], cwd=where, env=environment, capture_output=True, text=True)

        def commit(rounds, message):
            with open(os.path.join(work, "tool.c"), "w") as file:
                file.write(PROGRAM.format(rounds) + f"/* {message} */\n")
            git("add", "-A")
            git("commit", "-qm", message)

        git("init", "-q", "--bare", "other.git", where=folder)
        git("clone", "-q", "other.git", "work", where=folder)
        with open(os.path.join(work, "dragnet.toml"), "w") as file:
            file.write(PROJECT)
        commit(100000, "one")
        git("push", "-q", "origin", "HEAD:main")
        hook = os.path.join(work, ".git/hooks/pre-push")
        with open(hook, "w") as file:
            file.write(text)
        os.chmod(hook, 0o755)
        commit(100000, "a comment")
        pushed = git("push", "origin", "HEAD:main")
        if pushed.returncode:
            yield f"the hook stops a harmless push: {pushed.stderr}"
        commit(200000, "slower")
        stopped = git("push", "origin", "HEAD:main")
        if stopped.returncode == 0 or "something regressed" not in stopped.stderr:
            yield f"the hook lets a slow push pass: {stopped.stderr}"


def main():
    dragnet, page = os.path.abspath(sys.argv[1]), sys.argv[2]
    with open(page, encoding="utf-8") as file:
        files = blocks(file.read())
    wrong = []
    for name in (".github/workflows/performance.yml", ".gitlab-ci.yml"):
        wrong += wrong_workflow(name, files[name]) if name in files else [f"{name}: is not there"]
    wrong += wrong_hook(dragnet, files[".git/hooks/pre-push"])
    for line in wrong:
        print(line)
    return 1 if wrong else 0


sys.exit(main())
