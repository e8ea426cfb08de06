"""Real programs to try Dragnet's profilers on, fetched and built where they are needed.

Sources come from packages of the npm registry and of Debian, and from our own example; nothing of them is kept here.
"""

import os
import random
import shutil
import subprocess
import tarfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PLACE = os.path.join(ROOT, "build/subjects")
FLAGS = ["-O2", "-g", "-w"]


class Subject:
    def __init__(self, name, folder, program, command):
        self.name, self.folder, self.program, self.command = name, folder, program, command


def run(words, folder, **more):
    return subprocess.run(words, cwd=folder, check=True, capture_output=True, **more)


def package(name):
    """The folder with the content of an npm package."""
    folder = os.path.join(PLACE, "packages", name)
    if not os.path.exists(folder):
        fresh = folder + ".fresh"
        shutil.rmtree(fresh, ignore_errors=True)
        os.makedirs(fresh)
        archive = run(["npm", "pack", name, "--silent"], fresh, text=True).stdout.strip().splitlines()[-1]
        with tarfile.open(os.path.join(fresh, archive)) as packed:
            packed.extractall(fresh)
        os.rename(fresh, folder)
    return os.path.join(folder, "package")


def build_folder(name):
    folder = os.path.join(PLACE, name)
    os.makedirs(folder, exist_ok=True)
    return folder


def make(program, compiler, sources, options=()):
    if not os.path.exists(program):
        run([compiler, *FLAGS, "-o", program, *sources, *options], os.path.dirname(program))
    return program


def text_file(folder, words):
    """A text of this many words, the same on each machine."""
    path = os.path.join(folder, f"text-{words}")
    if not os.path.exists(path):
        chance = random.Random(1)
        stems = ["".join(chance.choices("etaoinshrdlu", k=chance.randint(2, 9))) for _ in range(3000)]
        with open(path, "w") as file:
            file.write(" ".join(chance.choices(stems, weights=[1 / (i + 1) for i in range(3000)], k=words)))
    return path


SQL = """CREATE TABLE part(id INTEGER PRIMARY KEY, name TEXT, weight REAL, kind INTEGER);
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {rows})
INSERT INTO part SELECT i, printf('part %d of kind %d', i, i % 17), i * 0.5, (i * 7919) % 101 FROM n;
CREATE INDEX part_kind ON part(kind, name);
SELECT kind, count(*), sum(weight), max(name) FROM part GROUP BY kind ORDER BY 3 DESC LIMIT 5;
SELECT count(*) FROM part a JOIN part b ON a.id = b.kind WHERE a.name LIKE '%1%';
UPDATE part SET weight = weight * 2, name = upper(name) WHERE kind < 20;
DELETE FROM part WHERE id % 3 = 0;
SELECT group_concat(substr(name, 6, 3)) FROM (SELECT name FROM part ORDER BY weight, name DESC LIMIT 50);
"""


def sqlite(scale=1):
    source = os.path.join(package("sqlite3@4.1.1"), "deps")
    tree = os.path.join(source, "sqlite-autoconf-3300100")
    if not os.path.exists(tree):
        run(["tar", "xzf", "sqlite-autoconf-3300100.tar.gz"], source)
    folder = build_folder("sqlite")
    program = make(os.path.join(folder, "sqlite"), "cc", [f"{tree}/shell.c", f"{tree}/sqlite3.c"],
                   ["-DSQLITE_THREADSAFE=0", "-DSQLITE_OMIT_LOAD_EXTENSION", "-lm"])
    script = os.path.join(folder, f"work-{scale}.sql")
    with open(script, "w") as file:
        file.write(SQL.format(rows=3000 * scale))
    return Subject("sqlite", folder, program, f"{program} :memory: < {script}")


def zopfli(scale=1):
    source = os.path.join(package("node-zopfli@2.1.4"), "zopfli/src/zopfli")
    folder = build_folder("zopfli")
    sources = [os.path.join(source, name) for name in sorted(os.listdir(source)) if name.endswith(".c")]
    program = make(os.path.join(folder, "zopfli"), "cc", sources, ["-lm"])
    return Subject("zopfli", folder, program, f"{program} --i1 -c {text_file(folder, 4000 * scale)} > /dev/null")


