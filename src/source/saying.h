// What a statement says, as a number: the same whatever its layout, comments and place.
#pragma once

#include <clang/AST/ASTContext.h>
#include <clang/AST/Stmt.h>

#include <cstdint>

namespace dragnet::source {

/// The body of a loop that is one only in form: do { ... } while (0), as macros have it; null for
/// all else.
const clang::Stmt* body_run_once(const clang::ASTContext& context, const clang::Stmt& statement);

/// A hash of a statement as the compiler reads it, macros expanded. Numbers and texts that the
/// preprocessor makes up, such as those of lines in assertions, do not count, nor do braces around
/// one statement and loops in form only. 0 for none.
std::uint64_t said_in(const clang::ASTContext& context, const clang::Stmt* statement);

/// A hash of two.
std::uint64_t combined(std::uint64_t first, std::uint64_t second);

} // namespace dragnet::source
