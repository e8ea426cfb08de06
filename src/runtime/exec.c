// dragnet-exec.so, loaded into every process of a benchmark by LD_PRELOAD: starts the programs that
// lie below a folder inside the emulator that counts, and everything else as it is. So a shell or
// a script runs at full speed, and what it starts of the build is counted.
//
// All functions of the C library that start a program by its file are replaced. system() and
// popen() start a shell from inside the C library, past our functions; that shell has this library
// too. Nothing here allocates after the start: programs call us between vfork and exec.
//
// Not seen: programs that are linked statically and start others, and programs whose rights are
// raised on execution.

#define _GNU_SOURCE
#include "runtime/exec_wire.h"
#include "runtime/program_file.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define EXPORTED __attribute__((visibility("default")))

typedef int (*execvpe_function)(const char*, char* const[], char* const[]);
typedef int (*spawn_function)(pid_t*, const char*, const posix_spawn_file_actions_t*,
                              const posix_spawnattr_t*, char* const[], char* const[]);

enum { below, with, plugin, preload, setting_count };

// What we were told at the start; it is passed on also by programs that clear their environment.
static struct {
  const char* value;
  char* variable; // NAME=value
} settings[setting_count];
static const char* const setting_names[setting_count] = {DRAGNET_COUNT_BELOW, DRAGNET_COUNT_WITH,
                                                         DRAGNET_COUNT_PLUGIN, "LD_PRELOAD"};
static execvpe_function real_execvpe;
static spawn_function real_spawn;
static spawn_function real_spawnp;
static bool ready;

static void remember(int setting) {
  const char* name = setting_names[setting];
  const char* value = getenv(name);
  if (value == NULL)
    return;
  const size_t name_size = strlen(name);
  char* variable = malloc(name_size + 1 + strlen(value) + 1);
  if (variable == NULL)
    return;
  memcpy(variable, name, name_size);
  variable[name_size] = '=';
  strcpy(variable + name_size + 1, value);
  settings[setting].variable = variable;
  settings[setting].value = variable + name_size + 1;
}

__attribute__((constructor)) static void prepare(void) {
  if (ready)
    return;
  ready = true;
  for (int setting = 0; setting < setting_count; ++setting)
    remember(setting);
  // POSIX promises that these conversions work.
  *(void**)&real_execvpe = dlsym(RTLD_NEXT, "execvpe");
  *(void**)&real_spawn = dlsym(RTLD_NEXT, "posix_spawn");
  *(void**)&real_spawnp = dlsym(RTLD_NEXT, "posix_spawnp");
}

static bool counting(void) {
  return settings[below].value != NULL && settings[with].value != NULL &&
         settings[plugin].value != NULL;
}

static size_t length(char* const* texts) {
  size_t count = 0;
  while (texts != NULL && texts[count] != NULL)
    ++count;
  return count;
}

// A wish to start a program. `begin` does it in the way of the function that was called.
struct launch {
  int (*begin)(const struct launch* wish, const char* program, char* const words[],
               char* const variables[]);
  const char* name;  // as the caller gave it
  const char* found; // the file that it means; NULL: unknown
  char* const* words;
  char* const* variables;
  pid_t* process; // the rest is for posix_spawn and execveat
  const posix_spawn_file_actions_t* actions;
  const posix_spawnattr_t* attributes;
  int folder;
  int flags;
};

static int begin_inside_emulator(const struct launch* wish, char* const variables[]) {
  const size_t count = length(wish->words);
  char* words[count + 9];
  char* front[] = {(char*)settings[with].value,
                   "-0",
                   wish->words[0],
                   "-cpu",
                   "max",
                   "-plugin",
                   (char*)settings[plugin].value,
                   (char*)wish->found};
  const size_t front_count = sizeof front / sizeof front[0];
  memcpy(words, front, sizeof front);
  // The rest of the words, with the NULL behind them.
  memcpy(words + front_count, wish->words + 1, count * sizeof *words);
  return wish->begin(wish, settings[with].value, words, variables);
}

static bool is_setting(const char* variable, int setting) {
  const size_t size = strlen(setting_names[setting]);
  return strncmp(variable, setting_names[setting], size) == 0 && variable[size] == '=';
}

// The libraries that the caller wants to preload beside ours; NULL when there are none.
static const char* other_preload(char* const* variables) {
  for (; variables != NULL && *variables != NULL; ++variables)
    if (is_setting(*variables, preload))
      return strstr(*variables, "dragnet-exec.so") == NULL ? strchr(*variables, '=') + 1 : NULL;
  return NULL;
}

// The caller's environment with our settings in place of its own; returns how many there are.
static size_t fill_variables(char** filled, char* const* variables) {
  size_t count = 0;
  for (; variables != NULL && *variables != NULL; ++variables) {
    bool ours = false;
    for (int setting = 0; setting < setting_count; ++setting)
      ours = ours || is_setting(*variables, setting);
    if (!ours)
      filled[count++] = *variables;
  }
  for (int setting = 0; setting < setting_count; ++setting)
    if (settings[setting].variable != NULL)
      filled[count++] = settings[setting].variable;
  filled[count] = NULL;
  return count;
}

