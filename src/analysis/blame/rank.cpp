#include "analysis/blame/rank.h"

#include "analysis/blame/call_paths.h"
#include "analysis/blame/edited_code.h"
#include "analysis/blame/impact_sets.h"
#include "analysis/blame/paired_tree.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace dragnet::blame {
namespace {

constexpr std::array<std::pair<Method, std::string_view>, 5> names{
    {{Method::Published, "published"},
     {Method::Own, "own"},
     {Method::Subtree, "subtree"},
     {Method::Paths, "paths"},
     {Method::Credited, "credited"}}};

// Luo, Poshyvanyk and Grechanik 2016, algorithm 2.
void add_published(Blame& blame, const ImpactSets& impact, const std::vector<double>& own) {
  for (const auto function : impact.of(blame.change)) {
    ++blame.affected;
    blame.published += own[function];
  }
}

// A function is at most once on a path of the tree.
std::vector<double> subtrees_by_function(const PairedTree& tree) {
  const auto by_node = tree.subtree_differences();
  std::vector<double> by_function(tree.functions.size());
  for (std::size_t i = 1; i < tree.nodes.size(); ++i)
    by_function[tree.nodes[i].function] += by_node[i];
  return by_function;
}

} // namespace

std::optional<Method> method_named(std::string_view name) {
  for (const auto& [method, known] : names)
    if (known == name)
      return method;
  return std::nullopt;
}

std::string_view name_of(Method method) {
  return names.at(static_cast<std::size_t>(method)).second;
}

double Blame::by(Method method) const {
  return method == Method::Published ? published
         : method == Method::Own     ? own
         : method == Method::Subtree ? subtree
         : method == Method::Paths   ? paths
                                     : credited;
}

Ranking rank(const PairedTree& tree, const ImpactSets& impact, Method method,
             std::span<const std::optional<EditedCode>> edits) {
  const auto own = tree.own_differences();
  const auto subtrees = subtrees_by_function(tree);
  const auto shares = path_shares(tree, impact, edits);
  Ranking ranking{.blames = {},
                  .difference = tree.subtree_differences().front(),
                  .unexplained = shares.unexplained};
  for (std::size_t change = 0; change < impact.changed().size(); ++change) {
    const auto function = impact.changed()[change];
    Blame blame{.change = change,
                .executed = impact.executed(change),
                .own = own[function],
                .subtree = subtrees[function],
                .paths = shares.of_change[change],
                .credited = shares.credited[change]};
    add_published(blame, impact, own);
    ranking.blames.push_back(blame);
  }
  std::ranges::stable_sort(ranking.blames, [&](const Blame& a, const Blame& b) {
    return std::pair(a.by(method), a.executed) > std::pair(b.by(method), b.executed);
  });
  return ranking;
}

} // namespace dragnet::blame
