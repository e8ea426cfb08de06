#include "store/sqlite_store.h"

#include "base/files.h"
#include "fakes/child_process.h"
#include "fakes/temporary_folder.h"
#include "store/things_to_keep.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <limits>
#include <memory>
#include <string>
#include <vector>

namespace dragnet::store {
namespace fs = std::filesystem;
namespace {

using fakes::becomes_true;
using fakes::ChildProcess;

void expect_equal(const Run& seen, const Run& kept) {
  EXPECT_EQ(seen.outcome, kept.outcome);
  EXPECT_EQ(seen.status, kept.status);
  EXPECT_EQ(seen.started, kept.started);
  EXPECT_EQ(seen.seconds, kept.seconds);
  EXPECT_EQ(seen.samples, kept.samples);
  EXPECT_EQ(seen.log, kept.log);
}

const RunKey key{"u1", "b1", "m1", Method::Timed};
const std::string duel = "duel";

// The invariant: after every case the database is whole, and every run that a pair names is there.
class Stores : public testing::Test {
protected:
  using Run = dragnet::Run; // the base class has a function of this name

  void SetUp() override {
    open();
    ASSERT_TRUE(store->keep(some_machine()));
    ASSERT_TRUE(store->keep(some_definition()));
    ASSERT_TRUE(store->keep(some_build()));
  }
  void TearDown() override {
    const auto whole = open_sqlite(file);
    ASSERT_TRUE(whole) << whole.error().what;
    const auto checked = (*whole)->check_integrity();
    EXPECT_TRUE(checked) << checked.error().what;
  }
  void open() {
    store.reset();
    auto opened = open_sqlite(file);
    ASSERT_TRUE(opened) << opened.error().what;
    store = std::move(*opened);
  }
  void keep_pair(std::size_t pair, double value = 1, std::int64_t series = 1) {
    for (const Side side : {Side::Base, Side::Candidate})
      ASSERT_TRUE(store->keep(key, some_run(value), Place{duel, series, pair, side}));
  }

