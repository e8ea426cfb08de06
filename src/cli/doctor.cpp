// dragnet doctor: what this machine can measure, and what would make it better.

#include "base/result.h"
#include "cli/real_commands.h"
#include "cli/setting.h"
#include "model/inspection.h"
#include "report/inspection.h"
#include "run/inspect.h"
#include "run/machine.h"

#include <vector>

namespace dragnet::cli {
namespace {

// The store is looked at only where there is a project with one.
void inspect_store(const Surroundings& surroundings, std::vector<Inspection>& found) {
  const auto project = open_project(surroundings);
  if (!project)
    return;
  const auto store = open_store(*project);
  if (!store) {
    found.push_back({"store", Grade::Poor, store.error().what, store.error().hint});
    return;
  }
  if (!*store)
    return;
  const auto sound = (*store)->check_integrity();
  found.push_back(sound ? Inspection{"store", Grade::Good, "sound", {}}
                        : Inspection{"store", Grade::Poor, sound.error().what, sound.error().hint});
}

Result<int> act(const Words& words, Surroundings& surroundings) {
  auto found = run::inspect_machine();
  inspect_store(surroundings, found);
  const auto machine = run::this_machine();
  surroundings.output.write(words.value("format") == "json"
                                ? report::inspection_json(found, machine, version())
                                : report::inspection_text(found, machine, surroundings.colour));
  return 0;
}

} // namespace

Command doctor_command() {
  Command command;
  command.name = "doctor";
  command.group = "Measure";
  command.summary = "say what this machine can measure and what would make it better";
  command.description =
      "Looks at hardware counters, valgrind, tracing, frequency scaling, load, address "
      "randomisation, "
      "shared cores and noise, and names the one command that improves each. Changes nothing.";
  command.options = {format_option({"text", "json"})};
  command.act = act;
  return command;
}

} // namespace dragnet::cli
