// Where an unknown change could still hide. Changes are imagined: at any commit, under any few
// options, of any size that matters, some of them undone later. What the measurements so far would
// have shown of them says how probable it is that nothing was missed, and what to look at next.
#pragma once

#include "analysis/variants/answer.h"
#include "analysis/variants/notebook.h"
#include "analysis/variants/sampling.h"
#include "analysis/variants/segments.h"
#include "model/configuration.h"
#include "model/variant_lab.h"

#include <cstddef>
#include <functional>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace dragnet::variants {

/// A configuration to measure along the history.
struct Look {
  Configuration configuration;
  std::vector<std::size_t> commits;
};

class Survey {
public:
  Survey(Notebook& notebook, ValidConfigurations& space, LearnRule rule, Random& random);

  /// The commits of known changes that affect a configuration: they divide its values into levels.
  using Known = std::function<std::set<std::size_t>(const Configuration&)>;
  void divide_by(Known known) { known_ = std::move(known); }

  /// The probability that a change of the kind imagined would not have been seen.
  double missed(const Noise& noise);

  /// What shows most of what could have been missed, for what it costs; nothing where nothing does.
  std::optional<Look> next(const Noise& noise);

  /// So many commits, evenly spaced but for a shift that is never the same; with both ends if it is
  /// the first look at a configuration.
  std::vector<std::size_t> spread(std::size_t positions, bool first);

private:
  struct Imagined {
    Configuration on; // options
    std::size_t commit = 0;
    std::size_t undone = 0; // behind the last commit if never
    double change = 0;      // relative to the smallest configuration with the options
    double smallest = 0;    // how many options that one has on
  };
  struct Levels { // of configurations, by how many options are on
    double none = 1;
    double each = 0;
    double of(double on) const;
  };
  /// Measurements, those planned included, and how many of them the change lies on.
  struct Counts {
    double all = 0;
    double behind = 0;
    bool undone = false; ///< and some behind where it was undone
  };

  void imagine();
  std::vector<Literal> literals_of(const Imagined& change) const;
  void forget_impossible();
  void collect();
  void collect_open();
  void add(std::optional<Configuration> configuration);
  Levels levels() const;
  double seen(const Imagined& change, const Counts& counts, double level, const Noise& noise) const;
  /// The commits around a change without a known one that affects the configuration.
  struct Part {
    std::size_t begin = 0;
    std::size_t end = 0;
  };
  Part part_around(const std::set<std::size_t>& known, std::size_t commit) const;
  Counts counted(std::size_t number, const Part& part, const Imagined& change) const;
  std::vector<double> seen_in(std::size_t number, const Noise& noise) const;
  double gain(std::size_t candidate, std::size_t positions, const Noise& noise) const;

  Notebook& notebook_;
  ValidConfigurations& space_;
  LearnRule rule_;
  Random& random_;
  std::vector<Imagined> imagined_;
  std::vector<Configuration> candidates_;
  std::size_t lasting_ = 0;              // of the candidates; the others are made for what is open
  std::vector<std::size_t> numbers_;     // of the candidates in the notebook
  std::vector<std::vector<bool>> shows_; // by candidate: which changes could show in it
  std::vector<double> open_;             // of each imagined change: the probability of being missed
  Levels levels_;
  Known known_ = [](const Configuration&) { return std::set<std::size_t>(); };
  double shift_ = 0.5;
  std::size_t refusals_ = 0; // when it was last looked at what is possible
};

} // namespace dragnet::variants
