// Reads [[option]], [constraints], [provoke] and [blame]: the configuration space, the inputs that
// later commands search, and where an input ends.
#pragma once

#include "project/document.h"
#include "project/mistakes.h"
#include "project/project.h"

#include <optional>
#include <vector>

namespace dragnet::project {

/// The options of a list of tables, in the order of the file.
std::vector<Option> read_options(const Node& list, Mistakes& mistakes);

/// Puts what [constraints] says into the project.
void read_constraints(const Node& table, Project& project, Mistakes& mistakes);

/// What [provoke] says; nothing when it is incomplete, which has then been noted.
std::optional<Provoke> read_provoke(const Node& table, Mistakes& mistakes);

/// The boundary that [blame] names, or an empty text.
std::string read_boundary(const Node& table, Mistakes& mistakes);

} // namespace dragnet::project