static int begin(const struct launch* wish) {
  prepare();
  if (!counting())
    return wish->begin(wish, wish->name, wish->words, wish->variables);
  char* variables[length(wish->variables) + setting_count + 1];
  const size_t count = fill_variables(variables, wish->variables);
  const char* others = other_preload(wish->variables);
  const char* ours = settings[preload].variable;
  char both[(ours != NULL ? strlen(ours) : 0) + (others != NULL ? strlen(others) : 0) + 2];
  if (ours != NULL && others != NULL) {
    // Ours is the last that was filled in.
    variables[count - 1] = strcat(strcat(strcpy(both, ours), ":"), others);
  }
  if (wish->found != NULL && length(wish->words) > 0 &&
      is_program_below(wish->found, settings[below].value))
    return begin_inside_emulator(wish, variables);
  return wish->begin(wish, wish->name, wish->words, variables);
}

static int by_execve(const struct launch* wish, const char* program, char* const words[],
                     char* const variables[]) {
  (void)wish;
  return (int)syscall(SYS_execve, program, words, variables);
}

static int by_execvpe(const struct launch* wish, const char* program, char* const words[],
                      char* const variables[]) {
  (void)wish;
  return real_execvpe(program, words, variables);
}

static int by_execveat(const struct launch* wish, const char* program, char* const words[],
                       char* const variables[]) {
  if (program != wish->name)
    return (int)syscall(SYS_execve, program, words, variables);
  return (int)syscall(SYS_execveat, wish->folder, program, words, variables, wish->flags);
}

static int by_spawn(const struct launch* wish, const char* program, char* const words[],
                    char* const variables[]) {
  return real_spawn(wish->process, program, wish->actions, wish->attributes, words, variables);
}

static int by_spawnp(const struct launch* wish, const char* program, char* const words[],
                     char* const variables[]) {
  return real_spawnp(wish->process, program, wish->actions, wish->attributes, words, variables);
}

EXPORTED int execve(const char* path, char* const words[], char* const variables[]) {
  const struct launch wish = {
      .begin = by_execve, .name = path, .found = path, .words = words, .variables = variables};
  return begin(&wish);
}

EXPORTED int execv(const char* path, char* const words[]) {
  return execve(path, words, environ);
}

EXPORTED int execvpe(const char* name, char* const words[], char* const variables[]) {
  char found[PATH_MAX];
  const struct launch wish = {.begin = by_execvpe,
                              .name = name,
                              .found = search_path(name, found) ? found : NULL,
                              .words = words,
                              .variables = variables};
  return begin(&wish);
}

EXPORTED int execvp(const char* name, char* const words[]) {
  return execvpe(name, words, environ);
}

EXPORTED int execveat(int folder, const char* path, char* const words[], char* const variables[],
                      int flags) {
  char found[PATH_MAX];
  const bool itself = path[0] == '\0' && (flags & AT_EMPTY_PATH) != 0;
  const int file = itself ? folder : openat(folder, path, O_PATH | O_CLOEXEC);
  const bool known = file >= 0 && path_of_open_file(file, found);
  if (!itself && file >= 0)
    close(file);
  const struct launch wish = {.begin = by_execveat,
                              .name = path,
                              .found = known ? found : NULL,
                              .words = words,
                              .variables = variables,
                              .folder = folder,
                              .flags = flags};
  return begin(&wish);
}

EXPORTED int fexecve(int file, char* const words[], char* const variables[]) {
  return execveat(file, "", words, variables, AT_EMPTY_PATH);
}

EXPORTED int posix_spawn(pid_t* process, const char* path,
                         const posix_spawn_file_actions_t* actions,
                         const posix_spawnattr_t* attributes, char* const words[],
                         char* const variables[]) {
  const struct launch wish = {.begin = by_spawn,
                              .name = path,
                              .found = path,
                              .words = words,
                              .variables = variables,
                              .process = process,
                              .actions = actions,
                              .attributes = attributes};
  return begin(&wish);
}

EXPORTED int posix_spawnp(pid_t* process, const char* name,
                          const posix_spawn_file_actions_t* actions,
                          const posix_spawnattr_t* attributes, char* const words[],
                          char* const variables[]) {
  char found[PATH_MAX];
  const struct launch wish = {.begin = by_spawnp,
                              .name = name,
                              .found = search_path(name, found) ? found : NULL,
                              .words = words,
                              .variables = variables,
                              .process = process,
                              .actions = actions,
                              .attributes = attributes};
  return begin(&wish);
}

// The words of execl and its like, which end with a NULL that is counted too.
static size_t count_words(va_list rest) {
  size_t count = 2;
  while (va_arg(rest, char*) != NULL)
    ++count;
  return count;
}

static void fill_words(char** words, const char* first, va_list rest) {
  *words = (char*)first;
  while (*words != NULL)
    *++words = va_arg(rest, char*);
}

enum way { as_execl, as_execlp, as_execle };

static int begin_listed(enum way way, const char* name, const char* first, va_list rest,
                        size_t count) {
  char* words[count];
  fill_words(words, first, rest);
  if (way == as_execlp)
    return execvp(name, words);
  return execve(name, words, way == as_execle ? va_arg(rest, char* const*) : environ);
}

#define LISTED(way)                                                                                \
  va_list rest;                                                                                    \
  va_start(rest, first);                                                                           \
  const size_t count = count_words(rest);                                                          \
  va_end(rest);                                                                                    \
  va_start(rest, first);                                                                           \
  const int result = begin_listed(way, name, first, rest, count);                                  \
  va_end(rest);                                                                                    \
  return result

EXPORTED int execl(const char* name, const char* first, ...) {
  LISTED(as_execl);
}

EXPORTED int execlp(const char* name, const char* first, ...) {
  LISTED(as_execlp);
}

EXPORTED int execle(const char* name, const char* first, ...) {
  LISTED(as_execle);
}
