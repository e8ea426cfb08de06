"""Changes of what Zopfli computes, for eval/rank-planted: 50 plants. Their places were chosen before anything was measured;
the planted loops were made heavier after a first look.

Zopfli's source comes from a package of the npm registry; here are only the few words that a change begins at.
"""

import os
import random

import subjects
from plants import Edit, Plant, Subject, read

HASH, LZ77, SPLIT, SQUEEZE, CACHE = "hash.c", "lz77.c", "blocksplitter.c", "squeeze.c", "cache.c"
CODES, TREE, DEFLATE, GZIP, ZLIB = "katajainen.c", "tree.c", "deflate.c", "gzip_container.c", "zlib_container.c"
LOOP, CALL, GROWN, REMOVED, RECURSION = "loop over a collection", "call into a loop", "collection grown", "call removed", "recursion"

BUILD = r"""set -e
ls *.c | xargs -P 2 -I FILE sh -c '${CC:-cc} $CFLAGS -O2 -g -w -c FILE -o "$DRAGNET_BUILD/FILE.o"'
${CC:-cc} $LDFLAGS -o "$DRAGNET_BUILD/zopfli" "$DRAGNET_BUILD"/*.o -lm
rm "$DRAGNET_BUILD"/*.o
ls *.c | awk -v folder="$PWD" 'BEGIN { print "[" }
  { printf "%s{\"directory\": \"%s\", \"file\": \"%s\", \"command\": \"cc -O2 -w -c %s\"}\n", (NR > 1 ? "," : ""), folder, $1, $1 }
  END { print "]" }' > "$DRAGNET_BUILD/compile_commands.json"
"""


def after(file, text, more):
    return Edit(file, text, text + more)


def before(file, text, more):
    return Edit(file, text, more + text)


def plant(name, kind, *edits):
    return Plant(name, kind, "", "", list(edits))


def walk(what, head="w = 0; w < {0}", size=""):
    """A loop that computes something of a collection that the compiler cannot leave out."""
    return ("  {\n    size_t w, k, sum = 0;\n    for (" + head.format(size) + "; w++)\n      for (k = 0; k < 40; k++) sum = sum * 3 + (k ^ (" + what +
            "));\n    if (sum == 12345) exit(3);\n  }\n")


APPEND = "  for (i = 0; i < store->size; i++) {\n    ZopfliStoreLitLenDist(store->litlens[i]"
NO_ALLOC = "  if (!costs) exit(-1); /* Allocation failed. */\n"
STATE = "  InitRanState(&ran_state);\n"
GREEDY = "  ZopfliLZ77Greedy(s, in, instart, inend, &currentstore, h);\n"
ALLOC = "(float*)malloc(sizeof(float) * (blocksize + 1));\n"

