// dragnet __names: the words that shells complete with.

#include "base/result.h"
#include "cli/real_commands.h"
#include "cli/setting.h"
#include "model/metric.h"

namespace dragnet::cli {
namespace {

Result<int> act(const Words& words, Surroundings& surroundings) {
  if (words.argument("KIND") == "metrics") {
    for (const auto& name : metric_names())
      surroundings.output.write(name + "\n");
    return 0;
  }
  const auto project = TRY(open_project(surroundings));
  for (const auto& benchmark : project.benchmarks)
    surroundings.output.write(benchmark.name + "\n");
  return 0;
}

} // namespace

Command names_command() {
  Command command;
  command.name = "__names";
  command.summary = "list the names that shells complete with";
  command.arguments = {
      {.name = "KIND", .meaning = "of which kind", .choices = {"benchmarks", "metrics"}}};
  command.hidden = true;
  command.act = act;
  return command;
}

} // namespace dragnet::cli
