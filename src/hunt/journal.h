// Evaluations of a search, kept in a file as they are made, so that a search that was ended goes on
// where it was. One line for each: the chromosome's key, the ending, whose it was, the fitness and
// what the old version cost. A line that was cut is passed over.
#pragma once

#include "analysis/provoke/chromosome.h"
#include "base/result.h"

#include <cstddef>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace dragnet::hunt {

class Journal {
public:
  /// Reads what is there; a file that does not exist is empty.
  static Result<Journal> open(std::filesystem::path file);

  /// The next evaluation of a chromosome that was not asked for yet, if one is kept.
  std::optional<provoke::Evaluation> take(const provoke::Chromosome& chromosome);

  /// Keeps an evaluation.
  Result<> add(const provoke::Chromosome& chromosome, const provoke::Evaluation& evaluation);

  /// How many were taken.
  std::size_t taken() const { return taken_; }

private:
  struct Kept {
    std::vector<provoke::Evaluation> evaluations;
    std::size_t asked = 0;
  };
  explicit Journal(std::filesystem::path file) : file_(std::move(file)) {}

  std::filesystem::path file_;
  std::map<std::string, Kept> kept_;
  std::size_t taken_ = 0;
};

} // namespace dragnet::hunt
