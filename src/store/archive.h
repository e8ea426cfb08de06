// What was learned beside measurements: what benchmarks execute, and what predicts their changes.
// Kept in the same database as the runs, behind an interface of its own.
#pragma once

#include "base/result.h"
#include "model/profile.h"
#include "model/stacks.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace dragnet::store {

/// What determines a profile.
struct ProfileKey {
  std::string build;
  std::string benchmark;
};

/// What was said of a benchmark before it was measured.
struct Prediction {
  std::string old_build;
  std::string new_build;
  std::string benchmark; ///< its key
  std::string name;      ///< the benchmark's
  std::string method;
  double probability = 0; ///< of a change
  bool run = true;        ///< what was advised
  bool audited = false;   ///< dismissed, but to be run to keep the score
  std::int64_t made = 0;  ///< in milliseconds since 1970
};

/// What measuring a benchmark of two builds concluded.
struct Outcome {
  std::string old_build;
  std::string new_build;
  std::string benchmark; ///< its key
  std::string verdict;   ///< the word for it
  std::int64_t seen = 0; ///< in milliseconds since 1970
};

/// What the check of a commit found.
struct KeptCheck {
  std::string old_build;
  std::string new_build;
  std::string commit;    ///< its full id
  std::int64_t made = 0; ///< in milliseconds since 1970
  std::string document;  ///< as docs/json.md describes it
};

class Archive {
public:
  virtual ~Archive() = default;

  virtual Result<> keep(const ProfileKey& key, const Profile& profile) = 0;
  virtual Result<std::optional<Profile>> profile(const ProfileKey& key) = 0;

  /// How many instructions the profile of a key counts; nothing if there is none. Cheaper than the
  /// profile.
  virtual Result<std::optional<double>> instructions(const ProfileKey& key) = 0;

  /// The trees of all builds that have a profile of a benchmark.
  virtual Result<std::vector<std::string>> profiled_trees(const std::string& benchmark) = 0;

  /// Keeps a run that was watched, behind those of the same key.
  virtual Result<> keep(const ProfileKey& key, const WatchedRun& run) = 0;

  /// The watched runs of a key, oldest first.
  virtual Result<std::vector<WatchedRun>> watched(const ProfileKey& key) = 0;

  /// How many they are. Cheaper than the runs.
  virtual Result<std::size_t> watched_count(const ProfileKey& key) = 0;

  virtual Result<> forget_watched(const ProfileKey& key) = 0;

  /// A predictor by name, as the text that describes it; a later one replaces it.
  virtual Result<> keep_predictor(const std::string& name, const std::string& text) = 0;
  virtual Result<std::optional<std::string>> predictor(const std::string& name) = 0;

  /// Keeps a prediction; of the same question the last counts.
  virtual Result<> keep(const Prediction& prediction) = 0;
  virtual Result<std::vector<Prediction>> predictions() = 0;

  /// Keeps an outcome; of the same question the last counts.
  virtual Result<> keep(const Outcome& outcome) = 0;
  virtual Result<std::vector<Outcome>> outcomes() = 0;

  /// Keeps what a check found; of the same two builds the last counts.
  virtual Result<> keep(const KeptCheck& check) = 0;

  /// The document of the last check of a commit, or of any where that is empty.
  virtual Result<std::optional<std::string>> last_check(const std::string& commit) = 0;
};

/// The archive in the database of a project, which the store has made.
Result<std::unique_ptr<Archive>> open_sqlite_archive(const std::filesystem::path& file);

} // namespace dragnet::store
