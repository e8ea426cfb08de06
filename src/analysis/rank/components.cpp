#include "analysis/rank/components.h"

#include "analysis/structure/blocks.h"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace dragnet::rank {
namespace {

constexpr std::size_t unseen = static_cast<std::size_t>(-1);

// Tarjan (1972), with a stack of its own: call chains of real programs can be long.
class Components {
public:
  explicit Components(const Callees& callees)
      : callees_(callees), order_(callees.size(), unseen), lowest_(callees.size(), 0),
        open_(callees.size(), false) {}

  std::vector<std::vector<structure::FunctionNumber>> run() {
    for (structure::FunctionNumber function = 0; function < callees_.size(); ++function)
      if (order_[function] == unseen)
        visit_from(function);
    return std::move(found_);
  }

private:
  struct Visit {
    structure::FunctionNumber function = 0;
    std::size_t next_callee = 0;
  };

  void enter(structure::FunctionNumber function) {
    order_[function] = lowest_[function] = seen_++;
    open_[function] = true;
    path_.push_back(function);
    visits_.push_back({.function = function});
  }

  void visit_from(structure::FunctionNumber start) {
    enter(start);
    while (!visits_.empty()) {
      const structure::FunctionNumber function = visits_.back().function;
      if (visits_.back().next_callee < callees_[function].size())
        look_at(function, callees_[function][visits_.back().next_callee++]);
      else
        leave(function);
    }
  }

  void look_at(structure::FunctionNumber function, structure::FunctionNumber callee) {
    if (order_[callee] == unseen)
      enter(callee);
    else if (open_[callee])
      lowest_[function] = std::min(lowest_[function], order_[callee]);
  }

  void leave(structure::FunctionNumber function) {
    visits_.pop_back();
    if (!visits_.empty()) {
      const structure::FunctionNumber caller = visits_.back().function;
      lowest_[caller] = std::min(lowest_[caller], lowest_[function]);
    }
    if (lowest_[function] == order_[function])
      close(function);
  }

  void close(structure::FunctionNumber first) {
    std::vector<structure::FunctionNumber> component;
    structure::FunctionNumber last = unseen;
    while (last != first) {
      last = path_.back();
      path_.pop_back();
      open_[last] = false;
      component.push_back(last);
    }
    found_.push_back(std::move(component));
  }

  const Callees& callees_;
  std::vector<std::size_t> order_;
  std::vector<std::size_t> lowest_;
  std::vector<bool> open_;
  std::size_t seen_ = 0;
  std::vector<structure::FunctionNumber> path_;
  std::vector<Visit> visits_;
  std::vector<std::vector<structure::FunctionNumber>> found_;
};

} // namespace

std::vector<std::vector<structure::FunctionNumber>> components(const Callees& callees) {
  return Components(callees).run();
}

} // namespace dragnet::rank
