#include "console/command.h"

#include "base/result.h"

#include <fmt/core.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace dragnet::console {

Error usage_error(std::string_view command, const std::string& what, const std::string& hint) {
  const std::string see = command.empty() ? std::string("see: dragnet --help")
                                          : fmt::format("see: dragnet {} --help", command);
  return Error{.what = command.empty() ? what : fmt::format("{}: {}", command, what),
               .hint = hint.empty() ? see : hint + (hint.ends_with('?') ? " " : "; ") + see};
}

const std::vector<Option>& common_options() {
  static const std::vector<Option> options{
      {.letter = "h", .name = "help", .meaning = "show this help"},
      {.letter = "v", .name = "verbose", .meaning = "tell each step on standard error"},
      {.name = "colour",
       .value = "WHEN",
       .meaning = "use colours",
       .standard = "auto",
       .choices = {"auto", "always", "never"},
       .also = "color"},
      {.letter = "C",
       .value = "FOLDER",
       .meaning = "work as if started in this folder",
       .repeated = true,
       .completes = Completes::Folder},
  };
  return options;
}

const std::vector<ExitStatus>& usual_exits() {
  static const std::vector<ExitStatus> exits{
      {.status = 0, .meaning = "it is done"},
      {.status = 2, .meaning = "trouble: wrong usage, bad configuration, or it failed"},
  };
  return exits;
}

const Command* find_command(const std::vector<Command>& commands, std::string_view name) {
  const auto found = std::ranges::find(commands, name, &Command::name);
  return found == commands.end() ? nullptr : &*found;
}

} // namespace dragnet::console
