// A test of paired differences that may be looked at after every pair, and its confidence sequence.
// Idea: bet on the sign of each difference. If the centre is theta, the sign of (difference -
// theta) is a fair coin whatever the noise is, so that no strategy gains on average and wealth
// reaches 1/a with probability at most a, ever (Ville 1939). Growing wealth is the evidence against
// theta.
#pragma once

#include "stats/interval.h"

#include <cstdint>
#include <span>
#include <vector>

namespace dragnet::stats {

/// On which side of the tested centre the differences are suspected to lie.
enum class Side : std::uint8_t { Above, Below };

/// A series of differences, in the order measured, and the bets that are placed on it.
class SequentialTest {
public:
  /// The differences must be finite. The scale guess (above 0) is the size of a difference worth
  /// noticing; it sets the first bets and so affects how soon the test decides, never its validity.
  SequentialTest(std::span<const double> differences, double scale_guess);

  /// The wealth, starting from 1, after the last bet that the centre is on this side of the given.
  double wealth(double centre, Side side) const;

  /// The largest wealth at any time of who bets on this side of the given centre; at most 1e100.
  double peak_wealth(double centre, Side side) const;

  /// Whether a centre is ever rejected, at this error rate, by who bets on this side of it.
  bool rejects(double centre, Side side, double error_rate) const;

  /// The probability, valid at any time, of such evidence on either side if this is the centre.
  double p_value(double centre) const;

  /// The centres within the limits that are not rejected; holds at all times together but for the
  /// error rate. An end that the series does not bound yet is the limit.
  Interval confidence_interval(double error_rate, Interval limits) const;

private:
  double lower_bound(double error_rate, Interval limits) const;
  double upper_bound(double error_rate, Interval limits) const;

  std::vector<double> differences_;
  std::vector<double> scales_; // scales_[i] is made of the guess and the differences before i
};

} // namespace dragnet::stats
