// The laboratory's part that looks into source: builds that count what they execute by it, and what
// it says.
#pragma once

#include "base/result.h"
#include "build/builder.h"
#include "lab/counted_source.h"
#include "lab/laboratory.h"
#include "model/benchmark.h"
#include "model/commit.h"
#include "model/function.h"
#include "model/run.h"
#include "model/source.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace dragnet::lab {

class SourceLab {
public:
  /// The laboratory outlives it.
  explicit SourceLab(Laboratory& laboratory) : laboratory_(laboratory) {}

  /// A commit built by Clang so that its programs count what they execute by the source. An Error
  /// where that cannot be done, with the end of the log.
  Result<Build> counted_build(const Commit& commit);

  /// What the source of a counted build says.
  static Result<SourceFacts> facts(const Build& counted);

  /// What the source of a commit says, compiled as a counted build was. Builds nothing.
  Result<SourceFacts> facts_like(const Build& counted, const Commit& commit);

  /// What benchmarks execute of the source on a counted build, taken where it is not kept. Costs
  /// are instructions where these can be counted; calls of the library cost what was measured.
  Result<std::vector<SourceProfile>> counts(const Build& counted,
                                            const std::vector<Benchmark>& benchmarks);

  /// What of this is kept: the counted build of a commit, and whether benchmarks were counted on
  /// it.
  Result<std::optional<Build>> kept_counted(const Commit& commit,
                                            const std::vector<Benchmark>& benchmarks);

  /// What calls of the library cost on this machine.
  Result<LibraryCosts> library() const;

private:
  Result<std::filesystem::path> counts_file(const Build& counted, const Benchmark& benchmark);
  Result<std::vector<Benchmark>> uncounted(const Build& counted,
                                           const std::vector<Benchmark>& benchmarks);
  Result<CountersOfTest> counters_of(const Build& counted, const Benchmark& benchmark,
                                     const std::filesystem::path& folder);
  Result<> keep(const Build& counted, const Benchmark& benchmark, const SourceProfile& profile);
  Result<> take_missing(const Build& counted, const std::vector<Benchmark>& missing);
  Result<Build> known(const Commit& commit, const build::Recipe& recipe) const;
  void take_instructions(const Build& counted, const Benchmark& benchmark, SourceProfile& into);
  Result<CountedPlaces> places_of(const Build& counted) const;
  Result<Build> make(const Commit& commit, const build::Recipe& recipe, const std::string& doing);

  Laboratory& laboratory_;
  std::vector<FunctionTable> tables_; ///< of the counted build whose tests are being counted
};

} // namespace dragnet::lab
