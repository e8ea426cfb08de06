// Answers on standard output: the progress line is out of the way while they are written, and a
// failed write is noticed.
#pragma once

#include "base/progress.h"

#include <cstdio>
#include <string_view>

namespace dragnet::console {

/// Writes answers to a file and remembers the first failure.
class Output {
public:
  Output(std::FILE* file, Progress& progress) : file_(file), progress_(progress) {}

  /// Writes a part of the answer.
  void write(std::string_view text);

  /// Whether a write has failed; a command with much more to write may stop then.
  bool failed() const { return trouble_ != 0; }

  /// Hands everything to the system and gives the errno of the first failure, or 0.
  int finish();

private:
  std::FILE* file_;
  Progress& progress_;
  int trouble_ = 0;
};

} // namespace dragnet::console
