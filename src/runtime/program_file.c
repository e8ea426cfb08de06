#define _GNU_SOURCE
#include "runtime/program_file.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#if defined(__x86_64__)
enum { this_machine = EM_X86_64 };
#else
enum { this_machine = EM_NONE };
#endif

bool path_of_open_file(int file, char path[PATH_MAX]) {
  char digits[10];
  size_t count = 0;
  for (int rest = file; rest > 0 || count == 0; rest /= 10)
    digits[count++] = (char)('0' + rest % 10);
  char link[32] = "/proc/self/fd/";
  for (char* end = link + strlen(link); count > 0; ++end)
    *end = digits[--count];
  const ssize_t size = readlink(link, path, PATH_MAX - 1);
  if (size <= 0)
    return false;
  path[size] = '\0';
  return path[0] == '/';
}

static bool is_executable_file(const char* path) {
  struct stat status;
  return stat(path, &status) == 0 && S_ISREG(status.st_mode) && access(path, X_OK) == 0;
}

static bool joined(const char* folder, size_t folder_size, const char* name, char found[PATH_MAX]) {
  const size_t name_size = strlen(name);
  if (folder_size + 1 + name_size >= PATH_MAX)
    return false;
  memcpy(found, folder, folder_size);
  size_t at = folder_size;
  if (at > 0)
    found[at++] = '/';
  memcpy(found + at, name, name_size + 1);
  return true;
}

bool search_path(const char* name, char found[PATH_MAX]) {
  if (strchr(name, '/') != NULL)
    return joined("", 0, name, found);
  const char* folders = getenv("PATH");
  if (folders == NULL)
    folders = "/bin:/usr/bin";
  for (;;) {
    const size_t size = strcspn(folders, ":");
    if (joined(folders, size, name, found) && is_executable_file(found))
      return true;
    if (folders[size] == '\0')
      return false;
    folders += size + 1;
  }
}

static bool lies_below(const char* path, const char* folder) {
  const size_t size = strlen(folder);
  if (strcmp(folder, "/") == 0)
    return true;
  return strncmp(path, folder, size) == 0 && path[size] == '/';
}

static bool is_for_this_machine(int file) {
  unsigned char head[20];
  if (pread(file, head, sizeof head, 0) != (ssize_t)sizeof head)
    return false;
  const unsigned type = head[16] | (unsigned)head[17] << 8;
  const unsigned machine = head[18] | (unsigned)head[19] << 8;
  return memcmp(head, ELFMAG, SELFMAG) == 0 && head[EI_CLASS] == ELFCLASS64 &&
         machine == this_machine && (type == ET_EXEC || type == ET_DYN);
}

bool is_program_below(const char* path, const char* folder) {
  const int error_number = errno;
  char real[PATH_MAX];
  const int file = open(path, O_RDONLY | O_CLOEXEC);
  const bool counted = file >= 0 && path_of_open_file(file, real) && lies_below(real, folder) &&
                       is_for_this_machine(file) && is_executable_file(path);
  if (file >= 0)
    close(file);
  errno = error_number;
  return counted;
}