PLANTS = [
    plant("append-walk", LOOP, before(LZ77, APPEND, walk("store->litlens[w]", size="store->size"))),
    plant("copy-walk", LOOP, after(LZ77, "  dest->size = source->size;\n", walk("source->dists[w]", size="source->size"))),
    plant("range-walk", LOOP, after(LZ77, "  if (lstart == lend) return 0;\n", walk("lz77->litlens[w]", "w = lstart; w < lend"))),
    plant("statistics-walk", LOOP, after(SQUEEZE, "static void GetStatistics(const ZopfliLZ77Store* store, SymbolStats* stats) {\n  size_t i;\n",
                                         walk("store->litlens[w]", size="store->size"))),
    plant("trace-walk", LOOP, before(SQUEEZE, "  /* Mirror result. */\n", walk("(*path)[w]", size="*pathsize"))),
    plant("path-walk", LOOP, before(SQUEEZE, "  pos = instart;\n  for (i = 0; i < pathsize", walk("path[w]", size="pathsize"))),
    plant("costs-walk", LOOP, before(SQUEEZE, "  assert(costs[blocksize] >= 0);\n", walk("(costs[w] > 9)", size="blocksize"))),
    plant("input-walk", LOOP, before(SQUEEZE, "  costs[0] = 0;  /* Because it's the start. */\n", walk("in[w]", "w = instart; w < inend"))),
    plant("greedy-walk", LOOP, after(LZ77, "  ZopfliWarmupHash(in, windowstart, inend, h);\n", walk("in[w]", "w = windowstart; w < inend"))),
    plant("cache-walk", LOOP, after(CACHE, "  for (i = 0; i < blocksize; i++) lmc->dist[i] = 0;\n", walk("lmc->length[w]", size="blocksize"))),
    plant("sublen-walk", LOOP, after(CACHE, "  if (length < 3) return;\n  for (i = 3; i <= length; i++) {\n",
                                     "    if (sublen[i] == 54321) exit(3);\n")),
    plant("sublen-read", LOOP, before(CACHE, "  for (j = 0; j < ZOPFLI_CACHE_LENGTH; j++) {\n    unsigned length", walk("cache[w]", size="length / 8"))),
    plant("crc-walk", LOOP, before(GZIP, "  for (; size > 0; size--) {\n", "  {\n    size_t w;\n    for (w = 0; w < size; w++) result += data[w] == 0;\n  }\n"
                                   "  result = 0xffffffffu;\n")),
    plant("adler-walk", LOOP, before(ZLIB, "  while (size > 0) {\n    size_t amount", "  {\n    size_t w;\n    for (w = 0; w < size; w++) s2 ^= data[w] * s1;\n"
                                     "    s2 = s2 == 77 ? 1 : 0;\n  }\n")),
    plant("symbols-walk", LOOP, before(DEFLATE, "  for (i = lstart; i < lend; i++) {\n    unsigned dist = lz77->dists[i];\n",
                                       walk("lz77->dists[w]", "w = lstart; w < lend"))),
    plant("done-walk", LOOP, after(SPLIT, "  for (i = 0; i < lz77->size; i++) done[i] = 0;\n", walk("lz77->pos[w]", size="lz77->size"))),
    plant("stored-walk", LOOP, before(DEFLATE, "    for (i = 0; i < blocksize; i++) {\n      ZOPFLI_APPEND_DATA(in[pos + i]", walk("in[pos + w]", size="blocksize"))),
    plant("chain-walk", LOOP, before(CODES, "  val = counts[15];\n", "  for (node = chain; node; node = node->tail) {\n    if (node->weight == 54321) exit(3);\n  }\n")),
    plant("points-walk", LOOP, before(SPLIT, "  for (i = 0; i <= npoints; i++) {\n    size_t start = i == 0 ? 0 : splitpoints[i - 1];\n    size_t end = i == npoints ? lz77size",
                                      walk("splitpoints[w]", size="npoints"))),
    plant("entropy-walk", LOOP, before(TREE, "  log2sum = (sum == 0", walk("count[w] % 7", size="n"))),
    plant("counts-walk", LOOP, after(DEFLATE, "  for (i = 0; i < length; ++i) good_for_rle[i] = 0;\n", walk("counts[w] % 7", size="(size_t)length"))),

    plant("verify-literals", CALL, before(SQUEEZE, "      length = 1;\n      ZopfliStoreLitLenDist(in[pos]", "      ZopfliVerifyLenDist(in, inend, pos, 0, length);\n")),
    plant("verify-matches", CALL, before(SQUEEZE, "    /* Literal. */\n", "    ZopfliVerifyLenDist(in, inend, i, 0, leng);\n")),
    plant("spread-hash", CALL, before(HASH, "void ZopfliUpdateHash(", "static unsigned Spread(const unsigned char* array, size_t pos, size_t end) {\n  unsigned sum = 0;\n"
                                      "  size_t k;\n  for (k = pos; k < end && k < pos + 8; k++) sum = sum * 31 + array[k];\n  return sum;\n}\n\n"),
          after(HASH, "  unsigned short hpos = pos & ZOPFLI_WINDOW_MASK;\n", "  if (Spread(array, pos, end) == 12345) h->val ^= 0;\n")),
    plant("size-twice", CALL, after(DEFLATE, "    totalcost += ZopfliCalculateBlockSizeAutoType(&store, 0, store.size);\n",
                                    "    if (ZopfliCalculateBlockSizeAutoType(&store, 0, store.size) < 0) exit(3);\n")),
    plant("block-twice", CALL, before(DEFLATE, "  int expensivefixed = ", "  double again = ZopfliCalculateBlockSize(lz77, lstart, lend, again_type(options));\n"),
          before(DEFLATE, "static void AddLZ77BlockAutoType(", "static int again_type(const ZopfliOptions* options) {\n  return options->verbose ? 1 : 2;\n}\n\n"),
          Edit(DEFLATE, "  if (lstart == lend) {\n    /* Smallest", "  if (again < 0) exit(3);\n  if (lstart == lend) {\n    /* Smallest")),
    plant("iteration-size", CALL, before(SQUEEZE, "    if (s->options->verbose_more ||", "    if (ZopfliCalculateBlockSize(&currentstore, 0, currentstore.size, 2) < 0) exit(3);\n")),
    plant("histogram-twice", CALL, before(DEFLATE, "  ll_counts[256] = 1;  /* End symbol. */\n  ZopfliCalculateBitLengths(ll_counts, ZOPFLI_NUM_LL, 15, ll_lengths);\n",
                                          "  ZopfliLZ77GetHistogram(lz77, lstart, lend, ll_counts, d_counts);\n")),
    plant("estimate-twice", CALL, before(SPLIT, "  return ZopfliCalculateBlockSizeAutoType(lz77, lstart, lend);\n",
                                         "  if (ZopfliCalculateBlockSizeAutoType(lz77, lstart, lend) < 0) exit(3);\n")),
    plant("crc-twice", CALL, before(GZIP, "  unsigned char bp = 0;\n", "  unsigned long again = CRC(in, insize / 2);\n"),
          after(GZIP, "  unsigned char bp = 0;\n", "  if (again == 1) bp = 0;\n")),
    plant("adler-twice", CALL, after(ZLIB, "  unsigned checksum = adler32(in, (unsigned)insize);\n", "  unsigned again = adler32(in, (unsigned)insize / 2);\n"),
          Edit(ZLIB, "  cmfflg += fcheck;\n", "  cmfflg += fcheck + (again == 1 ? 0 : 0);\n")),
    plant("tree-twice", CALL, before(DEFLATE, "  EncodeTree(ll_lengths, d_lengths,\n             best & 1", "  if (EncodeTree(ll_lengths, d_lengths, 1, 1, 1, 0, 0, 0) == 1) exit(3);\n")),
    plant("entropy-twice", CALL, before(SQUEEZE, "  ZopfliCalculateEntropy(stats->dists, ZOPFLI_NUM_D, stats->d_symbols);\n",
                                        "  ZopfliCalculateEntropy(stats->litlens, ZOPFLI_NUM_LL, stats->ll_symbols);\n")),
    plant("copy-twice", CALL, before(SQUEEZE, "      ZopfliCopyLZ77Store(&currentstore, store);\n", "      ZopfliCopyLZ77Store(&currentstore, store);\n")),
    plant("greedy-twice", CALL, before(SQUEEZE, GREEDY, GREEDY + "  ZopfliCleanLZ77Store(&currentstore);\n  ZopfliInitLZ77Store(in, &currentstore);\n")),
    plant("symbols-twice", CALL, before(DEFLATE, "  detect_block_size = *outsize;\n  AddLZ77Data", "  ZopfliLengthsToSymbols(ll_lengths, ZOPFLI_NUM_LL, 15, ll_symbols);\n")),

    plant("cache-grown", GROWN, Edit(LZ77, "ZopfliInitCache(blockend - blockstart, s->lmc)", "ZopfliInitCache(2 * (blockend - blockstart), s->lmc)")),
    plant("done-grown", GROWN, Edit(SPLIT, "(unsigned char*)malloc(lz77->size);", "(unsigned char*)malloc(16 * lz77->size);"),
          Edit(SPLIT, "for (i = 0; i < lz77->size; i++) done[i] = 0;", "for (i = 0; i < 16 * lz77->size; i++) done[i] = 0;")),
    plant("codes-grown", GROWN, Edit(TREE, "size_t* bl_count = (size_t*)malloc(sizeof(size_t) * (maxbits + 1));", "size_t* bl_count = (size_t*)malloc(sizeof(size_t) * (64 * maxbits + 1));"),
          Edit(TREE, "  for (bits = 0; bits <= maxbits; bits++) {\n    bl_count", "  for (bits = 0; bits <= 64 * maxbits; bits++) {\n    bl_count")),
    plant("costs-grown", GROWN, Edit(SQUEEZE, "  int i;\n  float* costs = " + ALLOC, "  int i;\n  float* costs = (float*)malloc(sizeof(float) * (8 * blocksize + 1));\n"),
          Edit(SQUEEZE, "  ZopfliHash* h = &hash;\n  float* costs = " + ALLOC, "  ZopfliHash* h = &hash;\n  float* costs = (float*)malloc(sizeof(float) * (8 * blocksize + 1));\n"),
          Edit(SQUEEZE, "for (i = 1; i < blocksize + 1; i++) costs[i]", "for (i = 1; i < 8 * blocksize + 1; i++) costs[i]")),

    plant("unverified-path", REMOVED, Edit(SQUEEZE, "      ZopfliVerifyLenDist(in, inend, pos, dist, length);\n", "")),
    plant("unverified-greedy", REMOVED, Edit(LZ77, "        ZopfliVerifyLenDist(in, inend, i - 1, dist, leng);\n", "")),
    plant("no-fixed-cost", REMOVED, Edit(DEFLATE, "uncompressedcost : ZopfliCalculateBlockSize(lz77, lstart, lend, 1);", "uncompressedcost : uncompressedcost;")),
    plant("no-crc", REMOVED, Edit(GZIP, "CRC(in, insize)", "0")),
    plant("no-adler", REMOVED, Edit(ZLIB, "adler32(in, (unsigned)insize)", "1")),
    plant("no-runs", REMOVED, Edit(DEFLATE, "  OptimizeHuffmanForRle(ZOPFLI_NUM_LL, ll_counts2);\n", "")),

    plant("crc-halves", RECURSION, after(GZIP, "  unsigned long result = 0xffffffffu;\n", "  if (size > 16 && CRC(data, size / 2) == 1) result--;\n")),
    plant("adler-halves", RECURSION, after(ZLIB, "  unsigned s2 = 1 >> 16;\n", "  if (size > 16 && adler32(data, size / 2) == 0) s1++;\n")),
    plant("histogram-halves", RECURSION, after(LZ77, "                           size_t* ll_counts, size_t* d_counts) {\n  size_t i;\n",
                                               "  if (lend - lstart > 64) ZopfliLZ77GetHistogram(lz77, lstart, (lstart + lend) / 2, ll_counts, d_counts);\n")),
    plant("range-halves", RECURSION, after(LZ77, "  if (lstart == lend) return 0;\n", "  if (lend - lstart > 64 && ZopfliLZ77GetByteRange(lz77, lstart, (lstart + lend) / 2) == 12345) exit(3);\n")),
]

