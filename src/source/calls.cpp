// Expressions: calls with their possible targets, choices, and what they do to collections.

#include "facts/unit_facts.h"
#include "model/profile.h"
#include "model/source.h"
#include "source/collections.h"
#include "source/condition.h"
#include "source/names.h"
#include "source/reader.h"
#include "source/saying.h"
#include "source/smallness.h"
#include "source/structure.h"
#include "source/unit.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Attr.h>
#include <clang/AST/Decl.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/Expr.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/OperationKinds.h>
#include <clang/AST/Stmt.h>
#include <clang/AST/Type.h>
#include <clang/Basic/OperatorKinds.h>
#include <llvm/Support/Casting.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace dragnet::source {
namespace {

using llvm::dyn_cast;
using llvm::isa;

std::vector<const clang::Expr*> arguments_of(const clang::CallExpr& call) {
  std::vector<const clang::Expr*> arguments;
  // Of an operator that is a method, the first argument is its object.
  const auto* method = llvm::dyn_cast_or_null<clang::CXXMethodDecl>(call.getDirectCallee());
  const bool skips_object =
      isa<clang::CXXOperatorCallExpr>(call) && method != nullptr && method->isInstance();
  for (unsigned i = skips_object ? 1 : 0; i < call.getNumArgs(); ++i)
    arguments.push_back(call.getArg(i));
  return arguments;
}

bool is_virtual_call(const clang::CallExpr& call, const clang::FunctionDecl& callee) {
  const auto* method = dyn_cast<clang::CXXMethodDecl>(&callee);
  const auto* member = dyn_cast<clang::MemberExpr>(call.getCallee()->IgnoreParens());
  // NOLINTNEXTLINE(misc-include-cleaner): the attribute comes with <clang/AST/Attr.h>
  return method != nullptr && method->isVirtual() && !method->hasAttr<clang::FinalAttr>() &&
         (member == nullptr || !member->hasQualifier());
}

bool is_map_access(const clang::CXXMethodDecl& method) {
  return method.getOverloadedOperator() == clang::OO_Subscript &&
         method.getParent()->getName().contains("map");
}

// The function that an argument is: a lambda, or a function by its name.
const clang::FunctionDecl* callable_in(const clang::Expr* argument) {
  const clang::Expr* e = bare(argument);
  if (const auto* lambda = llvm::dyn_cast_or_null<clang::LambdaExpr>(e))
    return lambda->getCallOperator()->isTemplated() ? nullptr : lambda->getCallOperator();
  if (const auto* address = llvm::dyn_cast_or_null<clang::UnaryOperator>(e))
    e = bare(address->getSubExpr());
  const auto* reference = llvm::dyn_cast_or_null<clang::DeclRefExpr>(e);
  return reference == nullptr ? nullptr : dyn_cast<clang::FunctionDecl>(reference->getDecl());
}

bool is_call_of_function_object(const clang::CXXMethodDecl& method) {
  return method.getOverloadedOperator() == clang::OO_Call &&
         method.getParent()->getName() == "function";
}

// What an algorithm of the library goes through: a pair of iterators, a range, or an array.
const clang::Expr* range_of(const clang::CallExpr& call, const clang::FunctionDecl& callee) {
  const std::string name = plain_name(callee);
  if (name.starts_with("std::ranges::") && call.getNumArgs() > 1 &&
      isa<clang::CXXOperatorCallExpr>(call))
    return call.getArg(1);
  if (name == "qsort" || name == "bsearch")
    return call.getArg(name == "qsort" ? 0 : 1);
  if (isa<clang::CXXMethodDecl>(callee) || !name.starts_with("std::") || call.getNumArgs() < 2 ||
      !callee.isTemplateInstantiation())
    return nullptr;
  const clang::QualType first = call.getArg(0)->getType().getCanonicalType().getUnqualifiedType();
  const clang::QualType second = call.getArg(1)->getType().getCanonicalType().getUnqualifiedType();
  return first == second && (first->isPointerType() || first->isRecordType()) ? call.getArg(0)
                                                                              : nullptr;
}

// What it takes to fill an object with zeros before it is made.
std::uint32_t operations_of_zeros(const clang::ASTContext& context, const clang::Expr& expression) {
  constexpr std::int64_t bytes_at_once = 16;
  const auto* made = dyn_cast<clang::CXXConstructExpr>(&expression);
  const auto* list = dyn_cast<clang::InitListExpr>(&expression);
  const bool writes = isa<clang::ImplicitValueInitExpr>(expression) ||
                      (list != nullptr && list->hasArrayFiller()) ||
                      (made != nullptr && made->requiresZeroInitialization());
  const clang::QualType type = expression.getType();
  if (!writes || type->isDependentType() || type->isIncompleteType())
    return 0;
  return static_cast<std::uint32_t>(context.getTypeSizeInChars(type).getQuantity() / bytes_at_once);
}

} // namespace

