// Writes every sample of a check in the forms that have a schema into a folder, for
// tests/schemas/validate.
#include "base/files.h"
#include "report/check.h"
#include "report/check_samples.h"

#include <cstdio>
#include <filesystem>
#include <fmt/core.h>
#include <string>
#include <vector>

namespace {

int write_all(const std::filesystem::path& folder) {
  namespace report = dragnet::report;
  for (const auto& [name, checked] : report::samples::all())
    for (const auto& [ending, content] : std::vector<std::pair<std::string, std::string>>{
             {".sarif", report::check_sarif(checked, "1.2.3")},
             {".junit.xml", report::check_junit(checked)},
             {".bencher.json", report::check_bencher(checked)},
             {".benchmark-action.json", report::check_github_benchmark(checked)},
             {".json", report::check_json(checked, "1.2.3")}})
      if (const auto written = dragnet::write_file(folder / (name + ending), content); !written) {
        fmt::print(stderr, "{}\n", written.error().what);
        return 1;
      }
  return 0;
}

} // namespace

int main(int count, char** words) {
  if (count != 2) {
    fmt::print(stderr, "usage: write_check_samples FOLDER\n");
    return 2;
  }
  return write_all(words[1]);
}