DEFLATE = """#include <stdio.h>
#include <zlib.h>
int main(int count, char** words) {
  static unsigned char in[1 << 16], out[1 << 17];
  z_stream stream = {0};
  FILE* file = fopen(words[1], "rb");
  unsigned long total = 0;
  int last = 0;
  deflateInit(&stream, 9);
  while (!last) {
    stream.next_in = in;
    stream.avail_in = fread(in, 1, sizeof in, file);
    last = stream.avail_in < sizeof in;
    do {
      stream.next_out = out;
      stream.avail_out = sizeof out;
      deflate(&stream, last ? Z_FINISH : Z_NO_FLUSH);
      total += sizeof out - stream.avail_out;
    } while (stream.avail_out == 0);
  }
  printf("%lu\\n", total);
  return count == 2 ? 0 : 1;
}
"""


def zlib(scale=1):
    """Debian's own zlib, linked statically into a small compressor."""
    folder = build_folder("zlib")
    source = os.path.join(folder, "deflate.c")
    with open(source, "w") as file:
        file.write(DEFLATE)
    program = make(os.path.join(folder, "deflate"), "cc", [source], ["-l:libz.a"])
    return Subject("zlib", folder, program, f"{program} {text_file(folder, 60000 * scale)}")


def lz4(scale=1):
    source = os.path.join(package("lz4@0.6.5"), "deps/lz4")
    folder = build_folder("lz4")
    sources = [f"{source}/lib/{name}.c" for name in ("lz4", "lz4hc", "lz4frame", "xxhash")] + \
              [f"{source}/programs/{name}.c" for name in ("lz4cli", "lz4io", "bench", "datagen")]
    program = make(os.path.join(folder, "lz4"), "cc", sources, [f"-I{source}/lib", "-DXXH_NAMESPACE=LZ4_"])
    return Subject("lz4", folder, program, f"{program} -9 -c {text_file(folder, 60000 * scale)} > /dev/null")


def expat(scale=1):
    source = os.path.join(package("node-expat@2.3.18"), "deps/libexpat")
    folder = build_folder("expat")
    sources = [f"{source}/lib/{name}.c" for name in ("xmlparse", "xmlrole", "xmltok")] + \
              [f"{source}/xmlwf/{name}.c" for name in ("xmlwf", "xmlfile", "codepage", "readfilemap")]
    program = make(os.path.join(folder, "xmlwf"), "cc", sources,
                   [f"-I{source}/lib", "-DXML_DEV_URANDOM", "-DXML_NS", "-DXML_DTD", "-DXML_CONTEXT_BYTES=1024",
                    "-DHAVE_MEMMOVE", "-DHAVE_UNISTD_H", "-DPACKAGE=\"x\"", "-DVERSION=\"1\""])
    document = os.path.join(folder, f"document-{scale}.xml")
    with open(document, "w") as file:
        file.write("<list>" + "".join(f'<item number="{i}" kind="k{i % 7}">text &amp; {i}</item>\n'
                                      for i in range(8000 * scale)) + "</list>")
    return Subject("expat", folder, program, f"{program} -c {document}")


def googletest(scale=1):
    source = "/usr/src/googletest/googletest"
    folder = build_folder("googletest")
    program = make(os.path.join(folder, "samples"), "c++",
                   [f"{source}/src/gtest-all.cc", f"{source}/src/gtest_main.cc"] +
                   [f"{source}/samples/{name}" for name in
                    ("sample1.cc", "sample1_unittest.cc", "sample2.cc", "sample2_unittest.cc", "sample3_unittest.cc",
                     "sample6_unittest.cc", "sample7_unittest.cc", "sample8_unittest.cc")],
                   [f"-I{source}", f"-I{source}/include", "-pthread"])
    # The seed and the time would change from run to run.
    return Subject("googletest", folder, program,
                   f"{program} --gtest_print_time=0 --gtest_random_seed=1 --gtest_repeat={3 * scale} > /dev/null")


def larder(scale=1):
    source = os.path.join(ROOT, "examples/larder/start")
    folder = build_folder("larder")
    program = os.path.join(folder, "larder")
    if not os.path.exists(program):
        run(["cmake", "-S", source, "-B", folder, "-DCMAKE_BUILD_TYPE=RelWithDebInfo"], folder)
        run(["cmake", "--build", folder, "--target", "larder"], folder)
    return Subject("larder", folder, program, f"{program} --index=sorted run {source}/bench/get.work > /dev/null")


ALL = [sqlite, zlib, zopfli, lz4, expat, larder, googletest]
