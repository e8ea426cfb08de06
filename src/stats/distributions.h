// Distribution functions.
#pragma once

namespace dragnet::stats {

/// The probability that a standard normal variable is at most x.
double normal_cdf(double x);

/// The x below which a standard normal variable falls with this probability, which is in (0, 1).
double normal_quantile(double probability);

/// The probability that Student's t with these degrees of freedom (above 0) is at most x.
double student_cdf(double x, double degrees);

/// The regularised incomplete beta function I_x(a, b), for a, b above 0 and x in [0, 1].
double incomplete_beta(double x, double a, double b);

} // namespace dragnet::stats
