// Goes through the body of one function; structure.cpp has its statements, calls.cpp its calls,
// lifetimes.cpp how objects begin and end.
#pragma once

#include "model/source.h"
#include "source/condition.h"
#include "source/unit.h"

#include <clang/AST/Decl.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/Expr.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/Stmt.h>
#include <clang/AST/StmtCXX.h>
#include <clang/AST/Type.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace dragnet::source {

class Reader {
public:
  Reader(Unit& unit, const clang::FunctionDecl& function) : unit_(unit), declaration_(function) {}

  SourceFunction run();

private:
  SourceBlock block_at(BlockKind kind, const clang::Stmt& at) const;
  SourceBlock part_of(const clang::Stmt* statement, const clang::Stmt& branch);

  // Each adds what a statement does to a sequence.
  void read(const clang::Stmt* statement, SourceBlock& into);
  void read_children(const clang::Stmt& statement, SourceBlock& into);
  bool read_control(const clang::Stmt& statement, SourceBlock& into);
  static SourceBlock decided_by(Condition condition, SourceBlock branch);
  std::uint32_t decision(const clang::Expr* condition, const Condition& asked);
  void read_if(const clang::IfStmt& statement, SourceBlock& into);
  bool read_labelled(const clang::SwitchCase& first, SourceBlock& branch);
  void read_switch(const clang::SwitchStmt& statement, SourceBlock& into);
  void read_try(const clang::CXXTryStmt& statement, SourceBlock& into);
  void read_loop(const clang::Stmt& statement, SourceBlock& into);
  void read_element(const clang::CXXForRangeStmt& loop, SourceBlock& body);
  void read_variables(const clang::DeclStmt& statement, SourceBlock& into);
  void read_return(const clang::ReturnStmt& statement, SourceBlock& into);
  bool read_choice(const clang::Expr& expression, SourceBlock& into);
  void read_expression(const clang::Expr& expression, SourceBlock& into);
  bool costs(const clang::Expr& expression);
  void read_counting(const clang::Expr& expression);
  void read_initializers(SourceBlock& into);

  void read_call(const clang::CallExpr& call, SourceBlock& into);
  void read_construction(const clang::CXXConstructExpr& construction, SourceBlock& into);
  void read_library_call(const clang::CallExpr& call, const clang::FunctionDecl& callee,
                         SourceBlock& into);
  void add_library_call(const clang::CallExpr& call, const clang::FunctionDecl& callee,
                        SourceBlock& into);
  void call_given(const std::vector<const clang::Expr*>& arguments, SourceBlock& into);
  void read_container_call(const clang::Expr* object, const clang::CXXMethodDecl& method);
  void mark_growing(const clang::Expr* object);
  void read_lambda(const clang::LambdaExpr& lambda);
  void read_delete(const clang::CXXDeleteExpr& expression, SourceBlock& into);
  void read_end_of(clang::QualType type, const clang::Stmt& at, SourceBlock& into,
                   unsigned depth = 0);
  void read_end_of_parts(const clang::CXXRecordDecl& record, const clang::Stmt& at,
                         SourceBlock& into, unsigned depth);
  void add_call(const clang::Stmt& at, SourceCall call, SourceBlock& into);
  void pass_arguments(const clang::FunctionDecl& callee,
                      const std::vector<const clang::Expr*>& arguments);
  std::vector<std::optional<SourceArgument>>
  arguments_for(const clang::FunctionDecl& callee,
                const std::vector<const clang::Expr*>& arguments);
  static std::string target_through(const clang::CallExpr& call);

  std::size_t open_loop(const clang::Stmt& at, const std::vector<std::string>& walks);
  void fills(const std::optional<std::string>& collection);
  void empties(const std::optional<std::string>& collection);

  Unit& unit_;
  const clang::FunctionDecl& declaration_;
  SourceFunction function_;
  std::vector<std::size_t> loops_; // around the place, the innermost last
  std::set<std::uint64_t> computed_;
};

} // namespace dragnet::source
