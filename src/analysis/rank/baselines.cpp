#include "analysis/rank/baselines.h"

#include "analysis/structure/program.h"
#include "model/source.h"

#include <algorithm>
#include <cstddef>
#include <random>
#include <set>
#include <span>
#include <utility>
#include <vector>

namespace dragnet::rank {
namespace {

using Covered = std::set<std::size_t>;

bool is_changed(const structure::ProgramFunction& function) {
  return function.fate == structure::Fate::Revised || function.fate == structure::Fate::Removed;
}

Covered covered_functions(const structure::Program& program, const SourceProfile& profile) {
  Covered covered;
  for (const SourceCounts& counts : profile.functions)
    if (const auto number = program.find(counts.function); number && counts.calls > 0)
      covered.insert(*number);
  return covered;
}

Covered covered_loops(const structure::Program& program, const SourceProfile& profile) {
  Covered covered;
  for (const SourceCounts& counts : profile.functions) {
    const auto number = program.find(counts.function);
    if (!number)
      continue;
    const structure::Version& base = program.functions()[*number].base;
    if (counts.blocks.size() != base.blocks.size())
      continue;
    for (std::size_t i = 0; i < counts.blocks.size(); ++i)
      if (base.blocks[i].block->kind == BlockKind::Loop && counts.blocks[i] > 0)
        covered.insert(base.first_loop + base.blocks[i].block->subject);
  }
  return covered;
}

struct Split {
  Order reaching;
  Order others;
};

Split split(const structure::Program& program, std::span<const SourceProfile> profiles) {
  Split result;
  for (std::size_t i = 0; i < profiles.size(); ++i)
    (reaches_a_change(program, profiles[i]) ? result.reaching : result.others).push_back(i);
  return result;
}

Order joined(Order first, const Order& last) {
  first.insert(first.end(), last.begin(), last.end());
  return first;
}

std::size_t news_in(const Covered& covered, const Covered& done) {
  return static_cast<std::size_t>(
      std::ranges::count_if(covered, [&](std::size_t one) { return !done.contains(one); }));
}

// The additional strategy.
Order additional(const Order& tests, const std::vector<Covered>& covered) {
  Order order;
  Order rest = tests;
  Covered done;
  while (!rest.empty()) {
    auto best = rest.begin();
    std::size_t most = 0;
    for (auto test = rest.begin(); test != rest.end(); ++test)
      if (const std::size_t news = news_in(covered[*test], done); news > most) {
        most = news;
        best = test;
      }
    if (most == 0 && !done.empty()) {
      done.clear();
      continue;
    }
    done.insert(covered[*best].begin(), covered[*best].end());
    order.push_back(*best);
    rest.erase(best);
  }
  return order;
}

template <class Cover>
Order by_coverage(const structure::Program& program, std::span<const SourceProfile> profiles,
                  Cover cover) {
  std::vector<Covered> covered;
  covered.reserve(profiles.size());
  for (const SourceProfile& profile : profiles)
    covered.push_back(cover(program, profile));
  const Split parts = split(program, profiles);
  return joined(additional(parts.reaching, covered), parts.others);
}

} // namespace

bool reaches_a_change(const structure::Program& program, const SourceProfile& profile) {
  return std::ranges::any_of(profile.functions, [&](const SourceCounts& counts) {
    const auto number = program.find(counts.function);
    return number && counts.calls > 0 && is_changed(program.functions()[*number]);
  });
}

Order random_order(const structure::Program& program, std::span<const SourceProfile> profiles,
                   std::mt19937_64& random) {
  Split parts = split(program, profiles);
  std::ranges::shuffle(parts.reaching, random);
  return joined(std::move(parts.reaching), parts.others);
}

Order coverage_order(const structure::Program& program, std::span<const SourceProfile> profiles) {
  return by_coverage(program, profiles, covered_functions);
}

Order loop_coverage_order(const structure::Program& program,
                          std::span<const SourceProfile> profiles) {
  return by_coverage(program, profiles, covered_loops);
}

} // namespace dragnet::rank
