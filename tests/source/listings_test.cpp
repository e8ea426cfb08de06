// The examples of PerfRanker from source to ranking: Listings 1 to 5 as programs, counted by Clang,
// read, estimated, and held against what the new version really executes.

#include "analysis/rank/metrics.h"
#include "analysis/rank/rank.h"
#include "analysis/rank/revision.h"
#include "analysis/structure/program.h"
#include "base/process.h"
#include "facts/counts.h"
#include "facts/unit_facts.h"
#include "fakes/source_folder.h"
#include "fakes/temporary_folder.h"
#include "model/source.h"
#include "source/counters.h"
#include "source/translation.h"

#include <algorithm>
#include <filesystem>
#include <gtest/gtest.h>
#include <map>
#include <string>
#include <vector>

namespace dragnet::source {
namespace {

namespace fs = std::filesystem;

const std::vector<int> sizes{3, 900, 40, 10, 300};

/// One version of a listing, read and counted.
struct Counted {
  SourceFacts facts;
  std::vector<SourceProfile> profiles; ///< one for each size
};

Counted counted(const std::string& listing, const std::vector<std::string>& flags) {
  const fakes::TemporaryFolder folder;
  const fs::path source = fakes::source_folder() / "tests/programs/rank" / listing;
  const fs::path root = source.parent_path();
  std::vector<std::string> words{"clang++-19", "-O1"};
  words.insert(words.end(), flags.begin(), flags.end());
  auto compile = words;
  compile.insert(compile.end(), {"-fprofile-instr-generate", "-fcoverage-mapping", source.string(),
                                 "-o", (folder / "program").string()});
  const auto made = run_command(compile);
  EXPECT_TRUE(made && made->status == 0) << (made ? made->errors : made.error().what);
  words.insert(words.end(), {"-c", source.string()});
  const auto unit = translate({.folder = root, .file = source, .words = words}, root);
  Counted result{.facts = facts::linked({unit.facts}), .profiles = {}};
  EXPECT_TRUE(result.facts.warnings.empty());
  for (const int size : sizes) {
    const fs::path raw = folder / "raw";
    const auto run =
        run_command({(folder / "program").string(), std::to_string(size)},
                    {.folder = {}, .environment = {"LLVM_PROFILE_FILE=" + raw.string()}});
    EXPECT_TRUE(run);
    const auto functions = read_counters({raw}, {folder / "program"}, root);
    EXPECT_TRUE(functions) << functions.error().what;
    SourceProfile profile = facts::joined(result.facts, *functions);
    profile.test = std::to_string(size);
    profile.root = "main";
    result.profiles.push_back(profile);
  }
  return result;
}

/// The true changes in the order of a ranking.
std::vector<double> in_order(const std::vector<rank::Estimate>& ranked, const Counted& base,
                             const Counted& next) {
  std::map<std::string, double> truth;
  for (std::size_t i = 0; i < base.profiles.size(); ++i)
    truth[base.profiles[i].test] = rank::change(base.profiles[i].cost, next.profiles[i].cost);
  std::vector<double> changes;
  for (const rank::Estimate& estimate : ranked)
    changes.push_back(truth.at(estimate.test));
  return changes;
}

double apfd_of(const std::string& listing, rank::Method method) {
  const Counted base = counted(listing, {});
  const Counted next = counted(listing, {"-DCOMMIT"});
  const structure::Program program(base.facts, next.facts);
  const auto changes = in_order(rank::ranked(program, base.profiles, method), base, next);
  auto best = changes;
  std::ranges::sort(best, std::greater());
  return rank::apfd_p(changes) / rank::apfd_p(best);
}

TEST(Listings, counts_are_those_of_the_source) {
  const Counted base = counted("listing3.cpp", {});
  const structure::Program program(base.facts, base.facts);
  const SourceProfile& profile = base.profiles[1];
  const auto found = std::ranges::find_if(profile.functions, [](const SourceCounts& counts) {
    return counts.function.find("6length") != std::string::npos;
  });
  ASSERT_NE(found, profile.functions.end());
  EXPECT_EQ(found->calls, 900);
  EXPECT_EQ(std::ranges::count(found->blocks, 6 * 900.0), 1) << "six letters a text";
}

TEST(Listings, both_methods_order_the_successful_ones_as_they_really_change) {
  for (const char* listing : {"listing1.cpp", "listing2.cpp", "listing3.cpp"})
    for (const auto method : {rank::Method::Published, rank::Method::Ours})
      EXPECT_DOUBLE_EQ(apfd_of(listing, method), 1) << listing << " " << rank::name(method);
}

TEST(Listings, ours_orders_the_challenging_ones_as_they_really_change) {
  for (const char* listing : {"listing4.cpp", "listing5.cpp"})
    EXPECT_GE(apfd_of(listing, rank::Method::Ours), 0.95) << listing;
}

} // namespace
} // namespace dragnet::source
