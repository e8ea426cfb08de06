#include "analysis/structure/namesakes.h"

#include "analysis/structure/written.h"
#include "model/source.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace dragnet::structure {
namespace {

std::vector<std::string> functions_in(const SourceFacts& facts) {
  std::vector<std::string> names;
  for (const SourceFunction& function : facts.functions)
    names.push_back(function.name);
  return names;
}

TEST(Namesakes, a_function_with_another_signature_keeps_its_name) {
  const auto base =
      facts({function("_Z3useRKi", {work(1)}), function("main", {call("_Z3useRKi")})});
  auto next = facts({function("_Z3usei", {work(2)}), function("main", {call("_Z3usei")})});
  next.collections = {"param _Z3usei 0", "local _Z3usei all[]", "field Use::all", "global all"};
  const auto same = with_old_names(base, next);
  EXPECT_EQ(functions_in(same), (std::vector<std::string>{"_Z3useRKi", "main"}));
  EXPECT_EQ(same.functions[1].calls[0].targets[0], "_Z3useRKi");
  EXPECT_EQ(same.collections,
            (std::vector<std::string>{"param _Z3useRKi 0", "local _Z3useRKi all[]",
                                      "field Use::all", "global all"}));
}

TEST(Namesakes, one_that_moved_to_another_file_keeps_its_name) {
  const auto base = facts({function("_ZL3usei@a.cpp", {work(1)})});
  const auto next = facts({function("_ZL3usei@b.cpp", {work(1)})});
  EXPECT_EQ(functions_in(with_old_names(base, next)), std::vector<std::string>{"_ZL3usei@a.cpp"});
}

TEST(Namesakes, of_several_those_with_the_same_body_are_the_same) {
  const auto base = facts({function("_Z3usei", {work(1)}), function("_Z3usel", {work(2)})});
  const auto next = facts({function("_Z3usej", {work(2)}), function("_Z3usem", {work(3)})});
  EXPECT_EQ(functions_in(with_old_names(base, next)),
            (std::vector<std::string>{"_Z3usel", "_Z3usem"}));
}

TEST(Namesakes, instances_of_a_template_are_told_by_what_they_are_made_for) {
  const auto base = facts({function("_Z4stepILi3EEvi", {work(1)}),
                           function("_Z4stepILi4EEvi", {work(2)}), function("main", {work(1)})});
  const auto next = facts({function("_Z4stepILi4EEvib", {work(4)}),
                           function("_Z4stepILi3EEvib", {work(3)}), function("main", {work(1)})});
  const auto same = with_old_names(base, next);
  EXPECT_EQ(functions_in(same),
            (std::vector<std::string>{"_Z4stepILi3EEvi", "_Z4stepILi4EEvi", "main"}));
  EXPECT_EQ(same.functions[0].body.parts[0].weight, 3U);
}

TEST(Namesakes, lambdas_are_told_by_their_bodies_and_not_by_their_numbers) {
  const auto base =
      facts({function("lambda 1 in f", {work(90)}), function("lambda 2 in f", {work(5)}),
             function("lambda 1 in lambda 1 in f", {work(7)})});
  auto next =
      facts({function("lambda 1 in f", {work(1)}), function("lambda 2 in f", {work(90)}),
             function("lambda 3 in f", {work(6)}), function("lambda 1 in lambda 2 in f", {work(8)}),
             function("f", {call("lambda 2 in f")})});
  next.collections = {"param lambda 2 in f 0", "local lambda 1 in lambda 2 in f all[]"};
  const auto same = with_old_names(base, next);
  EXPECT_EQ(functions_in(same),
            (std::vector<std::string>{"f", "lambda 1 in f", "lambda 1 in lambda 1 in f",
                                      "lambda 2 in f", "lambda 3 in f"}));
  EXPECT_EQ(same.functions[1].body.parts[0].weight, 90U);
  EXPECT_EQ(same.functions[3].body.parts[0].weight, 6U) << "it was the last and is the last";
  EXPECT_EQ(same.functions[4].body.parts[0].weight, 1U) << "it is new";
  EXPECT_EQ(same.functions[0].calls[0].targets[0], "lambda 1 in f");
  EXPECT_EQ(same.collections, (std::vector<std::string>{"param lambda 1 in f 0",
                                                        "local lambda 1 in lambda 1 in f all[]"}));
}

TEST(Namesakes, lambdas_of_a_function_with_another_signature_are_its_own) {
  const auto base = facts({function("_Z1fi", {work(1)}), function("lambda 1 in _Z1fi", {work(3)})});
  const auto next = facts({function("_Z1fl", {work(2)}), function("lambda 1 in _Z1fl", {work(4)})});
  EXPECT_EQ(functions_in(with_old_names(base, next)),
            (std::vector<std::string>{"_Z1fi", "lambda 1 in _Z1fi"}));
}

TEST(Namesakes, an_overload_that_is_added_is_new) {
  const auto base = facts({function("_Z3usei", {work(1)})});
  const auto next = facts({function("_Z3usei", {work(1)}), function("_Z3usel", {work(2)})});
  EXPECT_EQ(functions_in(with_old_names(base, next)),
            (std::vector<std::string>{"_Z3usei", "_Z3usel"}));
}

} // namespace
} // namespace dragnet::structure
