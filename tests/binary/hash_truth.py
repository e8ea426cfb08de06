#!/usr/bin/env python3
"""Do the hashes of functions tell the truth? Real code is compiled twice and `dragnet diff --files` is compared with the
compiler's own assembly.

  hash_truth.py DRAGNET SCRATCH [layout|mutations|arm]

layout: the same code in another order, with padding, in other sections, with comments and other line numbers, with -g: no
function may differ. mutations: at least 300 mutations of a token; every function whose assembly differs must be reported,
and no other. arm: both for AArch64, cross-compiled. Prints a line per check; ends with 1 if any failed.
"""

import json
import os
import random
import re
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import assembly
import mutations

STB = "/usr/include/stb"
# Real C code from Debian's libstb-dev, one file each: the header and the macro that makes it code.
UNITS = {
    "image": ("stb_image.h", "STB_IMAGE_IMPLEMENTATION"),
    "resize": ("stb_image_resize.h", "STB_IMAGE_RESIZE_IMPLEMENTATION"),
    "write": ("stb_image_write.h", "STB_IMAGE_WRITE_IMPLEMENTATION"),
    "truetype": ("stb_truetype.h", "STB_TRUETYPE_IMPLEMENTATION"),
    "vorbis": ("stb_vorbis.h", ""),
    "sprintf": ("stb_sprintf.h", "STB_SPRINTF_IMPLEMENTATION"),
    "dxt": ("stb_dxt.h", "STB_DXT_IMPLEMENTATION"),
    "hexwave": ("stb_hexwave.h", "STB_HEXWAVE_IMPLEMENTATION"),
}


class Workshop:
    def __init__(self, dragnet, scratch, arm=False):
        self.dragnet, self.scratch, self.arm = dragnet, scratch, arm
        os.makedirs(scratch, exist_ok=True)

    def compiler(self):
        if not self.arm:
            return ["gcc"]
        return ["clang-19", "--target=aarch64-linux-gnu", "-isystem", "/usr/aarch64-linux-gnu/include", "-fPIC"]

    def path(self, name):
        return os.path.join(self.scratch, name)

    def assembly(self, name, unit, text, flags=()):
        """The assembly of a unit whose header has this text."""
        source = self.path(name + ".c")
        with open(source, "w") as file:
            macro = UNITS[unit][1]
            file.write((f"#define {macro}\n" if macro else "") + text)
        output = self.path(name + ".s")
        ended = subprocess.run([*self.compiler(), "-O2", "-w", "-DNDEBUG", "-DSTBI_NO_THREAD_LOCALS", "-include", "string.h", "-I", STB, *flags, "-S", source, "-o", output],
                               capture_output=True, text=True)
        return (output, "") if ended.returncode == 0 else (None, ended.stderr)

    def link(self, name, parts, flags=()):
        output = self.path(name)
        if self.arm:
            command = [*self.compiler(), "-shared", "-nostdlib", "-fuse-ld=lld-19", *flags, *parts, "-o", output]
        else:
            with open(self.path("main.c"), "w") as file:
                file.write("int main(void) { return 0; }\n")
            command = ["gcc", *flags, self.path("main.c"), *parts, "-lm", "-o", output]
        subprocess.run(command, check=True, capture_output=True)
        return output

    def reported(self, old, new):
        ended = subprocess.run([self.dragnet, "diff", "--files", old, new, "--format", "json"], capture_output=True, text=True)
        if ended.returncode != 0:
            raise SystemExit(f"dragnet diff ended with {ended.returncode}: {ended.stderr}")
        answer = json.loads(ended.stdout)
        # A function that is recognised under another name is a change of both.
        names = [change[key] for change in answer["changes"] for key in ("function", "old_function") if key in change]
        return {name.split("@")[0] for name in names}, answer["new_functions"]


def read(path):
    with open(path) as file:
        return file.read()


def with_comments(text):
    """Other line numbers and comments, the same code."""
    return "/* one\n two */\n" + text.replace("\n{", " // begins\n\n{")


def check(label, condition, detail):
    print(f"{'ok  ' if condition else 'FAIL'} {label}: {detail}")
    return condition


def base_parts(shop, prefix, flags=()):
    parts = {}
    for unit, (header, _) in UNITS.items():
        output, errors = shop.assembly(f"{prefix}-{unit}", unit, read(os.path.join(STB, header)), flags)
        if output is None:
            raise SystemExit(f"{unit} does not compile: {errors}")
        parts[unit] = output
    return parts


def shuffled_names(parts, seed):
    names = []
    for part in parts:
        names += sorted(assembly.Assembly(read(part)).functions)
    random.Random(seed).shuffle(names)
    return names


