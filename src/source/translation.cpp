#include "source/translation.h"

#include "source/names.h"
#include "source/structure.h"
#include "source/unit.h"

#include <clang/AST/ASTConsumer.h>
#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/Expr.h>
#include <clang/AST/RecursiveASTVisitor.h>
#include <clang/Basic/Diagnostic.h>
#include <clang/Basic/FileManager.h>
#include <clang/Basic/FileSystemOptions.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/FrontendAction.h>
#include <clang/Tooling/Tooling.h>
#include <llvm/ADT/IntrusiveRefCntPtr.h>
#include <llvm/ADT/SmallString.h>
#include <llvm/ADT/StringRef.h>
#include <llvm/Support/Casting.h>
#include <llvm/Support/VirtualFileSystem.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace dragnet::source {
namespace {

// Flags of other compilers that Clang refuses, by their beginning.
constexpr std::array<std::string_view, 24> refused{"-ftree-",
                                                   "-fno-tree-",
                                                   "-fipa-",
                                                   "-fno-ipa-",
                                                   "-fconserve-stack",
                                                   "-fmodules-ts",
                                                   "-fmodule-mapper",
                                                   "-fdeps-",
                                                   "-fanalyzer",
                                                   "-fno-var-tracking",
                                                   "-fvar-tracking",
                                                   "-mindirect-",
                                                   "-fno-canonical-",
                                                   "-fdump-",
                                                   "--param",
                                                   "-mfunction-return",
                                                   "-fallow-store-data-races",
                                                   "-fno-allow-store-data-races",
                                                   "-fprofile-",
                                                   "-fcoverage-",
                                                   "-Werror",
                                                   "-fuse-linker-plugin",
                                                   "-fno-fat-lto",
                                                   "-fgcse"};

bool is_refused(const std::string& word) {
  return std::ranges::any_of(refused,
                             [&](std::string_view begin) { return word.starts_with(begin); });
}

// Words that only steer what is written, with the word that follows them.
bool takes_next(const std::string& word) {
  return word == "-o" || word == "-MF" || word == "-MT" || word == "-MQ" || word == "--param";
}

// What may stand before the compiler.
bool is_launcher(const std::string& word) {
  constexpr std::array<std::string_view, 5> launchers{"ccache", "sccache", "distcc", "icecc",
                                                      "buildcache"};
  return std::ranges::find(launchers, std::filesystem::path(word).filename().string()) !=
         launchers.end();
}

std::vector<std::string> adapted(const CompileCommand& command) {
  std::vector<std::string> words;
  const auto& given = command.words;
  std::size_t first = 0;
  while (first + 1 < given.size() && is_launcher(given[first]))
    ++first;
  if (given.empty())
    return words;
  const bool is_c =
      given[first].find("++") == std::string::npos && command.file.extension() == ".c";
  words.emplace_back(is_c ? "clang" : "clang++");
  for (std::size_t i = first + 1; i < given.size(); ++i) {
    if (takes_next(given[i])) {
      ++i;
      continue;
    }
    if (given[i] != "-c" && given[i] != "-MD" && given[i] != "-MMD" && !is_refused(given[i]))
      words.push_back(given[i]);
  }
  for (const char* more :
       {"-fsyntax-only", "-w", "-ferror-limit=0", "-resource-dir", DRAGNET_CLANG_RESOURCES})
    words.emplace_back(more);
  return words;
}

class Visitor : public clang::RecursiveASTVisitor<Visitor> {
public:
  explicit Visitor(Unit& unit) : unit_(unit) {}

  // NOLINTBEGIN(readability-identifier-naming): the names are Clang's
  static bool shouldVisitTemplateInstantiations() { return true; }

  bool TraverseDecl(clang::Decl* declaration) {
    // Nothing of system headers is read, but for what they are instantiated with.
    if (declaration != nullptr && !llvm::isa<clang::TranslationUnitDecl>(declaration) &&
        declaration->getLocation().isValid() && !unit_.names().is_ours(*declaration))
      return true;
    return RecursiveASTVisitor::TraverseDecl(declaration);
  }

  // Bodies are read by the structure of their function; classes in them are left out.
  static bool TraverseStmt(clang::Stmt* /*statement*/, DataRecursionQueue* /*queue*/ = nullptr) {
    return true;
  }

  bool VisitVarDecl(clang::VarDecl* variable) {
    if (variable->hasGlobalStorage() && !variable->isStaticLocal() &&
        !variable->getType()->isDependentType())
      find_taken(variable->getInit());
    return true;
  }

