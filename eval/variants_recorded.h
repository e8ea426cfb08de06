// Learners on what others recorded: the run times of LRZIP that the authors of the published
// learner measured, and systems with the answers that the authors' program gave.
#pragma once

#include "variants_world.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <fmt/core.h>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace dragnet::eval {

/// A recorded table of measurements: configurations by commits.
class RecordedLab final : public VariantLab, public ValidConfigurations {
public:
  std::size_t first = 0;   ///< commit that is position 0
  std::size_t commits = 0; ///< positions
  std::vector<std::string> names;
  std::map<Configuration, std::map<std::size_t, double>> rows;

  Result<Cell> measure(const Configuration& configuration, std::size_t commit) override {
    seen_.insert({configuration, commit});
    const auto row = rows.find(configuration);
    if (row == rows.end())
      return Cell{.outcome = Cell::Outcome::Invalid};
    const auto cell = row->second.find(commit);
    if (cell == row->second.end())
      return Cell{.outcome = Cell::Outcome::NotBuildable};
    return Cell{.value = cell->second};
  }
  bool repeats() const override { return false; }
  std::size_t cells() const { return seen_.size(); }

  std::size_t options() const override { return names.size(); }
  bool valid(const Configuration& configuration) override { return rows.contains(configuration); }
  std::optional<Configuration> near(const Configuration& wanted,
                                    std::span<const Literal> fixed) override {
    std::optional<Configuration> best;
    for (const auto& [configuration, row] : rows) {
      const bool fits = std::ranges::all_of(
          fixed, [&](const Literal& l) { return configuration.on(l.option) == l.on; });
      if (fits && (!best || configuration.distance(wanted) < best->distance(wanted)))
        best = configuration;
    }
    return best;
  }

private:
  std::set<std::pair<Configuration, std::size_t>> seen_;
};

/// LRZIP as its authors measured it: rows of options, commit and run time. LZMA, which is what
/// compresses where nothing else is named, becomes an option of its own.
inline RecordedLab read_lrzip(const std::string& path) {
  RecordedLab lab;
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  const std::vector<std::string> head = fields_of(line);
  const auto column = [&](std::string_view name) {
    return static_cast<std::size_t>(std::ranges::find(head, name) - head.begin());
  };
  const std::vector<std::string> kept = {"LzoCompressibilityTesting",
                                         "UnlimitedWindow",
                                         "Bzip2",
                                         "Gzip",
                                         "Lzo",
                                         "Zpaq",
                                         "Multithreading"};
  lab.names = kept;
  lab.names.emplace_back("LZMA");
  lab.first = 300; // nothing was measured before
  while (std::getline(file, line)) {
    const std::vector<std::string> fields = fields_of(line);
    if (fields.size() <= column("perf") || fields[column("perf")].empty())
      continue;
    Configuration configuration(lab.names.size());
    for (std::size_t i = 0; i < kept.size(); ++i)
      configuration.set(i, fields[column(kept[i])] == "1");
    configuration.set(kept.size(), !configuration.on(2) && !configuration.on(3) &&
                                       !configuration.on(4) && !configuration.on(5));
    const std::size_t commit = std::stoul(fields[column("commit")]) - lab.first;
    lab.commits = std::max(lab.commits, commit + 1);
    lab.rows[configuration][commit] = std::stod(fields[column("perf")]);
  }
  return lab;
}

/// Whether some recorded configuration changes by a tenth around a commit, between the medians of
/// five commits before and after.
inline bool steps_near(const RecordedLab& lab, std::size_t commit, std::size_t tolerance,
                       double threshold) {
  const auto median = [](const std::map<std::size_t, double>& row, std::size_t from) {
    std::vector<double> values;
    for (auto at = row.lower_bound(from); at != row.end() && at->first < from + 5; ++at)
      values.push_back(at->second);
    std::ranges::sort(values);
    return values.empty() ? 0 : values[values.size() / 2];
  };
  for (const auto& [configuration, row] : lab.rows)
    for (std::size_t at = std::max<std::size_t>(5 + tolerance, commit) - tolerance;
         at <= commit + tolerance && at + 5 < lab.commits; ++at) {
      const double before = median(row, at - 5);
      if (before > 0 && std::abs(median(row, at) - before) >= threshold * before)
        return true;
    }
  return false;
}

