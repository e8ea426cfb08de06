#include "hunt/provoking.h"

#include "analysis/provoke/answer.h"
#include "analysis/provoke/chromosome.h"
#include "analysis/provoke/search.h"
#include "analysis/provoke/shrink.h"
#include "analysis/provoke/strategy.h"
#include "base/files.h"
#include "base/hash.h"
#include "base/progress.h"
#include "base/result.h"
#include "base/text.h"
#include "hunt/journal.h"
#include "lab/feeding.h"
#include "lab/laboratory.h"
#include "lab/state.h"
#include "model/metric.h"
#include "model/run.h"
#include "project/project.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <fmt/core.h>
#include <fmt/format.h>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace dragnet::hunt {
namespace {

using provoke::Answer;
using provoke::Chromosome;
using provoke::Ending;
using provoke::Evaluation;
using provoke::Version;

// Of a published search: 30 individuals, then 48 evaluations in each generation.
constexpr std::size_t first_evaluations = 30;
constexpr std::size_t evaluations_per_generation = 48;
constexpr double remaining_effect = 0.5;

Ending ending_of(RunOutcome outcome) {
  switch (outcome) {
  case RunOutcome::Finished:
    return Ending::Compared;
  case RunOutcome::Crashed:
    return Ending::Crashed;
  case RunOutcome::TimedOut:
    return Ending::Hung;
  default:
    return Ending::Rejected;
  }
}

// The worse ending counts; of two alike it is both's.
void note_endings(Ending before, Ending now, Evaluation& evaluation) {
  evaluation.ending = std::max(before, now);
  evaluation.version = before == now ? Version::Both : before > now ? Version::Old : Version::New;
}

class Provoking {
public:
  Provoking(lab::Laboratory& laboratory, const ProvokeRequest& request, Progress& progress,
            Journal journal)
      : laboratory_(laboratory), request_(request), progress_(progress),
        journal_(std::move(journal)), method_(laboratory.method_for(request.metric)) {
    answer_.genes = request.genes;
    // What several users cause depends on who comes first.
    answer_.exact = method_ == Method::Counted && request.users == 1;
    answer_.at_once = method_ == Method::Counted && has_port_to_itself()
                          ? std::max<std::size_t>(request.at_once, 1)
                          : 1;
  }

  Result<Answer> answer() {
    const auto noise = answer_.exact ? provoke::Noise::Exact : provoke::Noise::Noisy;
    const auto strategy = provoke::make_strategy(request_.strategy, pool(), noise, request_.seed);
    budget_ = first_evaluations + (evaluations_per_generation * request_.generations);
    answer_.outcome = TRY(provoke::search(
        *strategy, [&](std::span<const Chromosome> asked) { return evaluate(asked); }, budget_));
    if (!answer_.outcome.best.empty() && answer_.outcome.best.front().score.mean > 0)
      TRY(shrink_best(noise));
    fill();
    return std::move(answer_);
  }

private:
  provoke::Pool pool() {
    provoke::Pool pool{.length = request_.length};
    Chromosome seed;
    for (const auto& input : request_.seed_with) {
      auto found = std::ranges::find(answer_.genes, input);
      if (found == answer_.genes.end())
        found = answer_.genes.insert(found, input);
      seed.push_back(static_cast<provoke::Gene>(found - answer_.genes.begin()));
    }
    if (!seed.empty())
      pool.seeds = {seed};
    pool.genes = answer_.genes.size();
    return pool;
  }

  std::vector<std::string> inputs_of(const Chromosome& chromosome) const {
    std::vector<std::string> inputs;
    for (const auto gene : chromosome)
      inputs.push_back(answer_.genes[gene]);
    return inputs;
  }

  // Old and new stand next to each other, and change places with each repetition.
  std::vector<lab::Feeding> feedings_of(std::span<const Chromosome> asked) const {
    std::vector<lab::Feeding> feedings;
    for (const auto& chromosome : asked)
      for (std::size_t i = 0; i < repetitions(); ++i) {
        const auto inputs = inputs_of(chromosome);
        feedings.push_back({request_.old_build.folder, inputs, request_.users});
        feedings.push_back({request_.new_build.folder, inputs, request_.users});
        if (i % 2 == 1)
          std::swap(feedings[feedings.size() - 2], feedings.back());
      }
    return feedings;
  }

  // Servers that choose no port of their own cannot run beside each other.
  bool has_port_to_itself() const { return request_.provoke.serving.port == 0; }

  std::size_t repetitions() const { return answer_.exact ? 1 : request_.repetitions; }

  double value_in(const Run& run) const {
    const auto found = run.samples.find(request_.metric);
    return found == run.samples.end() ? 0 : found->second;
  }

  Evaluation evaluation_of(std::span<const Run> runs) const {
    Evaluation evaluation;
    for (std::size_t i = 0; i < runs.size(); i += 2) {
      const bool swapped = i / 2 % 2 == 1;
      const Run& before = runs[i + (swapped ? 1 : 0)];
      const Run& now = runs[i + (swapped ? 0 : 1)];
      if (!before.finished() || !now.finished()) {
        note_endings(ending_of(before.outcome), ending_of(now.outcome), evaluation);
        return evaluation;
      }
      const double share = 2 / static_cast<double>(runs.size());
      evaluation.base += value_in(before) * share;
      evaluation.fitness += (value_in(now) - value_in(before)) * share;
    }
    return evaluation;
  }

