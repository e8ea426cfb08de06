#include "source/structure.h"

#include "model/source.h"
#include "source/collections.h"
#include "source/condition.h"
#include "source/names.h"
#include "source/reader.h"
#include "source/saying.h"
#include "source/unit.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/Expr.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/Stmt.h>
#include <clang/AST/StmtCXX.h>
#include <clang/Basic/SourceManager.h>
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

bool is_loop(const clang::Stmt& statement) {
  return isa<clang::ForStmt, clang::WhileStmt, clang::DoStmt, clang::CXXForRangeStmt>(statement);
}

// What the head of a loop says.
std::uint64_t head_of(const clang::ASTContext& context, const clang::Stmt& loop) {
  if (const auto* counted = dyn_cast<clang::ForStmt>(&loop))
    return combined(
        combined(said_in(context, counted->getInit()), said_in(context, counted->getCond())),
        said_in(context, counted->getInc()));
  if (const auto* range = dyn_cast<clang::CXXForRangeStmt>(&loop))
    return said_in(context, range->getRangeInit());
  if (const auto* whiles = dyn_cast<clang::WhileStmt>(&loop))
    return said_in(context, whiles->getCond());
  return said_in(context, llvm::cast<clang::DoStmt>(loop).getCond());
}

// The initializers of a constructor belong to its body.
std::uint64_t hash_of(const clang::ASTContext& context, const clang::FunctionDecl& function) {
  std::uint64_t hash = said_in(context, function.getBody());
  if (const auto* constructor = dyn_cast<clang::CXXConstructorDecl>(&function))
    for (const clang::CXXCtorInitializer* initializer : constructor->inits())
      hash = combined(hash, said_in(context, initializer->getInit()));
  return hash;
}

void forget_places(SourceBlock& block) {
  block.line = block.column = 0;
  for (SourceBlock& part : block.parts)
    forget_places(part);
}

} // namespace

SourceFunction Reader::run() {
  const auto& sources = unit_.context().getSourceManager();
  function_.name = unit_.names().function(declaration_);
  function_.file = unit_.names().file(declaration_.getLocation());
  function_.line = sources.getExpansionLineNumber(declaration_.getLocation());
  function_.body_hash = hash_of(unit_.context(), declaration_);
  SourceBlock body = block_at(BlockKind::Sequence, *declaration_.getBody());
  read_initializers(body);
  read(declaration_.getBody(), body);
  if (const auto* destructor = dyn_cast<clang::CXXDestructorDecl>(&declaration_))
    read_end_of_parts(*destructor->getParent(), *declaration_.getBody(), body, 0);
  function_.body = std::move(body);
  return std::move(function_);
}

SourceBlock Reader::block_at(BlockKind kind, const clang::Stmt& at) const {
  const auto& sources = unit_.context().getSourceManager();
  const auto place = sources.getExpansionLoc(at.getBeginLoc());
  return {.kind = kind,
          .line = sources.getSpellingLineNumber(place),
          .column = sources.getSpellingColumnNumber(place)};
}

// A part of a branch; one that is not written has no place, and neither has one that comes from the
// same macro as its branch: counters see only the macro.
SourceBlock Reader::part_of(const clang::Stmt* statement, const clang::Stmt& branch) {
  const auto& sources = unit_.context().getSourceManager();
  SourceBlock part = block_at(BlockKind::Sequence, statement == nullptr ? branch : *statement);
  read(statement, part);
  if (statement == nullptr)
    part.line = part.column = 0;
  else if (statement->getBeginLoc().isMacroID() &&
           sources.getExpansionLoc(branch.getBeginLoc()) ==
               sources.getExpansionLoc(statement->getBeginLoc()))
    forget_places(part);
  return part;
}

void Reader::read(const clang::Stmt* statement, SourceBlock& into) {
  if (statement == nullptr || read_control(*statement, into))
    return;
  if (const auto* declared = dyn_cast<clang::DeclStmt>(statement))
    read_variables(*declared, into);
  else if (const auto* expression = dyn_cast<clang::Expr>(statement))
    read_expression(*expression, into);
  else
    read_children(*statement, into);
}

void Reader::read_children(const clang::Stmt& statement, SourceBlock& into) {
  for (const clang::Stmt* child : statement.children())
    read(child, into);
}

