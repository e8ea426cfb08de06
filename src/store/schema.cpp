#include "store/schema.h"
#include "base/result.h"
#include "store/statement.h"

#include <cstddef>
#include <cstdint>
#include <fmt/core.h>

#include <array>
#include <string_view>

namespace dragnet::store {
namespace {

// Steps are never changed once released: a new version is a new step at the end.
constexpr std::array<std::string_view, 4> steps{R"sql(
CREATE TABLE machines (
  machine_key TEXT PRIMARY KEY, host_name TEXT NOT NULL, processor TEXT NOT NULL, cores INTEGER NOT NULL,
  memory_bytes BIGINT NOT NULL, kernel TEXT NOT NULL);
CREATE TABLE commits (
  commit_id TEXT PRIMARY KEY, tree TEXT NOT NULL, commit_time BIGINT NOT NULL, author TEXT NOT NULL,
  subject TEXT NOT NULL);
CREATE INDEX commits_by_tree ON commits (tree);
CREATE TABLE benchmarks (
  benchmark_key TEXT PRIMARY KEY, name TEXT NOT NULL, command TEXT NOT NULL);
CREATE TABLE builds (
  build_key TEXT PRIMARY KEY, tree TEXT NOT NULL, variant TEXT NOT NULL, purpose TEXT NOT NULL, outcome TEXT NOT NULL,
  folder TEXT NOT NULL, seconds DOUBLE PRECISION NOT NULL, log TEXT NOT NULL);
CREATE INDEX builds_by_tree ON builds (tree);
CREATE TABLE runs (
  run_id INTEGER PRIMARY KEY, build_key TEXT NOT NULL REFERENCES builds (build_key),
  benchmark_key TEXT NOT NULL REFERENCES benchmarks (benchmark_key),
  machine_key TEXT NOT NULL REFERENCES machines (machine_key), method TEXT NOT NULL, outcome TEXT NOT NULL,
  status INTEGER NOT NULL, started_ms BIGINT NOT NULL, seconds DOUBLE PRECISION NOT NULL, log TEXT NOT NULL);
CREATE INDEX runs_by_key ON runs (build_key, benchmark_key, machine_key, method);
CREATE TABLE samples (
  run_id BIGINT NOT NULL REFERENCES runs (run_id), metric TEXT NOT NULL, value DOUBLE PRECISION NOT NULL,
  PRIMARY KEY (run_id, metric));
CREATE TABLE pairs (
  duel_key TEXT NOT NULL, series BIGINT NOT NULL, pair BIGINT NOT NULL, side TEXT NOT NULL,
  run_id BIGINT NOT NULL REFERENCES runs (run_id), PRIMARY KEY (duel_key, series, pair, side));
)sql",
                                                R"sql(
CREATE TABLE profiles (
  build_key TEXT NOT NULL REFERENCES builds (build_key),
  benchmark_key TEXT NOT NULL REFERENCES benchmarks (benchmark_key),
  instructions BIGINT NOT NULL, content TEXT NOT NULL, PRIMARY KEY (build_key, benchmark_key));
CREATE INDEX profiles_by_benchmark ON profiles (benchmark_key);
CREATE TABLE predictors (name TEXT PRIMARY KEY, content TEXT NOT NULL);
CREATE TABLE predictions (
  old_build_key TEXT NOT NULL, new_build_key TEXT NOT NULL, benchmark_key TEXT NOT NULL, name TEXT NOT NULL,
  method TEXT NOT NULL, probability DOUBLE PRECISION NOT NULL, advice TEXT NOT NULL, made_ms BIGINT NOT NULL,
  PRIMARY KEY (old_build_key, new_build_key, benchmark_key, method));
)sql",
                                                R"sql(
CREATE TABLE outcomes (
  old_build_key TEXT NOT NULL, new_build_key TEXT NOT NULL, benchmark_key TEXT NOT NULL, verdict TEXT NOT NULL,
  seen_ms BIGINT NOT NULL, PRIMARY KEY (old_build_key, new_build_key, benchmark_key));
CREATE TABLE checks (
  old_build_key TEXT NOT NULL, new_build_key TEXT NOT NULL, commit_id TEXT NOT NULL, made_ms BIGINT NOT NULL,
  content TEXT NOT NULL, PRIMARY KEY (old_build_key, new_build_key));
CREATE INDEX checks_by_commit ON checks (commit_id);
)sql",
                                                R"sql(
CREATE TABLE stack_profiles (stacks_key TEXT PRIMARY KEY, content TEXT NOT NULL);
CREATE TABLE watched_runs (
  watched_id INTEGER PRIMARY KEY, build_key TEXT NOT NULL REFERENCES builds (build_key),
  benchmark_key TEXT NOT NULL REFERENCES benchmarks (benchmark_key), outcome TEXT NOT NULL, status INTEGER NOT NULL,
  started_ms BIGINT NOT NULL, seconds DOUBLE PRECISION NOT NULL, log TEXT NOT NULL,
  stacks_key TEXT NOT NULL REFERENCES stack_profiles (stacks_key));
CREATE INDEX watched_runs_by_key ON watched_runs (build_key, benchmark_key);
)sql"};

Result<int> version_of(Connection& connection) {
  TRY(connection.execute("CREATE TABLE IF NOT EXISTS schema_version (version INTEGER NOT NULL)"));
  Statement query(connection, "SELECT max(version) FROM schema_version");
  TRY(query.step());
  return static_cast<int>(query.integer());
}

Result<> take_step(Connection& connection, int version) {
  auto transaction = TRY(Transaction::begin(connection));
  // Another process may have been faster.
  if (TRY(version_of(connection)) >= version)
    return transaction.commit();
  TRY(connection.execute(std::string(steps.at(static_cast<std::size_t>(version) - 1))));
  Statement note(connection, "INSERT INTO schema_version (version) VALUES (?)");
  TRY(note.bind(static_cast<std::int64_t>(version)).run());
  return transaction.commit();
}

// Reads without writing, so that an up-to-date database on a read-only disk can be looked at.
int known_version(Connection& connection) {
  Statement query(connection, "SELECT max(version) FROM schema_version");
  const auto row = query.step();
  return row && *row ? static_cast<int>(query.integer()) : 0;
}

} // namespace

int newest_schema() {
  return static_cast<int>(steps.size());
}

Result<> migrate(Connection& connection) {
  const int version = known_version(connection);
  if (version > newest_schema())
    return Error{
        fmt::format(
            "the store was written by a newer Dragnet (its schema is {}, this program knows {})",
            version, newest_schema()),
        "install that newer Dragnet, or move .dragnet/store.sqlite away to begin anew"};
  for (int next = version + 1; next <= newest_schema(); ++next)
    TRY_WHILE("cannot prepare the store", take_step(connection, next));
  return success();
}

} // namespace dragnet::store
