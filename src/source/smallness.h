// Functions that do so little that compilers put them into their callers.
#pragma once

#include <clang/AST/Decl.h>

namespace dragnet::source {

/// Whether the body of a function is known, and it and all that it calls are a few expressions.
bool does_little(const clang::FunctionDecl& function);

} // namespace dragnet::source
