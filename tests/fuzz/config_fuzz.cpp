// Any text as dragnet.toml: it parses or gives an Error with a message, and a project that parsed
// keeps its promises.
#include "base/ensure.h"
#include "model/benchmark.h"
#include "model/metric.h"
#include "project/project.h"
#include "project/space.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>

using dragnet::Benchmark;
using dragnet::ensure;

namespace {

void check_benchmark(const Benchmark& benchmark) {
  ensure(!benchmark.name.empty() && !benchmark.name.contains('/'), "a benchmark has a sound name");
  ensure(!benchmark.command.empty() && !benchmark.command.contains('\0'),
         "a benchmark has a sound command");
  ensure(!benchmark.metrics.empty(), "a benchmark has a metric");
  ensure(std::ranges::all_of(benchmark.metrics, dragnet::is_known_metric), "all metrics are known");
  ensure(benchmark.limit.count() > 0 && benchmark.limit.count() <= 1e9, "a limit is a duration");
  ensure(benchmark.cores >= 0, "cores are not negative");
  for (const auto& [metric, share] : benchmark.smallest_effect)
    ensure(share > 0 && share < 1, "a smallest effect is a share");
}

void check_option(const dragnet::project::Option& option) {
  int ways = 0;
  for (const std::string& way : {option.flag, option.build, option.variable, option.line})
    ways += way.empty() ? 0 : 1;
  ensure(ways == 1 || (ways == 0 && option.choices.size() >= 2), "one way to set an option");
  ensure(option.line.empty() == option.file.empty(), "a line stands in a file");
}

} // namespace

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer asks for this name
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::string text(bytes, bytes + size);
  const auto project = dragnet::project::parse_project(text, "dragnet.toml", "/repository");
  if (!project) {
    ensure(project.error().what.starts_with("dragnet.toml:"), "an Error names the file");
    return 0;
  }
  ensure(!project->name.empty() && !project->build.command.empty(),
         "a project has a name and a build");
  ensure(!project->benchmarks.empty(), "a project has a benchmark");
  std::set<std::string> names;
  for (const auto& benchmark : project->benchmarks) {
    check_benchmark(benchmark);
    ensure(names.insert(benchmark.name).second, "names of benchmarks differ");
  }
  for (const auto& option : project->options)
    check_option(option);
  // Clauses may be wrong, but must be read or refused.
  const auto options = dragnet::project::option_space(*project);
  ensure(options || !options.error().what.empty(), "an Error has a message");
  return 0;
}
