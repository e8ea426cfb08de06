#include "source/condition.h"

#include "model/source.h"
#include "source/saying.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Expr.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/OperationKinds.h>
#include <clang/Basic/Builtins.h>
#include <llvm/Support/Casting.h>

#include <cstdint>

namespace dragnet::source {
namespace {

using llvm::dyn_cast;

bool is_zero(const clang::Expr& expression) {
  const clang::Expr* e = expression.IgnoreParenCasts();
  if (const auto* number = dyn_cast<clang::IntegerLiteral>(e))
    return number->getValue().isZero();
  if (const auto* truth = dyn_cast<clang::CXXBoolLiteralExpr>(e))
    return !truth->getValue();
  return llvm::isa<clang::CXXNullPtrLiteralExpr, clang::GNUNullExpr>(e);
}

std::uint64_t asked(clang::BinaryOperatorKind kind, std::uint64_t left, std::uint64_t right) {
  return combined(combined(static_cast<std::uint64_t>(kind) + 1, left), right);
}

Condition denied(Condition condition) {
  condition.turned = !condition.turned;
  return condition;
}

class Asking {
public:
  explicit Asking(const clang::ASTContext& context) : context_(context) {}

  Condition of(const clang::Expr* expression) const {
    const clang::Expr* e = expression->IgnoreParenImpCasts();
    if (const auto* unary = dyn_cast<clang::UnaryOperator>(e);
        unary != nullptr && unary->getOpcode() == clang::UO_LNot)
      return denied(of(unary->getSubExpr()));
    if (const clang::Expr* condition = hinted(*e))
      return of(condition);
    const auto* binary = dyn_cast<clang::BinaryOperator>(e);
    if (binary != nullptr && binary->isLogicalOp())
      return both(*binary);
    if (binary != nullptr && binary->isComparisonOp() && binary->getOpcode() != clang::BO_Cmp)
      return comparison(*binary);
    return {.question = said_in(context_, e)};
  }

private:
  // One that holds where either does denies that both do not.
  Condition both(const clang::BinaryOperator& binary) const {
    const bool either = binary.getOpcode() == clang::BO_LOr;
    const Condition left = of(binary.getLHS());
    const Condition right = of(binary.getRHS());
    return {.question = asked(clang::BO_LAnd, part(left, either), part(right, either)),
            .turned = either};
  }

  static std::uint64_t part(Condition condition, bool deny) {
    return combined(condition.question, condition.turned != deny ? 2 : 1);
  }

  Condition comparison(const clang::BinaryOperator& binary) const {
    const clang::Expr* left = binary.getLHS()->IgnoreParenImpCasts();
    const clang::Expr* right = binary.getRHS()->IgnoreParenImpCasts();
    const auto kind = binary.getOpcode();
    if (binary.isEqualityOp()) {
      const bool equal = kind == clang::BO_EQ;
      if (is_zero(*right))
        return equal ? denied(of(left)) : of(left);
      return {.question = asked(clang::BO_EQ, said_in(context_, left), said_in(context_, right)),
              .turned = !equal};
    }
    const bool less = kind == clang::BO_LT || kind == clang::BO_GE;
    const std::uint64_t first = said_in(context_, less ? left : right);
    const std::uint64_t second = said_in(context_, less ? right : left);
    return {.question = asked(clang::BO_LT, first, second),
            .turned = kind == clang::BO_GE || kind == clang::BO_LE};
  }

  const clang::ASTContext& context_;
};

} // namespace

Condition condition_of(const clang::ASTContext& context, const clang::Expr* expression) {
  return expression == nullptr ? Condition() : Asking(context).of(expression);
}

const clang::Expr* hinted(const clang::Expr& expression) {
  const auto* call = dyn_cast<clang::CallExpr>(&expression);
  const unsigned builtin = call == nullptr ? 0 : call->getBuiltinCallee();
  return builtin == clang::Builtin::BI__builtin_expect ||
                 builtin == clang::Builtin::BI__builtin_expect_with_probability
             ? call->getArg(0)
             : nullptr;
}

Comparison opposite(Comparison comparison) {
  switch (comparison) {
  case Comparison::Equal:
    return Comparison::Unequal;
  case Comparison::Unequal:
    return Comparison::Equal;
  case Comparison::Less:
    return Comparison::GreaterOrEqual;
  case Comparison::LessOrEqual:
    return Comparison::Greater;
  case Comparison::Greater:
    return Comparison::LessOrEqual;
  case Comparison::GreaterOrEqual:
    break;
  }
  return Comparison::Less;
}

} // namespace dragnet::source
