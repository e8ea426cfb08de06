#include "store/sqlite_store.h"

#include "base/files.h"
#include "base/result.h"
#include "model/commit.h"
#include "model/lab.h"
#include "model/machine.h"
#include "model/record.h"
#include "model/rounds.h"
#include "model/run.h"
#include "store/schema.h"
#include "store/statement.h"
#include "store/store.h"
#include "store/words.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace dragnet::store {
namespace {

constexpr std::array build_outcomes{BuildOutcome::Failed, BuildOutcome::Built,
                                    BuildOutcome::TimedOut};
constexpr std::array purposes{Purpose::Plain, Purpose::Traced, Purpose::Aligned, Purpose::Imported};
constexpr std::array methods{Method::Timed, Method::Counted};

// A build whose row stays for its runs but whose result is not to be used.
constexpr std::string_view forgotten = "forgotten";

std::string_view name_of(Side side) {
  switch (side) {
  case Side::Base:
    return "base";
  case Side::Candidate:
    return "candidate";
  case Side::Between:
    break;
  }
  return "between";
}

constexpr std::string_view run_columns =
    "r.run_id, r.outcome, r.status, r.started_ms, r.seconds, r.log";

Run read_run(Statement& row) {
  Run run;
  run.id = row.integer();
  run.outcome = word_of(row.text(), run_outcomes);
  run.status = static_cast<int>(row.integer());
  run.started = row.integer();
  run.seconds = row.real();
  run.log = row.text();
  return run;
}

class SqliteStore final : public Store {
public:
  explicit SqliteStore(Connection connection) : connection_(std::move(connection)) {}

  Result<> keep(const Machine& machine) override;
  Result<> keep(const Definition& definition) override;
  Result<> keep(const Commit& commit) override;
  Result<> keep(const Build& build) override;
  Result<std::optional<Build>> build(const std::string& key) override;
  Result<> forget_build(const std::string& key) override;
  Result<std::int64_t> keep(const RunKey& key, const Run& run,
                            const std::optional<Place>& place) override;
  Result<std::vector<Run>> runs(const RunKey& key) override;
  Result<std::int64_t> last_series(const std::string& duel) override;
  Result<std::vector<Pair>> pairs(const std::string& duel, std::int64_t series) override;
  Result<std::vector<MeasuredRound>> rounds(const std::string& trio, std::int64_t series) override;
  Result<std::size_t> next_pair(const std::string& duel, std::int64_t series) override;
  Result<std::vector<Record>> records(const Filter& filter) override;
  Result<> check_integrity() override;

private:
  Result<> keep_samples(std::int64_t run_id, const Run& run);
  Result<> read_samples(Run& run);
  // The runs of a duel's or a trio's series, by number and side.
  using Numbered = std::map<std::int64_t, std::map<std::string, Run>>;
  Result<Numbered> placed_runs(const std::string& key, std::int64_t series);

