#include "source/saying.h"

#include "base/hash.h"
#include "source/names.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/PrettyPrinter.h>
#include <clang/AST/Stmt.h>
#include <clang/AST/Type.h>
#include <clang/Basic/SourceLocation.h>
#include <clang/Basic/SourceManager.h>
#include <llvm/ADT/StringRef.h>
#include <llvm/Support/Casting.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace dragnet::source {
namespace {

using llvm::dyn_cast;

constexpr std::uint64_t nothing = 0x9e3779b97f4a7c15U;
constexpr std::uint64_t end_of_children = 0xbf58476d1ce4e5b9U;

// The only statement that another consists of.
const clang::Stmt* wrapped_in(const clang::ASTContext& context, const clang::Stmt& statement) {
  if (const clang::Stmt* body = body_run_once(context, statement))
    return body;
  const clang::Stmt* only = nullptr;
  if (const auto* block = dyn_cast<clang::CompoundStmt>(&statement))
    for (const clang::Stmt* inside : block->body())
      if (!llvm::isa<clang::NullStmt>(inside)) {
        if (only != nullptr)
          return nullptr;
        only = inside;
      }
  return only;
}

class Saying {
public:
  explicit Saying(const clang::ASTContext& context) : context_(context) {}

  void add(const clang::Stmt* statement) {
    if (statement == nullptr) {
      mix(nothing);
      return;
    }
    if (const clang::Stmt* inside = wrapped_in(context_, *statement)) {
      add(inside);
      return;
    }
    mix(static_cast<std::uint64_t>(statement->getStmtClass()));
    if (const auto* declared = dyn_cast<clang::DeclStmt>(statement))
      add_variables(*declared);
    if (const auto* expression = dyn_cast<clang::Expr>(statement)) {
      add_literal(*expression);
      add_name(*expression);
      add_operator(*expression);
      add_type(*expression);
      add_zeros(*expression);
      add_standard(*expression);
    }
    for (const clang::Stmt* child : statement->children())
      if (child == nullptr || !llvm::isa<clang::NullStmt>(child))
        add(child);
    mix(end_of_children);
  }

  std::uint64_t value() const { return value_; }

private:
  void mix(std::uint64_t more) { value_ = combined(value_, more); }
  void mix(std::string_view text) { mix(seed_of(text)); }

  // Their values come as children.
  void add_variables(const clang::DeclStmt& statement) {
    for (const clang::Decl* declared : statement.decls())
      if (const auto* variable = dyn_cast<clang::VarDecl>(declared)) {
        mix(variable->getNameAsString());
        mix(said(variable->getType()));
        if (variable->isStaticLocal())
          mix(std::string_view("static"));
      }
  }

  // Types without a name, such as those of lambdas, without where they stand.
  std::string said(clang::QualType type) const {
    clang::PrintingPolicy policy = context_.getPrintingPolicy();
    policy.AnonymousTagLocations = false;
    return type.getAsString(policy);
  }

  bool is_made_up(clang::SourceLocation place) const {
    const auto& sources = context_.getSourceManager();
    return place.isMacroID() && sources.isWrittenInScratchSpace(sources.getSpellingLoc(place));
  }

  void add_literal(const clang::Expr& expression) {
    if (is_made_up(expression.getBeginLoc()))
      return;
    if (const auto* number = dyn_cast<clang::IntegerLiteral>(&expression))
      mix(number->getValue().getLimitedValue());
    else if (const auto* letter = dyn_cast<clang::CharacterLiteral>(&expression))
      mix(letter->getValue());
    else if (const auto* truth = dyn_cast<clang::CXXBoolLiteralExpr>(&expression))
      mix(truth->getValue() ? 1 : 2);
    else if (const auto* fraction = dyn_cast<clang::FloatingLiteral>(&expression))
      mix(std::to_string(fraction->getValueAsApproximateDouble()));
    else if (const auto* text = dyn_cast<clang::StringLiteral>(&expression))
      mix(std::string_view(text->getBytes().data(), text->getBytes().size()));
  }