bool Reader::read_choice(const clang::Expr& expression, SourceBlock& into) {
  const clang::Stmt* first = nullptr;
  const clang::Stmt* second = nullptr;
  const clang::Expr* condition = nullptr;
  bool is_either = false;
  const auto* choice = dyn_cast<clang::ConditionalOperator>(&expression);
  if (choice != nullptr) {
    condition = choice->getCond();
    first = choice->getTrueExpr();
    second = choice->getFalseExpr();
  } else if (const auto* binary = dyn_cast<clang::BinaryOperator>(&expression);
             binary != nullptr && binary->isLogicalOp()) {
    condition = binary->getLHS();
    first = binary->getRHS();
    is_either = binary->getOpcode() == clang::BO_LOr;
  } else
    return false;
  Condition asked = condition_of(unit_.context(), condition);
  const std::uint32_t decided = choice == nullptr ? 0 : decision(condition, asked);
  read(condition, into);
  SourceBlock branch = block_at(BlockKind::Branch, expression);
  branch.subject = decided;
  branch.parts.push_back(part_of(first, expression));
  branch.parts.push_back(part_of(second, expression));
  asked.turned = asked.turned != is_either;
  into.parts.push_back(decided_by(asked, std::move(branch)));
  return true;
}

// Whether a compiler computes it: what has been computed in the function already it mostly keeps.
bool Reader::costs(const clang::Expr& expression) {
  if (!isa<clang::BinaryOperator, clang::UnaryOperator, clang::ArraySubscriptExpr,
           clang::MemberExpr>(expression))
    return false;
  return expression.HasSideEffects(unit_.context()) ||
         computed_.insert(said_in(unit_.context(), &expression)).second;
}

void Reader::read_expression(const clang::Expr& expression, SourceBlock& into) {
  if (isa<clang::UnaryExprOrTypeTraitExpr, clang::CXXNoexceptExpr, clang::CXXTypeidExpr>(
          expression))
    return;
  if (const auto* lambda = dyn_cast<clang::LambdaExpr>(&expression)) {
    read_lambda(*lambda);
    return;
  }
  if (const auto* standard = dyn_cast<clang::CXXDefaultArgExpr>(&expression)) {
    read(standard->getExpr(), into);
    return;
  }
  if (const auto* standard = dyn_cast<clang::CXXDefaultInitExpr>(&expression)) {
    read(standard->getExpr(), into);
    return;
  }
  if (const auto* reference = dyn_cast<clang::DeclRefExpr>(&expression))
    if (const auto* function = dyn_cast<clang::FunctionDecl>(reference->getDecl()))
      unit_.address_taken(*function);
  if (const auto* call = dyn_cast<clang::CallExpr>(&expression)) {
    read_call(*call, into);
    return;
  }
  read_children(expression, into);
  read_counting(expression);
  if (const auto* construction = dyn_cast<clang::CXXConstructExpr>(&expression))
    read_construction(*construction, into);
  if (costs(expression))
    into.weight += 1;
  into.weight += operations_of_zeros(unit_.context(), expression);
  if (isa<clang::CXXNewExpr>(expression))
    add_call(expression, {.targets = {"operator new"}}, into);
  if (const auto* ends = dyn_cast<clang::CXXDeleteExpr>(&expression))
    read_delete(*ends, into);
  if (isa<clang::CXXBindTemporaryExpr>(expression))
    read_end_of(expression.getType(), expression, into);
  if (isa<clang::CXXThrowExpr>(expression))
    into.parts.push_back(block_at(BlockKind::Exit, expression));
}