  Connection connection_;
};

Result<> SqliteStore::keep(const Machine& machine) {
  Statement insert(
      connection_,
      "INSERT INTO machines (machine_key, host_name, processor, cores, memory_bytes, kernel) "
      "VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (machine_key) DO NOTHING");
  return insert.bind(machine.key)
      .bind(machine.host_name)
      .bind(machine.processor)
      .bind(std::int64_t{machine.cores})
      .bind(static_cast<std::int64_t>(machine.memory_bytes))
      .bind(machine.kernel)
      .run();
}

Result<> SqliteStore::keep(const Definition& definition) {
  Statement insert(connection_,
                   "INSERT INTO benchmarks (benchmark_key, name, command) VALUES (?, ?, ?) "
                   "ON CONFLICT (benchmark_key) DO NOTHING");
  return insert.bind(definition.key).bind(definition.name).bind(definition.command).run();
}

Result<> SqliteStore::keep(const Commit& commit) {
  Statement insert(connection_,
                   "INSERT INTO commits (commit_id, tree, commit_time, author, subject) "
                   "VALUES (?, ?, ?, ?, ?) ON CONFLICT (commit_id) DO NOTHING");
  return insert.bind(commit.id.text)
      .bind(commit.tree)
      .bind(commit.time)
      .bind(commit.author)
      .bind(commit.subject)
      .run();
}

Result<> SqliteStore::keep(const Build& build) {
  auto transaction = TRY(Transaction::begin(connection_));
  TRY(keep(build.commit));
  Statement insert(
      connection_,
      "INSERT INTO builds (build_key, tree, variant, purpose, outcome, folder, seconds, log) "
      "VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (build_key) DO UPDATE SET outcome = "
      "excluded.outcome, "
      "folder = excluded.folder, seconds = excluded.seconds, log = excluded.log");
  TRY(insert.bind(build.key)
          .bind(build.commit.tree)
          .bind(build.variant)
          .bind(name(build.purpose))
          .bind(name(build.outcome))
          .bind(build.folder)
          .bind(build.seconds)
          .bind(build.log)
          .run());
  return transaction.commit();
}

Result<std::optional<Build>> SqliteStore::build(const std::string& key) {
  Statement query(connection_,
                  "SELECT tree, variant, purpose, outcome, folder, seconds, log FROM builds "
                  "WHERE build_key = ? AND outcome <> ?");
  if (!TRY(query.bind(key).bind(forgotten).step()))
    return std::optional<Build>();
  Build build;
  build.key = key;
  build.commit.tree = query.text();
  build.variant = query.text();
  build.purpose = word_of(query.text(), purposes);
  build.outcome = word_of(query.text(), build_outcomes);
  build.folder = query.text();
  build.seconds = query.real();
  build.log = query.text();
  return std::optional(std::move(build));
}

Result<> SqliteStore::forget_build(const std::string& key) {
  Statement update(connection_, "UPDATE builds SET outcome = ? WHERE build_key = ?");
  return update.bind(forgotten).bind(key).run();
}

Result<> SqliteStore::keep_samples(std::int64_t run_id, const Run& run) {
  Statement insert(connection_, "INSERT INTO samples (run_id, metric, value) VALUES (?, ?, ?)");
  for (const auto& [metric, value] : run.samples)
    TRY(insert.bind(run_id).bind(metric).bind(value).run());
  return success();
}

Result<std::int64_t> SqliteStore::keep(const RunKey& key, const Run& run,
                                       const std::optional<Place>& place) {
  auto transaction = TRY(Transaction::begin(connection_));
  Statement insert(
      connection_,
      "INSERT INTO runs (build_key, benchmark_key, machine_key, method, outcome, status, "
      "started_ms, seconds, log) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)");
  TRY(insert.bind(key.build)
          .bind(key.benchmark)
          .bind(key.machine)
          .bind(name(key.method))
          .bind(name(run.outcome))
          .bind(std::int64_t{run.status})
          .bind(run.started)
          .bind(run.seconds)
          .bind(run.log)
          .run());
  const std::int64_t id = connection_.last_id();
  TRY(keep_samples(id, run));
  if (place) {
    Statement link(
        connection_,
        "INSERT INTO pairs (duel_key, series, pair, side, run_id) VALUES (?, ?, ?, ?, ?)");
    TRY(link.bind(place->duel)
            .bind(place->series)
            .bind(static_cast<std::int64_t>(place->pair))
            .bind(name_of(place->side))
            .bind(id)
            .run());
  }
  TRY(transaction.commit());
  return id;
}

Result<> SqliteStore::read_samples(Run& run) {
  Statement query(connection_, "SELECT metric, value FROM samples WHERE run_id = ?");
  query.bind(run.id);
  while (TRY(query.step())) {
    std::string metric = query.text();
    run.samples[std::move(metric)] = query.real();
  }
  return success();
}

Result<std::vector<Run>> SqliteStore::runs(const RunKey& key) {
  Statement query(connection_,
                  fmt::format("SELECT {} FROM runs r WHERE build_key = ? AND benchmark_key = ? AND "
                              "machine_key = ? AND method = ? ORDER BY run_id",
                              run_columns));
  query.bind(key.build).bind(key.benchmark).bind(key.machine).bind(name(key.method));
  std::vector<Run> runs;
  while (TRY(query.step())) {
    runs.push_back(read_run(query));
    TRY(read_samples(runs.back()));
  }
  return runs;
}

Result<std::int64_t> SqliteStore::last_series(const std::string& duel) {
  Statement query(connection_, "SELECT max(series) FROM pairs WHERE duel_key = ?");
  TRY(query.bind(duel).step());
  return query.next_is_nothing() ? 1 : query.integer();
}

Result<SqliteStore::Numbered> SqliteStore::placed_runs(const std::string& key,
                                                       std::int64_t series) {
  Statement query(
      connection_,
      fmt::format("SELECT p.pair, p.side, {} FROM pairs p JOIN runs r ON r.run_id = p.run_id "
                  "WHERE p.duel_key = ? AND p.series = ? ORDER BY p.pair",
                  run_columns));
  query.bind(key).bind(series);
  Numbered found;
  while (TRY(query.step())) {
    const std::int64_t number = query.integer();
    std::string side = query.text();
    Run run = read_run(query);
    TRY(read_samples(run));
    found[number].emplace(std::move(side), std::move(run));
  }
  return found;
}

namespace {

std::optional<Run> taken(std::map<std::string, Run>& sides, Side side) {
  const auto found = sides.find(std::string(name_of(side)));
  return found == sides.end() ? std::nullopt : std::optional(std::move(found->second));
}

} // namespace

Result<std::vector<Pair>> SqliteStore::pairs(const std::string& duel, std::int64_t series) {
  std::vector<Pair> pairs;
  for (auto& [number, sides] : TRY(placed_runs(duel, series))) {
    auto base = taken(sides, Side::Base);
    auto candidate = taken(sides, Side::Candidate);
    if (base && candidate)
      pairs.push_back({static_cast<std::size_t>(number), std::move(*base), std::move(*candidate)});
  }
  return pairs;
}

Result<std::vector<MeasuredRound>> SqliteStore::rounds(const std::string& trio,
                                                       std::int64_t series) {
  std::vector<MeasuredRound> rounds;
  for (auto& [number, sides] : TRY(placed_runs(trio, series))) {
    auto good = taken(sides, Side::Base);
    auto bad = taken(sides, Side::Candidate);
    if (good && bad)
      rounds.push_back({static_cast<std::size_t>(number), std::move(*good), std::move(*bad),
                        taken(sides, Side::Between)});
  }
  return rounds;
}

Result<std::size_t> SqliteStore::next_pair(const std::string& duel, std::int64_t series) {
  Statement query(connection_, "SELECT max(pair) FROM pairs WHERE duel_key = ? AND series = ?");
  TRY(query.bind(duel).bind(series).step());
  return query.next_is_nothing() ? 0 : static_cast<std::size_t>(query.integer()) + 1;
}

namespace {

// What was built to see another placement of code says nothing about the commit itself. A tree that
// several commits share is shown with the one that was asked for, or else with the oldest.
constexpr std::string_view record_query =
    "SELECT {}, r.method, b.benchmark_key, b.name, b.command, u.build_key, u.variant, u.purpose, "
    "u.outcome, u.seconds, c.commit_id, c.tree, c.commit_time, c.author, c.subject, m.machine_key, "
    "m.host_name, m.processor, m.cores, m.memory_bytes, m.kernel "
    "FROM runs r JOIN benchmarks b ON b.benchmark_key = r.benchmark_key "
    "JOIN builds u ON u.build_key = r.build_key JOIN commits c ON c.tree = u.tree "
    "JOIN machines m ON m.machine_key = r.machine_key "
    "WHERE u.purpose <> 'aligned' AND c.commit_id = CASE WHEN ? <> '' THEN ? ELSE (SELECT "
    "o.commit_id FROM commits o "
    "WHERE o.tree = u.tree ORDER BY o.commit_time, o.commit_id LIMIT 1) END ORDER BY r.run_id";

Record read_record(Statement& row) {
  Record record;
  record.run = read_run(row);
  record.method = word_of(row.text(), methods);
  record.benchmark = {row.text(), row.text(), row.text()};
  record.build.key = row.text();
  record.build.variant = row.text();
  record.build.purpose = word_of(row.text(), purposes);
  record.build.outcome = word_of(row.text(), build_outcomes);
  record.build.seconds = row.real();
  record.build.commit.id.text = row.text();
  record.build.commit.tree = row.text();
  record.build.commit.time = row.integer();
  record.build.commit.author = row.text();
  record.build.commit.subject = row.text();
  record.machine.key = row.text();
  record.machine.host_name = row.text();
  record.machine.processor = row.text();
  record.machine.cores = static_cast<int>(row.integer());
  record.machine.memory_bytes = static_cast<std::uint64_t>(row.integer());
  record.machine.kernel = row.text();
  return record;
}

bool wanted(const Record& record, const Filter& filter) {
  const std::string& name = record.benchmark.name;
  return filter.benchmarks.empty() || std::ranges::any_of(filter.benchmarks, [&](const auto& one) {
           return name == one || name.starts_with(one + "/");
         });
}

} // namespace

Result<std::vector<Record>> SqliteStore::records(const Filter& filter) {
  Statement query(connection_, fmt::format(fmt::runtime(record_query), run_columns));
  query.bind(filter.commit).bind(filter.commit);
  std::vector<Record> records;
  while (TRY(query.step())) {
    Record record = read_record(query);
    if (!wanted(record, filter))
      continue;
    TRY(read_samples(record.run));
    records.push_back(std::move(record));
  }
  return records;
}

Result<> SqliteStore::check_integrity() {
  Statement pages(connection_, "PRAGMA integrity_check");
  TRY(pages.step());
  const std::string answer = pages.text();
  if (answer != "ok")
    return Error{"the store is damaged: " + answer,
                 "move .dragnet/store.sqlite away to begin anew"};
  Statement links(connection_, "PRAGMA foreign_key_check");
  if (TRY(links.step()))
    return Error{"the store is damaged: a row of " + links.text() + " refers to nothing",
                 "move .dragnet/store.sqlite away to begin anew"};
  return success();
}

} // namespace

Result<std::unique_ptr<Store>> open_sqlite(const std::filesystem::path& file) {
  // One process at a time makes or migrates a store: SQLite does not wait in all of its steps.
  const auto lock = FileLock::wait(std::filesystem::path(file).replace_extension(".lock"));
  Connection connection = TRY(Connection::open(file));
  TRY(migrate(connection));
  return std::unique_ptr<Store>(std::make_unique<SqliteStore>(std::move(connection)));
}

} // namespace dragnet::store
