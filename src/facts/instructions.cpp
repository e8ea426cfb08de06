#include "facts/instructions.h"

#include "model/source.h"
#include "model/source_file.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace dragnet::facts {
namespace {

// Inlining goes no deeper; also the end of what calls itself.
constexpr unsigned deepest = 12;

// A rate that is so far from the usual is one of names that do not fit.
constexpr double farthest = 20;

// Of functions that are local to units several may have the name; those of the function's own file
// are it, and where it stands in a header those of any.
std::optional<double> instructions_of(const std::string& function, const Instructions& executed) {
  const std::size_t end = function.find('@');
  const std::string name = function.substr(0, end);
  if (const auto found = executed.find(name); found != executed.end())
    return found->second;
  if (end == std::string::npos)
    return std::nullopt;
  const std::string local = name + "@";
  const std::string own = local + function.substr(function.find_last_of("@/") + 1);
  if (const auto found = executed.find(own); found != executed.end())
    return found->second;
  if (!is_header(own))
    return std::nullopt;
  std::optional<double> sum;
  for (auto one = executed.lower_bound(local);
       one != executed.end() && one->first.starts_with(local); ++one)
    sum = sum.value_or(0) + one->second;
  return sum;
}

class Rates {
public:
  Rates(const SourceProfile& profile, const Instructions& executed)
      : profile_(profile), code_(profile.functions.size()), callers_(code_.size()),
        callees_(code_.size()), rates_(code_.size()) {
    std::unordered_map<std::string, std::size_t> numbers;
    for (std::size_t i = 0; i < code_.size(); ++i) {
      const std::string& name = profile.functions[i].function;
      numbers.emplace(name, i);
      code_[i] = instructions_of(name, executed);
    }
    for (const SourceEdge& edge : profile.edges) {
      const auto from = numbers.find(edge.caller);
      const auto to = numbers.find(edge.callee);
      if (from == numbers.end() || to == numbers.end() || edge.calls <= 0)
        continue;
      const double share = edge.calls / std::max(edge.calls, profile.functions[to->second].calls);
      callers_[to->second].push_back({.function = from->second, .share = share});
      callees_[from->second].push_back({.function = to->second, .share = share});
    }
  }

  // Instructions for an operation of each function.
  std::vector<double> run() {
    double instructions = 0;
    double operations = 0;
    std::vector<double> clusters(code_.size());
    for (std::size_t i = 0; i < code_.size(); ++i)
      if (const auto& code = code_[i]) {
        clusters[i] = cluster(i, 0);
        instructions += clusters[i] > 0 ? *code : 0;
        operations += clusters[i];
      }
    if (instructions <= 0 || operations <= 0)
      return {};
    usual_ = instructions / operations;
    for (std::size_t i = 0; i < code_.size(); ++i)
      if (const auto& code = code_[i]; code && clusters[i] > 0)
        rates_[i] = std::clamp(*code / clusters[i], usual_ / farthest, usual_ * farthest);
    std::vector<double> rates;
    rates.reserve(code_.size());
    for (std::size_t i = 0; i < code_.size(); ++i)
      rates.push_back(rate_of(i, 0));
    return rates;
  }

private:
  struct Neighbour {
    std::size_t function = 0;
    double share = 0; // of the callee's executions
  };

  bool is_inlined(std::size_t function) const {
    const SourceCounts& counts = profile_.functions[function];
    return !code_[function] && (!counts.blocks.empty() || counts.function.starts_with("std::"));
  }

  // The operations of a function and of what is inlined into it.
  double cluster(std::size_t function, unsigned depth) const {
    double sum = profile_.functions[function].own;
    if (depth < deepest)
      for (const Neighbour& callee : callees_[function])
        if (is_inlined(callee.function))
          sum += callee.share * cluster(callee.function, depth + 1);
    return sum;
  }

  double rate_of(std::size_t function, unsigned depth) const {
    if (const auto& rate = rates_[function])
      return *rate;
    if (!is_inlined(function) || depth >= deepest)
      return usual_;
    double sum = 0;
    double shares = 0;
    for (const Neighbour& caller : callers_[function]) {
      sum += caller.share * rate_of(caller.function, depth + 1);
      shares += caller.share;
    }
    return shares > 0 ? sum / shares : usual_;
  }

  const SourceProfile& profile_;
  std::vector<std::optional<double>> code_; // instructions of those that have code of their own
  std::vector<std::vector<Neighbour>> callers_;
  std::vector<std::vector<Neighbour>> callees_;
  std::vector<std::optional<double>> rates_;
  double usual_ = 1;
};

} // namespace

void set_instructions(SourceProfile& profile, const Instructions& executed) {
  const auto rates = Rates(profile, executed).run();
  if (rates.empty())
    return;
  profile.cost = 0;
  for (std::size_t i = 0; i < rates.size(); ++i) {
    profile.functions[i].own *= rates[i];
    profile.cost += profile.functions[i].own;
  }
}

} // namespace dragnet::facts
