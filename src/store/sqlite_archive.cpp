#include "base/hash.h"
#include "base/result.h"
#include "model/profile.h"
#include "model/run.h"
#include "model/stacks.h"
#include "store/archive.h"
#include "store/profile_text.h"
#include "store/schema.h"
#include "store/stacks_text.h"
#include "store/statement.h"
#include "store/words.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace dragnet::store {
namespace {

class SqliteArchive final : public Archive {
public:
  explicit SqliteArchive(Connection connection) : connection_(std::move(connection)) {}

  Result<> keep(const ProfileKey& key, const Profile& profile) override;
  Result<std::optional<Profile>> profile(const ProfileKey& key) override;
  Result<std::optional<double>> instructions(const ProfileKey& key) override;
  Result<std::vector<std::string>> profiled_trees(const std::string& benchmark) override;
  Result<> keep(const ProfileKey& key, const WatchedRun& watched) override;
  Result<std::vector<WatchedRun>> watched(const ProfileKey& key) override;
  Result<std::size_t> watched_count(const ProfileKey& key) override;
  Result<> forget_watched(const ProfileKey& key) override;
  Result<> keep_predictor(const std::string& name, const std::string& text) override;
  Result<std::optional<std::string>> predictor(const std::string& name) override;
  Result<> keep(const Prediction& prediction) override;
  Result<std::vector<Prediction>> predictions() override;
  Result<> keep(const Outcome& outcome) override;
  Result<std::vector<Outcome>> outcomes() override;
  Result<> keep(const KeptCheck& check) override;
  Result<std::optional<std::string>> last_check(const std::string& commit) override;

private:
  Result<std::string> keep_stacks(const WatchedRun& run);

