// Names of functions for people.
#pragma once

#include <string>

namespace dragnet {

/// A function's name as its source has it.
std::string demangled(const std::string& name);

/// The same without parameters and template arguments, for lines of a table: "Store::scan".
std::string short_name(const std::string& name);

} // namespace dragnet
