"""Regressions to blame somebody for: 66 plants in the example and in two programs of others, each among harmless changes.

A change begins at the opening brace of a function, which is found by its name: nothing of the programs' source is kept here. All plants
were written before any was measured, but for how often they repeat what they do.
"""

import os
import random
import re
from dataclasses import dataclass, field

from plants import tree
import subjects

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
HARMLESS = 20
WORDS = {"if", "for", "while", "switch", "catch", "return", "defined", "PREFIX", "NS"}


def blanked(text):
    """The text without comments, strings and preprocessor lines, each character at its place."""
    pattern = re.compile(r"//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'|^[ \t]*\#(?:\\\n|[^\n])*", re.S | re.M)
    return pattern.sub(lambda found: re.sub(r"[^\n]", " ", found.group()), text)


def heads(text):
    """The functions that a source defines: their names, and the places behind their opening braces."""
    plain, found, stack, begin = blanked(text), [], [], 0
    for at, character in enumerate(plain):
        if character in ";}":
            begin = at + 1
        if character == "}" and stack:
            stack.pop()
        if character != "{":
            continue
        head, begin = plain[begin:at], at + 1
        scope = re.search(r"\b(?:namespace|class|struct)\s+(\w+)[^()=]*$|\bnamespace\s*$", head)
        named = re.search(r"([A-Za-z_][\w:]*)\s*\(", head)
        if scope:
            stack.append(scope.group(1) if re.search(r"\b(class|struct)\b", head) else "")
        elif named and None not in stack and named.group(1) not in WORDS and "=" not in head[:named.start()]:
            found.append(("::".join([part for part in stack if part] + [named.group(1)]), at + 1))
            stack.append(None)
        else:
            stack.append(None)
    return found


@dataclass
class Blamed:
    name: str
    kind: str
    benchmark: str
    function: str
    text: str                                   # that the function begins with then
    metric: str = "instructions"
    before: str = ""                            # what stands before the function then
    includes: list = field(default_factory=list)


@dataclass
class Program:
    name: str
    files: dict
    plants: list
    sources: list                               # the files that are changed
    unsafe: str                                 # a pattern for functions that are not changed without harm: tiny ones, or never called

    def places(self):
        found = {}
        for path in self.sources:
            for name, at in heads(self.files[path]):
                found.setdefault(name, []).append((path, at))
        return {name: places[0] for name, places in found.items() if len(places) == 1}

    def changed(self, plant):
        """The files of the commit: the plant, and harmless changes of other functions."""
        places = self.places()
        inserted = {path: [] for path in self.sources}
        path, at = places[plant.function]
        inserted[path].append((at, "\n" + plant.text))
        if plant.before:
            inserted[path].append((beginning(self.files[path], at), plant.before))
        if plant.includes:
            inserted[path].append((0, "".join(f"#include <{name}>\n" for name in plant.includes)))
        others = sorted(name for name in places if name != plant.function and not re.fullmatch(self.unsafe, name))
        for number, name in enumerate(random.Random(plant.name).sample(others, HARMLESS)):
            where, begin = places[name]
            inserted[where].append((begin, "\n" + harmless(number)))
        return {name: put_in(self.files[name], pieces) for name, pieces in inserted.items() if pieces}


def beginning(text, at):
    """Where the definition begins whose brace is there: behind the last empty line."""
    return max(text.rfind("\n\n", 0, at) + 2, text.rfind("*/\n", 0, at) + 3, text.rfind("#endif\n", 0, at) + 7)


def put_in(text, pieces):
    for at, piece in sorted(pieces, reverse=True):
        text = text[:at] + piece.rstrip("\n") + ("\n" if at == 0 or text[at - 1] == "\n" else "") + text[at:]
    return text


def harmless(number):
    """Code that differs and costs an instruction or a few."""
    return ("  __asm__ volatile(\"nop\");", "  { static volatile int turn; if (turn == %d) turn = 0; }" % (number + 7),
            "  { static volatile int last; last = %d; }" % number)[number % 3]


