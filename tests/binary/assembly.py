"""Reads assembly that a compiler wrote, as the oracle for hashes of binaries: what a function is, told without addresses.

A function is its instructions; labels in it are replaced by the number of the instruction that they stand before, constants
without a name by their content, and of named data the content is added. Two builds differ in a function exactly if these
texts differ. Nothing of this is shared with Dragnet: it sees text, Dragnet sees linked bytes.
"""

import re
import struct

LABEL = re.compile(r"^([.\w$]+):")
NAME = re.compile(r"[.\w$]+")
COPY_NUMBER = re.compile(r"(\.\d+)+$")


def plain(name):
    return COPY_NUMBER.sub("", name)


class Assembly:
    def __init__(self, text):
        self.functions = {}  # name: lines, labels included
        self.data = {}  # label: directives
        self.aliases = {}  # label: (label, offset), for constants that are a part of another
        self._read(text)

    def _read(self, text):
        code, function = True, None
        kinds = set(re.findall(r"\.type\s+([.\w$]+),\s*[@%]function", text))
        label = None
        comment = "//" if "adrp" in text else "#"
        for name, other, offset in re.findall(r"^\s*\.set\s+([.\w$]+),\s*([.\w$]+)(?:\+(\d+))?", text, re.MULTILINE):
            self.aliases[name] = (other, int(offset or 0))
        for line in text.splitlines():
            line = line.split(comment)[0].strip()
            if not line:
                continue
            if line.startswith((".section", ".text", ".data", ".bss", ".pushsection", ".previous", ".popsection")):
                code = line.startswith(".text") or ".text" in line.split(",")[0]
                continue
            found = LABEL.match(line)
            if found:
                name = found.group(1)
                if code and name in kinds:
                    function = name
                    self.functions[name] = []
                elif code and function:
                    self.functions[function].append(name + ":")
                else:
                    label = name
                    self.data[name] = []
                continue
            if code and function and line.startswith(".size"):
                function = None
            elif code and function and not line.startswith("."):
                self.functions[function].append(re.sub(r"\s+", " ", line))
            elif not code and label and re.match(r"\.(byte|short|hword|value|word|2byte|4byte|8byte|long|quad|xword|zero|string|asciz|ascii|base64)\b", line):
                self.data[label].append(re.sub(r"\s+", " ", line))

    def _positions(self, name):
        positions, number = {}, 0
        for line in self.functions[name]:
            if line.endswith(":"):
                positions[line[:-1]] = number
            elif not line.startswith("nop"):
                number += 1
        return positions

    def normal(self):
        """Each function as a text that does not depend on labels and layout."""
        places = {}
        for name in self.functions:
            for label, number in self._positions(name).items():
                places[label] = (name, number)
        return {name: self._normal(name, places) for name in self.functions}

    def _normal(self, name, places):
        def told(match, depth=0):
            word = match.group(0)
            if word.startswith(".LC") and (number := self._constant(word, match.string)) is not None:
                return number
            if word in places:
                other, number = places[word]
                return f"<{number}>" if other == name else f"<{plain(other)} {number}>"
            if word in self.data and word.startswith("."):
                return self._content(word, told, depth)
            if word in self.data:
                return plain(word) + self._content(word, told, depth)
            return plain(word) if word in self.functions or "." in word else word

        lines = [line for line in self.functions[name] if not line.endswith(":") and not line.startswith("nop")]
        return "\n".join(NAME.sub(told, line) for line in lines)

    def _constant(self, label, line):
        """A constant of the width that an instruction reads, as it may also be a part of a wider one."""
        width = 4 if re.match(r"\w+ss\b", line) else 8 if re.match(r"\w+sd\b", line) else None
        label, offset = self.aliases.get(label, (label, 0))
        if width is None or label not in self.data:
            return None
        content = b""
        for directive in self.data[label]:
            kind, value = directive.split(" ", 1)
            if kind not in (".long", ".quad"):
                return None
            content += struct.pack("<I" if kind == ".long" else "<Q", int(value) % (1 << (32 if kind == ".long" else 64)))
        return content[offset:offset + width].hex()

    def _content(self, label, told, depth):
        if depth > 2:
            return ""
        return "{" + "; ".join(NAME.sub(lambda match: told(match, depth + 1), line) for line in self.data[label]) + "}"


def changed(old, new):
    """The names of the functions that differ, or are only on one side."""
    old, new = Assembly(old).normal(), Assembly(new).normal()
    return {name for name in set(old) | set(new) if old.get(name) != new.get(name)}
