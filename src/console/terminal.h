// How Dragnet talks to a person: a progress line on standard error, warnings, errors, and whether
// colours are welcome.
#pragma once

#include "base/progress.h"
#include "base/result.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace dragnet::console {

/// How much is told about steps that went well.
enum class Detail : std::uint8_t { Short, Verbose };

/// Where a progress line is drawn and how time passes there.
struct Screen {
  std::FILE* file = stderr;
  std::function<std::size_t()> width;
  std::function<std::chrono::steady_clock::time_point()> now;
};

/// One line, redrawn at most ten times a second: what is being done, a bar, the percentage and the
/// time left. It is erased before anything else is written, at its end, and by now("", -1).
class TerminalProgress final : public Progress {
public:
  TerminalProgress(Screen screen, Detail detail);
  ~TerminalProgress() override;
  TerminalProgress(const TerminalProgress&) = delete;
  TerminalProgress& operator=(const TerminalProgress&) = delete;
  TerminalProgress(TerminalProgress&&) = delete;
  TerminalProgress& operator=(TerminalProgress&&) = delete;

  void now(const std::string& doing, double share) override;
  void finished(const std::string& step) override;
  void warn(const std::string& what) override;

private:
  bool may_draw(std::chrono::steady_clock::time_point time);
  double seconds_left(double share, std::chrono::steady_clock::time_point time);
  void erase();
  void print(const std::string& line);

  Screen screen_;
  Detail detail_;
  bool drawn_ = false;
  double draws_allowed_;
  std::chrono::steady_clock::time_point last_time_;
  std::chrono::steady_clock::time_point first_time_;
  double first_share_ = -1;
};

/// For files and pipes: warnings, and with Detail::Verbose one line for each finished step.
class PlainProgress final : public Progress {
public:
  PlainProgress(std::FILE* file, Detail detail) : file_(file), detail_(detail) {}

  void now(const std::string& doing, double share) override;
  void finished(const std::string& step) override;
  void warn(const std::string& what) override;

private:
  std::FILE* file_;
  Detail detail_;
};

/// The progress that fits standard error.
std::unique_ptr<Progress> make_progress(Detail detail);

/// The text of a progress line, at most `width` characters. Unknown shares and times are negative.
std::string progress_line(std::string_view doing, double share, double seconds_left,
                          std::size_t width);

/// Whether to write colours to a file descriptor: `when` is auto, always or never.
bool wants_colour(std::string_view when, int descriptor);

/// How wide a page of text should be: as the terminal of standard output, within 40 and 100; 80
/// elsewhere.
std::size_t page_width();

/// How many characters a text shows, which must be UTF-8.
std::size_t shown_width(std::string_view text);

/// Writes "dragnet: <what>", and "hint: <hint>" if there is one, to standard error.
void print_error(const Error& error);

} // namespace dragnet::console
