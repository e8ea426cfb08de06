#include "analysis/select/features.h"

#include "analysis/select/evidence.h"
#include "analysis/select/executed.h"
#include "model/function.h"
#include "model/profile.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <string_view>

namespace dragnet::select {
namespace {

struct Description {
  std::string_view name;
  double unit; // of the logarithmic scale: what is far below it counts as nothing
  bool learned = false;
};

constexpr double small_share = 1e-4;

constexpr std::array<Description, feature_count> descriptions = {{
    {.name = "touched_share", .unit = small_share},
    {.name = "edited_share", .unit = small_share},
    {.name = "largest_edited_share", .unit = small_share},
    {.name = "edited_per_call", .unit = small_share},
    {.name = "largest_edited_per_call", .unit = small_share},
    {.name = "length_share", .unit = small_share},
    {.name = "net_length", .unit = small_share},
    {.name = "net_length_per_call", .unit = small_share},
    {.name = "largest_inclusive", .unit = small_share},
    {.name = "inclusive_edited", .unit = small_share},
    {.name = "below_edited", .unit = small_share},
    {.name = "touched_calls", .unit = small_share},
    {.name = "touched_functions", .unit = 1},
    {.name = "touched_function_share", .unit = 1e-3},
    {.name = "deleted_share", .unit = small_share},
    {.name = "inlined_share", .unit = small_share},
    {.name = "data_share", .unit = small_share, .learned = true},
    {.name = "data_functions", .unit = 1},
    {.name = "new_code", .unit = 10},
    {.name = "new_code_per_call", .unit = small_share, .learned = true},
    {.name = "start_up_code", .unit = 1, .learned = true},
    {.name = "library_share", .unit = small_share, .learned = true},
    {.name = "outside_share", .unit = 1e-2},
    {.name = "changed_functions", .unit = 1},
    {.name = "net_executed", .unit = small_share},
    {.name = "largest_net_executed", .unit = small_share},
    {.name = "gross_executed", .unit = small_share, .learned = true},
    {.name = "net_predicted", .unit = small_share, .learned = true},
    {.name = "largest_net_predicted", .unit = small_share, .learned = true},
    {.name = "sum_predicted", .unit = small_share, .learned = true},
    {.name = "doubtful", .unit = small_share, .learned = true},
    {.name = "doubtful_calls", .unit = small_share, .learned = true},
}};

double& at(Features& features, Feature feature) {
  return features.at(static_cast<std::size_t>(feature));
}

double at(const Features& features, Feature feature) {
  return features.at(static_cast<std::size_t>(feature));
}

struct Totals {
  double instructions = 1; // of the run
  double calls = 1;        // of all functions
  double outside = 0;      // share of the run outside the build
};

Totals totals_of(const Profile& profile) {
  double inside = 0;
  double calls = 0;
  for (const FunctionCounts& counts : profile.functions) {
    inside += static_cast<double>(counts.instructions);
    calls += static_cast<double>(counts.calls);
  }
  const double all = std::max({static_cast<double>(profile.instructions), inside, 1.0});
  return {.instructions = all, .calls = std::max(calls, 1.0), .outside = 1 - (inside / all)};
}

// With its sign, as a share of the old length; a deleted function loses all of it.
double length_change(const FunctionChange& change) {
  if (change.kind == ChangeKind::Deleted)
    return -1;
  const double before = std::max<double>(change.old_instructions, 1);
  return std::min((static_cast<double>(change.new_instructions) - before) / before, 1.0);
}

double instructions_gained(const FunctionChange& change) {
  if (change.kind == ChangeKind::Deleted)
    return -static_cast<double>(change.old_instructions);
  return static_cast<double>(change.new_instructions) -
         static_cast<double>(change.old_instructions);
}

double edited_instructions(const FunctionChange& change) {
  return change.kind == ChangeKind::Deleted ? change.old_instructions : change.edited;
}

void raise(Features& features, Feature feature, double value) {
  at(features, feature) = std::max(at(features, feature), value);
}

void add_self(const Touched& touch, Features& features) {
  const double edited = touch.share * touch.edited;
  const double length = touch.share * length_change(*touch.change);
  at(features, Feature::TouchedShare) += touch.share;
  at(features, Feature::EditedShare) += edited;
  raise(features, Feature::LargestEditedShare, edited);
  at(features, Feature::LengthShare) += std::abs(length);
  at(features, Feature::NetLength) += length;
  at(features, Feature::TouchedFunctions) += 1;
  if (touch.change->kind == ChangeKind::Deleted)
    at(features, Feature::DeletedShare) += touch.share;
  if (!touch.change->inlined.empty())
    at(features, Feature::InlinedShare) += touch.share;
}

void add_calls(const Touched& touch, const Totals& totals, Features& features) {
  const double edited = touch.calls * edited_instructions(*touch.change) / totals.instructions;
  at(features, Feature::EditedPerCall) += edited;
  raise(features, Feature::LargestEditedPerCall, edited);
  at(features, Feature::NetLengthPerCall) +=
      touch.calls * instructions_gained(*touch.change) / totals.instructions;
  at(features, Feature::TouchedCalls) += touch.calls / totals.calls;
  raise(features, Feature::LargestInclusive, touch.inclusive);
  raise(features, Feature::InclusiveEdited, touch.inclusive * touch.edited);
  at(features, Feature::BelowEdited) += std::max(0.0, touch.inclusive - touch.share) * touch.edited;
}

void add_edits(const Touched& touch, const Totals& totals, Features& features) {
  const auto share = [&](double instructions) { return instructions / totals.instructions; };
  const double net = share(touch.cost.net);
  const double predicted = net + share(touch.cost.called);
  at(features, Feature::NetExecuted) += net;
  raise(features, Feature::LargestNetExecuted, std::abs(net));
  at(features, Feature::NetPredicted) += predicted;
  raise(features, Feature::LargestNetPredicted, std::abs(predicted));
  at(features, Feature::SumPredicted) += std::abs(predicted);
  at(features, Feature::Doubtful) += share(touch.cost.doubtful);
  at(features, Feature::DoubtfulCalls) += share(touch.cost.doubtful_calls);
  at(features, Feature::GrossExecuted) += share(touch.cost.gross);
}

void add_rest(const Evidence& evidence, const Totals& totals, Features& features) {
  double most_calls = 0;
  for (const Touched& touch : evidence.code)
    most_calls = std::max(most_calls, touch.calls);
  for (const Touched& touch : evidence.data)
    at(features, Feature::DataShare) += touch.share;
  for (const FunctionChange* change : evidence.new_code)
    at(features, Feature::NewCode) += change->new_instructions;
  for (const TouchedLibrary& library : evidence.libraries)
    at(features, Feature::LibraryShare) += library.share;
  at(features, Feature::NewCodePerCall) =
      at(features, Feature::NewCode) * most_calls / totals.instructions;
  at(features, Feature::DataFunctions) = static_cast<double>(evidence.data.size());
  at(features, Feature::StartUpCode) = static_cast<double>(evidence.start_up.size());
  at(features, Feature::ChangedFunctions) = static_cast<double>(evidence.changes);
  at(features, Feature::OutsideShare) = evidence.code.empty() ? 0 : totals.outside;
}

} // namespace

std::string_view name(Feature feature) {
  return descriptions.at(static_cast<std::size_t>(feature)).name;
}

Features features_of(const Evidence& evidence, const Executed& executed) {
  const Totals totals = totals_of(executed.profile());
  Features features{};
  for (const Touched& touch : evidence.code) {
    add_self(touch, features);
    add_calls(touch, totals, features);
    add_edits(touch, totals, features);
  }
  for (const Feature net :
       {Feature::NetLength, Feature::NetLengthPerCall, Feature::NetExecuted, Feature::NetPredicted})
    at(features, net) = std::abs(at(features, net));
  const auto executed_functions = static_cast<double>(executed.profile().functions.size());
  at(features, Feature::TouchedFunctionShare) =
      at(features, Feature::TouchedFunctions) / std::max(executed_functions, 1.0);
  add_rest(evidence, totals, features);
  return features;
}

bool any_reached(const Features& features) {
  return at(features, Feature::TouchedFunctions) > 0 || at(features, Feature::DataFunctions) > 0 ||
         at(features, Feature::StartUpCode) > 0 || at(features, Feature::LibraryShare) > 0;
}

bool is_learned(Feature feature) {
  return descriptions.at(static_cast<std::size_t>(feature)).learned;
}

Features scaled(const Features& features) {
  Features result{};
  for (std::size_t i = 0; i < feature_count; ++i)
    if (descriptions.at(i).learned)
      result.at(i) = std::log1p(std::max(features.at(i), 0.0) / descriptions.at(i).unit);
  return result;
}

} // namespace dragnet::select