  Result<std::vector<Evaluation>> evaluate(std::span<const Chromosome> asked) {
    std::vector<std::optional<Evaluation>> known;
    std::vector<Chromosome> missing;
    for (const auto& chromosome : asked)
      if (!known.emplace_back(journal_.take(chromosome)))
        missing.push_back(chromosome);
    progress_.now(fmt::format("{} of {} sequences compared", done_, budget_),
                  static_cast<double>(done_) /
                      static_cast<double>(std::max<std::size_t>(budget_, 1)));
    auto made = TRY(measured(missing));
    auto next = made.begin();
    std::vector<Evaluation> all;
    all.reserve(known.size());
    for (auto& each : known)
      all.push_back(each ? *each : *next++);
    done_ += asked.size();
    return all;
  }

  // In small portions: what is measured is kept soon.
  Result<std::vector<Evaluation>> measured(std::span<const Chromosome> asked) {
    std::vector<Evaluation> all;
    const std::size_t portion = answer_.at_once * 4;
    for (std::size_t first = 0; first < asked.size(); first += portion)
      TRY(measure_some(asked.subspan(first, std::min(portion, asked.size() - first)), all));
    return all;
  }

  Result<> measure_some(std::span<const Chromosome> some, std::vector<Evaluation>& all) {
    const auto runs = TRY(lab::feed(laboratory_, feedings_of(some), method_, answer_.at_once));
    for (const Run& run : runs)
      answer_.program_seconds += run.seconds;
    const std::size_t each = 2 * repetitions();
    for (std::size_t i = 0; i < some.size(); ++i) {
      all.push_back(evaluation_of(std::span(runs).subspan(i * each, each)));
      TRY(journal_.add(some[i], all.back()));
    }
    return success();
  }

  Result<> shrink_best(provoke::Noise noise) {
    const auto& best = answer_.outcome.best.front();
    progress_.now("shrinking the best sequence", -1);
    double base = 0;
    const provoke::Measure measure =
        [&](const Chromosome& chromosome) -> Result<std::optional<double>> {
      const auto evaluations = TRY(evaluate(std::span(&chromosome, 1)));
      const Evaluation& evaluation = evaluations.front();
      if (evaluation.ending != Ending::Compared)
        return std::optional<double>();
      base = evaluation.base;
      bases_[chromosome] = base;
      return std::optional(evaluation.fitness);
    };
    TRY(measure(best.chromosome));
    answer_.best_base = base;
    answer_.shrunk = TRY(provoke::shrink(
        best.chromosome, measure, {.least = remaining_effect * best.score.mean, .noise = noise}));
    answer_.shrunk_base = bases_[answer_.shrunk->chromosome];
    return success();
  }

  void fill() {
    answer_.old_commit = request_.old_build.commit;
    answer_.new_commit = request_.new_build.commit;
    answer_.metric = metric_named(request_.metric);
    answer_.strategy = request_.strategy;
    answer_.seed = request_.seed;
    answer_.length = request_.length;
    answer_.remembered = journal_.taken();
    answer_.slower =
        answer_.shrunk && answer_.shrunk->confirmed &&
        answer_.shrunk->effect.mean > smallest_slowdown * std::abs(answer_.shrunk_base);
  }

  lab::Laboratory& laboratory_;
  const ProvokeRequest& request_;
  Progress& progress_;
  Journal journal_;
  Method method_;
  Answer answer_;
  std::size_t budget_ = 0;
  std::size_t done_ = 0;
  std::map<Chromosome, double> bases_;
};

// Everything that determines an evaluation.
std::string key_of(const lab::Laboratory& laboratory, const ProvokeRequest& request) {
  const project::Provoke& provoke = request.provoke;
  KeyMaker maker;
  maker.add("old", request.old_build.key)
      .add("new", request.new_build.key)
      .add("command", provoke.command)
      .add("feed", fmt::to_string(static_cast<int>(provoke.feed)))
      .add("users", fmt::to_string(request.users))
      .add("think", fmt::to_string(provoke.serving.think.count()))
      .add("login", join(provoke.serving.login, "\n"))
      .add("metric", request.metric)
      .add("machine", laboratory.machine().key)
      .add("repetitions", fmt::to_string(request.repetitions));
  for (const auto* inputs : {&request.genes, &request.seed_with})
    for (const auto& input : *inputs)
      maker.add("input", input);
  return maker.key();
}

} // namespace

std::vector<std::string> read_genes(std::string_view text) {
  const auto all = lines(text);
  const auto is_empty = [](const std::string& line) { return trim(line).empty(); };
  const auto first = std::ranges::find_if_not(all, is_empty);
  auto last = all.end();
  while (last != first && is_empty(*(last - 1)))
    --last;
  const bool in_blocks = std::any_of(first, last, is_empty);
  std::vector<std::string> genes;
  bool begun = false;
  for (auto line = first; line != last; ++line) {
    if (is_empty(*line)) {
      begun = false;
      continue;
    }
    if (in_blocks && begun)
      genes.back() += "\n" + *line;
    else
      genes.push_back(*line);
    begun = true;
  }
  return genes;
}

Result<Answer> search_inputs(lab::Laboratory& laboratory, const ProvokeRequest& request,
                             Progress& progress) {
  const auto folder = laboratory.state().folder / "provoke";
  TRY(make_folder(folder));
  auto journal = TRY(Journal::open(folder / (key_of(laboratory, request) + ".evaluations")));
  return Provoking(laboratory, request, progress, std::move(journal)).answer();
}

} // namespace dragnet::hunt
