// What the edits of a function add to a run or save, as far as the profile of its old version
// tells: how often the code around them is executed, and what the functions cost that are called
// more or less than before.
#pragma once

#include "analysis/select/executed.h"
#include "model/function.h"
#include "model/profile.h"

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace dragnet::select {

/// In executed instructions.
struct EditCost {
  double net = 0;            ///< added, or saved if negative, in the function itself
  double called = 0;         ///< the same by calls that are put in and taken away
  double doubtful = 0;       ///< added at most by code that may be bypassed
  double doubtful_calls = 0; ///< added or saved at most by calls of which too little is known
  double gross = 0;          ///< all that edits put in and take away, at most
};

class EditCosts {
public:
  /// Borrows all of it. `inclusive`: the share of each function with what it calls.
  EditCosts(const Difference& difference, const Executed& executed,
            const std::vector<double>& inclusive);

  /// Of a change to the function at a place in the profile.
  EditCost of(const FunctionChange& change, std::size_t at) const;

private:
  struct Call;
  void add_calls(const FunctionChange& change, std::size_t at, EditCost& cost) const;
  std::vector<Call> calls_left(const FunctionChange& change, std::size_t at) const;
  double cost_of(const CallEdit& call, const FunctionId& callee) const;
  FunctionId old_callee(const CallEdit& call, const std::string& binary) const;

  const Executed& executed_;
  const std::vector<double>& inclusive_;
  std::map<FunctionId, std::string> old_names_; ///< by id in the new build
  std::set<FunctionId> deleted_;
};

} // namespace dragnet::select
