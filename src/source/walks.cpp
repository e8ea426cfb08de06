// Which collections the count of a loop depends on.

#include "model/source.h"
#include "source/collections.h"
#include "source/names.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/OperationKinds.h>
#include <clang/AST/Stmt.h>
#include <clang/AST/StmtCXX.h>
#include <clang/Basic/OperatorKinds.h>
#include <llvm/Support/Casting.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace dragnet::source {
namespace {

using llvm::dyn_cast;

constexpr unsigned deepest_factor = 8;

const clang::ValueDecl* named_in(const clang::Expr* expression) {
  const auto* reference = llvm::dyn_cast_or_null<clang::DeclRefExpr>(bare(expression));
  return reference == nullptr ? nullptr : reference->getDecl();
}

// The variables that a statement counts up or down or sets.
void find_moved(const clang::Stmt* statement, std::set<const clang::ValueDecl*>& moved) {
  if (statement == nullptr)
    return;
  const clang::Expr* target = nullptr;
  if (const auto* unary = dyn_cast<clang::UnaryOperator>(statement);
      unary != nullptr && unary->isIncrementDecrementOp())
    target = unary->getSubExpr();
  if (const auto* binary = dyn_cast<clang::BinaryOperator>(statement);
      binary != nullptr && binary->isAssignmentOp())
    target = binary->getLHS();
  if (const auto* call = dyn_cast<clang::CXXOperatorCallExpr>(statement);
      call != nullptr && (call->getOperator() == clang::OO_PlusPlus ||
                          call->getOperator() == clang::OO_MinusMinus || call->isAssignmentOp()))
    target = call->getArg(0);
  if (const clang::ValueDecl* variable = named_in(target))
    moved.insert(variable);
  for (const clang::Stmt* child : statement->children())
    find_moved(child, moved);
}

// The variables that an expression names.
void find_named(const clang::Stmt* expression, std::set<const clang::ValueDecl*>& named) {
  if (expression == nullptr)
    return;
  if (const auto* reference = dyn_cast<clang::DeclRefExpr>(expression))
    named.insert(reference->getDecl());
  for (const clang::Stmt* child : expression->children())
    find_named(child, named);
}

// The field by which a loop goes from one thing to the next: p = p->next.
const clang::FieldDecl* chased_by(const clang::Stmt* statement, const clang::ValueDecl* pointer) {
  if (statement == nullptr)
    return nullptr;
  if (const auto* binary = dyn_cast<clang::BinaryOperator>(statement);
      binary != nullptr && binary->getOpcode() == clang::BO_Assign &&
      named_in(binary->getLHS()) == pointer)
    if (const auto* member = dyn_cast<clang::MemberExpr>(bare(binary->getRHS())))
      return dyn_cast<clang::FieldDecl>(member->getMemberDecl());
  for (const clang::Stmt* child : statement->children())
    if (const auto* field = chased_by(child, pointer))
      return field;
  return nullptr;
}

bool is_comparison(const clang::Expr* expression) {
  if (const auto* binary = dyn_cast<clang::BinaryOperator>(expression))
    return binary->isComparisonOp();
  const auto* call = dyn_cast<clang::CXXOperatorCallExpr>(expression);
  return call != nullptr && call->isComparisonOp() && call->getNumArgs() == 2;
}

std::vector<const clang::Expr*> sides_of(const clang::Expr* comparison) {
  if (const auto* binary = dyn_cast<clang::BinaryOperator>(comparison))
    return {binary->getLHS(), binary->getRHS()};
  const auto* call = dyn_cast<clang::CXXOperatorCallExpr>(comparison);
  return {call->getArg(0), call->getArg(1)};
}

// What a loop counts with, and its first value: int i = 0, or in C also i = 0.
std::pair<const clang::ValueDecl*, const clang::Expr*> start_of(const clang::ForStmt& loop) {
  if (const auto* declared = llvm::dyn_cast_or_null<clang::DeclStmt>(loop.getInit());
      declared != nullptr && declared->isSingleDecl())
    if (const auto* variable = dyn_cast<clang::VarDecl>(declared->getSingleDecl()))
      return {variable, variable->getInit()};
  if (const auto* set = llvm::dyn_cast_or_null<clang::BinaryOperator>(loop.getInit());
      set != nullptr && set->getOpcode() == clang::BO_Assign)
    return {named_in(set->getLHS()), set->getRHS()};
  return {nullptr, nullptr};
}

const clang::Expr* condition_of(const clang::Stmt& loop) {
  if (const auto* counted = dyn_cast<clang::ForStmt>(&loop))
    return counted->getCond();
  if (const auto* whiles = dyn_cast<clang::WhileStmt>(&loop))
    return whiles->getCond();
  const auto* repeated = dyn_cast<clang::DoStmt>(&loop);
  return repeated == nullptr ? nullptr : repeated->getCond();
}

std::optional<Comparison> comparison_of(clang::BinaryOperatorKind kind) {
  switch (kind) {
  case clang::BO_EQ:
    return Comparison::Equal;
  case clang::BO_NE:
    return Comparison::Unequal;
  case clang::BO_LT:
    return Comparison::Less;
  case clang::BO_LE:
    return Comparison::LessOrEqual;
  case clang::BO_GT:
    return Comparison::Greater;
  case clang::BO_GE:
    return Comparison::GreaterOrEqual;
  default:
    return std::nullopt;
  }
}

} // namespace

