"""What real commits change in each case of a performance suite, found without Dragnet: by counting and by timing.

A history is a clone of a project, with a dragnet.toml that says how it is built, beside a folder with a suite
(eval/subjects/rank/suite.h) and what it is built with. Each commit that is looked at gets the suite as its folder "suite",
so that both sides of a commit run the same cases, and the project's own tests play no part.
"""

import functools
import glob
import os
import re
import subprocess
import sys
import tempfile
import tomllib

START = "none"
AT_ONCE, ROUNDS = 16, 21
LONGEST = "180"  # seconds that a suite may take below callgrind: some commits hang in a case
# callgrind does not read what Clang says about a program by default.
COMPILERS = {"gcc": {"CC": "gcc", "CXX": "g++"},
             "clang": {"CC": "clang-19", "CXX": "clang++-19", "CFLAGS": "-gdwarf-4", "CXXFLAGS": "-gdwarf-4"}}


def git(folder, *words, **environment):
    return subprocess.run(["git", "-C", folder, *words], check=True, capture_output=True, text=True, env={**os.environ, **environment}).stdout


def written(folder, commit, paths):
    """How many lines of code a commit changes: neither comments nor layout alone."""
    sides = {"+": [], "-": []}
    for line in git(folder, "diff", "-U0", commit + "^1", commit, "--", *paths).splitlines():
        text = "".join(line[1:].split())
        if line[:1] in sides and not line.startswith(("+++", "---")) and text and not text.startswith(("//", "/*", "*", "#")):
            sides[line[0]].append(text)
    return 0 if "".join(sides["+"]) == "".join(sides["-"]) else len(sides["+"]) + len(sides["-"])


def changes(old, new):
    """By case, the change of what it takes beyond the start of the program, as a share; negative: less."""
    before, after = old.get(START, 0), new.get(START, 0)
    return {case: (new[case] - after) / (value - before) - 1 for case, value in old.items() if case in new and case != START}


def common_changes(pairs):
    """By case, the size of the change on which builds by several compilers agree: the smallest, and none where one is faster, another slower."""
    every = [changes(old, new) for old, new in pairs]
    agreed = {}
    for case in every[0]:
        values = [one[case] for one in every]
        agreed[case] = min(map(abs, values)) if all(value > 0 for value in values) or all(value < 0 for value in values) else 0
    return agreed


