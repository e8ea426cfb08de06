#include "source/collections.h"

#include "source/names.h"
#include "source/smallness.h"

#include <clang/AST/Decl.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/Expr.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/OperationKinds.h>
#include <clang/AST/Type.h>
#include <clang/Basic/OperatorKinds.h>
#include <llvm/Support/Casting.h>

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace dragnet::source {
namespace {

using llvm::dyn_cast;

constexpr unsigned deepest = 8;

bool is_one_of(const clang::NamedDecl& declaration, std::span<const std::string_view> names) {
  const auto* identifier = declaration.getIdentifier();
  return identifier != nullptr &&
         std::ranges::find(names, std::string_view(identifier->getName())) != names.end();
}

constexpr std::array<std::string_view, 25> same_object{
    "begin", "end",  "cbegin", "cend",  "rbegin",   "rend",    "crbegin",    "crend", "data",
    "get",   "move", "c_str",  "value", "ref",      "size",    "length",     "empty", "ssize",
    "count", "str",  "find",   "base",  "as_const", "forward", "lower_bound"};
constexpr std::array<std::string_view, 5> element{"at", "front", "back", "top", "operator[]"};
constexpr std::array<std::string_view, 5> text_length{"strlen", "wcslen", "strnlen", "distance",
                                                      "size"};
constexpr std::array<std::string_view, 16> adding{
    "push_back", "emplace_back", "push_front",   "emplace_front",   "insert", "emplace",
    "push",      "append",       "try_emplace",  "emplace_hint",    "resize", "assign",
    "splice",    "merge",        "insert_range", "insert_or_assign"};
constexpr std::array<std::string_view, 9> removing{
    "pop_back", "pop_front", "pop", "erase", "clear", "remove", "remove_if", "extract", "unique"};
constexpr std::array<std::string_view, 28> cheap{
    "begin",     "end",   "cbegin", "cend",  "size",    "empty",    "data",
    "front",     "back",  "get",    "move",  "forward", "length",   "value",
    "has_value", "first", "second", "c_str", "at",      "base",     "addressof",
    "min",       "max",   "swap",   "reset", "release", "max_size", "get_allocator"};

bool is_cheap_operator(clang::OverloadedOperatorKind kind) {
  switch (kind) {
  case clang::OO_Subscript:
  case clang::OO_Star:
  case clang::OO_Arrow:
  case clang::OO_PlusPlus:
  case clang::OO_MinusMinus:
  case clang::OO_ExclaimEqual:
  case clang::OO_EqualEqual:
  case clang::OO_Less:
    return true;
  default:
    return false;
  }
}

} // namespace

const clang::Expr* bare(const clang::Expr* expression) {
  while (expression != nullptr) {
    const clang::Expr* inner = expression->IgnoreUnlessSpelledInSource()->IgnoreParenCasts();
    if (const auto* made = dyn_cast<clang::CXXConstructExpr>(inner);
        made != nullptr && made->getNumArgs() >= 1 &&
        (made->getNumArgs() == 1 || llvm::isa<clang::CXXDefaultArgExpr>(made->getArg(1))))
      inner = made->getArg(0);
    if (inner == expression)
      break;
    expression = inner;
  }
  return expression;
}

std::vector<const clang::Expr*> choices_of(const clang::Expr* expression) {
  constexpr std::array<std::string_view, 2> choosing{"min", "max"};
  const clang::Expr* e = bare(expression);
  if (const auto* choice = llvm::dyn_cast_or_null<clang::ConditionalOperator>(e))
    return {choice->getTrueExpr(), choice->getFalseExpr()};
  const auto* call = llvm::dyn_cast_or_null<clang::CallExpr>(e);
  const clang::FunctionDecl* callee = call == nullptr ? nullptr : call->getDirectCallee();
  if (callee != nullptr && call->getNumArgs() == 2 && callee->isInStdNamespace() &&
      is_one_of(*callee, choosing))
    return {call->getArg(0), call->getArg(1)};
  return {expression};
}

std::optional<std::string> Collections::of(const clang::Expr* expression) {
  const clang::Expr* e = bare(expression);
  if (e == nullptr)
    return std::nullopt;
  if (const auto* unary = dyn_cast<clang::UnaryOperator>(e))
    return of(unary->getSubExpr());
  if (const auto* reference = dyn_cast<clang::DeclRefExpr>(e)) {
    const auto* variable = dyn_cast<clang::VarDecl>(reference->getDecl());
    return variable == nullptr ? std::nullopt : std::optional(names_.variable(*variable));
  }
  if (const auto* member = dyn_cast<clang::MemberExpr>(e)) {
    if (const auto* field = dyn_cast<clang::FieldDecl>(member->getMemberDecl()))
      return field_name(*field);
    const auto* variable = dyn_cast<clang::VarDecl>(member->getMemberDecl());
    return variable == nullptr ? std::nullopt : std::optional(names_.variable(*variable));
  }
  if (const auto* subscript = dyn_cast<clang::ArraySubscriptExpr>(e)) {
    const auto whole = of(subscript->getBase());
    return whole ? std::optional(*whole + "[]") : std::nullopt;
  }
  if (const auto* choice = dyn_cast<clang::ConditionalOperator>(e))
    return of(choice->getTrueExpr());
  if (const auto* binary = dyn_cast<clang::BinaryOperator>(e); binary && binary->isAdditiveOp())
    return of(binary->getLHS());
  const auto* call = dyn_cast<clang::CallExpr>(e);
  return call == nullptr ? std::nullopt : of_call(*call);
}

std::optional<std::string> Collections::of_call(const clang::CallExpr& call) {
  if (const auto* operation = dyn_cast<clang::CXXOperatorCallExpr>(&call))
    return of_operator(*operation);
  if (const auto* member = dyn_cast<clang::CXXMemberCallExpr>(&call))
    return of_member_call(*member);
  const clang::FunctionDecl* callee = call.getDirectCallee();
  if (callee == nullptr)
    return std::nullopt;
  if (names_.is_ours(*callee))
    return "result " + names_.function(*callee);
  if (call.getNumArgs() > 0 && (is_one_of(*callee, same_object) || is_one_of(*callee, text_length)))
    return of(call.getArg(0));
  return std::nullopt;
}

std::optional<std::string> Collections::of_operator(const clang::CXXOperatorCallExpr& call) {
  const clang::FunctionDecl* callee = call.getDirectCallee();
  if (callee != nullptr && names_.is_ours(*callee))
    return "result " + names_.function(*callee);
  const auto whole = of(call.getArg(0));
  return whole && call.getOperator() == clang::OO_Subscript ? std::optional(*whole + "[]") : whole;
}

std::optional<std::string> Collections::of_member_call(const clang::CXXMemberCallExpr& call) {
  const clang::CXXMethodDecl* method = call.getMethodDecl();
  if (method == nullptr)
    return std::nullopt;
  if (names_.is_ours(*method))
    return "result " + names_.function(*method);
  const auto whole = of(call.getImplicitObjectArgument());
  if (whole && is_one_of(*method, element))
    return *whole + "[]";
  return is_one_of(*method, same_object) ? whole : std::nullopt;
}

std::optional<std::string> Collections::sized_by(const clang::Expr* expression, unsigned depth) {
  const clang::Expr* e = bare(expression);
  if (e == nullptr || depth > deepest || e->isValueDependent() || e->isEvaluatable(context_))
    return std::nullopt;
  if (const auto* binary = dyn_cast<clang::BinaryOperator>(e); binary && binary->isAdditiveOp()) {
    if (binary->getRHS()->isEvaluatable(context_))
      return sized_by(binary->getLHS(), depth + 1);
    if (binary->getLHS()->isEvaluatable(context_))
      return sized_by(binary->getRHS(), depth + 1);
    if (binary->getLHS()->getType()->isPointerType())
      return of(binary->getLHS());
    // What lies between two places belongs to what the later one is in, as for a loop between them.
    return binary->getOpcode() == clang::BO_Sub ? sized_by(binary->getLHS(), depth + 1)
                                                : std::nullopt;
  }
  if (const clang::Expr* whole = part_of(e))
    return sized_by(whole, depth + 1);
  if (const auto* reference = dyn_cast<clang::DeclRefExpr>(e)) {
    const auto* variable = dyn_cast<clang::VarDecl>(reference->getDecl());
    return variable == nullptr ? std::nullopt : std::optional(names_.variable(*variable));
  }
  if (const auto* unary = dyn_cast<clang::UnaryOperator>(e);
      unary != nullptr && unary->isIncrementDecrementOp())
    return sized_by(unary->getSubExpr(), depth + 1);
  return of(e);
}

bool adds(const clang::CXXMethodDecl& method) {
  return is_one_of(method, adding) || method.getOverloadedOperator() == clang::OO_PlusEqual;
}

bool removes(const clang::CXXMethodDecl& method) {
  return is_one_of(method, removing);
}

bool is_cheap(const clang::FunctionDecl& function) {
  return is_built_in(function) || is_one_of(function, cheap) ||
         is_cheap_operator(function.getOverloadedOperator());
}

} // namespace dragnet::source
