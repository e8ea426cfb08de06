#!/usr/bin/env python3
"""C sources for a preprocessor's suite in eval/rank, the same on each machine: sources.py FOLDER"""

import os
import random
import sys

CHANCE = random.Random(2026)
STEMS = ["".join(CHANCE.choices("etaoinshrdlucmfw", k=CHANCE.randint(2, 9))) for _ in range(400)]
OPERATORS = ["+", "-", "*", "/", "%", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "&", "|", "^", "<", ">"]
ASSIGNMENTS = ["=", "+=", "-=", "*=", "/=", "%=", "<<=", ">>=", "&=", "|=", "^="]


def word():
    return CHANCE.choice(STEMS)


def words(count):
    return " ".join(word() for _ in range(count))


def lines(count, line):
    return "".join(line(i) + "\n" for i in range(count))


# ---- text without directives

def statement(i):
    return f"    {word()}_{i % 50} = {word()}({word()}, {i}) + {word()}[{i % 7}];"


def plain():
    return lines(120, lambda i: f"static int {word()}_{i}(int {word()}, char *{word()})\n{{\n" + lines(8, statement) + "    return 0;\n}")


def comments():
    return lines(250, lambda i: f"/* {words(12)}\n * {words(10)}\n */\nint {word()}_{i}; // {words(8)}")


def strings():
    return lines(500, lambda i: f'const char *{word()}_{i} = "{words(6)}\\n\\"{word()}\\"" "{words(3)}"; char c{i} = \'\\n\';')


def raw_strings():
    return lines(250, lambda i: f'const char *{word()}_{i} = R"end({words(5)}\n"{words(4)}" \\ {word()})end";')


def numbers():
    return lines(600, lambda i: f"double n{i}[] = {{ {i}, 0x{i:x}u, {i}.25e+{i % 30}, .5f, 1'000'{i % 900 + 100}, 0b1011, {i}ULL }};")


def operators():
    return lines(500, lambda i: f"a{i % 9} {ASSIGNMENTS[i % 11]} b->c::d {CHANCE.choice(OPERATORS)} --e {CHANCE.choice(OPERATORS)} f++ {CHANCE.choice(OPERATORS)} (g.*h);")


def brackets():
    return lines(60, lambda i: "x" + "({[" * 20 + word() + "]})" * 20 + ";")


def one_line():
    return " ".join(f"{word()}({i});" for i in range(2000)) + "\n"


def spaced():
    return lines(900, lambda i: " \t " * 12 + f"int\t\t  {word()}   =\t{i} \t;\r")


def continued():
    return lines(300, lambda i: f"int {word()} = \\\n    {word()} + \\\n    {i} + \\\n    {word()};")


def markers():
    return lines(500, lambda i: f"# {i + 1} \"{STEMS[i % 20]}.h\"\nint {word()}_{i};\n#line {i + 100} \"{STEMS[i % 30]}.c\"\nint {word()}_{i};")


# ---- macros

def objects():
    return lines(400, lambda i: f"#define {STEMS[i].upper()}_{i} {i}") + lines(300, lambda i: f"int {word()} = {word()} + {STEMS[i].upper()}_{i};")


def used():
    return lines(40, lambda i: f"#define VALUE_{i} ({i} + 1)") + lines(700, lambda i: f"int {word()} = VALUE_{i % 40} + VALUE_{(i * 7) % 40};")


def unused():
    return lines(1500, lambda i: f"#define {word().upper()}_{i}(x) {words(6)}")


def chains():
    return "#define LINK_0 1\n" + lines(24, lambda i: f"#define LINK_{i + 1} LINK_{i}") + lines(60, lambda i: f"int {word()} = LINK_24;")


def functions():
    return (lines(30, lambda i: f"#define CALL_{i}(a, b) ((a) + (b) * {i})") +
            lines(250, lambda i: f"int {word()} = CALL_{i % 30}({word()}, {word()} + {i});"))


def inner():
    return "#define MOST(a, b) ((a) < (b) ? (b) : (a))\n" + lines(40, lambda i: f"int {word()} = MOST({word()}, MOST({word()}, MOST({i}, {word()})));")


def variadic():
    return ("#define LOG(level, ...) log(level, __FILE__, __VA_ARGS__)\n#define ALL(...) all(__VA_ARGS__)\n" +
            lines(250, lambda i: f"LOG({i}, \"{word()}\", {word()}, {word()}); ALL({word()}, {word()}, {i}, {word()});"))


def stringified():
    return "#define TEXT(x) #x\n#define SHOWN(x) TEXT(x)\n" + lines(250, lambda i: f"show(TEXT({words(4)} + \"{word()}\"), SHOWN({word()} {i}));")


def pasted():
    return ("#define PASTE(a, b) a ## b\n#define JOINED(a, b) PASTE(a, b)\n#define MEMBER(t, n) t t##_##n\n" +
            lines(250, lambda i: f"int PASTE({word()}, {i}), JOINED({word()}, _{i}); MEMBER({word()}, {word()});"))


def lists():
    listed = "#define LIST(X) " + " ".join(f"X({word()}_{i}, {i})" for i in range(80)) + "\n"
    return listed + lines(6, lambda i: f"#define AS_{i}(name, value) name##_{i} = value,\nenum e{i} {{ LIST(AS_{i}) }};")


