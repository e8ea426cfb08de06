#include "source/names.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/DeclBase.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/GlobalDecl.h>
#include <clang/AST/Mangle.h>
#include <clang/Basic/ABI.h>
#include <clang/Basic/FileManager.h>
#include <clang/Basic/SourceLocation.h>
#include <clang/Basic/SourceManager.h>
#include <llvm/ADT/SmallString.h>
#include <llvm/Support/Casting.h>
#include <llvm/Support/raw_ostream.h>

#include <filesystem>
#include <string>
#include <string_view>
#include <utility>

namespace dragnet::source {
namespace {

// Constructors and destructors by the variant that counters are kept for.
clang::GlobalDecl counted_variant(const clang::FunctionDecl& function) {
  if (const auto* constructor = llvm::dyn_cast<clang::CXXConstructorDecl>(&function))
    return {constructor, clang::Ctor_Base};
  if (const auto* destructor = llvm::dyn_cast<clang::CXXDestructorDecl>(&function))
    return {destructor, clang::Dtor_Base};
  return {&function};
}

std::string without_separators(std::string name) {
  for (char& letter : name)
    if (letter == '\t' || letter == '\n')
      letter = ' ';
  return name;
}

// Constructors and destructors are called as their class, without its template arguments.
std::string own_name(const clang::NamedDecl& declaration) {
  const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(&declaration);
  if (method != nullptr && llvm::isa<clang::CXXConstructorDecl>(method))
    return method->getParent()->getNameAsString();
  if (method != nullptr && llvm::isa<clang::CXXDestructorDecl>(method))
    return "~" + method->getParent()->getNameAsString();
  return declaration.getNameAsString();
}

// Compilers have names of their own for functions of the library.
std::string library_name(const clang::FunctionDecl& function) {
  constexpr std::string_view builtin = "__builtin_";
  const std::string name = plain_name(function);
  return function.getBuiltinID() != 0 && name.starts_with(builtin) ? name.substr(builtin.size())
                                                                   : name;
}

} // namespace

Names::Names(clang::ASTContext& context, std::filesystem::path root)
    : context_(context), root_(std::move(root)), mangling_(context.createMangleContext()) {}

std::string Names::function(const clang::FunctionDecl& function) {
  const clang::FunctionDecl* first = function.getCanonicalDecl();
  const auto [place, is_new] = functions_.try_emplace(first);
  if (is_new)
    place->second = made_name(function);
  return place->second;
}

std::string Names::made_name(const clang::FunctionDecl& function) {
  if (!is_ours(function))
    return library_name(function);
  if (const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(&function);
      method != nullptr && method->getParent()->isLambda())
    return lambda_name(function);
  std::string name;
  if (mangling_->shouldMangleDeclName(&function)) {
    llvm::raw_string_ostream stream(name);
    mangling_->mangleName(counted_variant(function), stream);
  } else
    name = function.getNameAsString();
  if (!function.isExternallyVisible())
    name += "@" + file(function.getLocation());
  return without_separators(std::move(name));
}

// The mangled names of lambdas have numbers that the compiler gives as it goes.
std::string Names::lambda_name(const clang::FunctionDecl& lambda) {
  const clang::DeclContext* in = lambda.getParent()->getParent();
  while (in != nullptr && !llvm::isa<clang::FunctionDecl>(in))
    in = in->getParent();
  const std::string owner =
      in == nullptr ? file(lambda.getLocation()) : function(*llvm::cast<clang::FunctionDecl>(in));
  return "lambda " + std::to_string(++lambdas_[owner]) + " in " + owner;
}

std::string Names::variable(const clang::VarDecl& variable) {
  const auto* owner =
      llvm::dyn_cast_or_null<clang::FunctionDecl>(variable.getParentFunctionOrMethod());
  if (owner == nullptr)
    return "global " + plain_name(variable) +
           (variable.isExternallyVisible() ? "" : "@" + file(variable.getLocation()));
  if (const auto* parameter = llvm::dyn_cast<clang::ParmVarDecl>(&variable))
    return "param " + function(*owner) + " " + std::to_string(parameter->getFunctionScopeIndex());
  return "local " + function(*owner) + " " + variable.getNameAsString();
}

std::string Names::file(clang::SourceLocation location) {
  const auto& sources = context_.getSourceManager();
  const clang::SourceLocation place = sources.getExpansionLoc(location);
  const clang::FileID id = sources.getFileID(place);
  const auto [entry, is_new] = files_.try_emplace(id.getHashValue());
  if (is_new) {
    llvm::SmallString<256> name = sources.getFilename(place);
    sources.getFileManager().makeAbsolutePath(name);
    const auto whole = std::filesystem::path(name.str().str()).lexically_normal();
    const auto below = whole.lexically_relative(root_);
    entry->second =
        below.empty() || below.native().starts_with("..") ? whole.string() : below.string();
  }
  return entry->second;
}

// What is built into the compiler stands where it is first used.
bool Names::is_ours(const clang::Decl& declaration) const {
  const auto* function = llvm::dyn_cast<clang::FunctionDecl>(&declaration);
  if (function != nullptr && function->isImplicit() && function->getBuiltinID() != 0)
    return false;
  const auto& sources = context_.getSourceManager();
  const clang::SourceLocation place = sources.getExpansionLoc(declaration.getLocation());
  return place.isValid() && !sources.isInSystemHeader(place);
}

std::string field_name(const clang::FieldDecl& field) {
  return "field " + plain_name(field);
}

std::string plain_name(const clang::NamedDecl& declaration) {
  std::string name = own_name(declaration);
  for (const clang::DeclContext* in = declaration.getDeclContext(); in != nullptr;
       in = in->getParent()) {
    const auto* space = llvm::dyn_cast<clang::NamespaceDecl>(in);
    const auto* named = llvm::dyn_cast<clang::NamedDecl>(in);
    if (named != nullptr && (space == nullptr || !space->isInline()))
      name.insert(0, named->getNameAsString() + "::");
  }
  return without_separators(std::move(name));
}

} // namespace dragnet::source