std::vector<std::string> Collections::walked(const clang::Stmt& loop) {
  std::vector<std::string> found;
  if (const auto* range = dyn_cast<clang::CXXForRangeStmt>(&loop)) {
    if (auto one = of(range->getRangeInit()))
      found.push_back(*std::move(one));
    return found;
  }
  const auto* counted = dyn_cast<clang::ForStmt>(&loop);
  if (counted != nullptr && is_rest(*counted))
    return found;
  Moved moved;
  find_moved(condition_of(loop), moved);
  if (counted != nullptr)
    find_moved(counted->getInc(), moved);
  walked_in_condition(condition_of(loop), loop, moved, found);
  return found;
}

void Collections::walked_in_condition(const clang::Expr* condition, const clang::Stmt& loop,
                                      const Moved& moved, std::vector<std::string>& found) {
  const clang::Expr* e = bare(condition);
  if (e == nullptr)
    return;
  if (const auto* binary = dyn_cast<clang::BinaryOperator>(e); binary && binary->isLogicalOp()) {
    walked_in_condition(binary->getLHS(), loop, moved, found);
    walked_in_condition(binary->getRHS(), loop, moved, found);
  } else if (const auto* rewritten = dyn_cast<clang::CXXRewrittenBinaryOperator>(e)) {
    walked_by_side(rewritten->getLHS(), loop, moved, found);
    walked_by_side(rewritten->getRHS(), loop, moved, found);
  } else if (is_comparison(e)) {
    for (const clang::Expr* side : sides_of(e))
      for (const clang::Expr* one : choices_of(side))
        walked_by_side(one, loop, moved, found);
  } else if (const auto* unary = dyn_cast<clang::UnaryOperator>(e);
             unary != nullptr && unary->getOpcode() == clang::UO_LNot) {
    walked_in_condition(unary->getSubExpr(), loop, moved, found);
  } else
    walked_by_side(e, loop, moved, found);
}

// What the loop itself counts with says nothing, but for where it started, and for a pointer that
// is led along a list.
void Collections::walked_by_side(const clang::Expr* side, const clang::Stmt& loop,
                                 const Moved& moved, std::vector<std::string>& found) {
  const clang::ValueDecl* variable = named_in(side);
  if (variable != nullptr && variable->getType()->isPointerType())
    if (const clang::FieldDecl* field = chased_by(&loop, variable)) {
      found.push_back(field_name(*field));
      return;
    }
  auto one = sized_by(side);
  const auto* itself = llvm::dyn_cast_or_null<clang::VarDecl>(variable);
  if (one && itself != nullptr && moved.contains(variable) && *one == names_.variable(*itself))
    one = sized_by(itself->getAnyInitializer());
  if (one)
    found.push_back(*std::move(one));
}

std::optional<double> Collections::constant_of(const clang::Expr* value) const {
  clang::Expr::EvalResult result;
  if (value == nullptr || value->isValueDependent() || !value->EvaluateAsInt(result, context_))
    return std::nullopt;
  return static_cast<double>(result.Val.getInt().getExtValue());
}

