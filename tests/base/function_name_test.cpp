#include "base/function_name.h"

#include <gtest/gtest.h>

namespace dragnet {
namespace {

TEST(FunctionNames, are_shown_as_in_the_source) {
  EXPECT_EQ(demangled("_ZN6larder8hash_keyESt17basic_string_viewIcSt11char_traitsIcEE"),
            "larder::hash_key(std::basic_string_view<char, std::char_traits<char> >)");
  EXPECT_EQ(demangled("insertCell"), "insertCell");
  EXPECT_EQ(demangled("_Zbroken"), "_Zbroken");
}

TEST(FunctionNames, keep_what_tells_copies_apart) {
  EXPECT_EQ(demangled("_Z4stepi.constprop.0"), "step(int).constprop.0");
  EXPECT_EQ(short_name("usage@add.c"), "usage@add.c");
}

TEST(FunctionNames, are_short_in_tables) {
  EXPECT_EQ(short_name("_ZN6larder8hash_keyESt17basic_string_viewIcSt11char_traitsIcEE"),
            "larder::hash_key");
  EXPECT_EQ(short_name("_ZNK6larder5Image2atEm"), "larder::Image::at");
  EXPECT_EQ(short_name("_ZNSt6vectorIiSaIiEE9push_backERKi"), "std::vector::push_back");
  EXPECT_EQ(short_name("_ZN6larder12_GLOBAL__N_19HashIndex3putEv"),
            "larder::{anonymous}::HashIndex::put");
  EXPECT_EQ(short_name("main"), "main");
}

TEST(FunctionNames, of_lambdas_name_where_they_are) {
  EXPECT_EQ(demangled("lambda 2 in _Z4stepi"), "lambda 2 in step(int)");
  EXPECT_EQ(short_name("lambda 1 in lambda 2 in _Z4stepi"), "lambda 1 in lambda 2 in step");
}

} // namespace
} // namespace dragnet
