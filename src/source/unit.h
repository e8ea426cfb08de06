// What is collected while one translation unit is read.
#pragma once

#include "facts/unit_facts.h"
#include "model/source.h"
#include "source/collections.h"
#include "source/names.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>
#include <clang/AST/Type.h>

#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>

namespace dragnet::source {

class Unit {
public:
  Unit(clang::ASTContext& context, const std::filesystem::path& root)
      : context_(context), names_(context, root), collections_(context, names_) {}

  clang::ASTContext& context() { return context_; }
  Names& names() { return names_; }
  Collections& collections() { return collections_; }

  CollectionNumber number_of(const std::string& collection);

  /// That one collection may be another; nothing where one of them is unknown.
  void alias(const std::string& collection, const std::optional<std::string>& source);

  /// What an expression hands over to a variable, parameter or result of a type: the collection, or
  /// for numbers the collection whose size they are.
  std::optional<std::string> handed_over(const clang::Expr* expression, clang::QualType type);

  /// What a call hands over to a parameter of a type: its size, as far as it is known.
  std::optional<SourceArgument> argument(const clang::Expr* expression, clang::QualType type);

  void override_of(const clang::CXXMethodDecl& method);
  void address_taken(const clang::FunctionDecl& function);

  /// Whether a function was not read yet.
  bool is_new(const clang::FunctionDecl& function) {
    return read_.insert(names_.function(function)).second;
  }

  void add(SourceFunction function);
  void warn(const std::string& text) { warnings_.insert(text); }

  /// All that was collected, functions by name.
  facts::UnitFacts result();

private:
  clang::ASTContext& context_;
  Names names_;
  Collections collections_;
  facts::UnitFacts facts_;
  std::map<std::string, CollectionNumber> numbers_;
  std::set<SourceAlias> aliases_;
  std::set<facts::Override> overrides_;
  std::set<facts::Taken> taken_;
  std::set<std::string> read_;
  std::set<std::string> warnings_;
};

/// A function type as calls through pointers name it.
std::string type_name(clang::ASTContext& context, const clang::FunctionDecl& function);

} // namespace dragnet::source
