// The real laboratory: builds commits, runs benchmarks on them, and keeps all it saw. What is kept
// is not done again.
#pragma once

#include "base/progress.h"
#include "base/result.h"
#include "binary/open_code.h"
#include "build/builder.h"
#include "history/repository.h"
#include "lab/cases.h"
#include "lab/state.h"
#include "lab/together.h"
#include "model/check.h"
#include "model/function.h"
#include "model/lab.h"
#include "model/machine.h"
#include "model/profile.h"
#include "model/rounds.h"
#include "model/stacks.h"
#include "profile/stack_monitor.h"
#include "project/project.h"
#include "run/executor.h"
#include "run/job.h"
#include "store/archive.h"
#include "store/store.h"

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace dragnet::lab {

/// Whether results that are kept may answer.
enum class Memory { Use, MeasureAgain };

class Laboratory final : public Lab, public SearchLab {
public:
  /// Opens the laboratory of a project and tidies up what killed processes left.
  static Result<std::unique_ptr<Laboratory>> open(project::Project project, Memory memory,
                                                  Progress& progress);

  Result<Build> build(const Commit& commit) override;
  Result<std::optional<Build>> known_build(const Commit& commit) override;

  /// A commit built in another way than the project's own.
  Result<Build> build_by(const Commit& commit, const build::Recipe& recipe);

  /// The benchmarks that `wanted` names (all when empty), with suites as their cases in this build.
  Result<Cases> cases(const Build& build, const std::vector<std::string>& wanted);

  Result<std::vector<Run>> runs(const Build& build, const Benchmark& benchmark, Method method,
                                std::size_t count) override;

  /// What a benchmark executes on a build, taken where it is not kept.
  Result<Profile> profile(const Build& build, const Benchmark& benchmark);

  /// Takes profiles that are not kept, on all cores, until a time; `profile` says what fails.
  Result<> profile_together(std::span<const BenchmarkOn> wanted, double until);

  /// The watched runs that are kept; where results are to be measured again, only those since.
  Result<std::vector<WatchedRun>> watched(const Build& build, const Benchmark& benchmark);
  /// Watches one more run of a benchmark on a build, and keeps it.
  Result<WatchedRun> watch(const Build& build, const Benchmark& benchmark);
  /// How many watched runs of a benchmark on the build of a commit are kept. Builds nothing.
  Result<std::size_t> watched_count(const Commit& commit, const Benchmark& benchmark);

  /// What a benchmark executes on a commit's build, if that is kept. Builds nothing.
  Result<std::optional<Profile>> kept_profile(const Commit& commit, const Benchmark& benchmark);

  /// Which of some commits have a profile of a benchmark as it is defined and built now.
  Result<std::vector<Commit>> profiled(const std::vector<Commit>& commits,
                                       const Benchmark& benchmark);

  Result<std::vector<FunctionTable>> functions(const Build& build) const; ///< of its binaries

  /// Whether two builds differ in debug information only; false where that cannot be told.
  bool same_programs(const Build& a, const Build& b) const;

  /// What differs between the functions of two builds.
  Result<Difference> difference(const Build& old_build, const Build& new_build) const;
  /// The same, with the inlined callees whose code changed; slower.
  Result<Difference> full_difference(const Build& old_build, const Build& new_build) const;

  /// Where functions of a build stand in the source, as far as debug information tells.
  std::map<FunctionId, SourcePlace> places(const Build& build,
                                           const std::vector<FunctionId>& functions) const;

  Method method_for(const std::string& metric) const override;
  Result<std::vector<Pair>> kept_pairs(const Duel& duel) override;
  Result<Pair> measure_pair(const Duel& duel, Order order) override;
  Result<std::vector<MeasuredRound>> kept_rounds(const Trio& trio) override;
  Result<MeasuredRound> measure_round(const Trio& trio, std::span<const RoundSide> order) override;
  const history::Repository& repository() const { return repository_; }
  const project::Project& project() const { return project_; }
  const Machine& machine() const { return machine_; }
  const State& state() const { return state_; }
  run::Executor& executor() { return *executor_; }
  store::Store& store() { return *store_; }
  store::Archive& archive() { return *archive_; }
  void watch_by(profile::Way way) { way_ = way; } ///< from now on
  Memory memory() const { return memory_; }
  Progress& progress() { return progress_; }
  std::string build_key(const Commit& commit) const;
  Result<std::string> definition_key(const Benchmark& benchmark); ///< as it is defined now

private:
  struct Parts;
  explicit Laboratory(Parts parts);

  Result<Build> build_now(const Commit& commit, const build::Recipe& recipe,
                          const std::string& key);
  Result<std::optional<Build>> kept_build(const Commit& commit, const std::string& key);
  Result<store::RunKey> key_of(const Build& build, const Benchmark& benchmark, Method method);
  Result<const std::vector<FunctionTable>*> tables_of(const Build& build);
  Result<std::string> duel_key(const Duel& duel);
  Result<std::int64_t> series_of(const std::string& duel);
  Result<Run> run_once(const Build& build, const Benchmark& benchmark, Method method);
  Result<Run> measure_once(const Build& build, const Benchmark& benchmark, Method method);
  Result<std::vector<WatchedRun>> watched_so(const store::ProfileKey& key);
  Result<> keep(const BenchmarkOn& profiled, const Profile& profile);
  int& ran(const Build& build, const Benchmark& benchmark);
  Result<> warm_up(const Build& build, const Benchmark& benchmark, Method method);
  Result<Run> run_side(const Duel& duel, store::Place place);
  Result<std::string> trio_key(const Trio& trio);
  Result<Run> run_member(const Trio& trio, RoundSide side, store::Place place);

  project::Project project_;
  history::Repository repository_;
  State state_;
  std::unique_ptr<store::Store> store_;
  std::unique_ptr<store::Archive> archive_;
  std::unique_ptr<run::Executor> executor_;
  Machine machine_;
  std::optional<run::Counter> counter_;
  Memory memory_;
  profile::Way way_ = profile::Way::Auto;
  binary::OpenCode code_;
  Progress& progress_;
  std::map<std::string, std::int64_t> series_;     ///< by duel
  std::map<std::string, std::string> definitions_; ///< by benchmark's name: its key, once kept
  std::map<std::string, int> ran_;                 ///< how often, by build and benchmark
  std::map<std::string, std::vector<FunctionTable>> tables_; ///< by build
  std::set<std::string> begun_anew_; ///< builds and benchmarks whose old watched runs are gone
};

} // namespace dragnet::lab
