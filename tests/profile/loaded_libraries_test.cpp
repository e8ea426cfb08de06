// What is loaded into every measured program must not drag other libraries in, nor find another
// function than its own where a program defines one of the same name.
#include "base/process.h"
#include "base/text.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

namespace dragnet {
namespace {

std::set<std::string> imports(const std::string& library) {
  const auto path = helper_program(library);
  EXPECT_TRUE(path) << path.error().what;
  const auto listed = run_command({"nm", "-D", "--undefined-only", path->string()});
  EXPECT_TRUE(listed && listed->status == 0);
  std::set<std::string> names;
  for (const auto& line : lines(listed->output)) {
    const auto words = split(trim(line), ' ');
    // Others are weak: nobody needs to have them.
    if (words.size() == 2 && words[0] == "U")
      names.insert(words[1].substr(0, words[1].find('@')));
  }
  return names;
}

TEST(LoadedLibraries, import_nothing_but_what_they_must) {
  EXPECT_EQ(imports("dragnet-stacks.so"), std::set<std::string>{"dlsym"});
  EXPECT_EQ(imports("dragnet-allocations.so"), std::set<std::string>{"dlsym"});
}

} // namespace
} // namespace dragnet
