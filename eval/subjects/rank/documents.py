#!/usr/bin/env python3
"""Documents for the suites of eval/rank, the same on each machine: documents.py FOLDER"""

import json
import os
import random
import sys

CHANCE = random.Random(2017)
STEMS = ["".join(CHANCE.choices("etaoinshrdlucmfw", k=CHANCE.randint(2, 9))) for _ in range(800)]


def word():
    return CHANCE.choice(STEMS)


def words(count):
    return " ".join(word() for _ in range(count))


# ---- XML

def attributes():
    return "<list>" + "".join(
        f'<item id="{i}" name="{word()}" kind="k{i % 7}" weight="{i * 0.37:.2f}" open="{"true" if i % 3 else "false"}" note="{words(3)}"/>'
        for i in range(700)) + "</list>"


def article(mark="p"):
    return "<book>" + "".join(f"<chapter><title>{words(4)}</title>" + "".join(f"<{mark}>{words(60)}</{mark}>" for _ in range(6)) +
                              "</chapter>" for _ in range(40)) + "</book>"


def entities():
    return "<log>" + "".join(f'<line at="{i}&quot;{word()}&amp;">{word()} &lt;{word()}&gt; &amp; {word()}&#65;&apos;{word()}</line>\n'
                             for i in range(900)) + "</log>"


def deep():
    return "".join(f'<level n="{i}">{word()}' for i in range(600)) + "".join("</level>" for _ in range(600))


def wide():
    return "<all>" + "".join(f"<e>{i}</e>" for i in range(4000)) + "</all>"


def feed():
    entry = lambda i: (f"<item><!-- number {i} --><title>{words(6)}</title><link>http://{word()}.org/{word()}/{i}</link>"
                       f"<description><![CDATA[<b>{words(30)}</b>]]></description><?mark {word()}?><category>c{i % 9}</category>"
                       f"<pubDate>{2000 + i % 20}-{1 + i % 12:02}-{1 + i % 28:02}</pubDate></item>\n")
    return '<?xml version="1.0"?><rss version="2.0"><channel>' + "".join(entry(i) for i in range(220)) + "</channel></rss>"


def pretty():
    row = lambda i: f"    <row>\r\n        <a> {i}  {word()} </a>\r\n        <b>  {words(3)}\r\n  </b>\r\n        <c>\t{i * i}</c>\r\n    </row>\r\n"
    return "<table>\r\n" + "".join(row(i) for i in range(800)) + "</table>\r\n"


def foreign():
    letters = "äöüßéèñçøåæλμπσφжюящあいう漢字"
    text = lambda: "".join(CHANCE.choices(letters + "abc ", k=50))
    return "<texte>" + "".join(f'<satz nr="{i}" wort="{text()[:8].strip()}">{text()}</satz>' for i in range(700)) + "</texte>"


def numbers():
    return "<points>" + "".join(f'<point x="{CHANCE.uniform(-1000, 1000):.6f}" y="{CHANCE.randint(-10**6, 10**6)}" z="0x{i:x}"/>'
                                for i in range(1500)) + "</points>"


def tree(depth=6):
    if depth == 0:
        return f"<leaf v=\"{CHANCE.randint(0, 99)}\">{word()}</leaf>"
    return f'<node d="{depth}" name="{word()}">' + "".join(tree(depth - 1) for _ in range(4)) + "</node>"


def spaces():
    return ('<r xmlns:a="urn:a" xmlns:b="urn:b">' +
            "".join(f'<a:x b:y="{i}"><b:z>{word()}</b:z><a:w xmlns:a="urn:c{i % 5}">{word()}</a:w></a:x>' for i in range(600)) + "</r>")


XML = {"attributes": attributes, "article": article, "entities": entities, "deep": deep, "wide": wide, "feed": feed, "pretty": pretty,
       "foreign": foreign, "numbers": numbers, "tree": tree, "spaces": spaces}


# ---- JSON

def record(i):
    return {"id": i, "name": words(2), "tags": [word() for _ in range(i % 5)], "score": i * 0.25, "active": i % 2 == 0, "parent": None,
            "address": {"street": words(2), "city": word(), "zip": f"{i:05}", "position": [CHANCE.uniform(-90, 90), CHANCE.uniform(-180, 180)]}}


def nested(depth):
    return {"value": word(), "inner": nested(depth - 1)} if depth else {}


def arrays(depth):
    return [arrays(depth - 1) for _ in range(4)] if depth else CHANCE.randint(0, 9)


def members(depth):
    return {f"{word()}{i}": members(depth - 1) for i in range(5)} if depth else word()


JSON = {"records": lambda: [record(i) for i in range(300)],
        "integers": lambda: [CHANCE.randint(-10**i, 10**i) for i in range(1, 10) for _ in range(700)],
        "doubles": lambda: [CHANCE.uniform(-1, 1) * 10**CHANCE.randint(-20, 20) for _ in range(2500)],
        "strings": lambda: [words(12) for _ in range(900)],
        "long": lambda: [words(3000) for _ in range(4)],
        "escapes": lambda: ["".join(CHANCE.choices('ab"\\\n\t/\b\f\r\u0001', k=40)) for _ in range(1200)],
        "foreign": lambda: ["".join(CHANCE.choices("äöüéλжあ漢字😀 ab", k=30)) for _ in range(900)],
        "keys": lambda: {f"{word()}-{i}": i for i in range(4000)},
        "short": lambda: [{"a": i, "b": i + 1, "c": "x"} for i in range(1500)],
        "nested": lambda: nested(150),
        "arrays": lambda: arrays(6),
        "members": lambda: members(5),
        "words": lambda: [CHANCE.choice([True, False, None]) for _ in range(8000)],
        "matrix": lambda: [[CHANCE.randint(0, 255) for _ in range(60)] for _ in range(60)],
        "empty": lambda: [CHANCE.choice([{}, [], ""]) for _ in range(5000)]}


def commented():
    one = lambda i: f"  // {words(5)}\n  {{ \"n\" : {i}, /* {word()} */ \"m\" : \"{word()}\" }}, // {word()}\n"
    return "// a list\n[\n" + "".join(one(i) for i in range(500)) + "  null\n]\n"


def write(folder, name, text, encoding="utf-8"):
    with open(os.path.join(folder, name), "w", encoding=encoding, newline="") as file:
        file.write(text)


def main(folder):
    os.makedirs(folder, exist_ok=True)
    for name, make in XML.items():
        write(folder, name + ".xml", make())
    write(folder, "utf16.xml", article("satz"), "utf-16")
    for name, make in JSON.items():
        write(folder, name + ".json", json.dumps(make(), ensure_ascii=name == "escapes"))
    write(folder, "spaced.json", json.dumps([record(i) for i in range(200)], indent=4))
    write(folder, "ascii.json", json.dumps(JSON["foreign"](), ensure_ascii=True))
    write(folder, "commented.json", commented())


main(sys.argv[1])