/// The change points that the authors name, as positions.
inline constexpr std::array<std::size_t, 7> named_in_lrzip = {221, 229, 239, 328, 369, 375, 383};
inline constexpr std::size_t codec_zpaq = 5;
inline constexpr std::size_t codec_lzo = 4;
inline constexpr std::size_t multithreading = 6;
inline constexpr std::size_t tolerance = 5;

inline bool near_commit(std::size_t one, std::size_t other) {
  return std::max(one, other) - std::min(one, other) <= tolerance;
}

/// What a learner made of LRZIP in one run.
struct LrzipRun {
  std::size_t named = 0;      ///< of the seven
  std::size_t wrong = 0;      ///< locations at which no configuration steps by a tenth
  std::size_t attributed = 0; ///< of the six whose options are plain in the data
  std::size_t cells = 0;
};

inline LrzipRun judge(const RecordedLab& lab, const std::set<std::size_t>& locations) {
  LrzipRun run;
  for (const std::size_t commit : named_in_lrzip)
    run.named +=
        std::ranges::any_of(locations, [&](std::size_t at) { return near_commit(at, commit); });
  for (const std::size_t at : locations)
    run.wrong += steps_near(lab, at, tolerance, 0.1) ? 0 : 1;
  run.cells = lab.cells();
  return run;
}

inline bool has(const std::vector<std::size_t>& options, std::size_t option) {
  return std::ranges::find(options, option) != options.end();
}

/// 497 and 669 are of no one option, 539 is Zpaq's, 628 Lzo's, 676 needs Multithreading off and 684
/// on.
inline std::size_t attributed(const v::Answer& answer) {
  std::set<std::size_t> right;
  for (const v::ChangePoint& change : answer.changes) {
    const v::Condition& c = change.condition;
    const bool any_codec = c.on.empty() && !has(c.off, multithreading);
    const std::array<std::pair<std::size_t, bool>, 6> expected = {
        {{197, any_codec},
         {239, c.on == std::vector<std::size_t>{codec_zpaq}},
         {328, has(c.on, codec_lzo)},
         {369, any_codec},
         {376, has(c.off, multithreading)},
         {384, has(c.on, multithreading)}}};
    for (const auto& [commit, fits] : expected)
      if (fits && near_commit(change.commit, commit))
        right.insert(commit);
  }
  return right.size();
}

inline LrzipRun ours_on_lrzip(RecordedLab lab, std::uint64_t seed, bool verbose) {
  v::Random random(seed);
  v::LearnRule rule;
  rule.measurements = 400;
  const auto answer = v::learn(lab, lab, lab.commits, rule, random);
  std::set<std::size_t> locations;
  if (!answer)
    return {};
  for (const v::ChangePoint& change : answer->changes) {
    locations.insert(change.commit);
    std::string options;
    for (const std::size_t option : change.condition.on)
      options += lab.names[option] + " ";
    for (const std::size_t option : change.condition.off)
      options += "not " + lab.names[option] + " ";
    if (verbose)
      fmt::print("  {} {:+.0f} % {}({:.2f})\n", change.commit + lab.first, 100 * change.change,
                 options.empty() ? "all " : options, change.probability());
  }
  LrzipRun run = judge(lab, locations);
  run.attributed = attributed(*answer);
  return run;
}

inline LrzipRun published_on_lrzip(RecordedLab lab, std::uint64_t seed) {
  v::Random random(seed);
  v::PublishedRule rule;
  rule.n_configurations = 5;
  rule.n_measurements = 300;
  rule.tau.relative = 0.1;
  rule.draw = v::Draw::Uniform;
  const auto answer = v::learn_published(lab, lab, lab.commits, rule, random);
  std::set<std::size_t> locations;
  if (answer)
    for (const v::Association& association : answer->associations)
      locations.insert(association.commit);
  return judge(lab, locations);
}

