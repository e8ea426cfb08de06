// Reads [[option]], [constraints] and [provoke]: the configuration space and the inputs that later
// commands search.
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

} // namespace dragnet::project
