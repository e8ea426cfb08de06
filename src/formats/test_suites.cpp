#include "formats/test_suites.h"

#include "base/text.h"
#include "formats/google_benchmark.h"
#include "model/benchmark.h"

#include <fmt/core.h>

#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace dragnet::formats {
namespace {

using Names = std::vector<std::string>;

std::string without_comment(std::string_view line) {
  return std::string(trim(line.substr(0, line.find("  #"))));
}

bool is_disabled(std::string_view name) {
  return name.starts_with("DISABLED_") || name.contains("/DISABLED_");
}

// A suite stands alone with a dot at its end; its cases follow, two columns to the right. Comments
// tell parameters.
Names parse_googletest(const Names& all) {
  Names names;
  std::string suite;
  for (const std::string& line : all) {
    const std::string text = without_comment(line);
    if (!line.starts_with("  "))
      suite = text.ends_with('.') && !text.contains(' ') ? text : "";
    else if (!suite.empty() && !text.empty() && !is_disabled(suite) && !is_disabled(text))
      names.push_back(suite + text);
  }
  return names;
}

// Between two lines of =, which frame what doctest itself says.
Names parse_doctest(const Names& all) {
  Names names;
  std::size_t frames = 0;
  for (const std::string& line : all)
    if (line.starts_with("====="))
      ++frames;
    else if (frames == 1 && !line.starts_with("[doctest]"))
      names.push_back(line);
  return names;
}

// "  Test  #3: name", and " (Disabled)" behind those that are not run.
Names parse_ctest(const Names& all) {
  Names names;
  for (const std::string& line : all) {
    const std::size_t colon = line.find(": ");
    if (!trim(line).starts_with("Test ") || colon == std::string::npos || !line.contains('#'))
      continue;
    if (!line.ends_with(" (Disabled)"))
      names.push_back(line.substr(colon + 2));
  }
  return names;
}

std::string escaped(std::string_view name, std::string_view special) {
  std::string result;
  for (const char c : name) {
    if (special.contains(c))
      result += '\\';
    result += c;
  }
  return result;
}

} // namespace

std::string listing_command(Suite suite, const std::string& command) {
  switch (suite) {
  case Suite::GoogleTest:
    return command + " --gtest_list_tests";
  case Suite::Catch2:
    // The second version ends with the number of cases; the third knows other words only.
    return fmt::format("names=$({0} --list-test-names-only 2>/dev/null); "
                       "case \"$names\" in ''|*nrecogni*) {0} --list-tests --verbosity quiet;; "
                       "*) printf '%s\\n' \"$names\";; esac",
                       command);
  case Suite::Doctest:
    return command + " --list-test-cases --no-colors";
  case Suite::CTest:
    return command + " --show-only";
  case Suite::GoogleBenchmark:
  case Suite::None:
    break;
  }
  return command + " --benchmark_list_tests=true 2>/dev/null";
}

std::vector<std::string> parse_listing(Suite suite, std::string_view output) {
  if (suite == Suite::GoogleBenchmark)
    return parse_google_benchmark_list(output);
  Names all = lines(output);
  if (suite == Suite::GoogleTest)
    all = parse_googletest(all);
  if (suite == Suite::Doctest)
    all = parse_doctest(all);
  if (suite == Suite::CTest)
    all = parse_ctest(all);
  Names names;
  std::set<std::string> seen;
  for (const std::string& one : all)
    if (std::string name(trim(one)); !name.empty() && seen.insert(name).second)
      names.push_back(std::move(name));
  return names;
}

std::string start_command(Suite suite, const std::string& command) {
  // Some take it for a failure that no case has this name.
  const std::string nothing = "dragnet-runs-none";
  switch (suite) {
  case Suite::GoogleTest:
  case Suite::Catch2:
  case Suite::Doctest:
    return case_command(suite, command, nothing) + " || true";
  case Suite::CTest: // each of its cases is a program of its own
  case Suite::GoogleBenchmark:
  case Suite::None:
    break;
  }
  return {};
}

std::string case_command(Suite suite, const std::string& command, const std::string& case_name) {
  switch (suite) {
  case Suite::GoogleTest:
    return command + " --gtest_filter=" + shell_quoted(case_name);
  case Suite::Catch2:
    return command + " " + shell_quoted(escaped(case_name, "\\,[]*\"~"));
  case Suite::Doctest:
    return command + " --test-case=" + shell_quoted(escaped(case_name, "\\,"));
  case Suite::CTest:
    return command + " --no-tests=error -R " + shell_quoted(google_benchmark_filter(case_name));
  case Suite::GoogleBenchmark:
  case Suite::None:
    break;
  }
  return {};
}

} // namespace dragnet::formats
