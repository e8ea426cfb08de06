#include "cli/commands.h"
#include "console/program.h"

#include <cstddef>
#include <cstdio>
#include <exception>
#include <span>

int main(int count, char** words) {
  try {
    return dragnet::console::program(std::span(words, static_cast<std::size_t>(count)),
                                     dragnet::cli::all_commands());
  } catch (const std::exception& problem) {
    for (const char* const part : {"dragnet: internal error: ", problem.what(), "\n"})
      std::fputs(part, stderr);
    return 2;
  }
}
