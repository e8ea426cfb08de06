"""Changes of what the example program reads and writes: 20 plants, chosen before anything was measured."""

import os

from plants import Edit, Plant, Rename, Subject, tree

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
LOG, MAIN, STORE, SCRIPT = "src/log.cpp", "src/main.cpp", "src/store.cpp", "src/script.cpp"


def batch(size):
    return Edit(LOG, "batch_size = 256;", f"batch_size = {size};")


def seal(size):
    """Each batch ends with the record of an erased key, of this many bytes."""
    return [Edit(LOG, "constexpr std::size_t batch_size = 256;", "constexpr std::size_t batch_size = 256;\n"
                 f"const std::string seal = std::string(\"\\x01\\x{size - 8:02x}\\0\\0\\0\\0\\0\\0\", 8) + std::string({size - 8}, '~');"),
            Edit(LOG, "  write_all(file_, buffer_, path_);",
                 "  if (flush_ == Flush::Batch && !buffer_.empty())\n    buffer_.append(seal);\n  write_all(file_, buffer_, path_);")]


def before_replacing(text):
    """A function before the one that replaces the data file."""
    head = "void replace_data_file(const std::string& path, std::string_view bytes) {"
    return Edit(LOG, head, text + "\n" + head)


MIRROR_H = """// A second copy of the log, written by a thread of its own.
#pragma once

#include <condition_variable>
#include <mutex>
#include <queue>
#include <string>
#include <thread>

namespace larder {

class Mirror {
public:
  explicit Mirror(const std::string& path);
  /// Waits until everything is written.
  ~Mirror();
  void add(std::string batch);

private:
  void work();
  void write_batch(const std::string& batch);

  int file_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::queue<std::string> waiting_;
  bool done_ = false;
  std::thread thread_;
};

} // namespace larder
"""

MIRROR_CPP = """#include "mirror.h"

#include "failure.h"

#include <fcntl.h>
#include <unistd.h>
#include <utility>

namespace larder {

Mirror::Mirror(const std::string& path)
    : file_(::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0644)), thread_([this] { work(); }) {}

Mirror::~Mirror() {
  {
    const std::lock_guard lock(mutex_);
    done_ = true;
  }
  changed_.notify_one();
  thread_.join();
  ::close(file_);
}

void Mirror::add(std::string batch) {
  {
    const std::lock_guard lock(mutex_);
    waiting_.push(std::move(batch));
  }
  changed_.notify_one();
}

void Mirror::work() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [this] { return done_ || !waiting_.empty(); });
    if (waiting_.empty())
      return;
    const std::string batch = std::move(waiting_.front());
    waiting_.pop();
    lock.unlock();
    write_batch(batch);
    lock.lock();
  }
}

void Mirror::write_batch(const std::string& batch) {
  if (::write(file_, batch.data(), batch.size()) < 0)
    std::terminate();
}

} // namespace larder
"""

MIRROR = [
    Edit("src/mirror.h", "", MIRROR_H),
    Edit("src/mirror.cpp", "", MIRROR_CPP),
    Edit("src/log.h", "#include <cstddef>", "#include \"mirror.h\"\n\n#include <cstddef>"),
    Edit("src/log.h", "  std::string buffer_;", "  Mirror mirror_;\n  std::string buffer_;"),
    Edit(LOG, "      file_(open_file(path_, O_WRONLY | O_CREAT | O_APPEND)) {",
         "      file_(open_file(path_, O_WRONLY | O_CREAT | O_APPEND)), mirror_(path_ + \".mirror\") {"),
    Edit(LOG, "  buffer_.clear();", "  if (!buffer_.empty())\n    mirror_.add(buffer_);\n  buffer_.clear();"),
]

WORKER = [
    Edit(MAIN, "#include <exception>", "#include <exception>\n#include <thread>"),
    Edit(MAIN, "  const int status = run_command(store, options.words);", """  int status = 0;
  std::exception_ptr failure;
  std::thread worker([&] {
    try {
      status = run_command(store, options.words);
    } catch (...) {
      failure = std::current_exception();
    }
  });
  worker.join();
  if (failure)
    std::rethrow_exception(failure);"""),
]

CHILD = [
    Edit("src/log.h", "class Log {", "/// Keeps these bytes beside the file, by a process of its own. Throws Failure.\n"
         "void archive_data_file(const std::string& path, std::string_view bytes);\n\nclass Log {"),
    Edit(LOG, "#include <unistd.h>", "#include <sys/wait.h>\n#include <unistd.h>"),
    before_replacing("""static void write_archive(const std::string& path, std::string_view bytes) {
  const int file = open_file(path + ".archive", O_WRONLY | O_CREAT | O_TRUNC);
  write_all(file, bytes, path);
  ::close(file);
}

void archive_data_file(const std::string& path, std::string_view bytes) {
  const pid_t child = ::fork();
  if (child == 0) {
    write_archive(path, bytes);
    ::_exit(0);
  }
  int status = 0;
  if (child < 0 || ::waitpid(child, &status, 0) != child)
    fail("archive", path);
}
"""),
    Edit(STORE, "    replace_data_file(options_.data, kept.bytes_from(0));",
         "    archive_data_file(options_.data, image_.bytes_from(0));\n    replace_data_file(options_.data, kept.bytes_from(0));"),
]

