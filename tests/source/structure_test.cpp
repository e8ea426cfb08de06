#include "base/files.h"
#include "fakes/temporary_folder.h"
#include "model/profile.h"
#include "model/source.h"
#include "source/translation.h"
#include "source/written_source.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <gtest/gtest.h>
#include <string>
#include <utility>
#include <vector>

namespace dragnet::source {
namespace {

using Names = std::vector<std::string>;

std::string outline_of(const std::string& text, const std::string& function) {
  const auto facts = facts_of(text);
  return outline(function_in(facts, function).body);
}

TEST(Structure, has_sequences_branches_loops_calls_and_exits) {
  EXPECT_EQ(outline_of("void g(); void f(int n) { g(); for (int i = 0; i < n; ++i) { if (i > 2) "
                       "g(); else return; } g(); }",
                       "1fi"),
            "s(cl(s(b(s(c)s(x))))c)");
}

TEST(Structure, a_missing_else_is_an_empty_part) {
  EXPECT_EQ(outline_of("void g(); void f(int n) { if (n) g(); }", "1fi"), "s(b(s(c)s()))");
}

TEST(Structure, a_choice_without_a_condition_is_read) {
  const auto facts =
      facts_of("void g(); constexpr int f(int n) { if consteval { return n; } else { "
               "g(); return n + 1; } } int x = f(2);",
               "code.cpp", {"-std=c++23"});
  EXPECT_EQ(outline(function_in(facts, "1fi").body), "s(b(s(x)s(cx)))");
}

TEST(Structure, what_follows_a_logical_operator_is_a_branch) {
  EXPECT_EQ(outline_of("bool g(); bool h(); bool f() { return g() && h(); }", "1fv"),
            "s(cb(s(c)s())x)");
}

TEST(Structure, a_switch_has_a_part_for_each_label_and_one_for_none) {
  EXPECT_EQ(outline_of("void g(); void f(int n) { switch (n) { case 1: case 2: g(); break; case 3: "
                       "g(); g(); } }",
                       "1fi"),
            "s(b(s(c)s(cc)s()))");
}

// Counters count at each label who jumps there, and behind the last one all of them.
TEST(Structure, a_part_of_a_switch_stands_behind_its_last_label) {
  const auto facts = facts_of("void g(); void f(int n) {\nswitch (n) {\ncase 1:\ncase 2:\n  g();"
                              "\n  break;\ndefault:\n  break; } }");
  const auto& parts = function_in(facts, "1fi").body.parts.at(0).parts;
  ASSERT_EQ(parts.size(), 2U);
  EXPECT_EQ(parts[0].line, 5U);
  EXPECT_EQ(parts[1].line, 8U);
}

TEST(Structure, what_is_built_into_compilers_is_no_call_but_of_the_library) {
  const auto facts = facts_of("void f(int n, char* a) { if (__builtin_expect(!!(n > 3), 0)) "
                              "__builtin_memcpy(a, a + n, 3 * n); n = __builtin_popcount(n); }");
  const auto& function = function_in(facts, "1fi");
  EXPECT_EQ(outline(function.body), "s(b(s(c)s()))");
  EXPECT_EQ(function.calls.at(0).targets, Names{"memcpy"});
}

TEST(Structure, while_do_and_range_loops_are_loops) {
  EXPECT_EQ(outline_of("void g(); void f(int (&a)[4], int n) { while (n--) g(); do g(); while (n++ "
                       "< 3); for (int x : a) g(); }",
                       "1fRA4"),
            "s(l(s(c))l(s(c))l(s(c)))");
}

TEST(Structure, a_loop_that_is_one_in_form_only_is_none) {
  EXPECT_EQ(
      outline_of("void g(); void f(int n) { do { g(); } while (0); do g(); while (n); }", "1fi"),
      "s(cl(s(c)))");
}

TEST(Structure, what_is_computed_again_costs_nothing) {
  const auto weight = [](const std::string& body) {
    const auto facts =
        facts_of("struct S { int a; S* next; }; int g(int); int f(S* s) { " + body + " }");
    std::uint32_t sum = 0;
    const std::function<void(const SourceBlock&)> add = [&](const SourceBlock& block) {
      sum += block.weight;
      std::ranges::for_each(block.parts, add);
    };
    add(function_in(facts, "1fP1S").body);
    return sum;
  };
  EXPECT_EQ(weight("return s->next->a + s->next->a;"), 3U);
  EXPECT_EQ(weight("int a = s->next->a; return a + a;"), 3U);
  EXPECT_EQ(weight("return g(s->a) + g(s->a);"), weight("int a = s->a; return g(a) + g(a);"));
  EXPECT_GT(weight("s->a += 1; s->a += 1; return 0;"), weight("s->a += 1; return 0;"));
}

// Whether something stands in a variable or behind a function that returns it costs the same.
TEST(Structure, a_call_of_what_does_little_costs_nothing_itself) {
  const auto weight = [](const std::string& value, const std::string& rest = "") {
    const auto facts = facts_of(
        "struct S { int a; int get() const { return a; } int sum() const; virtual int any() { "
        "return a; } }; inline int S::sum() const { int n = 0; for (int i = 0; i < a; ++i) n += i; "
        "return n; } int outside(const S&); int f(S& s) { return " +
        value + "; }" + rest);
    const auto& body = function_in(facts, "1fR").body;
    double sum = body.weight;
    for (const SourceBlock& part : body.parts)
      sum += part.weight;
    return sum;
  };
  EXPECT_LE(weight("s.get()"), weight("s.a"));
  EXPECT_GT(weight("s.sum()"), weight("s.get()"));
  EXPECT_GT(weight("s.any()"), weight("s.get()"));
  EXPECT_GT(weight("outside(s)"), weight("s.get()"));
}

TEST(Structure, calls_of_the_library_that_do_little_are_no_calls) {
  const auto facts = facts_of("#include <memory>\n#include <string_view>\n#include <vector>\n"
                              "int f(std::unique_ptr<int>& p, std::string_view s, "
                              "std::vector<int>& v) { if (p && s.substr(1).size() > v.capacity()) "
                              "v.push_back(*p); return *v.rbegin(); }");
  std::vector<std::string> called;
  for (const SourceCall& call : function_in(facts, "1fR").calls)
    called.insert(called.end(), call.targets.begin(), call.targets.end());
  EXPECT_NE(std::ranges::find(called, "std::vector::push_back"), called.end());
  for (const char* name :
       {"std::unique_ptr::operator bool", "std::vector::capacity", "std::vector::rbegin"})
    EXPECT_EQ(std::ranges::find(called, name), called.end()) << name;
}

TEST(Structure, an_object_that_is_filled_with_zeros_costs_by_its_size) {
  const auto made = [](const std::string& value, int size) {
    const auto facts = facts_of("struct Block { char room[" + std::to_string(size) +
                                "]; }; Block* f(int) { return new Block" + value + "; }");
    const auto& function = function_in(facts, "1fi");
    return std::pair(function.body.weight, function.body_hash);
  };
  EXPECT_GT(made("()", 4096).first, made("()", 64).first + 100);
  EXPECT_EQ(made("", 4096).first, made("", 64).first);
  EXPECT_NE(made("()", 4096).second, made("", 4096).second);
  const auto facts = facts_of("void g(char*); void f(int) { char room[4096] = {}; g(room); }");
  EXPECT_GT(function_in(facts, "1fi").body.weight, 100U);
}

TEST(Structure, a_throw_and_a_function_that_does_not_return_leave) {
  EXPECT_EQ(
      outline_of("[[noreturn]] void stop(); void f(int n) { if (n) throw 1; stop(); }", "1fi"),
      "s(b(s(x)s())cx)");
}

TEST(Structure, ends_of_objects_call_their_destructors) {
  const std::string list = "void g(); struct L { ~L(); int n = 0; }; struct Two { L a; L b; }; ";
  EXPECT_EQ(outline_of(list + "void f() { L one; g(); }", "1fv"), "s(ccc)"); // made, ended, g
  const auto facts = facts_of(list + "void f(L* one) { delete one; } void t(Two* x) { delete x; }");
  const auto targets = [&](const std::string& name) {
    Names all;
    for (const SourceCall& call : function_in(facts, name).calls)
      all.insert(all.end(), call.targets.begin(), call.targets.end());
    return all;
  };
  EXPECT_EQ(targets("1fP1L"), (Names{"operator delete", "_ZN1LD2Ev"}));
  EXPECT_EQ(targets("1tP3Two"), (Names{"operator delete", "_ZN1LD2Ev", "_ZN1LD2Ev"}));
}

TEST(Structure, copies_of_the_library_are_calls_and_moves_are_not) {
  const auto facts = facts_of("#include <string>\n#include <utility>\n"
                              "void f(const std::string& a) { std::string copy(a); }\n"
                              "void m(std::string a) { std::string moved(std::move(a)); }\n");
  ASSERT_EQ(function_in(facts, "1fRK").calls.size(), 1U);
  EXPECT_EQ(function_in(facts, "1fRK").calls[0].targets, Names{"std::basic_string::basic_string"});
  EXPECT_TRUE(function_in(facts, "1mN").calls.empty());
}

TEST(Structure, template_instances_are_functions_of_their_own) {
  const auto facts = facts_of("void g(); template <class T> void each(T n) { for (T i = 0; i < n; "
                              "++i) g(); } void f() { each(3); each(4L); }");
  EXPECT_EQ(std::ranges::count_if(facts.functions,
                                  [](const SourceFunction& function) {
                                    return function.name.find("each") != std::string::npos;
                                  }),
            2);
}

TEST(Structure, a_body_has_the_same_hash_whatever_its_layout) {
  const auto hash = [](const std::string& text) {
    const auto facts = facts_of(text);
    return function_in(facts, "1fi").body_hash;
  };
  const auto plain = hash("int f(int n) { return n + 1; }");
  EXPECT_EQ(hash("\n\n// a comment\nint f(int n) /* here */\n{\n  return n +\n    1;\n}"), plain);
  EXPECT_NE(hash("int f(int n) { return n + 2; }"), plain);
  EXPECT_NE(hash("int f(int n) { return n - 1; }"), plain);
  EXPECT_EQ(hash("#define ONE 1\nint f(int n) { return n + ONE; }"), plain);
  const std::string check =
      "void fail(int line); int f(int n) { if (n) fail(__LINE__); return n; }";
  EXPECT_EQ(hash("\n\n" + check), hash(check)) << "a number of a line does not count";
  EXPECT_NE(hash("#define ONE 3\nint f(int n) { return n + ONE; }"), plain);
}

TEST(Structure, a_body_has_the_same_hash_whatever_wraps_its_statements) {
  const auto hash = [](const std::string& text) {
    const auto facts = facts_of("void g();\n" + text);
    return function_in(facts, "1fi").body_hash;
  };
  const auto plain = hash("#define G { g(); g(); }\nvoid f(int n) { if (n) G }");
  EXPECT_EQ(hash("#define G do { g(); g(); } while (0)\nvoid f(int n) { if (n) G; }"), plain);
  EXPECT_EQ(hash("#define G { g(); g(); }\nvoid f(int n) { if (n) { G; } }"), plain);
  EXPECT_NE(hash("#define G do { g(); g(); } while (n)\nvoid f(int n) { if (n) G; }"), plain);
}

TEST(Structure, a_body_has_the_same_hash_wherever_types_without_a_name_stand) {
  const auto hash = [](const std::string& text) {
    const auto facts = facts_of(text);
    return function_in(facts, "S").body_hash;
  };
  const std::string record = "struct S { union { int a; long b; } one; S() : one() {} }; S s;";
  EXPECT_EQ(hash("\n\n  " + record), hash(record));
  const std::string lambda = "struct S { int f() { auto one = [] { return 1; }; return one(); } }; "
                             "int x = S().f();";
  EXPECT_EQ(hash("\n\n  " + lambda), hash(lambda));
}

TEST(Structure, a_body_has_another_hash_where_what_its_names_stand_for_is_another) {
  const auto hash = [](const std::string& text) {
    const auto facts = facts_of(text);
    return function_in(facts, "1fi").body_hash;
  };
  const auto differ = [&](const std::string& one, const std::string& other,
                          const std::string& body) {
    EXPECT_EQ(hash(one + body), hash("\n" + one + body));
    EXPECT_NE(hash(one + body), hash(other + body)) << one;
  };
  const std::string walk = "void g(); void f(int) { for (int i = 0; i < size; ++i) g(); }";
  differ("constexpr int size = 8; ", "constexpr int size = 12; ", walk);
  differ("static const int size = 8; ", "static const int size = 12; ", walk);
  differ("enum { size = 8 }; ", "enum { size = 12 }; ", walk);
  EXPECT_EQ(hash("typedef enum { first, size } kind; " + walk),
            hash("typedef enum { first, second, size } kind; " + walk));
  differ("const int table[] = {1, 2}; ", "const int table[] = {1, 2, 3}; ",
         "int f(int n) { for (int one : table) n += one; return n; }");
  differ("int g(int n = 1); ", "int g(int n = 2); ", "int f(int) { return g(); }");
}

TEST(Structure, what_is_static_is_made_once) {
  const std::string made = "struct L { L(); int n; }; int g(); int f(int) { ";
  const auto once = facts_of(made + "static const L one; return one.n + g(); }");
  const auto each = facts_of(made + "const L one; return one.n + g(); }");
  EXPECT_EQ(outline(function_in(once, "1fi").body), "s(cx)");
  EXPECT_EQ(outline(function_in(each, "1fi").body), "s(ccx)");
  EXPECT_NE(function_in(once, "1fi").body_hash, function_in(each, "1fi").body_hash);
}

TEST(Structure, a_loop_variable_that_is_no_reference_is_copied) {
  const auto body = [](const std::string& element) {
    return outline_of("#include <string>\n#include <vector>\nvoid g(const std::string&);"
                      "void f(const std::vector<std::string>& all) { for (" +
                          element + " one : all) g(one); }",
                      "1fR");
  };
  EXPECT_EQ(body("const auto&"), "s(l(s(c)))");
  EXPECT_EQ(body("auto"), "s(l(s(cc)))");
}

TEST(Structure, what_a_condition_declares_is_read) {
  const std::string next = "int* next(); void g(int*); ";
  EXPECT_EQ(outline_of(next + "void f() { while (int* one = next()) g(one); }", "1fv"),
            "s(l(s(cc)))");
  EXPECT_EQ(outline_of(next + "void f() { for (; int* one = next();) g(one); }", "1fv"),
            "s(l(s(cc)))");
  EXPECT_EQ(
      outline_of(next + "void f() { switch (int one = *next()) { case 1: g(&one); } }", "1fv"),
      "s(cb(s(c)s()))");
}

TEST(Structure, a_condition_and_its_opposite_are_one_branch_with_its_parts_in_one_order) {
  const auto branch = [](const std::string& condition, const std::string& parts) {
    const auto facts = facts_of("void g(); bool odd(int); void f(int n, int m, int* p) { if (" +
                                condition + ") " + parts + " }");
    const auto& all = function_in(facts, "1f").body.parts;
    return std::pair(all.back().identity, outline(all.back()));
  };
  const std::string once = "g();";
  const std::string opposite = "; else g();";
  using Pair = std::pair<std::string, std::string>;
  for (const auto& [a, b] :
       {Pair("n == m", "n != m"), Pair("n < m", "n >= m"), Pair("n > m", "n <= m"),
        Pair("n > m", "!(m < n)"), Pair("p", "!p"), Pair("p", "p == nullptr"), Pair("p != 0", "!p"),
        Pair("odd(n)", "!odd(n)"), Pair("p && n < m", "!p || n >= m"),
        Pair("!(p || n == 1)", "p || n == 1"), Pair("__builtin_expect(!!(n < m), 0)", "n >= m")})
    EXPECT_EQ(branch(a, once), branch(b, opposite)) << a << " and " << b;
  EXPECT_NE(branch("n < m", once).first, branch("m < n", once).first);
  EXPECT_NE(branch("n == m", once).second, branch("n != m", once).second);
  EXPECT_NE(branch("p && n", once).first, branch("p || n", once).first);
  EXPECT_NE(branch("n == 1", once).first, branch("n == 2", once).first);
}

TEST(Structure, a_virtual_call_may_reach_each_overrider) {
  const auto facts = facts_of(
      "struct A { virtual ~A(); virtual void go() = 0; }; struct B : A { void go() override {} }; "
      "struct C : B { void go() override {} }; void f(A& a) { a.go(); } void g(B& b) { b.B::go(); "
      "}");
  const auto& open = function_in(facts, "1fR");
  ASSERT_EQ(open.calls.size(), 1U);
  EXPECT_EQ(open.calls[0].kind, CallKind::Indirect);
  EXPECT_EQ(open.calls[0].targets, (Names{"_ZN1B2goEv", "_ZN1C2goEv"}));
  EXPECT_EQ(function_in(facts, "1gR").calls[0].targets, (Names{"_ZN1B2goEv"}));
}

TEST(Structure, a_call_through_a_pointer_may_reach_what_has_its_type_and_is_taken) {
  const auto facts = facts_of(
      "void a(int); void b(int); void c(int); void d(long); void use(void (*)(int)); void "
      "other(void (*)(long)); void f(void (*p)(int)) { p(1); } void g() { use(a); use(&b); "
      "other(d); c(1); }");
  EXPECT_EQ(function_in(facts, "1fPF").calls.at(0).targets, (Names{"_Z1ai", "_Z1bi"}));
}

TEST(Structure, a_table_of_functions_takes_their_addresses) {
  const auto facts =
      facts_of("void a(int); void b(int); struct Entry { const char* name; void "
               "(*run)(int); }; constexpr Entry entries[] = {{\"a\", a}, {\"b\", b}}; "
               "void f() { for (const Entry& entry : entries) entry.run(1); }");
  EXPECT_EQ(function_in(facts, "1fv").calls.at(0).targets, (Names{"_Z1ai", "_Z1bi"}));
}

TEST(Structure, copying_bytes_is_no_loop_of_ours) {
  EXPECT_EQ(outline_of("#include <cstring>\nvoid f(char* to, const char* from) { std::memcpy(to, "
                       "from, 4); }",
                       "1fPc"),
            "s(c)");
}

TEST(Structure, a_lambda_is_called_for_each_element_by_an_algorithm) {
  const auto facts =
      facts_of("#include <algorithm>\n#include <vector>\nint g(int); void "
               "f(std::vector<int>& v) { std::for_each(v.begin(), v.end(), [](int x) "
               "{ g(x); }); }");
  const auto& f = function_in(facts, "1fR");
  ASSERT_EQ(f.loops.size(), 1U);
  EXPECT_EQ(outline(f.body), "s(l(s(cc)))");
  EXPECT_EQ(names_of(facts, f.loops[0].walks), (Names{"param " + f.name + " 0"}));
}

TEST(Structure, a_thread_calls_what_it_is_given) {
  const auto called = [](const std::string& body) {
    const auto facts =
        facts_of("#include <thread>\n#include <vector>\nvoid g(int) {} void f() { " + body + " }");
    std::vector<std::string> targets;
    for (const SourceCall& call : function_in(facts, "1fv").calls)
      targets.insert(targets.end(), call.targets.begin(), call.targets.end());
    return std::ranges::any_of(targets, [](const std::string& name) {
      return name == "_Z1gi" || name.starts_with("lambda ");
    });
  };
  EXPECT_TRUE(called("std::thread one(g, 1); one.join();"));
  EXPECT_TRUE(called("std::thread one(&g, 1); one.join();"));
  EXPECT_TRUE(called("std::thread one([] { g(1); }); one.join();"));
  EXPECT_TRUE(called("std::vector<std::thread> all; all.emplace_back(g, 1);"));
  EXPECT_FALSE(called("std::thread one; auto* later = &g; later = nullptr;"));
}

TEST(Structure, local_functions_are_told_apart_by_their_file) {
  const auto facts = facts_of("static void g() {} void f() { g(); }");
  EXPECT_EQ(function_in(facts, "1fv").calls.at(0).targets, (Names{"_ZL1gv@code.cpp"}));
}

TEST(Structure, c_with_functions_of_the_old_style_is_read) {
  const auto facts =
      facts_of("int sum(a, n) int *a; int n; { int i, s = 0; for (i = 0; i < n; i++) "
               "s += a[i]; return s; }",
               "old.c", {"-std=c89"});
  EXPECT_EQ(function_in(facts, "sum").loops.size(), 1U);
  EXPECT_TRUE(facts.warnings.empty());
}

TEST(Structure, code_that_does_not_parse_gives_a_warning_and_the_rest) {
  const auto facts = facts_of("void broken() { unknown_thing x = ; }\nvoid g(); void f() { g(); }");
  ASSERT_EQ(facts.warnings.size(), 1U);
  EXPECT_NE(facts.warnings[0].find("code.cpp does not parse"), std::string::npos);
  EXPECT_EQ(function_in(facts, "1fv").calls.size(), 1U);
}

TEST(Structure, the_file_may_stand_before_the_flags) {
  const fakes::TemporaryFolder folder;
  ASSERT_TRUE(write_file(folder / "code.cpp", "void f() {}"));
  for (const Names& words : {Names{"ccache", "g++", "code.cpp", "-c"}, Names{"c++", "code.cpp"}}) {
    const auto read =
        translate({.folder = folder.path(), .file = "code.cpp", .words = words}, folder.path());
    EXPECT_EQ(read.facts.facts.functions.size(), 1U) << words.front();
  }
}

TEST(Structure, flags_of_another_compiler_do_not_matter) {
  const auto facts = facts_of("void f() {}", "code.cpp",
                              {"-fno-tree-vectorize", "--param=inline-unit-growth=20", "-Werror",
                               "-fconserve-stack", "-Wsome-warning-of-gcc"});
  EXPECT_TRUE(facts.warnings.empty());
  EXPECT_EQ(facts.functions.size(), 1U);
}

} // namespace
} // namespace dragnet::source
