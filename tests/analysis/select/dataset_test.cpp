#include "analysis/select/dataset.h"

#include "analysis/select/example.h"
#include "fakes/planted_history.h"

#include <cstddef>
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace dragnet::select {
namespace {

std::vector<Example> planted() {
  return fakes::PlantedHistory("planted", fakes::PlantedSize{.commits = 20}, 3).examples();
}

std::string as_csv(const std::vector<Example>& examples) {
  std::string text = csv_header();
  for (const Example& example : examples)
    text += csv_row(example);
  return text;
}

TEST(Dataset, reads_back_what_was_written) {
  std::vector<Example> examples = planted();
  examples.front().truth_by_time = Truth::Hit;
  const auto read = parse_examples(as_csv(examples));
  ASSERT_TRUE(read) << read.error().what;
  ASSERT_EQ(read->size(), examples.size());
  for (std::size_t i = 0; i < examples.size(); ++i) {
    EXPECT_EQ((*read)[i].new_commit, examples[i].new_commit);
    EXPECT_EQ((*read)[i].position, examples[i].position);
    EXPECT_EQ((*read)[i].indicators, examples[i].indicators);
    EXPECT_EQ((*read)[i].features, examples[i].features);
    EXPECT_EQ((*read)[i].truth, examples[i].truth);
    EXPECT_EQ((*read)[i].truth_by_time, examples[i].truth_by_time);
    EXPECT_EQ(csv_row((*read)[i]), csv_row(examples[i]));
  }
}

TEST(Dataset, names_the_line_of_a_mistake) {
  const std::string good = as_csv({planted().front()});
  const auto mistake = [](const std::string& text) { return parse_examples(text).error().what; };
  EXPECT_EQ(mistake("subject,benchmark\n"), "line 1: there is no column 'old_commit'");
  EXPECT_EQ(mistake(good + "planted,c0\n"), fmt::format("line 3: 2 fields, but {} columns",
                                                        1 + std::ranges::count(csv_header(), ',')));
  std::string wrong = good;
  wrong.replace(wrong.find("unknown"), 7, "perhaps");
  EXPECT_EQ(mistake(wrong), "line 2: 'perhaps' is not hit, dismiss or unknown");
  EXPECT_EQ(mistake(""), "there is no row with the names of the columns");
}

TEST(Dataset, refuses_what_is_no_number) {
  const Example example = planted().front();
  for (const char* bad : {"nan", "-1", "", "1x", "inf"}) {
    std::string text = as_csv({example});
    const std::string last = ",unknown\n";
    const auto end = text.rfind(last);
    const auto start = text.rfind(',', end - 1);
    text.replace(start + 1, end - start - 1, bad);
    EXPECT_FALSE(parse_examples(text)) << bad;
  }
}

TEST(Truth, is_a_change_of_one_percent_either_way) {
  EXPECT_EQ(truth_by_count(1000, 1010), Truth::Hit);
  EXPECT_EQ(truth_by_count(1000, 990), Truth::Hit);
  EXPECT_EQ(truth_by_count(1000, 1009), Truth::Dismiss);
  EXPECT_EQ(truth_by_count(0, 1010), Truth::Unknown);
  EXPECT_EQ(truth_by_count(1000, 1040, 0.05), Truth::Dismiss);
}

} // namespace
} // namespace dragnet::select
