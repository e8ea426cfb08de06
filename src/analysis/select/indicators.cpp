#include "analysis/select/indicators.h"

#include "analysis/select/executed.h"
#include "model/function.h"
#include "model/profile.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace dragnet::select {
namespace {

constexpr double much = 10; // percent, of the fifth template

constexpr std::array<std::string_view, indicator_count> names = {
    "deleted",           "new",
    "reached_deleted",   "top_by_calls",
    "top_by_calls_much", "top_by_instructions",
    "length_change",     "reached_length_change"};

// The change of the number of static instructions in percent of the old one.
double length_change(const FunctionChange& change) {
  const double before = change.old_instructions;
  const double after = change.new_instructions;
  return 100 * std::abs(after - before) / std::max(before, 1.0);
}

// The executed functions' numbers in order, to rank one among them.
class Ranks {
public:
  explicit Ranks(std::vector<std::uint64_t> values) : sorted_(std::move(values)) {
    std::ranges::sort(sorted_);
  }

  // The percentage of functions with at most this number, above 0, up to 100.
  double of(std::uint64_t value) const {
    const auto above = std::ranges::upper_bound(sorted_, value);
    return 100.0 * static_cast<double>(above - sorted_.begin()) /
           static_cast<double>(sorted_.size());
  }

private:
  std::vector<std::uint64_t> sorted_;
};

std::vector<std::uint64_t> all(const Profile& profile, std::uint64_t FunctionCounts::* number) {
  std::vector<std::uint64_t> values;
  values.reserve(profile.functions.size());
  for (const FunctionCounts& counts : profile.functions)
    values.push_back(counts.*number);
  return values;
}

class Table {
public:
  explicit Table(const Executed& executed)
      : executed_(&executed),
        calls_(executed.profile().counting == Counting::Sampled ? &FunctionCounts::instructions
                                                                : &FunctionCounts::calls),
        by_calls_(all(executed.profile(), calls_)),
        by_instructions_(all(executed.profile(), &FunctionCounts::instructions)) {}

  // The method knows functions by name: one with another name is deleted and new.
  void add(const FunctionChange& change) {
    if (!change.old_name.empty()) {
      at(Indicator::New) += 1;
      add_deleted(change.binary, change.old_name);
      return;
    }
    switch (change.kind) {
    case ChangeKind::Deleted:
      add_deleted(change.binary, change.name);
      return;
    case ChangeKind::New:
      at(Indicator::New) += 1;
      return;
    case ChangeKind::Renamed:
      return;
    case ChangeKind::Changed:
      if (change.edited > 0)
        add_changed(change);
    }
  }

  const Indicators& values() const { return values_; }

private:
  double& at(Indicator indicator) { return values_.at(static_cast<std::size_t>(indicator)); }

  void raise(Indicator indicator, double value) { at(indicator) = std::max(at(indicator), value); }

  void add_deleted(const std::string& binary, const std::string& function) {
    at(Indicator::Deleted) += 1;
    if (executed_->find(binary, function))
      at(Indicator::ReachedDeleted) += 1;
  }

  void add_changed(const FunctionChange& change) {
    const double length = length_change(change);
    raise(Indicator::LengthChange, length);
    const std::optional<std::size_t> reached = executed_->find(change.binary, change.name);
    if (!reached)
      return;
    raise(Indicator::ReachedLengthChange, length);
    const FunctionCounts& counts = executed_->counts(*reached);
    const double by_calls = by_calls_.of(counts.*calls_);
    raise(Indicator::TopByCalls, by_calls);
    raise(Indicator::TopByInstructions, by_instructions_.of(counts.instructions));
    if (length >= much)
      raise(Indicator::TopByCallsMuch, by_calls);
  }

  const Executed* executed_;
  std::uint64_t FunctionCounts::* calls_; // samples where calls are unknown
  Ranks by_calls_;
  Ranks by_instructions_;
  Indicators values_{};
};

} // namespace

std::string_view name(Indicator indicator) {
  return names.at(static_cast<std::size_t>(indicator));
}

Indicators indicators_of(const Difference& difference, const Executed& executed) {
  Table table(executed);
  for (const FunctionChange& change : difference.changes)
    table.add(change);
  return table.values();
}

} // namespace dragnet::select