// C idioms: a number of elements counts up or down, a list gets another element.
void Reader::read_counting(const clang::Expr& expression) {
  Collections& collections = unit_.collections();
  if (const auto* unary = dyn_cast<clang::UnaryOperator>(&expression);
      unary != nullptr && unary->isIncrementDecrementOp()) {
    const auto* counted = bare(unary->getSubExpr());
    if (counted->getType()->isIntegerType() && isa<clang::MemberExpr, clang::DeclRefExpr>(counted))
      unary->isIncrementOp() ? fills(collections.of(counted)) : empties(collections.of(counted));
  }
  const auto* binary = dyn_cast<clang::BinaryOperator>(&expression);
  if (binary == nullptr || !binary->isAssignmentOp())
    return;
  const auto* member = dyn_cast<clang::MemberExpr>(bare(binary->getLHS()));
  const auto target = collections.of(binary->getLHS());
  if (binary->getOpcode() == clang::BO_AddAssign && member != nullptr)
    fills(target);
  if (binary->getOpcode() != clang::BO_Assign || !target)
    return;
  const clang::QualType type = binary->getLHS()->getType();
  if (type->isPointerType() && member != nullptr &&
      type->getPointeeType()->getAsRecordDecl() != nullptr)
    if (const auto* field = dyn_cast<clang::FieldDecl>(member->getMemberDecl());
        field != nullptr && field->getParent()->getCanonicalDecl() ==
                                type->getPointeeType()->getAsRecordDecl()->getCanonicalDecl())
      fills(target);
  unit_.alias(*target, unit_.handed_over(binary->getRHS(), type));
}

void Reader::read_call(const clang::CallExpr& call, SourceBlock& into) {
  if (const clang::Expr* condition = hinted(call)) {
    read(condition, into);
    return;
  }
  const clang::FunctionDecl* callee = call.getDirectCallee();
  // What is called is no address that is taken; an object or a pointer to call may hold more calls.
  if (const auto* member = dyn_cast<clang::MemberExpr>(call.getCallee()->IgnoreParens()))
    read(member->getBase(), into);
  else if (callee == nullptr)
    read(call.getCallee(), into);
  for (const clang::Expr* argument : call.arguments())
    read(argument, into);
  const bool is_put_in =
      callee != nullptr && !is_virtual_call(call, *callee) && does_little(*callee);
  into.weight += is_put_in ? 0 : 1;
  if (callee == nullptr) {
    const std::string target = target_through(call);
    add_call(
        call,
        {.kind = CallKind::Indirect,
         .targets = target.empty() ? std::vector<std::string>{} : std::vector<std::string>{target}},
        into);
  } else if (!unit_.names().is_ours(*callee)) {
    if (callee->getBuiltinID() == 0 || !is_cheap(*callee))
      read_library_call(call, *callee, into);
  } else {
    const auto arguments = arguments_of(call);
    pass_arguments(*callee, arguments);
    const bool is_open = is_virtual_call(call, *callee);
    add_call(call,
             {.kind = is_open ? CallKind::Indirect : CallKind::Direct,
              .targets = {(is_open ? facts::virtual_prefix : "") + unit_.names().function(*callee)},
              .arguments = arguments_for(*callee, arguments)},
             into);
  }
  if (callee != nullptr && callee->isNoReturn())
    into.parts.push_back(block_at(BlockKind::Exit, call));
}

// The type of function that a pointer leads to.
std::string Reader::target_through(const clang::CallExpr& call) {
  clang::QualType type = call.getCallee()->getType();
  if (type->isPointerType())
    type = type->getPointeeType();
  return type->isFunctionType() ? facts::pointer_prefix + type.getCanonicalType().getAsString()
                                : std::string();
}