class History:
    def __init__(self, folder, suite, paths, counted):
        self.folder, self.suite, self.paths = os.path.abspath(folder), os.path.abspath(suite), paths
        self.counted = {compiler: counted.setdefault(compiler, {}) for compiler in COMPILERS}  # by commit and case; grows
        with open(os.path.join(folder, "dragnet.toml"), "rb") as file:
            self.command = tomllib.load(file)["build"]["command"]

    def line(self, most):
        """Commits that change code below the paths, the newest first."""
        line = git(self.folder, "log", "--first-parent", "--min-parents=1", "--format=%H", "--", *self.paths).split()
        return [commit for commit in line[:2 * most] if written(self.folder, commit, self.paths) > 0][:most]

    @functools.cache
    def with_suite(self, commit, base=None):
        """The commit, on a base with its suite or alone, with the suite; the same whenever it is asked for."""
        with tempfile.TemporaryDirectory() as place:
            fixed = {"GIT_INDEX_FILE": place + "/index", "GIT_AUTHOR_NAME": "eval", "GIT_AUTHOR_EMAIL": "eval", "GIT_COMMITTER_NAME": "eval",
                     "GIT_COMMITTER_EMAIL": "eval", "GIT_AUTHOR_DATE": "2000-01-01T00:00:00Z", "GIT_COMMITTER_DATE": "2000-01-01T00:00:00Z"}
            git(self.folder, "read-tree", commit, **fixed)
            for path in sorted(glob.glob(self.suite + "/*")):
                blob = git(self.folder, "hash-object", "-w", path).strip()
                git(self.folder, "update-index", "--add", "--cacheinfo", f"100644,{blob},suite/{os.path.basename(path)}", **fixed)
            parents = ["-p", self.with_suite(base)] if base else []
            tree = git(self.folder, "write-tree", **fixed).strip()
            return git(self.folder, "commit-tree", *parents, "-m", f"{commit} with the suite", tree, **fixed).strip()

    def build(self, commit, place, compiler="gcc"):
        """Makes the commit below a folder; what the build said if it failed."""
        tree, made = os.path.join(place, "tree"), os.path.join(place, "made")
        os.makedirs(tree)
        os.makedirs(made)
        archive = subprocess.run(["git", "-C", self.folder, "archive", self.with_suite(commit)], check=True, capture_output=True).stdout
        subprocess.run(["tar", "x", "-C", tree], input=archive, check=True)
        ended = subprocess.run(["sh", "-c", self.command], cwd=tree, env={**os.environ, **COMPILERS[compiler], "DRAGNET_BUILD": made}, capture_output=True, text=True)
        return None if ended.returncode == 0 else (ended.stdout + ended.stderr)[-1500:]

    def program(self, place):
        return [os.path.join(place, "made/suite")], os.path.join(self.folder, "documents")

    def instructions(self, commit, compiler="gcc"):
        counted = self.counted[compiler]
        if commit not in counted:
            with tempfile.TemporaryDirectory() as place:
                counted[commit] = self.count(commit, place, compiler)
            print(f"  {commit[:8]} {compiler} {counted[commit].get('trouble', 'counted')[-200:]}", file=sys.stderr, flush=True)
        return counted[commit]

    def count(self, commit, place, compiler):
        if trouble := self.build(commit, place, compiler):
            return {"trouble": trouble}
        program, documents = self.program(place)
        ended = subprocess.run(["timeout", LONGEST, "valgrind", "--tool=callgrind", f"--callgrind-out-file={place}/counts.%p", *program, "all", documents],
                               capture_output=True, text=True)
        if ended.returncode != 0:
            return {"trouble": f"ended with {ended.returncode}\n{ended.stderr[-1500:]}"}
        totals = {}
        for path in glob.glob(place + "/counts.*"):
            with open(path, errors="replace") as file:
                text = file.read()
            if case := re.search(r"Client Request: (.*)", text):
                totals[case[1]] = int(re.search(r"^totals: (\d+)", text, re.MULTILINE)[1])
        return totals

    def is_known(self, commit):
        return "trouble" not in self.instructions(commit)

    def changing(self, line, smallest):
        """Pairs of neighbours in the line, the newest first, between which a case changes so much."""
        for at in range(0, len(line) - 1, AT_ONCE):
            yield from self.changing_in(line[at:at + AT_ONCE + 1], smallest)

    # Where no case changes over all of them, none is looked at; otherwise each half is.
    def changing_in(self, line, smallest):
        if len(line) < 2:
            return
        known = self.is_known(line[0]) and self.is_known(line[-1])
        if known and max(map(abs, changes(self.instructions(line[-1]), self.instructions(line[0])).values())) < smallest:
            return
        if len(line) > 2:
            middle = len(line) // 2
            yield from self.changing_in(line[:middle + 1], smallest)
            yield from self.changing_in(line[middle:], smallest)
        elif known:
            yield tuple(line)

    def seconds(self, commits):
        """Processor seconds of each case in rounds, for two commits in turns: a table by case for each."""
        with tempfile.TemporaryDirectory() as place:
            places = [os.path.join(place, commit) for commit in commits]
            for commit, one in zip(commits, places):
                if trouble := self.build(commit, one):
                    return [{"trouble": trouble}] * len(commits)
            cases = [START, *sorted(self.instructions(commits[0]))]
            taken = [{case: [] for case in cases} for _ in commits]
            for turn in range(ROUNDS):
                for case in cases:
                    for side in (0, 1) if turn % 2 else (1, 0):
                        program, documents = self.program(places[side])
                        taken[side][case].append(processor_seconds([*program, case, documents]))
        return taken


def processor_seconds(words):
    _, status, usage = os.wait4(os.posix_spawn(words[0], words, os.environ), 0)
    if status != 0:
        raise RuntimeError(f"{words} failed")
    return round(usage.ru_utime + usage.ru_stime, 6)
