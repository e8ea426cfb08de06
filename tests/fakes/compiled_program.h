// The small programs of tests/programs, compiled where a test needs them.
#pragma once

#include "base/process.h"
#include "fakes/source_folder.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

namespace dragnet::fakes {

/// Compiles tests/programs/<name>.c into a folder; returns the program.
inline std::filesystem::path compiled_program(const std::string& name,
                                              const std::filesystem::path& into) {
  const auto source = source_folder() / "tests/programs" / (name + ".c");
  const auto made = run_command({"cc", "-O1", "-o", (into / name).string(), source.string()});
  EXPECT_TRUE(made && made->status == 0) << (made ? made->errors : made.error().what);
  return into / name;
}

/// Compiles a source of tests/programs by its file name, with these options of the compiler.
inline std::filesystem::path compiled(const std::string& source, const std::filesystem::path& into,
                                      const std::vector<std::string>& options) {
  const auto path = source_folder() / "tests/programs" / source;
  const auto program = into / path.stem();
  std::vector<std::string> words{path.extension() == ".cpp" ? "c++" : "cc", "-o", program.string(),
                                 path.string()};
  words.insert(words.end(), options.begin(), options.end());
  const auto made = run_command(words);
  EXPECT_TRUE(made && made->status == 0) << (made ? made->errors : made.error().what);
  return program;
}

} // namespace dragnet::fakes