def spent(amount, condition=""):
    loop = f"for (volatile int spent = 0; spent < {amount}; spent = spent + 1) {{ }}"
    return f"  if ({condition}) {{ {loop} }}\n" if condition else f"  {loop}\n"


def copied(times, size=512):
    return (f"  {{ static char aside[{2 * size}]; for (int again = 0; again < {times}; again++) {{ __builtin_memcpy(aside, aside + {size}, {size}); "
            "__asm__ volatile(\"\" ::: \"memory\"); } }\n")


def allocated(times):
    return f"  for (int again = 0; again < {times}; again++) {{ void* volatile piece = __builtin_malloc(64 + again); __builtin_free(piece); }}\n"


def written(times):
    return ("  { static int sink = -1; if (sink < 0) sink = open(\"/dev/null\", O_WRONLY); "
            f"for (int again = 0; again < {times}; again++) if (write(sink, \"0123456789abcdef\", 16) < 0) break; }}\n")


IO = ["fcntl.h", "unistd.h"]
HOLDER = """static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
static void* hold_gate(void* nothing) {
  for (;;) {
    pthread_mutex_lock(&gate);
    for (volatile int spent = 0; spent < 20000; spent = spent + 1) { }
    pthread_mutex_unlock(&gate);
    usleep(20);
  }
  return nothing;
}
static void wait_at_gate(void) {
  static pthread_t holder;
  static int started;
  if (!started) started = !pthread_create(&holder, 0, hold_gate, 0);
  pthread_mutex_lock(&gate);
  pthread_mutex_unlock(&gate);
}

"""
LOCK = ["pthread.h", "unistd.h"]


def contended(name, benchmark, function, every):
    """A lock that another thread holds for most of the time, taken in one of so many calls."""
    text = f"  {{ static unsigned turn; if (turn++ % {every} == 0) wait_at_gate(); }}\n"
    return Blamed(name, "lock", benchmark, function, text, "wall", HOLDER, LOCK)


LARDER = [
    Blamed("extra-loop", "loop", "get", "Store::get", spent(12)),
    Blamed("copied-key", "copy", "get", "hash_key", copied(2, 64)),
    Blamed("more-calls", "calls", "load", "Store::append", "  for (int again = 0; again < 4; ++again)\n    index_->find(record.key);\n"),
    Blamed("slow-for-long", "input", "long-keys", "compare_keys", spent(20, "left.size() > 200")),
    Blamed("worse-hash", "hash", "load", "hash_key", "  if (key.size() > 2)\n    key.remove_suffix(2);\n"),
    Blamed("lost-cache", "cache", "load-compressed", "Compressor::compress", "  std::fill(std::begin(seen_), std::end(seen_), 0);\n"),
    Blamed("small-writes", "io", "log", "Log::append", "  if (!buffer_.empty())\n    write_buffer();\n"),
    Blamed("slow-sum", "loop", "load-checksum", "Store::put", "  for (int again = 0; again < 2; ++again)\n    if (checksum(value) == 1)\n      return;\n"),
    Blamed("slow-key", "loop", "get", "KeyMaker::key", spent(15)),
    Blamed("copied-value", "copy", "scan", "Store::read_value",
           "  for (int copy = 0; copy < 3; ++copy)\n    value = std::string(record.value.rbegin(), record.value.rend());\n"),
    Blamed("slow-record", "loop", "load", "Image::append", spent(25)),
    Blamed("slow-literals", "loop", "load-compressed", "append_literals", spent(30)),
    Blamed("slow-find", "loop", "get", "HashIndex::find", spent(10)),
    Blamed("slow-bytes", "loop", "load-checksum", "checksum", spent(60)),
    Blamed("copied-match", "copy", "load-compressed", "Compressor::find_match", copied(1, 64)),
    Blamed("scan-twice", "calls", "scan", "Store::scan",
           "  for (const Offset offset : index_->all()) {\n    std::string value;\n    read_value(image_.at(offset), value);\n  }\n"),
    Blamed("sort-again", "loop", "compact", "Store::compact",
           "  std::vector<Offset> again = index_->all();\n  std::sort(again.rbegin(), again.rend());\n"),
    Blamed("index-twice", "calls", "compact", "Store::index_image",
           "  auto once = make_index(options_.index, image_);\n  for (Offset offset = 0; offset < image_.end(); offset = image_.next(offset))\n"
           "    once->put(image_.key_at(offset), offset);\n"),
    Blamed("log-seeks", "io", "log", "Log::write_buffer", "  for (int again = 0; again < 200; ++again)\n    ::lseek(file_, 0, SEEK_CUR);\n"),
    Blamed("copied-record", "copy", "log", "Log::append", "  std::string copy(record);\n  copy.append(record);\n  copy.append(copy);\n"),
    Blamed("slow-deep-keys", "input", "long-keys", "Image::key_at",
           spent(8, "read_head(bytes_.data() + offset).key_size > 100")),
    Blamed("slow-merge", "loop", "long-keys", "SortedIndex::merge_recent", spent(60)),
    Blamed("slow-literal-runs", "input", "load-compressed", "append_literals", spent(60, "bytes.size() > 12")),
    Blamed("lost-bits", "hash", "get", "hash_key", "  if (key.size() > 6)\n    key.remove_suffix(1);\n"),
    contended("contended-get", "get", "Store::get", 2000),
    contended("contended-append", "load", "Store::append", 500),
]

