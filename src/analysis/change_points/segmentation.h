// The best division of a series into segments of constant level, exactly, one point after the
// other. Idea: keep, as a function of the present segment's level, the least cost of all divisions
// so far; it is made of few parabolas, because a level at which starting anew is cheaper is never
// worth remembering (Maidstone et al. 2017, functional pruning). The cost of a point is its squared
// distance from the level up to a limit and then constant, so that an outlier costs no more than
// the limit and never a segment (Fearnhead and Rigaill 2019, the biweight loss).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace dragnet::change_points {

/// What divisions cost, in squares of the noise.
struct Price {
  double segment = 0; ///< of one more segment
  double outlier = 9; ///< the most that a point costs; infinite makes it the plain Gaussian cost
};

class Segmentation {
public:
  explicit Segmentation(const Price& price);

  /// Takes in the next point, in units of its noise and from a middle of the series, so that
  /// numbers stay small.
  void append(double value);

  std::size_t size() const { return starts_.size(); }
  /// The cost of the best division so far.
  double cost() const { return least_; }
  /// The first point of each segment of the best division but for that of the first segment.
  std::vector<std::size_t> changes() const;

private:
  // From its low end to that of the next: the cost is (square x + linear) x + constant.
  struct Parabola {
    double low = 0;
    double square = 0;
    double linear = 0;
    double constant = 0;
    std::uint32_t start = 0; // first point of the segment that it stands for

    double at(double x) const { return (((square * x) + linear) * x) + constant; }
    bool same(const Parabola& other) const {
      return start == other.start && square == other.square && linear == other.linear &&
             constant == other.constant;
    }
  };

  using Parabolas = std::vector<Parabola>;

  void cut_down(const Parabola& part, double high, const Parabola& anew);
  void add_point(const Parabola& part, double high, double value);
  void put(const Parabola& part, double low, double high);
  static void push(Parabolas& parts, const Parabola& part, double low);

  Price price_;
  double reach_;    // how far from a point its cost is a parabola
  Parabolas parts_; // by their low ends
  Parabolas cut_;   // the same, nowhere above the cost of starting anew
  double least_ = 0;
  std::uint32_t least_start_ = 0;
  std::vector<std::uint32_t> starts_; // for each point: of the last segment of the best division
};

} // namespace dragnet::change_points
