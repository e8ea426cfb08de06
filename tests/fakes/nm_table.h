// The functions of a binary as the programs nm and readelf tell them: names, places and sizes.
#pragma once

#include "base/process.h"
#include "model/function.h"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <filesystem>
#include <set>
#include <sstream>
#include <string>
#include <tuple>
#include <vector>

namespace dragnet::fakes {

inline std::vector<CodeSegment> code_segments(const std::filesystem::path& binary) {
  std::vector<CodeSegment> segments;
  const auto listed = run_command({"readelf", "-lW", binary.string()});
  std::istringstream lines(listed ? listed->output : "");
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string type;
    std::string physical;
    std::string rest;
    CodeSegment segment;
    words >> type >> std::hex >> segment.file_offset >> segment.address >> physical >> segment.size;
    if (words && type == "LOAD" && std::getline(words, rest) && rest.find('E') != rest.npos)
      segments.push_back(segment);
  }
  return segments;
}

// Of functions at the same place, the first by name stays; a function ends where the next begins.
inline void make_disjoint(std::vector<Function>& functions) {
  std::ranges::sort(functions, [](const Function& a, const Function& b) {
    return std::tie(a.address, b.size, a.name) < std::tie(b.address, a.size, b.name);
  });
  const auto same = std::ranges::unique(functions, {}, &Function::address);
  functions.erase(same.begin(), same.end());
  for (std::size_t i = 0; i + 1 < functions.size(); ++i)
    functions[i].size =
        std::min(functions[i].size, functions[i + 1].address - functions[i].address);
  std::set<std::string> names;
  for (auto& function : functions)
    if (!names.insert(function.name).second)
      function.name += "@" + std::to_string(function.address);
}

/// The table of a binary, under its file name.
inline FunctionTable nm_table(const std::filesystem::path& binary) {
  FunctionTable table;
  table.binary = binary.filename().string();
  table.segments = code_segments(binary);
  const auto listed = run_command({"nm", "-S", "--defined-only", binary.string()});
  std::istringstream lines(listed ? listed->output : "");
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    Function function;
    std::string type;
    words >> std::hex >> function.address >> function.size >> type >> function.name;
    if (words && function.size > 0 && (type == "T" || type == "t" || type == "W" || type == "i"))
      table.functions.push_back(function);
  }
  make_disjoint(table.functions);
  return table;
}

} // namespace dragnet::fakes
