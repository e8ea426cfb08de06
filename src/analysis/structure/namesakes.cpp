#include "analysis/structure/namesakes.h"

#include "analysis/structure/lambdas.h"
#include "base/function_name.h"
#include "model/source.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

namespace dragnet::structure {
namespace {

using Functions = std::vector<const SourceFunction*>;

std::string plain(const std::string& name) {
  return short_name(name.substr(0, name.find('@')));
}

// By plain name, the functions that the other version does not have.
std::map<std::string, Functions> only_in(const SourceFacts& facts, const SourceFacts& other) {
  std::unordered_set<std::string_view> there;
  for (const SourceFunction& function : other.functions)
    there.insert(function.name);
  std::map<std::string, Functions> found;
  for (const SourceFunction& function : facts.functions)
    if (!there.contains(function.name) && !is_lambda(function.name))
      found[plain(function.name)].push_back(&function);
  return found;
}

// The one of them whose name begins most alike, if there is no other.
const SourceFunction* most_alike(const SourceFunction* one, const Functions& others) {
  const SourceFunction* best = nullptr;
  std::size_t most = 0;
  for (const SourceFunction* other : others)
    if (const std::size_t common = common_begin(one->name, other->name); common > most) {
      most = common;
      best = other;
    } else if (common == most)
      best = nullptr;
  return best;
}

// Of several with one plain name, those with the same body, and those whose names begin as no
// others do.
void pair_up(const Functions& came, const Functions& gone, Names& names) {
  Functions rest = gone;
  for (const SourceFunction* one : came)
    if (const auto same = std::ranges::find(rest, one->body_hash, &SourceFunction::body_hash);
        same != rest.end()) {
      names.emplace(one->name, (*same)->name);
      rest.erase(same);
    }
  for (const SourceFunction* one : came)
    if (const SourceFunction* other = most_alike(one, gone);
        other != nullptr && most_alike(other, came) == one && !names.contains(one->name) &&
        std::erase(rest, other) > 0)
      names.emplace(one->name, other->name);
}

Names renamed(const SourceFacts& base, const SourceFacts& next) {
  Names names;
  const auto gone = only_in(base, next);
  for (const auto& [name, came] : only_in(next, base))
    if (const auto found = gone.find(name); found != gone.end()) {
      if (came.size() == 1 && found->second.size() == 1)
        names.emplace(came.front()->name, found->second.front()->name);
      else
        pair_up(came, found->second, names);
    }
  rename_lambdas(base, next, names);
  return names;
}

// Where the name of a function ends that begins at a place; those of lambdas have four words, of
// which the last may be a lambda again.
std::size_t end_of_function(std::string_view text, std::size_t begin) {
  while (is_lambda(text.substr(begin)))
    for (int word = 0; word < 3; ++word)
      begin = std::min(text.find(' ', begin), text.size() - 1) + 1;
  return std::min(text.find_first_of(" [", begin), text.size());
}

// "param FUNCTION 0", "local FUNCTION NAME" and "result FUNCTION" begin with a function's name.
std::string with_old_name(const std::string& collection, const Names& names) {
  const std::size_t first = collection.find(' ');
  if (first == std::string::npos)
    return collection;
  const std::size_t end = end_of_function(collection, first + 1);
  const auto found = names.find(collection.substr(first + 1, end - first - 1));
  if (found == names.end())
    return collection;
  return collection.substr(0, first + 1) + found->second + collection.substr(end);
}

} // namespace

std::size_t common_begin(std::string_view a, std::string_view b) {
  const auto* const end = std::ranges::mismatch(a, b).in1;
  return static_cast<std::size_t>(end - a.begin());
}

SourceFacts with_old_names(const SourceFacts& base, SourceFacts next) {
  const Names names = renamed(base, next);
  if (names.empty())
    return next;
  const auto change = [&](std::string& name) {
    if (const auto found = names.find(name); found != names.end())
      name = found->second;
  };
  for (SourceFunction& function : next.functions) {
    change(function.name);
    for (SourceCall& call : function.calls)
      std::ranges::for_each(call.targets, change);
  }
  for (std::string& collection : next.collections)
    collection = with_old_name(collection, names);
  std::ranges::sort(next.functions, {}, &SourceFunction::name);
  return next;
}

} // namespace dragnet::structure
