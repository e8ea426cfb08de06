#include "analysis/select/folds.h"

#include "analysis/select/example.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace dragnet::select {
namespace {

using CommitOf = std::pair<std::string, std::string>; // a program and a commit of it

using FoldOf = std::map<CommitOf, std::size_t>;

CommitOf newer(const Example& example) {
  return {example.subject, example.new_commit};
}

// The same for the same seed with every standard library, which std::shuffle is not.
void shuffle(std::vector<CommitOf>& commits, std::mt19937_64& random) {
  for (std::size_t i = commits.size(); i > 1; --i)
    std::swap(commits[i - 1], commits[random() % i]);
}

FoldOf deal(const Examples& examples, std::size_t count, std::mt19937_64& random) {
  std::map<CommitOf, bool> has_hit;
  for (const Example* example : examples)
    if (example->truth != Truth::Unknown)
      has_hit[newer(*example)] |= example->truth == Truth::Hit;
  std::vector<CommitOf> with_hits;
  std::vector<CommitOf> without;
  for (const auto& [commit, hit] : has_hit)
    (hit ? with_hits : without).push_back(commit);
  shuffle(with_hits, random);
  shuffle(without, random);
  FoldOf fold_of;
  std::size_t next = 0;
  for (const auto* commits : {&with_hits, &without})
    for (const CommitOf& commit : *commits)
      fold_of[commit] = next++ % count;
  return fold_of;
}

bool tested_in(const FoldOf& fold_of, const CommitOf& commit, std::size_t fold) {
  const auto found = fold_of.find(commit);
  return found != fold_of.end() && found->second == fold;
}

} // namespace

std::vector<Fold> folds_by_commit(const Examples& examples, std::size_t count,
                                  std::mt19937_64& random) {
  const FoldOf fold_of = deal(examples, std::max<std::size_t>(count, 1), random);
  std::vector<Fold> folds(std::min(std::max<std::size_t>(count, 1), fold_of.size()));
  for (const Example* example : examples) {
    if (example->truth == Truth::Unknown)
      continue;
    const std::size_t own = fold_of.at(newer(*example));
    const CommitOf older{example->subject, example->old_commit};
    for (std::size_t fold = 0; fold < folds.size(); ++fold)
      if (fold == own)
        folds[fold].tested.push_back(example);
      else if (example->hops <= 1 || !tested_in(fold_of, older, fold))
        folds[fold].training.push_back(example);
  }
  return folds;
}

} // namespace dragnet::select