// Containers of the library are changed; what algorithms are given is called for each element.
void Reader::read_library_call(const clang::CallExpr& call, const clang::FunctionDecl& callee,
                               SourceBlock& into) {
  const auto* method = dyn_cast<clang::CXXMethodDecl>(&callee);
  if (method != nullptr) {
    const auto* member = dyn_cast<clang::CXXMemberCallExpr>(&call);
    if (const clang::Expr* object = member != nullptr       ? member->getImplicitObjectArgument()
                                    : call.getNumArgs() > 0 ? call.getArg(0)
                                                            : nullptr)
      read_container_call(object, *method);
  }
  if (method != nullptr && is_call_of_function_object(*method)) {
    add_call(call,
             {.kind = CallKind::Indirect,
              .targets = {facts::pointer_prefix + type_name(unit_.context(), callee)}},
             into);
    return;
  }
  if ((is_cheap(callee) || does_little(callee)) && (method == nullptr || !is_map_access(*method)))
    return;
  const clang::Expr* range = range_of(call, callee);
  const auto walked = range == nullptr ? std::nullopt : unit_.collections().of(range);
  if (!walked) {
    add_library_call(call, callee, into);
    return;
  }
  SourceBlock loop = block_at(BlockKind::Loop, call);
  loop.identity = said_in(unit_.context(), call.getCallee());
  loop.subject = static_cast<std::uint32_t>(open_loop(call, {*walked}));
  SourceBlock body{.kind = BlockKind::Sequence, .weight = 1};
  add_library_call(call, callee, body);
  loops_.pop_back();
  loop.parts.push_back(std::move(body));
  into.parts.push_back(std::move(loop));
}

// The call itself, and what it is given to call.
void Reader::add_library_call(const clang::CallExpr& call, const clang::FunctionDecl& callee,
                              SourceBlock& into) {
  add_call(call, {.targets = {unit_.names().function(callee)}}, into);
  call_given({call.arg_begin(), call.arg_end()}, into);
}

void Reader::call_given(const std::vector<const clang::Expr*>& arguments, SourceBlock& into) {
  for (const clang::Expr* argument : arguments)
    if (const clang::FunctionDecl* given = callable_in(argument);
        given != nullptr && unit_.names().is_ours(*given))
      add_call(*argument, {.targets = {unit_.names().function(*given)}}, into);
}

void Reader::read_container_call(const clang::Expr* object, const clang::CXXMethodDecl& method) {
  if (adds(method) || is_map_access(method)) {
    fills(unit_.collections().of(object));
    mark_growing(object);
  }
  if (removes(method))
    empties(unit_.collections().of(object));
}

// A loop that fills what it walks until it is large enough may add more than one at a time.
void Reader::mark_growing(const clang::Expr* object) {
  const auto collection = unit_.collections().of(object);
  if (!collection || loops_.empty())
    return;
  SourceLoop& loop = function_.loops[loops_.back()];
  if (std::ranges::find(loop.walks, unit_.number_of(*collection)) != loop.walks.end())
    loop.partial = true;
}

// A lambda is a function of its own; where it goes, it may be called by its type.
void Reader::read_lambda(const clang::LambdaExpr& lambda) {
  const clang::CXXMethodDecl* function = lambda.getCallOperator();
  if (function == nullptr || function->isDependentContext() || function->getBody() == nullptr)
    return;
  unit_.address_taken(*function);
  read_function(unit_, *function);
}

void Reader::pass_arguments(const clang::FunctionDecl& callee,
                            const std::vector<const clang::Expr*>& arguments) {
  for (std::size_t i = 0; i < arguments.size() && i < callee.getNumParams(); ++i) {
    const clang::ParmVarDecl* parameter = callee.getParamDecl(static_cast<unsigned>(i));
    unit_.alias(parameter_name(unit_.names().function(callee), i),
                unit_.handed_over(arguments[i], parameter->getType()));
  }
}

std::vector<std::optional<SourceArgument>>
Reader::arguments_for(const clang::FunctionDecl& callee,
                      const std::vector<const clang::Expr*>& arguments) {
  std::vector<std::optional<SourceArgument>> result;
  for (std::size_t i = 0; i < arguments.size() && i < callee.getNumParams(); ++i)
    result.push_back(
        unit_.argument(arguments[i], callee.getParamDecl(static_cast<unsigned>(i))->getType()));
  return result;
}

} // namespace dragnet::source