# Planted to see how the rules do on plants that nobody looked at while they were made.
FRESH = [
    plant("same-walk", LOOP, before(HASH, "  h->same[hpos] = amount;\n", "  {\n    size_t w, sum = 0;\n    for (w = 0; w < amount; w++) sum = sum * 3 + array[pos + w];\n    if (sum == 12345) exit(3);\n  }\n"),
          Edit(HASH, "#include <stdlib.h>\n", "#include <stdlib.h>\n#include <assert.h>\n")),
    plant("bits-walk", LOOP, before(TREE, "  log2sum = (sum == 0", walk("count[w] & 3", size="n"))),
    plant("symbol-walk", LOOP, before(CODES, "  /* Check special cases and error conditions. */\n", walk("frequencies[w]", size="(size_t)n"))),
    plant("leaves-walk", LOOP, before(CODES, "  if (numsymbols - 1 < maxbits) {\n", walk("leaves[w].weight", size="(size_t)numsymbols"))),
    plant("follow-walk", LOOP, before(SQUEEZE, "    assert(pos + length <= inend);\n    for (j = 1; j < length", "    {\n      size_t w, sum = 0;\n"
                                      "      for (w = 0; w < length; w++) sum = sum * 3 + in[pos + w];\n      if (sum == 12345) exit(3);\n    }\n")),
    plant("split-walk", LOOP, before(SPLIT, "    if (splitcost > origcost ||", walk("lz77->litlens[w]", "w = lstart; w < lend"))),
    plant("cost-twice", CALL, before(SPLIT, "    if (splitcost > origcost ||", "    if (EstimateCost(lz77, lstart, lend) < 0) exit(3);\n")),
    plant("fixed-again", CALL, before(SQUEEZE, "    if (s->options->verbose_more ||", "    if (ZopfliCalculateBlockSize(&currentstore, 0, currentstore.size, 1) < 0) exit(3);\n")),
    plant("stored-again", CALL, before(SQUEEZE, "    if (s->options->verbose_more ||", "    if (ZopfliCalculateBlockSize(&currentstore, 0, currentstore.size, 0) < 0) exit(3);\n")),
    plant("statistics-twice", CALL, before(SQUEEZE, "    if (lastrandomstep != -1) {\n", "    CalculateStatistics(&stats);\n")),
    plant("symbol-twice", CALL, before(DEFLATE, "  PatchDistanceCodesForBuggyDecoders(d_lengths);\n  return Try", "  ZopfliCalculateBitLengths(d_counts, ZOPFLI_NUM_D, 15, d_lengths);\n")),
    plant("hash-twice", CALL, Edit(SQUEEZE, "    size_t j = i - instart;  /* Index in the costs array and length_array. */\n",
                                   "    size_t j = i - instart;  /* Index in the costs array and length_array. */\n    ZopfliUpdateHash(in, i, inend, h);\n")),
    plant("hash-grown", GROWN, Edit(SPLIT, "  ZopfliAllocHash(ZOPFLI_WINDOW_SIZE, h);\n", "  ZopfliAllocHash(ZOPFLI_WINDOW_SIZE, h);\n  ZopfliResetHash(ZOPFLI_WINDOW_SIZE / 2, h);\n")),
    plant("more-heads", GROWN, Edit(HASH, "  for (i = 0; i < 65536; i++) {\n    h->head2[i] = -1;", "  for (i = 0; i < 65536; i++) {\n    h->head2[i] = 7;\n  }\n  for (i = 0; i < 65536; i++) {\n    h->head2[i] = -1;")),
    plant("half-heads", REMOVED, Edit(SQUEEZE, "  ZopfliResetHash(ZOPFLI_WINDOW_SIZE, h);\n  ZopfliWarmupHash(in, windowstart, inend, h);\n  for (i = windowstart; i < instart; i++) {\n"
                                      "    ZopfliUpdateHash(in, i, inend, h);\n  }\n\n  pos = instart;", "  ZopfliResetHash(ZOPFLI_WINDOW_SIZE / 4, h);\n"
                                      "  ZopfliWarmupHash(in, windowstart, inend, h);\n  for (i = windowstart; i < instart; i++) {\n    ZopfliUpdateHash(in, i, inend, h);\n  }\n\n  pos = instart;")),
    plant("no-pass", REMOVED, Edit(DEFLATE, "  OptimizeHuffmanForRle(ZOPFLI_NUM_D, d_counts2);\n", "")),
    plant("costs-halves", RECURSION, after(SPLIT, "static double EstimateCost(const ZopfliLZ77Store* lz77,\n                           size_t lstart, size_t lend) {\n",
                                           "  if (lend - lstart > 400) return EstimateCost(lz77, lstart, (lstart + lend) / 2) + EstimateCost(lz77, (lstart + lend) / 2, lend);\n")),
]


