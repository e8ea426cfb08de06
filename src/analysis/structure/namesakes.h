// Functions that a commit gave another signature or another file: they are the same ones, although
// their mangled names are not.
#pragma once

#include "model/source.h"

#include <cstddef>
#include <string_view>

namespace dragnet::structure {

/// The next version with such functions, calls of them and collections in them under the names that
/// the base has. Taken for the same are two that only one version has: alone under their plain
/// name, with the same body, or with mangled names that begin as no others do: instances of a
/// template for the same arguments.
SourceFacts with_old_names(const SourceFacts& base, SourceFacts next);

/// How many letters two names begin with in common: of mangled names, what a template is made for
/// stands before its parameters.
std::size_t common_begin(std::string_view a, std::string_view b);

} // namespace dragnet::structure