  fakes::TemporaryFolder folder;
  fs::path file = folder / "store.sqlite";
  std::unique_ptr<Store> store;
};

TEST_F(Stores, give_builds_back_as_they_were) {
  for (const BuildOutcome outcome :
       {BuildOutcome::Built, BuildOutcome::Failed, BuildOutcome::TimedOut}) {
    Build build = some_build();
    build.variant = "lto";
    build.key = std::string(name(outcome));
    build.outcome = outcome;
    build.log = std::string("a\0b\xff", 4);
    ASSERT_TRUE(store->keep(build));
    open();
    const auto seen = store->build(build.key);
    ASSERT_TRUE(seen && *seen);
    EXPECT_EQ((*seen)->key, build.key);
    EXPECT_EQ((*seen)->outcome, outcome);
    EXPECT_EQ((*seen)->variant, "lto");
    EXPECT_EQ((*seen)->commit.tree, "t1");
    EXPECT_EQ((*seen)->folder, build.folder);
    EXPECT_EQ((*seen)->seconds, build.seconds);
    EXPECT_EQ((*seen)->log, build.log);
  }
}

TEST_F(Stores, have_no_build_that_was_not_kept) {
  EXPECT_FALSE(store->build("other")->has_value());
}

TEST_F(Stores, take_the_newer_outcome_of_a_build) {
  Build build = some_build();
  build.outcome = BuildOutcome::Failed;
  ASSERT_TRUE(store->keep(build));
  EXPECT_EQ((*store->build("u1"))->outcome, BuildOutcome::Failed);
  ASSERT_TRUE(store->keep(some_build()));
  EXPECT_EQ((*store->build("u1"))->outcome, BuildOutcome::Built);
}

TEST_F(Stores, forget_a_build_but_not_its_runs) {
  ASSERT_TRUE(store->keep(key, some_run(), {}));
  ASSERT_TRUE(store->forget_build("u1"));
  EXPECT_FALSE(store->build("u1")->has_value());
  EXPECT_EQ(store->runs(key)->size(), 1U);
  ASSERT_TRUE(store->keep(some_build()));
  EXPECT_TRUE(store->build("u1")->has_value()) << "built again";
}

TEST_F(Stores, give_runs_back_as_they_were) {
  Run failed = some_run();
  failed.outcome = RunOutcome::Crashed;
  failed.status = 11;
  failed.samples.clear();
  failed.log = std::string("what it printed: \0 \xfe", 20);
  const auto first = store->keep(key, some_run(), {});
  const auto second = store->keep(key, failed, {});
  ASSERT_TRUE(first && second);
  open();
  const auto runs = store->runs(key);
  ASSERT_EQ(runs->size(), 2U);
  EXPECT_EQ((*runs)[0].id, *first);
  EXPECT_EQ((*runs)[1].id, *second);
  expect_equal((*runs)[0], some_run());
  expect_equal((*runs)[1], failed);
}

TEST_F(Stores, know_every_outcome) {
  for (const RunOutcome outcome : {RunOutcome::Finished, RunOutcome::Failed, RunOutcome::Crashed,
                                   RunOutcome::TimedOut, RunOutcome::NotStarted}) {
    Run run = some_run();
    run.outcome = outcome;
    ASSERT_TRUE(store->keep(key, run, {}));
    EXPECT_EQ(store->runs(key)->back().outcome, outcome);
  }
}

TEST_F(Stores, keep_the_largest_and_smallest_numbers) {
  Run run = some_run();
  run.samples = {{"a", std::numeric_limits<double>::max()},
                 {"b", std::numeric_limits<double>::denorm_min()},
                 {"c", 0.1},
                 {"d", -0.0},
                 {"e", 9007199254740993.0}};
  ASSERT_TRUE(store->keep(key, run, {}));
  EXPECT_EQ(store->runs(key)->back().samples, run.samples);
}

TEST_F(Stores, refuse_what_is_not_a_number_and_keep_nothing_of_it) {
  Run run = some_run();
  run.samples["wall"] = std::nan("");
  EXPECT_FALSE(store->keep(key, run, Place{duel, 1, 0, Side::Base}));
  EXPECT_TRUE(store->runs(key)->empty());
  EXPECT_EQ(*store->next_pair(duel, 1), 0U);
  EXPECT_TRUE(store->keep(key, some_run(), {})) << "it goes on afterwards";
}

TEST_F(Stores, tell_runs_apart_by_every_part_of_their_key) {
  ASSERT_TRUE(store->keep(some_build("u2")));
  ASSERT_TRUE(store->keep(some_definition("b2")));
  Machine other = some_machine();
  other.key = "m2";
  ASSERT_TRUE(store->keep(other));
  const std::vector<RunKey> keys{key,
                                 {"u2", "b1", "m1", Method::Timed},
                                 {"u1", "b2", "m1", Method::Timed},
                                 {"u1", "b1", "m2", Method::Timed},
                                 {"u1", "b1", "m1", Method::Counted}};
  for (std::size_t i = 0; i < keys.size(); ++i)
    ASSERT_TRUE(store->keep(keys[i], some_run(static_cast<double>(i)), {}));
  for (std::size_t i = 0; i < keys.size(); ++i) {
    ASSERT_EQ(store->runs(keys[i])->size(), 1U);
    EXPECT_EQ(store->runs(keys[i])->front().samples.at("wall"), static_cast<double>(i));
  }
}

TEST_F(Stores, refuse_runs_of_what_they_do_not_know) {
  EXPECT_FALSE(store->keep(RunKey{"nothing", "b1", "m1", Method::Timed}, some_run(), {}));
  EXPECT_FALSE(store->keep(RunKey{"u1", "nothing", "m1", Method::Timed}, some_run(), {}));
  EXPECT_FALSE(store->keep(RunKey{"u1", "b1", "nothing", Method::Timed}, some_run(), {}));
}

TEST_F(Stores, change_nothing_when_the_same_is_kept_twice) {
  ASSERT_TRUE(store->keep(key, some_run(), {}));
  for (int i = 0; i < 2; ++i) {
    ASSERT_TRUE(store->keep(some_machine()));
    ASSERT_TRUE(store->keep(some_definition()));
    ASSERT_TRUE(store->keep(some_build().commit));
    ASSERT_TRUE(store->keep(some_build()));
  }
  EXPECT_EQ(store->records({})->size(), 1U);
}

TEST_F(Stores, give_pairs_back_only_when_both_sides_are_there) {
  keep_pair(0, 10);
  ASSERT_TRUE(store->keep(key, some_run(), Place{duel, 1, 1, Side::Base}));
  keep_pair(2, 12);
  const auto pairs = store->pairs(duel, 1);
  ASSERT_EQ(pairs->size(), 2U);
  EXPECT_EQ((*pairs)[0].number, 0U);
  EXPECT_EQ((*pairs)[1].number, 2U);
  expect_equal((*pairs)[1].base, some_run(12));
  expect_equal((*pairs)[1].candidate, some_run(12));
}

TEST_F(Stores, do_not_mix_up_the_sides) {
  ASSERT_TRUE(store->keep(key, some_run(2), Place{duel, 1, 0, Side::Candidate}));
  ASSERT_TRUE(store->keep(key, some_run(1), Place{duel, 1, 0, Side::Base}));
  EXPECT_EQ(store->pairs(duel, 1)->front().base.samples.at("wall"), 1);
  EXPECT_EQ(store->pairs(duel, 1)->front().candidate.samples.at("wall"), 2);
}

TEST_F(Stores, give_rounds_back_when_both_ends_are_there) {
  const auto keep_member = [&](std::size_t round, double value, Side side) {
    ASSERT_TRUE(store->keep(key, some_run(value), Place{"trio", 1, round, side}));
  };
  keep_member(0, 3, Side::Between);
  keep_member(0, 2, Side::Candidate);
  keep_member(0, 1, Side::Base);
  keep_member(1, 1, Side::Base);
  keep_member(1, 3, Side::Between);
  keep_member(2, 1, Side::Base);
  keep_member(2, 2, Side::Candidate);
  const auto rounds = store->rounds("trio", 1);
  ASSERT_EQ(rounds->size(), 2U);
  expect_equal((*rounds)[0].good, some_run(1));
  expect_equal((*rounds)[0].bad, some_run(2));
  expect_equal((*rounds)[0].between.value(), some_run(3));
  EXPECT_EQ((*rounds)[1].number, 2U);
  EXPECT_FALSE((*rounds)[1].between);
}

TEST_F(Stores, order_pairs_by_their_number) {
  for (const std::size_t pair : {11U, 2U, 0U, 10U})
    keep_pair(pair);
  std::vector<std::size_t> numbers;
  const auto pairs = store->pairs(duel, 1);
  for (const auto& pair : *pairs)
    numbers.push_back(pair.number);
  EXPECT_EQ(numbers, (std::vector<std::size_t>{0, 2, 10, 11}));
}

TEST_F(Stores, skip_half_a_pair_when_numbering_the_next) {
  EXPECT_EQ(*store->next_pair(duel, 1), 0U);
  keep_pair(0);
  EXPECT_EQ(*store->next_pair(duel, 1), 1U);
  ASSERT_TRUE(store->keep(key, some_run(), Place{duel, 1, 1, Side::Candidate}));
  EXPECT_EQ(*store->next_pair(duel, 1), 2U);
}

TEST_F(Stores, refuse_a_second_run_in_the_same_place_and_forget_it_whole) {
  keep_pair(0);
  EXPECT_FALSE(store->keep(key, some_run(), Place{duel, 1, 0, Side::Base}));
  EXPECT_EQ(store->runs(key)->size(), 2U);
}

TEST_F(Stores, keep_series_apart) {
  EXPECT_EQ(*store->last_series(duel), 1);
  keep_pair(0, 1, 1);
  keep_pair(0, 2, 2);
  keep_pair(1, 2, 2);
  EXPECT_EQ(*store->last_series(duel), 2);
  EXPECT_EQ(*store->last_series("another"), 1);
  EXPECT_EQ(store->pairs(duel, 1)->size(), 1U);
  EXPECT_EQ(store->pairs(duel, 2)->size(), 2U);
  EXPECT_EQ(*store->next_pair(duel, 3), 0U);
  EXPECT_TRUE(store->pairs("another", 1)->empty());
}

TEST_F(Stores, give_records_with_all_that_is_known) {
  ASSERT_TRUE(store->keep(key, some_run(), {}));
  const auto records = store->records({});
  ASSERT_EQ(records->size(), 1U);
  const Record& record = records->front();
  expect_equal(record.run, some_run());
  EXPECT_EQ(record.build.commit.id.text, "c1");
  EXPECT_EQ(record.build.commit.author, "Ädä");
  EXPECT_EQ(record.build.commit.subject, some_build().commit.subject);
  EXPECT_EQ(record.build.commit.time, 1'700'000'000);
  EXPECT_EQ(record.build.key, "u1");
  EXPECT_EQ(record.benchmark.name, "sort");
  EXPECT_EQ(record.benchmark.command, "./sort < input.txt");
  EXPECT_EQ(record.method, Method::Timed);
  EXPECT_EQ(record.machine.processor, "Model \"X\"");
  EXPECT_EQ(record.machine.memory_bytes, 68'719'476'736U);
}

TEST_F(Stores, filter_records_by_commit_and_benchmark) {
  ASSERT_TRUE(store->keep(some_build("u2", "c2", "t2")));
  ASSERT_TRUE(store->keep(some_definition("b2", "suite/case")));
  ASSERT_TRUE(store->keep(some_definition("b3", "suitecase")));
  for (const auto* build : {"u1", "u2"})
    for (const auto* benchmark : {"b1", "b2", "b3"})
      ASSERT_TRUE(store->keep(RunKey{build, benchmark, "m1", Method::Timed}, some_run(), {}));
  EXPECT_EQ(store->records({})->size(), 6U);
  EXPECT_EQ(store->records({"c2", {}})->size(), 3U);
  EXPECT_EQ(store->records({"", {"sort"}})->size(), 2U);
  EXPECT_EQ(store->records({"c1", {"suite"}})->size(), 1U)
      << "a suite means its cases, and no other name";
  EXPECT_EQ(store->records({"c1", {"sort", "suitecase"}})->size(), 2U);
  EXPECT_TRUE(store->records({"c3", {}})->empty());
}

TEST_F(Stores, know_a_run_for_each_commit_with_the_same_tree) {
  ASSERT_TRUE(store->keep(key, some_run(), {}));
  ASSERT_TRUE(store->keep(some_build("u1", "c9").commit));
  EXPECT_EQ(store->records({"c1", {}})->size(), 1U);
  EXPECT_EQ(store->records({"c9", {}})->size(), 1U);
}

TEST_F(Stores, may_be_open_twice) {
  const auto other = open_sqlite(file);
  ASSERT_TRUE(other);
  ASSERT_TRUE(store->keep(key, some_run(1), {}));
  ASSERT_TRUE((*other)->keep(key, some_run(2), {}));
  EXPECT_EQ(store->runs(key)->size(), 2U);
  EXPECT_EQ((*other)->runs(key)->size(), 2U);
}

int write_runs(const fs::path& file, int count) {
  const auto store = open_sqlite(file);
  if (!store)
    return 1;
  for (int i = 0; i < count; ++i)
    if (!(*store)->keep(key, some_run(i), {}))
      return 2;
  return 0;
}

TEST_F(Stores, take_writes_of_several_processes_at_once) {
  store.reset();
  ChildProcess first([&] { return write_runs(file, 100); });
  ChildProcess second([&] { return write_runs(file, 100); });
  ChildProcess third([&] { return write_runs(file, 100); });
  EXPECT_EQ(first.wait(), 0);
  EXPECT_EQ(second.wait(), 0);
  EXPECT_EQ(third.wait(), 0);
  open();
  EXPECT_EQ(store->runs(key)->size(), 300U);
}

TEST_F(Stores, lose_nothing_that_was_kept_when_the_writer_is_killed) {
  store.reset();
  ChildProcess writer([&] {
    const auto mine = open_sqlite(file);
    for (std::size_t i = 0;; ++i) {
      for (const Side side : {Side::Base, Side::Candidate})
        if (!(*mine)->keep(key, some_run(), Place{duel, 1, i, side}))
          return 1;
      (void)write_file(folder / "told", std::to_string(i + 1)).has_value();
    }
  });
  ASSERT_TRUE(becomes_true([&] { return fs::exists(folder / "told"); }));
  std::this_thread::sleep_for(std::chrono::milliseconds(60));
  writer.kill();
  const auto told = std::stoul(*read_file(folder / "told"));
  open();
  const auto pairs = store->pairs(duel, 1);
  ASSERT_TRUE(pairs);
  EXPECT_GE(pairs->size(), told);
  for (const auto& pair : *pairs) {
    EXPECT_EQ(pair.base.samples.size(), 3U);
    EXPECT_EQ(pair.candidate.samples.size(), 3U);
  }
}

TEST(DuelKeys, change_with_every_part) {
  const DuelKey duel_key{{"a", "b", "m", Method::Timed}, "c"};
  const std::vector<DuelKey> others{
      {{"x", "b", "m", Method::Timed}, "c"}, {{"a", "x", "m", Method::Timed}, "c"},
      {{"a", "b", "x", Method::Timed}, "c"}, {{"a", "b", "m", Method::Counted}, "c"},
      {{"a", "b", "m", Method::Timed}, "x"}, {{"c", "b", "m", Method::Timed}, "a"}};
  EXPECT_EQ(duel_key.text(), (DuelKey{{"a", "b", "m", Method::Timed}, "c"}.text()));
  for (const auto& other : others)
    EXPECT_NE(duel_key.text(), other.text());
}

} // namespace
} // namespace dragnet::store