NOISE = [
    Edit(MAIN, "#include <vector>\n", "#include <vector>\n\n#include <fcntl.h>\n#include <random>\n#include <unistd.h>\n"),
    Edit(MAIN, "int run(int count, char** arguments) {", """// As much as there was to say about this run.
void write_trace(const std::string& data) {
  if (data.empty())
    return;
  std::random_device chance;
  const std::string text(2000, '.');
  const int file = ::open((data + ".trace").c_str(), O_WRONLY | O_CREAT | O_APPEND, 0644);
  for (unsigned piece = 40 + chance() % 60; piece > 0; --piece)
    if (::write(file, text.data(), 500 + chance() % 1000) < 0)
      throw Failure("cannot write the trace");
  ::close(file);
}

int run(int count, char** arguments) {"""),
    Edit(MAIN, "  store.close();\n", "  store.close();\n  write_trace(options.store.data);\n"),
]

WRITE_AHEAD = """
static void write_ahead(const std::string& path, std::string_view batch) {
  const std::string ahead = path + ".ahead";
  const int file = open_file(ahead, O_WRONLY | O_CREAT | O_TRUNC);
  write_all(file, batch, ahead);
  ::close(file);
  ::unlink(ahead.c_str());
}

void Log::write_buffer() {
  if (flush_ == Flush::Batch)
    write_ahead(path_, buffer_);
"""

LISTING_H = """// A list of what is in the store.
#pragma once

#include <iostream>
#include <string_view>

namespace larder {

class Listing {
public:
  void add(std::string_view key, std::string_view value) {
    ++lines_;
    write_line(key, value);
  }

private:
  void write_line(std::string_view key, std::string_view value) {
    std::cout << lines_ << ' ' << key << '\\t' << value << '\\n';
  }

  std::size_t lines_ = 0;
};

} // namespace larder
"""

LINE = r"std::cout << key << '\t' << value << '\n';"

