#include "runtime/program_start.h"

#include "runtime/raw_calls.h"
#include "runtime/stacks_format.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

enum { variable_count = 2, variable_size = 4096, most_variables = 1024 };

static const char* const names[variable_count] = {"LD_PRELOAD=", DRAGNET_STACKS_INTO "="};
static char variables[variable_count][variable_size];

const char* remember_variables(char* const* environment) {
  for (char* const* variable = environment; *variable != NULL; ++variable)
    for (int which = 0; which < variable_count; ++which)
      if (starts_with(*variable, names[which]) && raw_size(*variable) < variable_size)
        memcpy(variables[which], *variable, raw_size(*variable) + 1);
  return variables[1][0] == '\0' ? NULL : variables[1] + raw_size(names[1]);
}

// Whether a program's own list of libraries begins with ours.
static bool is_kept(const char* variable, int which) {
  return starts_with(variable, variables[which]);
}

static bool replaces(const char* variable) {
  for (int which = 0; which < variable_count; ++which)
    if (starts_with(variable, names[which]))
      return true;
  return false;
}

long start_program(long number, const long arguments[5]) {
  long now[5];
  memcpy(now, arguments, sizeof now);
  const int place = number == SYS_execve ? 2 : 3;
  char* const* given = (char* const*)now[place];
  size_t count = 0;
  int kept = 0;
  for (; given != NULL && given[count] != NULL; ++count)
    for (int which = 0; which < variable_count; ++which)
      kept += is_kept(given[count], which);
  const size_t room = kept < variable_count && count <= most_variables ? count : 0;
  const char* ours[room + variable_count + 1];
  if (kept < variable_count && count <= most_variables) {
    size_t filled = 0;
    for (size_t index = 0; index < count; ++index)
      if (!replaces(given[index]))
        ours[filled++] = given[index];
    for (int which = 0; which < variable_count; ++which)
      if (variables[which][0] != '\0')
        ours[filled++] = variables[which];
    ours[filled] = NULL;
    now[place] = (long)ours;
  }
  return raw_call6(number, now[0], now[1], now[2], now[3], now[4], 0);
}
