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
    double at_low = 0; // the cost there; the next one's is that at the high end
    double square = 0;
    double linear = 0;
    double constant = 0;
    std::uint32_t start = 0; // first point of the segment that it stands for

    double at(double x) const { return (((square * x) + linear) * x) + constant; }
  };
  // What is being taken in, and where its parabola lies.
  struct Arrival {
    double value = 0;
    double left = 0;
    double right = 0;
  };

  struct Stretch {
    double low = 0;
    double high = 0;
  };

  static Stretch within(const Parabola& part, double high, double limit);
  void take_in(const Parabola& part, double high, double at_high);
  void cut_down(const Parabola& part, double high);
  void start_anew_from(double low);
  void close_anew(double high);
  void add(const Parabola& part, double low, double high);
  void add_near(const Parabola& part, double low, double high);
  void add_far(const Parabola& part, double low, double high);
  void look_for_least(const Parabola& part, double high);

  Price price_;
  double reach_;                // how far from a point its cost is a parabola
  std::vector<Parabola> parts_; // by their low ends; room for more than there are
  std::vector<Parabola> next_;  // those after the arrival
  std::size_t count_ = 1;       // of the parts
  std::size_t next_count_ = 0;
  Arrival arrival_;
  Parabola anew_;          // starting a segment at the arrival
  bool anew_open_ = false; // whether a stretch of that begins at its low end
  double least_ = 0;
  std::uint32_t least_start_ = 0;
  std::vector<std::uint32_t> starts_; // for each point: of the last segment of the best division
};

} // namespace dragnet::change_points
