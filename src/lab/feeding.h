// Runs of the command of [provoke] on sequences of inputs.
#pragma once

#include "base/result.h"
#include "lab/laboratory.h"
#include "model/run.h"
#include "project/project.h"

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace dragnet::lab {

/// A build and the inputs that it is to take, in order.
struct Feeding {
  std::string build_folder;
  std::vector<std::string> inputs;
  std::size_t users = 1; ///< of a server, each of whom sends all of them
};

/// Runs the command of [provoke] on each, so many at once; one run for each, in their order. That a
/// program rejects its inputs, crashes or hangs is an outcome; that a server does not get ready is
/// an Error. Keeps nothing.
Result<std::vector<Run>> feed(Laboratory& laboratory, std::span<const Feeding> feedings,
                              Method method, std::size_t at_once);

/// What a program is given on standard input or in a file: the inputs, each on lines of its own.
std::string input_text(const std::vector<std::string>& inputs);

/// The command with inputs as arguments, where they are given so; otherwise as it is.
std::string fed_command(const project::Provoke& provoke, const std::vector<std::string>& inputs);

/// The command on a file that holds the inputs, as a benchmark has it.
std::string command_on(const project::Provoke& provoke, const std::string& file,
                       const std::vector<std::string>& inputs);

} // namespace dragnet::lab
