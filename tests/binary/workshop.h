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

  /// Two builds of a program and what differs.
  Comparison compared(const std::string& old_name, const std::string& new_name) const {
    auto both = compare(path(old_name), path(new_name), "program");
    if (!both)
      throw std::runtime_error(both.error().what);
    check_invariant(both->old_table);
    check_same(both->old_table, table(old_name));
    check_same(both->new_table, table(new_name));
    return std::move(*both);
  }

  /// Read together, programs have the same functions as read alone.
  static void check_same(const FunctionTable& together, const FunctionTable& alone) {
    ASSERT_EQ(together.functions.size(), alone.functions.size());
    for (std::size_t i = 0; i < alone.functions.size(); ++i) {
      const Function& a = together.functions[i];
      const Function& b = alone.functions[i];
      EXPECT_EQ(a.name, b.name);
      EXPECT_EQ(a.instructions, b.instructions) << b.name;
      EXPECT_EQ(a.code_hash, b.code_hash) << b.name;
      EXPECT_EQ(a.data_hash, b.data_hash) << b.name;
    }
  }

  /// Functions lie one after the other.
  static void check_invariant(const FunctionTable& table) {
    std::uint64_t end = 0;
    for (const Function& function : table.functions) {
      EXPECT_GE(function.address, end) << function.name;
      end = function.address + function.size;
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
    for (const FunctionChange& change : compared(old_name, new_name).difference.changes)
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
