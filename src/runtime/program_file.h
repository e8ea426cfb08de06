// Which file a program's name means, and whether it is one that we count. Nothing here allocates:
// it is used between vfork and exec.
#pragma once

#include <limits.h>
#include <stdbool.h>

/// The path of an open file, without links; false when the kernel does not tell.
bool path_of_open_file(int file, char path[PATH_MAX]);

/// The first executable of this name in PATH, or the name itself if it has a slash; false when
/// there is none.
bool search_path(const char* name, char found[PATH_MAX]);

/// Whether a file lies below a folder, may be executed and is a program for this machine.
bool is_program_below(const char* file, const char* folder);