bool Reader::read_control(const clang::Stmt& statement, SourceBlock& into) {
  if (is_loop(statement))
    read_loop(statement, into);
  else if (const auto* choice = dyn_cast<clang::IfStmt>(&statement))
    read_if(*choice, into);
  else if (const auto* cases = dyn_cast<clang::SwitchStmt>(&statement))
    read_switch(*cases, into);
  else if (const auto* guarded = dyn_cast<clang::CXXTryStmt>(&statement))
    read_try(*guarded, into);
  else if (const auto* end = dyn_cast<clang::ReturnStmt>(&statement))
    read_return(*end, into);
  else if (const auto* expression = dyn_cast<clang::Expr>(&statement))
    return read_choice(*expression, into);
  else
    return false;
  return true;
}

void Reader::read_if(const clang::IfStmt& statement, SourceBlock& into) {
  read(statement.getInit(), into);
  read(statement.getConditionVariableDeclStmt(), into);
  if (statement.isConstexpr()) {
    if (const auto taken = statement.getNondiscardedCase(unit_.context())) {
      read(*taken, into);
      return;
    }
  }
  read(statement.getCond(), into);
  SourceBlock branch = block_at(BlockKind::Branch, statement);
  branch.parts.push_back(part_of(statement.getThen(), statement));
  branch.parts.push_back(part_of(statement.getElse(), statement));
  const Condition asked = condition_of(unit_.context(), statement.getCond());
  branch.subject = decision(statement.getCond(), asked);
  into.parts.push_back(decided_by(asked, std::move(branch)));
}

// The first part is taken where what is asked is so, whichever way it is written.
SourceBlock Reader::decided_by(Condition condition, SourceBlock branch) {
  branch.identity = condition.question;
  branch.weight = 1;
  if (condition.turned)
    std::ranges::reverse(branch.parts);
  return branch;
}

// The number of the decision that a condition is, and one more; 0 where it is none.
std::uint32_t Reader::decision(const clang::Expr* condition, const Condition& asked) {
  auto made = unit_.collections().decision_of(condition, declaration_);
  if (!made)
    return 0;
  if (asked.turned)
    made->comparison = opposite(made->comparison);
  function_.decisions.push_back(*made);
  return static_cast<std::uint32_t>(function_.decisions.size());
}

// The part that labels stand in front of, with its place behind the last of them: there it counts
// how often any of them was jumped to. Whether one of them is the default.
bool Reader::read_labelled(const clang::SwitchCase& first, SourceBlock& branch) {
  bool has_default = false;
  const clang::Stmt* labelled = &first;
  while (const auto* label = dyn_cast<clang::SwitchCase>(labelled)) {
    has_default = has_default || isa<clang::DefaultStmt>(label);
    labelled = label->getSubStmt();
  }
  branch.parts.push_back(block_at(BlockKind::Sequence, *labelled));
  read(labelled, branch.parts.back());
  return has_default;
}

// Each label begins a part; falling through is not followed.
void Reader::read_switch(const clang::SwitchStmt& statement, SourceBlock& into) {
  read(statement.getInit(), into);
  read(statement.getConditionVariableDeclStmt(), into);
  read(statement.getCond(), into);
  SourceBlock branch = block_at(BlockKind::Branch, statement);
  branch.identity = said_in(unit_.context(), statement.getCond());
  branch.weight = 1;
  bool has_default = false;
  for (const clang::Stmt* child : statement.getBody()->children()) {
    if (const auto* label = llvm::dyn_cast_or_null<clang::SwitchCase>(child))
      has_default = read_labelled(*label, branch) || has_default;
    else if (!branch.parts.empty())
      read(child, branch.parts.back());
  }
  if (!has_default)
    branch.parts.push_back(part_of(nullptr, statement));
  into.parts.push_back(std::move(branch));
}

// Handlers are a branch that is usually not taken.
void Reader::read_try(const clang::CXXTryStmt& statement, SourceBlock& into) {
  read(statement.getTryBlock(), into);
  SourceBlock branch = block_at(BlockKind::Branch, statement);
  branch.identity = 1;
  for (unsigned i = 0; i < statement.getNumHandlers(); ++i)
    branch.parts.push_back(part_of(statement.getHandler(i)->getHandlerBlock(), statement));
  branch.parts.push_back(part_of(nullptr, statement));
  into.parts.push_back(std::move(branch));
}

std::size_t Reader::open_loop(const clang::Stmt& at, const std::vector<std::string>& walks) {
  const std::size_t number = function_.loops.size();
  SourceLoop& loop = function_.loops.emplace_back();
  for (const std::string& collection : walks)
    loop.walks.push_back(unit_.number_of(collection));
  loop.rate = unit_.collections().rate_of(at);
  loop.partial = Collections::is_partial(at);
  if (const auto* counted = dyn_cast<clang::ForStmt>(&at))
    loop.times = unit_.collections().constant_times(*counted);
  loops_.push_back(number);
  return number;
}

