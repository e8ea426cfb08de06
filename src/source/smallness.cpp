#include "source/smallness.h"

#include "source/saying.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/Expr.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/Stmt.h>
#include <clang/AST/StmtCXX.h>
#include <llvm/Support/Casting.h>

#include <algorithm>

namespace dragnet::source {
namespace {

using llvm::dyn_cast;
using llvm::isa;

// So many statements and expressions, with those of what is called, and calls of calls.
constexpr unsigned most_nodes = 64;
constexpr unsigned deepest = 8;

class Smallness {
public:
  bool of(const clang::FunctionDecl& function) {
    const clang::FunctionDecl* definition = nullptr;
    const clang::Stmt* body = function.getBody(definition);
    if (body == nullptr || depth_ >= deepest)
      return false;
    ++depth_;
    const bool small = makes_little(*definition) && is_little(definition->getASTContext(), body);
    --depth_;
    return small;
  }

private:
  bool makes_little(const clang::FunctionDecl& function) {
    const auto* constructor = dyn_cast<clang::CXXConstructorDecl>(&function);
    return constructor == nullptr ||
           std::ranges::all_of(constructor->inits(),
                               [&](const clang::CXXCtorInitializer* initializer) {
                                 return is_little(function.getASTContext(), initializer->getInit());
                               });
  }

  bool is_little(const clang::ASTContext& context, const clang::Stmt* statement) {
    if (statement == nullptr)
      return true;
    if (const clang::Stmt* body = body_run_once(context, *statement))
      return is_little(context, body);
    if (++nodes_ > most_nodes || is_long(*statement) || calls_more(*statement))
      return false;
    return std::ranges::all_of(statement->children(),
                               [&](const clang::Stmt* child) { return is_little(context, child); });
  }

  static bool is_long(const clang::Stmt& statement) {
    return isa<clang::ForStmt, clang::WhileStmt, clang::DoStmt, clang::CXXForRangeStmt,
               clang::GotoStmt, clang::CXXTryStmt, clang::CXXNewExpr, clang::CXXDeleteExpr,
               clang::CXXThrowExpr, clang::LambdaExpr>(statement);
  }

  bool calls_more(const clang::Stmt& statement) {
    if (const auto* made = dyn_cast<clang::CXXConstructExpr>(&statement))
      return !made->getConstructor()->isTrivial() && !of(*made->getConstructor());
    const auto* call = dyn_cast<clang::CallExpr>(&statement);
    if (call == nullptr)
      return false;
    const clang::FunctionDecl* callee = call->getDirectCallee();
    return callee == nullptr || is_virtual(*callee) || !(is_built_in(*callee) || of(*callee));
  }

  static bool is_virtual(const clang::FunctionDecl& callee) {
    const auto* method = dyn_cast<clang::CXXMethodDecl>(&callee);
    return method != nullptr && method->isVirtual();
  }

  unsigned nodes_ = 0;
  unsigned depth_ = 0;
};

} // namespace

bool does_little(const clang::FunctionDecl& function) {
  return Smallness().of(function);
}

bool is_built_in(const clang::FunctionDecl& function) {
  const auto& builtins = function.getASTContext().BuiltinInfo;
  const unsigned builtin = function.getBuiltinID();
  return builtin != 0 && !builtins.isLibFunction(builtin) &&
         !builtins.isPredefinedLibFunction(builtin);
}

} // namespace dragnet::source