  void add_name(const clang::Expr& expression) {
    if (const auto* reference = dyn_cast<clang::DeclRefExpr>(&expression)) {
      mix(plain_name(*reference->getDecl()));
      add_constant(*reference->getDecl());
    } else if (const auto* member = dyn_cast<clang::MemberExpr>(&expression))
      mix(plain_name(*member->getMemberDecl()));
    else if (const auto* made = dyn_cast<clang::CXXConstructExpr>(&expression))
      mix(plain_name(*made->getConstructor()));
  }

  // A constant has its value wherever its name stands, and a table its size.
  void add_constant(const clang::ValueDecl& named) {
    if (const auto* one = dyn_cast<clang::EnumConstantDecl>(&named))
      add_nameless(*one);
    const auto* variable = dyn_cast<clang::VarDecl>(&named);
    if (variable == nullptr || variable->isLocalVarDeclOrParm())
      return;
    if (variable->getType()->isConstantArrayType())
      mix(said(variable->getType()));
    const clang::Expr* value = variable->getAnyInitializer();
    clang::Expr::EvalResult result;
    if (value != nullptr && !value->isValueDependent() &&
        variable->getType()->isIntegralOrEnumerationType() &&
        variable->getType().isConstQualified() && value->EvaluateAsInt(result, context_))
      mix(result.Val.getInt().getLimitedValue());
  }

  // Enumerations without any name are constants with one. In others a new one moves on those behind
  // it, which is no other work.
  void add_nameless(const clang::EnumConstantDecl& one) {
    const auto* all = dyn_cast<clang::EnumDecl>(one.getDeclContext());
    if (all != nullptr && !all->hasNameForLinkage())
      mix(one.getInitVal().getLimitedValue());
  }

  // What is left out in a call or a list is said elsewhere.
  void add_standard(const clang::Expr& expression) {
    if (const auto* argument = dyn_cast<clang::CXXDefaultArgExpr>(&expression))
      add(argument->getExpr());
    else if (const auto* field = dyn_cast<clang::CXXDefaultInitExpr>(&expression))
      add(field->getExpr());
  }

  void add_operator(const clang::Expr& expression) {
    if (const auto* binary = dyn_cast<clang::BinaryOperator>(&expression))
      mix(static_cast<std::uint64_t>(binary->getOpcode()));
    else if (const auto* unary = dyn_cast<clang::UnaryOperator>(&expression))
      mix(static_cast<std::uint64_t>(unary->getOpcode()));
  }

  void add_type(const clang::Expr& expression) {
    if (llvm::isa<clang::ExplicitCastExpr, clang::CXXNewExpr, clang::CXXConstructExpr>(expression))
      mix(said(expression.getType()));
    else if (const auto* trait = dyn_cast<clang::UnaryExprOrTypeTraitExpr>(&expression))
      mix(said(trait->getTypeOfArgument()));
  }

  // `new Block()` writes zeros where `new Block` writes nothing.
  void add_zeros(const clang::Expr& expression) {
    const auto* made = dyn_cast<clang::CXXConstructExpr>(&expression);
    if (made != nullptr && made->requiresZeroInitialization())
      mix(std::string_view("zeros"));
  }

  const clang::ASTContext& context_;
  std::uint64_t value_ = 0;
};

} // namespace

std::uint64_t combined(std::uint64_t first, std::uint64_t second) {
  std::uint64_t value = (first ^ second) * 0xff51afd7ed558ccdU;
  value ^= value >> 33;
  return (value + first) * 0xc4ceb9fe1a85ec53U;
}

const clang::Stmt* body_run_once(const clang::ASTContext& context, const clang::Stmt& statement) {
  const auto* repeated = dyn_cast<clang::DoStmt>(&statement);
  bool again = true;
  const bool is_once = repeated != nullptr && !repeated->getCond()->isValueDependent() &&
                       repeated->getCond()->EvaluateAsBooleanCondition(again, context) && !again;
  return is_once ? repeated->getBody() : nullptr;
}

std::uint64_t said_in(const clang::ASTContext& context, const clang::Stmt* statement) {
  if (statement == nullptr)
    return 0;
  Saying saying(context);
  saying.add(statement);
  return saying.value();
}

} // namespace dragnet::source