ZOPFLI = [
    Blamed("slow-update", "loop", "text", "ZopfliUpdateHash", spent(12)),
    Blamed("slow-match", "loop", "text", "GetMatch", spent(5)),
    Blamed("slow-store", "loop", "text", "ZopfliStoreLitLenDist", spent(150)),
    Blamed("slow-cost", "loop", "text", "GetCostStat", spent(4)),
    Blamed("slow-entropy", "loop", "text", "ZopfliCalculateEntropy", spent(300000)),
    Blamed("slow-histogram", "loop", "text", "ZopfliLZ77GetHistogram", spent(4000)),
    Blamed("slow-package", "loop", "text", "BoundaryPM", spent(12)),
    Blamed("copied-window", "copy", "text", "ZopfliFindLongestMatch", copied(3)),
    Blamed("copied-path", "copy", "text", "FollowPath", copied(150000)),
    Blamed("copied-counts", "copy", "text", "CalculateBlockSymbolSizeGivenCounts", copied(200)),
    Blamed("allocated-tree", "copy", "text", "OptimizeHuffmanForRle", allocated(600)),
    Blamed("lost-match-cache", "cache", "text", "TryGetFromLongestMatchCache", "  if (s) return 0;\n"),
    Blamed("unstored-match-cache", "cache", "text", "StoreInLongestMatchCache", "  if (s) return;\n"),
    Blamed("worse-chain-hash", "hash", "text", "UpdateHashValue", "  c &= 7;\n"),
    Blamed("size-twice", "calls", "text", "ZopfliCalculateBlockSize",
           "  static int again = 0;\n  static volatile double size;\n  if (!again) {\n    again = 1;\n"
           "    size = ZopfliCalculateBlockSize(lz77, lstart, lend, btype);\n    again = 0;\n  }\n"),
    Blamed("slow-for-e", "input", "text", "ZopfliFindLongestMatch", spent(100, "array[pos] == 'e'")),
    Blamed("slow-for-far", "input", "text", "ZopfliUpdateHash", spent(60, "pos % 8 == 3")),
    Blamed("write-histograms", "io", "text", "ZopfliLZ77GetHistogram", written(600), includes=IO),
    Blamed("write-symbols", "io", "text", "ZopfliStoreLitLenDist", written(8), includes=IO),
    contended("contended-update", "text", "ZopfliUpdateHash", 1000),
]

