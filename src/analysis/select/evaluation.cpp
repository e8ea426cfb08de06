#include "analysis/select/evaluation.h"

#include "analysis/select/example.h"
#include "analysis/select/folds.h"
#include "stats/interval.h"
#include "stats/rates.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <iterator>
#include <limits>
#include <map>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace dragnet::select {
namespace {

void add(Score& sum, const Score& part) {
  sum.hit.good += part.hit.good;
  sum.hit.cases += part.hit.cases;
  sum.dismiss.good += part.dismiss.good;
  sum.dismiss.cases += part.dismiss.cases;
}

std::size_t commits_in(const Examples& examples) {
  std::set<std::pair<std::string, std::string>> commits;
  for (const Example* example : examples)
    commits.emplace(example->subject, example->new_commit);
  return commits.size();
}

bool of_parent(const Example& example) {
  return example.hops <= 1;
}

// The score, and the mean number of commits that were trained on.
SizeScore validate(const Train& train, const Examples& examples, const Division& division) {
  std::mt19937_64 random(division.seed);
  SizeScore result{.folds = division.folds, .score = {}};
  std::size_t trainings = 0;
  for (std::size_t repetition = 0; repetition < division.repetitions; ++repetition)
    for (const Fold& fold : folds_by_commit(examples, division.folds, random)) {
      const Examples tested =
          division.tested == Tested::AllPairs ? fold.tested : where(fold.tested, of_parent);
      add(result.score, score_of(train(fold.training), tested));
      result.training_commits += static_cast<double>(commits_in(fold.training));
      ++trainings;
    }
  result.training_commits /= static_cast<double>(std::max<std::size_t>(trainings, 1));
  result.score.hit.repetitions = division.repetitions;
  result.score.dismiss.repetitions = division.repetitions;
  return result;
}

// For each program, the position of the last commit of the oldest quarter.
std::map<std::string, std::size_t> ends_of_oldest_quarter(const Examples& examples) {
  std::map<std::string, std::set<std::size_t>> positions;
  for (const Example* example : examples)
    positions[example->subject].insert(example->position);
  std::map<std::string, std::size_t> ends;
  for (const auto& [subject, all] : positions)
    ends[subject] = *std::next(all.begin(), static_cast<std::ptrdiff_t>((all.size() - 1) / 4));
  return ends;
}

} // namespace

double Rate::value() const {
  if (cases == 0)
    return std::numeric_limits<double>::quiet_NaN();
  return static_cast<double>(good) / static_cast<double>(cases);
}

stats::Interval Rate::interval() const {
  if (cases == 0)
    return {.low = 0, .high = 1};
  return stats::wilson(value(), static_cast<double>(cases) / static_cast<double>(repetitions));
}

Score score_of(const Predict& predict, const Examples& tested) {
  Score score;
  for (const Example* example : tested) {
    if (example->truth == Truth::Unknown)
      continue;
    const bool run = predict(*example);
    Rate& rate = example->truth == Truth::Hit ? score.hit : score.dismiss;
    ++rate.cases;
    rate.good += run == (example->truth == Truth::Hit) ? 1 : 0;
  }
  return score;
}

Score full(const Train& train, const Examples& examples) {
  return score_of(train(examples), examples);
}

Score cross_validated(const Train& train, const Examples& examples, const Division& division) {
  return validate(train, examples, division).score;
}

std::vector<SizeScore> by_training_size(const Train& train, const Examples& examples,
                                        const Division& division) {
  std::vector<SizeScore> scores;
  for (std::size_t folds = 2; folds <= 10; ++folds) {
    Division one = division;
    one.folds = folds;
    scores.push_back(validate(train, examples, one));
  }
  return scores;
}

std::vector<HopScore> by_hops(const Train& train, const Examples& examples) {
  const auto ends = ends_of_oldest_quarter(examples);
  const Predict predict = train(where(examples, [&](const Example& example) {
    return of_parent(example) && example.position <= ends.at(example.subject);
  }));
  std::map<std::size_t, Examples> by_distance;
  for (const Example* example : examples)
    if (example->position >= ends.at(example->subject) + std::max<std::size_t>(example->hops, 1))
      by_distance[example->hops].push_back(example);
  std::vector<HopScore> scores;
  scores.reserve(by_distance.size());
  for (const auto& [hops, tested] : by_distance)
    scores.push_back({.hops = hops, .score = score_of(predict, tested)});
  return scores;
}

std::vector<CrossScore> across_subjects(const Train& train, const Examples& examples) {
  std::map<std::string, Examples> by_subject;
  for (const Example* example : examples)
    by_subject[example->subject].push_back(example);
  std::vector<CrossScore> scores;
  for (const auto& [trained_on, training] : by_subject) {
    const Predict predict = train(training);
    for (const auto& [tested_on, tested] : by_subject)
      if (tested_on != trained_on)
        scores.push_back(
            {.trained_on = trained_on, .tested_on = tested_on, .score = score_of(predict, tested)});
  }
  return scores;
}

Examples where(const Examples& examples, const std::function<bool(const Example&)>& keeps) {
  Examples kept;
  for (const Example* example : examples)
    if (keeps(*example))
      kept.push_back(example);
  return kept;
}

Examples all_of(const std::vector<Example>& examples) {
  Examples all;
  all.reserve(examples.size());
  for (const Example& example : examples)
    all.push_back(&example);
  return all;
}

} // namespace dragnet::select
