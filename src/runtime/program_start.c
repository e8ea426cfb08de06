#include "runtime/program_start.h"

#include "runtime/raw_calls.h"
#include "runtime/stacks_format.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

enum { variable_count = 3, variable_size = 4096, most_variables = 1024 };

static const char* const names[variable_count] = {"LD_PRELOAD=", DRAGNET_STACKS_INTO "=",
                                                  DRAGNET_STACKS_SITES "="};
static char variables[variable_count][variable_size];

static const char* value_of(int which) {
  return variables[which][0] == '\0' ? NULL : variables[which] + raw_size(names[which]);
}

const char* remember_variables(char* const* environment) {
  for (char* const* variable = environment; *variable != NULL; ++variable)
    for (int which = 0; which < variable_count; ++which)
      if (starts_with(*variable, names[which]) && raw_size(*variable) < variable_size)
        memcpy(variables[which], *variable, raw_size(*variable) + 1);
  return value_of(1);
}

const char* sites_folder(void) {
  return value_of(2);
}

// Whether a program gets a variable as we have it; its own list of libraries may begin with ours.
static bool is_kept(const char* variable, int which) {
  return variables[which][0] != '\0' && starts_with(variable, variables[which]);
}

static int count_ours(void) {
  int count = 0;
  for (int which = 0; which < variable_count; ++which)
    count += variables[which][0] != '\0';
  return count;
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
  const size_t room = kept < count_ours() && count <= most_variables ? count : 0;
  const char* ours[room + variable_count + 1];
  if (kept < count_ours() && count <= most_variables) {
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
