#include "analysis/select/reasons.h"

#include "analysis/select/evidence.h"
#include "base/function_name.h"
#include "base/text.h"
#include "model/function.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <fmt/core.h>
#include <string>
#include <string_view>
#include <vector>

namespace dragnet::select {
namespace {

constexpr std::array<std::string_view, 26> names = {"changed_code",      "deleted_code",
                                                    "changed_data",      "new_code",
                                                    "new_start_up_code", "changed_library",
                                                    "changed_flags",     "changed_compiler",
                                                    "changed_benchmark", "changed_inputs",
                                                    "no_profile",        "empty_profile",
                                                    "no_difference",     "uncompared_binary",
                                                    "few_samples",       "untrained",
                                                    "beyond_training",   "too_far_away",
                                                    "likely_enough",     "indicator_reached",
                                                    "nothing_changed",   "nothing_executed_changed",
                                                    "learned_harmless",  "no_indicator_reached",
                                                    "same_work",         "audit"};

std::string percent(double share) {
  if (share > 0 && share < 0.0001)
    return "less than 0.01 %";
  return fmt::format("{:.{}f} %", 100 * share, share < 0.01 ? 2 : 1);
}

std::string of_instructions(const Reason& reason) {
  return percent(reason.share) + " of this benchmark's instructions";
}

std::string and_more(const Reason& reason) {
  return reason.count == 0 ? "" : fmt::format(", and {} more", reason.count);
}

std::string because_of(const std::string& what, const std::string& trouble) {
  return trouble.empty() ? what : what + ": " + trouble;
}

std::string about_code(const Reason& reason) {
  const std::string more = and_more(reason);
  switch (reason.kind) {
  case ReasonKind::ChangedCode: {
    const std::string inlined =
        reason.with.empty() ? "" : fmt::format(" (inlined: {})", reason.with);
    return fmt::format("changed: {}{}, {}{}", reason.subject, inlined, of_instructions(reason),
                       more);
  }
  case ReasonKind::DeletedCode:
    return fmt::format("deleted: {}, {}{}", reason.subject, of_instructions(reason), more);
  case ReasonKind::ChangedData:
    return fmt::format("changed data of {}, {}{}", reason.subject, of_instructions(reason), more);
  case ReasonKind::NewCode:
    return fmt::format("new: {}, which changed code may call{}", reason.subject, more);
  case ReasonKind::NewStartUpCode:
    return fmt::format("new: {}, which runs at the start{}", reason.subject, more);
  default:
    return fmt::format("changed library {}, {}{}", reason.subject, of_instructions(reason), more);
  }
}

std::string about_surroundings(const Reason& reason) {
  switch (reason.kind) {
  case ReasonKind::ChangedFlags:
    return "the build's flags changed";
  case ReasonKind::ChangedCompiler:
    return "the compiler changed";
  case ReasonKind::ChangedBenchmark:
    return "the benchmark's definition changed";
  default:
    return "the benchmark's input files changed";
  }
}

std::string about_the_unknown(const Reason& reason) {
  switch (reason.kind) {
  case ReasonKind::NoProfile:
    return because_of("there is no profile of it", reason.subject);
  case ReasonKind::EmptyProfile:
    return "its profile shows no function of the build";
  case ReasonKind::NoDifference:
    return because_of("what changed in the build is not known", reason.subject);
  case ReasonKind::UncomparedBinary:
    return fmt::format("it executes {}, which was not compared", reason.subject);
  case ReasonKind::FewSamples:
    return fmt::format("its profile has {} samples, too few to tell what it executes",
                       reason.count);
  case ReasonKind::BeyondTraining:
    return fmt::format("{} is {:.3g}, but at most {:.3g} in training", reason.subject, reason.share,
                       reason.limit);
  case ReasonKind::TooFarAway:
    return fmt::format("its last profile is {} commits away, more than {:.0f}", reason.count,
                       reason.limit);
  default:
    return because_of("the predictor is not trained, so that whatever executes changed code runs",
                      reason.subject);
  }
}

std::string nothing_executed(const Reason& reason) {
  const std::string elsewhere = fmt::format("{} {} changed elsewhere", reason.count,
                                            reason.count == 1 ? "function" : "functions");
  if (reason.limit > 0)
    return fmt::format("nothing that its samples show changed (they may leave out {}; {})",
                       percent(reason.limit), elsewhere);
  return fmt::format("nothing that it executes changed ({})", elsewhere);
}

std::string about_the_prediction(const Reason& reason) {
  switch (reason.kind) {
  case ReasonKind::LikelyEnough:
    return fmt::format("probability {}, at least {}", percent(reason.share), percent(reason.limit));
  case ReasonKind::IndicatorReached:
    return fmt::format("{} is {:g}, at least {:g}", reason.subject, reason.share, reason.limit);
  case ReasonKind::NothingChanged:
    return "no function of the build changed";
  case ReasonKind::NothingExecutedChanged:
    return nothing_executed(reason);
  case ReasonKind::LearnedHarmless:
    return fmt::format("such changes were harmless: probability {}, below {}, learned from {} "
                       "examples",
                       percent(reason.share), percent(reason.limit), reason.count);
  case ReasonKind::SameWork:
    return fmt::format("counted on both sides: changed code is {}, as many as before, and all else "
                       "does the same",
                       of_instructions(reason));
  case ReasonKind::NoIndicatorReached:
    return fmt::format("no indicator reaches its threshold, learned from {} examples",
                       reason.count);
  default:
    return "skipped, but run to test the prediction";
  }
}

Reason about(const Touched& touch, ReasonKind kind) {
  return {.kind = kind,
          .subject = touch.change->name,
          .share = touch.share,
          .limit = 0,
          .count = 0,
          .with = join(touch.change->inlined, ", ")};
}

Reason about(const FunctionChange* change, ReasonKind kind) {
  return {.kind = kind, .subject = change->name, .with = {}};
}

// Adds the first ones as reasons; the last of them tells how many were left.
template <class Piece>
void append(const std::vector<Piece>& pieces, ReasonKind kind, std::size_t most,
            std::vector<Reason>& all) {
  const std::size_t listed = std::min(most, pieces.size());
  for (std::size_t i = 0; i < listed; ++i)
    all.push_back(about(pieces[i], kind));
  if (listed > 0)
    all.back().count = pieces.size() - listed;
}

} // namespace

std::string_view name(ReasonKind kind) {
  return names.at(static_cast<std::size_t>(kind));
}

std::string sentence(const Reason& reason) {
  if (reason.kind <= ReasonKind::ChangedLibrary) {
    Reason readable = reason;
    readable.subject = short_name(reason.subject);
    readable.with = short_name(reason.with);
    return about_code(readable);
  }
  if (reason.kind <= ReasonKind::ChangedInputs)
    return about_surroundings(reason);
  if (reason.kind <= ReasonKind::TooFarAway)
    return about_the_unknown(reason);
  return about_the_prediction(reason);
}

std::vector<Reason> reasons_of(const Evidence& evidence, std::size_t most_of_a_kind) {
  std::vector<Reason> all;
  all.reserve(evidence.libraries.size() + (5 * most_of_a_kind));
  for (const TouchedLibrary& library : evidence.libraries)
    all.push_back({.kind = ReasonKind::ChangedLibrary,
                   .subject = library.path,
                   .share = library.share,
                   .with = {}});
  std::vector<Touched> changed = evidence.code;
  const auto deleted = std::ranges::stable_partition(
      changed, [](const Touched& touch) { return touch.change->kind != ChangeKind::Deleted; });
  const std::vector<Touched> gone(deleted.begin(), deleted.end());
  changed.erase(deleted.begin(), deleted.end());
  append(changed, ReasonKind::ChangedCode, most_of_a_kind, all);
  append(gone, ReasonKind::DeletedCode, most_of_a_kind, all);
  append(evidence.data, ReasonKind::ChangedData, most_of_a_kind, all);
  append(evidence.new_code, ReasonKind::NewCode, most_of_a_kind, all);
  append(evidence.start_up, ReasonKind::NewStartUpCode, most_of_a_kind, all);
  return all;
}

std::vector<Reason> reasons_of(const Circumstances& circumstances) {
  std::vector<Reason> reasons;
  const auto add = [&](bool changed, ReasonKind kind) {
    if (changed)
      reasons.push_back({.kind = kind, .subject = {}, .with = {}});
  };
  add(circumstances.build_flags, ReasonKind::ChangedFlags);
  add(circumstances.compiler, ReasonKind::ChangedCompiler);
  add(circumstances.benchmark, ReasonKind::ChangedBenchmark);
  add(circumstances.inputs, ReasonKind::ChangedInputs);
  return reasons;
}

} // namespace dragnet::select
