// What a condition asks: the same for one and its opposite.
#pragma once

#include "model/source.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Expr.h>

#include <cstdint>

namespace dragnet::source {

struct Condition {
  std::uint64_t question = 0; ///< a hash of what is asked
  bool turned = false;        ///< it holds where the question is denied
};

/// Nothing for none, which `if consteval` has. `a != b` asks what `a == b` does, `p` what `p == 0`
/// does, `a || b` what `!a && !b` does.
Condition condition_of(const clang::ASTContext& context, const clang::Expr* expression);

/// What a call only hints to the compiler how likely it is; otherwise null.
const clang::Expr* hinted(const clang::Expr& expression);

/// What holds where a comparison does not.
Comparison opposite(Comparison comparison);

} // namespace dragnet::source
