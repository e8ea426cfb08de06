// The database file itself: made, shared, refused, and looked at without rights.
#include "store/sqlite_store.h"

#include "base/files.h"
#include "fakes/child_process.h"
#include "fakes/temporary_folder.h"
#include "store/things_to_keep.h"

#include <gtest/gtest.h>

#include <array>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace dragnet::store {
namespace fs = std::filesystem;
namespace {

using fakes::ChildProcess;

class StoreFiles : public testing::Test {
protected:
  fakes::TemporaryFolder folder;
  fs::path file = folder / "store.sqlite";
};

// Opens a store in several processes at the same moment; returns how many could not.
int failed_makers(const fs::path& file) {
  std::array<int, 2> start{};
  if (::pipe(start.data()) != 0)
    return -1;
  const auto make = [&] {
    ::close(start[1]);
    char nothing = 0;
    (void)!::read(start[0], &nothing, 1);
    const auto store = open_sqlite(file);
    return store && (*store)->keep(some_machine()) ? 0 : 1;
  };
  std::vector<std::unique_ptr<ChildProcess>> makers;
  for (int i = 0; i < 6; ++i)
    makers.push_back(std::make_unique<ChildProcess>(make));
  ::close(start[0]);
  ::close(start[1]);
  int failed = 0;
  for (auto& maker : makers)
    failed += maker->wait() == 0 ? 0 : 1;
  return failed;
}

TEST_F(StoreFiles, can_be_made_by_several_processes_at_once) {
  for (int round = 0; round < 60; ++round)
    ASSERT_EQ(failed_makers(folder / std::to_string(round)), 0) << "round " << round;
}

TEST_F(StoreFiles, of_a_newer_program_are_refused_and_stay_as_they_are) {
  {
    auto connection = Connection::open(file);
    ASSERT_TRUE(connection);
    ASSERT_TRUE(
        connection->execute("CREATE TABLE schema_version (version INTEGER NOT NULL);"
                            "INSERT INTO schema_version VALUES (99); CREATE TABLE things (a)"));
  }
  const std::string before = *read_file(file);
  const auto opened = open_sqlite(file);
  ASSERT_FALSE(opened);
  EXPECT_TRUE(opened.error().what.contains("newer")) << opened.error().what;
  EXPECT_TRUE(opened.error().what.contains("99")) << opened.error().what;
  EXPECT_FALSE(opened.error().hint.empty());
  EXPECT_EQ(*read_file(file), before);
}

TEST_F(StoreFiles, that_are_no_database_are_refused_and_stay_as_they_are) {
  const std::string text(5000, 'x');
  ASSERT_TRUE(write_file(file, text));
  const auto opened = open_sqlite(file);
  ASSERT_FALSE(opened);
  EXPECT_TRUE(opened.error().what.contains(file.string())) << opened.error().what;
  EXPECT_TRUE(opened.error().hint.contains("move")) << opened.error().hint;
  EXPECT_EQ(*read_file(file), text);
}

TEST_F(StoreFiles, that_are_empty_become_stores) {
  ASSERT_TRUE(write_file(file, ""));
  EXPECT_TRUE(open_sqlite(file));
}

TEST_F(StoreFiles, that_were_cut_off_are_noticed) {
  {
    auto store = open_sqlite(file);
    ASSERT_TRUE(store && (*store)->keep(some_machine()) && (*store)->keep(some_definition()));
  }
  fs::resize_file(file, fs::file_size(file) / 2);
  const auto store = open_sqlite(file);
  EXPECT_TRUE(!store || !(*store)->check_integrity());
}

TEST_F(StoreFiles, in_a_missing_folder_are_errors_that_name_them) {
  const auto opened = open_sqlite(folder / "missing/store.sqlite");
  ASSERT_FALSE(opened);
  EXPECT_TRUE(opened.error().what.contains("missing/store.sqlite")) << opened.error().what;
  EXPECT_TRUE(opened.error().hint.contains("missing")) << opened.error().hint;
}

// Opens a store as a user who may only read; says how far it came.
enum Seen {
  ReadsRecords = 0,
  CannotOpen = 1,
  CannotRead = 2,
  SaysNothingUseful = 3,
  NoOtherUser = 9
};

Seen look_without_rights(const fs::path& file) {
  if (!fakes::become_ordinary_user())
    return NoOtherUser;
  const auto store = open_sqlite(file);
  if (!store)
    return store.error().hint.contains("writable") ? CannotOpen : SaysNothingUseful;
  return (*store)->records({}) ? ReadsRecords : CannotRead;
}

TEST_F(StoreFiles, on_a_disk_that_is_read_only_can_be_looked_at) {
  ASSERT_TRUE(open_sqlite(file));
  fs::permissions(folder.path(),
                  fs::perms::owner_all | fs::perms::others_read | fs::perms::others_exec);
  const int seen = ChildProcess([&] { return look_without_rights(file); }).wait();
  if (seen == NoOtherUser || ::geteuid() != 0)
    GTEST_SKIP() << "cannot become another user here";
  EXPECT_EQ(seen, ReadsRecords);
}

TEST_F(StoreFiles, that_cannot_be_made_say_what_must_be_writable) {
  fs::permissions(folder.path(),
                  fs::perms::owner_all | fs::perms::others_read | fs::perms::others_exec);
  const int seen = ChildProcess([&] { return look_without_rights(file); }).wait();
  if (seen == NoOtherUser || ::geteuid() != 0)
    GTEST_SKIP() << "cannot become another user here";
  EXPECT_EQ(seen, CannotOpen);
}

} // namespace
} // namespace dragnet::store