// Whether a function sets one of its variables.
bool Collections::is_moved(const clang::ValueDecl& variable, const clang::FunctionDecl& function) {
  if (moved_in_ != &function) {
    moved_.clear();
    find_moved(function.getBody(), moved_);
    moved_in_ = &function;
  }
  return moved_.contains(&variable);
}

std::optional<std::uint32_t> Collections::parameter_in(const clang::Expr* expression,
                                                       const clang::FunctionDecl& function) {
  const auto* parameter = llvm::dyn_cast_or_null<clang::ParmVarDecl>(named_in(expression));
  if (parameter == nullptr || parameter->getDeclContext() != &function ||
      is_moved(*parameter, function))
    return std::nullopt;
  return parameter->getFunctionScopeIndex();
}

std::optional<SourceDecision> Collections::decision_of(const clang::Expr* condition,
                                                       const clang::FunctionDecl& function) {
  const clang::Expr* e = bare(condition);
  if (const auto itself = parameter_in(e, function))
    return SourceDecision{.parameter = *itself, .comparison = Comparison::Unequal};
  if (const auto* unary = llvm::dyn_cast_or_null<clang::UnaryOperator>(e);
      unary != nullptr && unary->getOpcode() == clang::UO_LNot)
    if (const auto itself = parameter_in(unary->getSubExpr(), function))
      return SourceDecision{.parameter = *itself, .comparison = Comparison::Equal};
  const auto* binary = llvm::dyn_cast_or_null<clang::BinaryOperator>(e);
  if (binary == nullptr)
    return std::nullopt;
  const auto parameter = parameter_in(binary->getLHS(), function);
  const auto comparison = comparison_of(binary->getOpcode());
  const auto number = constant_of(binary->getRHS());
  if (!parameter || !comparison || !number)
    return std::nullopt;
  return SourceDecision{.parameter = *parameter, .comparison = *comparison, .number = *number};
}

const clang::Expr* Collections::part_of(const clang::Expr* value) const {
  const auto* binary = dyn_cast<clang::BinaryOperator>(value);
  if (binary == nullptr || !(binary->isMultiplicativeOp() || binary->isShiftOp()) ||
      binary->getOpcode() == clang::BO_Rem)
    return nullptr;
  if (constant_of(binary->getRHS()).value_or(0) > 0)
    return binary->getLHS();
  const bool product = binary->getOpcode() == clang::BO_Mul;
  return product && constant_of(binary->getLHS()).value_or(0) > 0 ? binary->getRHS() : nullptr;
}

double Collections::factor_of(const clang::Expr* value, unsigned depth) const {
  const clang::Expr* e = bare(value);
  const auto* binary = llvm::dyn_cast_or_null<clang::BinaryOperator>(e);
  if (binary == nullptr || depth > deepest_factor)
    return 1;
  if (binary->isAdditiveOp())
    return factor_of(constant_of(binary->getRHS()) ? binary->getLHS() : binary->getRHS(),
                     depth + 1);
  const clang::Expr* whole = part_of(e);
  if (whole == nullptr)
    return 1;
  const double constant =
      constant_of(whole == binary->getLHS() ? binary->getRHS() : binary->getLHS()).value_or(1);
  const double times = binary->isShiftOp() ? std::exp2(std::min(constant, 62.0)) : constant;
  const bool product = binary->getOpcode() == clang::BO_Mul || binary->getOpcode() == clang::BO_Shl;
  return factor_of(whole, depth + 1) * (product ? times : 1 / times);
}

double Collections::added_in(const clang::Expr* value) const {
  const auto* binary = llvm::dyn_cast_or_null<clang::BinaryOperator>(bare(value));
  if (binary == nullptr || !binary->isAdditiveOp())
    return 0;
  if (const auto right = constant_of(binary->getRHS()))
    return binary->getOpcode() == clang::BO_Add ? *right : -*right;
  return binary->getOpcode() == clang::BO_Add ? constant_of(binary->getLHS()).value_or(0) : 0;
}

