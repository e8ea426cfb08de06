// Lambdas have a number in the function that they stand in, which others in front of them change.
#pragma once

#include "model/source.h"

#include <string>
#include <string_view>
#include <unordered_map>

namespace dragnet::structure {

/// Old names by new ones.
using Names = std::unordered_map<std::string, std::string>;

bool is_lambda(std::string_view function);

/// Adds what lambdas of the next version are called in the base: of those in one function the ones
/// with the same body in order, and what is left between them. New ones get numbers of their own.
void rename_lambdas(const SourceFacts& base, const SourceFacts& next, Names& names);

} // namespace dragnet::structure
