// What functions, files and variables are called in facts: the same in every unit and every commit.
#pragma once

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/Mangle.h>
#include <clang/Basic/SourceLocation.h>

#include <filesystem>
#include <memory>
#include <string>
#include <unordered_map>

namespace dragnet::source {

class Names {
public:
  /// Files below the root are called by their path below it.
  Names(clang::ASTContext& context, std::filesystem::path root);

  /// Mangled; with @file where other units may have another of the same name. What system headers
  /// define is called by its qualified name without template arguments.
  std::string function(const clang::FunctionDecl& function);

  /// "param FUNCTION INDEX", "local FUNCTION NAME" or "global NAME".
  std::string variable(const clang::VarDecl& variable);

  std::string file(clang::SourceLocation location);

  /// Whether a declaration stands outside of system headers.
  bool is_ours(const clang::Decl& declaration) const;

private:
  std::string made_name(const clang::FunctionDecl& function);
  std::string lambda_name(const clang::FunctionDecl& lambda);

  clang::ASTContext& context_;
  std::filesystem::path root_;
  std::unique_ptr<clang::MangleContext> mangling_;
  std::unordered_map<const clang::FunctionDecl*, std::string> functions_;
  std::unordered_map<unsigned, std::string> files_;
  std::unordered_map<std::string, unsigned> lambdas_; // how many each function has so far
};

/// "field RECORD::NAME".
std::string field_name(const clang::FieldDecl& field);

/// The names of a declaration and what it is in, with :: between them, without template arguments
/// and inline namespaces.
std::string plain_name(const clang::NamedDecl& declaration);

} // namespace dragnet::source