inline void bisect_rows(const std::map<std::size_t, double>& row, std::size_t low, std::size_t high,
                        std::set<std::size_t>& found, std::set<std::size_t>& read) {
  read.insert({low, high});
  if (std::abs(row.at(high) - row.at(low)) < 0.1 * std::min(row.at(high), row.at(low)))
    return;
  if (high - low == 1) {
    found.insert(high);
    return;
  }
  const std::size_t middle = (low + high) / 2;
  bisect_rows(row, low, middle, found, read);
  bisect_rows(row, middle, high, found, read);
}

/// Bisection of each of ten random configurations, between nine commits.
inline LrzipRun naive_on_lrzip(const RecordedLab& lab, std::uint64_t seed) {
  v::Random random(seed);
  std::set<std::size_t> found;
  std::size_t cells = 0;
  RecordedLab space = lab;
  for (const Configuration& configuration : v::uniform(space, 10, random)) {
    std::set<std::size_t> read;
    const std::size_t last = lab.commits - 1;
    for (std::size_t i = 0; i < 8; ++i)
      bisect_rows(lab.rows.at(configuration), last * i / 8, last * (i + 1) / 8, found, read);
    cells += read.size();
  }
  LrzipRun run = judge(lab, found);
  run.cells = cells;
  return run;
}

/// Prints a line for each learner; whether ours is what it must be.
inline bool compare_on_lrzip(const std::string& path) {
  const RecordedLab lab = read_lrzip(path);
  if (lab.rows.empty()) {
    fmt::print("LRZIP: {} has no data\n", path);
    return false;
  }
  constexpr std::uint64_t seeds = 10;
  fmt::print(
      "\nLRZIP, {} configurations x {} commits, ten seeds: named of 7 (mean, least), all seven, "
      "wrong locations, options right of 6, cells (mean, most)\n",
      lab.rows.size(), lab.commits);
  bool held = false;
  for (const std::string_view learner : {"published", "naive", "ours"}) {
    LrzipRun sum;
    std::size_t least = 7;
    std::size_t complete = 0;
    std::size_t most = 0;
    for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
      const LrzipRun run = learner == "ours"    ? ours_on_lrzip(lab, seed, seed == 1)
                           : learner == "naive" ? naive_on_lrzip(lab, seed)
                                                : published_on_lrzip(lab, seed);
      sum = {sum.named + run.named, sum.wrong + run.wrong, sum.attributed + run.attributed,
             sum.cells + run.cells};
      least = std::min(least, run.named);
      complete += run.named == named_in_lrzip.size() ? 1 : 0;
      most = std::max(most, run.cells);
    }
    const auto mean = [&](std::size_t total) { return static_cast<double>(total) / seeds; };
    fmt::print("{:<10} {:.1f} {} {:>3} of 10 {:>6.1f} {:>6.1f} {:>7.0f} {}\n", learner,
               mean(sum.named), least, complete, mean(sum.wrong), mean(sum.attributed),
               mean(sum.cells), most);
    held = complete >= 9 && most <= 400 && sum.wrong == 0 && sum.attributed == 6 * seeds;
  }
  return held;
}

/// A recorded system, and the score that the authors' program reached on it.
struct RecordedSystem {
  v::System system;
  std::vector<v::TrueAssociation> truth;
  std::size_t n_initial = 0;
  std::size_t n_measurements = 0;
  std::optional<double> f1;         ///< with configurations as their solver draws them
  std::optional<double> f1_uniform; ///< with uniform ones
};

