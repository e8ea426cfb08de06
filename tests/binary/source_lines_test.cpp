#include "binary/source_lines.h"

#include "binary/workshop.h"
#include "model/function.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <string>

namespace dragnet::binary {
namespace {

class SourceLines : public Workshop {
protected:
  // The line of a function, or 0 where none is known.
  std::size_t line_of(const std::string& name) const {
    const auto known = table("program");
    const auto function = std::ranges::find(known.functions, name, &Function::name);
    if (function == known.functions.end())
      return 0;
    const auto places = source_lines(path("program"), {function->address});
    const auto place = places.find(function->address);
    return place == places.end() ? 0 : place->second.line;
  }
};

// What runs when an exception passes is moved away from the rest: such a function has no single
// range of addresses.
TEST_F(SourceLines, are_known_of_functions_in_parts) {
  compiled("program", R"(void (*volatile work)(int*);
void done(int* held) { work(held); }
int rare(int x) __attribute__((noinline));
int rare(int x) {
  int held __attribute__((cleanup(done))) = x;
  work(&held);
  return held * 3;
}
int main(int count, char** words) { return count > 99 ? rare(count) : 0; }
)",
           {"-O2", "-g", "-fexceptions"});
  const auto known = table("program");
  ASSERT_TRUE(std::ranges::any_of(
      known.functions, [](const Function& function) { return function.name == "rare.cold"; }));
  EXPECT_EQ(line_of("rare"), 4U);
  EXPECT_EQ(line_of("main"), 9U);
}

} // namespace
} // namespace dragnet::binary
