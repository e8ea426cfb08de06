// dragnet-cc: stands in for a compiler and calls it with hooks for the tracer, or, where
// DRAGNET_PURPOSE is "aligned", with code aligned otherwise. Under another name, such as gcc, found
// first on PATH, it calls the next one of that name; under its own name it is given the command:
// dragnet-cc gcc -c file.c.

#include "compiler/instrument.h"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace {

using namespace dragnet::compiler; // NOLINT(google-build-using-namespace): this room's program
namespace fs = std::filesystem;

constexpr std::string_view own_name = "dragnet-cc";

// The folders in which a compiler's name leads to this program: compilers that look for others,
// such as ccache, must not come back here.
std::vector<std::string> own_folders(const std::string& path, const std::string& name) {
  std::vector<std::string> own;
  std::error_code none;
  for (const auto& folder : folders_of(path))
    if (fs::equivalent(fs::path(folder) / name, "/proc/self/exe", none))
      own.push_back(folder);
  return own;
}

fs::path found(const std::string& path, const std::string& name) {
  if (name.find('/') != std::string::npos)
    return name;
  for (const auto& folder : folders_of(path))
    if (const auto file = fs::path(folder) / name; ::access(file.c_str(), X_OK) == 0)
      return file;
  return {};
}

bool is_for(std::string_view purpose) {
  const char* given = std::getenv("DRAGNET_PURPOSE"); // NOLINT(concurrency-mt-unsafe): one thread
  return given != nullptr && purpose == given;
}

int call(std::vector<std::string> words) {
  std::vector<char*> pointers;
  pointers.reserve(words.size() + 1);
  for (auto& word : words)
    pointers.push_back(word.data());
  pointers.push_back(nullptr);
  ::execvp(pointers.front(), pointers.data());
  const std::string why = std::system_category().message(errno);
  std::fputs(("dragnet-cc: cannot run " + words.front() + ": " + why + "\n").c_str(), stderr);
  return 127;
}

} // namespace

int main(int count, char** arguments) {
  std::vector<std::string> words(arguments, arguments + count);
  const std::string name = words.empty() ? "" : fs::path(words.front()).filename().string();
  if (name == own_name)
    words.erase(words.begin());
  else if (!words.empty())
    words.front() = name;
  if (words.empty()) {
    std::fputs("dragnet-cc: no compiler is given\n", stderr);
    return 2;
  }
  const char* given = std::getenv("PATH"); // NOLINT(concurrency-mt-unsafe): one thread
  std::string path = given == nullptr ? "/usr/bin:/bin" : given;
  const std::string compiler = words.front();
  path = without_folders(path, own_folders(path, fs::path(compiler).filename()));
  ::setenv("PATH", path.c_str(), 1); // NOLINT(concurrency-mt-unsafe): one thread
  std::error_code none;
  const auto file = fs::canonical(found(path, compiler), none);
  const Maker maker = maker_of(compiler, file.string());
  return call(is_for("aligned") ? aligned(std::move(words), maker)
                                : instrumented(std::move(words), maker));
}
