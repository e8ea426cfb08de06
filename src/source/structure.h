// The structure of a function: what it calls, in which loops and branches, and what its loops have
// to do with collections.
#pragma once

#include "source/unit.h"

#include <clang/AST/Decl.h>

namespace dragnet::source {

/// Reads a function that has a body, and the lambdas in it, into the unit.
void read_function(Unit& unit, const clang::FunctionDecl& function);

} // namespace dragnet::source