def long_macro():
    return f"#define LONG {words(1500)}\n" + lines(8, lambda i: f"int x{i} = LONG;")


def many_parameters():
    names = [f"p{i}" for i in range(50)]
    return f"#define MANY({', '.join(names)}) {' + '.join(names)}\n" + lines(20, lambda i: f"int {word()} = MANY({', '.join(str(k) for k in range(50))});")


def recursive():
    return "#define A B + A\n#define B A + B\n#define F(x) F(x + 1) + x\n" + lines(200, lambda i: f"int {word()} = A + F({i});")


def built_in():
    return lines(400, lambda i: f"where(__FILE__, __LINE__, __COUNTER__); int {word()};")


def redefined():
    return lines(400, lambda i: f"#define CHANGES {i}\nint {word()} = CHANGES;\n#undef CHANGES")


# ---- conditions

def arithmetic():
    return lines(250, lambda i: f"#if ({i} * 3 + 4 - 2) / 2 % 7 << 1 > {i % 11} && (~{i} & 0xff) != 1\nint {word()};\n#endif")


def logic():
    return lines(250, lambda i: f"#if 1 && 0 || !{i % 2} && 1 == 1 || {i} < 5 && 2 >= 1\nint {word()};\n#endif")


def choices():
    return lines(250, lambda i: f"#if ({i % 3} ? {i} : 4 ? 0 : 1)\nint {word()};\n#else\nchar {word()};\n#endif")


def characters():
    return lines(250, lambda i: f"#if 'a' + {i} == 97 || '\\n' == 10 || '\\x41' < 'B'\nint {word()};\n#endif")


def macro_conditions():
    return (lines(20, lambda i: f"#define LEVEL_{i} {i}\n#define ABOVE_{i}(x) (LEVEL_{i} > (x))") +
            lines(200, lambda i: f"#if LEVEL_{i % 20} >= 3 && ABOVE_{i % 20}({i % 25})\nint {word()};\n#endif"))


def defined():
    return (lines(100, lambda i: f"#define HAS_{i * 2}") +
            lines(250, lambda i: f"#if defined(HAS_{i % 200}) && !defined HAS_{i % 77} || defined(__unix__)\nint {word()};\n#endif"))


def if_defined():
    return (lines(100, lambda i: f"#define HAS_{i * 2}") +
            lines(500, lambda i: f"#ifdef HAS_{i % 200}\nint {word()};\n#else\nchar {word()};\n#endif\n#ifndef HAS_{i % 99}\nlong {word()};\n#endif"))


def skipped():
    return lines(12, lambda i: "#if 0\n" + lines(120, statement) + "#endif")


def skipped_deeply():
    return lines(60, lambda i: "#if 0\n" + "#ifdef X\n#if Y\n" * 6 + lines(3, statement) + "#else\n#endif\n#endif\n" * 6 + "#endif")


def chosen():
    return lines(20, lambda i: "#if 0\nint a;\n" + lines(30, lambda k: f"#elif {k} == {i + 5}\nint {word()};") + "#else\nint b;\n#endif")


def guarded():
    return "#define DEEP 1\n" + "#if DEEP\n" * 200 + lines(50, statement) + "#endif\n" * 200


# ---- headers

def header(i, others):
    included = "".join(f'#include "header_{other}.h"\n' for other in others)
    return f"#ifndef HEADER_{i}\n#define HEADER_{i}\n{included}#define FROM_{i} {i}\n" + lines(15, statement) + "#endif\n"


def headers():
    return lines(60, lambda i: f'#include "header_{i}.h"\nint x{i} = FROM_{i};')


def again():
    return lines(500, lambda i: f'#include "header_{i % 5}.h"')


def once():
    return lines(300, lambda i: f'#include "once_{i % 10}.h"')


def inside():
    return lines(200, lambda i: '#include "piece.h"')


def missing():
    return lines(60, lambda i: f"#include <not_there_{i}.h>\nint {word()};")


def by_macro():
    return lines(10, lambda i: f'#define NAME_{i} "once_{i}.h"') + lines(150, lambda i: f"#include NAME_{i % 10}")


MAKERS = [plain, comments, strings, raw_strings, numbers, operators, brackets, one_line, spaced, continued, markers, objects, used, unused, chains, functions,
          inner, variadic, stringified, pasted, lists, long_macro, many_parameters, recursive, built_in, redefined, arithmetic, logic, choices, characters,
          macro_conditions, defined, if_defined, skipped, skipped_deeply, chosen, guarded, headers, again, once, inside, missing, by_macro]


def write(folder, name, text, encoding="ascii"):
    with open(os.path.join(folder, name), "w", encoding=encoding, newline="") as file:
        file.write(text)


def main(folder):
    os.makedirs(folder, exist_ok=True)
    for make in MAKERS:
        write(folder, make.__name__ + ".c", make())
    write(folder, "utf16.c", plain(), "utf-16")
    for i in range(60):
        write(folder, f"header_{i}.h", header(i, [k for k in (i + 1, i + 7, i * 2) if i < k < 60]))
    for i in range(10):
        write(folder, f"once_{i}.h", "#pragma once\n" + lines(20, statement))
    write(folder, "piece.h", f"int {word()};\n")


main(sys.argv[1])
