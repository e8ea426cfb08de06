// How sizes go from calls to parameters: what each call hands over, and what is made from what.
#pragma once

#include "analysis/structure/blocks.h"
#include "analysis/structure/dependencies.h"
#include "model/source.h"

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace dragnet::structure {

/// A call hands a size over to a parameter.
struct Handing {
  FunctionNumber caller = 0;
  std::size_t block = 0;     ///< the call, by its block in the caller
  std::size_t parameter = 0; ///< by its number among the collections
  std::optional<std::size_t> collection;
  double factor = 0; ///< of the collection's size; without one, the size itself; 0: not known
  double more = 0;   ///< what is added to that
};

/// A variable, field or result is as large as what it is made from.
struct Same {
  std::size_t collection = 0;
  std::size_t source = 0;
};

/// Of one version of a program.
struct Flow {
  std::vector<Handing> handings;
  std::vector<Same> same;
};

/// The flow of some facts; `callers` has the number and the blocks of each of their functions.
struct FlowCaller {
  FunctionNumber number = 0;
  const std::vector<PlacedBlock>* blocks = nullptr;
};
Flow flow_of(const SourceFacts& facts, std::span<const FlowCaller> callers,
             const CollectionNumbers& numbers);

} // namespace dragnet::structure
