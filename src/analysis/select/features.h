// What evidence amounts to, as numbers that a predictor learns from. None is negative, and more of
// each never speaks for less change. They follow from what an instruction count is made of: code
// that is edited matters by how often it is executed, which lies between once per call and as often
// as the rest of its function; and through what it calls.
#pragma once

#include "analysis/select/evidence.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace dragnet::select {

/// Shares are of the run's executed instructions unless said otherwise.
enum class Feature : std::uint8_t {
  TouchedShare,         ///< in functions whose code changed
  EditedShare,          ///< the same, each times the edited share of its code
  LargestEditedShare,   ///< the largest term of that sum
  EditedPerCall,        ///< edited instructions once per call, to the run's instructions
  LargestEditedPerCall, ///< the largest term of that sum
  LengthShare,          ///< each function's share times the relative change of its length
  NetLength,            ///< the same with signs, so that growth and shrinking cancel
  NetLengthPerCall,     ///< change of length once per call, with signs
  LargestInclusive,     ///< largest share of a changed function with what it calls
  InclusiveEdited,      ///< largest product of that and the edited share
  BelowEdited,          ///< sum of shares that run below changed functions, times edited share
  TouchedCalls,         ///< calls of changed functions, as a share of all calls
  TouchedFunctions,     ///< number of executed functions whose code changed
  TouchedFunctionShare, ///< the same, as a share of the executed functions
  DeletedShare,         ///< in functions that the new build lacks
  InlinedShare,         ///< in functions into which a changed callee is inlined
  DataShare,            ///< in functions of which only data changed
  DataFunctions,        ///< number of those
  NewCode,              ///< instructions of new functions that changed code may call
  NewCodePerCall,       ///< the same once per call of the most called changed function
  StartUpCode,          ///< number of new functions that start by themselves
  LibraryShare,         ///< in changed libraries outside the build
  OutsideShare,         ///< outside the build at all, if a changed function may call there
  ChangedFunctions,     ///< number of functions that differ, executed or not
  NetExecuted,          ///< instructions that all edits together add or save in their functions
  LargestNetExecuted,   ///< the same of the function where it is most
  GrossExecuted,        ///< instructions that edits put in or take away, at most, to the run's
  NetPredicted,         ///< NetExecuted with what calls cost that are put in or taken away
  LargestNetPredicted,  ///< the same of the function where it is most
  SumPredicted,         ///< the same of all functions, without signs
  Doubtful,             ///< instructions that are put in and may be bypassed, at most
  DoubtfulCalls,        ///< the same by what calls cost
};

constexpr std::size_t feature_count = 32;

using Features = std::array<double, feature_count>;

/// The word of tables and columns: "touched_share", ...
std::string_view name(Feature feature);

Features features_of(const Evidence& evidence, const Executed& executed);

/// Whether anything that the benchmark executes changed, as Evidence::any() said.
bool any_reached(const Features& features);

/// Whether predictors learn from a feature. The others are kept in examples to compare with: on
/// real histories they say the same as these, only worse.
bool is_learned(Feature feature);

/// Features on the scale on which they are learned from: logarithmic, 0 at 0; and 0 where they are
/// not learned from.
Features scaled(const Features& features);

} // namespace dragnet::select
