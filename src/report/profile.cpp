#include "report/profile.h"
#include "base/function_name.h"
#include "base/json.h"
#include "model/profile.h"
#include "report/documents.h"
#include "report/table.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <fmt/core.h>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace dragnet::report {
namespace {

std::string_view word(Counting counting) {
  switch (counting) {
  case Counting::Emulated:
    return "counted in an emulator";
  case Counting::Callgrind:
    return "counted by valgrind";
  case Counting::Sampled:
    return "sampled";
  }
  return "";
}

double share(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

std::string summary(const ProfiledBenchmark& one) {
  return fmt::format("{}: {} {}, {} functions of the build ({})\n", one.benchmark,
                     one.profile.instructions,
                     one.profile.counting == Counting::Sampled ? "samples" : "instructions",
                     one.profile.functions.size(), word(one.profile.counting));
}

std::string table_of(const Profile& profile, std::size_t most, bool colours) {
  std::vector<FunctionCounts> functions = profile.functions;
  std::ranges::stable_sort(functions, std::ranges::greater{}, &FunctionCounts::instructions);
  if (most != 0 && functions.size() > most)
    functions.resize(most);
  Table table({{"share", Align::Right},
               {"instructions", Align::Right},
               {"calls", Align::Right},
               {"function"}});
  for (const FunctionCounts& counts : functions)
    table.add({{fmt::format("{:.1f} %", 100 * share(counts.instructions, profile.instructions))},
               {fmt::format("{}", counts.instructions)},
               {profile.counting == Counting::Sampled ? "" : fmt::format("{}", counts.calls)},
               {short_name(counts.function.name)}});
  return table.text(colours);
}

Json profile_json(const ProfiledBenchmark& one) {
  Json json{{"benchmark", one.benchmark},
            {"counting", word(one.profile.counting)},
            {"instructions", one.profile.instructions},
            {"functions", Json::array()},
            {"edges", Json::array()},
            {"libraries", Json::array()}};
  for (const FunctionCounts& counts : one.profile.functions)
    json["functions"].push_back({{"function", counts.function.name},
                                 {"binary", counts.function.binary},
                                 {"calls", counts.calls},
                                 {"instructions", counts.instructions}});
  for (const CallEdge& edge : one.profile.edges)
    json["edges"].push_back({{"caller", edge.caller.name},
                             {"callee", edge.callee.name},
                             {"indirect", edge.kind == CallKind::Indirect},
                             {"calls", edge.calls}});
  for (const ForeignLibrary& library : one.profile.libraries)
    json["libraries"].push_back({{"path", library.path},
                                 {"identity", library.identity},
                                 {"instructions", library.instructions}});
  return json;
}

} // namespace

std::string profiles_text(const ProfiledCommit& profiled, std::size_t most, bool colours) {
  std::string text;
  for (const ProfiledBenchmark& one : profiled.benchmarks)
    text += (text.empty() ? "" : "\n") + summary(one) + table_of(one.profile, most, colours);
  return text;
}

std::string profiles_json(const ProfiledCommit& profiled, const std::string& version) {
  Json document = new_document("profiles", version);
  document["project"] = profiled.project;
  document["commit"] = profiled.commit.id.text;
  document["benchmarks"] = Json::array();
  for (const ProfiledBenchmark& one : profiled.benchmarks)
    document["benchmarks"].push_back(profile_json(one));
  return to_text(document);
}

} // namespace dragnet::report
