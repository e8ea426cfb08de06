#include "cli/commands.h"

#include "cli/real_commands.h"
#include "console/command.h"
#include "console/frame_commands.h"
#include <vector>

namespace dragnet::cli {

const std::vector<console::Command>& all_commands() {
  static const std::vector<console::Command> commands{
      init_command(),
      doctor_command(),
      measure_command(),
      check_command(),
      compare_command(),
      history_command(),
      bisect_command(),
      variants_command(),
      profile_command(),
      train_command(),
      select_command(),
      rank_command(),
      predictor_command(),
      explain_command(),
      provoke_command(),
      blame_command(),
      report_command(),
      show_command(),
      diff_command(),
      export_command(),
      import_command(),
      console::help_command(),
      names_command(),
      console::completion_command(),
      console::manual_command(),
  };
  return commands;
}

} // namespace dragnet::cli
