// The small programs of tests/programs, compiled where a test needs them.
#pragma once

#include "base/process.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

namespace dragnet::fakes {

/// Compiles tests/programs/<name>.c into a folder; returns the program.
inline std::filesystem::path compiled_program(const std::string& name,
                                              const std::filesystem::path& into) {
  const auto source =
      std::filesystem::path(DRAGNET_SOURCE_FOLDER) / "tests/programs" / (name + ".c");
  const auto made = run_command({"cc", "-O1", "-o", (into / name).string(), source.string()});
  EXPECT_TRUE(made && made->status == 0) << (made ? made->errors : made.error().what);
  return into / name;
}

} // namespace dragnet::fakes