inline RecordedSystem parse_system(const nlohmann::json& line) {
  RecordedSystem one;
  const std::size_t options = line.at("n_options");
  one.system.commits = line.at("n_commits");
  one.n_initial = line.at("N_init");
  one.n_measurements = line.at("m");
  for (std::size_t i = 0; i < options; ++i)
    one.system.space.options.push_back("option" + std::to_string(i));
  for (std::size_t i = 0; i < line.at("terms").size(); ++i) {
    v::Term term{.options = Configuration(options), .influence = line.at("base").at(i)};
    for (const std::size_t option : line.at("terms").at(i))
      term.options.set(option, true);
    one.system.terms.push_back(term);
  }
  std::map<std::size_t, double> now;
  for (const auto& event : line.at("events")) {
    const std::size_t term = event.at(1);
    const double before = now.try_emplace(term, one.system.terms[term].influence).first->second;
    one.system.events.push_back({event.at(0), term, before, event.at(2)});
    now[term] = event.at(2);
  }
  for (const auto& change : line.at("changepoints")) {
    const bool seen = !change.at("phantom").get<bool>();
    if (change.at("options").empty())
      one.truth.push_back({.what = {change.at("loc"), std::nullopt}, .visible = seen});
    for (const std::size_t option : change.at("options"))
      one.truth.push_back({.what = {change.at("loc"), option}, .visible = seen});
  }
  const auto& reference = line.at("reference");
  if (reference.contains("pool"))
    one.f1 = reference.at("pool").at("f1");
  if (reference.contains("uniform"))
    one.f1_uniform = reference.at("uniform").at("f1");
  return one;
}

struct MeanAndError {
  double sum = 0;
  double squares = 0;
  double count = 0;
  void add(double value) {
    sum += value;
    squares += value * value;
    ++count;
  }
  double mean() const { return count > 0 ? sum / count : 0; }
  double error() const {
    return count > 1 ? std::sqrt(std::max(0.0, (squares / count) - (mean() * mean())) / (count - 1))
                     : 0;
  }
};

/// The published learner, with the authors' parameters, against what their program reached on the
/// same systems; ours beside it. Prints the means; whether the first two agree within two errors.
inline bool compare_with_reference(const std::string& path, std::size_t every) {
  std::ifstream file(path);
  std::map<std::string, MeanAndError> means;
  std::size_t number = 0;
  for (std::string text; std::getline(file, text);) {
    const nlohmann::json line = nlohmann::json::parse(text, nullptr, false);
    if (line.is_discarded() || line.at("design") != "table1" || number++ % every != 0)
      continue;
    const RecordedSystem one = parse_system(line);
    const v::Scoring as_they_do{.tolerance = 4, .precision = v::Precision::OfTruths};
    std::vector<v::TrueAssociation> all = one.truth;
    for (v::TrueAssociation& association : all)
      association.visible = true; // they count phantoms too
    for (const v::Draw draw : {v::Draw::DistanceBased, v::Draw::Uniform}) {
      v::PlainSolver space(one.system.space);
      v::SimulatedLab lab(one.system, 1);
      v::Random random(number);
      v::PublishedRule rule = v::as_programmed();
      rule.n_configurations = one.n_initial * space.options();
      rule.n_measurements = one.n_measurements;
      rule.draw = draw;
      const auto answer = v::learn_published(lab, space, one.system.commits, rule, random);
      if (answer)
        means[draw == v::Draw::Uniform ? "published, uniform" : "published"].add(
            v::score(all, answer->associations, as_they_do).f1);
    }
    if (one.f1)
      means["reference"].add(*one.f1);
    if (one.f1_uniform)
      means["reference, uniform"].add(*one.f1_uniform);
    v::PlainSolver space(one.system.space);
    v::SimulatedLab lab(one.system, 1);
    v::Random random(number);
    v::LearnRule rule;
    rule.threshold = 1e-6;
    if (const auto answer = v::learn(lab, space, one.system.commits, rule, random))
      means["ours, without phantoms"].add(v::score(one.truth, v::associations(*answer)).f1);
  }
  fmt::print("\nrecorded systems: F1 (standard error)\n");
  for (const auto& [what, mean] : means)
    fmt::print("{:<24} {:.3f} ({:.3f}), {:.0f} systems\n", what, mean.mean(), mean.error(),
               mean.count);
  const MeanAndError& mine = means["published, uniform"];
  const MeanAndError& theirs = means["reference, uniform"];
  return std::abs(mine.mean() - theirs.mean()) <= 2 * std::hypot(mine.error(), theirs.error());
}

} // namespace dragnet::eval
