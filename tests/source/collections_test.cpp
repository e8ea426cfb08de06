#include "model/source.h"
#include "source/written_source.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace dragnet::source {
namespace {

using Names = std::vector<std::string>;

constexpr const char* library = "#include <list>\n#include <map>\n#include <string>\n#include "
                                "<vector>\nvoid g();\n";

// What the first loop of a function walks, by name and alias.
Names walked_in(const std::string& text, const std::string& function = "1f") {
  const auto facts = facts_of(library + text);
  EXPECT_TRUE(facts.warnings.empty());
  return names_of(facts, function_in(facts, function).loops.at(0).walks);
}

bool has(const Names& names, const std::string& end) {
  return std::ranges::any_of(names, [&](const std::string& name) { return name.ends_with(end); });
}

TEST(Collections, a_range_loop_walks_its_range) {
  EXPECT_EQ(walked_in("struct S { std::vector<int> all; void f() { for (int x : all) g(); } };"
                      " void use(S& s) { s.f(); }"),
            (Names{"field S::all"}));
}

TEST(Collections, a_loop_walks_what_its_bound_is_the_size_of) {
  for (const char* bound : {"all.size()", "all.size() - 1", "std::size(all)"})
    EXPECT_EQ(walked_in(std::string("std::vector<int> all; void f() { for (unsigned i = 0; i < ") +
                        bound + "; ++i) g(); }"),
              (Names{"global all"}))
        << bound;
}

TEST(Collections, a_loop_that_goes_on_from_a_size_walks_nothing) {
  const auto from = [](const std::string& start, const std::string& end) {
    return walked_in("std::vector<int> all; void f(unsigned n) { for (unsigned i = " + start +
                     "; i < " + end + "; ++i) g(); }");
  };
  EXPECT_EQ(from("all.size()", "n"), Names{});
  EXPECT_TRUE(has(from("n", "all.size()"), "global all"));
  EXPECT_EQ(
      walked_in("std::vector<int> all; void f() { for (int i = all.size(); i > 0; --i) g(); }"),
      (Names{"global all"}));
}

TEST(Collections, a_loop_may_take_several_at_a_time) {
  const auto rate = [](const std::string& loop) {
    const auto facts = facts_of(
        library + std::string("std::vector<int> all; void f() { int i = 0; ") + loop + " }");
    return function_in(facts, "1f").loops.at(0).rate;
  };
  EXPECT_EQ(rate("for (i = 0; i < all.size(); ++i) g();"), 1);
  EXPECT_EQ(rate("for (i = 0; i + 8 <= all.size(); i += 8) g();"), 0.125);
  EXPECT_EQ(rate("for (i = 0; i < all.size() / 2; ++i) g();"), 0.5);
  EXPECT_EQ(rate("for (i = 0; i < 3 * all.size() + 1; ++i) g();"), 3);
  EXPECT_EQ(rate("for (i = 0; i < all.size() << 4; ++i) g();"), 16);
  EXPECT_EQ(rate("while (i < all.size()) { g(); i += 2; }"), 0.5);
  EXPECT_EQ(rate("for (i = 0; i < sizeof(long) / 2; ++i) g();"), 1) << "a constant is no multiple";
}

TEST(Collections, a_loop_that_may_end_early_or_moves_on_in_its_body_is_partial) {
  const auto partial = [](const std::string& loop) {
    const auto facts = facts_of(library + ("void f(int n) { " + loop + " }"));
    return function_in(facts, "1f").loops.at(0).partial;
  };
  EXPECT_FALSE(partial("for (int i = 0; i < n; ++i) g();"));
  EXPECT_TRUE(partial("for (int i = 0; i < n; ++i) { g(); if (n == 7) i += 3; }"));
  EXPECT_FALSE(partial("int i = 0; while (i < n) { g(); ++i; }"));
  EXPECT_TRUE(partial("int i = 0; while (i < n && i != 7) { g(); ++i; }"));
  EXPECT_TRUE(partial("std::string s; while (s.size() < 100) s.append(\"word\");"));
}

TEST(Collections, a_choice_between_two_sizes_may_be_either) {
  EXPECT_EQ(walked_in("#include <algorithm>\nstd::vector<int> a, b; void f() { auto n = "
                      "std::min(a.size(), b.size()); for (unsigned i = 0; i < n; ++i) g(); }"),
            (Names{"global a", "global b", "local _Z1fv n"}));
  EXPECT_EQ(walked_in("std::vector<int> a, b; void f(bool c) { auto n = c ? a.size() : b.size(); "
                      "for (unsigned i = 0; i < n; ++i) g(); }"),
            (Names{"global a", "global b", "local _Z1fb n"}));
}

TEST(Collections, what_lies_between_two_places_belongs_to_what_the_later_one_is_in) {
  EXPECT_EQ(
      walked_in("void f(unsigned from, unsigned to) { unsigned n = to - from; for (unsigned i "
                "= 0; i < n; ++i) g(); }"),
      (Names{"local _Z1fjj n", "param _Z1fjj 1"}));
}

TEST(Collections, a_call_says_what_it_hands_over) {
  const auto facts =
      facts_of(library + std::string("void walk(int n, bool b, int* p) { for (int i = 0; i < n; "
                                     "++i) g(); for (; *p; ++p) g(); }"
                                     "void f(int n, int* p) { walk(2 * n + 1, true, p); }"));
  const auto& arguments = function_in(facts, "1f").calls.at(0).arguments;
  ASSERT_EQ(arguments.size(), 3U);
  EXPECT_EQ(facts.collections.at(arguments[0]->collection.value()), "param _Z1fiPi 0");
  EXPECT_EQ(arguments[0]->factor, 2);
  EXPECT_EQ(arguments[1]->number, 1);
  EXPECT_EQ(facts.collections.at(arguments[2]->collection.value()), "param _Z1fiPi 1");
}

TEST(Collections, a_branch_may_be_decided_by_a_parameter) {
  const auto facts =
      facts_of(library + std::string("void f(int kind, bool fast, int* p) { if "
                                     "(kind == 2) g(); if (!fast) g(); if (p) g(); "
                                     "if (*p == 3) g(); int x = kind > 4 ? 1 : 2; }"));
  const auto& decisions = function_in(facts, "1f").decisions;
  ASSERT_EQ(decisions.size(), 4U);
  EXPECT_EQ(decisions[0].number, 2);
  EXPECT_EQ(decisions[1].parameter, 1U);
  EXPECT_EQ(decisions[1].comparison, Comparison::Unequal) << "its parts stand the other way around";
  EXPECT_EQ(decisions[2].comparison, Comparison::Unequal);
  EXPECT_EQ(decisions[3].comparison, Comparison::Greater);
}

TEST(Collections, a_part_of_a_size_and_a_distance_are_sizes) {
  EXPECT_EQ(
      walked_in("std::vector<int> all; void f() { for (unsigned i = 0; i < 2 * all.size() / 3; "
                "++i) g(); }"),
      (Names{"global all"}));
  EXPECT_TRUE(
      has(walked_in("void f(const char* at, const char* end) { for (; end - at >= 8; at += 8) "
                    "g(); }"),
          "S0_ 1"));
}

TEST(Collections, a_size_is_followed_through_variables) {
  EXPECT_EQ(
      walked_in("std::vector<int> all; void f() { int n = (int)all.size(); int m = n - 1; for "
                "(int i = 0; i < m; ++i) g(); }"),
      (Names{"global all", "local _Z1fv m", "local _Z1fv n"}));
  EXPECT_EQ(walked_in("std::vector<int> all; void f() { for (int i = (int)all.size() - 1; i >= 0; "
                      "--i) g(); }"),
            (Names{"global all"}));
}

TEST(Collections, an_iterator_loop_walks_its_container) {
  EXPECT_EQ(walked_in("std::list<int> all; void f() { for (auto it = all.begin(); it != all.end(); "
                      "++it) g(); }"),
            (Names{"global all", "global all"}));
}

TEST(Collections, a_loop_until_empty_walks_what_it_empties) {
  const auto facts =
      facts_of(std::string(library) + "std::vector<int> all; void f() { while (!all.empty()) "
                                      "all.pop_back(); }");
  const SourceLoop& loop = function_in(facts, "1f").loops.at(0);
  EXPECT_EQ(names_of(facts, loop.walks), (Names{"global all"}));
  EXPECT_EQ(names_of(facts, loop.empties), (Names{"global all"}));
}

TEST(Collections, c_idioms_walk_counts_and_lists) {
  EXPECT_EQ(walked_in("struct T { int n; int* v; }; void f(T* t) { for (int i = 0; i < t->n; i++) "
                      "g(); }"),
            (Names{"field T::n"}));
  EXPECT_EQ(
      walked_in("struct L { L* next; }; void f(L* l) { for (L* p = l; p; p = p->next) g(); }"),
      (Names{"field L::next"}));
  EXPECT_EQ(walked_in("struct L { L* next; }; void f(L* p) { while (p != nullptr) { g(); p = "
                      "p->next; } }"),
            (Names{"field L::next"}));
}

TEST(Collections, c_idioms_fill_counts_and_lists) {
  const auto facts = facts_of(
      std::string(library) +
      "struct T { int n; int v[9]; }; struct L { L* next; }; L* make(); void f(T* t, L* l) { for "
      "(int i = 0; i < 5; i++) { t->v[t->n++] = i; L* p = make(); p->next = l; l = p; } }");
  const auto filled = names_of(facts, function_in(facts, "1f").loops.at(0).fills);
  EXPECT_TRUE(has(filled, "T::n"));
  EXPECT_TRUE(has(filled, "L::next"));
}

TEST(Collections, a_loop_fills_what_it_adds_to_but_not_what_inner_loops_add_to) {
  const auto facts =
      facts_of(std::string(library) +
               "std::vector<int> outer, inner; void f(int n) { for (int i = 0; i < n; "
               "i++) { outer.push_back(i); for (int j = 0; j < n; j++) "
               "inner.push_back(j); } }");
  const auto& loops = function_in(facts, "1f").loops;
  EXPECT_TRUE(has(names_of(facts, loops.at(0).fills), "global outer"));
  EXPECT_FALSE(has(names_of(facts, loops.at(0).fills), "global inner"));
  EXPECT_TRUE(has(names_of(facts, loops.at(1).fills), "global inner"));
}

TEST(Collections, an_argument_may_be_the_parameter) {
  const auto names = walked_in("std::vector<int> all; void f(const std::vector<int>& some) { for "
                               "(int x : some) g(); } void use() { f(all); }");
  EXPECT_TRUE(has(names, "global all"));
}

TEST(Collections, a_size_may_be_an_argument) {
  const auto names = walked_in("std::vector<int> all; void f(int n) { for (int i = 0; i < n; i++) "
                               "g(); } void use() { f((int)all.size()); }");
  EXPECT_TRUE(has(names, "global all"));
}

TEST(Collections, a_reference_may_be_what_it_refers_to) {
  const auto names = walked_in("struct S { std::vector<int> all; }; void f(S& s) { auto& some = "
                               "s.all; for (int x : some) g(); }");
  EXPECT_TRUE(has(names, "field S::all"));
}

TEST(Collections, a_container_of_the_user_is_what_it_wraps) {
  const std::string shelf =
      "struct Shelf { std::vector<int> items; void add(int x) { items.push_back(x); } int count() "
      "const { return (int)items.size(); } auto begin() { return items.begin(); } auto end() { "
      "return items.end(); } };";
  EXPECT_TRUE(
      has(walked_in(shelf + " void f(Shelf& s) { for (int i = 0; i < s.count(); i++) g(); }"),
          "field Shelf::items"));
  const auto facts = facts_of(library + shelf + " void f(Shelf& s) { s.add(1); }");
  EXPECT_TRUE(has(names_of(facts, function_in(facts, "3add").fills), "field Shelf::items"));
}

TEST(Collections, a_constant_bound_is_known) {
  const auto facts =
      facts_of("void g(); void f(int n) { for (int i = 0; i < 12; i++) g(); for (int "
               "i = 2; i <= 5; ++i) g(); for (int i = 0; i < n; ++i) g(); }");
  const auto& loops = function_in(facts, "1f").loops;
  EXPECT_EQ(loops.at(0).times, 12U);
  EXPECT_EQ(loops.at(1).times, 4U);
  EXPECT_EQ(loops.at(2).times, 0U);
}

TEST(Collections, a_constant_bound_is_reached_by_the_steps_of_the_loop) {
  const auto times = [](const std::string& head) {
    const auto facts = facts_of("void g(); void f(int) { for (" + head + ") g(); }");
    return function_in(facts, "1f").loops.at(0).times;
  };
  EXPECT_EQ(times("int i = 0; i < 1024; i += 16"), 64U);
  EXPECT_EQ(times("int i = 0; i < 10; i += 4"), 3U);
  EXPECT_EQ(times("int i = 1; i < 1024; i *= 2"), 0U) << "not known";
}

} // namespace
} // namespace dragnet::source
