#include "report/stack_wording.h"

#include "model/check.h"
#include "model/profile.h"
#include "model/stacks.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace dragnet::report {
namespace {

StackFrame frame(const std::string& name, const std::string& binary, const std::string& file) {
  StackFrame made;
  made.function = {binary, name};
  if (!file.empty())
    made.place = SourcePlace{file, 7};
  return made;
}

const std::string libc = "/usr/lib/libc.so.6";
const std::string header = "/usr/include/c++/12/bits/allocator.h";

TEST(StackText, has_the_innermost_frames) {
  const std::vector<StackFrame> stack{frame("main", "app", "src/main.cpp"),
                                      frame("run", "app", "src/main.cpp"), frame("put", "app", ""),
                                      frame("write", libc, "")};
  EXPECT_EQ(stack_text(stack, 3), "main > run > put");
  EXPECT_EQ(stack_text(stack, 2), "... > run > put");
}

TEST(StackText, leaves_out_what_headers_of_the_system_put_into_the_build) {
  const std::vector<StackFrame> stack{frame("main", "app", "src/main.cpp"),
                                      frame("allocate", "app", header), frame("malloc", libc, "")};
  EXPECT_EQ(stack_text(stack, 3), "main");
}

TEST(StackText, falls_back_on_what_there_is) {
  const std::vector<StackFrame> headers{frame("allocate", "app", header),
                                        frame("malloc", libc, "")};
  EXPECT_EQ(stack_text(headers, 3), "allocate");
  const std::vector<StackFrame> system{frame("start", libc, ""), frame("malloc", libc, "")};
  EXPECT_EQ(stack_text(system, 3), "start > malloc");
}

} // namespace
} // namespace dragnet::report
