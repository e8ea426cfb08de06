#include "console/terminal.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>

namespace dragnet::console {
namespace {

/// A screen in memory whose clock the test moves.
class ProgressOnScreen : public testing::Test {
protected:
  void TearDown() override {
    progress_.reset();
    (void)std::fclose(file_);
    std::free(text_); // open_memstream allocated it
  }

  TerminalProgress& progress(Detail detail = Detail::Short) {
    progress_ = std::make_unique<TerminalProgress>(
        Screen{.file = file_, .width = [] { return 80U; }, .now = [this] { return time_; }},
        detail);
    return *progress_;
  }
  void end() { progress_.reset(); }
  void pass(double seconds) {
    time_ += std::chrono::duration_cast<std::chrono::steady_clock::duration>(
        std::chrono::duration<double>(seconds));
  }
  std::string written() {
    (void)std::fflush(file_);
    return {text_, size_};
  }

private:
  char* text_ = nullptr;
  std::size_t size_ = 0;
  // NOLINTNEXTLINE(misc-include-cleaner): <cstdio> is the public home of open_memstream
  std::FILE* file_ = ::open_memstream(&text_, &size_);
  std::chrono::steady_clock::time_point time_{std::chrono::hours(1)};
  std::unique_ptr<TerminalProgress> progress_;
};

TEST_F(ProgressOnScreen, redraws_one_line_and_erases_it_at_the_end) {
  progress().now("building", -1);
  EXPECT_EQ(written(), "\rbuilding\x1b[K");
  end();
  EXPECT_EQ(written(), "\rbuilding\x1b[K\r\x1b[K");
}

TEST_F(ProgressOnScreen, is_erased_before_a_warning_and_by_an_empty_text) {
  auto& line = progress();
  line.now("a", -1);
  line.warn("too hot");
  line.now("b", -1);
  line.now("", -1);
  line.now("", -1);
  EXPECT_EQ(written(), "\ra\x1b[K\r\x1b[Kdragnet: warning: too hot\n\rb\x1b[K\r\x1b[K");
}

TEST_F(ProgressOnScreen, draws_at_most_ten_times_a_second) {
  auto& line = progress();
  for (int i = 0; i < 10'000; ++i) {
    line.now("x", -1);
    pass(0.001);
  }
  const auto text = written();
  EXPECT_LE(std::ranges::count(text, 'x'), 110);
  EXPECT_GE(std::ranges::count(text, 'x'), 90);
}

TEST_F(ProgressOnScreen, estimates_the_time_left_from_the_first_share_it_heard) {
  auto& line = progress();
  line.now("run", 0.5);
  pass(10);
  line.now("run", 0.6);
  EXPECT_TRUE(written().ends_with("60 %  about 40 s left\x1b[K")) << written();
}

TEST_F(ProgressOnScreen, prints_finished_steps_only_when_asked_to) {
  progress(Detail::Short).finished("built a");
  EXPECT_EQ(written(), "");
  progress(Detail::Verbose).finished("built b");
  EXPECT_EQ(written(), "built b\n");
}

TEST(ProgressLine, has_a_bar_if_it_is_wide_enough) {
  EXPECT_EQ(progress_line("run", 0.25, 90, 79),
            "run  [#####...............]  25 %  about 2 min left");
  EXPECT_EQ(progress_line("run", 0.25, -1, 40), "run  25 %");
  EXPECT_EQ(progress_line("run", 1.5, -1, 40), "run  100 %");
  EXPECT_EQ(progress_line("run", 0.5, 7300, 79),
            "run  [##########..........]  50 %  about 2 h 2 min left");
}

TEST(ProgressLine, shortens_what_is_being_done_before_the_figures) {
  EXPECT_EQ(progress_line("building something", 0.5, -1, 14), "building  50 %");
  EXPECT_EQ(progress_line("building", 0.5, -1, 4), "buil");
  EXPECT_EQ(progress_line("ääää", -1, -1, 2), "ää");
}

TEST(ProgressLine, has_no_control_characters) {
  EXPECT_EQ(progress_line("a\nb\x1b[2Jc", -1, -1, 79), "a?b?[2Jc");
}

TEST(Colour, is_for_terminals_unless_it_is_asked_for) {
  EXPECT_FALSE(wants_colour("auto", -1));
  EXPECT_TRUE(wants_colour("always", -1));
  EXPECT_FALSE(wants_colour("never", -1));
}

TEST(ErrorText, names_the_program_and_gives_the_hint_its_own_line) {
  testing::internal::CaptureStderr();
  print_error({.what = "cannot read x", .hint = "make it"});
  print_error({.what = "failed", .hint = {}});
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "dragnet: cannot read x\nhint: make it\ndragnet: failed\n");
}

} // namespace
} // namespace dragnet::console
