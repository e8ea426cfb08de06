#include "hunt/candidates.h"

#include "analysis/blame/answer.h"
#include "base/function_name.h"
#include "base/result.h"
#include "base/text.h"
#include "check/source_hunks.h"
#include "history/repository.h"
#include "hunt/gathered_trace.h"
#include "lab/laboratory.h"
#include "model/commit.h"
#include "model/function.h"
#include "model/profile.h"
#include "model/run.h"

#include <algorithm>
#include <cstddef>
#include <fmt/core.h>
#include <functional>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace dragnet::hunt {
namespace {

using blame::Suspect;

// Of copies of one function, the change of any is the function's.
std::map<FunctionId, FunctionChange> changes_by_function(const Difference& difference) {
  std::map<FunctionId, FunctionChange> changes;
  for (const FunctionChange& change : difference.changes) {
    const bool differs = change.kind == ChangeKind::New || change.kind == ChangeKind::Changed ||
                         (change.kind == ChangeKind::Renamed && change.edited > 0);
    if (!differs)
      continue;
    const auto id = without_suffix({change.binary, change.name});
    const auto [found, added] = changes.emplace(id, change);
    if (!added && change.name == id.name)
      found->second = change;
  }
  return changes;
}

// The lines of the new file that a hunk changes, its context left out.
std::pair<std::size_t, std::size_t> changed_lines(const check::DiffHunk& hunk) {
  std::size_t line = hunk.new_first;
  std::pair<std::size_t, std::size_t> changed{0, 0};
  for (const std::string& text : lines(hunk.text)) {
    if (text.starts_with("@@"))
      continue;
    if (text.starts_with('+') || text.starts_with('-')) {
      changed.first = changed.first == 0 ? line : changed.first;
      changed.second = line;
    }
    if (!text.starts_with('-') && !text.starts_with('\\'))
      ++line;
  }
  return changed;
}

// git shows functions that stand next to each other together: each gets what changed in it.
std::string own_hunks(const Suspect& suspect, std::size_t here,
                      const std::vector<std::size_t>& beginnings) {
  std::string text;
  for (const auto& hunk : check::parse_hunks(suspect.hunk)) {
    const auto [first, last] = changed_lines(hunk);
    const auto after = std::ranges::upper_bound(beginnings, first);
    const std::size_t owner = after == beginnings.begin() ? *after : *std::prev(after);
    if (here == owner || (here > first && here <= last))
      text += hunk.text;
  }
  return text;
}

void divide_hunks(std::vector<Suspect>& suspects) {
  std::map<std::string, std::set<std::size_t>> by_file;
  for (const Suspect& suspect : suspects)
    if (suspect.place && !suspect.hunk.empty())
      by_file[suspect.place->file].insert(suspect.place->line);
  for (Suspect& suspect : suspects)
    if (suspect.place && !suspect.hunk.empty()) {
      const auto& lines_of_file = by_file.at(suspect.place->file);
      suspect.hunk =
          own_hunks(suspect, suspect.place->line, {lines_of_file.begin(), lines_of_file.end()});
    }
}

using Changes = std::map<FunctionId, FunctionChange>;

std::vector<Suspect> suspects_of(const lab::Laboratory& laboratory, const Changes& changes,
                                 const Build& old_build, const Build& new_build) {
  std::vector<FunctionId> functions;
  for (const auto& [function, change] : changes)
    functions.push_back({change.binary, change.name});
  const auto places = laboratory.places(new_build, functions);
  std::vector<Suspect> suspects;
  check::SourceHunks hunks(laboratory.repository(), old_build.commit, new_build.commit);
  for (const auto& [function, change] : changes) {
    Suspect suspect;
    suspect.function = function;
    suspect.kind = change.kind;
    if (const auto place = places.find({change.binary, change.name}); place != places.end()) {
      suspect.place = place->second;
      suspect.hunk = hunks.at(place->second, check::DiffSide::New);
    }
    suspects.push_back(std::move(suspect));
  }
  return suspects;
}

bool is_copy_of_changes(const FunctionChange& change, const Suspect& suspect,
                        const std::set<std::string>& with_hunks) {
  if (!suspect.hunk.empty() || change.inlined.empty() || change.kind == ChangeKind::New)
    return false;
  return std::ranges::all_of(change.inlined, [&](const std::string& callee) {
    return with_hunks.contains(short_name(callee));
  });
}

} // namespace

Result<Candidates> find_candidates(const lab::Laboratory& laboratory, const Build& old_build,
                                   const Build& new_build) {
  const auto difference = TRY(laboratory.full_difference(old_build, new_build));
  Candidates found;
  for (const FunctionChange& change : difference.changes)
    if (change.kind == ChangeKind::Renamed)
      found.renamed.emplace(without_suffix({change.binary, change.old_name}),
                            without_suffix({change.binary, change.name}));
  found.changes = changes_by_function(difference);
  found.suspects = suspects_of(laboratory, found.changes, old_build, new_build);
  divide_hunks(found.suspects);
  std::set<std::string> with_hunks;
  for (const Suspect& suspect : found.suspects)
    if (!suspect.hunk.empty())
      with_hunks.insert(short_name(suspect.function.name));
  std::erase_if(found.suspects, [&](const Suspect& suspect) {
    return is_copy_of_changes(found.changes.at(suspect.function), suspect, with_hunks);
  });
  return found;
}

std::vector<Commit> commits_at(const history::Repository& repository, const Commit& old_commit,
                               const Commit& new_commit, const Suspect& suspect) {
  std::vector<Commit> commits;
  if (!suspect.place)
    return commits;
  for (const auto& hunk : check::parse_hunks(suspect.hunk)) {
    const auto text =
        repository.git({"log", "--no-patch", "--format=%H",
                        fmt::format("-L{},+{}:{}", std::max<std::size_t>(hunk.new_first, 1),
                                    std::max<std::size_t>(hunk.new_count, 1), suspect.place->file),
                        fmt::format("{}..{}", old_commit.id.text, new_commit.id.text)});
    if (!text)
      continue;
    for (const auto& id : lines(*text)) {
      auto commit = repository.commit(id);
      if (commit && std::ranges::find(commits, commit->id, &Commit::id) == commits.end())
        commits.push_back(std::move(*commit));
    }
  }
  std::ranges::stable_sort(commits, std::ranges::greater{}, &Commit::time);
  return commits;
}

} // namespace dragnet::hunt
