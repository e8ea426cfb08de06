// Which collection an expression means, and whose size it tells.
#pragma once

#include "model/source.h"
#include "source/names.h"

#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/Stmt.h>

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace dragnet::source {

class Collections {
public:
  explicit Collections(clang::ASTContext& context, Names& names)
      : context_(context), names_(names) {}

  /// The collection that an expression is, refers to, points to or iterates over.
  std::optional<std::string> of(const clang::Expr* expression);

  /// The collection whose size a value is, but for a constant, more or less or times.
  std::optional<std::string> sized_by(const clang::Expr* expression, unsigned depth = 0);

  /// The collections that the count of a loop depends on; `moved` are the variables that the loop
  /// itself counts with.
  std::vector<std::string> walked(const clang::Stmt& loop);

  /// How often a loop repeats for each element of what it walks: less than once where it takes
  /// several at a time, or goes through a part of them.
  double rate_of(const clang::Stmt& loop) const;

  /// Whether a loop says nothing about sizes: its body moves on what its head counts with, or
  /// another condition may end it.
  static bool is_partial(const clang::Stmt& loop);

  /// Whether a loop goes on from what is asked for the size of something to a bound that is not
  /// constant: what is missing is mostly little, and no size tells it.
  bool is_rest(const clang::ForStmt& loop);

  /// How often a loop with constant bounds repeats; 0 where that is not known.
  std::uint64_t constant_times(const clang::ForStmt& loop) const;

  /// The constant that a value is a multiple of something by; 1 where it is none.
  double factor_of(const clang::Expr* value, unsigned depth = 0) const;

  /// What a condition compares, where that is a parameter of a function with a constant; the
  /// function does not set the parameter itself.
  std::optional<SourceDecision> decision_of(const clang::Expr* condition,
                                            const clang::FunctionDecl& function);

  /// The constant that is added to something in a value; 0 where there is none.
  double added_in(const clang::Expr* value) const;

  /// The number that a value is, where that is a constant.
  std::optional<double> constant_of(const clang::Expr* value) const;

private:
  /// What a value is a constant multiple or a constant part of; null where it is neither.
  const clang::Expr* part_of(const clang::Expr* value) const;
  double constant_step(const clang::Expr* moved, const clang::ValueDecl& variable) const;
  double step_of(const clang::Stmt* statement,
                 const std::set<const clang::ValueDecl*>& counted) const;
  using Moved = std::set<const clang::ValueDecl*>;

  bool is_moved(const clang::ValueDecl& variable, const clang::FunctionDecl& function);
  std::optional<std::uint32_t> parameter_in(const clang::Expr* expression,
                                            const clang::FunctionDecl& function);
  std::optional<std::string> of_call(const clang::CallExpr& call);
  std::optional<std::string> of_operator(const clang::CXXOperatorCallExpr& call);
  std::optional<std::string> of_member_call(const clang::CXXMemberCallExpr& call);
  void walked_in_condition(const clang::Expr* condition, const clang::Stmt& loop,
                           const Moved& moved, std::vector<std::string>& found);
  void walked_by_side(const clang::Expr* side, const clang::Stmt& loop, const Moved& moved,
                      std::vector<std::string>& found);

  clang::ASTContext& context_;
  Names& names_;
  const clang::FunctionDecl* moved_in_ = nullptr; // the function whose moved variables are known
  Moved moved_;
};

/// What a method of a container of the library does to it.
bool adds(const clang::CXXMethodDecl& method);
bool removes(const clang::CXXMethodDecl& method);

/// Methods of the library that cost next to nothing.
bool is_cheap(const clang::FunctionDecl& function);

/// The expressions that one chooses its value from: of std::min, std::max and ?: both, else itself.
std::vector<const clang::Expr*> choices_of(const clang::Expr* expression);

/// An expression without parentheses, casts, temporaries and copies that are not written.
const clang::Expr* bare(const clang::Expr* expression);

} // namespace dragnet::source
