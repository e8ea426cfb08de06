// The commands that do the work, each in a file of its own.
#pragma once

#include "console/command.h"

namespace dragnet::cli {

using console::any_number;
using console::Command;
using console::Completes;
using console::Option;
using console::Surroundings;
using console::Words;

Command init_command();
Command doctor_command();
Command measure_command();
Command check_command();
Command compare_command();
Command history_command();
Command bisect_command();
Command variants_command();
Command profile_command();
Command train_command();
Command select_command();
Command rank_command();
Command predictor_command();
Command explain_command();
Command provoke_command();
Command blame_command();
Command report_command();
Command show_command();
Command diff_command();
Command export_command();
Command import_command();
Command names_command();

} // namespace dragnet::cli
