#include "console/program.h"

#include "base/interrupt.h"
#include "base/progress.h"
#include "base/result.h"
#include "console/command.h"
#include "console/describe.h"
#include "console/help.h"
#include "console/output.h"
#include "console/parse.h"
#include "console/terminal.h"

#include <fmt/core.h>

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace dragnet::console {
namespace {

constexpr int trouble_status = 2;
constexpr int interrupted_status = 130;
// What a shell shows for a program that SIGPIPE ended. SIGPIPE itself is left as it is, because
// ignoring it would be inherited by the programs that we measure; this is for callers who ignore
// it.
constexpr int closed_pipe_status = 141;

/// Fills closed standard descriptors, so that no file that is opened later (the store!) gets their
/// number. They are filled with what cannot be written to: an answer to a closed output is still
/// noticed.
void fill_standard_descriptors() {
  for (const int number : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (::fcntl(number, F_GETFD) < 0 && errno == EBADF)
      ::open("/dev/null", number == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

Result<> enter(const std::vector<std::string>& folders) {
  for (const auto& folder : folders) {
    std::error_code problem;
    std::filesystem::current_path(folder, problem);
    if (problem)
      return Error{.what = fmt::format("cannot work in '{}': {}", folder, problem.message()),
                   .hint = {}};
  }
  return success();
}

Result<int> carry_out(const CommandLine& line, Surroundings& around) {
  if (line.request == Request::Version) {
    around.output.write(fmt::format("dragnet {}\n", version()));
    return 0;
  }
  if (line.command == nullptr) {
    around.output.write(overview_text(around.commands, page_width()));
    return line.request == Request::Help ? 0 : trouble_status;
  }
  if (line.request == Request::Help) {
    around.output.write(help_text(*line.command, page_width()));
    return 0;
  }
  return line.command->act(line.words, around);
}

/// The exit status, after everything that must be said about how it ended.
int concluded(const Result<int>& result, Output& output) {
  const int problem = output.finish();
  if (!result)
    print_error(result.error());
  if (problem == EPIPE)
    return closed_pipe_status;
  if (problem != 0) {
    const std::string reason = std::error_code(problem, std::generic_category()).message();
    print_error({.what = "cannot write to standard output: " + reason, .hint = {}});
  }
  if (problem != 0)
    return trouble_status;
  if (interrupted()) {
    if (result)
      print_error({.what = "interrupted", .hint = {}});
    return interrupted_status;
  }
  return result ? *result : trouble_status;
}

Result<int> live(const CommandLine& line, const std::vector<Command>& commands, Output& output,
                 Progress& progress) {
  TRY(enter(line.words.values("C")));
  std::error_code problem;
  auto folder = std::filesystem::current_path(problem);
  if (problem)
    return Error{.what = "cannot find the current folder: " + problem.message(), .hint = {}};
  Surroundings around{.folder = std::move(folder),
                      .progress = progress,
                      .output = output,
                      .colour = wants_colour(line.words.value("colour"), STDOUT_FILENO),
                      .verbose = line.words.has("verbose"),
                      .commands = commands};
  return carry_out(line, around);
}

} // namespace

int program(std::span<char*> words, const std::vector<Command>& commands) {
  fill_standard_descriptors();
  const std::span<char*> after_name = words.empty() ? words : words.subspan(1);
  const auto line = parse({after_name.begin(), after_name.end()}, commands);
  if (!line) {
    print_error(line.error());
    return trouble_status;
  }
  const auto progress = make_progress(line->words.has("verbose") ? Detail::Verbose : Detail::Short);
  Output output(stdout, *progress);
  const auto result = live(*line, commands, output, *progress);
  progress->now("", -1);
  return concluded(result, output);
}

} // namespace dragnet::console
