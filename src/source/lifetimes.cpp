// How objects begin and end: constructors that are called, and destructors that nobody writes a
// call of.

#include "base/hash.h"
#include "facts/unit_facts.h"
#include "model/profile.h"
#include "model/source.h"
#include "source/reader.h"
#include "source/saying.h"
#include "source/smallness.h"
#include "source/unit.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/Expr.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/Stmt.h>
#include <clang/AST/Type.h>
#include <llvm/Support/Casting.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace dragnet::source {
namespace {

// Members of members beyond this are left out.
constexpr unsigned deepest = 4;

// Whether a constructor of the library makes more than an empty object of what it is given.
bool is_costly(const clang::CXXConstructExpr& construction) {
  const clang::CXXConstructorDecl* constructor = construction.getConstructor();
  return construction.getNumArgs() > 0 &&
         !llvm::isa<clang::CXXDefaultArgExpr>(construction.getArg(0)) &&
         !constructor->isMoveConstructor() && !construction.isElidable() &&
         !does_little(*constructor);
}

const clang::CXXRecordDecl* record_of(clang::QualType type) {
  const clang::CXXRecordDecl* record = type.getCanonicalType()->getAsCXXRecordDecl();
  return record == nullptr ? nullptr : record->getDefinition();
}

// What a thread is given it calls: its cost belongs to where it is started.
bool starts_thread(const clang::CXXConstructorDecl& constructor) {
  const std::string name = constructor.getParent()->getQualifiedNameAsString();
  return name == "std::thread" || name == "std::jthread";
}

} // namespace

void Reader::read_construction(const clang::CXXConstructExpr& construction, SourceBlock& into) {
  const clang::CXXConstructorDecl* constructor = construction.getConstructor();
  if (constructor->isTrivial())
    return;
  const std::vector<const clang::Expr*> arguments(construction.arg_begin(), construction.arg_end());
  if (!unit_.names().is_ours(*constructor)) {
    if (is_costly(construction))
      add_call(construction, {.targets = {unit_.names().function(*constructor)}}, into);
    if (starts_thread(*constructor))
      call_given(arguments, into);
    return;
  }
  pass_arguments(*constructor, arguments);
  add_call(construction,
           {.targets = {unit_.names().function(*constructor)},
            .arguments = arguments_for(*constructor, arguments)},
           into);
}

// A variable or a temporary ends: its destructor, if someone wrote it, or those of its parts. Those
// of the library are part of what making one costs.
void Reader::read_end_of(clang::QualType type, const clang::Stmt& at, SourceBlock& into,
                         unsigned depth) {
  const clang::CXXRecordDecl* record = record_of(type);
  if (record == nullptr || depth > deepest || record->hasTrivialDestructor() ||
      record->isDependentContext() || !unit_.names().is_ours(*record))
    return;
  const clang::CXXDestructorDecl* destructor = record->getDestructor();
  if (destructor != nullptr && destructor->isUserProvided())
    add_call(at, {.targets = {unit_.names().function(*destructor)}}, into);
  else
    read_end_of_parts(*record, at, into, depth);
}

void Reader::read_end_of_parts(const clang::CXXRecordDecl& record, const clang::Stmt& at,
                               SourceBlock& into, unsigned depth) {
  for (const clang::FieldDecl* field : record.fields())
    read_end_of(field->getType(), at, into, depth + 1);
  for (const clang::CXXBaseSpecifier& base : record.bases())
    read_end_of(base.getType(), at, into, depth + 1);
}

void Reader::read_delete(const clang::CXXDeleteExpr& expression, SourceBlock& into) {
  add_call(expression, {.targets = {"operator delete"}}, into);
  const clang::CXXRecordDecl* record = record_of(expression.getDestroyedType());
  if (record == nullptr)
    return;
  const clang::CXXDestructorDecl* destructor = record->getDestructor();
  if (destructor != nullptr && destructor->isVirtual() && unit_.names().is_ours(*record))
    add_call(expression,
             {.kind = CallKind::Indirect,
              .targets = {facts::virtual_prefix + unit_.names().function(*destructor)}},
             into);
  else
    read_end_of(expression.getDestroyedType(), expression, into);
}

void Reader::add_call(const clang::Stmt& at, SourceCall call, SourceBlock& into) {
  SourceBlock block = block_at(BlockKind::Call, at);
  block.subject = static_cast<std::uint32_t>(function_.calls.size());
  const auto* written = llvm::dyn_cast<clang::CallExpr>(&at);
  block.identity = written != nullptr
                       ? said_in(unit_.context(), written->getCallee())
                       : seed_of(call.targets.empty() ? std::string() : call.targets.front());
  function_.calls.push_back(std::move(call));
  into.parts.push_back(std::move(block));
}

} // namespace dragnet::source
