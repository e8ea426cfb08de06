#include "compiler/instrument.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace dragnet::compiler {

Maker maker_of(std::string_view name, std::string_view file) {
  const auto speaks_of_clang = [](std::string_view path) {
    return path.substr(path.rfind('/') + 1).find("clang") != std::string_view::npos;
  };
  return speaks_of_clang(name) || speaks_of_clang(file) ? Maker::Clang : Maker::Gcc;
}

std::vector<std::string> instrumented(std::vector<std::string> words, Maker maker) {
  if (maker == Maker::Clang)
    // Where it only links or preprocesses, it is not to complain.
    words.insert(words.end(),
                 {"--start-no-unused-arguments", "-finstrument-functions-after-inlining",
                  "--end-no-unused-arguments"});
  else
    // Functions of the system's headers are called very often and are nobody's change.
    words.insert(words.end(),
                 {"-finstrument-functions", "-finstrument-functions-exclude-file-list=/usr/include,"
                                            "/usr/lib/gcc,/usr/local/include"});
  return words;
}

std::vector<std::string> aligned(std::vector<std::string> words, Maker maker) {
  if (maker == Maker::Clang)
    words.insert(words.end(), {"--start-no-unused-arguments", "-falign-functions=64",
                               "-falign-loops=64", "--end-no-unused-arguments"});
  else
    words.insert(words.end(), {"-falign-functions=64", "-falign-loops=64", "-falign-jumps=64",
                               "-falign-labels=32"});
  return words;
}

std::vector<std::string> folders_of(std::string_view path) {
  std::vector<std::string> folders;
  for (std::size_t begin = 0; begin <= path.size();) {
    const std::size_t end = std::min(path.find(':', begin), path.size());
    folders.emplace_back(path.substr(begin, end - begin));
    begin = end + 1;
  }
  return folders;
}

std::string without_folders(std::string_view path, const std::vector<std::string>& left_out) {
  std::string kept;
  bool first = true;
  for (const auto& folder : folders_of(path)) {
    if (std::ranges::find(left_out, folder) != left_out.end())
      continue;
    kept += (first ? "" : ":") + folder;
    first = false;
  }
  return kept;
}

} // namespace dragnet::compiler