def layout(shop):
    parts = base_parts(shop, "base")
    base = shop.link("base", parts.values())
    variants = {}
    variants["-g"] = shop.link("debug", base_parts(shop, "debug", ["-g"]).values())
    commented = {}
    for unit, (header, _) in UNITS.items():
        commented[unit] = shop.assembly(f"commented-{unit}", unit, with_comments(read(os.path.join(STB, header))))[0]
    variants["comments and line numbers"] = shop.link("commented", commented.values())
    variants["units in another order"] = shop.link("reversed", list(parts.values())[::-1])
    padded = base_parts(shop, "padded", ["-falign-functions=64", "-falign-loops=64", "-falign-jumps=32"])
    variants["padding"] = shop.link("padded", padded.values())
    held = True
    for label, other in variants.items():
        held &= no_difference(shop, label, base, other)
    sections = base_parts(shop, "sections", ["-ffunction-sections", "-fdata-sections"])
    for place in ([], ["-no-pie"], ["-static"]):
        in_order = shop.link("ordered", sections.values(), place)
        for seed in (1, 2):
            script = section_script(shop, sections.values(), seed)
            other = shop.link(f"shuffled-{seed}", sections.values(), [*place, f"-Wl,--section-ordering-file={script}", "-fuse-ld=gold"])
            gold = shop.link(f"unshuffled-{seed}", sections.values(), [*place, "-fuse-ld=gold"])
            held &= no_difference(shop, f"functions and data shuffled {' '.join(place)} ({seed})", gold, other)
        moved = shop.link("moved", sections.values(), [*place, "-Wl,-z,noseparate-code", "-Wl,--sort-section=alignment"])
        # A static program holds the C library too, whose start code refers to the ends of sections.
        held &= no_difference(shop, f"other sections {' '.join(place)}", in_order, moved, set(shuffled_names(sections.values(), 1)))
    return held


def section_script(shop, parts, seed):
    lines = [f".text.{name}" for name in shuffled_names(parts, seed)]
    objects = sorted({name for part in parts for name in assembly.Assembly(read(part)).data if not name.startswith(".L")})
    random.Random(seed).shuffle(objects)
    lines += [f"{kind}.{name}" for name in objects for kind in (".rodata", ".data", ".bss", ".data.rel.ro.local")]
    path = shop.path(f"order-{seed}")
    with open(path, "w") as file:
        file.write("\n".join(lines) + "\n")
    return path


def no_difference(shop, label, old, new, of=None):
    names, functions = shop.reported(old, new)
    names = names if of is None else names & of
    return check(label, not names and functions >= 300, f"{len(names)} of {functions} functions differ {sorted(names)[:8] if names else ''}")


def compiled_mutant(shop, name, unit, text, chosen, seed):
    """Mutates until it compiles: what the compiler rejects is left out."""
    while chosen:
        mutant, done = mutations.mutate(text, chosen, random.Random(seed))
        output, errors = shop.assembly(name, unit, mutant)
        if output:
            return output, done
        lines = {int(line) - (1 if UNITS[unit][1] else 0) for line in re.findall(r":(\d+):\d+: (?:fatal )?error", errors)}
        bad = {function for function, line, _ in done if line in lines} or {done[0][0]}
        chosen = [entry for entry in chosen if entry[0] not in bad]
    return None, []


def one_round(shop, parts, base, unit, number, sample):
    text = read(os.path.join(STB, UNITS[unit][0]))
    names = set(assembly.Assembly(read(parts[unit])).functions)
    known = [entry for entry in mutations.functions(text) if entry[0] in names]
    chosen = random.Random(number).sample(known, min(sample, len(known)))
    output, done = compiled_mutant(shop, "mutant", unit, text, chosen, number)
    if output is None:
        return 0, set(), set()
    truth = assembly.changed(read(parts[unit]), read(output))
    mutant = shop.link("mutant.out", [*[part for name, part in parts.items() if name != unit], output])
    reported, _ = shop.reported(base, mutant)
    effective = sum(1 for name, _, _ in done if name in truth)
    return effective, truth, reported


def mutate(shop, rounds, least):
    parts = base_parts(shop, "base")
    base = shop.link("base", parts.values())
    effective, missed, false, differ = 0, [], [], 0
    for number in range(rounds):
        unit = list(UNITS)[number % len(UNITS)]
        made, truth, reported = one_round(shop, parts, base, unit, number, 20)
        effective += made
        differ += len(truth)
        plain = lambda names: {assembly.plain(name) for name in names}
        missed += [f"{unit}/{number}: {name}" for name in plain(truth) - plain(reported)]
        false += [f"{unit}/{number}: {name}" for name in plain(reported) - plain(truth)]
    held = check("mutations", effective >= least, f"{effective} functions changed by a mutation of one token in them (at least {least}), {differ} with those that they are inlined into")
    held &= check("missed changes", not missed, f"{len(missed)} {missed[:8]}")
    return held & check("false changes", not false, f"{len(false)} {false[:8]}")


def arm(shop):
    parts = base_parts(shop, "base", ["-ffunction-sections"])
    base = shop.link("base", parts.values())
    held = no_difference(shop, "AArch64, units in another order", base, shop.link("reversed", list(parts.values())[::-1]))
    order = shop.path("order")
    with open(order, "w") as file:
        file.write("\n".join(shuffled_names(parts.values(), 1)) + "\n")
    other = shop.link("shuffled", parts.values(), [f"-Wl,--symbol-ordering-file={order}", "-Wl,--no-warn-symbol-ordering"])
    held &= no_difference(shop, "AArch64, functions shuffled", base, other)
    return held & mutate(shop, 8, 60)


def main():
    dragnet, scratch, what = os.path.abspath(sys.argv[1]), sys.argv[2], sys.argv[3:] or ["layout", "mutations", "arm"]
    held = True
    for name in what:
        shop = Workshop(dragnet, os.path.join(scratch, name), arm=name == "arm")
        held &= {"layout": layout, "mutations": lambda shop: mutate(shop, 32, 300), "arm": arm}[name](shop)
    return 0 if held else 1


if __name__ == "__main__":
    sys.exit(main())
