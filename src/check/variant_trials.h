// Measures configurations at commits for the search over both: builds, runs and remembers; learns
// from what the program refuses which configurations it does not want.
#pragma once

#include "analysis/variants/finding.h"
#include "base/result.h"
#include "base/units.h"
#include "model/benchmark.h"
#include "model/commit.h"
#include "model/configuration.h"
#include "model/rounds.h"
#include "model/run.h"
#include "model/variant_lab.h"
#include "project/space.h"

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace dragnet::check {

/// What is measured.
struct VariantQuestion {
  std::vector<Commit> commits; ///< oldest first
  std::string metric;
  Method method = Method::Timed;
  Seconds budget{600}; ///< of building and running in this call
  const ConfigurationSpace* space = nullptr;
  std::function<project::Variant(const Configuration&)> variant;
  /// The laboratory that builds by a command.
  std::function<Result<SearchLab*>(const std::string& build_command)> lab;
  std::function<double()> seconds; ///< a clock
};

class VariantTrials final : public VariantLab, public ValidConfigurations {
public:
  VariantTrials(VariantQuestion question, ValidConfigurations& allowed);

  Result<Cell> measure(const Configuration& configuration, std::size_t commit) override;
  bool repeats() const override { return true; }
  bool spent() const override { return effort_.budget_spent; }

  std::size_t options() const override { return allowed_.options(); }
  bool valid(const Configuration& configuration) override;
  std::optional<Configuration> near(const Configuration& wanted,
                                    std::span<const Literal> fixed) override;

  /// Whether the program accepts, at the newest commit, what a constraint forbids.
  Result<> try_forbidden(const std::string& constraint, const Configuration& configuration);

  const variants::Effort& effort() const { return effort_; }
  /// What the program refuses or accepts against the constraints.
  std::vector<variants::Disagreement> disagreements() const;

private:
  struct Refusal {
    Configuration configuration;
    std::string said;
  };
  using Literals = std::vector<Literal>;

  Result<std::optional<Build>> built(const Configuration& configuration, std::size_t commit);
  Result<Run> run(const Configuration& configuration, const Build& build, std::size_t number);
  Result<Cell> failed(const Configuration& configuration, std::size_t commit, const Run& run);
  Result<bool> works_at_the_end(const Configuration& configuration);
  bool usable(const Run& run) const;
  void refuse(const Configuration& configuration, const Run& run);
  void accept(const Configuration& configuration);
  void generalize();
  std::optional<Literals> common_cause(const Configuration& refused) const;
  const Literals* forbidding(const Configuration& configuration) const;
  bool was_refused(const Configuration& configuration) const;
  void note_time(double begin);

  VariantQuestion question_;
  ValidConfigurations& allowed_;
  std::map<std::pair<Configuration, std::size_t>, std::size_t> taken_; // runs, by cell
  std::map<std::size_t, std::set<std::string>> unbuilt_; // by commit: commands that do not build
  std::set<std::size_t> builds_;                         // commits that build
  std::set<std::string> made_;                           // keys of builds
  std::set<Configuration> accepted_;
  std::vector<Refusal> refused_;
  std::vector<Literals> learned_; // never all of these together
  std::vector<variants::Disagreement> accepted_against_;
  variants::Effort effort_;
};

} // namespace dragnet::check
