#include "source/unit.h"

#include "facts/unit_facts.h"
#include "model/source.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/Expr.h>
#include <clang/AST/Type.h>
#include <llvm/ADT/SmallVector.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

namespace dragnet::source {

CollectionNumber Unit::number_of(const std::string& collection) {
  const auto next = static_cast<CollectionNumber>(facts_.facts.collections.size());
  const auto [place, is_new] = numbers_.emplace(collection, next);
  if (is_new)
    facts_.facts.collections.push_back(collection);
  return place->second;
}

void Unit::alias(const std::string& collection, const std::optional<std::string>& source) {
  if (source && *source != collection)
    aliases_.insert({.collection = number_of(collection), .source = number_of(*source)});
}

std::optional<std::string> Unit::handed_over(const clang::Expr* expression, clang::QualType type) {
  const clang::QualType what = type.getNonReferenceType();
  if (what->isBooleanType() || what->isFloatingType() || what->isFunctionPointerType())
    return std::nullopt;
  if (!what->isIntegerType())
    return collections_.of(expression);
  return type->isReferenceType() ? collections_.of(expression) : collections_.sized_by(expression);
}

std::optional<SourceArgument> Unit::argument(const clang::Expr* expression, clang::QualType type) {
  const bool is_size = type.getNonReferenceType()->isIntegralOrEnumerationType();
  if (is_size)
    if (const auto constant = collections_.constant_of(expression))
      return SourceArgument{.number = constant};
  const auto collection = handed_over(expression, type);
  if (!collection)
    return std::nullopt;
  return SourceArgument{.collection = number_of(*collection),
                        .factor = is_size ? collections_.factor_of(expression) : 1,
                        .more = is_size ? collections_.added_in(expression) : 0};
}

void Unit::override_of(const clang::CXXMethodDecl& method) {
  for (const clang::CXXMethodDecl* overridden : method.overridden_methods())
    overrides_.insert(
        {.method = names_.function(method), .overridden = names_.function(*overridden)});
}

void Unit::address_taken(const clang::FunctionDecl& function) {
  taken_.insert({.type = type_name(context_, function), .function = names_.function(function)});
}

void Unit::add(SourceFunction function) {
  facts_.facts.functions.push_back(std::move(function));
}

facts::UnitFacts Unit::result() {
  facts_.facts.aliases.assign(aliases_.begin(), aliases_.end());
  facts_.facts.warnings.assign(warnings_.begin(), warnings_.end());
  facts_.overrides.assign(overrides_.begin(), overrides_.end());
  facts_.taken.assign(taken_.begin(), taken_.end());
  std::ranges::sort(facts_.facts.functions, {}, &SourceFunction::name);
  return std::move(facts_);
}

std::string type_name(clang::ASTContext& context, const clang::FunctionDecl& function) {
  llvm::SmallVector<clang::QualType, 8> parameters;
  for (const clang::ParmVarDecl* parameter : function.parameters())
    parameters.push_back(parameter->getType());
  clang::FunctionProtoType::ExtProtoInfo extra;
  extra.Variadic = function.isVariadic();
  return context.getFunctionType(function.getReturnType(), parameters, extra)
      .getCanonicalType()
      .getAsString();
}

} // namespace dragnet::source
