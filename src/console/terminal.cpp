#include "console/terminal.h"

#include "base/progress.h"
#include "base/result.h"
#include "base/units.h"

#include <fmt/core.h>

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace dragnet::console {
namespace {

using Time = std::chrono::steady_clock::time_point;

constexpr double draws_a_second = 10;
constexpr std::size_t bar_width = 20;
constexpr std::size_t least_width_for_bar = 60;
constexpr double least_seconds_to_estimate = 2;

/// The columns of a terminal, or 80 when it does not tell.
std::size_t columns_of(int descriptor) {
  winsize size{};
  // NOLINTNEXTLINE(misc-include-cleaner): <sys/ioctl.h> is the public home of TIOCGWINSZ
  const bool known = ::ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return known ? size.ws_col : 80;
}

bool starts_character(char byte) {
  return (static_cast<unsigned char>(byte) & 0xC0U) != 0x80U;
}

/// The first characters of a text, without control characters that would move the cursor.
std::string first_characters(std::string_view text, std::size_t count) {
  std::string first;
  for (const char byte : text) {
    if (starts_character(byte) && count-- == 0)
      break;
    const auto code = static_cast<unsigned char>(byte);
    first += code < 0x20 || code == 0x7F ? '?' : byte;
  }
  return first;
}

std::string bar(double share) {
  const auto full = static_cast<std::size_t>(share * bar_width);
  return "[" + std::string(full, '#') + std::string(bar_width - full, '.') + "]";
}

/// A rough duration: nobody needs the seconds of an hour.
std::string about(double seconds) {
  if (seconds < 60)
    return fmt::format("{:.0f} s", std::round(seconds));
  if (seconds < 5400)
    return fmt::format("{:.0f} min", std::round(seconds / 60));
  return format_duration(Seconds(std::round(seconds / 60) * 60));
}

bool dumb_terminal() {
  const char* const kind = std::getenv("TERM"); // NOLINT(concurrency-mt-unsafe): one thread
  return kind == nullptr || std::string_view(kind) == "dumb";
}

void write_warning(std::FILE* file, const std::string& what) {
  std::fputs(("dragnet: warning: " + what + "\n").c_str(), file);
}

} // namespace

TerminalProgress::TerminalProgress(Screen screen, Detail detail)
    : screen_(std::move(screen)), detail_(detail), draws_allowed_(draws_a_second),
      last_time_(screen_.now()), first_time_(last_time_) {}

TerminalProgress::~TerminalProgress() {
  erase();
}

void TerminalProgress::now(const std::string& doing, double share) {
  if (doing.empty()) {
    erase();
    return;
  }
  const Time time = screen_.now();
  const double left = seconds_left(share, time);
  if (!may_draw(time))
    return;
  const std::string line = progress_line(doing, share, left, screen_.width() - 1);
  std::fputs(("\r" + line + "\x1b[K").c_str(), screen_.file);
  std::fflush(screen_.file);
  drawn_ = true;
}

void TerminalProgress::finished(const std::string& step) {
  if (detail_ == Detail::Verbose)
    print(step + "\n");
}

void TerminalProgress::warn(const std::string& what) {
  erase();
  write_warning(screen_.file, what);
}

/// Draws are saved up to a second's worth, so that a new step shows at once unless steps rush by.
bool TerminalProgress::may_draw(Time time) {
  const double passed = Seconds(time - last_time_).count();
  last_time_ = time;
  draws_allowed_ = std::min(draws_a_second, draws_allowed_ + (passed * draws_a_second));
  if (draws_allowed_ < 1)
    return false;
  draws_allowed_ -= 1;
  return true;
}

/// Counts from the first share that was told: resumed work does not begin at 0.
double TerminalProgress::seconds_left(double share, Time time) {
  if (share < 0)
    return -1;
  if (first_share_ < 0 || share < first_share_) {
    first_share_ = share;
    first_time_ = time;
  }
  const double passed = Seconds(time - first_time_).count();
  if (share <= first_share_ || passed < least_seconds_to_estimate)
    return -1;
  return passed * (1 - share) / (share - first_share_);
}

void TerminalProgress::erase() {
  if (!drawn_)
    return;
  std::fputs("\r\x1b[K", screen_.file);
  std::fflush(screen_.file);
  drawn_ = false;
}

void TerminalProgress::print(const std::string& line) {
  erase();
  std::fputs(line.c_str(), screen_.file);
}

void PlainProgress::now(const std::string& /*doing*/, double /*share*/) {}

void PlainProgress::finished(const std::string& step) {
  if (detail_ == Detail::Verbose)
    std::fputs((step + "\n").c_str(), file_);
}

void PlainProgress::warn(const std::string& what) {
  write_warning(file_, what);
}

std::unique_ptr<Progress> make_progress(Detail detail) {
  if (::isatty(STDERR_FILENO) == 0 || dumb_terminal())
    return std::make_unique<PlainProgress>(stderr, detail);
  Screen screen{.file = stderr,
                .width = [] { return columns_of(STDERR_FILENO); },
                .now = [] { return std::chrono::steady_clock::now(); }};
  return std::make_unique<TerminalProgress>(std::move(screen), detail);
}

std::string progress_line(std::string_view doing, double share, double seconds_left,
                          std::size_t width) {
  std::string figures;
  if (share >= 0) {
    const double known = std::min(share, 1.0);
    if (width >= least_width_for_bar)
      figures += "  " + bar(known);
    figures += fmt::format("  {:.0f} %", std::floor(known * 100));
  }
  if (seconds_left >= 0)
    figures += fmt::format("  about {} left", about(seconds_left));
  if (figures.size() >= width)
    return first_characters(doing, width);
  return first_characters(doing, width - figures.size()) + figures;
}

bool wants_colour(std::string_view when, int descriptor) {
  if (when != "auto")
    return when == "always";
  const char* const refused = std::getenv("NO_COLOR"); // NOLINT(concurrency-mt-unsafe): one thread
  return (refused == nullptr || *refused == '\0') && !dumb_terminal() && ::isatty(descriptor) != 0;
}

std::size_t page_width() {
  if (::isatty(STDOUT_FILENO) == 0)
    return 80;
  return std::clamp<std::size_t>(columns_of(STDOUT_FILENO), 40, 100);
}

std::size_t shown_width(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(text, starts_character));
}

void print_error(const Error& error) {
  std::string text = "dragnet: " + error.what + "\n";
  if (!error.hint.empty())
    text += "hint: " + error.hint + "\n";
  std::fputs(text.c_str(), stderr);
}

} // namespace dragnet::console