EXPAT = [
    Blamed("slow-attributes", "loop", "document", "storeAtts", spent(120)),
    Blamed("slow-lookup", "loop", "document", "lookup", spent(30)),
    Blamed("slow-append", "loop", "document", "poolAppend", spent(40)),
    Blamed("slow-equal", "loop", "document", "keyeq", spent(25)),
    Blamed("slow-length", "loop", "document", "keylen", spent(25)),
    Blamed("slow-value", "loop", "document", "appendAttributeValue", spent(60)),
    Blamed("copied-store", "copy", "document", "poolStoreString", copied(3)),
    Blamed("copied-attribute", "copy", "document", "storeAttributeValue", copied(4)),
    Blamed("copied-id", "copy", "document", "getAttributeId", copied(4)),
    Blamed("allocated-atts", "copy", "document", "storeAtts", allocated(4)),
    Blamed("lost-blocks", "cache", "document", "poolClear",
           "  while (pool->blocks) { BLOCK *block = pool->blocks; pool->blocks = block->next; pool->mem->free_fcn(block); }\n"),
    Blamed("first-letter-hash", "hash", "document", "hash", "  if (*s) return (unsigned long)*s;\n"),
    Blamed("short-hash", "hash", "document", "hash", "  if (*s && s[1]) return (unsigned long)(s[0] + s[1]);\n"),
    Blamed("hash-again", "calls", "document", "lookup",
           "  { static volatile unsigned long seen; for (int again = 0; again < 2; again++) seen = hash(parser, name); }\n"),
    Blamed("slow-long-values", "input", "document", "appendAttributeValue", spent(200, "end - ptr > 12")),
    Blamed("slow-for-h", "input", "document", "storeAtts", spent(2000, "attStr[1] == 'h'")),
    Blamed("slow-comments", "input", "document", "reportComment", spent(3000)),
    Blamed("write-atts", "io", "document", "storeAtts", written(8), includes=IO),
    Blamed("write-buffers", "io", "document", "contentProcessor", written(300), includes=IO),
    contended("contended-atts", "document", "storeAtts", 400),
]

BUILD = """# Every source by itself, so that a compiler's cache knows those that are as before.
set -e
cache=$(command -v ccache || true)
for source in {sources}; do echo "$source"; done | xargs -P2 -I@ sh -c '
  '"$cache"' {compiler} -O2 -g -w {flags} -c @ -o "$DRAGNET_BUILD/$(basename @).o"'
{compiler} "$DRAGNET_BUILD"/*.o -o "$DRAGNET_BUILD/{program}" {libraries}
rm "$DRAGNET_BUILD"/*.o
"""
CONFIGURATION = '[build]\ncommand = "sh build.sh"\nbinaries = ["{program}"]\n'
BENCHMARK = '[[benchmark]]\nname = "{name}"\ncommand = "$DRAGNET_BUILD/{command}"\n'


def built(program, sources, benchmarks, compiler="cc", flags="", libraries=""):
    entries = "".join(BENCHMARK.format(name=name, command=command) for name, command in benchmarks.items())
    return {"build.sh": BUILD.format(sources=sources, compiler=compiler, flags=flags, program=program, libraries=libraries),
            "dragnet.toml": CONFIGURATION.format(program=program) + entries}


def larder():
    files = {path: text for path, text in tree(os.path.join(ROOT, "examples/larder/start")).items()
             if path.startswith("src/") or path.endswith(".work")}
    data = "--data=$DRAGNET_TMP/larder.db"
    files |= built("larder", "src/*.cpp", {
        "load": f"larder {data} run bench/load.work", "get": "larder run bench/get.work", "scan": "larder run bench/scan.work",
        "long-keys": "larder --index=sorted run bench/long-keys.work", "load-compressed": "larder --compress run bench/large-values.work",
        "load-checksum": "larder --checksum run bench/large-values.work", "log": f"larder {data} --flush=batch run bench/log.work",
        "compact": f"larder {data} run bench/compact.work"}, "c++", "-std=c++20", "-pthread")
    sources = [path for path in files if path.endswith(".cpp") and path not in ("src/main.cpp", "src/options.cpp", "src/checksum.cpp")]
    return Program("larder", files, LARDER, [*sources, "src/checksum.cpp"],
                   "make_table|eight_bytes|mix|four_bytes|bucket|common_length|read_number|write_number|read_head|make_word|fail|erase|put|get")


def words(count, seed):
    chance = random.Random(seed)
    stems = ["".join(chance.choices("etaoinshrdlu", k=chance.randint(2, 9))) for _ in range(800)]
    return chance.choices(stems, weights=[1 / (i + 1) for i in range(800)], k=count)


