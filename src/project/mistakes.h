// The mistakes in a configuration, collected so that the user hears all of them at once, in the
// order of the file.
#pragma once

#include "base/result.h"

#include <compare>
#include <cstddef>
#include <string>
#include <vector>

namespace dragnet::project {

/// A place in a file, both counted from 1; line 0 stands for the file as a whole.
struct Position {
  std::size_t line = 0;
  std::size_t column = 0;
  auto operator<=>(const Position&) const = default;
};

class Mistakes {
public:
  explicit Mistakes(std::string file_name) : file_name_(std::move(file_name)) {}

  /// Notes what is wrong at a place, and what to do about it.
  void add(Position at, std::string what, std::string hint = {});

  bool empty() const { return mistakes_.empty(); }

  /// The mistakes as one Error: a single one with its hint; several one a line, each with its hint
  /// in parentheses.
  Error error() const;

private:
  struct Mistake {
    Position at;
    std::string what;
    std::string hint;
  };
  std::string located(const Mistake& mistake) const;

  std::string file_name_;
  std::vector<Mistake> mistakes_;
};

} // namespace dragnet::project