  Connection connection_;
};

Result<> SqliteArchive::keep(const ProfileKey& key, const Profile& profile) {
  Statement insert(connection_,
                   "INSERT INTO profiles (build_key, benchmark_key, instructions, content) VALUES "
                   "(?, ?, ?, ?) ON CONFLICT (build_key, benchmark_key) DO UPDATE SET "
                   "instructions = excluded.instructions, content = excluded.content");
  return insert.bind(key.build)
      .bind(key.benchmark)
      .bind(static_cast<std::int64_t>(profile.instructions))
      .bind(profile_text(profile))
      .run();
}

Result<std::optional<Profile>> SqliteArchive::profile(const ProfileKey& key) {
  Statement query(connection_,
                  "SELECT content FROM profiles WHERE build_key = ? AND benchmark_key = ?");
  query.bind(key.build).bind(key.benchmark);
  if (!TRY(query.step()))
    return std::optional<Profile>();
  return std::optional(TRY(parse_profile(query.text())));
}

Result<std::optional<double>> SqliteArchive::instructions(const ProfileKey& key) {
  Statement query(connection_,
                  "SELECT instructions FROM profiles WHERE build_key = ? AND benchmark_key = ?");
  query.bind(key.build).bind(key.benchmark);
  if (!TRY(query.step()))
    return std::optional<double>();
  return std::optional(static_cast<double>(query.integer()));
}

Result<std::vector<std::string>> SqliteArchive::profiled_trees(const std::string& benchmark) {
  Statement query(connection_, "SELECT DISTINCT b.tree FROM profiles p JOIN builds b ON "
                               "b.build_key = p.build_key WHERE p.benchmark_key = ?");
  query.bind(benchmark);
  std::vector<std::string> trees;
  while (TRY(query.step()))
    trees.push_back(query.text());
  return trees;
}

// Runs of a steady program do the same: what they did is kept once.
Result<std::string> SqliteArchive::keep_stacks(const WatchedRun& run) {
  const std::string text = stacks_text(run);
  std::string key = KeyMaker().add("stacks", text).key();
  Statement insert(connection_, "INSERT INTO stack_profiles (stacks_key, content) VALUES (?, ?) ON "
                                "CONFLICT (stacks_key) DO NOTHING");
  TRY(insert.bind(key).bind(text).run());
  return key;
}

Result<> SqliteArchive::keep(const ProfileKey& key, const WatchedRun& watched) {
  auto transaction = TRY(Transaction::begin(connection_));
  const auto stacks = TRY(keep_stacks(watched));
  Statement insert(connection_,
                   "INSERT INTO watched_runs (build_key, benchmark_key, outcome, status, "
                   "started_ms, seconds, log, stacks_key) VALUES (?, ?, ?, ?, ?, ?, ?, ?)");
  TRY(insert.bind(key.build)
          .bind(key.benchmark)
          .bind(name(watched.run.outcome))
          .bind(static_cast<std::int64_t>(watched.run.status))
          .bind(watched.run.started)
          .bind(watched.run.seconds)
          .bind(watched.run.log)
          .bind(stacks)
          .run());
  return transaction.commit();
}

Result<std::vector<WatchedRun>> SqliteArchive::watched(const ProfileKey& key) {
  Statement query(connection_,
                  "SELECT r.outcome, r.status, r.started_ms, r.seconds, r.log, s.content FROM "
                  "watched_runs r JOIN stack_profiles s ON s.stacks_key = r.stacks_key WHERE "
                  "r.build_key = ? AND r.benchmark_key = ? ORDER BY r.watched_id");
  query.bind(key.build).bind(key.benchmark);
  std::vector<WatchedRun> found;
  while (TRY(query.step())) {
    WatchedRun watched;
    watched.run.outcome = word_of(query.text(), run_outcomes);
    watched.run.status = static_cast<int>(query.integer());
    watched.run.started = query.integer();
    watched.run.seconds = query.real();
    watched.run.log = query.text();
    auto kept = TRY(parse_stacks(query.text()));
    watched.profile = std::move(kept.profile);
    watched.gaps = std::move(kept.gaps);
    watched.way = std::move(kept.way);
    watched.chosen_way = std::move(kept.chosen_way);
    found.push_back(std::move(watched));
  }
  return found;
}

Result<std::size_t> SqliteArchive::watched_count(const ProfileKey& key) {
  Statement query(connection_,
                  "SELECT count(*) FROM watched_runs WHERE build_key = ? AND benchmark_key = ?");
  query.bind(key.build).bind(key.benchmark);
  TRY(query.step());
  return static_cast<std::size_t>(query.integer());
}

Result<> SqliteArchive::forget_watched(const ProfileKey& key) {
  auto transaction = TRY(Transaction::begin(connection_));
  Statement forget(connection_,
                   "DELETE FROM watched_runs WHERE build_key = ? AND benchmark_key = ?");
  TRY(forget.bind(key.build).bind(key.benchmark).run());
  TRY(connection_.execute("DELETE FROM stack_profiles WHERE stacks_key NOT IN (SELECT stacks_key "
                          "FROM watched_runs)"));
  return transaction.commit();
}

Result<> SqliteArchive::keep_predictor(const std::string& name, const std::string& text) {
  Statement insert(connection_, "INSERT INTO predictors (name, content) VALUES (?, ?) ON CONFLICT "
                                "(name) DO UPDATE SET content = excluded.content");
  return insert.bind(name).bind(text).run();
}

Result<std::optional<std::string>> SqliteArchive::predictor(const std::string& name) {
  Statement query(connection_, "SELECT content FROM predictors WHERE name = ?");
  query.bind(name);
  if (!TRY(query.step()))
    return std::optional<std::string>();
  return std::optional(query.text());
}

Result<> SqliteArchive::keep(const Prediction& prediction) {
  Statement insert(
      connection_,
      "INSERT INTO predictions (old_build_key, new_build_key, benchmark_key, name, method, "
      "probability, advice, made_ms) VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT "
      "(old_build_key, new_build_key, benchmark_key, method) DO UPDATE SET probability = "
      "excluded.probability, advice = excluded.advice, made_ms = excluded.made_ms");
  return insert.bind(prediction.old_build)
      .bind(prediction.new_build)
      .bind(prediction.benchmark)
      .bind(prediction.name)
      .bind(prediction.method)
      .bind(prediction.probability)
      .bind(prediction.run       ? "run"
            : prediction.audited ? "audit"
                                 : "skip")
      .bind(prediction.made)
      .run();
}

Result<std::vector<Prediction>> SqliteArchive::predictions() {
  Statement query(connection_, "SELECT old_build_key, new_build_key, benchmark_key, name, method, "
                               "probability, advice, made_ms FROM predictions ORDER BY made_ms");
  std::vector<Prediction> found;
  while (TRY(query.step())) {
    Prediction prediction;
    prediction.old_build = query.text();
    prediction.new_build = query.text();
    prediction.benchmark = query.text();
    prediction.name = query.text();
    prediction.method = query.text();
    prediction.probability = query.real();
    const std::string advice = query.text();
    prediction.run = advice == "run";
    prediction.audited = advice == "audit";
    prediction.made = query.integer();
    found.push_back(std::move(prediction));
  }
  return found;
}

Result<> SqliteArchive::keep(const Outcome& outcome) {
  Statement insert(connection_,
                   "INSERT INTO outcomes (old_build_key, new_build_key, benchmark_key, verdict, "
                   "seen_ms) VALUES (?, ?, ?, ?, ?) ON CONFLICT (old_build_key, new_build_key, "
                   "benchmark_key) DO UPDATE SET verdict = excluded.verdict, seen_ms = "
                   "excluded.seen_ms");
  return insert.bind(outcome.old_build)
      .bind(outcome.new_build)
      .bind(outcome.benchmark)
      .bind(outcome.verdict)
      .bind(outcome.seen)
      .run();
}

Result<std::vector<Outcome>> SqliteArchive::outcomes() {
  Statement query(connection_, "SELECT old_build_key, new_build_key, benchmark_key, verdict, "
                               "seen_ms FROM outcomes ORDER BY seen_ms");
  std::vector<Outcome> found;
  while (TRY(query.step())) {
    Outcome outcome;
    outcome.old_build = query.text();
    outcome.new_build = query.text();
    outcome.benchmark = query.text();
    outcome.verdict = query.text();
    outcome.seen = query.integer();
    found.push_back(std::move(outcome));
  }
  return found;
}

Result<> SqliteArchive::keep(const KeptCheck& check) {
  Statement insert(connection_,
                   "INSERT INTO checks (old_build_key, new_build_key, commit_id, made_ms, content) "
                   "VALUES (?, ?, ?, ?, ?) ON CONFLICT (old_build_key, new_build_key) DO UPDATE "
                   "SET commit_id = excluded.commit_id, made_ms = excluded.made_ms, content = "
                   "excluded.content");
  return insert.bind(check.old_build)
      .bind(check.new_build)
      .bind(check.commit)
      .bind(check.made)
      .bind(check.document)
      .run();
}

Result<std::optional<std::string>> SqliteArchive::last_check(const std::string& commit) {
  Statement query(connection_, "SELECT content FROM checks WHERE commit_id = ? OR ? = '' ORDER BY "
                               "made_ms DESC LIMIT 1");
  query.bind(commit).bind(commit);
  if (!TRY(query.step()))
    return std::optional<std::string>();
  return std::optional(query.text());
}

} // namespace

Result<std::unique_ptr<Archive>> open_sqlite_archive(const std::filesystem::path& file) {
  Connection connection = TRY(Connection::open(file));
  TRY(migrate(connection));
  return std::unique_ptr<Archive>(std::make_unique<SqliteArchive>(std::move(connection)));
}

} // namespace dragnet::store