def inputs():
    """Texts of different kinds, the same on each machine."""
    chance = random.Random(1)
    stems = ["".join(chance.choices("etaoinshrdlu", k=chance.randint(2, 9))) for _ in range(2000)]
    weights = [1 / (i + 1) for i in range(2000)]

    def text(words):
        return " ".join(chance.choices(stems, weights=weights, k=words))

    made = {"input/text": text(800), "input/notes": text(300), "input/runs": "".join(chance.choice("ab") * chance.randint(50, 900) for _ in range(40)),
            "input/random": "".join(chr(chance.randint(32, 126)) for _ in range(1500)), "input/letters": "".join(chance.choices("ACGT", k=1200)),
            "input/phrase": (text(40) + "\n") * 20, "input/table": "".join(f"{i},{i * i % 97},{chance.randint(0, 9)}\n" for i in range(250))}
    return {**made, **{f"input/small{i}": text(chance.randint(5, 40)) for i in range(10)}}


BENCHMARKS = {"text": "--i1 -c input/text", "notes": "--i4 --zlib -c input/notes", "runs": "--i1 -c input/runs", "random": "--i1 -c input/random",
              "letters": "--i1 --deflate -c input/letters", "phrase": "--i3 --zlib -c input/phrase", "table": "--i2 -c input/table", "small": "--i1 -c input/small*"}


def zopfli():
    source = os.path.join(subjects.package("node-zopfli@2.1.4"), "zopfli/src/zopfli")
    files = {name: read(os.path.join(source, name)) for name in os.listdir(source) if name.endswith((".c", ".h"))}
    benchmarks = "".join(f'[[benchmark]]\nname = "{name}"\ncommand = "$DRAGNET_BUILD/zopfli {words} > /dev/null"\n' for name, words in BENCHMARKS.items())
    files = {**files, **inputs(), "build.sh": BUILD, "dragnet.toml": '[build]\ncommand = "sh build.sh"\nbinaries = ["zopfli"]\n' + benchmarks}
    return Subject("zopfli", files, {"plain": []}, PLANTS, {}, [])