  bool VisitFunctionDecl(clang::FunctionDecl* function) {
    if (const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(function))
      unit_.override_of(*method);
    if (function->doesThisDeclarationHaveABody() && !function->isDependentContext() &&
        function->getBody() != nullptr && !function->isTemplated())
      read_function(unit_, *function);
    return true;
  }
  // NOLINTEND(readability-identifier-naming)

private:
  // Functions whose address a table or a global pointer holds.
  void find_taken(const clang::Stmt* statement) {
    if (statement == nullptr)
      return;
    if (const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(statement))
      if (const auto* function = llvm::dyn_cast<clang::FunctionDecl>(reference->getDecl()))
        unit_.address_taken(*function);
    for (const clang::Stmt* child : statement->children())
      find_taken(child);
  }

  Unit& unit_;
};

// Counts the errors and keeps the first.
class Complaints : public clang::DiagnosticConsumer {
public:
  // NOLINTNEXTLINE(readability-identifier-naming): the name is Clang's
  void HandleDiagnostic(clang::DiagnosticsEngine::Level level,
                        const clang::Diagnostic& diagnostic) override {
    if (level < clang::DiagnosticsEngine::Error)
      return;
    ++errors_;
    if (!first_.empty())
      return;
    llvm::SmallString<128> text;
    diagnostic.FormatDiagnostic(text);
    first_ = text.str().str();
    if (diagnostic.hasSourceManager() && diagnostic.getLocation().isValid())
      first_ = "line " +
               std::to_string(
                   diagnostic.getSourceManager().getExpansionLineNumber(diagnostic.getLocation())) +
               ": " + first_;
  }

  std::size_t errors() const { return errors_; }
  const std::string& first() const { return first_; }

private:
  std::size_t errors_ = 0;
  std::string first_;
};

class Consumer : public clang::ASTConsumer {
public:
  Consumer(Translation& translation, std::filesystem::path root)
      : translation_(translation), root_(std::move(root)) {}

  // NOLINTNEXTLINE(readability-identifier-naming): the name is Clang's
  void HandleTranslationUnit(clang::ASTContext& context) override {
    Unit unit(context, root_);
    Visitor(unit).TraverseDecl(context.getTranslationUnitDecl());
    translation_.facts = unit.result();
    const auto& sources = context.getSourceManager();
    for (auto file = sources.fileinfo_begin(); file != sources.fileinfo_end(); ++file) {
      const llvm::StringRef real = file->first.getFileEntry().tryGetRealPathName();
      translation_.files.push_back(real.empty() ? file->first.getName().str() : real.str());
    }
    std::ranges::sort(translation_.files);
  }

private:
  Translation& translation_;
  std::filesystem::path root_;
};

class Action : public clang::ASTFrontendAction {
public:
  Action(Translation& translation, std::filesystem::path root)
      : translation_(translation), root_(std::move(root)) {}

  // NOLINTNEXTLINE(readability-identifier-naming): the name is Clang's
  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance& /*compiler*/,
                                                        llvm::StringRef /*file*/) override {
    return std::make_unique<Consumer>(translation_, root_);
  }

private:
  Translation& translation_;
  std::filesystem::path root_;
};

} // namespace

std::string name_below(const std::filesystem::path& root, const CompileCommand& command) {
  const auto path = (command.folder / command.file).lexically_normal();
  const auto below = path.lexically_relative(root);
  return below.empty() || below.native().starts_with("..") ? path.string() : below.string();
}

Translation translate(const CompileCommand& command, const std::filesystem::path& root) {
  Translation translation;
  const auto words = adapted(command);
  const llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> system(
      llvm::vfs::createPhysicalFileSystem().release());
  const std::error_code absent = system->setCurrentWorkingDirectory(command.folder.string());
  const llvm::IntrusiveRefCntPtr<clang::FileManager> files(
      new clang::FileManager(clang::FileSystemOptions(), system));
  clang::tooling::ToolInvocation invocation(words, std::make_unique<Action>(translation, root),
                                            files.get());
  Complaints complaints;
  invocation.setDiagnosticConsumer(&complaints);
  const bool fine = invocation.run();
  auto& warnings = translation.facts.facts.warnings;
  if (complaints.errors() > 0)
    warnings.push_back(name_below(root, command) + " does not parse as Clang reads it (" +
                       std::to_string(complaints.errors()) + " errors, the first " +
                       complaints.first() + "): what is behind them is unknown");
  else if (absent || !fine)
    warnings.push_back(name_below(root, command) +
                       " cannot be read by Clang: all in it is unknown");
  if (!warnings.empty())
    translation.facts.facts.unread.push_back(name_below(root, command));
  std::erase_if(translation.files, [](const std::string& file) { return !file.starts_with('/'); });
  return translation;
}

} // namespace dragnet::source