void Reader::read_loop(const clang::Stmt& statement, SourceBlock& into) {
  if (const clang::Stmt* body = body_run_once(unit_.context(), statement)) {
    read(body, into);
    return;
  }
  const auto* counted = dyn_cast<clang::ForStmt>(&statement);
  const auto* range = dyn_cast<clang::CXXForRangeStmt>(&statement);
  const auto* whiles = dyn_cast<clang::WhileStmt>(&statement);
  const auto* repeated = dyn_cast<clang::DoStmt>(&statement);
  if (counted != nullptr)
    read(counted->getInit(), into);
  if (range != nullptr) {
    read(range->getInit(), into);
    read(range->getRangeInit(), into);
  }
  SourceBlock loop = block_at(BlockKind::Loop, statement);
  loop.identity = head_of(unit_.context(), statement);
  const clang::Stmt* inside = counted != nullptr  ? counted->getBody()
                              : range != nullptr  ? range->getBody()
                              : whiles != nullptr ? whiles->getBody()
                                                  : repeated->getBody();
  SourceBlock body = block_at(BlockKind::Sequence, *inside);
  loop.subject =
      static_cast<std::uint32_t>(open_loop(statement, unit_.collections().walked(statement)));
  if (range != nullptr && range->getLoopVariable() != nullptr) {
    if (const auto whole = unit_.collections().of(range->getRangeInit()))
      unit_.alias(unit_.names().variable(*range->getLoopVariable()), *whole + "[]");
  }
  if (range != nullptr)
    read_element(*range, body);
  read(inside, body);
  if (counted != nullptr) {
    read(counted->getConditionVariableDeclStmt(), body);
    read(counted->getCond(), body);
    read(counted->getInc(), body);
  } else if (whiles != nullptr) {
    read(whiles->getConditionVariableDeclStmt(), body);
    read(whiles->getCond(), body);
  } else if (repeated != nullptr)
    read(repeated->getCond(), body);
  body.weight += 1;
  loops_.pop_back();
  loop.parts.push_back(std::move(body));
  into.parts.push_back(std::move(loop));
}

// An element that is no reference is copied in each round, and ends with it.
void Reader::read_element(const clang::CXXForRangeStmt& loop, SourceBlock& body) {
  const clang::VarDecl* element = loop.getLoopVariable();
  if (element == nullptr || element->getInit() == nullptr || !element->getType()->isRecordType())
    return;
  read(element->getInit(), body);
  read_end_of(element->getType(), *loop.getLoopVarStmt(), body);
}

void Reader::read_variables(const clang::DeclStmt& statement, SourceBlock& into) {
  for (const clang::Decl* declared : statement.decls()) {
    const auto* variable = dyn_cast<clang::VarDecl>(declared);
    if (variable == nullptr || variable->getInit() == nullptr)
      continue;
    // What is static is made once; only what its value refers to is looked at.
    SourceBlock once;
    read(variable->getInit(), variable->isStaticLocal() ? once : into);
    for (const clang::Expr* one : choices_of(variable->getInit()))
      unit_.alias(unit_.names().variable(*variable), unit_.handed_over(one, variable->getType()));
    if (variable->hasLocalStorage())
      read_end_of(variable->getType(), statement, into);
  }
}

void Reader::read_return(const clang::ReturnStmt& statement, SourceBlock& into) {
  if (const clang::Expr* value = statement.getRetValue()) {
    read(value, into);
    unit_.alias("result " + function_.name, unit_.handed_over(value, declaration_.getReturnType()));
  }
  into.parts.push_back(block_at(BlockKind::Exit, statement));
}

void Reader::read_initializers(SourceBlock& into) {
  const auto* constructor = dyn_cast<clang::CXXConstructorDecl>(&declaration_);
  if (constructor == nullptr)
    return;
  for (const clang::CXXCtorInitializer* initializer : constructor->inits()) {
    read(initializer->getInit(), into);
    if (const clang::FieldDecl* field = initializer->getAnyMember())
      unit_.alias(field_name(*field), unit_.handed_over(initializer->getInit(), field->getType()));
  }
}

void Reader::fills(const std::optional<std::string>& collection) {
  if (collection)
    (loops_.empty() ? function_.fills : function_.loops[loops_.back()].fills)
        .push_back(unit_.number_of(*collection));
}

void Reader::empties(const std::optional<std::string>& collection) {
  if (collection)
    (loops_.empty() ? function_.empties : function_.loops[loops_.back()].empties)
        .push_back(unit_.number_of(*collection));
}

void read_function(Unit& unit, const clang::FunctionDecl& function) {
  if (unit.is_new(function))
    unit.add(Reader(unit, function).run());
}

} // namespace dragnet::source