// How many elements are taken at a time, where that is a constant.
double Collections::step_of(const clang::Stmt* statement,
                            const std::set<const clang::ValueDecl*>& counted) const {
  if (statement == nullptr)
    return 1;
  if (const auto* set = dyn_cast<clang::CompoundAssignOperator>(statement);
      set != nullptr && counted.contains(named_in(set->getLHS())) &&
      (set->getOpcode() == clang::BO_AddAssign || set->getOpcode() == clang::BO_SubAssign))
    return std::max(1.0, std::abs(constant_of(set->getRHS()).value_or(1)));
  double largest = 1;
  for (const clang::Stmt* child : statement->children())
    largest = std::max(largest, step_of(child, counted));
  return largest;
}

double Collections::rate_of(const clang::Stmt& loop) const {
  const clang::Expr* condition = bare(condition_of(loop));
  if (condition == nullptr)
    return 1;
  double factor = 1;
  if (is_comparison(condition))
    for (const clang::Expr* side : sides_of(condition))
      factor *= constant_of(side) ? 1 : factor_of(side);
  std::set<const clang::ValueDecl*> compared;
  find_named(condition, compared);
  const auto* counted = dyn_cast<clang::ForStmt>(&loop);
  const clang::Stmt* steps = counted != nullptr ? counted->getInc() : &loop;
  return factor / step_of(steps, compared);
}

bool Collections::is_rest(const clang::ForStmt& loop) {
  const auto* compared = llvm::dyn_cast_or_null<clang::BinaryOperator>(bare(loop.getCond()));
  const clang::Expr* start = start_of(loop).second;
  if (compared == nullptr || start == nullptr || !llvm::isa<clang::CallExpr>(bare(start)))
    return false;
  return std::ranges::none_of(
             sides_of(compared),
             [&](const clang::Expr* side) { return constant_of(side).has_value(); }) &&
         sized_by(start).has_value();
}

bool Collections::is_partial(const clang::Stmt& loop) {
  const auto* both = llvm::dyn_cast_or_null<clang::BinaryOperator>(bare(condition_of(loop)));
  if (both != nullptr && both->getOpcode() == clang::BO_LAnd)
    return true;
  const auto* head = dyn_cast<clang::ForStmt>(&loop);
  if (head == nullptr)
    return false;
  Moved counted;
  Moved inside;
  find_moved(head->getInc(), counted);
  find_moved(head->getBody(), inside);
  return std::ranges::any_of(counted, [&](const auto* one) { return inside.contains(one); });
}

// By how much a loop counts up each time; 0 where it does otherwise.
double Collections::constant_step(const clang::Expr* moved,
                                  const clang::ValueDecl& variable) const {
  const clang::Expr* e = bare(moved);
  if (const auto* one = llvm::dyn_cast_or_null<clang::UnaryOperator>(e))
    return one->isIncrementOp() && named_in(one->getSubExpr()) == &variable ? 1 : 0;
  const auto* set = llvm::dyn_cast_or_null<clang::CompoundAssignOperator>(e);
  return set != nullptr && set->getOpcode() == clang::BO_AddAssign &&
                 named_in(set->getLHS()) == &variable
             ? constant_of(set->getRHS()).value_or(0)
             : 0;
}

std::uint64_t Collections::constant_times(const clang::ForStmt& loop) const {
  const auto* compared = llvm::dyn_cast_or_null<clang::BinaryOperator>(
      loop.getCond() == nullptr ? nullptr : loop.getCond()->IgnoreParenImpCasts());
  const auto [variable, start] = start_of(loop);
  if (compared == nullptr || variable == nullptr || start == nullptr ||
      (compared->getOpcode() != clang::BO_LT && compared->getOpcode() != clang::BO_LE &&
       compared->getOpcode() != clang::BO_NE))
    return 0;
  if (named_in(compared->getLHS()) != variable)
    return 0;
  const double step = constant_step(loop.getInc(), *variable);
  if (step <= 0)
    return 0;
  clang::Expr::EvalResult first;
  clang::Expr::EvalResult last;
  if (start->isValueDependent() || compared->getRHS()->isValueDependent() ||
      !start->EvaluateAsInt(first, context_) || !compared->getRHS()->EvaluateAsInt(last, context_))
    return 0;
  const std::int64_t times = last.Val.getInt().getExtValue() - first.Val.getInt().getExtValue() +
                             (compared->getOpcode() == clang::BO_LE ? 1 : 0);
  return times > 0 ? static_cast<std::uint64_t>(std::ceil(static_cast<double>(times) / step)) : 0;
}

} // namespace dragnet::source
