#include "analysis/structure/predecessors.h"

#include "analysis/structure/blocks.h"
#include "analysis/structure/matching.h"
#include "analysis/structure/namesakes.h"
#include "analysis/structure/program.h"
#include "base/function_name.h"
#include "model/source.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace dragnet::structure {
namespace {

// Functions of one name that have less in common do different things.
constexpr double alike_enough = 0.3;
// A function is a piece of another when so much of it stood there.
constexpr double moved_enough = 0.5;
constexpr std::size_t fewest_heads = 2;

class Search {
public:
  explicit Search(std::vector<ProgramFunction>& functions) : functions_(functions) {
    for (FunctionNumber i = 0; i < functions.size(); ++i)
      if (functions[i].base.source != nullptr)
        by_name_[plain_name(functions[i])].push_back(i);
  }

  void run() {
    for (FunctionNumber caller = 0; caller < functions_.size(); ++caller)
      if (functions_[caller].fate == Fate::Revised)
        for (const auto& targets : functions_[caller].next.targets)
          for (const FunctionNumber target : targets)
            callers_[target].push_back(caller);
    for (ProgramFunction& function : functions_)
      if (function.fate == Fate::Added && !take_namesake(function))
        take_piece(function);
  }

private:
  static std::string plain_name(const ProgramFunction& function) {
    return short_name(function.name.substr(0, function.name.find('@')));
  }

  // The one that has most in common; of equal ones, such as instances of a template, that whose
  // mangled name begins most alike.
  bool take_namesake(ProgramFunction& added) {
    const auto found = by_name_.find(plain_name(added));
    if (found == by_name_.end())
      return false;
    const Heads heads = heads_in(added.next.blocks, 0);
    std::pair most{alike_enough, added.name.size()};
    for (const FunctionNumber old : found->second) {
      const std::pair like{likeness(heads_in(functions_[old].base.blocks, 0), heads),
                           common_begin(functions_[old].name, added.name)};
      if (like > most) {
        most = like;
        added.predecessor = {.function = old, .as_a_whole = true};
      }
    }
    take_blocks(added);
    return added.predecessor.has_value();
  }

  void take_piece(ProgramFunction& added) {
    const Heads heads = heads_in(added.next.blocks, 0);
    if (heads.size() < fewest_heads)
      return;
    const bool has_loop = !added.next.source->loops.empty();
    double most = 0;
    for (const FunctionNumber caller : callers_[number_of(added)])
      if (const double moved = moved_from(functions_[caller], heads);
          moved > most &&
          moved > (has_loop && lost_loop(functions_[caller]) ? alike_enough : moved_enough)) {
        most = moved;
        added.predecessor = {.function = caller, .as_a_whole = false};
      }
    take_blocks(added);
  }

  // How much of a function stood in another and is gone from there; where all of it stood there,
  // what still does counts half.
  static double moved_from(const ProgramFunction& function, const Heads& heads) {
    const double gone = share_of(heads, gone_from(function));
    const bool all_stood_there = share_of(heads, heads_in(function.base.blocks, 0)) == 1;
    return gone > 0 && all_stood_there ? (1 + gone) / 2 : gone;
  }

  FunctionNumber number_of(const ProgramFunction& function) const {
    return static_cast<FunctionNumber>(&function - functions_.data());
  }

  static bool lost_loop(const ProgramFunction& function) {
    return function.base.source->loops.size() > function.next.source->loops.size();
  }

  // The heads of old blocks that the new version does not have.
  static Heads gone_from(const ProgramFunction& function) {
    std::vector<bool> kept(function.base.blocks.size(), false);
    for (const auto& old : function.old_block)
      if (old)
        kept[*old] = true;
    Heads gone;
    for (std::size_t i = 0; i < kept.size(); ++i)
      if (const auto head = head_of(function.base.blocks[i]); !kept[i] && head != 0)
        gone.push_back(head);
    std::ranges::sort(gone);
    return gone;
  }

  void take_blocks(ProgramFunction& added) const {
    if (!added.predecessor)
      return;
    const Version& old = functions_[added.predecessor->function].base;
    added.old_block = matched(old.blocks, added.next.blocks);
    for (std::size_t i = 0; i < added.next.blocks.size(); ++i)
      if (const auto& block = added.old_block[i];
          block && added.next.blocks[i].block->kind == BlockKind::Loop)
        added.old_loop[added.next.blocks[i].block->subject] = old.blocks[*block].block->subject;
  }

  std::vector<ProgramFunction>& functions_;
  std::map<std::string, std::vector<FunctionNumber>> by_name_;
  std::map<FunctionNumber, std::vector<FunctionNumber>> callers_;
};

} // namespace

void find_predecessors(std::vector<ProgramFunction>& functions) {
  Search(functions).run();
}

} // namespace dragnet::structure
