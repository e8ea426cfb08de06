// Which options of a program are on. A numeric option is a group of options, one for each level, of
// which exactly one is on, so that a configuration is a row of bits.
#pragma once

#include "base/ensure.h"

#include <bit>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace dragnet {

/// An assignment of all options of a space: each is on or off.
class Configuration {
public:
  Configuration() = default;
  explicit Configuration(std::size_t options, bool on = false)
      : size_(options), words_((options + 63) / 64, on ? ~std::uint64_t{0} : 0) {
    if (on && options % 64 != 0)
      words_.back() >>= 64 - (options % 64);
  }

  std::size_t size() const { return size_; }
  bool on(std::size_t option) const { return (words_[option / 64] >> (option % 64) & 1U) != 0; }
  void set(std::size_t option, bool on) {
    ensure(option < size_, "an option of the space");
    const std::uint64_t bit = std::uint64_t{1} << (option % 64);
    words_[option / 64] = on ? words_[option / 64] | bit : words_[option / 64] & ~bit;
  }
  /// How many options are on.
  std::size_t count() const {
    std::size_t count = 0;
    for (const std::uint64_t word : words_)
      count += static_cast<std::size_t>(std::popcount(word));
    return count;
  }
  /// How many options differ.
  std::size_t distance(const Configuration& other) const {
    std::size_t count = 0;
    for (std::size_t i = 0; i < words_.size(); ++i)
      count += static_cast<std::size_t>(std::popcount(words_[i] ^ other.words_[i]));
    return count;
  }
  /// Whether all that is on in the other is on here too.
  bool includes(const Configuration& other) const {
    for (std::size_t i = 0; i < words_.size(); ++i)
      if ((other.words_[i] & ~words_[i]) != 0)
        return false;
    return true;
  }

  auto operator<=>(const Configuration&) const = default;

private:
  std::size_t size_ = 0;
  std::vector<std::uint64_t> words_; // bits beyond the last option are 0
};

/// An option and whether it is on.
struct Literal {
  std::size_t option = 0;
  bool on = true;

  auto operator<=>(const Literal&) const = default;
};

/// A constraint: at least one of its literals holds.
struct Clause {
  std::vector<Literal> literals;
  std::string text; ///< as the user wrote it; several clauses may come from one text
};

enum class Choice : std::uint8_t { ExactlyOne, AtMostOne };

/// Options that exclude each other.
struct OptionGroup {
  std::string name;
  Choice choice = Choice::ExactlyOne;
  std::vector<std::size_t> options;
  std::vector<double> levels; ///< of a numeric option: what each of its options stands for
};

/// All configurations that a program allows.
struct ConfigurationSpace {
  std::vector<std::string> options; ///< names
  std::vector<OptionGroup> groups;
  std::vector<Clause> clauses;
};

/// The groups and clauses of a space as clauses alone; those of a group bear its name.
std::vector<Clause> all_clauses(const ConfigurationSpace& space);

/// Whether a literal of the clause holds.
bool holds(const Clause& clause, const Configuration& configuration);

} // namespace dragnet
