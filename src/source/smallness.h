// Functions that do so little that compilers put them into their callers.
#pragma once

#include <clang/AST/Decl.h>

namespace dragnet::source {

/// Whether the body of a function is known, and it and all that it calls are a few expressions.
bool does_little(const clang::FunctionDecl& function);

/// Whether a function is built into the compiler, and stands for none of the library.
bool is_built_in(const clang::FunctionDecl& function);

} // namespace dragnet::source