PLANTS = [
    Plant("seal-batches", "more bytes per call", "log", r"Log::write_buffer", seal(256)),
    Plant("large-buffer", "more bytes per call", "words", r"Log::append",
          [Edit(LOG, "buffer_size = 64 * 1024;", "buffer_size = 256 * 1024;")]),
    Plant("small-batches", "more calls", "log", r"Log::append", [batch(192)]),
    Plant("backup", "new file", "words", r"keep_backup",
          [before_replacing("""static void keep_backup(const std::string& path) {
  const std::string old = read_data_file(path);
  const int file = open_file(path + ".bak", O_WRONLY | O_CREAT | O_TRUNC);
  write_all(file, old, path);
  ::close(file);
}
"""), Edit(LOG, "  if (std::rename(fresh", "  keep_backup(path);\n  if (std::rename(fresh")]),
    Plant("flush-lines", "removed buffering", "words", r"print_all", [Edit(MAIN, LINE, LINE.replace(r"'\n'", "std::endl"))]),
    Plant("unbuffered-input", "removed buffering", "words", r"with_file",
          [Edit(MAIN, "  std::ifstream file(name);", "  std::ifstream file;\n  file.rdbuf()->pubsetbuf(nullptr, 0);\n  file.open(name);")],
          metric="read"),
    Plant("write-ahead", "temporary files", "log", r"write_ahead", [Edit(LOG, "\nvoid Log::write_buffer() {\n", WRITE_AHEAD)]),
    Plant("short-values", "fewer bytes", "words", r"print_all", [Edit(MAIN, LINE, LINE.replace("value", "value.substr(0, 4)"))]),
    Plant("shared-batches", "in a shared library", "log", r"Log::append", [batch(240)], scene="shared"),
    Plant("shared-pieces", "in a shared library", "words", r"read_data_file",
          [Edit(LOG, "piece(buffer_size, '\\0')", "piece(buffer_size / 4, '\\0')")], scene="shared", metric="read"),
    Plant("mirror-heads", "in a thread", "log", r"Mirror::write_batch",
          [Edit("src/mirror.cpp", "  if (::write(file_, batch.data(), batch.size()) < 0)",
                "  const std::string head = std::to_string(batch.size()) + \" bytes\\n\";\n"
                "  if (::write(file_, head.data(), head.size()) < 0 || ::write(file_, batch.data(), batch.size()) < 0)")],
          scene="mirror"),
    Plant("sync-batches", "in a thread", "log", r"Log::write_buffer",
          [Edit(LOG, "  buffer_.clear();", "  if (flush_ == Flush::Batch && ::fdatasync(file_) != 0)\n    fail(\"sync\", path_);\n  buffer_.clear();")],
          scene="worker", metric="fsync"),
    Plant("archive-pieces", "in a child process", "words", r"write_archive",
          [Edit(LOG, "  write_all(file, bytes, path);\n  ::close(file);\n}\n\nvoid archive",
                "  for (std::size_t at = 0; at < bytes.size(); at += 4096)\n    write_all(file, bytes.substr(at, 4096), path);\n"
                "  ::close(file);\n}\n\nvoid archive")], scene="child"),
    Plant("progress", "behind a function pointer", "log", r"\blookup\(",
          [Edit(SCRIPT, "  for (std::uint32_t i = 0; i < count; ++i)\n    found +=",
                "  for (std::uint32_t i = 0; i < count; ++i) {\n    if (i % 1000 == 0)\n      out << i << \" looked up\" << std::endl;\n    found +="),
           Edit(SCRIPT, "  out << found << \" of \"", "  }\n  out << found << \" of \"")]),
    Plant("write-pieces", "in inlined code", "words", r"write_all",
          [Edit(LOG, "#include <cerrno>", "#include <algorithm>\n#include <cerrno>"),
           Edit(LOG, "::write(file, bytes.data(), bytes.size())", "::write(file, bytes.data(), std::min<std::size_t>(bytes.size(), 32 * 1024))")]),
    Plant("probe-files", "in inlined code", "log", r"open_file",
          [Edit(LOG, "  const int file = ::open(path.c_str(), flags | O_CLOEXEC, 0644);",
                "  const int probe = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);\n  char head[8];\n"
                "  if (probe >= 0 && ::read(probe, head, sizeof head) < 0)\n    fail(\"read\", path);\n  ::close(probe);\n"
                "  const int file = ::open(path.c_str(), flags | O_CLOEXEC, 0644);")], metric="opened"),
    Plant("noise-batches", "hidden in noise", "log", r"Log::append", [batch(230)], scene="noise"),
    Plant("noise-seal", "hidden in noise", "log", r"Log::write_buffer", seal(128), scene="noise"),
    Plant("renamed-log", "with a refactoring", "log", r"Log::(append|add_record)",
          [batch(160), Edit("src/log.h", "void append(std::string_view record);", "void add_record(std::string_view record);"),
           Edit(LOG, "void Log::append(", "void Log::add_record("),
           Edit(STORE, "  if (log_)\n    log_->append(image_.bytes_from(offset));\n}", "  log_from(offset);\n}\n\n"
                "void Store::log_from(Offset offset) {\n  if (log_)\n    log_->add_record(image_.bytes_from(offset));\n}"),
           Edit("src/store.h", "  void append(const Record& record);", "  void append(const Record& record);\n  void log_from(Offset offset);"),
           Rename([LOG, "src/log.h"], "write_buffer", "hand_over"), Rename([LOG], "write_all", "put_bytes")]),
    Plant("moved-listing", "with a refactoring", "words", r"Listing::|print_all|print_listing",
          [Edit("src/listing.h", "", LISTING_H), Edit(MAIN, "#include \"generate.h\"", "#include \"generate.h\"\n#include \"listing.h\""),
           Edit(MAIN, "  store.scan(prefix, [](std::string_view key, std::string_view value) {\n    " + LINE,
                "  Listing listing;\n  store.scan(prefix, [&](std::string_view key, std::string_view value) {\n    listing.add(key, value);"),
           Rename([MAIN], "print_all", "print_listing")]),
]

SCENES = {"plain": [], "shared": [Edit("shared-core", "", "The core is a library of its own.\n")], "mirror": MIRROR, "worker": WORKER,
          "child": CHILD, "noise": NOISE}
ALIKE = {"comment": [Edit(LOG, "namespace larder {\nnamespace {", "// What is written here is read by read_data_file.\nnamespace larder {\nnamespace {")],
         "function": [Edit("src/keys.cpp", "hash ^ (hash >> 29)", "hash ^ (hash >> 31)")]}
ALIKE_IN = [(scene, benchmark) for scene in ("plain", "shared", "mirror", "child", "noise") for benchmark in ("words", "log")]


def larder():
    files = {path: text for path, text in tree(os.path.join(ROOT, "examples/larder/start")).items() if path.startswith("src/")}
    return Subject("larder", {**files, **tree(os.path.join(ROOT, "eval/subjects/stacks/larder"))}, SCENES, PLANTS, ALIKE, ALIKE_IN)