def zopfli():
    source = os.path.join(subjects.package("node-zopfli@2.1.4"), "zopfli/src/zopfli")
    files = {name: text for name, text in tree(source).items() if name.endswith((".c", ".h"))}
    files |= built("zopfli", "*.c", {"text": "zopfli --i1 -c text > /dev/null"}, libraries="-lm -pthread")
    files["text"] = " ".join(words(3000, 1))
    return Program("zopfli", files, ZOPFLI, ["lz77.c", "hash.c", "cache.c", "squeeze.c", "tree.c", "katajainen.c", "deflate.c", "blocksplitter.c"],
                   "UpdateHashValue|GetMatch|GetLengthScore|AddBit|zopfli_min|GetCostStat|GetCostFixed|AbsDiff|CeilDiv|Print.*|.*Simple|Ran.*")


READER = """#include <expat.h>
#include <stdio.h>

static unsigned long seen;

static void begin(void* nothing, const char* name, const char** attributes) {
  for (; *attributes; ++attributes) seen += **attributes + *name;
}
static void end(void* nothing, const char* name) { seen += *name; }
static void text(void* nothing, const char* part, int size) { seen += size; }
static void comment(void* nothing, const char* part) { seen += *part; }

int main(int count, char** words) {
  static char buffer[4096];
  FILE* file = fopen(words[1], "rb");
  XML_Parser parser = XML_ParserCreateNS(NULL, '|');
  XML_SetHashSalt(parser, 1);
  XML_SetElementHandler(parser, begin, end);
  XML_SetCharacterDataHandler(parser, text);
  XML_SetCommentHandler(parser, comment);
  for (size_t size = sizeof buffer; size == sizeof buffer;) {
    size = fread(buffer, 1, sizeof buffer, file);
    if (XML_Parse(parser, buffer, (int)size, size < sizeof buffer) == XML_STATUS_ERROR) return 1;
  }
  XML_ParserFree(parser);
  printf("%lu\\n", seen);
  return count == 2 ? 0 : 2;
}
"""


def document(items):
    chance, parts = random.Random(2), ['<list xmlns:k="urn:kind">\n']
    stems = sorted(set(words(3000, 3)))
    for i in range(items):
        name = chance.choice(stems)
        parts.append(f'<{name} number="{i}" {chance.choice(stems)}-{chance.choice("abcdef")}="{chance.choice(stems)} &amp; {chance.choice(stems)}" '
                     f'k:{chance.choice(stems)}="&lt;{i % 7}">text &amp; {i}</{name}>\n')
        if i % 5 == 0:
            parts.append(f"<!-- {chance.choice(stems)} -->\n")
    return "".join(parts) + "</list>\n"


def expat():
    source = os.path.join(subjects.package("node-expat@2.3.18"), "deps/libexpat/lib")
    files = {name: text for name, text in tree(source).items() if name.endswith((".c", ".h"))}
    files |= built("reader", "xmlparse.c xmltok.c xmlrole.c reader.c", {"document": "reader document.xml"}, libraries="-pthread",
                   flags="-I. -DXML_DEV_URANDOM -DXML_NS -DXML_DTD -DXML_CONTEXT_BYTES=1024 -DHAVE_MEMMOVE")
    files["reader.c"] = READER
    files["document.xml"] = document(1500)
    return Program("expat", files, EXPAT, ["xmlparse.c"],
                   "keyeq|keylen|XML_(Set|Get|Error|Expat|Mem|Stop|Resume|Use|Default|Free|External|ParserReset).*|external.*|entity.*|.*Random.*|"
                   "gather.*|generate.*|.*Copy|copyE.*|dtdReset|build_.*|nextS.*|normalizeP.*|storeEntity.*|.*Unknown.*|.*[iI]gnore.*|.*Instruction|"
                   "getElement.*|defineA.*|ENTROPY.*|.*Context|.*[cC]data.*|error.*|internal.*|processI.*|moveTo.*|.*Clear|.*StringN|poolAppendS.*")


PROGRAMS = {"larder": larder, "zopfli": zopfli, "expat": expat}
