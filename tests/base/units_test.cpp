#include "base/units.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace dragnet {
namespace {

TEST(ParseDuration, understands_what_people_write) {
  const std::vector<std::pair<std::string, double>> good{
      {"90s", 90},    {"5m", 300},      {"1h30m", 5400},   {"250ms", 0.25}, {"2min", 120},
      {"10us", 1e-5}, {"1.5h", 5400},   {"12", 12},        {"0", 0},        {"0.5", 0.5},
      {".5s", 0.5},   {"1h0m5s", 3605}, {"1m500ms", 60.5}, {"1e3s", 1000}};
  for (const auto& [text, seconds] : good) {
    const auto parsed = parse_duration(text);
    ASSERT_TRUE(parsed) << text << ": " << parsed.error().what;
    EXPECT_NEAR(parsed->count(), seconds, 1e-12) << text;
  }
}

TEST(ParseDuration, refuses_everything_else) {
  for (const std::string text :
       {"",    " ",    "s",   "abc",  "5x",    "-5s",  "+5s",   "5s ",
        " 5s", "inf",  "nan", "-inf", "1e400", "1e10", "5m-3s", ".",
        "..",  "1,5s", "5 s", "s5",   "0x10",  "1e",   "5S",    "999999999h"}) {
    const auto parsed = parse_duration(text);
    ASSERT_FALSE(parsed) << text << " was taken as " << parsed->count();
    EXPECT_TRUE(parsed.error().what.contains("'" + text + "' is not a duration"))
        << parsed.error().what;
    EXPECT_FALSE(parsed.error().hint.empty());
  }
}

TEST(ParseDuration, refuses_numbers_that_follow_each_other_without_a_unit) {
  for (const std::string text : {"1.2.3", "1..5", "5s1.2.3"})
    EXPECT_FALSE(parse_duration(text)) << text << " was taken as " << parse_duration(text)->count();
}

void expect_texts(std::string_view unit, const std::vector<std::pair<double, std::string>>& cases) {
  for (const auto& [value, text] : cases)
    EXPECT_EQ(format_quantity(value, unit), text) << value;
}

TEST(FormatQuantity, gives_times_three_digits_and_a_fitting_unit) {
  expect_texts("s", {{0, "0 s"},
                     {0.412, "412 ms"},
                     {0.0412, "41.2 ms"},
                     {0.00412, "4.12 ms"},
                     {3.1, "3.10 s"},
                     {31.04, "31.0 s"},
                     {310, "310 s"},
                     {4.2e-6, "4.20 us"},
                     {4.2e-9, "4.20 ns"},
                     {4.2e-10, "0.42 ns"}});
}

TEST(FormatQuantity, goes_to_the_next_unit_before_it_would_round_to_a_thousand) {
  expect_texts("s", {{0.9996, "1.00 s"},
                     {0.9994, "999 ms"},
                     {0.0009996, "1.00 ms"},
                     {0.009996, "10.0 ms"},
                     {0.009994, "9.99 ms"},
                     {0.09996, "100 ms"},
                     {0.09994, "99.9 ms"}});
  expect_texts("B", {{1048575, "1.00 MiB"}, {1024, "1.00 KiB"}, {1023, "1023 B"}});
  expect_texts("", {{999.6, "1.00 k"}, {999'999, "1.00 M"}, {999, "999"}});
}

TEST(FormatQuantity, keeps_the_sign) {
  expect_texts("s", {{-0.412, "-412 ms"}, {-0.9996, "-1.00 s"}});
  expect_texts("B", {{-2048, "-2.00 KiB"}, {-5, "-5 B"}});
  expect_texts("", {{-7, "-7"}, {-1.2e6, "-1.20 M"}});
}

TEST(FormatQuantity, leaves_small_counts_whole) {
  expect_texts("", {{0, "0"},
                    {1, "1"},
                    {412, "412"},
                    {0.25, "0.25"},
                    {1500, "1.50 k"},
                    {2.5, "2.50"},
                    {3e12, "3000 G"}});
  expect_texts("B", {{0, "0 B"}, {512, "512 B"}, {3.5 * 1073741824, "3.50 GiB"}});
}

TEST(FormatDuration, changes_to_minutes_and_hours) {
  const std::vector<std::pair<double, std::string>> cases{
      {0, "0 s"},           {0.412, "412 ms"},       {59.4, "59.4 s"},      {60, "1 min 0 s"},
      {125, "2 min 5 s"},   {3599.4, "59 min 59 s"}, {3599.6, "1 h 0 min"}, {3600, "1 h 0 min"},
      {9000, "2 h 30 min"}, {-5, "-5.00 s"}};
  for (const auto& [seconds, text] : cases)
    EXPECT_EQ(format_duration(Seconds(seconds)), text) << seconds;
}

TEST(FormatChange, shows_sign_and_sensible_digits) {
  const std::vector<std::pair<double, std::string>> cases{
      {0, "+0.0 %"},      {0.0512, "+5.1 %"},   {-0.0512, "-5.1 %"},   {0.9994, "+99.9 %"},
      {0.9996, "+100 %"}, {1.5, "+150 %"},      {10, "x 11.0"},        {-0.5, "-50.0 %"},
      {-1, "-100 %"},     {0.0001, "+0.010 %"}, {-0.0001, "-0.010 %"}, {0.001, "+0.1 %"}};
  for (const auto& [change, text] : cases)
    EXPECT_EQ(format_change(change), text) << change;
}

} // namespace
} // namespace dragnet
