#include "base/process.h"

#include "base/files.h"
#include "base/result.h"
#include "base/text.h"

#include <fcntl.h>
#include <filesystem>
#include <fmt/core.h>
#include <poll.h>
#include <string>
#include <string_view>
#include <sys/poll.h>
#include <sys/prctl.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <system_error>
#include <vector>

namespace dragnet {
namespace fs = std::filesystem;
namespace {

struct Pipe {
  FileDescriptor read_end;
  FileDescriptor write_end;
};

Result<Pipe> make_pipe() {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0)
    return Error{fmt::format("cannot make a pipe: {}", std::generic_category().message(errno)), {}};
  return Pipe{FileDescriptor(ends[0]), FileDescriptor(ends[1])};
}

std::vector<char*> pointers(const std::vector<std::string>& words) {
  std::vector<char*> result;
  result.reserve(words.size() + 1);
  for (const auto& word : words)
    result.push_back(const_cast<char*>(
        word.c_str())); // NOLINT(cppcoreguidelines-pro-type-const-cast): exec's type
  result.push_back(nullptr);
  return result;
}

// Until exec the child uses our memory, while we wait: it only makes system calls, with what was
// prepared before. Copying our page tables would cost more than many a question to git.
struct Start {
  std::vector<char*> words;
  const char* folder;
  std::vector<char*> environment;
  int output;
  int errors;
};

[[noreturn]] void become(const Start& start, pid_t parent) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent)
    ::_exit(127);
  ::signal(SIGINT, SIG_DFL);
  ::signal(SIGTERM, SIG_DFL);
  ::signal(SIGPIPE, SIG_DFL);
  const int nothing = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  if (nothing < 0)
    ::_exit(127);
  ::dup2(nothing, STDIN_FILENO);
  ::dup2(start.output, STDOUT_FILENO);
  ::dup2(start.errors, STDERR_FILENO);
  if (start.folder != nullptr && ::chdir(start.folder) != 0)
    ::_exit(127);
  ::execvpe(start.words[0], start.words.data(), start.environment.data());
  ::_exit(127);
}

void drain(Pipe& output, Pipe& errors, CommandOutput& into) {
  std::array<pollfd, 2> watched{pollfd{output.read_end.number(), POLLIN, 0},
                                pollfd{errors.read_end.number(), POLLIN, 0}};
  std::array<std::string*, 2> texts{&into.output, &into.errors};
  std::array<char, 16384> buffer; // NOLINT(cppcoreguidelines-pro-type-member-init): filled by read
  while (watched[0].fd >= 0 || watched[1].fd >= 0) {
    if (::poll(watched.data(), watched.size(), -1) < 0)
      continue;
    for (std::size_t i = 0; i < watched.size(); ++i) {
      if (watched[i].fd < 0 || watched[i].revents == 0)
        continue;
      const ssize_t got = ::read(watched[i].fd, buffer.data(), buffer.size());
      if (got > 0)
        texts[i]->append(buffer.data(), static_cast<std::size_t>(got));
      else if (got == 0 || errno != EINTR)
        watched[i].fd = -1;
    }
  }
}

int wait_for(pid_t child) {
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

bool names(const std::vector<std::string>& entries, std::string_view name) {
  return std::ranges::any_of(
      entries, [&](const std::string& entry) { return entry.substr(0, entry.find('=')) == name; });
}

std::vector<std::string> environment_for(const CommandSurroundings& in) {
  std::vector<std::string> all = in.environment;
  // NOLINTNEXTLINE(cppcoreguidelines-pro-bounds-pointer-arithmetic): a list of C's
  for (char** entry = ::environ; *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    const std::string_view name = text.substr(0, text.find('='));
    if (!names(in.environment, name) && !names(in.without, name))
      all.emplace_back(text);
  }
  return all;
}

} // namespace

Result<CommandOutput> run_command(const std::vector<std::string>& words,
                                  const CommandSurroundings& in) {
  if (find_program(words.front()).empty())
    return Error{fmt::format("cannot start {}: there is no such program", words.front()),
                 fmt::format("install it: apt-get install {}", words.front())};
  std::error_code problem;
  if (!in.folder.empty() && !fs::is_directory(in.folder, problem))
    return Error{fmt::format("cannot start {} in {}: there is no such folder", words.front(),
                             in.folder.string()),
                 {}};
  Pipe output = TRY(make_pipe());
  Pipe errors = TRY(make_pipe());
  const auto environment = environment_for(in);
  const std::string folder = in.folder.string();
  const Start start{pointers(words), folder.empty() ? nullptr : folder.c_str(),
                    pointers(environment), output.write_end.number(), errors.write_end.number()};
  const pid_t us = ::getpid();
  // posix_spawn cannot make it end with us.
  // NOLINTBEGIN(bugprone-unsafe-functions,clang-analyzer-*): become only makes system calls
  const pid_t child = ::vfork();
  if (child < 0)
    return Error{
        fmt::format("cannot start {}: {}", words.front(), std::generic_category().message(errno)),
        {}};
  if (child == 0)
    become(start, us);
  // NOLINTEND(bugprone-unsafe-functions,clang-analyzer-*)
  output.write_end.close();
  errors.write_end.close();
  CommandOutput result;
  drain(output, errors, result);
  result.status = wait_for(child);
  return result;
}

std::string environment_variable(const std::string& name) {
  // NOLINTNEXTLINE(concurrency-mt-unsafe): nothing here changes the environment
  const char* value = std::getenv(name.c_str());
  return value == nullptr ? std::string{} : std::string(value);
}

namespace {

bool is_program(const fs::path& path) {
  std::error_code problem;
  return fs::is_regular_file(path, problem) && ::access(path.c_str(), X_OK) == 0;
}

} // namespace

fs::path find_program(const std::string& name) {
  if (name.find('/') != std::string::npos)
    return is_program(name) ? fs::path(name) : fs::path();
  const std::string path = environment_variable("PATH");
  for (const auto& folder : split(path.empty() ? "/usr/bin:/bin" : path, ':')) {
    fs::path candidate = fs::path(folder) / name;
    if (is_program(candidate))
      return candidate;
  }
  return {};
}

Result<fs::path> helper_program(const std::string& name) {
  std::error_code problem;
  const fs::path us = fs::read_symlink("/proc/self/exe", problem);
  const std::vector<fs::path> places{us.parent_path() / name, us.parent_path().parent_path() / name,
                                     us.parent_path().parent_path() / "libexec/dragnet" / name};
  for (const auto& place : places)
    if (is_program(place))
      return place;
  return Error{
      fmt::format(
          "cannot find our helper program {}: it is neither in {} nor in ../libexec/dragnet", name,
          us.parent_path().string()),
      "install Dragnet whole: cmake --install build, or ./dev build in its sources"};
}

} // namespace dragnet
