// Small spaces and programs for the tests of the search over commits and options.
#pragma once

#include "analysis/variants/plain_solver.h"
#include "analysis/variants/synthetic.h"
#include "model/configuration.h"

#include <cstddef>
#include <initializer_list>
#include <string>
#include <utility>

namespace dragnet::variants {

inline Configuration on(std::size_t options, std::initializer_list<std::size_t> chosen) {
  Configuration configuration(options);
  for (const std::size_t option : chosen)
    configuration.set(option, true);
  return configuration;
}

inline ConfigurationSpace free_space(std::size_t options) {
  ConfigurationSpace space;
  for (std::size_t i = 0; i < options; ++i)
    space.options.push_back("o" + std::to_string(i));
  return space;
}

/// The running example of the paper: COMPRESSION (0) slows down at 25, its interaction with
/// ENCRYPTION (1) at 50, and the core gets faster at 80.
inline System running_example() {
  System system{.commits = 100, .space = free_space(2), .terms = {}, .events = {}};
  system.space.options = {"COMPRESSION", "ENCRYPTION"};
  system.terms = {{on(2, {0}), 3}, {on(2, {1}), 4}, {on(2, {0, 1}), -1}, {on(2, {}), 10}};
  system.events = {{25, 0, 3, 5}, {50, 2, -1, 1}, {80, 3, 10, 7}};
  return system;
}

} // namespace dragnet::variants
