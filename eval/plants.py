"""Changes of source text, planted on purpose: what they look like, and how they become commits."""

import os
import re
import subprocess
from dataclasses import dataclass, field


@dataclass
class Edit:
    """Replaces a text that is in the file exactly once; without `old`, makes a new file."""
    file: str
    old: str
    new: str

    def apply(self, folder):
        path = os.path.join(folder, self.file)
        if not self.old:
            assert not os.path.exists(path), f"{self.file} is there"
            return write(path, self.new)
        text = read(path)
        assert text.count(self.old) == 1, f"{self.file}: {text.count(self.old)} times: {self.old}"
        write(path, text.replace(self.old, self.new))


@dataclass
class Rename:
    """Renames a word wherever it stands in these files."""
    files: list
    old: str
    new: str

    def apply(self, folder):
        for file in self.files:
            path = os.path.join(folder, file)
            text, count = re.subn(rf"\b{re.escape(self.old)}\b", self.new, read(path))
            assert count > 0, f"{file}: no {self.old}"
            write(path, text)


@dataclass
class Plant:
    name: str
    kind: str
    benchmark: str
    function: str           # a pattern for the function that was changed or is new
    edits: list
    scene: str = "plain"    # what the program is like before
    metric: str = "written"


@dataclass
class Subject:
    """A program in a repository: its scenes, each a commit, and the plants, each a commit on top of one."""
    name: str
    files: dict             # path to content
    scenes: dict            # name to edits
    plants: list
    alike: dict             # name to edits: changes that read and write nothing
    alike_in: list          # (scene, benchmark) in which each of these is tried
    folder: str = ""
    made: set = field(default_factory=set)

    def commit(self, name, base, edits):
        """Makes the commit with this tag, unless it was made before."""
        if name in self.made:
            return name
        git(self.folder, "checkout", "-q", "--detach", base)
        for edit in edits:
            edit.apply(self.folder)
        git(self.folder, "add", "-A")
        git(self.folder, "commit", "-q", "-m", name)
        git(self.folder, "tag", name)
        git(self.folder, "checkout", "-q", "main")
        self.made.add(name)
        return name

    def scene(self, name):
        return self.commit(f"scene-{name}", "main", [*self.scenes[name], Edit("SCENE", "", name + "\n")])

    def start(self, folder):
        """Makes the repository, with the program as it is."""
        self.folder = folder
        subprocess.run(["rm", "-rf", folder], check=True)
        subprocess.run(["git", "init", "-q", "-b", "main", folder], check=True)
        for path, content in {**self.files, ".gitignore": ".dragnet/\n"}.items():
            write(os.path.join(folder, path), content)
        git(folder, "add", "-A")
        git(folder, "commit", "-q", "-m", self.name)


def git(folder, *words):
    who = ["-c", "user.name=Eval", "-c", "user.email=eval@example.org", "-c", "gc.auto=0", "-c", "core.looseCompression=1"]
    subprocess.run(["git", "-C", folder, *who, *words], check=True, stdout=subprocess.DEVNULL)


def read(path):
    with open(path, newline="") as file:
        return file.read()


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", newline="") as file:
        file.write(text)


def tree(folder):
    """The files below a folder, by their paths."""
    found = {}
    for place, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(place, name)
            found[os.path.relpath(path, folder)] = read(path)
    return found
