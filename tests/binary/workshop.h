// Compiles small sources and reads their functions.
#pragma once

#include "base/files.h"
#include "base/process.h"
#include "binary/difference.h"
#include "binary/function_table.h"
#include "fakes/temporary_folder.h"
#include "model/function.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

namespace dragnet::binary {

class Workshop : public testing::Test {
protected:
  std::filesystem::path path(const std::string& name) const { return folder_.path() / name; }

  void run(const std::vector<std::string>& words) const {
    const auto ended = run_command(words, {.folder = folder_.path(), .environment = {}});
    if (!ended || ended->status != 0)
      throw std::runtime_error(words.front() + ": " + (ended ? ended->errors : ended.error().what));
  }

  void write(const std::string& name, const std::string& text) const {
    if (const auto written = write_file(path(name), text); !written)
      throw std::runtime_error(written.error().what);
  }

  /// A program (or, with -shared, a library) of this source.
  std::filesystem::path compiled(const std::string& name, const std::string& source,
                                 const std::vector<std::string>& flags = {"-O2"}) const {
    write(name + ".c", source);
    std::vector<std::string> words{"gcc", "-w", name + ".c", "-o", name};
    words.insert(words.end(), flags.begin(), flags.end());
    run(words);
    return path(name);
  }

  FunctionTable table(const std::string& name) const {
    auto read = read_functions(path(name), "program");
    if (!read)
      throw std::runtime_error(read.error().what);
    check_invariant(*read);
    return std::move(*read);
  }

  /// Functions lie one after the other, and each has as many tokens as instructions.
  static void check_invariant(const FunctionTable& table) {
    std::uint64_t end = 0;
    for (const Function& function : table.functions) {
      EXPECT_GE(function.address, end) << function.name;
      end = function.address + function.size;
      EXPECT_LE(function.first_token + function.instructions, table.tokens.size());
    }
  }

  const Function& function(const FunctionTable& table, const std::string& name) const {
    const auto found = std::ranges::find(table.functions, name, &Function::name);
    if (found == table.functions.end())
      throw std::runtime_error("no function " + name);
    return *found;
  }

  /// The kind of change and the name of all that differs between two programs.
  std::vector<std::string> changes(const std::string& old_name, const std::string& new_name) const {
    std::vector<std::string> names;
    for (const FunctionChange& change : difference(table(old_name), table(new_name)).changes)
      names.push_back(word(change.kind) + " " + change.name);
    return names;
  }

  static std::string word(ChangeKind kind) {
    switch (kind) {
    case ChangeKind::Deleted:
      return "deleted";
    case ChangeKind::New:
      return "new";
    case ChangeKind::Changed:
      return "changed";
    case ChangeKind::Renamed:
      return "renamed";
    }
    return "";
  }

  fakes::TemporaryFolder folder_;
};

} // namespace dragnet::binary
